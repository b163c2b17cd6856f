// A character, or -1 at the end of the file.
static unsigned next(void) {
    unsigned c = __robusto_any_uint();
    return c > 0x10ffff ? -1 : c - 1;
}

unsigned getwc(void *stream) { return next(); }
unsigned fgetwc(void *stream) { return next(); }
unsigned getwchar(void) { return next(); }
unsigned ungetwc(unsigned c, void *stream) { return __robusto_any_int() < 0 ? -1 : c; }
