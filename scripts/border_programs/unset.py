"""Programs about values that were never set: `uninit`, with clang's memory sanitizer to compare with.

A decision must depend on the unset value as a whole: what a part of it decides is not the same for the sanitizer, which follows bits
through sums and comparisons, and for `uninit`, which takes the result of such an operator as unset.
"""

from .traced import Registry, TracedProgram

FEATURES = Registry()
feature = FEATURES.feature


class Program(TracedProgram):
    """A program whose branches may depend on values that were never set."""

    def __init__(self, rng):
        super().__init__(rng)
        self.model = "lp64"
        self.assertion = "assert"


# Statements that branch on $e. A conditional expression with plain values would be no branch for the compiler.
BRANCHES = ["if ($e) sink++;", "if (!$e) sink++;", "while ($e) { sink++; break; }", "switch ($e) { case 1: sink++; }", "sink = $e ? step() : 2;",
            "if ($e == 1) sink++;", "if ($e == $e) sink++;", "if ($e - $e) sink++;", "if ($e > 0 && sink) sink++;", "if (step() && $e) sink++;",
            "do sink++; while ($e && sink < 3);", "for (int k = 0; k < ($e & 3); k++) sink++;", "if (sink || $e) sink++;", "if (($e ^ $e) != 0) sink++;",
            "if ((long long)$e * 3) sink++;", "if ((_Bool)$e) sink++;", "if (-$e) sink++;", "if ($e != $e) sink++;", "if (id($e)) sink++;"]
# Uses that decide nothing.
USES = ["{ long copy = $e; (void)copy; }", "(void)$e;", "sink = step() || $e;", "sink = 0; sink = sink && $e;", "if (0 && $e) sink++;", "{ int copied = $e; unused(&copied); }", "id($e);",
        "{ int none = !$e; (void)none; }"]


def use(p):
    return p.pick(*BRANCHES) if p.rng.random() < 0.85 else p.pick(*USES)


TOP = """
#ifndef SINK
#define SINK
static int sink;
static int step(void) { return 1; }
static long id(long x) { return x; }
static void unused(const void *p) { (void)p; }
#endif
"""


@feature(4)
def unset_locals(p):
    p.top(TOP)
    kind = p.pick("int", "unsigned char", "long", "short", "_Bool", "unsigned")
    p.body(f"""
int i = $i;
$kind x;
if ($guard) x = 3;
$then
{use(p)}
""", i=p.input("int", "0", "1", "2"), kind=kind, guard=p.slip("1", "i", "i == 1", "i < 2", "i >= 0"), then=p.pick("", "$kind y = x; x = y;", "x = (x);", "x += 1;" if kind != "_Bool" else ""), e="x")


@feature(4)
def unset_members(p):
    p.top(TOP)
    p.top("struct item$f { int a; short b; char c[3]; struct { long d; } in; };\nstatic void set$f(struct item$f *s) { $some }\n",
          some=p.pick("s->a = 1;", "s->b = 1; s->in.d = 2;", "s->c[0] = s->c[1] = s->c[2] = 1;", "memset(s, 1, sizeof s->a);", "memset(s, 0, sizeof *s);", "*s = (struct item$f){.b = 3};"))
    p.body(f"""
int i = $i;
struct item$f s, t;
if ($guard) set$f(&s);
$copy
{use(p)}
""", i=p.input("int", "0", "1"), guard=p.slip("1", "i"), copy=p.pick("t = s;", "memcpy(&t, &s, sizeof s);", "struct item$f *q = &s; t = *q;", "memmove(&t, &s, sizeof t);"),
           e=p.pick("s.a", "t.a", "t.b", "s.b", "s.c[i]", "t.c[1]", "t.in.d", "s.in.d"))


@feature(4)
def unset_heap(p):
    p.top(TOP)
    p.body(f"""
int i = $i, n = $n;
int *a = $allocate;
if (!a) return;
for (int k = 0; k < n; k$step) a[k] = k;
$change
{use(p)}
free(a);
""", i=p.input("int", "0", "2"), n=p.input("int", "4", "5"), allocate=p.pick("malloc(n * sizeof *a)", "malloc(n * sizeof *a)", "calloc(n, sizeof *a)", "realloc(0, n * sizeof *a)"),
           step=p.slip("++", "+= 2", "+= 3"), change=p.slip("", "a = realloc(a, 8 * sizeof *a); if (!a) exit(0);", "int b[4]; memcpy(b, a, 3 * sizeof *a); memcpy(a, b, 3 * sizeof *a);"),
           e=p.pick("a[i]", "a[1]", "a[i + 1]", "a[0]"))


@feature(3)
def grown_heap(p):
    p.top(TOP)
    p.body(f"""
int i = $i;
short *a = $allocate(2, sizeof *a);
if (!a) return;
a[0] = 1;
$second
a = realloc(a, 4 * sizeof *a);
if (!a) exit(0);
$third
{use(p)}
free(a);
""", i=p.input("int", "0", "1", "3"), allocate=p.pick("calloc", "pair$f"), second=p.slip("a[1] = 2;", ""), third=p.slip("a[2] = a[3] = 1;", "a[3] = 1;", ""), e="a[i]")
    p.program.tops.insert(len(p.program.tops) - 1, f"static void *pair{p.number}(size_t n, size_t size) {{ return malloc(n * size); }}\n")


@feature(5)
def unset_in_scopes(p):
    p.top(TOP)
    set_ = p.slip("x = 2;", "")
    shape = p.pick("""
for (int k = 0; k < $n; k++) {
    switch (k) {
        int x$initialiser;
        case 0: FRESH(x); x = 5; $use break;
        case 1: FRESH(x); $set $use break;
        default: break;
    }
}
""", """
int k = 0;
again:
if (k == $n) goto inside;
{
    int x;
    FRESH(x);
    x = 4;
    if (0) {
inside:
        FRESH(x);
        $set
    }
    $use
}
if (++k < 3) goto again;
""", """
int k = 0;
again:;
int x;
FRESH(x);
if (k < $n) x = 1;
$use
if (++k < 2) goto again;
""", """
for (int k = 0; k < 3; k++) {
    int x;
    FRESH(x);
    if (k < $n) x = 1;
    $use
}
""", """
switch ($n) {
    int x = 4;
    case 1: $set $use break;
    default: FRESH(x); $set $use
}
""")
    p.body(shape, n=p.input("int", "1", "2"), initialiser=p.pick("", "", " = 7"), set=set_, use=use(p), e="x")


@feature(3)
def unset_through_calls(p):
    p.top(TOP)
    p.top("""
static int read$f(int *q) { return *q; }
static void out$f(int *q, int k) { if (k $compare 0) *q = k; }
static int give$f(int k) { int x; if (k) x = k; return x; }
struct pair$f { int a, b; };
static struct pair$f half$f(int k) { struct pair$f p; p.a = k; $rest return p; }
""", compare=p.pick(">", ">=", "<"), rest=p.slip("p.b = 1;", "", "if (k) p.b = 2;"))
    p.body(f"""
int k = $k, x;
$get
{use(p)}
""", k=p.input("int", "0", "1"), get=p.pick("out$f(&x, k);", "x = give$f(k);", "x = half$f(k).b;", "out$f(&x, k); x = read$f(&x);", "struct pair$f q = half$f(k); x = q.a;",
                                           "struct pair$f q = half$f(k); x = q.b;"), e="x")


@feature(3)
def unset_bytes(p):
    """Bytes of unions, and of values that were set in part."""
    p.top(TOP)
    # What is read was set as a whole, or not at all.
    if p.rng.random() < 0.5:
        set_, e = p.slip("u.whole = 7;", "u.half[0] = 1;", "u.half[i] = 1;", "memset(&u, 0, 2);"), p.pick("u.half[0]", "u.half[1]", "u.half[i]")
    else:
        set_ = p.slip("u.whole = 7;", "u.raw[0] = u.raw[1] = 1;", "memset(&u, 0, 3);", "for (int k = 0; k < 4; k += 1 + i) u.raw[k] = k;", "u.half[i] = 1;")
        e = p.pick("u.raw[i]", "u.raw[2]", "u.raw[3]")
    p.body(f"""
int i = $i;
union {{ unsigned char raw[4]; unsigned whole; unsigned short half[2]; }} u;
$set
{use(p)}
""", i=p.input("int", "0", "1"), set=set_, e=e)


@feature(2)
def unset_arrays(p):
    p.top(TOP)
    p.body(f"""
size_t n = $n, i = $i;
$declare
for (size_t k = 0; k + $less < n; k++) a[k] = (char)k;
$more
{use(p)}
""", n=p.input("size_t", "2", "3"), i=p.input("size_t", "0", "1"), declare=p.pick("char a[n];", "char *a = alloca(n);", "char a[3];", "char b[2][3], *a = b[1];", "char a[3] = {1};"),
           less=p.slip("0", "1"), more=p.pick("", "a[0] = a[1];", "char c = a[i]; a[0] = c;"), e="a[i]")


@feature(2)
def unset_function_pointers(p):
    p.top(TOP)
    p.top("static int one$f(void) { return 1; }\n")
    p.body("""
int i = $i, set = 0;
int (*g)(void);
if ($guard) { g = one$f; set = 1; }
if ($use) {
    if (!set) { BAD(uninit); }
    sink += g();
}
""", i=p.input("int", "0", "1"), guard=p.slip("1", "i"), use=p.slip("1", "i", "sink == 0"))


@feature(2)
def bits_of_members(p):
    p.top(TOP)
    p.body(f"""
int i = $i;
struct {{ unsigned a : 3, b : 5; int c : 9; _Bool d : 1; }} s;
$set
{use(p)}
""", i=p.input("int", "0", "1"), set=p.slip("s.a = 1; s.b = 2; s.c = -1; s.d = i;", "s.b = 3; s.d = 1;", "s.a = 1; if (i) s.c = 3;", "s.c = 4;"), e=p.pick("s.a", "s.b", "s.c", "s.d"))
