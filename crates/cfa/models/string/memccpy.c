void *memccpy(void *to, const void *from, int c, __robusto_size size) {
    unsigned char *x = to;
    const unsigned char *y = from;
    for (__robusto_size i = 0; i < size; i++) {
        x[i] = y[i];
        if (y[i] == (unsigned char)c) return x + i + 1;
    }
    return (void *)0;
}

void *memmem(const void *text, __robusto_size length, const void *word, __robusto_size size) {
    const unsigned char *x = text, *y = word;
    if (size > length) return (void *)0;
    for (__robusto_size at = 0; at <= length - size; at++) {
        __robusto_size i = 0;
        while (i < size && x[at + i] == y[i]) i++;
        if (i == size) return (void *)(x + at);
    }
    return (void *)0;
}
