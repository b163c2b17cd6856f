char *fgets(char *to, int size, void *stream) {
    if (size <= 0 || __robusto_any_int() == 0) return (char *)0;
    __robusto_size length = __robusto_any_size();
    if (length == 0) length = 1;
    if (length > (__robusto_size)size - 1) length = (__robusto_size)size - 1;
    __robusto_any_bytes(to, length);
    to[length] = 0;
    return to;
}

__robusto_size __robusto_object_size(const void *);

// A line that does not fit is undefined behaviour; those that fit are looked at.
char *gets(char *to) {
    if (__robusto_any_int() == 0) return (char *)0;
    __robusto_assumption("lines that `gets` reads have room in their objects");
    __robusto_size room = __robusto_object_size(to), length = __robusto_any_size();
    if (length >= room) length = 0;
    __robusto_any_bytes(to, length);
    to[length] = 0;
    return to;
}
