"""Features about reads whose value nobody uses: they count as accesses."""

from .traced import feature

# Forms in which $e is read, and in which it is not.
READS = ["$e;", "(void)$e;", "x = $e * 0;", "x = $e == $e;", "x = $e - $e;", "x = ($e, 1);", "x = $e & 0;", "x = $e ^ $e;", "(void)(0, $e);",
         "if ($e) x = 1; else x = 1;", "x = $e && 0;", "x = $e || 1;", "x = $e ? 2 : 2;", "(void)-$e;", "(char)$e;", "x = 0 * $e;", "x = $e != $e;",
         "switch ($e) { default: x = 1; }", "do x = 1; while ($e && 0);", "+$e, x = 1;", "x = 0 & $e;", "x = $e < $e;", "!$e;", "x = $e | -1;",
         "x = $e % 1;", "x = 0 / ($e | 1);", "x = ($e >> 31) * 0;", "int unused = $e;", "({ $e; });", "x = ({ $e; 1; });"]
NO_READS = ["x = sizeof $e;", "&$e;", "x = 0 && $e;", "x = 1 || $e;", "x = 1 ? 2 : $e;", "(void)&$e;", "__typeof__($e) other = 1; x = other;",
            "x = _Generic($e, default: 1);", "if (0) $e;", "while (0) x = $e;", "x = sizeof($e + 1);", "x = 0 ? $e : 3;", "x = _Alignof(__typeof__($e));",
            "switch (0) { case 1: $e; }"]


def discarded(p):
    """A statement that may read, and what the oracle has for it."""
    if p.rng.random() < 0.75:
        return f"READ($e); {p.pick(*READS)}"
    return p.pick(*NO_READS)


@feature(5)
def discarded_elements(p):
    count = p.rng.randint(1, 4)
    kind = p.pick("int", "char", "long", "unsigned short")
    declare, name, done = p.pick(
        ("$kind a[$count] = {0};", "a", ""),
        ("static $kind a[$count];", "a", ""),
        ("$kind *a = calloc($count, sizeof *a); if (!a) return;", "a", "free(a);"),
        ("$kind b[$count] = {0}, *a = b;", "a", ""),
        ("struct { int first; $kind a[$count]; } s = {0};", "s.a", ""),
        ("$kind b[2][$count] = {0}, (*r)[$count] = b;", "r[1]", ""),
    )
    element = p.pick("%s[i]", "%s[i]", "*(%s + i)", "i[%s]")
    p.body(f"""
int i = $i, x = 0;
{declare}
{discarded(p)}
{done}
CHECK(x < 99);
""", kind=kind, count=count, e=element.replace("i", p.pick("i", str(count), "0")) % name, i=p.input("int", "0", str(p.slip(count - 1, count, -1))))


@feature(4)
def discarded_members(p):
    p.top("struct item$f { int a; char b; struct { short c, d[2]; } in; };\n")
    count = p.rng.randint(1, 3)
    declare, done = p.pick(
        ("struct item$f s[$count] = {{0}};", ""),
        ("struct item$f *s = calloc($count, sizeof *s); if (!s) return;", "free(s);"),
        ("static struct item$f all[$count], *s = all;", ""),
    )
    at = p.pick("i", "i", str(count))
    member = p.pick(f"s[{at}].b", f"(s + {at})->a", f"s[{at}].in.d[1]", f"(*(s + {at})).in.c", f"s[{at}].in.d[0]")
    p.body(f"""
int i = $i, x = 0;
{declare}
{discarded(p)}
{done}
CHECK(x < 99);
""", count=count, e=member, i=p.input("int", "0", str(p.slip(count - 1, count))))


@feature(4)
def discarded_structs(p):
    """A whole struct is read, and dropped."""
    form = p.pick("READ($e); $e;", "READ($e); (void)$e;", "READ($e); struct item$f y = $e;", "READ($e); (0, $e);", "READ(($e).a); ($e).a;",
                  "&$e;", "(void)sizeof $e;")
    p.top("struct item$f { int a; char b[$n]; };\nstatic struct item$f *g$f;\nstruct holder$f { int tag; struct item$f f; };\n", n=p.rng.randint(1, 9))
    freed = p.slip(False, True)
    p.body(f"""
struct holder$f h = {{1}}, *w = &h;
struct item$f *heap = calloc(1, $size);
if (!heap) return;
int i = $i;
if ($guard) g$f = heap;
if (i) w = 0;
{"free(heap);" if freed else ""}
{form}
{"" if freed else "free(heap);"}
""", size=p.slip("sizeof *heap", "sizeof heap->a"), i=p.input("int", "0", p.slip("0", "1")), guard=p.slip("1", "i == 0"),
           e=p.pick("*g$f", "*g$f", "w->f", "heap[0]", "heap[i]"))


@feature(4)
def discarded_targets(p):
    """The same through pointers of other types, into the middle, null, or to what was freed."""
    p.top("static char g$f[$n];\nstatic void *any$f = g$f;\n", n=p.rng.randint(1, 8))
    target = p.pick("*(int *)any$f", "*(short *)g$f", "*(int *)g$f", "*(int *)g$f", "*(long *)g$f", "*(char *)any$f", "*(long *)g$f", "((char *)any$f)[$at]", "*(int *)p", "*p", "p[$at]", "g$f[$at]", "*(double *)any$f")
    p.body(f"""
int i = $i, x = 0;
char *p = malloc($size);
if (!p) return;
memset(p, 1, $size);
$spoil
{discarded(p) if "double" not in target else "READ($e); $e;"}
$release
CHECK(x < 99);
""", i=p.input("int", "0", "1"), size=p.pick("1", "4", "8"), spoil=(spoil := p.slip("", "", "free(p);", "if (i) { free(p); p = 0; }")),
           release="" if spoil == "free(p);" else "free(p);", e=target, at=p.pick("0", "i", "4"))


@feature(2)
def volatile_reads(p):
    p.body("""
int i = $i;
volatile int a[2] = {1, 2};
const volatile int *q = a;
$read
CHECK(a[1] == $value);
""", i=p.input("int", "0", p.slip("1", "2")), read=p.pick("q[i];", "(void)a[i];", "*(q + i);", "a[i] += 0;"), value=p.slip("2", "3"))
