//! Statements.

use super::check_body;

#[test]
fn control_flow() {
    check_body("if (a) b; else if (c) d; else e;", "(if a b (if c d e))");
    check_body("if (a) if (b) c; else d;", "(if a (if b c d))");
    check_body("while (a) { b; break; }", "(while a {b break})");
    check_body("do a; while (b);", "(do a b)");
    check_body("for (;;) ;", "(for ; _ _ ;)");
    check_body("for (i = 0; i < 3; i++) continue;", "(for (= i 0) (Lt i 3) (post++ i) continue)");
    check_body("for (int i = 0, j; ; ) ;", "(for [i: int = 0; j: int] _ _ ;)");
    check_body("return; return a, b;", "(return _) (return (, a b))");
}

#[test]
fn labels() {
    check_body("a: b: c;", "(a: (b: c))");
    check_body(
        "switch (a) { case 1: case 2 ... 3: b; default: c; }",
        "(switch a {(case 1 (case 2...3 b)) (default c)})",
    );
    check_body("goto a; goto *p;", "(goto a) (goto *p)");
    check_body("a: }  void g(void) {", "(a: ;)}\ng: function() to void {");
    check_body("a: int x; x = 1;", "(a: ;) [x: int] (= x 1)");
    check_body("a: __attribute__((unused)); b;", "(a: ;) b");
    check_body("__label__ a, b; a: ;", "(labels a b) (a: ;)");
    check_body("case 1 ? 2 : 3: ;", "(case (? 1 2 3) ;)");
}

#[test]
fn attributes() {
    check_body("__attribute__((fallthrough));", ";");
    check_body("__attribute__((unused)) int x;", "[x: int @unused]");
    check_body("[[fallthrough]]; [[maybe_unused]] int y; [[likely]] a;", "; [y: int] a");
    check_body("if (a) __attribute__((cold)) b;", "(if a b)");
}

#[test]
fn assembly() {
    check_body("asm(\"nop\");", "(asm out() in() labels())");
    check_body("__asm__ __volatile__(\"\" ::: \"memory\");", "(asm empty out() in() memory labels())");
    check_body(
        "asm(\"x\" : \"=r\"(a), [n] \"+m\"(*b) : \"r\"(c) : \"cc\");",
        "(asm out(=r:a +m:(Deref b)) in(r:c) labels())",
    );
    check_body("asm volatile goto (\"x\" : : \"r\"(c) : : l1, l2);", "(asm out() in(r:c) labels(l1 l2))");
    check_body("asm inline (\"x\" : : );", "(asm out() in() labels())");
}

#[test]
fn nested_functions() {
    check_body("int g(int x) { return x; } g(1);", "[g: function(x: int) to int {(return x)}] (call g 1)");
    check_body("auto int g(int); __extension__ int y = 1;", "[g: function(_: int) to auto int] [y: int = 1]");
    check_body("_Static_assert(1, \"\"); ; {}", "(assert 1) ; {}");
}
