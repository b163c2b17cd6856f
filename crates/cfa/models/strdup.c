char *strdup(const char *s) {
    __robusto_size n = strlen(s) + 1;
    char *copy = malloc(n);
    memcpy(copy, s, n);
    return copy;
}
