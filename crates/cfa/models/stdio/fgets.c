char *fgets(char *to, int size, void *stream) {
    __robusto_loose();
    int outcome = __robusto_any_int();
    if (size <= 0) return (char *)0;
    if (outcome <= 0) {
        // Nothing is changed at the end of the file; after an error the buffer may hold anything.
        if (outcome < 0) __robusto_any_bytes(to, (__robusto_size)size);
        __robusto_read_pushed(to, 0, stream);
        return (char *)0;
    }
    __robusto_size length = __robusto_any_size();
    if (length == 0) length = 1;
    if (length > (__robusto_size)size - 1) length = (__robusto_size)size - 1;
    __robusto_any_bytes(to, length);
    __robusto_read_pushed(to, length, stream);
    // A line ends with its first new line; only a line that is empty is looked at.
    if (length > 1 && to[0] == '\n') length = 1;
    to[length] = 0;
    return to;
}

__robusto_size __robusto_object_size(const void *);

// A line that does not fit is undefined behaviour; those that fit are looked at.
char *gets(char *to) {
    __robusto_loose();
    int outcome = __robusto_any_int();
    __robusto_assumption("lines that `gets` reads have room in their objects");
    __robusto_size room = __robusto_object_size(to), length = __robusto_any_size();
    if (length >= room) length = 0;
    if (outcome != 0) __robusto_any_bytes(to, length);
    __robusto_read_pushed(to, outcome > 0 ? length : 0, __robusto_stdin());
    if (outcome <= 0) return (char *)0;
    to[length] = 0;
    return to;
}
