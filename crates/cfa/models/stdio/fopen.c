// A stream is an object that nobody looks into.
static void *stream(void) { return __robusto_any_int() ? __robusto_kept(256) : (void *)0; }

static void *named(const char *name, const char *mode) {
    __robusto_reads(name);
    __robusto_reads(mode);
    return stream();
}

void *fopen(const char *name, const char *mode) { return named(name, mode); }
void *freopen(const char *name, const char *mode, void *old) {
    __robusto_reads(mode);
    return __robusto_any_int() ? old : (void *)0;
}
void *tmpfile(void) { return stream(); }
void *fdopen(int descriptor, const char *mode) { return named(mode, mode); }
void *popen(const char *command, const char *mode) { return named(command, mode); }

void *opendir(const char *name) {
    __robusto_reads(name);
    return stream();
}
void *fdopendir(int descriptor) { return stream(); }

int fclose(void *stream) {
    __robusto_release(stream);
    return __robusto_any_int() < 0 ? -1 : 0;
}
int pclose(void *stream) {
    __robusto_release(stream);
    return __robusto_any_int();
}
int closedir(void *stream) {
    __robusto_release(stream);
    return __robusto_any_int() < 0 ? -1 : 0;
}
