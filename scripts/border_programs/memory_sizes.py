"""Features about sizes: objects of any size, and numbers that lose bits or their sign on the way to an index."""

from .traced import feature

SMALL = ["1", "2", "7", "10", "64", "4096"]
WIDE = ["0x10000000", "0xfffffff", "300000000", "0x7fffffff", "0x80000000", "0x80000001", "0xffffffff", "0x100000000",
        "0x100000001", "0x200000003", "0x8000000000", "0x10000000000"]
NARROW = ["0x1000000", "0xffffff", "20000000", "0x10000000", "300000000"]


def large(p):
    return p.pick(*(WIDE if p.wide else NARROW))


def sizes(p, count):
    """Some sizes, mostly with a large one."""
    if p.rng.random() < 0.2:
        return p.rng.sample(SMALL, count)
    return p.rng.sample(SMALL, count - 1) + [large(p)]


def allocation(p, size):
    """A call that gives an object of so many bytes."""
    return p.pick(f"malloc({size})", f"malloc({size})", f"calloc({size}, 1)", f"calloc(1, {size})", f"realloc(0, {size})")


@feature(4)
def ends_of_objects(p):
    p.body("""
size_t n = $n;
char *p = $allocate;
$checked
$write = $x;
$other = 3;
CHECK(ACC(p, p[n - 1]) == 3 || n > 0);
free(p);
""", checked=p.pick("if (!p) return;", "if (!p) return;", "if (p == 0) exit(0);", ""), n=p.input("size_t", *sizes(p, p.rng.randint(1, 3))), allocate=allocation(p, "n"), x=p.rng.randint(1, 99),
           write=p.slip("ACC(p, p[n - 1])", "ACC(p, p[n])", "ACC(p, p[n + 7])", "ACC(p, *(p + n))"),
           other=p.pick("ACC(p, p[0])", "ACC(p, p[n / 2])", "ACC(p, p[(n - 1) / 3])"))


@feature(4)
def indices_below_sizes(p):
    low = large(p) if p.rng.random() < 0.7 else p.pick(*SMALL)
    p.body("""
size_t n = $n, at = $at;
char *p = $allocate;
if (p && at $compare n) {
    ACC(p, p[at]) = 1;
    CHECK($claim);
}
free(p);
""", n=p.input("size_t", low, p.pick(*SMALL)), at=p.input("size_t", "0", p.pick(*SMALL), f"{low} - 1", low),
           allocate=allocation(p, "n"), compare=p.slip("<", "<="),
           claim=p.slip("at < n", "(int)at >= 0", "(unsigned)at == at", "at < 5000"))


@feature(3)
def claims_about_indices(p):
    kind = p.pick("unsigned", "unsigned", "size_t", "unsigned long")
    size = p.pick("0x80000000", "0x7fffffff", "0xfffffff0", "300000000") if p.wide else p.pick(*NARROW)
    p.body("""
$kind m = $m, r;
char *s = malloc($size);
if (s) {
    r = $r;
    if (r < m) {
        ACC(s, s[r]) = 1;
        CHECK($claim);
    }
    free(s);
}
""", kind=kind, m=p.input(kind, size, "5"), r=p.input(kind, "0", "4", f"{size} - 1"), size=p.pick("m", "m", "m + 1ul"),
           claim=p.slip("s[r] == 1", "(int)r >= 0", "(int)r < (int)m", "r < 100"))


@feature(3)
def read_back(p):
    size = large(p)
    declare, check, release = p.pick(
        ("char *q = malloc($size);", "if (!q) return;", "free(q);"),
        ("char *q = calloc($size, 1);", "if (!q) return;", "free(q);"),
        ("size_t n = $n;\nARRAY(char, q, n);", "", ""),
    )
    x = p.rng.randint(1, 99)
    p.body(f"""
{declare}
{check}
ACC(q, q[$last]) = $x;
$extra
CHECK(ACC(q, q[$last]) == $value);
{release}
""", size=size, n=p.input("size_t", size), last=f"{size}{'UL' if p.wide else ''} - 1", x=x,
           extra=p.pick("", "ACC(q, q[0]) = 0;", f"ACC(q, q[{size} / 2]) = 7;"), value=p.slip(x, 0, x + 1))


@feature(3)
def lengths_cut_short(p):
    """A length goes through a narrower type, or one with a sign."""
    through = p.pick("unsigned", "int", "short", "unsigned short", "unsigned char", "signed char")
    bits = {"unsigned": 32, "int": 31, "short": 15, "unsigned short": 16, "unsigned char": 8, "signed char": 7}[through]
    if not p.wide:
        through, bits = p.pick(("short", 15), ("unsigned short", 16), ("unsigned char", 8))
    p.body("""
size_t n = $n;
$through m = $from;
if (m <= 0) return;
char *p = malloc($size);
if (!p) return;
ACC(p, p[$index - 1]) = 1;
free(p);
""", n=p.input("size_t", "3", str(2**bits - 1), str(2**bits), str(2**bits + 5)), through=through, **{"from": p.pick("n", "n", "n + 1", "n - 1")},
           size=p.pick("m", "(size_t)m"), index=p.slip("m", "n", "(n > 9 ? 9 : n)"))


@feature(3)
def negative_indices(p):
    kind = p.pick("int", "long", "short", "signed char")
    p.body("""
$kind i = $i;
size_t n = $n;
int *p = malloc(n * sizeof *p);
if (!p) return;
if ($guard) ACC(p, p[i]) = 5;
free(p);
""", kind=kind, i=p.input(kind, "-1", "0", p.pick("3", "100", "-128"), "9"), n=p.input("size_t", "10", *([large(p)] if p.rng.random() < 0.5 else [])),
           guard=p.slip("i >= 0 && (size_t)i < n", "i < (int)n", "i < 10", "i <= 9", "(unsigned char)i < n"))


@feature(3)
def products(p):
    """A count times the size of an element, which may wrap around."""
    kind = p.pick("struct cell$f", "int", "long long", "short")
    counts = ["3", "0x40000001", "0x20000001", "0x80000001", "100"] if not p.wide else \
        ["3", "0x4000000000000001", "0x8000000000000001", "100", "0x40000001", "0x80000001"]
    product = p.pick("n * sizeof *a", "sizeof(*a) * n", *(["(unsigned)(n * sizeof *a)", "(unsigned)n * (unsigned)sizeof *a", "(int)n * sizeof *a"] if p.wide else []))
    p.top("struct cell$f { int key; char tag; };\n")
    p.body("""
size_t n = $n;
$guard
$kind *a = malloc($product);
if (!a) return;
SPAN(a, &a[$index], sizeof *a);
memset(&a[$index], 0, sizeof *a);
free(a);
""", kind=kind, n=p.input("size_t", *p.rng.sample(counts, 2)), product=product, index=p.pick("n - 1", "0", "n / 2"),
           guard=p.pick("", "", "if (n > SIZE_MAX / sizeof(int)) return;", "if (n == 0 || n > 1000) return;"))


@feature(3)
def middles(p):
    """A pointer into the middle of an object, compared and measured."""
    cap = large(p) if p.rng.random() < 0.6 else p.pick(*SMALL)
    p.body("""
size_t cap = $cap, len = $len;
char *p = $allocate;
if (p && len <= cap) {
    char *t = p + len, *end = p + cap;
    CHECK($claim);
    if ($guard) ACC(p, *t) = 1;
    if (len > 0) ACC(p, t[-1]) = 2;
    if (cap - len > 2) ACC(p, t[$k]) = 3;
}
free(p);
""", cap=p.input("size_t", cap, "10"), len=p.input("size_t", "0", "10", cap, f"{cap} - 1"), allocate=allocation(p, "cap"),
           claim=p.slip("t <= end && t >= p", "t == p + cap", "t < end", "t - p == (int)len"), guard=p.slip("t < end", "t <= end", "t != p + cap + 1"),
           k=p.slip("2", "3"))


@feature(2)
def cursors(p):
    """A cursor over a buffer, as parsers of messages have it."""
    cap = large(p) if p.rng.random() < 0.6 else p.pick("10", "4096")
    length = p.slip("size_t", *(["unsigned", "int"] if p.wide else ["unsigned short", "short"]))
    p.top("""
struct cursor$f { char *at; size_t left; };
static struct cursor$f advance$f(struct cursor$f *c, $length k) {
    struct cursor$f part = {0, 0};
    if ($guard) {
        part.at = c->at;
        part.left = k;
        c->at += k;
        c->left -= k;
    }
    return part;
}
""", length=length, guard=p.slip("k <= c->left", "k <= c->left + 1", "(int)k <= (int)c->left"))
    p.body("""
size_t cap = $cap, k = $k;
char *data = malloc(cap);
if (!data) return;
struct cursor$f all = {data, cap}, part = advance$f(&all, k);
CHECK($claim);
if (part.at && part.left > 0) ACC(data, part.at[part.left - 1]) = 1;
if (all.left > 0) ACC(data, all.at[all.left - 1]) = 2;
free(data);
""", cap=p.input("size_t", cap, "10"), k=p.input("size_t", "0", "11", cap, *(["0x100000003"] if p.wide else ["0x10003"])),
           claim=p.slip("all.left <= cap", "part.left == 0 || part.left == k", "part.left + all.left == cap || !part.at", "all.left < 0x10000000"))


@feature(3)
def grown(p):
    """`realloc` to larger and smaller sizes."""
    sizes_of = sizes(p, 2)
    p.body("""
size_t n = $n, m = $m;
unsigned char *p = malloc(n), *q;
if (!p) return;
ACC(p, p[0]) = $x;
ACC(p, p[n - 1]) = $x;
q = realloc(p, m);
if (!q) { free(p); return; }
CHECK(ACC(q, q[0]) == $value);
$more
ACC(q, q[$index]) = 1;
free($freed);
""", n=p.input("size_t", *sizes_of), m=p.input("size_t", *sizes(p, 2)), x=(x := p.rng.randint(1, 200)), value=p.slip(x, x + 1),
           more=p.pick("", "if (m > n) ACC(q, q[n]) = 4;", "if (m >= n) CHECK(ACC(q, q[n - 1]) == $x);"),
           index=p.slip("m - 1", "m", "n - 1"), freed=p.pick("q", "q", "q", "p"))


@feature(3)
def variable_arrays(p):
    size = large(p) if p.rng.random() < 0.7 else p.pick(*SMALL)
    p.body("""
size_t n = $n;
size_t i = $i;
ARRAY($kind, a, n);
if ($guard) {
    ACC(a, a[i]) = 3;
    CHECK($claim);
}
""", n=p.input("size_t", size, "10"), i=p.input("size_t", "0", "9", f"{size} - 1", size), kind="char",
           guard=p.slip("i < n", "i <= n", "(int)i < (int)n"), claim=p.slip("a[i] == 3", "i < 300000", "(int)i >= 0"))


@feature(2)
def wrapped_sizes(p):
    """A difference below zero as a size: no implementation has such an object."""
    p.body("""
size_t n = $n;
char *p = malloc(n - $k);
if (p) {
    CHECK($claim);
    ACC(p, p[0]) = 1;
}
free(p);
""", n=p.input("size_t", "0", "1", "9"), k=p.pick("2", "3"), claim=p.slip("n >= $k", "n > 5", "n != 9"))


@feature(2)
def library_ranges(p):
    """Library functions near the end of a large object."""
    size = large(p)
    k = p.rng.randint(1, 9)
    call = p.pick("memset($at, 5, $k)", "memcpy($at, from, $k)", "memmove($at, from, $k)", "strcpy($at, from)")
    count = str(k) if "strcpy" not in call else "sizeof from"
    p.body(f"""
size_t n = $n;
const char from[10] = "abcdefghi";
char *p = {allocation(p, "n")};
if (!p) return;
SPAN(p, $at, {count});
{call};
CHECK(ACC(p, $at[0]) == $value);
free(p);
""", n=p.input("size_t", size, "64"), k=k, at=p.slip(f"(p + n - {max(k, 10)})", "(p + n - 1)", "(p + n)") if k > 1 else p.slip("(p + n - 10)", "(p + n)"),
           value=p.slip("(5)" if "memset" in call else "'a'", "'b'"))


@feature(2)
def large_named_objects(p):
    size = "300000000" if p.wide else "20000000"
    p.top("static char named$f[$size];\n", size=size)
    p.body("""
size_t i = $i;
OBJECT(named$f);
if ($guard) {
    ACC(named$f, named$f[i]) = 5;
    CHECK($claim);
}
""", i=p.input("size_t", "0", f"{size} - 1", size), guard=p.slip("i < sizeof named$f", "i <= sizeof named$f"),
           claim=p.slip("named$f[i] == 5", "i < 1000"))
