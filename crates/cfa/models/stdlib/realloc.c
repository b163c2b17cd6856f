__robusto_size __robusto_object_size(const void *);

void *realloc(void *old, __robusto_size size) {
    // As glibc does.
    if (size == 0 && old != (void *)0) {
        free(old);
        return (void *)0;
    }
    char *new = malloc(size);
    if (new != (char *)0 && old != (void *)0) {
        __robusto_size had = __robusto_object_size(old);
        memcpy(new, old, had < size ? had : size);
        free(old);
    }
    return new;
}

void *reallocf(void *old, __robusto_size size) {
    void *new = realloc(old, size);
    if (new == (void *)0 && size != 0) free(old);
    return new;
}
