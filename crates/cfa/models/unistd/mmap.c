// Whether a file is mapped so that another mapping may have the same bytes.
static int shared;

void *mmap(void *address, __robusto_size size, int protection, int flags, int descriptor, long offset) {
    if (flags & 0x10) __robusto_unsupported("call of `mmap` with a fixed address");
    if (__robusto_any_int() < 0 || size == 0) return (void *)-1;
    // Without a file the bytes are zero.
    if (flags & 0x20) return __robusto_kept_zeroed(size);
    // MAP_SHARED, or MAP_SHARED_VALIDATE; what is private may show changes of a file that are made by another mapping.
    if (shared) __robusto_unsupported("call of `mmap` beside a shared mapping of a file");
    if (flags & 1) shared = 1;
    return __robusto_kept(size);
}

// Whether a mapping has bytes before or behind those of some pages.
static int is_part(char *address, __robusto_size size) {
    return __robusto_is_readable(address - 1, 1) || __robusto_is_readable(address, (size + 4095) / 4096 * 4096 + 1);
}

int munmap(void *address, __robusto_size size) {
    __robusto_assumption("memory that was freed is not given out again, and `realloc` gives other memory");
    // A whole mapping that is there can always be given back.
    if (__robusto_checks_memory() && address != (void *)-1) {
        if (is_part(address, size)) __robusto_unsupported("call of `munmap` for a part of a mapping");
        __robusto_release(address);
        return 0;
    }
    return __robusto_any_int() < 0 ? -1 : 0;
}
