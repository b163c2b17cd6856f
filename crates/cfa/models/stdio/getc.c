// A byte, or -1 at the end of the file.
static int next(void) {
    unsigned c = __robusto_any_uint();
    return c > 255 + 1 ? -1 : (int)c - 1;
}

// What was pushed back last comes next.
static int back;
static void *pushed;

static int again(void) {
    pushed = (void *)0;
    return back;
}

int getc(void *stream) { return stream != (void *)0 && stream == pushed ? again() : next(); }
int fgetc(void *stream) { return stream != (void *)0 && stream == pushed ? again() : next(); }
int getchar(void) {
    if (pushed != (void *)0) __robusto_unsupported("`getchar` after `ungetc`");
    return next();
}
int ungetc(int c, void *stream) {
    if (c == -1 || __robusto_any_int() < 0) return -1;
    if (pushed != (void *)0) __robusto_unsupported("`ungetc` before the last one is read");
    pushed = stream;
    back = (unsigned char)c;
    return back;
}
int getw(void *stream) { return __robusto_any_int(); }
int putw(int word, void *stream) { return __robusto_any_int() ? -1 : 0; }
