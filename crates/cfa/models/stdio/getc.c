// A byte, or -1 at the end of the file.
static int next(void) {
    unsigned c = __robusto_any_uint();
    return c > 255 + 1 ? -1 : (int)c - 1;
}
static unsigned next_wide(void) {
    unsigned c = __robusto_any_uint();
    return c > 0x10ffff + 1 ? -1 : c - 1;
}

// What was pushed back last comes next, unless the position changes.
static int is_pushed;
static unsigned back;
static void *pushed;

static int is_taken(void *stream) {
    if (!is_pushed || stream != pushed) return 0;
    is_pushed = 0;
    return 1;
}
// For other functions, which have read this many bytes or moved the stream. To forget too much only means any byte.
void __robusto_read_pushed(char *to, __robusto_size length, void *stream) {
    if (is_taken(stream) && length > 0) to[0] = (char)back;
}
void __robusto_forget_pushed(void) { is_pushed = 0; }

static int comes_next(void *stream) { return is_taken(stream) ? (int)back : next(); }

int getc(void *stream) { return comes_next(stream); }
int fgetc(void *stream) { return comes_next(stream); }
int getchar(void) { return comes_next(__robusto_stdin()); }

// There is always room for one character.
static void push(unsigned c, void *stream) {
    if (is_pushed) __robusto_unsupported("`ungetc` before the last one is read");
    is_pushed = 1;
    pushed = stream;
    back = c;
}
int ungetc(int c, void *stream) {
    if (c == -1) return -1;
    push((unsigned char)c, stream);
    return (unsigned char)c;
}

static unsigned wide_comes_next(void *stream) { return is_taken(stream) ? back : next_wide(); }

unsigned getwc(void *stream) { return wide_comes_next(stream); }
unsigned fgetwc(void *stream) { return wide_comes_next(stream); }
unsigned getwchar(void) { return wide_comes_next(__robusto_stdin()); }
// A character that the locale does not have fails.
unsigned ungetwc(unsigned c, void *stream) {
    if (c == -1U || __robusto_any_int() < 0) return -1;
    push(c, stream);
    return c;
}

int getw(void *stream) {
    is_pushed = 0;
    return __robusto_any_int();
}
int putw(int word, void *stream) { return __robusto_any_int() ? -1 : 0; }
