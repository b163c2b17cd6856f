// A stream is an object that nobody looks into.
static void *stream(void) { return __robusto_any_int() ? __builtin_malloc(256) : (void *)0; }

void *fopen(const char *name, const char *mode) { return stream(); }
void *freopen(const char *name, const char *mode, void *old) { return __robusto_any_int() ? old : (void *)0; }
void *tmpfile(void) { return stream(); }
void *fdopen(int descriptor, const char *mode) { return stream(); }
void *popen(const char *command, const char *mode) { return stream(); }
