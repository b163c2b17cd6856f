void *mmap(void *address, __robusto_size size, int protection, int flags, int descriptor, long offset) {
    if (flags & 0x10) __robusto_unsupported("call of `mmap` with a fixed address");
    if (__robusto_any_int() < 0) return (void *)-1;
    // Without a file the bytes are zero.
    return flags & 0x20 ? __builtin_calloc(size, 1) : __builtin_malloc(size);
}
int munmap(void *address, __robusto_size size) { return __robusto_any_int() < 0 ? -1 : 0; }
