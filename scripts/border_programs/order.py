"""Features whose outcome depends on the order of evaluation, which C leaves open: v0 has one of two values.

No check may say that it has the one or the other. Every conflict is between function calls, which do not interleave, so the
behaviour is unspecified and not undefined.
"""

from .program import feature


@feature(order=True)
def order_of_operands(p):
    p.top("""
static int shared$f = $s;
static int add$f(int x) { shared$f += x; return shared$f; }
static int scale$f(int x) { shared$f *= x; return shared$f; }
""", s=(s := p.rng.randint(1, 9)))
    a, m = p.rng.randint(1, 9), p.rng.randint(2, 5)
    p.body("int first = 10, second = 1;\nOUT(first * add$f($a) + second * scale$f($m));\n", a=a, m=m)
    p.program.outcomes = (10 * (s + a) + (s + a) * m, 10 * (s * m + a) + s * m)


@feature(order=True)
def order_of_arguments(p):
    p.top("""
static int counter$f;
static int next$f(void) { return ++counter$f; }
static int pair$f(int a, int b) { return a * 10 + b; }
""")
    call = p.pick("pair$f", "(*pair$f)", "(1 ? pair$f : 0)")
    p.body("OUT($call(next$f(), next$f()));\n", call=call)
    p.program.outcomes = (12, 21)


@feature(order=True)
def order_of_assignment(p):
    p.top("""
static int at$f;
static int *place$f(int *a) { at$f = 1; return a; }
static int value$f(void) { return at$f ? $x : $y; }
""", x=(x := p.rng.randint(1, 50)), y=(y := p.rng.randint(51, 99)))
    p.body("int a[1] = {0};\n$left = value$f();\nOUT(a[0]);\n",
           left=p.pick("*place$f(a)", "place$f(a)[0]", "*(place$f(a) + 0)"))
    p.program.outcomes = (x, y)


@feature(order=True)
def order_of_initialiser(p):
    p.top("static int n$f = $s;\nstatic int step$f(int x) { n$f = n$f * 2 + x; return n$f; }\n", s=(s := p.rng.randint(0, 5)))
    p.body("struct { int a, b; } s = {step$f(1), step$f(2)};\nOUT(s.a * 1000 + s.b);\n")
    one = s * 2 + 1
    two = s * 2 + 2
    p.program.outcomes = (one * 1000 + one * 2 + 2, (two * 2 + 1) * 1000 + two)


@feature(order=True)
def order_of_library_calls(p):
    p.top("""
static char text$f[8] = "a";
static size_t grow$f(void) { strcat(text$f, "bc"); return strlen(text$f); }
static size_t cut$f(void) { text$f[1] = 0; return 5; }
""")
    p.body("size_t both = grow$f() + cut$f();\nOUT(strlen(text$f) + both * 0);\n")
    p.program.outcomes = (1, 3)


@feature(order=True)
def order_of_output(p):
    p.top("""
static int trail$f;
static int say$f(int digit) { trail$f = trail$f * 10 + digit; return digit; }
""")
    p.body("int a[10] = {0}, r = $e;\nOUT(trail$f);\n(void)r;\n",
           e=p.pick("say$f(1) + say$f(2)", "a[say$f(1)] + say$f(2)", "say$f(1) < say$f(2)", "(say$f(1) ^ say$f(2)) & 1",
                    "abs(say$f(1)) - abs(say$f(2))"))
    p.program.outcomes = (12, 21)
