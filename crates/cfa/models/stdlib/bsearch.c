void *bsearch(const void *key, const void *base, __robusto_size count, __robusto_size size,
              int (*compare)(const void *, const void *)) {
    __robusto_assumption("a function that compares for `qsort` or `bsearch` changes nothing, however often it is called; Robusto chooses which pairs it compares, and in which order");
    __robusto_size low = 0, high = count;
    while (low < high) {
        __robusto_size middle = (low + high) / 2;
        const char *item = (const char *)base + middle * size;
        int order = compare(key, item);
        if (order == 0) {
            // Of equal elements, any.
            while (__robusto_any_int() != 0 && middle + 1 < count && compare(key, item + size) == 0) {
                middle++;
                item += size;
            }
            while (__robusto_any_int() != 0 && middle > 0 && compare(key, item - size) == 0) {
                middle--;
                item -= size;
            }
            return (void *)item;
        }
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return (void *)0;
}
