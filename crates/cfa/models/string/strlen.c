__robusto_size strlen(const char *s) {
    __robusto_size n = 0;
    while (s[n] != 0) n++;
    return n;
}

__robusto_size strnlen(const char *s, __robusto_size limit) {
    __robusto_size n = 0;
    while (n < limit && s[n] != 0) n++;
    return n;
}
