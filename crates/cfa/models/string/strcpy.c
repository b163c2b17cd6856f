char *strcpy(char *to, const char *from) {
    __robusto_size i = 0;
    do to[i] = from[i];
    while (from[i++] != 0);
    return to;
}

char *stpcpy(char *to, const char *from) {
    while ((*to = *from) != 0) {
        to++;
        from++;
    }
    return to;
}

char *strncpy(char *to, const char *from, __robusto_size size) {
    __robusto_size i = 0;
    for (; i < size && from[i] != 0; i++) to[i] = from[i];
    for (; i < size; i++) to[i] = 0;
    return to;
}

char *stpncpy(char *to, const char *from, __robusto_size size) {
    __robusto_size i = 0, end;
    for (; i < size && from[i] != 0; i++) to[i] = from[i];
    end = i;
    for (; i < size; i++) to[i] = 0;
    return to + end;
}
