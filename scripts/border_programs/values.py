"""Features: types, objects and their representation."""

from .program import feature


@feature(3)
def floating(p):
    p.body("""
double d = $a;
float f = $b;
OUT(d * 4 + f * 8);
OUT((int)(d * $c) * 10 + (int)-f);
OUT((d < f) + 2 * (d == f) + 4 * (d != d) + 8 * (f >= $c));
OUT((unsigned char)(int)(f + 100) + (long long)(d * 1048576));
double z = 0.0, inf = 1 / z, n = inf - inf;
OUT((n == n) + 2 * (inf > 1e300) + 4 * (-z == z) + 8 * !(n < 1) + 16 * (1 / -z < 0));
f += 1; d -= f; f++;
OUT(d * 16 + f * 16);
OUT((float)16777217 == 16777216.0f);
OUT((0.1f == 0.1) * 2 + (0.5f == 0.5));
OUT((long long)1e15 + (int)1e9f);
_Bool t = $b;
OUT(t);
""", a=p.pick("1.5", "-2.25", "1024.0", "0.125", "3"), b=p.pick("0.5f", "-1.25f", "7", "2.75f"), c=p.small(1, 7))


@feature()
def float_sums(p):
    p.body("""
float a[] = {$a}, s = 0;
double d = 0;
for (int i = 0; i < 3; i++) { s += a[i] * 0.5f; d = d * $m + a[i]; }
OUT(s * 64);
OUT(d * 16);
OUT((double)s < d);
unsigned bits;
memcpy(&bits, &s, sizeof bits);
OUT(bits);
unsigned long long u = (unsigned long long)1 << 63;
OUT((double)u == 9223372036854775808.0);
OUT((long long)((double)u / 4096));
""", a=", ".join(p.pick("1.5f", "0.25f", "-3.0f", "10.0f", "0.75f") for _ in range(3)), m=p.pick("2", "0.5", "-1"))


@feature(3)
def unions(p):
    p.top("""
union pun$f {
    unsigned u; float f; unsigned char b[8]; unsigned short s[4]; unsigned long long l;
    struct { unsigned low : $w; unsigned high : 7; } bits;
};
""", w=p.rng.randint(3, 20))
    p.body("""
union pun$f x = {.l = 0x1122334455667788}, y;
x.b[$i] = $v;
OUT(x.u);
MIX(x.s[1] * 3 + x.bits.low + x.bits.high);
x.f = $float;
OUT(x.u);
OUT(x.l % 100003);
y = x;
y.bits.high = $v;
OUT(y.l % 100003);
OUT(((union pun$f){.s = {[1] = 3}}).u);
""", i=p.small(0, 7), v=p.small(0, 99), float=p.pick("1.0f", "-2.5f", "0"))


@feature(3)
def punning(p):
    p.body("""
unsigned long long w = 0x0102030405060708;
unsigned char *b = (unsigned char *)&w, c[8];
b[$i] ^= $v;
OUT(w % 1000003);
memcpy(c, &w, sizeof c);
for (int i = 0; i < 8; i += $step) MIX(c[i]);
short s;
memcpy(&s, b + $i, 2);
OUT(s);
double d = $d;
unsigned long long r;
memcpy(&r, &d, 8);
OUT(r >> 40);
int n = -$v;
signed char *sc = (signed char *)&n;
OUT(sc[0] * 10 + sc[3]);
""", i=p.small(0, 6), v=p.small(1, 200), step=p.rng.randint(1, 3), d=p.pick("1.0", "-0.5", "1e100"))


@feature(4)
def bit_fields(p):
    fields, total = [], 0
    for i in range(4):
        base = p.pick("unsigned", "signed int", "unsigned char", "short", "unsigned long long", "_Bool", "long long")
        widest = {"unsigned char": 8, "short": 16, "_Bool": 1, "unsigned long long": 50, "long long": 50}.get(base, 31)
        width = p.rng.randint(1, widest)
        fields.append(f"{base} {'xyzw'[i]} : {width};")
        if p.rng.random() < 0.15:
            fields.append(f"{p.pick('int : 0;', 'char : 3;', 'char k' + str(i) + ';')}")
        total += width
    p.top("struct bits$f { $fields }$attribute;\nstatic struct bits$f global$f = {1, $n};\n",
          fields=" ".join(fields), attribute=p.pick("", " __attribute__((packed))", " __attribute__((packed, aligned(4)))"),
          n=p.rng.randint(0, 1))
    p.body("""
struct bits$f s = global$f;
s.y = $a; s.z = -1; s.x += $b; s.w = s.z ^ $c;
OUT(s.x); OUT(s.y); OUT(s.z); OUT(s.w);
OUT(sizeof s);
OUT(s.y++ + 0LL);
OUT(--s.z + 0LL);
OUT((s.x = $c) + 0LL);
OUT((s.x < 0) + 2 * (s.z > -1) + 4 * (s.y - 1 < 0));
unsigned char raw[sizeof s];
memset(&s, $d, sizeof s);
s.y = 1;
memcpy(raw, &s, sizeof s);
for (unsigned i = 0; i < sizeof s; i++) MIX(raw[i]);
global$f.w = 1;
OUT(global$f.w);
""", a=p.small(0, 300), b=p.small(), c=p.small(0, 100), d=p.pick("0", "255"))


@feature(3)
def initialisers(p):
    p.top("""
struct item$f { int a; char b[4]; struct { short c, d; }; };
static struct item$f all$f[] = {[2] = {.b = "xyz", .c = $x}, [0].a = $y, [1] = {.b[1] = 'q', .d = 3}};
static const char *const names$f[] = {[1] = "one", "two", [0] = "zero"};
enum { LOW$f = -2, NEXT$f, HIGH$f = $y, LAST$f };
static int grid$f[][3] = {{1}, {2, 3}, [3][1] = $x};
static char open$f[] = "ab\\0c", tight$f[2] = "de";
""", x=p.rng.randint(0, 99), y=p.rng.randint(0, 99))
    p.body("""
OUT(sizeof all$f / sizeof *all$f);
for (unsigned i = 0; i < sizeof all$f / sizeof *all$f; i++) MIX(all$f[i].a + all$f[i].b[1] + all$f[i].c * 3 + all$f[i].d);
OUT(names$f[2][1] + names$f[0][0]);
OUT(LOW$f + NEXT$f + LAST$f);
OUT(sizeof grid$f + grid$f[3][1] + grid$f[1][1]);
OUT(sizeof open$f * 1000 + tight$f[1] + open$f[3]);
int local[4] = {[1] = $x, 5}, *q = (int[]){7, $y, [4] = 2};
OUT(local[2] + local[3] + q[1] + q[4]);
struct item$f copy = all$f[2];
copy.b[0] = 'k';
OUT(all$f[2].b[0] - copy.b[0]);
OUT((*&(struct item$f){.d = $x}).d);
""", x=p.small(), y=p.small())


@feature()
def flexible(p):
    p.top("struct tail$f { unsigned char n; $type items[]; };\n", type=p.pick("char", "int", "short", "long"))
    p.body("""
struct tail$f *t = malloc(sizeof *t + $n * sizeof t->items[0]);
t->n = $n;
for (int i = 0; i < t->n; i++) t->items[i] = i * $m;
OUT(sizeof *t + offsetof(struct tail$f, items));
for (int i = 0; i < t->n; i++) MIX(t->items[i]);
free(t);
""", n=p.small(1, 5), m=p.small())


@feature(3)
def variable_arrays(p):
    p.top("""
static int sum$f(int n, int m, int a[n][m]) {
    int s = 0;
    for (int i = 0; i < n; i++) for (int k = 0; k < m; k++) s = s * 2 + a[i][k];
    return s % 10007 + (int)sizeof a[0];
}
""")
    p.body("""
int n = $n, m = 2;
int a[n][m], (*q)[m] = a;
for (int i = 0; i < n; i++) for (int k = 0; k < m; k++) a[i][k] = i + k * $x;
OUT(sum$f(n, m, a));
OUT(sizeof a + sizeof(char[n + 1]));
OUT(q[n - 1][1] + (q + 1 - a));
size_t before = sizeof(int[n++]);
OUT(before * 100 + n);
for (int r = 1; r < 4; r++) { char b[r]; b[r - 1] = r; MIX(sizeof b + b[r - 1]); }
typedef short row[m];
m = 9;
OUT(sizeof(row));
""", n=p.small(1, 4), x=p.small())


@feature(3)
def integers(p):
    p.body("""
unsigned char u = $a; signed char s = (signed char)$a; short h = $b; unsigned short uh = -1; long long l = -$b;
OUT(u + s);
OUT((u << 8 | 1) - h);
OUT((h > uh) + 2 * (-1 > 1u) + 4 * (l < 1u) + 8 * (s == u));
OUT((unsigned)s % 1000 + -$b / 3 * 10 + -$b % 3);
OUT((short)($a * 1000) + (signed char)($b * 7));
u += 200; h >>= 1; uh *= 2; s = -s;
OUT(u + h + uh + s);
OUT(~u + !h + -l);
OUT((_Bool)$a + (_Bool)0.5 + (_Bool)256);
OUT(sizeof(u + u) + sizeof(char) * 10 + sizeof('a') * 100);
OUT(0x80000000 / 2 + 0xffffffff % 7 + 'a' + '\\377');
OUT((1 ? -1 : 0u) > 0);
OUT(l >> 2);
int k = $a;
k ^= k << 3, k |= 1, k &= 0xfff, k %= 1000;
OUT(k);
""", a=p.small(1, 250), b=p.small(1, 3000))


@feature()
def wide_integers(p):
    p.body("""
unsigned __int128 a = (unsigned __int128)$x << 100 | $y, b;
__int128 s = -$y;
OUT((long long)(a >> 96) + (long long)a);
b = a * $x + 3;
OUT((unsigned long long)(b % 1000003));
OUT((long long)(s / 3 * 10 + s % 3));
OUT((s < 0) + 2 * (a > b) + 4 * ((unsigned __int128)s > a));
OUT((long long)((s >> 4) + (s * 8)));
OUT(sizeof a + (unsigned)(double)(a >> 90));
unsigned long long m = ~0ull;
OUT((long long)((unsigned __int128)m * m >> 64));
""", x=p.small(1, 99), y=p.small(1, 9999))


@feature(3)
def pointers(p):
    p.top("struct pair$f { int a, b; char c[3]; };\nstatic int swap$f(int *x, int *y) { int t = *x; *x = *y; *y = t; return t; }\n")
    p.body("""
int a[6] = {$numbers}, *q = a + $i, **qq = &q;
struct pair$f s = {1, $x, "ab"}, *sp = &s;
++**qq;
OUT(*q + q[-1] + (a + 6 - q));
*qq += 1;
int was = swap$f(q, &a[0]);
OUT(was * 10 + a[0]);
OUT((q > a) + 2 * (q == &a[$i + 1]) + 4 * !q);
char *c = (char *)sp + offsetof(struct pair$f, c);
OUT(c[1] + *(int *)((char *)&s + sizeof(int)));
int (*row)[3] = (int (*)[3])a;
OUT(row[1][$k] + (*row)[2] + sizeof *row);
struct pair$f *other = (struct pair$f *)(c - offsetof(struct pair$f, c));
OUT(other == sp && other->b == $x2 + 0 * sp->a);
const void *v = &sp->b;
OUT(*(const int *)v);
uintptr_t u = (uintptr_t)q;
OUT(*(int *)(u + sizeof(int)) + 2[a]);
OUT("hello"[$k] + *("xyz" + $k));
""", numbers=p.numbers(6), i=p.rng.randint(1, 3), x=(x := p.rng.randint(1, 50)), x2=x, k=p.small(0, 2))


@feature()
def layout(p):
    p.top("""
struct lay$f { $t1 a; $t2 b; $t3 c; };
struct nest$f { char x; struct lay$f in; union { $t2 u; char v[9]; }; };
""", t1=p.pick("char", "short", "int"), t2=p.pick("long", "double", "char", "int *"), t3=p.pick("char", "short", "float"))
    p.body("""
OUT(sizeof(struct lay$f) * 100 + offsetof(struct lay$f, b) * 10 + offsetof(struct lay$f, c));
OUT(sizeof(struct nest$f) * 100 + offsetof(struct nest$f, in.c) + offsetof(struct nest$f, v));
OUT(_Alignof(struct nest$f) * 100 + _Alignof(double) + sizeof(long double) + sizeof(wchar_t));
struct nest$f n = {0}, m;
n.in.c = $x; n.v[0] = 4;
m = n;
OUT(m.in.c * 10 + m.v[0]);
OUT(((uintptr_t)&n.in.b) % _Alignof($t) == 0);
""", x=p.small(), t=p.pick("char", "short"))


@feature()
def extended(p):
    p.body("""
long double x = $a, y = x * $b;
OUT(y * 4);
OUT((x < y) + 2 * (x == (double)x));
OUT((int)(y + 0.5L) + (long long)(x * 1024));
OUT(1 + 1e-18L $compare 1);
""", a=p.pick("1.5", "2", "-0.25"), b=p.small(1, 9), compare=p.pick(">", "==", "<"))


@feature()
def volatile_objects(p):
    p.top("static volatile int flag$f = $x;\n", x=p.rng.randint(0, 9))
    p.body("""
volatile unsigned char v = $y;
const volatile int *q = &flag$f;
v += 250;
flag$f = flag$f * 2 + v;
OUT(*q + v);
for (volatile int i = 0; i < 3; i++) MIX(i);
""", y=p.small())
