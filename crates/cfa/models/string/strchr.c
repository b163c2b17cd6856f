char *strchr(const char *s, int c) {
    for (;; s++) {
        if (*s == (char)c) return (char *)s;
        if (*s == 0) return (char *)0;
    }
}

char *strrchr(const char *s, int c) {
    const char *last = (const char *)0;
    for (;; s++) {
        if (*s == (char)c) last = s;
        if (*s == 0) return (char *)last;
    }
}

char *strchrnul(const char *s, int c) {
    while (*s != (char)c && *s != 0) s++;
    return (char *)s;
}
