static char name[20];

static char *put(char *to, __robusto_size size) {
    __robusto_any_bytes(to, size - 1);
    to[size - 1] = 0;
    return to;
}

char *tmpnam(char *to) { return __robusto_any_int() ? put(to != (char *)0 ? to : name, 20) : (char *)0; }
char *tempnam(const char *folder, const char *prefix) {
    char *new = __robusto_any_int() ? malloc(64) : (char *)0;
    return new == (char *)0 ? new : put(new, 64);
}
char *ctermid(char *to) { return put(to != (char *)0 ? to : name, 9); }
