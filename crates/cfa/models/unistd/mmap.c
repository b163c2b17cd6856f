__robusto_size __robusto_object_size(const void *);

// Whether a file is mapped so that another mapping may have the same bytes.
static int shared;

void *mmap(void *address, __robusto_size size, int protection, int flags, int descriptor, long offset) {
    if (flags & 0x10) __robusto_unsupported("call of `mmap` with a fixed address");
    if (__robusto_any_int() < 0 || size == 0) return (void *)-1;
    // Without a file the bytes are zero.
    if (flags & 0x20) return __builtin_calloc(size, 1);
    // MAP_SHARED, or MAP_SHARED_VALIDATE; what is private may show changes of a file that are made by another mapping.
    if (shared) __robusto_unsupported("call of `mmap` beside a shared mapping of a file");
    if (flags & 1) shared = 1;
    return __builtin_malloc(size);
}

static __robusto_size pages(__robusto_size size) { return (size + 4095) / 4096; }

int munmap(void *address, __robusto_size size) {
    // A whole mapping that is there can always be given back.
    if (__robusto_checks_memory() && address != (void *)-1) {
        if (pages(__robusto_object_size(address)) != pages(size))
            __robusto_unsupported("call of `munmap` for a part of a mapping");
        __robusto_release(address);
        return 0;
    }
    return __robusto_any_int() < 0 ? -1 : 0;
}
