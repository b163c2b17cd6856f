int strcmp(const char *a, const char *b) {
    __robusto_size i = 0;
    while (a[i] != 0 && a[i] == b[i]) i++;
    return (unsigned char)a[i] - (unsigned char)b[i];
}

int strncmp(const char *a, const char *b, __robusto_size size) {
    __robusto_size i = 0;
    while (i < size && a[i] != 0 && a[i] == b[i]) i++;
    return i == size ? 0 : (unsigned char)a[i] - (unsigned char)b[i];
}

static int lower(unsigned char c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; }

int strcasecmp(const char *a, const char *b) {
    __robusto_size i = 0;
    while (a[i] != 0 && lower(a[i]) == lower(b[i])) i++;
    return lower(a[i]) - lower(b[i]);
}

int strncasecmp(const char *a, const char *b, __robusto_size size) {
    __robusto_size i = 0;
    while (i < size && a[i] != 0 && lower(a[i]) == lower(b[i])) i++;
    return i == size ? 0 : lower(a[i]) - lower(b[i]);
}
