"""Features about single accesses: their width, where they end, and pointers that were numbers or bytes in between."""

from .traced import feature


@feature(3)
def wide_accesses(p):
    """An access of a type that does not fit the rest of the object."""
    size = p.rng.randint(1, 12)
    kind = p.pick("short", "int", "long long", "struct wide$f", "double", "char")
    declare, done = p.pick(("char a[$size];", ""), ("char *a = malloc($size); if (!a) return;", "free(a);"), ("static char a[$size];", ""))
    p.top("struct wide$f { char c[$n]; };\n", n=p.rng.randint(1, 12))
    p.body(f"""
int i = $i;
{declare}
$known
memset(a, 1, $size);
$kind v = ACC(a, *($kind *)(a + i));
memcpy(&v, a, 1);
$more
CHECK($claim);
{done}
""", size=size, kind=kind, i=p.input("int", "0", str(p.rng.randint(0, size))), known="OBJECT(a);" if "[" in declare else "", more=p.pick("", "ACC(a, *($kind *)(a + i)) = v;", "($kind *)a + i;"),
           claim=p.slip("a[0] == 1", "a[0] != 1"))


@feature(3)
def numbers_of_addresses(p):
    way = p.pick("(int *)((uintptr_t)q ^ 0)", "(int *)((uintptr_t)q & ~(uintptr_t)3)", "(int *)(((uintptr_t)q | 1) - 1)", "(int *)((uintptr_t)q + i * sizeof *q)",
                 "(int *)((char *)q + (intptr_t)i * 4)", "(int *)((intptr_t)q - (i - 1) * 4)", "&*(q + i)", "&i[q]", "(int *)(uintptr_t)(void *)q")
    p.body("""
int i = $i;
int a[3] = {1, 2, 3}, *q = a$offset;
OBJECT(a);
int *r = $way;
ACC(a, *r) = 7;
CHECK($claim);
""", i=p.input("int", "0", "1", p.slip("1", "3")), offset=p.pick("", " + 1", " + 2"), way=way, claim=p.slip("a[0] + a[1] + a[2] >= 10 - 1", "a[0] == 7 || a[1] == 7"))


@feature(2)
def bytes_of_pointers(p):
    p.body("""
int i = $i;
int cell = 1, other = 2, *from[2] = {&cell, &other}, *to = 0;
unsigned char *raw = (unsigned char *)&to;
for (size_t k = 0; k < $count; k++) raw[k] = ((unsigned char *)&from[i])[k];
CHECK(to == from[i]);
*to = 5;
CHECK(cell + other == $value);
""", i=p.input("int", "0", "1"), count=p.pick("sizeof to", "sizeof(int *)"), value=p.slip("7 - i", "7"))


@feature(2)
def recursion(p):
    p.top("""
static int *kept$f;
static int down$f(int n, int *above) {
    int here = n;
    if ($guard) kept$f = &here;
    if (n == 0) return above ? *above : 0;
    int r = down$f(n - 1, &here);
    CHECK(here == $value);
    return r + ($change);
}
""", guard=p.pick("n == 0", "n == 1", "n == 2"), value=p.slip("n", "n - (n > 2)"), change=p.pick("above ? (*above)++ * 0 : 0", "0"))
    p.body("""
int n = $n;
int r = down$f(n, 0);
CHECK(r >= 0);
if ($late) { BAD(deref); *kept$f = 3; }
""", n=p.input("int", "0", "1", "2"), late=p.slip("0", "kept$f"))


@feature(2)
def literals(p):
    p.body("""
int i = $i;
char *s = $literal, a[] = "xyz";
char *t = i ? s : a;
CHECK(t[$at] != 'q');
$write
""", i=p.input("int", "0", "1"), literal=p.pick('"abc"', '"ab\\\\0c"', '(char[]){"abc"}', '(char *)"a" "bc"'), at=p.slip("2", "4", "1", "3"), write=p.slip("if (!i) t[0] = 'b';", "if (i && s == a) t[0] = 'b';"))


@feature(2)
def empty_objects(p):
    allocate = p.pick("malloc(n)", "calloc(n, 3)", "calloc(0, n)", "realloc(0, n)")
    p.body("""
size_t n = $n;
char *p = $allocate;
if (!p) return;
if ($guard) ACC(p, p[0]) = 1;
CHECK(n $compare 2);
free(p);
""", n=p.input("size_t", "0", "1"), allocate=allocate, guard=p.slip("0", "1", "n"), compare=p.slip("<", "=="))


@feature(2)
def wrapped_products(p):
    large = "0x100000000" if p.wide else "0x10000"
    p.body("""
size_t n = $n;
char *p = calloc(n, $factor);
if (p) {
    CHECK($claim);
    ACC(p, p[0]) = 1;
}
free(p);
""", n=p.input("size_t", "2", large), factor=p.pick(large, f"{large} + 1"), claim=p.slip("n == 2", "n != 2"))


@feature(2)
def packed_members(p):
    p.top("struct __attribute__((packed)) packed$f { char tag; int value; short last; };\n")
    p.body("""
int i = $i;
struct packed$f *q = calloc($count, $size), one = {1, 2, 3};
if (!q) return;
q[i] = one;
CHECK(q[i].$member == $value);
CHECK(sizeof one == $bytes);
free(q);
""", i=p.input("int", "0", "1"), count=p.slip("2", "1"), size=p.slip("sizeof *q", "sizeof *q - 1", "8"), member="value", value=p.slip("2", "3"), bytes=p.slip("7", "8", "12"))


@feature(2)
def bit_fields_at_ends(p):
    p.top("struct ends$f { unsigned a : 4; unsigned b : 12; unsigned c : $w; };\n", w=p.rng.randint(1, 16))
    p.body("""
struct ends$f *q = malloc($size), local = {1, 2, 1};
if (!q) return;
q->$member = 1;
CHECK(q->$member == $value);
local.b = q->$member;
free(q);
""", size=p.slip("sizeof *q", "1", "2"), member=p.pick("a", "a", "b", "c"), value=p.slip("1", "0"))


@feature(2)
def matrices(p):
    rows, columns = p.rng.randint(1, 3), p.rng.randint(1, 3)
    declare, done = p.pick(("int a[$r][$c];", ""), ("int (*a)[$c] = malloc($r * sizeof *a); if (!a) return;", "free(a);"),
                           ("int n = $c; int a[$r][n];", ""), ("int n = $c; int (*a)[n] = malloc(sizeof(int[$r][n])); if (!a) return;", "free(a);"))
    p.body(f"""
int i = $i, k = $k;
{declare}
for (int x = 0; x < $r; x++) for (int y = 0; y < $c; y++) a[x][y] = x * 10 + y;
CHECK(a[i][k] == $value);
CHECK(sizeof a[0] == $bytes);
{done}
""", r=rows, c=columns, i=p.input("int", "0", str(p.slip(rows - 1, rows))), k=p.input("int", "0", str(columns - 1)), value=p.slip("i * 10 + k", "i * 10"),
           bytes=p.slip(f"{columns} * sizeof(int)", "sizeof(int)"))


@feature(2)
def sorted_arrays(p):
    p.top("static int less$f(const void *a, const void *b) { return *($kind *)a - *($kind *)b; }\n", kind=p.slip("const int", "const long"))
    p.body("""
int i = $i;
int a[4] = {4, 2, 9, i};
qsort(a, $count, sizeof *a, less$f);
int key = 9, *found = bsearch(&key, a, 4, sizeof *a, less$f);
CHECK($claim);
""", i=p.input("int", "1", "11"), count=p.slip("4", "5"), claim=p.slip("found && *found == 9", "found == &a[3]", "a[0] == i"))


@feature(2)
def copies_in_place(p):
    p.body("""
int i = $i;
struct { char a[4]; int n; } s = {"abc", 4}, *q = &s, t[2] = {{"de", 1}, {"fg", 2}};
t[i] = *q;
*q = t[$other];
CHECK(s.n == $value);
memmove(&t[0], &t[1], $size);
CHECK(t[0].n == $moved);
""", i=p.input("int", "0", "1"), other=p.slip("1 - i", "i + 1"), value=p.slip("i ? 1 : 2", "4"), size=p.slip("sizeof t[1]", "sizeof t"), moved=p.slip("i ? 4 : 2", "1"))
