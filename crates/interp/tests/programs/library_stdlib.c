// Functions of <stdlib.h>, <inttypes.h> and <search.h> whose result is defined.
typedef typeof(sizeof 0) size_t;
typedef struct { int quot, rem; } div_t;
typedef struct { long quot, rem; } ldiv_t;
typedef struct { long long quot, rem; } lldiv_t;
int printf(const char *, ...);
int *__errno_location(void);
long strtol(const char *, char **, int);
long long strtoll(const char *, char **, int);
unsigned long long strtoull(const char *, char **, int);
double strtod(const char *, char **);
float strtof(const char *, char **);
double atof(const char *);
int atoi(const char *);
long long atoll(const char *);
div_t div(int, int);
ldiv_t ldiv(long, long);
lldiv_t lldiv(long long, long long);
void qsort(void *, size_t, size_t, int (*)(const void *, const void *));
void qsort_r(void *, size_t, size_t, int (*)(const void *, const void *, void *), void *);
void *bsearch(const void *, const void *, size_t, size_t, int (*)(const void *, const void *));
void *lfind(const void *, const void *, size_t *, size_t, int (*)(const void *, const void *));
void *lsearch(const void *, void *, size_t *, size_t, int (*)(const void *, const void *));
int posix_memalign(void **, size_t, size_t);
void *reallocarray(void *, size_t, size_t);
int mbtowc(int *, const char *, size_t);
size_t mbstowcs(int *, const char *, size_t);
int rand(void);
int atexit(void (*)(void));
int on_exit(void (*)(int, void *), void *);
void exit(int);

static int ints(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static int scaled(const void *a, const void *b, void *by) { return (*(const int *)a - *(const int *)b) * *(int *)by; }

static void number(const char *text, int base) {
    char *end;
    *__errno_location() = 0;
    long long value = strtoll(text, &end, base);
    printf("%lld '%s' %d;", value, end, *__errno_location());
    *__errno_location() = 0;
    unsigned long long natural = strtoull(text, &end, base);
    printf(" %llu '%s' %d\n", natural, end, *__errno_location());
}

static void decimal(const char *text) {
    char *end;
    double value = strtod(text, &end);
    printf("%.17g '%s'", value, end);
    printf(" %.9g\n", strtof(text, &end));
}

static void plain(void) { printf("plain\n"); }
static void with(int status, void *text) { printf("with %d %s\n", status, (char *)text); }
static void nested(void) {
    printf("nested\n");
    atexit(plain);
}

int main(void) {
    number("  -12abc", 10);
    number("+0x1F", 0);
    number("0x", 16);
    number("077", 0);
    number("zz", 36);
    number("", 10);
    number("- 1", 10);
    number("9223372036854775807", 10);
    number("9223372036854775808", 10);
    number("-9223372036854775808", 10);
    number("-9223372036854775809", 10);
    number("18446744073709551616", 10);
    number("-1", 10);
    number("8", 8);
    decimal("3.25");
    decimal("-1e3x");
    decimal(".5");
    decimal("1e");
    decimal("  +7.");
    decimal("inf");
    decimal("-Infinityx");
    decimal("x");
    decimal("0.0");
    decimal("123456.5e-2");
    printf("%g %d %lld\n", atof("2.5"), atoi(" -42z"), atoll("123456789012"));
    div_t d = div(-7, 2);
    ldiv_t l = ldiv(7, -2);
    lldiv_t ll = lldiv(10000000000LL, 3);
    printf("%d %d %ld %ld %lld %lld\n", d.quot, d.rem, l.quot, l.rem, ll.quot, ll.rem);
    int list[8] = {5, 2, 9, 1, 7, 3}, key = 7, missing = 4, minus = -1;
    qsort(list, 6, sizeof *list, ints);
    printf("%d %d %d\n", list[0], list[2], list[5]);
    printf("%d %d\n", (int)((int *)bsearch(&key, list, 6, sizeof *list, ints) - list),
           bsearch(&missing, list, 6, sizeof *list, ints) == 0);
    qsort_r(list, 6, sizeof *list, scaled, &minus);
    printf("%d %d\n", list[0], list[5]);
    size_t count = 6;
    printf("%d", lfind(&missing, list, &count, sizeof *list, ints) == 0);
    lsearch(&missing, list, &count, sizeof *list, ints);
    printf(" %d %d\n", (int)count, list[6]);
    void *block;
    printf("%d %d\n", posix_memalign(&block, 16, 100), posix_memalign(&block, 3, 100));
    int *grown = reallocarray(0, 4, sizeof(int));
    grown[3] = 11;
    grown = reallocarray(grown, 8, sizeof(int));
    int wide[4];
    int one = mbtowc(wide, "A", 1);
    printf("%d %d %d", grown[3], one, wide[0]);
    one = (int)mbstowcs(wide, "xyz", 4);
    printf(" %d %d\n", one, wide[2]);
    int r = rand();
    printf("%d\n", r >= 0);
    atexit(plain);
    on_exit(with, "argument");
    atexit(nested);
    exit(3);
}
