// The C locale.
int strcoll(const char *a, const char *b) {
    __robusto_size i = 0;
    while (a[i] != 0 && a[i] == b[i]) i++;
    return (unsigned char)a[i] - (unsigned char)b[i];
}

__robusto_size strxfrm(char *to, const char *from, __robusto_size size) {
    __robusto_size i = 0;
    for (; from[i] != 0; i++)
        if (i < size) to[i] = from[i];
    if (i < size) to[i] = 0;
    return i;
}
