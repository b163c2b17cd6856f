void *reallocarray(void *old, __robusto_size count, __robusto_size size) { return realloc(old, count * size); }
