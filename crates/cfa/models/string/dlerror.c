static char text[64];

char *dlerror(void) {
    if (__robusto_any_int() == 0) return (char *)0;
    __robusto_any_bytes(text, sizeof text - 1);
    text[sizeof text - 1] = 0;
    return text;
}
