// The line is at least one character long; the buffer grows as by `realloc`.
static __robusto_ssize line(char **to, __robusto_size *size) {
    __robusto_assumption("lines that `getline` reads are shorter than 1 GiB");
    __robusto_size length = __robusto_any_uint() & 0x3fffffff, room = __robusto_any_uint() & 0x3fffffff;
    if (*to == (char *)0 || *size < length + 1) {
        if (room < length + 1) room = length + 1;
        char *new = malloc(room);
        free(*to);
        *to = new;
        *size = room;
    }
    if (length == 0) return -1;
    __robusto_any_bytes(*to, length);
    (*to)[length] = 0;
    return (__robusto_ssize)length;
}

__robusto_ssize getline(char **to, __robusto_size *size, void *stream) { return line(to, size); }
__robusto_ssize getdelim(char **to, __robusto_size *size, int end, void *stream) { return line(to, size); }
