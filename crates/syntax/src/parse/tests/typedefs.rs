//! Names that are typedefs here and ordinary identifiers there.

use super::{check, check_error};

/// Checks what follows `typedef int T;`.
#[track_caller]
fn with_typedef(text: &str, expected: &str) {
    check(&format!("typedef int T; {text}"), &format!("T: typedef int\n{expected}"));
}

#[test]
fn types_or_operands() {
    with_typedef(
        "int x = sizeof(T) + (T)(1) + (T){2};",
        "x: int = (Add (Add (sizeof <T>) (cast <T> 1)) (literal <T> {2}))",
    );
    with_typedef("void f(void) { T * x; (T) * x; }", "f: function() to void {[x: pointer to T] (cast <T> (Deref x))}");
    check("int x = sizeof(T) + (T)(1);", "x: int = (Add (sizeof T) (call T 1))");
    check("void f(void) { T * x; }", "f: function() to void {(Mul T x)}");
}

#[test]
fn members_and_labels_do_not_hide() {
    with_typedef("struct { T T; } x; T y;", "x: struct {T: T}\ny: T");
    with_typedef("struct { unsigned T : 3; T : 2; } x;", "x: struct {T: unsigned int bits 3; _: T bits 2}");
    with_typedef("void f(void) { T: ; T x; goto T; }", "f: function() to void {(T: ;) [x: T] (goto T)}");
    with_typedef("struct T { T x; }; struct T y;", "struct T {x: T}\ny: struct T");
    with_typedef(
        "int f(struct T *x) { return x->T + (T)1; }",
        "f: function(x: pointer to struct T) to int {(return (Add (-> x T) (cast <T> 1)))}",
    );
}

#[test]
fn inner_declarations_hide() {
    with_typedef("void f(void) { int T; T * 2; } T z;", "f: function() to void {[T: int] (Mul T 2)}\nz: T");
    with_typedef(
        "void f(void) { { T T = 1; T * T; } T * x; }",
        "f: function() to void {{[T: T = 1] (Mul T T)} [x: pointer to T]}",
    );
    with_typedef("void f(int T) { T * 2; } T z;", "f: function(T: int) to void {(Mul T 2)}\nz: T");
    with_typedef(
        "void f(void) { for (int T = 0; T * 2; ) T * 3; T * x; }",
        "f: function() to void {(for [T: int = 0] (Mul T 2) _ (Mul T 3)) [x: pointer to T]}",
    );
    with_typedef("void f(void) { enum { T }; T * 2; } T z;", "f: function() to void {[enum {T}] (Mul T 2)}\nz: T");
    with_typedef(
        "int g(a) int a; { unsigned T; T * 2; }",
        "g: old function(a) to int [a: int] {[T: unsigned int] (Mul T 2)}",
    );
    with_typedef(
        "void f(void) { typedef char T; T x; } T z;",
        "f: function() to void {[T: typedef char] [x: T]}\nz: T",
    );
    with_typedef(
        "void f(void) { int x = ({ int T = 1; T; }); T y; }",
        "f: function() to void {[x: int = ({[T: int = 1] T})] [y: T]}",
    );
}

#[test]
fn declarators_take_the_name() {
    with_typedef("void f(void) { unsigned T; T = 1; }", "f: function() to void {[T: unsigned int] (= T 1)}");
    with_typedef("void f(void) { T T; T = 1; }", "f: function() to void {[T: T] (= T 1)}");
    with_typedef("void f(void) { int (T); T = 1; }", "f: function() to void {[T: int] (= T 1)}");
    with_typedef("typedef int T; T x;", "T: typedef int\nx: T");
}

#[test]
fn parameters() {
    with_typedef("void f(T);", "f: function(_: T) to void");
    with_typedef("void f(int T);", "f: function(T: int) to void");
    with_typedef("void f(int (T));", "f: function(_: function(_: T) to int) to void");
    with_typedef("void f(int (x));", "f: function(x: int) to void");
    with_typedef("void f(const T, T *T);", "f: function(_: const T, T: pointer to T) to void");
    with_typedef(
        "int (*g)(T), (*h)(T (*)(T));",
        concat!(
            "g: pointer to function(_: T) to int; ",
            "h: pointer to function(_: pointer to function(_: T) to T) to int"
        ),
    );
    with_typedef("void f(T T, int x[sizeof(T)]); T y;", "f: function(T: T, x: array (sizeof T) of int) to void\ny: T");
    with_typedef("int x = sizeof(int (*)(T));", "x: int = (sizeof <pointer to function(_: T) to int>)");
    with_typedef("int x = sizeof(int (T));", "x: int = (sizeof <function(_: T) to int>)");
    with_typedef("int x = sizeof(int (*(T))[3]);", "x: int = (sizeof <function(_: T) to pointer to array 3 of int>)");
}

#[test]
fn hidden_names_are_no_types() {
    check_error(
        "typedef int T; void f(void) { int T; (T)1; }",
        concat!(
            "t.c:1:41: error: expected `;` after expression, found `1`\n",
            "1 | typedef int T; void f(void) { int T; (T)1; }\n",
            "  |                                         ^\n",
        ),
    );
    check_error(
        "typedef int T; int x = T;",
        concat!(
            "t.c:1:24: error: expected an expression, found type name `T`\n",
            "1 | typedef int T; int x = T;\n",
            "  |                        ^\n",
        ),
    );
}
