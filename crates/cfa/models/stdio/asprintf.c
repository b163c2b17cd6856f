static int text(char **to) {
    __robusto_assumption("texts that `asprintf` makes are shorter than 1 GiB; formats have no `%n`");
    int length = __robusto_unmodelled_int() & 0x3fffffff;
    char *new = malloc((__robusto_size)length + 1);
    if (new == (char *)0) return -1;
    __robusto_unmodelled_bytes(new, (__robusto_size)length);
    new[length] = 0;
    *to = new;
    return length;
}

int asprintf(char **to, const char *format, ...) { return text(to); }
int vasprintf(char **to, const char *format, __builtin_va_list list) { return text(to); }
