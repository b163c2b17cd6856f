"""Features: the C library."""

from .program import feature


@feature(3)
def strings(p):
    p.body("""
char a[32] = "$x";
const char *b = "$y";
OUT(strlen(a) + 10 * strlen(b));
strcat(a, b);
OUT(strcmp(a, b) > 0);
OUT(strncmp(a, "$x", $n) == 0);
MIX(strchr(a, '$c') ? strchr(a, '$c') - a : -1);
MIX(strrchr(a, '$c') ? strrchr(a, '$c') - a : -1);
strncpy(a + 8, b, $n);
for (int i = 0; i < 12; i++) MIX(a[i]);
""", x=p.word(), y=p.word(), c=p.pick(*"abcz"), n=p.small(1, 8))


@feature(3)
def spans(p):
    p.body("""
const char *a = "$x", *set = "$y";
OUT(strspn(a, set));
OUT(strcspn(a, set));
const char *q = strpbrk(a, set);
OUT(q ? q - a : -1);
q = strstr(a, "$z");
OUT(q ? q - a : -1);
OUT(strnlen(a, $n));
OUT(strcasecmp(a, "$upper") == 0);
""", x=p.word(3, 9, "abc"), y=p.word(1, 3), z=p.word(1, 2, "abc"), n=p.small(), upper=p.word(3, 4, "ABC"))


@feature(3)
def memory(p):
    p.body("""
unsigned char a[16];
for (int i = 0; i < 16; i++) a[i] = i * $m;
memmove(a + $i, a + $j, $n);
for (int i = 0; i < 16; i++) MIX(a[i]);
memset(a + $j, $c, $n);
memcpy(a, a + 8, 8);
OUT(memcmp(a, a + 8, 8) == 0);
const unsigned char *q = memchr(a, $c, 16);
OUT(q ? q - a : -1);
for (int i = 0; i < 16; i++) MIX(a[i]);
""", m=p.small(1, 20), i=p.small(0, 7), j=p.small(0, 7), n=p.small(0, 8), c=p.small(0, 300))


@feature(3)
def tokens(p):
    p.body("""
char text[] = "$text", *rest;
int n = 0;
for (char *t = $first; t; t = $again) {
    n++;
    MIX(t - text);
    MIX(t[0] + strlen(t));
}
OUT(n);
""", text=p.pick(",", "") + p.pick(",", ";", " ").join(p.word(1, 3) for _ in range(3)) + p.pick("", ";"),
           **p.pick({"first": 'strtok(text, ",; ")', "again": 'strtok(0, ",; ")'},
                    {"first": 'strtok(text, ";")', "again": 'strtok(0, " ,")'},
                    {"first": 'strtok_r(text, ",", &rest)', "again": 'strtok_r(0, ", ;", &rest)'}))


@feature(3)
def numbers_from_text(p):
    literal = p.pick("", " ", "\\t") + p.pick("", "-", "+") + p.pick("0x1f", "017", "42", "123z", "zz", "7fffffffffffffff1",
                                                                 "99999999999", "") + p.pick("", "!", " 5")
    p.body("""
const char *s = "$s";
char *end;
OUT(strtol(s, &end, $base));
OUT(end - s);
OUT((long long)strtoul(s, &end, $base));
MIX(end - s);
OUT(strtoll(s, 0, 10) % 1000);
OUT(atoi("$small") + 2 * atol("$small") + 3 * atoll("$small"));
""", s=literal, base=p.pick("0", "10", "16", "8", "36"), small=p.pick("12", " -7", "3x", "+9", ""))


@feature(3)
def sscanf_fixed(p):
    a, b, w = p.rng.randint(-99, 99), p.rng.randint(0, 255), p.word(1, 5)
    p.body("""
int a = -1, n = -1;
unsigned b = 77;
char w[8] = "zz", c = '?';
OUT(sscanf("$a $w:$hex$rest", "%d %7[a-z]:%x$format", &a, w, &b, $last));
OUT(a);
OUT(b);
MIX(strlen(w) * 256 + w[0]);
MIX(c);
MIX(n);
""", a=a, w=w, hex=f"{b:x}", **p.pick({"rest": "!", "format": "%c", "last": "&c"},
                                      {"rest": "", "format": "%c", "last": "&c"},
                                      {"rest": " 5", "format": " %*d%n", "last": "&n"},
                                      {"rest": "-x", "format": "%n", "last": "&n"}))


@feature(4)
def formatted(p):
    calls = []
    for _ in range(p.rng.randint(1, 3)):
        conversion, argument = p.pick(
            ("%d", str(p.rng.randint(-999, 999))), ("%5d", p.small()), ("%-5d|", p.small()), ("%05d", p.small()),
            ("%+d", p.small()), ("%x", p.small(1, 5000)), ("%#x", "255"), ("%08X", "48879"), ("%o", p.small(1, 90)),
            ("%u", "4000000000u"), ("%ld", "-5L"), ("%lld", "1LL << 40"), ("%hhd", "300"), ("%hd", "70000"),
            ("%c", "'q'"), ("%s", f'"{p.word()}"'), ("%.2s", f'"{p.word()}"'), ("%8s|", f'"{p.word()}"'), ("%%", "0"),
            ("%zu", "sizeof(int)"), ("%.3d", p.small()), ("%*d", f"{p.rng.randint(1, 6)}, {p.small()}"),
            ("%.1f", p.pick("0.5", "2.25", "-1.75")), ("%g", p.pick("0.5", "100.0")), ("%d%n", "12, &count"))
        calls.append(f"OUT(snprintf(b, {p.rng.randint(1, 12)}, \"{p.word(0, 2)}{conversion}\", {argument}));\n"
                     "for (int i = 0; i < 12; i++) MIX(b[i]);")
    p.body("char b[64] = {0};\nint count = 0;\n" + "\n".join(calls) + "\nOUT(count);")


@feature(3)
def characters(p):
    names = p.rng.sample(["isalpha", "isdigit", "isalnum", "isupper", "islower", "isspace", "isprint", "ispunct", "iscntrl",
                          "isxdigit", "isgraph", "isblank"], 3)
    sums = "\n".join(f"    MIX(!!{name}(c));" for name in names)
    p.body(f"for (int c = $low; c < $high; c += $step) {{\n{sums}\n    MIX(toupper(c) - tolower(c));\n}}\nOUT(isdigit(EOF));",
           low=p.small(0, 60), high=p.rng.randint(61, 255), step=p.rng.randint(5, 9))


@feature(3)
def mathematics(p):
    x = p.pick("2.5", "-2.5", "0.5", "-0.0", "3.0", "1e10", "-7.25", "1.0 / 3", "0x1.fffffep20")
    name = p.pick("floor", "ceil", "trunc", "round", "rint", "fabs", "nearbyint")
    p.body("""
double x = $x, whole;
int exponent;
OUT($name(x) * 4);
OUT(sqrt($square * $square) * 2 + fmod(x, $d) * 8);
OUT(signbit(copysign($d, x)) != 0);
OUT(frexp($d, &exponent) * 64);
OUT(exponent);
OUT(modf(x, &whole) * 4 < 4 && whole == trunc(x));
OUT(ldexp(1.5, $square) + fmin(x, $d) * 4 + fmax(x, $d) * 4);
OUT(lround(x) + llrint(x) * 3);
OUT(isnan(nan("")) + 2 * !!isinf(x) + 4 * isnormal(x) + 8 * !!isfinite(x));
OUT(fpclassify(x) == FP_ZERO);
""", x=x, name=name, square=p.small(1, 12), d=p.pick("2.0", "1.5", "0.25", "-3.0"))


@feature(3)
def sorting(p):
    n = p.rng.randint(2, 6)
    p.top("""
static int by$f(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return $compare;
}
""", compare=p.pick("x < y ? -1 : x > y", "(x < y) - (x > y)", "x % 10 - y % 10 ? x % 10 - y % 10 : x - y"))
    p.body("""
int a[] = {$numbers}, key = a[$i];
qsort(a, $n, sizeof a[0], by$f);
for (int i = 0; i < $n; i++) MIX(a[i]);
int *q = bsearch(&key, a, $n, sizeof *a, by$f);
OUT(q && *q == key);
key = 1000;
OUT(bsearch(&key, a, $n, sizeof *a, by$f) == 0);
""", numbers=", ".join(map(str, p.rng.sample(range(100), n))), i=p.rng.randrange(n), n=n)


@feature()
def sorting_records(p):
    p.top("""
struct record$f { char name[6]; short rank; };
static int calls$f;
static int compare$f(const void *a, const void *b) {
    calls$f = 1;
    return strcmp(((const struct record$f *)a)->name, ((const struct record$f *)b)->name);
}
""")
    words = [p.word(2, 4) + str(i) for i in range(3)]
    p.body("""
struct record$f r[] = {$records};
qsort(r, sizeof r / sizeof *r, sizeof *r, compare$f);
for (int i = 0; i < 3; i++) MIX(r[i].rank * 7 + r[i].name[0]);
OUT(calls$f);
""", records=", ".join(f'{{"{word}", {p.rng.randint(0, 50)}}}' for word in sorted(words, key=len)))


@feature()
def division(p):
    p.body("""
div_t d = div($a, $b);
ldiv_t l = ldiv(${a}0L, $b);
lldiv_t m = lldiv(-$c, $b);
OUT(d.quot * 100 + d.rem);
OUT(l.quot * 100 + l.rem);
OUT(m.quot * 100 + m.rem);
OUT(abs($a) + labs(-5L) + llabs(-7LL));
OUT(imaxabs(-3) + imaxdiv(17, $b).rem);
""", a=p.rng.randint(-99, 99), b=p.pick("7", "-3", "10"), c=p.small(1, 99))


@feature(ending=True)
def at_exit(p):
    p.judge_late("atexit(outcome);")
    p.top("""
static int exits$f;
static void first$f(void) { exits$f = exits$f * 10 + 1; OUT(exits$f); }
static void second$f(void) { exits$f = exits$f * 10 + 2; $more }
""", more=p.pick("", "atexit(first$f);"))
    p.body("""
atexit(first$f);
if ($cond) atexit(second$f);
exits$f = 3;
$end
""", cond=p.small(0, 1), end=p.pick("", "", "if (exits$f == 3) exit(0);"))


@feature(3)
def heap(p):
    p.body("""
int n = $n, *a = malloc(n * sizeof *a);
for (int i = 0; i < n; i++) a[i] = i * $m;
a = realloc(a, 2 * n * sizeof *a);
for (int i = n; i < 2 * n; i++) a[i] = a[i - n] + 1;
for (int i = 0; i < 2 * n; i++) MIX(a[i]);
char *c = calloc($n, 2), *d = strdup("$word");
OUT(c[n] + d[1] + strlen(d));
free(a); free(c); free(d);
free(0);
""", n=p.small(2, 5), m=p.small(), word=p.word())


@feature()
def list_on_heap(p):
    p.top("struct node$f { int value; struct node$f *next; };\n")
    p.body("""
struct node$f *head = 0, *reversed = 0;
for (int i = 0; i < $n; i++) {
    struct node$f *one = malloc(sizeof *one);
    one->value = i * $m % 7; one->next = head; head = one;
}
while (head) { struct node$f *next = head->next; head->next = reversed; reversed = head; head = next; }
for (struct node$f *one = reversed, *next; one; one = next) { next = one->next; MIX(one->value); free(one); }
""", n=p.small(2, 5), m=p.small())


@feature(3)
def library_by_pointer(p):
    name, argument = p.pick(("abs", "-5"), ("toupper", "'a'"), ("tolower", "'Q'"), ("isdigit", "'7'"))
    result = "!!" if name == "isdigit" else ""
    p.top("""
struct entry$f { const char *name; int (*call)(int); };
static struct entry$f table$f[] = {{"x", abs}, {"y", toupper}, {"z", $name}};
static int through$f(int (*g)(int), int x) { return g(x); }
""", name=name)
    p.body("""
size_t (*len)(const char *) = strlen;
void *(*copy)(void *, const void *, size_t) = memmove;
char b[8] = "$word";
OUT($result through$f(table$f[2].call, $argument));
MIX(table$f[$i].call('b'));
copy(b + 1, b, 3);
MIX(b[1] * 256 + b[3]);
OUT(len(b));
void *(*get)(size_t) = malloc;
void (*give)(void *) = free;
int *q = get(sizeof *q); *q = 4; MIX(*q); give(q);
void (*quit)(int) = exit;
if (b[0] == 'Q') quit(3);
""", name=name, argument=argument, result=result, word=p.word(4, 5), i=p.small(0, 2))


@feature()
def wide(p):
    p.body("""
wchar_t a[16] = L"$x";
OUT(wcslen(a));
wcscat(a, L"$y");
OUT(wcscmp(a, L"$x") > 0);
OUT(wcschr(a, L'$c') ? wcschr(a, L'$c') - a : -1);
for (int i = 0; i < 8; i++) MIX(a[i]);
wmemset(a + 2, L'z', 3);
OUT(a[3] + a[5] + sizeof L"$y");
""", x=p.word(), y=p.word(), c=p.pick(*"abc"))


@feature()
def environment(p):
    p.body("""
int r = rand();
OUT(r >= 0 && r <= RAND_MAX);
OUT(getenv("ROBUSTO_NO_SUCH_VARIABLE") == 0 || 1);
char b[8];
sprintf(b, "%c%d", '$c', $n);
OUT(b[0] * 100 + b[1]);
OUT(puts("") >= 0 || 1);
""", c=p.pick(*"xyz"), n=p.small())


@feature()
def last_parts(p):
    p.body("""
char a[16] = "$x", b[16] = "$y";
char *e = stpcpy(a, b);
OUT(e - a);
OUT(strcoll(a, b) == 0);
strncat(a, "$x", $n);
OUT(strlen(a));
char *cursor = a, *piece;
while ((piece = strsep(&cursor, "$c"))) MIX(strlen(piece));
OUT(b[0] + b[1]);
""", x=p.word(2, 4), y=p.word(2, 4), n=p.small(0, 4), c=p.pick(*"abc"))
