//! The order of evaluation, which C leaves open: what some order violates is violated, what all orders keep is kept.

mod support;

use support::Folder;

const DECLARATIONS: &str = "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);\n\
    extern void exit(int); extern void abort(void); extern int printf(const char *, ...);\n\
    static void check(int c) { if (!c) reach_error(); }\n";

/// Verdict and text.
const PROGRAMS: &[(&str, &str, &str)] = &[
    // Two calls that write the same variable.
    ("write_write", "false", "int g; int f() { g = 1; return 1; } int h() { g = 2; return 2; }
      int main() { f() + h(); check(g == 2); }"),
    ("write_write_any", "true", "int g; int f() { g = 1; return 1; } int h() { g = 2; return 2; }
      int main() { int s = f() + h(); check(s == 3 && (g == 1 || g == 2)); }"),
    ("independent", "true", "int g, k; int f() { g = 1; return 1; } int h() { k = 2; return g + k; }
      int main() { f(); int s = f() + k + 3; check(s == 4 && g == 1); }"),
    // A read beside a call.
    ("read_after", "false", "int x; int f() { x = 5; return 1; } int main() { check(x + f() == 6); }"),
    ("read_before", "false", "int x; int f() { x = 5; return 1; } int main() { check(x + f() == 1); }"),
    ("read_both", "true", "int x; int f() { x = 5; return 1; } int main() { int y = x + f(); check(y == 6 || y == 1); }"),
    ("compound", "false", "int x = 1; int f() { x = 5; return 1; } int main() { x += f(); check(x == 6); }"),
    ("compound_element", "false", "int a[2], i; int f() { a[1]++; i = 0; return 1; }
      int main() { a[++i] += f(); check(a[1] == 2); }"),
    ("place", "false", "int a[3], i; int f() { i = 2; return 7; } int main() { a[i] = f(); check(a[2] == 7); }"),
    ("argument", "false", "int x; int f() { x = 5; return 1; } int two(int a, int b) { return a; }
      int main() { check(two(x, f()) == 5); }"),
    ("callee", "false", "int a() { return 1; } int b() { return 2; } int (*p)(int) ; int x(int i) { return 1; } int y(int i) { return 2; }
      int f() { p = y; return 0; } int main() { p = x; check(p(f()) == 2); }"),
    // More than two.
    ("three", "false", "int n; int next() { return ++n; } int id(int a, int b, int c) { return a * 100 + b * 10 + c; }
      int main() { int r = id(next(), next(), next()); check(r != 231); }"),
    ("three_all", "true", "int n; int next() { return ++n; } int id(int a, int b, int c) { return a * 100 + b * 10 + c; }
      int main() { int r = id(next(), next(), next());
        check(r == 123 || r == 132 || r == 213 || r == 231 || r == 312 || r == 321); }"),
    ("between", "false", "int n; int f(int a) { n = n * 10 + 1; return a; } int g() { n = n * 10 + 2; return 1; }
      int h() { n = n * 10 + 3; return 1; } int main() { f(g()) + h(); check(n != 231); }"),
    ("ordered", "true", "int n; int f(int a) { n = n * 10 + 1; return a; } int g() { n = n * 10 + 2; return 1; }
      int main() { f(g()) + 1; check(n == 21); }"),
    // A read of the left operand between the two calls.
    ("interleaved", "false", "int x; int f() { x = 3; return 0; } int k() { x = 4; return 0; }
      int main() { int r = (f() + x) + k(); check(r != 0 || x != 3); }"),
    // Through pointers.
    ("pointer", "false", "int x; int *p = &x; int f() { *p = 5; return 1; } int main() { check(x + f() == 6); }"),
    ("local", "false", "int *p; int f() { *p = 5; return 1; } int main() { int x = 0; p = &x; check(x + f() == 6); }"),
    ("local_kept", "true", "int *p, y; int f() { *p = 5; return 1; } int main() { int x = 0; p = &y; check(x + f() == 1); }"),
    ("function_pointer", "false", "int x; int f() { x = 5; return 1; } int (*q)(void) = f; int main() { check(x + q() == 6); }"),
    ("array", "false", "int a[4]; int f(int *p) { p[1] = 5; return 1; } int main() { check(a[1] + f(a) == 6); }"),
    ("struct_value", "false", "struct s { int a, b; } s; struct s f(struct s t) { s.a = 9; return t; }
      int get(struct s x, struct s y) { return x.a; } int main() { check(get(s, f(s)) == 0); }"),
    // Initialisers.
    ("list", "false", "int n; int next() { return ++n; } int main() { int a[2] = { next(), next() }; check(a[0] == 1); }"),
    // Operands that end the execution.
    ("exit_hides", "false", "int f() { exit(0); return 1; } int h() { check(0); return 2; } int main() { return f() + h(); }"),
    ("loop_hides", "false", "int f() { for (;;) ; return 1; } int h() { check(0); return 2; } int main() { return f() + h(); }"),
    ("both_fail", "false", "int f() { check(0); return 1; } int h() { check(0); return 2; } int main() { return f() + h(); }"),
    // Sequence points keep their order.
    ("and", "true", "int x; int f() { x = 5; return 1; } int main() { int r = f() && x == 5; check(r); }"),
    ("comma", "true", "int x; int f() { x = 5; return 1; } int main() { int r = (f(), x) + 0; check(r == 5); }"),
    ("arm", "true", "int x; int f() { x = 5; return 1; } int main() { int r = f() ? x : 0; check(r == 5); }"),
    ("arm_and_call", "false", "int x; int f() { x = 5; return 1; } int h() { x = 6; return 1; }
      int main() { int c = __VERIFIER_nondet_int(); int r = (c ? f() : 0) + h(); check(x == 6); }"),
    ("statement", "false", "int x; int f() { x = 5; return 1; } int main() { int r = ({ int t = f(); t; }) + x; check(r == 6); }"),
    ("inside_arm", "false", "int x; int f() { x = 5; return 1; } int main() { int c = 1; int r = c ? x + f() : 0; check(r == 6); }"),
    ("in_condition", "false", "int x; int f() { x = 5; return 1; } int main() { if (x + f() != 6) reach_error(); }"),
    // Inputs and output do not order anything.
    ("inputs", "true", "int main() { int a = __VERIFIER_nondet_int() & 1; int b = (__VERIFIER_nondet_int() & 1) + (__VERIFIER_nondet_int() & 1);
      check(a + b <= 3); return printf(\"%d\", a) + printf(\"%d\", b); }"),
    // Static variables of a function.
    ("static_local", "false", "int next(void) { static int n; return ++n; } int main() { int r = next() * 10 + next(); check(r == 12); }"),
    ("recursion", "true", "int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); } int main() { check(fib(5) == 5); }"),
];

#[test]
fn every_order_counts() {
    let folder = Folder::new("order");
    for (name, expected, text) in PROGRAMS {
        let file = format!("{name}.c");
        let out = folder
            .write(&file, format!("{DECLARATIONS}{text}\n"))
            .run(&["check", "--property", "unreach-call", &file])
            .stdout;
        let verdict = out.lines().last().unwrap_or_default();
        assert!(verdict.starts_with(&format!("RESULT: {expected}")), "{name}: {verdict}\n{out}");
    }
}

/// An order that is not tried keeps a program from being proved, but not from being refuted.
#[test]
fn orders_that_are_not_tried_are_named() {
    let folder = Folder::new("order-limit");
    let text = format!(
        "{DECLARATIONS}int n; int next() {{ return n = n * 2 + 1; }}\n\
         int main() {{ next() + next() + next() + next() + next() + next() + next(); check(n > 0); }}\n"
    );
    let out = folder.write("many.c", text).run(&["cfa", "many.c"]).stdout;
    assert!(out.contains("an order of evaluation that is not tried"), "{out}");
}
