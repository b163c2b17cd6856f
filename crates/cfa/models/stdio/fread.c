__robusto_size fread(void *to, __robusto_size size, __robusto_size count, void *stream) {
    if (size == 0 || count == 0) return 0;
    __robusto_size bytes = __robusto_any_size();
    if (bytes > size * count) bytes = size * count;
    __robusto_any_bytes(to, bytes);
    __robusto_read_pushed(to, bytes, stream);
    return bytes / size;
}
