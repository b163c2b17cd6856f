// A byte, or -1 at the end of the file.
static int next(void) {
    unsigned c = __robusto_any_uint();
    return c > 255 + 1 ? -1 : (int)c - 1;
}

// What was pushed back last comes next.
static int is_pushed, back;
static void *pushed;

static int comes_next(void *stream) {
    if (!is_pushed || stream != pushed) return next();
    is_pushed = 0;
    return back;
}

int getc(void *stream) { return comes_next(stream); }
int fgetc(void *stream) { return comes_next(stream); }
int getchar(void) {
    if (is_pushed) __robusto_unsupported("`getchar` after `ungetc`");
    return next();
}
// There is always room for one character.
int ungetc(int c, void *stream) {
    if (c == -1) return -1;
    if (is_pushed) __robusto_unsupported("`ungetc` before the last one is read");
    is_pushed = 1;
    pushed = stream;
    back = (unsigned char)c;
    return back;
}
int getw(void *stream) { return __robusto_any_int(); }
int putw(int word, void *stream) { return __robusto_any_int() ? -1 : 0; }
