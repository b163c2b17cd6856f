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

char *strstr(const char *s, const char *word) {
    for (;; s++) {
        __robusto_size i = 0;
        while (word[i] != 0 && s[i] == word[i]) i++;
        if (word[i] == 0) return (char *)s;
        if (*s == 0) return (char *)0;
    }
}
