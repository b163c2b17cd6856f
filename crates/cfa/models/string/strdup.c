static char *copy(const char *s, __robusto_size length) {
    char *new = malloc(length + 1);
    if (new == (char *)0) return new;
    __builtin_memcpy(new, s, length);
    new[length] = 0;
    return new;
}

char *strdup(const char *s) {
    __robusto_size length = 0;
    while (s[length] != 0) length++;
    return copy(s, length);
}

char *strndup(const char *s, __robusto_size most) {
    __robusto_size length = 0;
    while (length < most && s[length] != 0) length++;
    return copy(s, length);
}
