__robusto_size wcslen(const int *s) {
    __robusto_size n = 0;
    while (s[n] != 0) n++;
    return n;
}
__robusto_size wcsnlen(const int *s, __robusto_size limit) {
    __robusto_size n = 0;
    while (n < limit && s[n] != 0) n++;
    return n;
}
int *wcscpy(int *to, const int *from) {
    __robusto_size i = 0;
    do to[i] = from[i];
    while (from[i++] != 0);
    return to;
}
int *wcpcpy(int *to, const int *from) {
    while ((*to = *from) != 0) {
        to++;
        from++;
    }
    return to;
}
int *wcsncpy(int *to, const int *from, __robusto_size size) {
    __robusto_size i = 0;
    for (; i < size && from[i] != 0; i++) to[i] = from[i];
    for (; i < size; i++) to[i] = 0;
    return to;
}
int *wcscat(int *to, const int *from) {
    __robusto_size end = 0, i = 0;
    while (to[end] != 0) end++;
    do to[end + i] = from[i];
    while (from[i++] != 0);
    return to;
}
int *wcsncat(int *to, const int *from, __robusto_size size) {
    __robusto_size end = 0, i = 0;
    while (to[end] != 0) end++;
    for (; i < size && from[i] != 0; i++) to[end + i] = from[i];
    to[end + i] = 0;
    return to;
}
static int order(int a, int b) { return a == b ? 0 : a < b ? -1 : 1; }
int wcscmp(const int *a, const int *b) {
    __robusto_size i = 0;
    while (a[i] != 0 && a[i] == b[i]) i++;
    return order(a[i], b[i]);
}
int wcsncmp(const int *a, const int *b, __robusto_size size) {
    __robusto_size i = 0;
    while (i < size && a[i] != 0 && a[i] == b[i]) i++;
    return i == size ? 0 : order(a[i], b[i]);
}
int *wcschr(const int *s, int c) {
    for (;; s++) {
        if (*s == c) return (int *)s;
        if (*s == 0) return (int *)0;
    }
}
int *wcsrchr(const int *s, int c) {
    const int *last = (const int *)0;
    for (;; s++) {
        if (*s == c) last = s;
        if (*s == 0) return (int *)last;
    }
}
int *wcsstr(const int *s, const int *word) {
    for (;; s++) {
        __robusto_size i = 0;
        while (word[i] != 0 && s[i] == word[i]) i++;
        if (word[i] == 0) return (int *)s;
        if (*s == 0) return (int *)0;
    }
}
static int among(int c, const int *set) {
    for (; *set != 0; set++)
        if (*set == c) return 1;
    return 0;
}
__robusto_size wcsspn(const int *s, const int *set) {
    __robusto_size i = 0;
    while (s[i] != 0 && among(s[i], set)) i++;
    return i;
}
__robusto_size wcscspn(const int *s, const int *set) {
    __robusto_size i = 0;
    while (s[i] != 0 && !among(s[i], set)) i++;
    return i;
}
int *wcspbrk(const int *s, const int *set) {
    for (; *s != 0; s++)
        if (among(*s, set)) return (int *)s;
    return (int *)0;
}
