static char text[4096];

char *dlerror(void) {
    if (__robusto_any_int() == 0) return (char *)0;
    __robusto_size length = __robusto_any_size();
    if (length >= sizeof text) length = 0;
    __robusto_any_bytes(text, length);
    text[length] = 0;
    return text;
}
