void *lfind(const void *key, const void *base, __robusto_size *count, __robusto_size size,
            int (*compare)(const void *, const void *)) {
    for (__robusto_size i = 0; i < *count; i++) {
        const char *item = (const char *)base + i * size;
        if (compare(key, item) == 0) return (void *)item;
    }
    return (void *)0;
}

void *lsearch(const void *key, void *base, __robusto_size *count, __robusto_size size,
              int (*compare)(const void *, const void *)) {
    void *found = lfind(key, base, count, size, compare);
    if (found != (void *)0) return found;
    found = (char *)base + *count * size;
    __builtin_memcpy(found, key, size);
    ++*count;
    return found;
}
