static int among(char c, const char *set) {
    for (; *set != 0; set++)
        if (*set == c) return 1;
    return 0;
}

__robusto_size strspn(const char *s, const char *set) {
    __robusto_size i = 0;
    while (s[i] != 0 && among(s[i], set)) i++;
    return i;
}

__robusto_size strcspn(const char *s, const char *set) {
    __robusto_size i = 0;
    while (s[i] != 0 && !among(s[i], set)) i++;
    return i;
}

char *strpbrk(const char *s, const char *set) {
    for (; *s != 0; s++)
        if (among(*s, set)) return (char *)s;
    return (char *)0;
}
