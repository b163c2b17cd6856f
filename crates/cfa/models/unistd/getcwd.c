static char *any_path_of(char *to, __robusto_size size) {
    __robusto_size length = __robusto_any_size();
    if (length >= size) length = size - 1;
    __robusto_any_bytes(to, length);
    to[length] = 0;
    return to;
}
// If it fails, the buffer may hold anything.
static char *any_path(char *to, __robusto_size size) {
    if (__robusto_any_int() >= 0) return any_path_of(to, size);
    __robusto_any_bytes(to, size);
    return (char *)0;
}

// What was allocated is given out only if there is a path.
static char *any_new_path(__robusto_size size) {
    char *new = __robusto_any_int() < 0 ? (char *)0 : malloc(size);
    return new == (char *)0 ? new : any_path_of(new, size);
}

char *getcwd(char *to, __robusto_size size) {
    if (to == (char *)0) return any_new_path(size == 0 ? 4096 : size);
    return size == 0 ? (char *)0 : any_path(to, size);
}
char *getwd(char *to) { return any_path(to, 4096); }
char *get_current_dir_name(void) { return any_new_path(4096); }
