static __robusto_ssize bytes(void *to, __robusto_size size) {
    __robusto_size length = __robusto_any_size();
    if (length > size) return -1;
    __robusto_any_bytes(to, length);
    return (__robusto_ssize)length;
}

__robusto_ssize read(int descriptor, void *to, __robusto_size size) { return bytes(to, size); }
__robusto_ssize pread(int descriptor, void *to, __robusto_size size, long offset) { return bytes(to, size); }
