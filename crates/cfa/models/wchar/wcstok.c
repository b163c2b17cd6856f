static int among(int c, const int *set) {
    for (; *set != 0; set++)
        if (*set == c) return 1;
    return 0;
}

int *wcstok(int *s, const int *set, int **rest) {
    if (s == (int *)0) s = *rest;
    if (s == (int *)0) return (int *)0;
    while (*s != 0 && among(*s, set)) s++;
    if (*s == 0) {
        *rest = (int *)0;
        return (int *)0;
    }
    int *start = s;
    while (*s != 0 && !among(*s, set)) s++;
    if (*s != 0) {
        *s = 0;
        *rest = s + 1;
    } else {
        *rest = (int *)0;
    }
    return start;
}

int *wcsdup(const int *s) {
    __robusto_size length = 0;
    while (s[length] != 0) length++;
    int *new = malloc((length + 1) * sizeof *new);
    if (new == (int *)0) return new;
    __builtin_memcpy(new, s, (length + 1) * sizeof *new);
    return new;
}
