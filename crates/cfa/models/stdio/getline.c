// The line is at least one character long; the buffer grows as by `realloc`.
static __robusto_ssize line(char **to, __robusto_size *size, int end, void *stream) {
    __robusto_assumption("lines that `getline` reads are shorter than 1 MiB");
    // It may fail before there is a buffer.
    if (__robusto_any_int() < 0) {
        __robusto_read_pushed(*to, 0, stream);
        return -1;
    }
    __robusto_size length = __robusto_any_uint() & 0xfffff, room = __robusto_any_uint() & 0xfffff;
    if (*to == (char *)0 || *size < length + 1) {
        if (room < length + 1) room = length + 1;
        char *new = malloc(room);
        if (new == (char *)0) return -1;
        free(*to);
        *to = new;
        *size = room;
    }
    if (length == 0) {
        // After an error the buffer may hold anything.
        if (__robusto_any_int() < 0) __robusto_any_bytes(*to, *size);
        __robusto_read_pushed(*to, 0, stream);
        return -1;
    }
    __robusto_any_bytes(*to, length);
    __robusto_read_pushed(*to, length, stream);
    if ((unsigned char)(*to)[0] == end) length = 1;
    (*to)[length] = 0;
    return (__robusto_ssize)length;
}

__robusto_ssize getline(char **to, __robusto_size *size, void *stream) { return line(to, size, '\n', stream); }
__robusto_ssize getdelim(char **to, __robusto_size *size, int end, void *stream) { return line(to, size, end, stream); }
