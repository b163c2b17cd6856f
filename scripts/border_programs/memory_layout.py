"""Features about how objects are laid out: flexible members, padding, unions, types that are completed later."""

from .traced import feature


@feature(5)
def flexible_members(p):
    element = p.pick("char", "char", "int", "short")
    head = p.pick("int n;", "int n; char c;", "long n; char c;", "char n;")
    p.top("struct tail$f { $head $element d[$length]; };\n", head=head, element=element, length=p.pick("", "", "0"))
    declare, access = p.pick(
        ("struct tail$f s;", "s.d[i]"),
        ("struct tail$f s = {1};", "s.d[i]"),
        ("struct tail$f s, *q = &s;", "q->d[i]"),
        ("struct tail$f *q = &(struct tail$f){1};", "q->d[i]"),
        ("struct { int first; struct tail$f in; } s;", "s.in.d[i]"),
        ("struct tail$f *h = calloc(1, sizeof *h + 8 * sizeof h->d[0]); if (!h) return; struct tail$f s = *h; free(h);", "s.d[i]"),
        ("union { struct tail$f t; int x[2]; } s;", "s.t.d[i]"),
    )
    p.body("""
int i = $i;
$declare
$access = 1;
CHECK($access == $value);
""", i=p.input("int", *p.rng.sample(["0", "1", "2", "3", "7"], p.rng.randint(1, 2))), declare=declare, access=access,
           value=p.slip("1", "2"))


@feature(3)
def flexible_by_value(p):
    p.top("""
struct tail$f { int n; $head char d[$length]; };
static int sum$f(struct tail$f s, int i) { s.d[i] = $x; return s.d[i]; }
static struct tail$f make$f(int n) { struct tail$f s; s.n = n; return s; }
""", head=p.pick("", "char c;", "short c;"), length=p.pick("", "0"), x=p.rng.randint(1, 9))
    p.body("""
int i = $i;
struct tail$f s = make$f(3);
CHECK(sum$f(s, i) > 0);
CHECK(s.n == $n);
""", i=p.input("int", *p.rng.sample(["0", "1", "2", "3", "7"], p.rng.randint(1, 2))), n=p.slip("3", "4"))


@feature(3)
def flexible_on_heap(p):
    p.top("struct tail$f { unsigned short n; $element d[]; };\n", element=p.pick("char", "int", "short"))
    p.body("""
int n = $n, i = $i;
struct tail$f *t = malloc($size);
if (!t) return;
t->n = n;
if ($guard) {
    t->d[i] = 4;
    CHECK(t->d[i] == $value);
}
free(t);
""", n=p.input("int", "0", "1", "5"), i=p.input("int", "0", "4", "5"), value=p.slip("4", "5"),
           size=p.slip("sizeof *t + n * sizeof t->d[0]", "offsetof(struct tail$f, d) + n * sizeof t->d[0]", "sizeof *t + n", "sizeof t + n * sizeof t->d[0]"),
           guard=p.slip("i < t->n", "i <= t->n", "i < 5"))


@feature(2)
def flexible_with_initialiser(p):
    count = p.rng.randint(1, 4)
    p.top("struct tail$f { int n; char d[]; };\nstatic struct tail$f all$f = {$count, {$numbers}};\n",
          count=count, numbers=p.numbers(count, 1))
    p.body("""
int i = $i;
CHECK(all$f.d[i] $compare 0);
""", i=p.input("int", "0", str(count - 1), str(p.slip(0, count + 8))), compare=p.slip("!=", "=="))


@feature(4)
def bytes_of_unions(p):
    first, member, other = p.pick(("int i; char c;", "c", "i"), ("long long i; short c;", "c", "i"), ("char a[8]; int i;", "i", "a[6]"),
                                  ("struct { int x, y; } p; int i;", "i", "p.y"))
    p.program.assumed = r"(?i)union"
    p.body("""
union { $first } u = {.$member = 1};
$fresh
$more
CHECK($other == $value);
""", first=first, member=member, other=f"u.{other}", value=p.slip("0", "1"),
           fresh="REST(u, u.$member = 1);",
           more=p.pick("", "u.$member = 3;"))


@feature(3)
def members_of_unions(p):
    p.top("union any$f { $t1 a; $t2 b; unsigned char raw[$n]; };\n", t1=p.pick("int", "short", "long"), t2=p.pick("char", "double", "long long"),
          n=p.rng.randint(4, 12))
    p.body("""
union any$f u, *h = malloc($size);
int i = $i;
if (!h) return;
memset(&u, $fill, sizeof u);
u.a = 5;
memcpy(h, &u, $copied);
CHECK(u.raw[0] == $value);
u.raw[i] = 9;
$use
free(h);
""", size=p.slip("sizeof *h", "sizeof h->a", "sizeof h->b"), i=p.input("int", "0", p.slip("3", "12", "16")), fill=p.pick("0", "255"),
           copied=p.pick("sizeof u", "sizeof u.a", "sizeof u.b"), value=p.slip("5", "0"),
           use=p.pick("*h = u;", "h->a = 1;", "h->b = 1;", "u = *h;", "h->raw[sizeof h->raw - 1] = 1;"))


@feature(3)
def completed_later(p):
    p.top("""
struct late$f;
extern struct late$f late$f;
static struct late$f *where$f(void);
$first
struct late$f { int a; char b[$n]; };
struct late$f late$f = {$x};
static struct late$f *where$f(void) { return &late$f; }
""", first=p.pick("", "struct late$f tentative$f;"), n=p.rng.randint(1, 9), x=(x := p.rng.randint(1, 9)))
    p.body("""
struct late$f *q = where$f();
size_t i = $i;
CHECK(q->a == $value);
$more
q->b[i] = 1;
""", i=p.input("size_t", "0", p.slip("0", "16")), value=p.slip(x, x + 1),
           more="tentative$f.a = 3;\nCHECK(tentative$f.a == $three);" if "tentative" in p.program.tops[-1] else "", three=p.slip("3", "4"))


@feature(2)
def sizes_of_members(p):
    p.top("struct bits$f { unsigned a : $a; int b : 5; _Bool c : 1; unsigned long long d : 40; };\n", a=p.rng.randint(1, 12))
    # Of members that are narrower than a type of their size, gcc and clang say different things.
    expression, right = p.pick(("s.d = 1", 8), ("s.d++", 8), ("0, s.d", 8), ("s.d += 1", 8), ("s.c = 1", 1), ("+s.a", 4), ("s.b + 1", 4))
    p.body("""
struct bits$f s = {1, 2, 0, 3};
CHECK(sizeof($expression) == $right);
s.b = $b;
CHECK(s.b == $value);
""", expression=expression, right=p.slip(right, right + 1), b=p.pick("15", "-16", "3"), value=p.slip("$b", "31"))


@feature(2)
def copied_bytes(p):
    """Structs and pointers that are copied as bytes, whole or in part."""
    p.top("struct pair$f { char tag; int *to; short n; };\n")
    p.body("""
int cell = 4, more[3] = {1, 2, 3};
struct pair$f one = {'a', &cell, 2}, two = {'b', more, 1};
$copy
CHECK(*two.to == $value);
two.to[$i] = 9;
CHECK(cell == $cell);
""", copy=p.pick("two = one;", "memcpy(&two, &one, sizeof one);", "memcpy(&two.to, &one.to, sizeof(int *));",
                 "for (size_t k = 0; k < sizeof one; k++) ((char *)&two)[k] = ((char *)&one)[k];", "memmove(&two, &one, offsetof(struct pair$f, n));"),
           value=p.slip("4", "1"), i=p.slip("0", "1", "3"), cell=p.slip("9", "4"))
