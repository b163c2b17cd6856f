// A byte, or -1 at the end of the file.
static int next(void) {
    unsigned c = __robusto_any_uint();
    return c > 255 + 1 ? -1 : (int)c - 1;
}

int getc(void *stream) { return next(); }
int fgetc(void *stream) { return next(); }
int getchar(void) { return next(); }
int ungetc(int c, void *stream) { return c == -1 || __robusto_any_int() < 0 ? -1 : (unsigned char)c; }
int getw(void *stream) { return __robusto_any_int(); }
int putw(int word, void *stream) { return __robusto_any_int() ? -1 : 0; }
