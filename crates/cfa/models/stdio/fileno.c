// Streams without a descriptor are not modelled (`fmemopen`).
int fileno(void *stream) {
    (void)stream;
    int descriptor = __robusto_unmodelled_int();
    __robusto_assume(descriptor >= 0);
    return descriptor;
}

int fileno_unlocked(void *stream) { return fileno(stream); }
