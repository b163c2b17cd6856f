"""The library functions that `scripts/libc-diff` compares, each with the statements of one call on random arguments.

A body is executed once per call. It draws arguments with the functions of PRELUDE and shows the result and the memory that
the function may have touched. `F` in a body of a family is the function's name.
"""

import re

PRELUDE = r"""
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <wchar.h>
#include <wctype.h>

static unsigned long long state = SEED * 0x9e3779b97f4a7c15ull + 1;
static int call;
static unsigned long long draw(void) { state ^= state << 13; state ^= state >> 7; state ^= state << 17; return state; }
static int below(int n) { return (int)(draw() >> 20) & 0x7fffffff ? (int)((draw() >> 33) % n) : 0; }
/* Integers of all sizes, with the borders more often than chance would have it. */
static long long integer(void) {
    static const long long borders[] = {0, 1, -1, 2, 127, 128, 255, 256, -128, 32767, 65536, INT_MAX, INT_MIN, UINT_MAX,
        LLONG_MAX, LLONG_MIN, LLONG_MIN + 1, 10, 100};
    int kind = below(4);
    if (kind == 0) return borders[below(19)];
    if (kind == 1) return below(200) - 100;
    return (long long)draw() >> below(64);
}
static double real(void) {
    static const double borders[] = {0.0, -0.0, 1, -1, 0.5, -0.5, 1.5, -2.5, 3.5, 1e300, -1e-300, 4.9e-324, 2.2250738585072014e-308,
        4503599627370495.5, 9007199254740993.0, 1e19, 0.49999999999999994, INFINITY, -INFINITY, NAN};
    int kind = below(4);
    if (kind == 0) return borders[below(20)];
    if (kind == 1) return (below(2001) - 1000) / 8.0;
    if (kind == 2) return (double)(long long)draw() / 65536;
    unsigned long long bits = draw(); double d; memcpy(&d, &bits, 8); return d;
}
/* Reals that an integer type can hold. */
static double moderate(void) { double d = below(3) ? (below(200001) - 100000) / 16.0 : below(100) - 50 + 0.5; return d; }
/* A string of less than n characters of few letters, and what is behind it filled with a known byte. */
static char *text(char *b, int n) {
    int length = below(n);
    for (int i = 0; i < n; i++) b[i] = i < length ? "abcab,;A"[below(8)] : '#';
    b[length] = 0;
    return b;
}
static char *digits(char *b) {
    int n = 0;
    for (int k = below(3); k > 0; k--) b[n++] = " \t\n"[below(3)];
    if (below(2)) b[n++] = "+-"[below(2)];
    if (below(4) == 0) { b[n++] = '0'; if (below(2)) b[n++] = "xX"[below(2)]; }
    for (int k = below(4) ? below(9) : below(24); k > 0; k--) b[n++] = "0123456789012345aFz"[below(below(3) ? 16 : 19)];
    if (below(4) == 0) b[n++] = "g! -"[below(4)];
    b[n] = 0;
    return b;
}
static wchar_t *wide(wchar_t *b, int n) {
    int length = below(n);
    for (int i = 0; i < n; i++) b[i] = i < length ? L"abcab\x103"[below(6)] : L'#';
    b[length] = 0;
    return b;
}
static void show(long long x) { printf(" %lld", x); }
static void sign(long long x) { printf(" %d", (x > 0) - (x < 0)); }
static void showd(double d) {
    unsigned long long bits;
    memcpy(&bits, &d, 8);
    if (d != d) printf(" nan"); else printf(" %llx", bits);
}
static void showf(float f) {
    unsigned bits;
    memcpy(&bits, &f, 4);
    if (f != f) printf(" nan"); else printf(" %x", bits);
}
static void bytes(const void *b, int n) { for (int i = 0; i < n; i++) printf(" %d", ((const unsigned char *)b)[i]); }
/* Where a pointer leads in an array, or -1. */
static void offset(const void *q, const void *start) { show(q ? (const char *)q - (const char *)start : -1); }
static int ascending(const void *a, const void *b) { int x = *(const int *)a, y = *(const int *)b; return (x > y) - (x < y); }
static int formatted(char *b, size_t n, const char *f, ...) {
    va_list ap; va_start(ap, f); int r = vsnprintf(b, n, f, ap); va_end(ap); return r;
}
"""

# By header: the name of the function, and its body.
FUNCTIONS = {}


def family(header, names, body):
    """Functions with the same parameters."""
    for name in names.split():
        single(header, name, body.replace("F(", f"{name}("))


def single(header, name, body):
    FUNCTIONS[name] = (header, body if "for (" in body else drawn_before(body))


def drawn_before(body):
    """The body with its arguments drawn before it, because C does not say in which order arguments are evaluated."""
    draws = []

    def name(match):
        draws.append(f"__auto_type drawn{len(draws)} = {match.group()};")
        return f"drawn{len(draws) - 1}"

    body = re.sub(r"\b(?:below\(\d+\)|integer\(\)|real\(\)|moderate\(\))", name, body)
    return "\n    ".join([*draws, body])


# string.h
family("string.h", "strlen", "char a[12]; show(F(text(a, 12)));")
family("string.h", "strnlen", "char a[12]; text(a, 12); show(F(a, below(14)));")
family("string.h", "strcmp strcoll strcasecmp", "char a[5], b[5]; text(a, 5); sign(F(a, text(b, 5)));")
family("string.h", "strncmp strncasecmp", "char a[5], b[5]; text(a, 5); text(b, 5); sign(F(a, b, below(6)));")
family("string.h", "memcmp", "char a[5], b[5]; text(a, 5); text(b, 5); sign(F(a, b, below(6)));")
family("string.h", "bcmp", "char a[5], b[5]; text(a, 5); text(b, 5); show(!!F(a, b, below(6)));")
family("string.h", "strcpy", "char a[12], b[12]; text(a, 12); text(b, 8); offset(F(a, b), a); bytes(a, 12);")
family("string.h", "stpcpy", "char a[12], b[12]; text(a, 12); text(b, 8); offset(F(a, b), a); bytes(a, 12);")
family("string.h", "strncpy stpncpy", "char a[12], b[12]; text(a, 12); text(b, 8); offset(F(a, b, below(12)), a); bytes(a, 12);")
family("string.h", "strcat", "char a[24], b[12]; text(a, 24); a[11] = 0; text(b, 12); offset(F(a, b), a); bytes(a, 24);")
family("string.h", "strncat", "char a[24], b[12]; text(a, 24); a[11] = 0; text(b, 12); offset(F(a, b, below(14)), a); bytes(a, 24);")
family("string.h", "strchr strrchr strchrnul index rindex",
       "char a[9]; text(a, 9); offset(F(a, below(8) ? \"abc,\"[below(4)] : below(300)), a);")
family("string.h", "memchr memrchr", "char a[9]; text(a, 9); offset(F(a, \"abc,\"[below(4)] + 256 * below(2), below(10)), a);")
family("string.h", "rawmemchr", "char a[9]; text(a, 9); a[8] = 'b'; offset(F(a, 'b'), a);")
family("string.h", "strspn strcspn", "char a[9], b[4]; text(a, 9); show(F(a, text(b, 4)));")
family("string.h", "strpbrk", "char a[9], b[4]; text(a, 9); offset(F(a, text(b, 4)), a);")
family("string.h", "strstr strcasestr", "char a[12], b[4]; text(a, 12); offset(F(a, text(b, 4)), a);")
family("string.h", "memmem", "char a[12], b[4]; text(a, 12); text(b, 4); offset(F(a, below(13), b, below(4)), a);")
family("string.h", "memcpy mempcpy",
       "char a[12], b[12]; text(a, 12); text(b, 12); int n = below(9); offset(F(a + below(4), b + below(4), n), a); bytes(a, 12);")
family("string.h", "memmove", "char a[16]; for (int i = 0; i < 16; i++) a[i] = i; int i = below(8), k = below(8); offset(F(a + i, a + k, below(9)), a); "
                              "bytes(a, 16);")
family("string.h", "bcopy", "char a[16]; for (int i = 0; i < 16; i++) a[i] = i; int i = below(8), k = below(8); F(a + i, a + k, below(9)); bytes(a, 16);")
family("string.h", "memset", "char a[12]; text(a, 12); offset(F(a + below(4), below(600) - 300, below(9)), a); bytes(a, 12);")
family("string.h", "bzero explicit_bzero", "char a[12]; text(a, 12); F(a + below(4), below(9)); bytes(a, 12);")
family("string.h", "memccpy", "char a[12], b[12]; text(a, 12); text(b, 12); offset(F(a, b, \"abc\"[below(3)], below(12)), a); bytes(a, 12);")
family("string.h", "memfrob", "char a[12]; text(a, 12); F(a, below(12)); bytes(a, 12);")
family("string.h", "strdup", "char a[12]; char *q = F(text(a, 12)); bytes(q, strlen(a) + 1); free(q);")
family("string.h", "strndup", "char a[12]; char *q = F(text(a, 12), below(12)); bytes(q, strlen(q) + 1); free(q);")
family("string.h", "strtok", "char a[14]; text(a, 14); for (char *t = F(a, \",;\"); t; t = F(0, below(3) ? \",;\" : \"a\")) offset(t, a); "
                             "bytes(a, 14);")
family("string.h", "strtok_r", "char a[14], *s; text(a, 14); for (char *t = F(a, \",;\", &s); t; t = F(0, \",;b\", &s)) offset(t, a); "
                               "bytes(a, 14);")
family("string.h", "strsep", "char a[14], *s = a; text(a, 14); for (char *t; (t = F(&s, \",;\")); ) offset(t, a); bytes(a, 14);")
family("string.h", "strxfrm", "char a[12], b[12]; text(a, 12); text(b, 8); show(F(a, b, 12)); bytes(a, 8 > strlen(b) ? strlen(b) : 8);")
family("string.h", "strverscmp", "char a[5], b[5]; text(a, 5); sign(F(a, text(b, 5)));")
family("string.h", "swab", "char a[8], b[8]; text(a, 8); memset(b, 1, 8); void F(const void *, void *, ssize_t); F(a, b, below(9)); bytes(b, 8);")

# strings.h
family("strings.h", "ffs ffsl ffsll", "show(F(integer()));")

# stdlib.h
family("stdlib.h", "abs", "int x = integer(); show(x == INT_MIN ? 0 : F(x));")
family("stdlib.h", "labs llabs imaxabs", "long long x = integer(); show(x == LLONG_MIN ? 0 : F(x));")
family("stdlib.h", "div", "int x = integer() / 2, y = integer(); if (y == 0) y = 3; div_t d = F(x, y); show(d.quot); show(d.rem);")
family("stdlib.h", "ldiv", "long x = integer() / 2, y = integer(); if (y == 0) y = 3; ldiv_t d = F(x, y); show(d.quot); show(d.rem);")
family("stdlib.h", "lldiv", "long long x = integer() / 2, y = integer(); if (y == 0) y = 3; lldiv_t d = F(x, y); show(d.quot); show(d.rem);")
family("inttypes.h", "imaxdiv", "long long x = integer() / 2, y = integer(); if (y == 0) y = 3; imaxdiv_t d = F(x, y); show(d.quot); "
                                "show(d.rem);")
family("stdlib.h", "atoi atol atoll", "char a[40]; digits(a); if (strlen(a) > 9) a[9] = 0; show(F(a));")
family("stdlib.h", "strtol strtoul strtoll strtoull strtoimax strtoumax",
       "char a[40], *e; digits(a); static const int bases[] = {0, 2, 8, 10, 16, 36}; show(F(a, &e, bases[below(6)])); offset(e, a); "
       "show(F(a, 0, 10));")
single("stdlib.h", "strtol errno", "char a[40], *e; digits(a); errno = 0; show(strtol(a, &e, 0)); show(errno);")
family("stdlib.h", "strtod", "static const char *const n[] = {\"1.5\", \"-0.25e1\", \"0x1p3\", \" 7.\", \".5x\", \"abc\", \"inf\", \"-nan\", "
                             "\"1e\", \"12345678\", \"\", \"+3e-2\"}; const char *s = n[call % 12]; char *e; showd(F(s, &e)); offset(e, s);")
family("stdlib.h", "strtof", "static const char *const n[] = {\"1.5\", \"-0.25e1\", \"0x1p3\", \" 7.\", \".5x\", \"abc\", \"inf\", "
                             "\"16777217\"}; const char *s = n[call % 8]; char *e; showf(F(s, &e)); offset(e, s);")
family("stdlib.h", "atof", "static const char *const n[] = {\"1.5\", \"-0.25e1\", \" 7.\", \".5x\", \"abc\", \"1000000\"}; showd(F(n[call % 6]));")
family("stdlib.h", "qsort", "int a[9], n = below(10); for (int i = 0; i < 9; i++) a[i] = below(20); F(a, n, sizeof *a, ascending); bytes(a, 36);")
family("stdlib.h", "bsearch", "int a[9], n = below(10), k = below(20); for (int i = 0; i < 9; i++) a[i] = i * 2 + below(2); "
                              "offset(F(&k, a, n, sizeof *a, ascending), a);")
family("stdlib.h", "malloc", "int *q = F(sizeof *q * 3); for (int i = 0; i < 3; i++) q[i] = i + call; show(q[2]); free(q);")
family("stdlib.h", "calloc", "int n = 1 + below(9); char *q = F(n, 3); bytes(q, n * 3); free(q);")
family("stdlib.h", "realloc", "int n = 1 + below(9); char *q = malloc(n); memset(q, call, n); q = F(q, n + below(9)); bytes(q, n); free(q);")
family("stdlib.h", "reallocarray", "char *q = malloc(2); q[0] = q[1] = call; q = F(q, 2, 3); bytes(q, 2); free(q);")
family("stdlib.h", "aligned_alloc", "char *q = F(32, 64); show((uintptr_t)q % 32); q[63] = 1; show(q[63]); free(q);")
family("stdlib.h", "posix_memalign", "void *q = 0; show(F(&q, 64, 10)); show((uintptr_t)q % 64); free(q);")
family("stdlib.h", "mblen", "show(F(\"abc\" + below(4), 1 + below(2)));")
family("stdlib.h", "a64l", "char a[3] = {\"./09AZaz\"[below(8)], \"./09AZaz\"[below(8)], 0}; show(F(a));")

# ctype.h
family("ctype.h", "isalnum isalpha isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper isxdigit isascii",
       "for (int c = -1; c < 256; c++) show(!!F(c));")
family("ctype.h", "tolower toupper toascii", "for (int c = -1; c < 256; c++) show(F(c));")

# math.h
family("math.h", "fabs floor ceil trunc round rint nearbyint sqrt", "showd(F(real()));")
family("math.h", "fabsf floorf ceilf truncf roundf rintf nearbyintf sqrtf", "showf(F((float)real()));")
# Of two zeros either may be the smaller one.
family("math.h", "fmin fmax", "double x = real(), y = real(); showd(x == 0 && y == 0 ? 0 : F(x, y));")
family("math.h", "fminf fmaxf", "float x = (float)real(), y = (float)real(); showf(x == 0 && y == 0 ? 0 : F(x, y));")
family("math.h", "fmod copysign fdim nextafter remainder drem",
       "double x = real(), y = real(); showd(F(x, y));")
family("math.h", "fmodf copysignf fdimf nextafterf remainderf", "float x = (float)real(), y = (float)real(); showf(F(x, y));")
family("math.h", "lround lrint llround llrint", "show(F(moderate()));")
family("math.h", "lroundf lrintf llroundf llrintf", "show(F((float)moderate()));")
family("math.h", "frexp", "double x = real(); int e = 0; double m = F(x, &e); showd(m); show(isfinite(x) ? e : 0);")
family("math.h", "frexpf", "float x = real(); int e = 0; float m = F(x, &e); showf(m); show(isfinite(x) ? e : 0);")
family("math.h", "modf", "double w; showd(F(real(), &w)); showd(w);")
family("math.h", "modff", "float w; showf(F((float)real(), &w)); showf(w);")
family("math.h", "ldexp scalbn", "double x = real(); showd(F(x, below(2200) - 1100));")
family("math.h", "scalbln", "double x = real(); showd(F(x, (long)below(80) - 40));")
family("math.h", "ldexpf scalbnf", "float x = real(); showf(F(x, below(300) - 150));")
family("math.h", "ilogb", "double x = real(); show(x == 0 || !isfinite(x) ? 0 : F(x));")
family("math.h", "logb", "showd(F(real()));")
family("math.h", "fma", "double x = below(2000) / 8.0, y = below(2000) - 500, z = moderate(); showd(F(x, y, z));")
family("math.h", "nan", "showd(F(\"\"));")
family("math.h", "isnan isinf isfinite isnormal signbit", "double x = real(); show(!!F(x)); show(!!F((float)x));")
family("math.h", "fpclassify", "double x = real(); show(F(x)); show(F((float)x));")
family("math.h", "isgreater isgreaterequal isless islessequal islessgreater isunordered",
       "double x = real(), y = below(3) ? real() : x; show(!!F(x, y));")
family("math.h", "__builtin_isinf_sign", "show(F(real()));")
family("math.h", "finite", "show(!!F(real()));")

# wchar.h
family("wchar.h", "wcslen", "wchar_t a[9]; show(F(wide(a, 9)));")
family("wchar.h", "wcscmp wcscoll", "wchar_t a[5], b[5]; wide(a, 5); sign(F(a, wide(b, 5)));")
family("wchar.h", "wcsncmp wmemcmp", "wchar_t a[5], b[5]; wide(a, 5); wide(b, 5); sign(F(a, b, below(6)));")
family("wchar.h", "wcschr wcsrchr", "wchar_t a[9]; wide(a, 9); offset(F(a, L\"abz\"[below(4)]), a);")
family("wchar.h", "wcscpy", "wchar_t a[9], b[9]; wide(a, 9); offset(F(a, wide(b, 9)), a); bytes(a, 36);")
family("wchar.h", "wcsncpy wmemcpy wmemmove", "wchar_t a[9], b[9]; wide(a, 9); wide(b, 9); offset(F(a, b, below(10)), a); bytes(a, 36);")
family("wchar.h", "wcscat", "wchar_t a[18], b[9]; wide(a, 18); a[8] = 0; offset(F(a, wide(b, 9)), a); bytes(a, 72);")
family("wchar.h", "wmemset", "wchar_t a[9]; wide(a, 9); offset(F(a + below(3), 300, below(6)), a); bytes(a, 36);")
family("wchar.h", "wmemchr", "wchar_t a[9]; wide(a, 9); offset(F(a, L'b', below(10)), a);")
family("wchar.h", "wcsspn wcscspn", "wchar_t a[9], b[4]; wide(a, 9); show(F(a, wide(b, 4)));")
family("wchar.h", "wcsstr wcspbrk", "wchar_t a[9], b[4]; wide(a, 9); offset(F(a, wide(b, 4)), a);")
family("wchar.h", "wcstol wcstoul", "static const wchar_t *const n[] = {L\"12\", L\" -7x\", L\"0x1f\", L\"\", L\"zz\"}; wchar_t *e; "
                                    "const wchar_t *s = n[call % 5]; show(F(s, &e, 0)); offset(e, s);")
family("wctype.h", "iswalpha iswdigit iswalnum iswspace iswupper iswlower iswpunct", "for (int c = -1; c < 128; c++) show(!!F(c));")
family("wctype.h", "towupper towlower", "for (int c = 0; c < 128; c++) show(F(c));")

# stdio.h
FORMATS = {
    "d": ("%d", "(int)integer()"), "flags": ("%+d|% d|%-6d|%06d|%6d", "(int)integer(), call, call, call - 50, -call"),
    "precision": ("%.3d|%8.4d|%-8.2d|%.0d", "call, -call, (int)integer(), call % 2"), "u": ("%u|%5u", "(unsigned)integer(), call"),
    "x": ("%x|%X|%#x|%08x", "(unsigned)integer(), call * 77, call, call"), "o": ("%o|%#o", "(unsigned)integer(), call"),
    "lengths": ("%hhd|%hd|%ld|%lld|%zu|%jd|%td", "(int)integer(), (int)integer(), (long)integer(), integer(), (size_t)call, "
                "(intmax_t)integer(), (ptrdiff_t)-call"),
    "unsigned lengths": ("%hhu|%hu|%lu|%llx", "(int)integer(), (int)integer(), (long)integer(), integer()"),
    "c": ("%c|%3c|%-3c|", "'a' + call % 26, 'x', 'y'"), "s": ("%s|%6s|%-6s|%.2s|%6.3s", "s, s, s, s, s"),
    "star": ("%*d|%.*s|%-*d|", "call % 8 - 2, call, call % 5, s, call % 4, 7"), "percent": ("%d%%%s", "call, \"!\""),
    "i": ("%i|%3i", "(int)integer(), call"), "f": ("%f|%.2f|%8.1f|%-8.0f|%+.3f", "moderate(), moderate(), moderate(), moderate(), 0.5"),
    "e": ("%e|%.2E", "moderate(), moderate()"), "g": ("%g|%.3g|%#g|%G", "moderate(), moderate(), moderate(), 1e20"),
    "a": ("%a", "moderate()"), "special": ("%f|%5g|%F", "INFINITY, -INFINITY, 0.0"), "null pointer": ("%p", "(void *)0"),
    "n": ("ab%dc%n|%d", "(int)integer(), &count, call"), "positions": ("%2$d %1$s", "s, call"),
    "wide": ("%ls|%lc", "L\"wide\", L'q'"), "literal": ("text %%", "0"),
}
for _name, (_format, _arguments) in FORMATS.items():
    single("stdio.h", f"snprintf {_name}", f'char b[80], s[9]; int count = -1; memset(b, 1, 80); text(s, 9); '
           f'show(snprintf(b, below(3) ? 80 : below(20), "{_format}", {_arguments})); bytes(b, 80); show(count);')
single("stdio.h", "sprintf", 'char b[80], s[9]; memset(b, 1, 80); text(s, 9); show(sprintf(b, "%d-%s-%x", (int)integer(), s, call)); bytes(b, 80);')
single("stdio.h", "vsnprintf", 'char b[40]; memset(b, 1, 40); show(formatted(b, below(40), "%d %c", (int)integer(), 65)); bytes(b, 40);')
single("stdio.h", "asprintf", 'char *q; show(asprintf(&q, "%d", (int)integer())); show(strlen(q)); free(q);')
single("stdio.h", "printf result", 'show(printf("%d%s", (int)integer(), "x"));')
single("stdio.h", "putchar puts", 'show(putchar(65 + call % 26)); show(puts("line") >= 0); show(fputs("x", stdout) >= 0); show(putc(66, stdout));')
single("stdio.h", "fprintf", 'show(fprintf(stdout, "%5d|%s", (int)integer(), "x"));')
SCANS = {
    "d": ('"%d%d"', "&i, &k"), "x": ('"%x%n"', "(unsigned *)&i, &k"), "i": ('"%i"', "&i"), "ld": ('"%ld%*d%d"', "&l, &i"),
    "width": ('"%2d%3d"', "&i, &k"), "hh": ('"%hhd %hd"', "(signed char *)&i, (short *)&k"), "u": ('"%u,%u"', "(unsigned *)&i, (unsigned *)&k"),
}
for _name, (_format, _arguments) in SCANS.items():
    single("stdio.h", f"sscanf {_name}", 'char a[80]; int i = -7, k = -8; long l = -9; digits(a); if (strlen(a) > 8) a[8] = 0; strcat(a, " 12,34"); '
           f"show(sscanf(a, {_format}, {_arguments})); show(i); show(k); show(l);")
single("stdio.h", "sscanf s", 'char a[14], b[16] = "zz", c[16] = "yy"; text(a, 14); show(sscanf(a, "%3s%s", b, c)); bytes(b, 4); bytes(c, 2);')
single("stdio.h", "sscanf set", 'char a[14], b[16] = "zz", c = 1; text(a, 14); show(sscanf(a, "%4[abc]%c", b, &c)); bytes(b, 5); show(c);')
single("stdio.h", "sscanf not set", 'char a[14], b[16] = "zz", c[9] = "q"; text(a, 14); show(sscanf(a, "%[^,],%2c", b, c)); bytes(b, 3); bytes(c, 2);')
single("stdio.h", "sscanf floats", 'double d = 1; float f = 2; static const char *const n[] = {"1.5 2", "-.25e1 x", "7,", "0x1p2 1e1"}; '
       'show(sscanf(n[call % 4], "%lf %f", &d, &f)); showd(d); showf(f);')

# time.h, in universal time
single("time.h", "gmtime", "time_t t = integer() % 100000000000; struct tm *m = gmtime(&t); show(m->tm_year); show(m->tm_mon); show(m->tm_mday); "
       "show(m->tm_hour); show(m->tm_min); show(m->tm_sec); show(m->tm_wday); show(m->tm_yday);")
single("time.h", "gmtime_r timegm", "time_t t = integer() % 10000000000; struct tm m; gmtime_r(&t, &m); show(m.tm_year); show(timegm(&m) == t);")
single("time.h", "difftime", "showd(difftime(integer() % 1000000, integer() % 1000000));")

# Builtins
family("builtin", "__builtin_clz __builtin_ctz", "unsigned x = integer(); show(x ? F(x) : 0);")
family("builtin", "__builtin_clzl __builtin_ctzl __builtin_clzll __builtin_ctzll", "unsigned long long x = integer(); show(x ? F(x) : 0);")
family("builtin", "__builtin_popcount __builtin_popcountl __builtin_popcountll __builtin_parity __builtin_parityl __builtin_parityll "
                  "__builtin_ffs __builtin_ffsl __builtin_ffsll __builtin_clrsb __builtin_clrsbl __builtin_clrsbll "
                  "__builtin_bswap16 __builtin_bswap32 __builtin_bswap64", "show(F(integer()));")
for _op in ("add", "sub", "mul"):
    for _type, _prefix, _suffix in (("int", "s", ""), ("long", "s", "l"), ("long long", "s", "ll"), ("unsigned", "u", ""),
                                    ("unsigned long", "u", "l"), ("unsigned long long", "u", "ll")):
        single("builtin", f"__builtin_{_prefix}{_op}{_suffix}_overflow",
               f"{_type} r = 0; show(__builtin_{_prefix}{_op}{_suffix}_overflow(integer(), integer(), &r)); show(r);")
    _types = ("signed char", "unsigned char", "short", "unsigned", "int", "long long", "unsigned long long")
    single("builtin", f"__builtin_{_op}_overflow", " ".join(
        f"{{ {one} x = integer(); {other} y = integer(); {result} r = 0; show(__builtin_{_op}_overflow(x, y, &r)); show(r); "
        f"show(__builtin_{_op}_overflow_p(x, y, ({result})0)); }}"
        for one, other, result in zip(_types, _types[2:] + _types[:2], _types[3:] + _types[:3])))
    single("builtin", f"__builtin_{_op}_overflow 128", f"__int128 x = (__int128)integer() << below(64), y = integer(), r = 0; "
           f"show(__builtin_{_op}_overflow(x, y, &r)); show((long long)r); show((long long)(r >> 64));")
for _op in ("add", "sub", "and", "or", "xor", "nand"):
    for _type in ("unsigned char", "int", "unsigned long"):
        _short = _type.split()[-1]
        single("builtin", f"__atomic_fetch_{_op} {_short}", f"{_type} x = integer(), y = integer() / 4; x /= 4; show(__atomic_fetch_{_op}(&x, y, 5)); "
               f"show(x); show(__atomic_{_op}_fetch(&x, (({_type})1), 5)); show(x);")
    single("builtin", f"__sync_fetch_and_{_op}", f"int x = integer() / 4 % 1000000, y = below(1000); show(__sync_fetch_and_{_op}(&x, y)); show(x); "
           f"show(__sync_{_op}_and_fetch(&x, y)); show(x);")
single("builtin", "__atomic_compare_exchange_n", "short x = below(3), e = below(3); show(__atomic_compare_exchange_n(&x, &e, 9, 0, 5, 5)); show(x); show(e);")
single("builtin", "__atomic_compare_exchange", "long x = below(3), e = below(3), w = 7; show(__atomic_compare_exchange(&x, &e, &w, 0, 5, 5)); show(x); show(e);")
single("builtin", "__atomic_exchange", "int x = integer(), y = integer(), z = 0; __atomic_exchange(&x, &y, &z, 5); show(x); show(y); show(z); show(__atomic_exchange_n(&x, 3, 5));")
single("builtin", "__atomic_load __atomic_store", "long x = integer(), y = 0, z = integer(); __atomic_load(&x, &y, 5); __atomic_store(&x, &z, 5); show(x); show(y); "
       "__atomic_store_n(&x, 4, 5); show(__atomic_load_n(&x, 5));")
single("builtin", "__sync_compare_and_swap", "int x = below(2); show(__sync_bool_compare_and_swap(&x, 1, 5)); show(__sync_val_compare_and_swap(&x, 5, 6)); show(x);")
single("builtin", "__atomic_test_and_set", "_Bool b = below(2); show(__atomic_test_and_set(&b, 5)); show(b); __atomic_clear(&b, 5); show(b);")
single("builtin", "__sync_lock", "int b = below(9); show(__sync_lock_test_and_set(&b, 3)); show(b); __sync_lock_release(&b); show(b);")
single("stdatomic.h", "atomic_int", "_Atomic int x = below(99); show(atomic_fetch_add(&x, 3)); x -= 2; x ^= 5; show(x++); show(atomic_exchange(&x, 4)); "
       "int e = 4; show(atomic_compare_exchange_strong(&x, &e, 8)); show(atomic_load(&x)); atomic_fetch_or(&x, 3); show(x);")
single("stdatomic.h", "atomic_flag", "static atomic_flag f = ATOMIC_FLAG_INIT; show(atomic_flag_test_and_set(&f)); if (below(2)) atomic_flag_clear(&f);")

# Calls of functions whose body takes all arguments there are.
CALLS = {"ctype.h": 1, "wctype.h": 1}
