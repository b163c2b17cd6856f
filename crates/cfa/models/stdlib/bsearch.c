void *bsearch(const void *key, const void *base, __robusto_size count, __robusto_size size,
              int (*compare)(const void *, const void *)) {
    __robusto_size low = 0, high = count;
    while (low < high) {
        __robusto_size middle = (low + high) / 2;
        const char *item = (const char *)base + middle * size;
        int order = compare(key, item);
        if (order == 0) return (void *)item;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return (void *)0;
}
