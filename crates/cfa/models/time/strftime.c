__robusto_size strftime(char *to, __robusto_size size, const char *format, const void *date) {
    __robusto_reads(format);
    __robusto_reads(date);
    __robusto_size length = __robusto_unmodelled_size();
    __robusto_unmodelled_bytes(to, size);
    if (length >= size) return 0;
    to[length] = 0;
    return length;
}
