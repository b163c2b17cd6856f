"""Features about calls through pointers, and about what `main` is given."""

from .traced import feature


@feature(4)
def compared_functions(p):
    """A pointer to a function that only a comparison tells."""
    p.top("""
static int calls$f;
static void one$f(int x) { calls$f += x; }
static void two$f(int x) { calls$f += 10 * x; }
struct ops$f { int tag; void (*f)(int); };
static void *pointer$f(void) {
    POINTER(one$f, $other);
}
""", other=p.pick("0, 0", "two$f, two$f", "0, two$f"))
    p.body("""
struct ops$f local = {1, pointer$f()}, *s = &local;
if (s->f) s->f(1);
CHECK($claim);
""", claim=p.slip("calls$f == 0 || calls$f == 1 || calls$f == 10", "calls$f < 10", "calls$f > 0"))


@feature(4)
def incompatible_functions(p):
    """A call through a pointer whose type does not fit the function, and calls that do fit."""
    p.top("""
struct small$f { int a; };
struct two$f { long a, b; };
static int by_pointer$f(struct small$f *s) { return s->a; }
static int by_value$f(struct small$f s) { return s.a; }
static int of_two$f(int a, int b) { return a + b; }
static int of_one$f(int a) { return a; }
static int of_none$f(void) { return 1; }
static int of_text$f(char *s) { return s[0]; }
static long of_long$f(long a) { return a; }
static int of_const$f(const int a) { return a; }
""")
    good = ["((int (*)(struct small$f *))by_pointer$f)(&s)", "((int (*)(struct small$f))(void *)by_value$f)(s)", "old(2, 3)", "((int (*)(int))of_const$f)(1)",
            "((int (*)())of_two$f)(1, 2)", "((int (*)(int, int))any)(1, 2)"]
    bad = ["((int (*)(struct small$f))by_pointer$f)(s)", "((int (*)(struct two$f))by_pointer$f)(t)", "((int (*)(int))of_two$f)(1)", "((int (*)(char *, int))of_two$f)(\"a\", 1)",
           "((int (*)(int))of_text$f)(0)", "old(2)", "((int (*)(struct two$f))of_one$f)(t)", "((int (*)(double))of_one$f)(2.0)", "((int (*)(int))any)(1)", "((int (*)())of_text$f)(1)"]
    call = p.slip("right", "wrong")
    p.body(f"""
struct small$f s = {{1}};
struct two$f t = {{1, 2}};
int (*old)() = of_two$f, r = 0;
void *any = of_two$f;
int i = $i;
if (i) {{ {"BAD(deref); " if call == "wrong" else ""}r = $call; }}
CHECK(r < 9 && t.b == 2 && old && any && s.a);
""", i=p.input("int", *p.pick(("0", "1"), ("1",))), call=p.pick(*(good if call == "right" else bad)))


@feature(3, ending=True)
def arguments_of_main(p):
    p.program.main = "int argc, char **argv"
    count = p.rng.randint(1, 4)
    p.program.calls.append(f"ARGUMENTS({count});")
    index = p.slip("argc", "argc - 1", "argc + 1", "3", "1")
    p.top("static int first$f(int argc, char **argv) {\n    $use\n    return 0;\n}\n",
          use=p.slip("if (argc > 1) return argv[1] != 0;", f"char *a = argv[{index}];\n    return a != 0;", f"if (argv[{index}]) return argv[{index}][0] == 'a';", "CHECK(argv[argc] == 0);",
                     "for (int i = 0; i < argc; i++) CHECK(argv[i] != 0);", "for (int i = 0; argv[i]; i++) CHECK(i < argc);"))
    p.program.calls.append(f"first{p.number}(argc, argv);")


@feature(2)
def tables_of_functions(p):
    n = p.rng.randint(2, 3)
    p.top("""
static int a$f(int x) { return x + 1; }
static int b$f(int x) { return x * 2; }
static int (*table$f[$n])(int) = {a$f, b$f};
""", n=n)
    p.body("""
int i = $i;
int (*g)(int) = table$f[i];
$guard CHECK(g(3) == $value);
""", i=p.input("int", "0", str(p.slip(1, n - 1, n))), guard=p.slip("if (g)", ""), value=p.slip("4 + 2 * i", "4"))


@feature(2)
def assertions_of_other_tools(p):
    p.program.assertion = p.pick("__CPROVER_assert", "__ESBMC_assert", "__VERIFIER_assert", "__CPROVER_assert")
    p.body("""
int x = $x, y = $y;
$change
CHECK($claim);
""", x=p.input("int", "1", "4"), y=p.input("int", "0", "3"), change=p.pick("", "x += y;", "if (y) x = 4;"), claim=p.slip("x >= 1 && x <= 7", "x == 4", "x != 4 || y != 3"))
