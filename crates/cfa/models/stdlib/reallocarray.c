void *reallocarray(void *old, __robusto_size count, __robusto_size size) {
    if (size != 0 && count > (__robusto_size)-1 / size) return (void *)0;
    return realloc(old, count * size);
}
