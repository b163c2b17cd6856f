static long long number(const char *s) {
    long long value = 0;
    int negative = 0;
    while (*s == ' ' || (*s >= 9 && *s <= 13)) s++;
    if (*s == '-' || *s == '+') negative = *s++ == '-';
    while (*s >= '0' && *s <= '9') value = value * 10 + (*s++ - '0');
    return negative ? -value : value;
}

int atoi(const char *s) { return (int)number(s); }
long atol(const char *s) { return (long)number(s); }
long long atoll(const char *s) { return number(s); }
