// The C locale: one byte is one character; bytes from 128 on are characters or errors.
static int single(const char *s, __robusto_size size) {
    if (s == (const char *)0) return 0;
    if (size == 0) return -1;
    if ((unsigned char)*s < 128) return *s != 0;
    return __robusto_unmodelled_int() ? 1 : -1;
}

int mblen(const char *s, __robusto_size size) { return single(s, size); }
int mbtowc(int *to, const char *s, __robusto_size size) {
    int length = single(s, size);
    if (to != (int *)0 && s != (const char *)0 && length >= 0)
        *to = (unsigned char)*s < 128 ? *s : __robusto_unmodelled_int();
    return length;
}
int wctomb(char *to, int c) {
    if (to == (char *)0) return 0;
    if (c >= 0 && c < 128) {
        *to = (char)c;
        return 1;
    }
    if (__robusto_unmodelled_int()) return -1;
    *to = __robusto_unmodelled_char();
    return 1;
}
__robusto_size mbstowcs(int *to, const char *s, __robusto_size size) {
    __robusto_size i = 0;
    for (; to == (int *)0 || i < size; i++) {
        if ((unsigned char)s[i] >= 128 && __robusto_unmodelled_int()) return -1;
        if (to != (int *)0) to[i] = (unsigned char)s[i] < 128 ? s[i] : __robusto_unmodelled_int();
        if (s[i] == 0) return i;
    }
    return i;
}
__robusto_size wcstombs(char *to, const int *s, __robusto_size size) {
    __robusto_size i = 0;
    for (; to == (char *)0 || i < size; i++) {
        int plain = s[i] >= 0 && s[i] < 128;
        if (!plain && __robusto_unmodelled_int()) return -1;
        if (to != (char *)0) to[i] = plain ? (char)s[i] : __robusto_unmodelled_char();
        if (s[i] == 0) return i;
    }
    return i;
}
