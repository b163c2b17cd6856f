"""Features about the heap and about what library functions do to objects."""

from .traced import feature


@feature(3)
def freed_objects(p):
    p.body("""
int i = $i;
int *p = malloc(4 * sizeof *p), *q = p, local = 3;
$checked
p[0] = 1;
$first
CHECK(i >= 0);
$second
""", checked=p.pick("if (!p) return;", "if (!q) exit(0);", ""), i=p.input("int", "0", "1"), first=p.pick("if (i) { free(p); p = 0; }", "free(p); p = 0;", "q = p + i;"),
           second=p.slip("free(p);", "free(q);", "*q = 3; free(p);", "free(p); free(p);", "if (q == &local) free(q); free(p + 1);"))


@feature(3)
def bad_frees(p):
    wrong = p.slip("p", "p + 1", "p + i", "&local", "text$f", "kept$f", "(char *)p + 1")
    p.top("static char text$f[8];\nstatic char *kept$f = text$f;\n")
    p.body("""
int i = $i;
int local = 1;
short *p = malloc(8);
if (!p) return;
p[3] = 2;
CHECK(p[3] == $value + local);
$call;
""", i=p.input("int", "0", "2"), value=p.slip("1", "2"), call=p.pick("free($wrong)", "free($wrong)", "void *n = realloc($wrong, 16);\nif (n) free(n)", "if (i) free($wrong); else free(p)"),
           wrong=wrong)


@feature(3)
def lists(p):
    p.top("""
struct node$f { int key; struct node$f *next; };
static struct node$f *push$f(struct node$f *rest, int key) {
    struct node$f *n = $allocate;
    if (!n) exit(0);
    n->key = key;
    $link
    return n;
}
""", allocate=p.slip("malloc(sizeof *n)", "malloc(sizeof n)", "calloc(1, sizeof *n)"), link=p.slip("n->next = rest;", "if (rest) n->next = rest; else n->next = 0;"))
    p.body("""
int n = $n;
struct node$f *head = 0, *at;
for (int k = 0; k < n; k++) head = push$f(head, k);
for (at = head; at $and; at = at->next) CHECK(at->key < $bound);
$last
while (head) {
    $drop
}
""", n=p.input("int", "0", "1", "3"), **{"and": p.slip("", "&& at->key")}, bound=p.slip("3", "2"), last=p.slip("", "CHECK(head->key == n - 1);", "if (n > 1) head->next->next->key = 3;"),
           drop=p.slip("at = head->next; free(head); head = at;", "free(head); head = head->next;", "at = head; head = at->next; free(at);"))


@feature(3)
def strings(p):
    word = p.word(1, 7)
    call = p.pick("strcpy(b, $w)", "strcat(b, $w)", "strncpy(b, $w, $n)", "strncat(b, $w, $n)", "memcpy(b, $w, $n)", "memmove(b + 1, $w, $n)", "memset(b, 'x', $n)",
                  "memcpy(b, $w, sizeof $w)", "strcpy(b + i, $w)")
    p.body("""
int i = $i;
char $declare[$size] = "a";
$pointer
$call;
CHECK($claim);
""", i=p.input("int", "0", str(p.rng.randint(1, 4))), declare="b", size=p.rng.randint(2, 9), pointer="", call=call, w=f'"{word}"', n=p.rng.randint(1, len(word) + 1),
           claim=p.slip("i < 9", "b[0] != 'x'", "b[0] != 'a'"))


@feature(3)
def string_ends(p):
    """Strings that may have no end in their object."""
    n = p.rng.randint(2, 5)
    p.body("""
int i = $i;
char *b = malloc($n), c[$n];
if (!b) return;
memset(b, 'a', $n);
b[i] = 0;
memcpy(c, b, $n);
$break
CHECK($claim);
free(b);
""", i=p.input("int", "0", str(n - 1)), n=n, **{"break": p.slip("", "c[i] = 'b';", "b[i] = 'b';")},
           claim=p.pick("strlen(b) < $n", "strlen(c) == (size_t)i", "strcmp(b, c) == 0", "strchr(b, 'a') == (i ? b : 0)", "memcmp(b, c, $n) == 0"))


@feature(3)
def reallocated(p):
    p.body("""
int n = $n;
int *a = malloc(2 * sizeof *a), *old = a;
if (!a) return;
a[0] = 1; a[1] = 2;
a = realloc(a, $size);
if (!a) { free(old); return; }
CHECK(a[0] == $value);
$write = 5;
$old
free(a);
""", n=p.input("int", "1", "2", "5"), size=p.pick("n * sizeof *a", "n * sizeof *a + 1", "(n + 1) * sizeof(int)"), value=p.slip("1", "2"),
           write=p.slip("a[0]", "a[n]", "a[1]", "a[n - 1]"), old=p.slip("", "*old = 4;", "if (n > 9) old[0] = 1;"))


@feature(3)
def indices_that_wrap(p):
    kind = p.pick("unsigned char", "signed char", "unsigned short", "short")
    bits = 8 if "char" in kind else 16
    size = p.pick(str(2**bits), str(2 ** (bits - 1)), "10")
    p.body("""
$kind i = $i;
static char a[$size];
OBJECT(a);
char *p = a + $at;
i += $step;
ACC(a, p[$index]) = 1;
CHECK($claim);
""", kind=kind, i=p.input(kind, "0", str(2 ** (bits - 1) - 1)), size=size, at=p.pick("0", f"{size} / 2"), step=p.pick("1", "5", f"{2**bits - 1}"),
           index=p.slip("i & 1", "i", "i % 10", "(unsigned char)i", "i % 5 + i / 5 * 5"), claim=p.slip("i != 3", "i >= 0"))


@feature(3)
def dynamic_arrays(p):
    p.top("""
struct vec$f { $size len, cap; int *data; };
static int push$f(struct vec$f *v, int x) {
    if (v->len $full v->cap) {
        $size cap = v->cap ? v->cap * 2 : $start;
        int *data = realloc(v->data, $bytes);
        if (!data) return 0;
        v->data = data;
        v->cap = cap;
    }
    v->data[v->len++] = x;
    return 1;
}
""", size=p.pick("size_t", "unsigned", "unsigned char"), full=p.slip("==", ">"), start=p.pick("1", "2"), bytes=p.slip("cap * sizeof *data", "cap * sizeof data / 2 + cap", "cap"))
    p.body("""
int n = $n;
struct vec$f v = {0, 0, 0};
for (int k = 0; k < n; k++) if (!push$f(&v, k)) break;
if (v.len > 0) CHECK(v.data[$index] == $value);
free(v.data);
""", n=p.input("int", "0", "2", "4"), index=p.slip("v.len - 1", "v.len", "0"), value=p.slip("v.data[v.len - 1]", "v.len - 1"))


@feature(3)
def nested_pointers(p):
    p.body("""
int n = $n;
char **rows = $allocate;
if (!rows) return;
for (int k = 0; k < n; k++) { rows[k] = malloc(k + 1); if (!rows[k]) exit(0); rows[k][k] = k; }
CHECK(rows[$row][$column] == $row);
for (int k = 0; k < n; k++) free(rows[k]);
free(rows);
""", n=p.input("int", "1", "3"), allocate=p.slip("malloc(n * sizeof *rows)", "malloc(n * sizeof **rows)", "calloc(n, sizeof *rows)"), row=p.slip("(n - 1)", "0", "n"),
           column=p.slip("$row", "$row + 1"))
