int *wmemcpy(int *to, const int *from, __robusto_size count) {
    __builtin_memcpy(to, from, count * sizeof *to);
    return to;
}
int *wmemmove(int *to, const int *from, __robusto_size count) {
    __builtin_memmove(to, from, count * sizeof *to);
    return to;
}
int *wmempcpy(int *to, const int *from, __robusto_size count) {
    __builtin_memcpy(to, from, count * sizeof *to);
    return to + count;
}
int *wmemset(int *to, int c, __robusto_size count) {
    for (__robusto_size i = 0; i < count; i++) to[i] = c;
    return to;
}
int wmemcmp(const int *a, const int *b, __robusto_size count) {
    for (__robusto_size i = 0; i < count; i++)
        if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
    return 0;
}
int *wmemchr(const int *s, int c, __robusto_size count) {
    for (__robusto_size i = 0; i < count; i++)
        if (s[i] == c) return (int *)(s + i);
    return (int *)0;
}
