double strtod(const char *, char **);

static int space(char c) { return c == ' ' || (c >= 9 && c <= 13); }

static int digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return 16;
}

// A whole number of at most `width` characters; null if there is none.
static const char *whole(const char *s, int base, unsigned width, unsigned long long *value) {
    int negative = 0, digits = 0;
    *value = 0;
    if (*s == '-' || *s == '+') {
        negative = *s++ == '-';
        width--;
    }
    if ((base == 0 || base == 16) && width > 1 && s[0] == '0' && (s[1] == 'x' || s[1] == 'X')) {
        if (width == 2 || digit(s[2]) == 16) __robusto_unsupported("`0x` without digits for `sscanf`");
        s += 2;
        width -= 2;
        base = 16;
    }
    if (base == 0) base = s[0] == '0' ? 8 : 10;
    for (; width > 0 && digit(*s) < base; s++, width--) {
        *value = *value * base + digit(*s);
        digits = 1;
    }
    if (negative) *value = -*value;
    return digits ? s : (const char *)0;
}

static void store(void *to, int size, unsigned long long value) {
    if (size == 1) *(unsigned char *)to = value;
    else if (size == 2) *(unsigned short *)to = value;
    else if (size == 4) *(unsigned *)to = value;
    else *(unsigned long long *)to = value;
}

// Whether a set, which begins behind `[`, has a character.
static int among(char c, const char *set, const char *end) {
    int outside = *set == '^';
    if (outside) set++;
    for (const char *at = set; at < end; at++) {
        if (*at == c) return !outside;
        if (at + 2 < end && at[1] == '-') {
            if ((unsigned char)*at <= (unsigned char)c && (unsigned char)c <= (unsigned char)at[2]) return !outside;
            at += 2;
        }
    }
    return outside;
}

static int scan(const char *text, const char *format, __builtin_va_list list) {
    const char *s = text;
    int count = 0;
    for (; *format != 0; format++) {
        if (space(*format)) {
            while (space(*s)) s++;
            continue;
        }
        if (*format != '%' || format[1] == '%') {
            if (*format == '%') {
                format++;
                while (space(*s)) s++;
            }
            if (*s == 0) return count == 0 ? -1 : count;
            if (*s++ != *format) return count;
            continue;
        }
        format++;
        int silent = *format == '*', size = 4, base = 10;
        unsigned width = 0;
        if (silent) format++;
        while (*format >= '0' && *format <= '9') width = width * 10 + (*format++ - '0');
        int limited = width > 0;
        if (!limited) width = 0xffffffff;
        for (;; format++) {
            if (*format == 'h') size /= 2;
            else if (*format == 'l') size = size == 4 ? sizeof(long) + (sizeof(long) == 4) : 8;
            else if (*format == 'q' || *format == 'j' || *format == 'L') size = 8;
            else if (*format == 'z' || *format == 't') size = sizeof(__robusto_size);
            else break;
        }
        int wide = size != 4;
        if (*format != 'c' && *format != '[' && *format != 'n')
            while (space(*s)) s++;
        if (*format != 'n' && *s == 0) return count == 0 ? -1 : count;
        if (*format == 'n') {
            if (size == 5) size = 4;
            if (!silent) store(__builtin_va_arg(list, void *), size, s - text);
            continue;
        }
        if (*format == 'c' || *format == 's' || *format == '[') {
            if (wide) __robusto_unsupported("wide characters for `sscanf`");
            const char *set = format + 1, *end = set;
            if (*format == '[') {
                if (*end == '^') end++;
                if (*end == ']') end++;
                while (*end != ']' && *end != 0) end++;
            } else if (*format == 'c' && !limited) {
                width = 1;
            }
            char *to = silent ? (char *)0 : __builtin_va_arg(list, char *);
            unsigned length = 0;
            for (; length < width && *s != 0; length++, s++) {
                if (*format == 's' && space(*s)) break;
                if (*format == '[' && !among(*s, set, end)) break;
                if (!silent) to[length] = *s;
            }
            if (length == 0) return count;
            if (!silent && *format != 'c') to[length] = 0;
            if (*format == '[') format = end;
        } else if (*format == 'd' || *format == 'i' || *format == 'u' || *format == 'x' || *format == 'X' ||
                   *format == 'o' || *format == 'p') {
            unsigned long long value;
            if (*format == 'i') base = 0;
            if (*format == 'x' || *format == 'X' || *format == 'p') base = 16;
            if (*format == 'o') base = 8;
            if (*format == 'p') size = sizeof(void *);
            if (size == 5) size = 4;
            s = whole(s, base, width, &value);
            if (s == (const char *)0) return count;
            if (!silent) store(__builtin_va_arg(list, void *), size, value);
        } else if (*format == 'e' || *format == 'f' || *format == 'g' || *format == 'a' || *format == 'E' ||
                   *format == 'F' || *format == 'G' || *format == 'A') {
            char *end;
            double value = strtod(s, &end);
            if (limited || format[-1] == 'L' || *end == 'e' || *end == 'E')
                __robusto_unsupported("this conversion of `sscanf`");
            if (end == s) return count;
            s = end;
            if (silent) continue;
            if (format[-1] == 'l') *__builtin_va_arg(list, double *) = value;
            else *__builtin_va_arg(list, float *) = (float)value;
        } else {
            __robusto_unsupported("this conversion of `sscanf`");
        }
        if (!silent) count++;
    }
    return count;
}

int sscanf(const char *text, const char *format, ...) {
    __builtin_va_list list;
    __builtin_va_start(list, format);
    int count = scan(text, format, list);
    __builtin_va_end(list);
    return count;
}

int vsscanf(const char *text, const char *format, __builtin_va_list list) { return scan(text, format, list); }
