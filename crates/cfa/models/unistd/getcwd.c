static char *any_path(char *to, __robusto_size size) {
    if (__robusto_any_int() == 0) return (char *)0;
    __robusto_size length = __robusto_any_size();
    if (length >= size) length = size - 1;
    __robusto_any_bytes(to, length);
    to[length] = 0;
    return to;
}

char *getcwd(char *to, __robusto_size size) {
    if (to == (char *)0) return any_path(malloc(size == 0 ? 4096 : size), size == 0 ? 4096 : size);
    return size == 0 ? (char *)0 : any_path(to, size);
}
char *getwd(char *to) { return any_path(to, 4096); }
char *get_current_dir_name(void) { return any_path(malloc(4096), 4096); }
