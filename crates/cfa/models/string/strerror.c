static char text[64];

static char *message(void) {
    __robusto_unmodelled_bytes(text, sizeof text - 1);
    text[sizeof text - 1] = 0;
    return text;
}

char *strerror(int number) { return message(); }
char *strsignal(int number) { return message(); }
char *gai_strerror(int number) { return message(); }
char *hstrerror(int number) { return message(); }

// GNU's form; the text is in the buffer or elsewhere.
char *strerror_r(int number, char *to, __robusto_size size) {
    if (size == 0 || __robusto_unmodelled_int()) return message();
    __robusto_unmodelled_bytes(to, size);
    to[size - 1] = 0;
    return to;
}

int __xpg_strerror_r(int number, char *to, __robusto_size size) {
    if (size > 0) {
        __robusto_unmodelled_bytes(to, size);
        to[size - 1] = 0;
    }
    return __robusto_unmodelled_int();
}
