static char name[2] = "C";

// "POSIX" is another name of "C". "" is a locale of the environment, which may not be there.
char *setlocale(int category, const char *locale) {
    if (locale == (const char *)0 || (locale[0] == 'C' && locale[1] == 0)) return name;
    if (__builtin_strcmp(locale, "POSIX") == 0) return name;
    return __robusto_any_int() ? name : (char *)0;
}
