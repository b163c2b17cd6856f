"""Features about blocks: what ends with them, and declarations that jumps pass."""

from .traced import feature


@feature(4)
def ended_blocks(p):
    block = p.pick("{ int y = $x; p = &y; $inside }", "{ int y[3] = {$x}; p = &y[0]; $inside }",
                   "for (int k = 0; k < 2; k++) { int y = $x; p = &y; $inside }", "if (i) { struct { int a, b; } y = {$x}; p = &y.a; $inside }",
                   "switch (i) { default: { int y = $x; p = &y; $inside } }", "do { int y = $x; p = &y; $inside } while (0);")
    p.body("""
int i = $i, outer = $x, x;
int *p = &outer;
$block
$after
x = *p;
CHECK(x == $value);
""", i=p.input("int", "0", "1"), block=block, inside=p.pick("", "CHECK(*p == $x);", "*p = 4;"), x=p.rng.randint(1, 9),
           after=p.slip("p = &outer;", "", "if (i) p = &outer;", "CHECK(0);"), value=p.slip("$x", "77"))


@feature(3)
def last_iterations(p):
    """A pointer to a variable of the last iteration."""
    p.body("""
int *last = 0, n = $n;
for (int k = 0; k < n; k++) {
    int here = k;
    if ($guard) { BAD(deref); CHECK(*last == $value); }
    $keep
}
""", n=p.input("int", "0", "1", "3"), guard=p.slip("0", "last", "k > 1 && last"), value=p.slip("k - 1", "k"),
           keep=p.slip("last = &here; CHECK(*last == k); last = 0;", "last = &here;"))


@feature(3)
def compound_literals(p):
    p.body("""
int i = $i, *p = 0;
if (i) {
    p = (int[]){$x, 2};
    p[0]++;
    $leave
}
$again
if (p) { BAD(deref); CHECK(p[0] == $value); }
""", i=p.input("int", "0", "1"), x=(x := p.rng.randint(1, 9)), value=p.slip(x + 1, x), leave=p.slip("CHECK(p[0] == $x + 1); p = 0;", ""),
           again=p.pick("", "{ int other[2] = {8, 8}; i += other[1]; }"))


@feature(3)
def ended_functions(p):
    p.top("""
static int *kept$f;
static int *keep$f(int k) { int here = k; int *q = &here; if ($guard) kept$f = q; return $result; }
""", guard=p.pick("k > 0", "k == 1", "1"), result=p.pick("kept$f", "q", "k ? q : 0"))
    p.body("""
int k = $k;
int *q = keep$f(k);
if ($guard) CHECK(*q == k);
""", k=p.input("int", "0", "1"), guard=p.slip("0", "q", "k && q", "!k && q"))


@feature(3)
def life_of_alloca(p):
    allocate = p.pick("alloca(n)", "__builtin_alloca(n)")
    p.top("static char *make$f(size_t n) { char *q = $allocate; q[0] = 1; return $result; }\n", allocate=allocate, result=p.slip("0", "q"))
    p.body("""
size_t n = $n;
char *p = 0, *q = make$f(n);
{
    p = $allocate;
    memset(p, 3, n);
}
CHECK(p[0] == $value);
p[$index] = 1;
if (q) { BAD(deref); CHECK(q[0] == 1); }
""", n=p.input("size_t", "1", "20"), allocate=allocate, value=p.slip("3", "4"), index=p.slip("n - 1", "n"))


@feature(2)
def ended_variable_arrays(p):
    p.body("""
size_t n = $n;
char *p = 0;
again:
{
    char a[n];
    a[n - 1] = $x;
    if ($guard) { BAD(deref); CHECK(*p == $x); }
    p = $kept;
    if (p) CHECK(p[0] == $value);
}
if (--n > 0) goto again;
""", n=p.input("size_t", "1", "3"), x=(x := p.rng.randint(1, 9)), guard=p.slip("0", "p", "n == 1 && p"), kept=p.pick("&a[n - 1]", "a + n - 1"),
           value=p.slip(x, x + 1))


@feature(4)
def passed_declarations(p):
    """A jump into a block passes a declaration: the variable is indeterminate, also if it had a value the last time."""
    kind, compare = p.pick(("int", "x"), ("unsigned char", "x"), ("struct { int a, b; }", "x.b"), ("long", "x"))
    x = p.rng.randint(1, 9)
    p.body("""
for (int round = 0; round < $rounds; round++) {
    switch ($chosen) {
        $kind x$initialiser;
        case 0: FRESH(x); $compare = $x; CHECK($compare == $x); break;
        case 1: FRESH(x); $set CHECK($compare == $x); break;
        default: break;
    }
}
""", rounds=p.pick("2", "3"), chosen=p.pick("round", p.input("int", "0", "1", "2")), kind=kind, compare=compare, x=x,
           initialiser=p.pick("", "", " = {$x}"), set=p.slip("$compare = $x;", ""))


@feature(4)
def jumps_into_blocks(p):
    x = p.rng.randint(1, 9)
    p.body("""
int round = 0, late = $late;
again:
if (round == late) goto inside;
{
    int x;
    FRESH(x);
    x = $x;
    CHECK(x == $x);
    if (0) {
inside:
        FRESH(x);
        $set
    }
    CHECK(x == $value);
}
if (++round < 2) goto again;
""", late=p.input("int", "0", "1", "5"), x=x, set=p.slip("x = $x;", ""), value=p.slip(x, x, x + 1))


@feature(3)
def jumps_backward(p):
    x = p.rng.randint(1, 9)
    p.body("""
int round = 0;
again:;
int x;
FRESH(x);
if ($guard) x = $x;
CHECK(x == $x);
int y = round;
CHECK(y == $value);
if (++round < $rounds) goto again;
""", guard=p.slip("1", "round == 0", "round < 1"), x=x, value=p.slip("round", "0"), rounds=p.input("int", "1", "2"))


@feature(2)
def declarations_in_loops(p):
    p.body("""
int n = $n;
for (int k = 0; k < n; k++) {
    int x;
    FRESH(x);
    if ($guard) x = $x;
    CHECK(x == $x);
}
""", n=p.input("int", "0", "1", "3"), guard=p.slip("1", "k == 0", "k != 2"), x=p.rng.randint(1, 9))
