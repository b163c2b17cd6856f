int __robusto_errno;

static int digit(int c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'z') return c - 'a' + 10;
    if (c >= 'A' && c <= 'Z') return c - 'A' + 10;
    return 36;
}

// The magnitude of the number that a text begins with. Above `most`, or `least` for a negative one, it is that limit.
static unsigned long long magnitude(const int *s, int **end, int base, int binary, unsigned long long most,
                                    unsigned long long least, int *minus, int *over) {
    const int *start = s;
    unsigned long long value = 0, cut;
    int digits = 0, negative = 0, last;
    *minus = *over = 0;
    if (base < 0 || base == 1 || base > 36) {
        __robusto_errno = 22;
        return 0;
    }
    while (*s == ' ' || (*s >= 9 && *s <= 13)) s++;
    if (*s == '-' || *s == '+') negative = *s++ == '-';
    if ((base == 0 || base == 16) && s[0] == '0' && (s[1] == 'x' || s[1] == 'X') && digit(s[2]) < 16) {
        s += 2;
        base = 16;
    } else if (binary && (base == 0 || base == 2) && s[0] == '0' && (s[1] == 'b' || s[1] == 'B') && digit(s[2]) < 2) {
        s += 2;
        base = 2;
    } else if (base == 0) {
        base = s[0] == '0' ? 8 : 10;
    }
    if (negative) {
        cut = least / base;
        last = least % base;
    } else {
        cut = most / base;
        last = most % base;
    }
    for (;; s++) {
        int d = digit(*s);
        if (d >= base) break;
        digits = 1;
        if (value > cut || (value == cut && d > last))
            *over = 1;
        else
            value = value * base + d;
    }
    if (end != (int **)0) *end = (int *)(digits ? s : start);
    if (*over) {
        __robusto_errno = 34;
        value = negative ? least : most;
    }
    *minus = negative;
    return value;
}

static long long whole(const int *s, int **end, int base, int binary, unsigned long long most) {
    int minus, over;
    unsigned long long value = magnitude(s, end, base, binary, most, most + 1, &minus, &over);
    return minus ? -value : value;
}

static unsigned long long natural(const int *s, int **end, int base, int binary, unsigned long long most) {
    int minus, over;
    unsigned long long value = magnitude(s, end, base, binary, most, most, &minus, &over);
    return minus && !over ? -value : value;
}

long wcstol(const int *s, int **end, int base) {
    return whole(s, end, base, 0, (unsigned long)-1 >> 1);
}
long long wcstoll(const int *s, int **end, int base) {
    return whole(s, end, base, 0, (unsigned long long)-1 >> 1);
}
unsigned long wcstoul(const int *s, int **end, int base) {
    return natural(s, end, base, 0, (unsigned long)-1);
}
unsigned long long wcstoull(const int *s, int **end, int base) {
    return natural(s, end, base, 0, (unsigned long long)-1);
}
long long wcstoimax(const int *s, int **end, int base) {
    return whole(s, end, base, 0, (unsigned long long)-1 >> 1);
}
unsigned long long wcstoumax(const int *s, int **end, int base) {
    return natural(s, end, base, 0, (unsigned long long)-1);
}
long __isoc23_wcstol(const int *s, int **end, int base) {
    return whole(s, end, base, 1, (unsigned long)-1 >> 1);
}
long long __isoc23_wcstoll(const int *s, int **end, int base) {
    return whole(s, end, base, 1, (unsigned long long)-1 >> 1);
}
unsigned long __isoc23_wcstoul(const int *s, int **end, int base) {
    return natural(s, end, base, 1, (unsigned long)-1);
}
unsigned long long __isoc23_wcstoull(const int *s, int **end, int base) {
    return natural(s, end, base, 1, (unsigned long long)-1);
}
