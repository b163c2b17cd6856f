// The last six characters before the suffix become any others.
static int make(char *name, int suffix) {
    __robusto_size length = 0;
    while (name[length] != 0) length++;
    if (length >= 6 + (__robusto_size)suffix) __robusto_any_bytes(name + length - suffix - 6, 6);
    int descriptor = __robusto_any_int();
    return descriptor < 0 ? -1 : descriptor;
}

int mkstemp(char *name) { return make(name, 0); }
int mkostemp(char *name, int flags) { return make(name, 0); }
int mkstemps(char *name, int suffix) { return make(name, suffix); }
char *mkdtemp(char *name) { return make(name, 0) < 0 ? (char *)0 : name; }
char *mktemp(char *name) {
    if (make(name, 0) < 0) name[0] = 0;
    return name;
}
