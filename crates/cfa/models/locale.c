static char name[2] = "C";

char *setlocale(int category, const char *locale) {
    if (locale == (const char *)0 || locale[0] == 0 || (locale[0] == 'C' && locale[1] == 0)) return name;
    return __robusto_any_int() ? name : (char *)0;
}
