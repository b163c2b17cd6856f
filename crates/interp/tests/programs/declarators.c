// Complex declarators, old-style definitions, flexible array members, escapes, long literals, implicit conversions.
typedef typeof(sizeof 0) size_t;
int printf(const char *, ...);
void *malloc(size_t);
void free(void *);

int old(a, b, c) int a; char b; double c; { return a + b + (int)c; }
static int (*(*fpp)(int))(int, int);
static int plus(int a, int b) { return a + b; }
static int (*choose(int n))(int, int) { return n ? plus : 0; }
static char (*rows(char (*m)[4]))[4] { return m + 1; }
static int sum_ptrs(int *(*const arr)[3]) { int s = 0; for (int i = 0; i < 3; i++) s += *(*arr)[i]; return s; }
struct flex { int n; short data[]; };
struct list { struct list *next; union { int i; float f; } u; unsigned flag : 1; };
extern int unused_external;
static const volatile unsigned long long int weird = 0xFFFFFFFFFFFFFFFFuLL;
int long unsigned mixed_order = 7;
_Bool flag = 5 > 3;
static int array_param(int a[static 2], int const b[], int (c)(int, int)) { return a[1] + b[0] + c(1, 2); }
static void nothing(void) {}
static void (*volatile vf)(void) = nothing;

int main(void) {
    printf("%d\n", old(1, 2, 3.9));
    fpp = choose;
    printf("%d\n", fpp(1)(3, 4));
    char m[2][4] = {"abc", "def"};
    printf("%s\n", *rows(m));
    int x = 1, y = 2, z = 3;
    int *ptrs[3] = {&x, &y, &z};
    printf("%d\n", sum_ptrs(&ptrs));
    struct flex *f = malloc(sizeof *f + 5 * sizeof(short));
    f->n = 5;
    for (int i = 0; i < f->n; i++) f->data[i] = i * i;
    printf("%d %d\n", f->data[4], (int)sizeof *f);
    free(f);
    struct list l = {0, {.f = 1.0f}, 1}, l2 = {&l, {5}};
    printf("%x %d %d\n", l2.next->u.i, l2.next->flag, l2.u.i);
    printf("%llu %lu %d\n", weird, mixed_order, flag);
    printf("%d\n", array_param((int[]){1, 2}, &x, plus));
    vf();
    printf("%d %d %d %d %d %d\n", '\a', '\x7f', '\101', '\\', '\'', '\?');
    printf("%s|%d\n", "tab\there \"quoted\" \\ \061", (int)sizeof "a\0b");
    printf("%lld %llu %d\n", 0x7fffffffffffffffLL, 01777777777777777777777ULL, 'A' == 65);
    printf("%g %g %g %g\n", 1e3, .5, 0x1p4, 1.5e-3f);
    int (*parr)[3] = &(int[3]){4, 5, 6};
    printf("%d %d\n", (*parr)[1], (int)sizeof *parr);
    char c = 0x41;
    c = c + 1.9;
    printf("%c %d\n", c, c > 65.5);
    int *p = 0;
    if (!p && (p = &x)) printf("%d\n", *p);
    unsigned char uc = -1;
    unsigned u = uc;
    short s = (short)u << 8;
    printf("%u %d\n", u, s);
    long l3 = -1;
    unsigned int ui = l3;
    printf("%u\n", ui);
    const char *const msgs[][2] = {{"a", "b"}, {"c", "d"}};
    printf("%s%s\n", msgs[1][0], msgs[0][1]);
    size_t n = sizeof(struct { char a; int b; }[3]);
    printf("%d\n", (int)n);
    int a2[2][2] = {1, 2, 3, 4}, (*pa)[2] = a2;
    printf("%d %d\n", pa[1][0], *pa[0]);
    for (int i = 0, *q = &i; *q < 3; ++*q) printf("%d", i);
    printf("\n");
    if ((x = 5, y = x * 2) > 9) printf("%d %d\n", x, y);
    return 0;
}
