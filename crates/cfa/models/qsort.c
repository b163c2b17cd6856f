void qsort(void *base, __robusto_size count, __robusto_size size, int (*compare)(const void *, const void *)) {
    char *items = base;
    for (__robusto_size i = 1; i < count; i++)
        for (__robusto_size j = i; j > 0 && compare(items + (j - 1) * size, items + j * size) > 0; j--)
            for (__robusto_size k = 0; k < size; k++) {
                char byte = items[(j - 1) * size + k];
                items[(j - 1) * size + k] = items[j * size + k];
                items[j * size + k] = byte;
            }
}
