char *strcat(char *to, const char *from) {
    __robusto_size end = 0, i = 0;
    while (to[end] != 0) end++;
    do to[end + i] = from[i];
    while (from[i++] != 0);
    return to;
}

char *strncat(char *to, const char *from, __robusto_size size) {
    __robusto_size end = 0, i = 0;
    while (to[end] != 0) end++;
    for (; i < size && from[i] != 0; i++) to[end + i] = from[i];
    to[end + i] = 0;
    return to;
}
