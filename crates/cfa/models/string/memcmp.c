int memcmp(const void *a, const void *b, __robusto_size size) {
    const unsigned char *x = a, *y = b;
    for (__robusto_size i = 0; i < size; i++)
        if (x[i] != y[i]) return x[i] < y[i] ? -1 : 1;
    return 0;
}

void *memchr(const void *s, int c, __robusto_size size) {
    const unsigned char *x = s;
    for (__robusto_size i = 0; i < size; i++)
        if (x[i] == (unsigned char)c) return (void *)(x + i);
    return (void *)0;
}

void *memrchr(const void *s, int c, __robusto_size size) {
    const unsigned char *x = s;
    for (__robusto_size i = size; i > 0; i--)
        if (x[i - 1] == (unsigned char)c) return (void *)(x + i - 1);
    return (void *)0;
}

void *rawmemchr(const void *s, int c) {
    const unsigned char *x = s;
    while (*x != (unsigned char)c) x++;
    return (void *)x;
}
