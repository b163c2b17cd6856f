// Texts that were given out and that a call may give out again.
static char *first, *second;
// Whether the program set a value, which would have to be remembered.
static int changed;

static char *value(void) {
    if (changed) __robusto_unsupported("a value of the environment after the program changed it");
    int which = __robusto_any_int();
    if (which == 0) return (char *)0;
    if (which == 1 && first) return first;
    if (which == 2 && second) return second;
    __robusto_assumption("values of environment variables are shorter than 1 MiB, and at most two of them are asked for again");
    __robusto_size length = __robusto_any_size() & 0xfffff;
    char *text = __robusto_kept(length + 1);
    __robusto_any_bytes(text, length);
    text[length] = 0;
    if (which > 3)
        first = text;
    else if (which == 3)
        second = text;
    return text;
}

char *getenv(const char *name) {
    __robusto_reads(name);
    return value();
}
char *secure_getenv(const char *name) {
    __robusto_reads(name);
    return value();
}

static int change(void) {
    changed = 1;
    return __robusto_any_int() == 0 ? 0 : -1;
}

int setenv(const char *name, const char *value, int replace) { return change(); }
int unsetenv(const char *name) { return change(); }
int clearenv(void) { return change(); }
