int __robusto_errno;

static int letter(char c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; }

static int begins(const char *s, const char *word) {
    int i = 0;
    while (word[i] != 0 && letter(s[i]) == word[i]) i++;
    return word[i] == 0 ? i : 0;
}

static int hex(char c) { return (c >= '0' && c <= '9') || (letter(c) >= 'a' && letter(c) <= 'f'); }

// Reads a number: its digits while they are few, and the power of ten. Gives 0 for none, 1 for a finite number, 2 for an
// infinite one, 3 for what is no number, 4 for digits that are too many here.
static int scan(const char *s, char **end, unsigned long long *digits, int *power, int *minus, int few) {
    const char *start = s;
    int kind = 1, any = 0, count = 0, length;
    *digits = 0;
    *power = 0;
    while (*s == ' ' || (*s >= 9 && *s <= 13)) s++;
    *minus = *s == '-';
    if (*s == '-' || *s == '+') s++;
    if ((length = begins(s, "infinity")) != 0 || (length = begins(s, "inf")) != 0) {
        if (end != (char **)0) *end = (char *)(s + length);
        return 2;
    }
    if (begins(s, "nan")) {
        s += 3;
        if (*s == '(') {
            const char *close = s + 1;
            while (hex(*close) || (letter(*close) >= 'a' && letter(*close) <= 'z') || *close == '_') close++;
            if (*close == ')') s = close + 1;
        }
        if (end != (char **)0) *end = (char *)s;
        return 3;
    }
    if (s[0] == '0' && letter(s[1]) == 'x' && (hex(s[2]) || (s[2] == '.' && hex(s[3])))) {
        s += 2;
        while (hex(*s)) s++;
        if (*s == '.') s++;
        while (hex(*s)) s++;
        if (letter(*s) == 'p') {
            const char *exponent = s + 1;
            if (*exponent == '-' || *exponent == '+') exponent++;
            if (*exponent >= '0' && *exponent <= '9') {
                while (*exponent >= '0' && *exponent <= '9') exponent++;
                s = exponent;
            }
        }
        if (end != (char **)0) *end = (char *)s;
        return 4;
    }
    for (int point = 0;; s++) {
        if (*s == '.' && !point) {
            point = 1;
            continue;
        }
        if (*s < '0' || *s > '9') break;
        any = 1;
        if (point) --*power;
        if (count > 0 || *s != '0') {
            if (++count > few) kind = 4;
            else *digits = *digits * 10 + (*s - '0');
        }
    }
    if (!any) {
        if (end != (char **)0) *end = (char *)start;
        return 0;
    }
    if (letter(*s) == 'e') {
        const char *exponent = s + 1;
        int negative = *exponent == '-', value = 0;
        if (*exponent == '-' || *exponent == '+') exponent++;
        if (*exponent >= '0' && *exponent <= '9') {
            for (; *exponent >= '0' && *exponent <= '9'; exponent++)
                if (value < 100000) value = value * 10 + (*exponent - '0');
            s = exponent;
            *power += negative ? -value : value;
        }
    }
    if (end != (char **)0) *end = (char *)s;
    return kind;
}

// Both the digits and the power of ten are exact, so one operation rounds once (Clinger, PLDI 1990, section 4).
static double number(const char *s, char **end) {
    unsigned long long digits;
    int power, minus, kind = scan(s, end, &digits, &power, &minus, 15);
    double value;
    if (kind == 0) return 0;
    if (kind == 2) value = __builtin_inf();
    else if (kind == 3) value = __builtin_nan("");
    else if (kind == 1 && (digits == 0 || (power >= -22 && power <= 22))) {
        double scale = 1;
        int n = digits == 0 ? 0 : power < 0 ? -power : power;
        while (n-- > 0) scale *= 10;
        value = power < 0 ? (double)digits / scale : (double)digits * scale;
    } else if (kind == 1 && (power > 308 || power <= -339)) {
        // At least 1e309, or less than half of the smallest number.
        value = power > 0 ? __builtin_inf() : 0;
        __robusto_errno = 34;
    } else {
        value = __robusto_unmodelled_double();
        if (__robusto_unmodelled_int()) __robusto_errno = 34;
    }
    return minus ? -value : value;
}

double strtod(const char *s, char **end) { return number(s, end); }
double atof(const char *s) { return number(s, (char **)0); }

float strtof(const char *s, char **end) {
    unsigned long long digits;
    int power, minus, kind = scan(s, end, &digits, &power, &minus, 7);
    float value;
    if (kind == 0) return 0;
    if (kind == 2) value = __builtin_inff();
    else if (kind == 3) value = __builtin_nanf("");
    else if (kind == 1 && (digits == 0 || (power >= -10 && power <= 10))) {
        float scale = 1;
        int n = digits == 0 ? 0 : power < 0 ? -power : power;
        while (n-- > 0) scale *= 10;
        value = power < 0 ? (float)digits / scale : (float)digits * scale;
    } else if (kind == 1 && (power > 38 || power <= -53)) {
        value = power > 0 ? __builtin_inff() : 0;
        __robusto_errno = 34;
    } else {
        value = __robusto_unmodelled_float();
        if (__robusto_unmodelled_int()) __robusto_errno = 34;
    }
    return minus ? -value : value;
}
