// Functions with variable arguments: all promoted types, structs, va_copy, passing a va_list on.
int printf(const char *, ...);
int vprintf(const char *, __builtin_va_list);
int vsnprintf(char *, typeof(sizeof 0), const char *, __builtin_va_list);

struct pair { int a, b; };
struct big { long long v[5]; };

static int sum(int n, ...) {
    __builtin_va_list ap;
    int s = 0;
    __builtin_va_start(ap, n);
    while (n--) s += __builtin_va_arg(ap, int);
    __builtin_va_end(ap);
    return s;
}

static double mixed(const char *kinds, ...) {
    __builtin_va_list ap;
    double r = 0;
    __builtin_va_start(ap, kinds);
    for (; *kinds; kinds++)
        switch (*kinds) {
        case 'i': r += __builtin_va_arg(ap, int); break;
        case 'l': r += __builtin_va_arg(ap, long); break;
        case 'q': r += __builtin_va_arg(ap, long long); break;
        case 'u': r += __builtin_va_arg(ap, unsigned); break;
        case 'd': r += __builtin_va_arg(ap, double); break;
        case 's': r += *__builtin_va_arg(ap, const char *); break;
        case 'p': { struct pair p = __builtin_va_arg(ap, struct pair); r += p.a * 10 + p.b; break; }
        case 'b': { struct big b = __builtin_va_arg(ap, struct big); r += b.v[4]; break; }
        case 'f': r += __builtin_va_arg(ap, int (*)(int, ...))(2, 5, 6); break;
        }
    __builtin_va_end(ap);
    return r;
}

static void say(const char *format, ...) {
    __builtin_va_list ap;
    __builtin_va_start(ap, format);
    vprintf(format, ap);
    __builtin_va_end(ap);
}

static void both(const char *format, ...) {
    __builtin_va_list ap, copy;
    char buffer[40];
    __builtin_va_start(ap, format);
    __builtin_va_copy(copy, ap);
    int n = vsnprintf(buffer, sizeof buffer, format, ap);
    printf("[%s] %d ", buffer, n);
    vprintf(format, copy);
    __builtin_va_end(copy);
    __builtin_va_end(ap);
    printf("\n");
}

static int forward(int n, __builtin_va_list ap) { int s = 0; while (n--) s = s * 10 + __builtin_va_arg(ap, int); return s; }
static int outer(int n, ...) { __builtin_va_list ap; __builtin_va_start(ap, n); int r = forward(n, ap); __builtin_va_end(ap); return r; }

int main(void) {
    printf("%d %d %d\n", sum(0), sum(1, 5), sum(5, 1, 2, 3, 4, 5));
    char c = -3; short sh = 300; float f = 1.5f; unsigned char uc = 200; _Bool b = 1;
    printf("%g\n", mixed("iiidi", c, sh, uc, f, b));
    printf("%g\n", mixed("lqusp", -5L, 1LL << 33, 4000000000u, "A", (struct pair){3, 4}));
    printf("%g\n", mixed("ibidf", 1, (struct big){{0, 0, 0, 0, 77}}, 2, 0.25, sum));
    say("%d %s %c %g %lld %x\n", -1, "text", 'z', 2.5, 123456789012345LL, 255);
    both("%5d|%-5s|%.2f", 42, "ab", 3.14159);
    printf("%d\n", outer(4, 1, 2, 3, 4));
    int (*p)(int, ...) = sum;
    printf("%d\n", p(2, 30, 12));
    return 0;
}
