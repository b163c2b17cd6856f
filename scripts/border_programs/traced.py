"""A program whose executions are all known: what the features about memory and about unset values write into.

Each input takes one of a few values, so the program is run once for each combination of them. It is compiled in two ways:

| in the text | as the program that robusto reads | as the program that is run |
|---|---|---|
| `inN()`, from `Part.input` | a value of `__VERIFIER_nondet_…` and an assumption | one value after the other |
| `CHECK(c);` | `assert(c);` or what other tools have for it | tells that an assertion fails |
| `ACC(p, e)` | `e` | the lvalue `e`, which must lie in the object that `p` points into |
| `SPAN(p, q, n);` | nothing | tells if the n bytes from q do not lie in the object of `p` |
| `READ(e);` | nothing | reads `e`: before a form whose read a compiler leaves out |
| `OBJECT(x);` | nothing | `ACC` and `SPAN` know the named object `x`, too |
| `BAD(kind);` | nothing | tells that the next step is undefined, where no sanitizer sees that |
| `FRESH(x);` | nothing | `x` is indeterminate from here on |
| `REST(x, set);` | nothing | the bytes of `x` are indeterminate, but for those that `set` sets |
| `POINTER(a, b, c);` | returns a pointer that is equal to one of them | returns one after the other |
| `ARGUMENTS(n);` | assumes `argc == n` | `main` gets n arguments |
| `ARRAY(T, a, n);` | `T a[n];` | the same, on the heap: for sizes that no stack has |

Sanitizers tell the rest. The kinds are `deref`, `free`, `uninit`, and `assert`. Objects of a megabyte and more are mappings without memory behind them, whose accesses
only `ACC` and `SPAN` check: what is far outside of an object may be another one, which a sanitizer takes for valid.
"""

from .program import Part, Registry

FEATURES = Registry()
feature = FEATURES.feature

HEADERS = """#include <assert.h>
#include <alloca.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
"""

JUDGED = """#define ACC(p, ...) __VA_ARGS__
#define SPAN(p, q, n)
#define READ(...)
#define OBJECT(x)
#define BAD(kind)
#define FRESH(x)
#define REST(x, ...)
#define ARRAY(T, a, n) T a[n]
#define POINTER(a, b, c) \
    void *p = __VERIFIER_nondet_pointer(); \
    __VERIFIER_assume(p == (void *)(a) || p == (void *)(b) || p == (void *)(c)); \
    return p
#define ARGUMENTS(n) __VERIFIER_assume(argc == (n))
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void *__VERIFIER_nondet_pointer(void);
"""

NATIVE = r"""#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

static void say(const char *kind) {
    char line[64];
    int length = snprintf(line, sizeof line, "%s\n", kind);
    if (write(1, line, length) != length) _Exit(9);
}
#define BAD(kind) do { say("bad " #kind); _Exit(3); } while (0)
#define CHECK(...) do { if (!(__VA_ARGS__)) BAD(assert); } while (0)

/* The next choice of the run, and how many there were to choose from. */
static unsigned choose(unsigned count) {
    static const char *left;
    char line[64];
    unsigned chosen = 0;
    if (!left) left = getenv("CHOICES");
    if (!left) left = "";
    while (*left >= '0' && *left <= '9') chosen = chosen * 10 + (*left++ - '0');
    if (*left == ',') left++;
    snprintf(line, sizeof line, "choice %u", count);
    say(line);
    return chosen;
}

/* Objects of the heap that are too large to be real. */
enum { HUGE = 1 << 20 };
static struct object { char *start; size_t size; int live; } objects[64];
static unsigned object_count;

static void *huge(size_t size) {
    char *start;
    /* What no implementation gives. */
    if (size > PTRDIFF_MAX) return 0;
    start = mmap(0, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (start == MAP_FAILED) { say("drop: no room"); _Exit(4); }
    return start;
}
static void *note(void *start, size_t size) {
    if (!start || object_count == 64) return start;
    objects[object_count++] = (struct object){start, size, 1};
    return start;
}
static struct object *object_of(const volatile void *p) {
    /* An object's end may be another's start. */
    for (size_t end = 0; end < 2; end++)
        for (unsigned i = object_count; i-- > 0;)
            if (objects[i].live && (size_t)((char *)p - objects[i].start) < objects[i].size + end) return &objects[i];
    return 0;
}
static void *native_malloc(size_t size) {
    if (getenv("FAILS") && choose(2)) return 0;
    return note(size < HUGE ? malloc(size) : huge(size), size);
}
static void *native_calloc(size_t count, size_t size) {
    if (getenv("FAILS") && choose(2)) return 0;
    if (size && count > (size_t)-1 / size) return 0;
    return note(count * size < HUGE ? calloc(count, size) : huge(count * size), count * size);
}
static void native_free(void *p) {
    struct object *o = p ? object_of(p) : 0;
    if (o && o->start == p) {
        o->live = 0;
        if (o->size >= HUGE) { mprotect(o->start, o->size, PROT_NONE); return; }
    }
    free(p);
}
static void *native_realloc(void *p, size_t size) {
    struct object *o = p ? object_of(p) : 0;
    void *q;
    if (!p) return native_malloc(size);
    if (!o || o->start != p) return note(realloc(p, size), size);
    q = native_malloc(size);
    if (!q) return 0;
    memcpy(q, p, o->size < size ? (o->size < HUGE ? o->size : HUGE) : (size < HUGE ? size : HUGE));
    native_free(p);
    return q;
}
#define malloc native_malloc
#define calloc native_calloc
#define realloc native_realloc
#define free native_free

static void span(const volatile void *p, const volatile void *q, size_t size) {
    struct object *o = object_of(p);
    if (!o) return;
    size_t at = (size_t)((char *)q - o->start);
    if (at > o->size || size > o->size - at) BAD(deref);
}
#define ACC(p, ...) (*({ __typeof__(__VA_ARGS__) *a_ = &(__VA_ARGS__); span(p, a_, sizeof *a_); a_; }))
#define SPAN(p, q, n) span(p, q, n)
#define OBJECT(x) note((char *)&(x), sizeof(x))
#define READ(...) ({ __typeof__(__VA_ARGS__) r_ = (__VA_ARGS__); __asm__ volatile("" : : "r"(&r_) : "memory"); 0; })
#define POINTER(a, b, c) void *const p[] = {a, b, c}; return p[choose(3)]
#define ARGUMENTS(n) do { \
    argv = calloc(n + 1, sizeof *argv); \
    for (argc = 0; argc < (n); argc++) argv[argc] = strdup(choose(2) ? "a" : ""); \
} while (0)
#define ARRAY(T, a, n) T *a = native_malloc((n) * sizeof(T))
#if defined(__has_feature)
#include <sanitizer/msan_interface.h>
#define FRESH(x) __msan_poison(&(x), sizeof(x))
#else
/* The same bytes in all of a run. */
static int fresh(void) {
    static int chosen = -1;
    if (chosen < 0) chosen = choose(3);
    return (int[]){0x5a, 0xff, 0}[chosen];
}
#define FRESH(x) memset(&(x), fresh(), sizeof(x))
#endif
#define REST(x, ...) do { FRESH(x); __VA_ARGS__; } while (0)
"""

# How an assertion is written; a failing one is a violation of `assert` or `unreach-call`.
ASSERTIONS = {
    "assert": "#define CHECK(...) assert(__VA_ARGS__)\n",
    "reach_error": "#define CHECK(...) do { if (!(__VA_ARGS__)) reach_error(); } while (0)\n",
    "__CPROVER_assert": 'extern void __CPROVER_assert(int, const char *);\n#define CHECK(...) __CPROVER_assert(__VA_ARGS__, "")\n',
    "__ESBMC_assert": 'extern void __ESBMC_assert(_Bool, const char *);\n#define CHECK(...) __ESBMC_assert(__VA_ARGS__, "")\n',
    "__VERIFIER_assert": "extern void __VERIFIER_assert(int);\n#define CHECK(...) __VERIFIER_assert(__VA_ARGS__)\n",
}

# The last word of `__VERIFIER_nondet_…` for a type.
INPUTS = {
    "char": "char", "signed char": "schar", "unsigned char": "uchar", "short": "short", "unsigned short": "ushort", "int": "int",
    "unsigned": "uint", "long": "long", "unsigned long": "ulong", "long long": "longlong", "unsigned long long": "ulonglong",
    "size_t": "size_t", "_Bool": "bool",
}


class TracedPart(Part):
    """The part of a program that one feature writes."""

    def input(self, kind, *values):
        """A call that gives one of the values, of the type `kind`; or one value as a constant, which the front end may fold."""
        if self.rng.random() < 0.25:
            return f"({kind})({self.pick(*values)})"
        name = f"in{len(self.program.inputs_of)}"
        self.program.inputs_of.append((name, kind, [str(value) for value in values]))
        return f"{name}()"

    def slip(self, right, *wrong):
        """The right text in half of the programs, else a wrong one."""
        return right if self.rng.random() < 0.5 else self.pick(*wrong)

    @property
    def wide(self):
        """Whether pointers have 64 bits."""
        return self.program.model == "lp64"


class TracedProgram:
    """The parts of one seed."""

    part = TracedPart

    def __init__(self, rng):
        self.rng = rng
        self.model = rng.choice(("lp64", "lp64", "ilp32"))
        self.assertion = rng.choice(("assert", "assert", "assert", *ASSERTIONS))
        self.tops, self.calls, self.inputs_of = [], [], []
        self.main = "void"
        # Whether an allocation may fail.
        self.fails = rng.random() < 0.15
        # What is allowed though the runs say otherwise, and under which words of the report.
        self.assumed = None

    def add(self, chosen):
        chosen.write(self.part(self, len(self.calls)))

    def with_values(self, text):
        return text

    def native(self):
        inputs = "".join(
            f"static {kind} {name}(void) {{\n    static const {kind} values[] = {{{', '.join(values)}}};\n"
            f"    return values[choose({len(values)})];\n}}\n"
            for name, kind, values in self.inputs_of
        )
        return self._text(NATIVE + inputs)

    def judged(self):
        known = dict.fromkeys(kind for _, kind, _ in self.inputs_of)
        inputs = "".join(f"extern {kind} __VERIFIER_nondet_{INPUTS[kind]}(void);\n" for kind in known)
        for name, kind, values in self.inputs_of:
            allowed = " || ".join(f"v == ({kind}){value}" for value in values)
            inputs += (
                f"static {kind} {name}(void) {{\n    {kind} v = __VERIFIER_nondet_{INPUTS[kind]}();\n"
                f"    __VERIFIER_assume({allowed});\n    return v;\n}}\n"
            )
        return self._text(JUDGED + ASSERTIONS[self.assertion] + inputs)

    def _text(self, start):
        body = "\n".join("    " + call for call in self.calls)
        return f"{HEADERS}\n{start}\n" + "\n".join(self.tops) + f"\nint main({self.main}) {{\n{body}\n    return 0;\n}}\n"
