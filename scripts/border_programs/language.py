"""Features: control and functions of ISO C."""

from .program import feature


@feature(3)
def function_tables(p):
    p.top("""
static int one$f(int x) { return $e1; }
static int two$f(int x) { return $e2; }
static int (*const table$f[])(int) = {$table};
struct ops$f { int pad; int (*run)(int); struct ops$f *next; };
static int twice$f(int (*g)(int), int x) { return g(g(x)); }
static int (*choose$f(int k))(int) { return k ? one$f : two$f; }
""", e1=p.expression(["x"]), e2=p.expression(["x"]), table=p.pick("one$f, two$f", "two$f, one$f", "&one$f, *one$f"))
    p.body("""
struct ops$f last = {0, two$f, 0}, first = {.run = one$f, .next = &last};
int x = $x;
for (int i = 0; i < 2; i++) MIX(table$f[i](x + i));
OUT(twice$f(x > $y ? one$f : two$f, x));
OUT(choose$f(x & 1)(x));
for (struct ops$f *o = &first; o; o = o->next) MIX(o->run(o->pad + x));
void *raw = (void *)one$f;
OUT(((int (*)(int))raw)(3) == (**one$f)(3));
""", x=p.small(), y=p.small())


@feature(3)
def variadic(p):
    p.top("""
static long sum$f(int n, ...) {
    va_list ap, copy;
    long s = 0;
    va_start(ap, n);
    va_copy(copy, ap);
    while (n-- > 0) s = s * 3 + va_arg(ap, int);
    s += va_arg(copy, int);
    va_end(copy);
    va_end(ap);
    return s;
}
static long take$f(const char *f, va_list ap) {
    long s = 0;
    for (; *f; f++) switch (*f) {
        case 'i': s += va_arg(ap, int); break;
        case 'l': s += va_arg(ap, long long) % 1000; break;
        case 'd': s += va_arg(ap, double) * 4; break;
        case 's': s += strlen(va_arg(ap, char *)); break;
        case 'c': s -= va_arg(ap, int); break;
    }
    return s;
}
static long mixed$f(const char *f, ...) {
    va_list ap;
    va_start(ap, f);
    long s = take$f(f, ap);
    va_end(ap);
    return s;
}
""")
    kinds = {"i": p.small(), "l": "5000000001LL", "d": p.pick("2.5", "0.25f"), "s": f'"{p.word()}"', "c": "(char)'A'"}
    order = [p.pick(*kinds) for _ in range(p.rng.randint(1, 5))]
    p.body("""
OUT(sum$f($count, $numbers));
OUT(mixed$f("$format", $arguments));
""", count=p.rng.randint(0, 3), numbers=p.numbers(4), format="".join(order), arguments=", ".join(kinds[k] for k in order))


@feature()
def variadic_structs(p):
    p.top("""
struct point$f { $type x, y; };
static int total$f(int n, ...) {
    va_list ap;
    int s = 0;
    va_start(ap, n);
    for (int i = 0; i < n; i++) {
        struct point$f q = va_arg(ap, struct point$f);
        s = s * 10 + q.x - q.y;
    }
    va_end(ap);
    return s;
}
static void print$f(char *b, const char *f, ...) {
    va_list ap;
    va_start(ap, f);
    vsnprintf(b, 8, f, ap);
    va_end(ap);
}
""", type=p.pick("int", "char", "long", "double"))
    p.body("""
struct point$f a = {$x, 2}, b = {3, $y};
char text[8];
OUT(total$f(2, a, b));
print$f(text, "%d%c", $x, 'k');
OUT(text[0] * 256 + text[1]);
""", x=p.small(), y=p.small())


@feature(3)
def jumps(p):
    p.body("""
int i = 0, s = 0;
if ($skip) goto middle;
again:
s += i;
{
    int hidden = 5;
middle:
    hidden = i;
    s = s * 2 + hidden;
}
if (++i < $n) goto again;
for (int k = 0; k < 3; k++)
    for (int m = 0; m < 3; m++) {
        if (k * m == $break) goto out;
        s++;
    }
out:
OUT(s);
OUT(i);
""", skip=p.small(0, 1), n=p.small(1, 5), **{"break": p.small(0, 4)})


@feature(3)
def switches(p):
    cases = []
    for value in p.rng.sample(range(8), 4):
        cases.append(f"    case {value}: s += {p.expression(['i', 's'], 1)};{p.pick(' break;', '', ' continue;')}")
    cases.insert(p.rng.randint(0, 4), f"    default: s ^= {p.rng.randint(1, 30)};{p.pick(' break;', '')}")
    p.body("""
unsigned s = $start;
for (int i = 0; i < 8; i++) {
    switch (i) {
$cases
    }
    s += 1;
}
OUT(s);
switch ((unsigned char)$wide) { case 1: OUT(1); break; case 44: OUT(2); }
""", start=p.small(), cases="\n".join(cases), wide=p.pick("300", "257", "1", "-1"))


@feature()
def duff(p):
    p.body("""
char from[] = "$word", to[16] = {0}, *a = to;
const char *b = from;
int count = $n, rounds = (count + 3) / 4;
switch (count % 4) {
    case 0: do { *a++ = *b++;
    case 3:      *a++ = *b++;
    case 2:      *a++ = *b++;
    case 1:      *a++ = *b++;
            } while (--rounds > 0);
}
for (int i = 0; i < 10; i++) MIX(to[i]);
switch ($k) { int x; case 1: x = 4; if (0) { case 2: x = 9; } OUT(x); }
""", word=p.word(9, 9), n=p.small(1, 9), k=p.small(1, 2))


@feature()
def recursion(p):
    p.top("""
static int odd$f(unsigned n);
static int even$f(unsigned n) { return n == 0 ? 1 : odd$f(n - 1); }
static int odd$f(unsigned n) { return n == 0 ? 0 : even$f(n - 1); }
static unsigned ack$f(unsigned m, unsigned n) {
    return m == 0 ? n + 1 : n == 0 ? ack$f(m - 1, 1) : ack$f(m - 1, ack$f(m, n - 1));
}
static unsigned tree$f(unsigned n, unsigned *visits) {
    ++*visits;
    unsigned here = $e;
    return n < 2 ? here : tree$f(n - 1, visits) + tree$f(n - 2, visits) * 3;
}
""", e=p.expression(["n"]))
    p.body("""
unsigned visits = 0;
OUT(even$f($n) * 10 + odd$f(3));
OUT(ack$f(1, $m));
OUT(tree$f($k, &visits));
OUT(visits);
""", n=p.small(0, 6), m=p.small(0, 3), k=p.small(0, 4))


@feature(3)
def static_locals(p):
    p.top("""
static int next$f(void) { static int n = $start; return n++; }
static int *cell$f(int i) { static int cells[3] = {1, $x}; return &cells[i]; }
int shared$f;
static int *const alias$f = &shared$f;
""", start=p.rng.randint(0, 9), x=p.rng.randint(0, 9))
    p.body("""
for (int i = 0; i < $n; i++) next$f();
OUT(next$f());
*cell$f(2) += *cell$f(1);
++*cell$f(2);
OUT(*cell$f(2) * 10 + *cell$f(0));
{ extern int shared$f; shared$f = $y; }
int shared$f = 1;
OUT(*alias$f + shared$f);
""", n=p.small(0, 4), y=p.small())


@feature(3)
def commuting(p):
    """Unsequenced side effects on different objects: one outcome, whatever the order."""
    p.top("""
static int left$f, right$f, trail$f;
static int l$f(int x) { left$f += x; return left$f; }
static int r$f(int x) { right$f = right$f * 3 + x; return right$f; }
static int add$f(int a, int b, int c) { return a * 100 + b * 10 + c; }
static int count$f(void) { trail$f++; return 1; }
""")
    p.body("""
int a[4] = {$numbers}, i = 1, *q = a;
OUT(l$f($x) $op r$f($y));
OUT(add$f(l$f(1), r$f(2), i++));
OUT(count$f() + count$f() * 2);
OUT(trail$f);
a[i] = *q++ + l$f($x);
OUT(a[2] + (q - a) + (left$f ^ right$f));
OUT((l$f(1), r$f(1)) + (i = 3));
OUT(a[r$f(0) & 3] + l$f(2));
""", numbers=p.numbers(4), x=p.small(), y=p.small(), op=p.pick("+", "*", "-", "|", "<"))


@feature()
def sequenced(p):
    """Side effects that C orders."""
    p.top("""
static int trace$f;
static int t$f(int digit, int result) { trace$f = (trace$f * 10 + digit) % 1000000; return result; }
""")
    p.body("""
int x = $x;
OUT((t$f(1, $a) && t$f(2, $b)) || t$f(3, 0));
OUT(trace$f);
OUT((t$f(4, $a) ? t$f(5, 1) : t$f(6, 2), t$f(7, 3)));
OUT(trace$f);
int y = x++ && x > $b ? x-- : --x;
OUT(x * 10 + y);
for (t$f(8, 0); t$f(9, x-- > 0); t$f(1, 0)) if (x == 2) continue;
OUT(trace$f);
do { if (x == -3) break; x--; } while (t$f(2, x > -5));
OUT(x + trace$f);
""", x=p.small(1, 3), a=p.small(0, 1), b=p.small(0, 1))


@feature()
def selection_by_type(p):
    p.top("""
#define KIND$f(e) _Generic((e), char: 1, int: 2, unsigned: 3, long: 4, double: 5, float: 6, char *: 7, const char *: 8, \\
    int *: 9, default: 10)
""")
    p.body("""
const int c = 1; char ch = 2; short sh = 3; float fl = 1; unsigned char uc = 4;
OUT(KIND$f($e) * 100 + KIND$f($g));
OUT(KIND$f(c) * 100 + KIND$f(ch));
OUT(KIND$f(sh + ch) * 100 + KIND$f(uc));
OUT(KIND$f(1 ? fl : 2) * 100 + KIND$f((const char *)"s"));
_Static_assert(_Generic(0u, unsigned: 1, default: 0), "unsigned");
""", e=p.pick("1L", "'a'", "1u + 1", "2.0f * 2", "\"s\"", "&sh"), g=p.pick("ch", "+ch", "1 ? 1 : 1u", "(float)1", "&c"))


@feature()
def by_value(p):
    p.top("""
struct big$f { int a[$n]; struct { char c; long l; } in; };
static struct big$f change$f(struct big$f b, int x) { b.a[1] += x; b.in.l = x; return b; }
static struct { int q, r; } split$f;
""", n=p.rng.randint(2, 4))
    p.body("""
struct big$f one = {{1, 2}, {'c', 3}}, two = change$f(one, $x), *q = &two;
OUT(one.a[1] * 100 + two.a[1]);
OUT(change$f(*q, 5).in.l + q->in.c);
one = *q;
q->a[0] = 77;
OUT(one.a[0] + one.in.l);
split$f.q = $x;
OUT(split$f.q - split$f.r);
struct big$f list[2] = {one, change$f(two, $x)};
OUT(list[1].a[1] + list[0].a[1]);
""", x=p.small())


@feature(ending=True)
def early_ends(p):
    p.judge_late("atexit(outcome);")
    p.top("""
static void leave$f(int x) { OUT(x); if (x > 1) exit(0); }
static void (*volatile way$f)(int) = leave$f;
""")
    p.body("""
for (int i = 0; i < $n; i++) $call(i);
""", n=p.small(1, 4), call=p.pick("leave$f", "(*way$f)", "(1 ? leave$f : 0)"))
