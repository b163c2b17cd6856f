static void swap(char *a, char *b, __robusto_size size) {
    for (__robusto_size k = 0; k < size; k++) {
        char byte = a[k];
        a[k] = b[k];
        b[k] = byte;
    }
}

// Equal elements may change places.
static int after(int order) { return order > 0 || (order == 0 && __robusto_any_int() != 0); }

void qsort(void *base, __robusto_size count, __robusto_size size, int (*compare)(const void *, const void *)) {
    __robusto_assumption("a function that compares for `qsort` or `bsearch` changes nothing, however often it is called; Robusto chooses which pairs it compares, and in which order");
    char *items = base;
    for (__robusto_size i = 1; i < count; i++)
        for (__robusto_size j = i; j > 0 && after(compare(items + (j - 1) * size, items + j * size)); j--)
            swap(items + (j - 1) * size, items + j * size, size);
}

void qsort_r(void *base, __robusto_size count, __robusto_size size,
             int (*compare)(const void *, const void *, void *), void *more) {
    __robusto_assumption("a function that compares for `qsort` or `bsearch` changes nothing, however often it is called; Robusto chooses which pairs it compares, and in which order");
    char *items = base;
    for (__robusto_size i = 1; i < count; i++)
        for (__robusto_size j = i; j > 0 && after(compare(items + (j - 1) * size, items + j * size, more)); j--)
            swap(items + (j - 1) * size, items + j * size, size);
}
