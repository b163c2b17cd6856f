// GNU extensions: statement expressions, typeof, ?: without the middle, case ranges, __builtin functions, attributes.
int printf(const char *, ...);

static int calls;
static int next(void) { return ++calls; }
static int zero(void) { calls++; return 0; }
static inline __attribute__((always_inline)) int twice(int x) { return 2 * x; }
static int __attribute__((noinline, unused)) plain(int x __attribute__((unused))) { return 1; }

int main(void) {
    printf("%d\n", ({ typeof(3) a = 3; typeof(a) b = 7; a > b ? a : b; }));
    int i = 5;
    int m = ({ typeof(i++) a = (i++), b = 2; a > b ? a : b; });
    printf("%d %d\n", m, i);
    int a = 1, b = 2;
    do { __typeof__(a) t = (a); (a) = (b); (b) = t; } while (0);
    printf("%d %d\n", a, b);
    int v = ({ int s = 0; for (int k = 0; k < 5; k++) s += k; s; });
    printf("%d\n", v);
    printf("%d ", next() ?: 9);
    printf("%d ", zero() ?: 9);
    printf("%d\n", calls);
    typeof(int *) p = &a;
    typeof(*p) c = *p + 1;
    printf("%d %d\n", c, twice(c) + plain(0));
    printf("%d %d\n", __builtin_expect(a == 2, 1), __builtin_constant_p(3) >= 0);
    int r = ({ if (a > 0) goto out; 5; });
    printf("not here %d\n", r);
out:
    printf("%d\n", ({ struct { int x, y; } q = {3, 4}; q; }).y);
    unsigned long long big = 1ull << 40;
    printf("%d %d %d\n", __builtin_types_compatible_p(int, long), _Generic(big, unsigned long long: 1, default: 2), _Generic('a', char: 1, int: 2));
    _Static_assert(sizeof(int) == 4, "int");
    __extension__ long long e = 3;
    printf("%lld\n", e);
    int nested = ({ int x = ({ int y = 3; y * 2; }); x + ({ x; }); });
    printf("%d\n", nested);
    const char *f = __func__;
    printf("%s %s\n", f, __FUNCTION__);
    for (int k = 0; k < 3; k++) printf("%d", ({ if (k == 1) continue; k; }));
    printf("\n");
    return 0;
}
