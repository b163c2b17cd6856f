// 128-bit integers.
int printf(const char *, ...);
typedef __int128 i128;
typedef unsigned __int128 u128;

static void show(const char *name, u128 v) { printf("%s %016llx%016llx\n", name, (unsigned long long)(v >> 64), (unsigned long long)v); }
static u128 mul(u128 a, u128 b) { return a * b; }
static i128 global = -5;
struct s { char c; i128 v; };

static void decimal(u128 v) {
    char buf[50], *p = buf + 49;
    *p = 0;
    do *--p = '0' + (int)(v % 10); while (v /= 10);
    printf("%s\n", p);
}

int main(void) {
    u128 a = ((u128)0x0123456789abcdefULL << 64) | 0xfedcba9876543210ULL;
    i128 n = -((i128)1 << 100);
    show("a", a);
    show("n", n);
    show("add", a + n);
    show("sub", a - 1 - n);
    show("mul", mul(a, 0x10001));
    show("div", a / 12345);
    show("rem", a % 12345);
    show("sdiv", n / 7);
    show("srem", n % 1000003);
    show("shl", a << 77);
    show("shr", a >> 77);
    show("sar", n >> 90);
    show("and", a & ~(u128)0xff);
    show("xor", a ^ n);
    show("neg", -a);
    show("not", ~a);
    printf("%d %d %d %d %d\n", a > (u128)n, n < 0, n == n + 0, (i128)a >= n, a != 0);
    show("global", global);
    global *= global;
    show("square", global);
    struct s s = {1, a};
    s.v++;
    show("field", s.v);
    printf("%d\n", (int)sizeof s);
    printf("%g %g\n", (double)a, (double)n);
    show("from double", (u128)1e30);
    show("from negative", (i128)-1e30);
    printf("%d %lld %d\n", (int)a, (long long)(n >> 60), (_Bool)(a << 127));
    decimal(~(u128)0);
    decimal(a);
    u128 f = 1;
    for (int i = 1; i <= 30; i++) f *= i;
    decimal(f);
    i128 arr[3] = {1, -1, n};
    i128 t = 0;
    for (int i = 0; i < 3; i++) t += arr[i] * (i + 1);
    show("sum", t);
    show("ternary", n < 0 ? (u128)1 : a);
    return 0;
}
