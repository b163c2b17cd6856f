static char dot[2] = ".";

char *basename(const char *path) {
    const char *last = path;
    for (; *path != 0; path++)
        if (*path == '/') last = path + 1;
    return (char *)last;
}

char *__xpg_basename(char *path) {
    if (path == (char *)0 || *path == 0) return dot;
    __robusto_size end = 0;
    while (path[end] != 0) end++;
    while (end > 1 && path[end - 1] == '/') path[--end] = 0;
    while (end > 0 && path[end - 1] != '/') end--;
    return path[end] == 0 ? path : path + end;
}

char *dirname(char *path) {
    if (path == (char *)0 || *path == 0) return dot;
    __robusto_size end = 0;
    while (path[end] != 0) end++;
    while (end > 1 && path[end - 1] == '/') end--;
    while (end > 0 && path[end - 1] != '/') end--;
    if (end == 0) return dot;
    while (end > 1 && path[end - 1] == '/') end--;
    // Exactly two slashes at the beginning stay as they are.
    if (end == 1 && path[0] == '/' && path[1] == '/' && path[2] != '/') end = 2;
    path[end] = 0;
    return path;
}
