static int among(char c, const char *set) {
    for (; *set != 0; set++)
        if (*set == c) return 1;
    return 0;
}

static char *token(char *s, const char *set, char **rest) {
    if (s == (char *)0) s = *rest;
    if (s == (char *)0) return (char *)0;
    while (*s != 0 && among(*s, set)) s++;
    if (*s == 0) {
        *rest = s;
        return (char *)0;
    }
    char *start = s;
    while (*s != 0 && !among(*s, set)) s++;
    if (*s != 0) *s++ = 0;
    *rest = s;
    return start;
}

static char *saved;

char *strtok(char *s, const char *set) { return token(s, set, &saved); }
char *strtok_r(char *s, const char *set, char **rest) { return token(s, set, rest); }

char *strsep(char **at, const char *set) {
    char *start = *at, *s = start;
    if (s == (char *)0) return (char *)0;
    while (*s != 0 && !among(*s, set)) s++;
    if (*s != 0) {
        *s = 0;
        *at = s + 1;
    } else {
        *at = (char *)0;
    }
    return start;
}
