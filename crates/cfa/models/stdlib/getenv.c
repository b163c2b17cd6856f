static char *value(void) {
    if (__robusto_any_int() == 0) return (char *)0;
    __robusto_assumption("values of environment variables are shorter than 1 MiB");
    __robusto_size length = __robusto_any_size() & 0xfffff;
    char *text = __builtin_malloc(length + 1);
    __robusto_any_bytes(text, length);
    text[length] = 0;
    return text;
}

char *getenv(const char *name) { return value(); }
char *secure_getenv(const char *name) { return value(); }
