//! Expressions.

use super::{check, check_expr};

#[test]
fn precedence() {
    check_expr("a + b * c", "(Add a (Mul b c))");
    check_expr("a - b - c", "(Sub (Sub a b) c)");
    check_expr(
        "a || b && c | d ^ e & f == g < h << i + j * k",
        "(Or a (And b (BitOr c (BitXor d (BitAnd e (Eq f (Lt g (Shl h (Add i (Mul j k))))))))))",
    );
    check_expr(
        "a * b + c << d < e == f & g ^ h | i && j || k",
        "(Or (And (BitOr (BitXor (BitAnd (Eq (Lt (Shl (Add (Mul a b) c) d) e) f) g) h) i) j) k)",
    );
    check_expr("(a + b) * c", "(Mul (Add a b) c)");
    check_expr("a >= b != c <= d", "(Ne (Ge a b) (Le c d))");
}

#[test]
fn assignments_and_conditionals() {
    check_expr("a = b += c", "(= a (Add= b c))");
    check_expr("a ? b : c ? d : e", "(? a b (? c d e))");
    check_expr("a ?: b", "(?: a b)");
    check_expr("a ? b, c : d", "(? a (, b c) d)");
    check_expr("a = b, c = d", "(, (= a b) (= c d))");
    check_expr("a <<= b, c >>= d, e ^= f", "(, (, (Shl= a b) (Shr= c d)) (BitXor= e f))");
}

#[test]
fn prefix_and_postfix() {
    check_expr("-a++", "(Minus (post++ a))");
    check_expr("*p++ = !~x", "(= (Deref (post++ p)) (Not (BitNot x)))");
    check_expr("&a[1].b->c", "(AddressOf (-> (. (index a 1) b) c))");
    check_expr("- - --a", "(Minus (Minus (PreDecrement a)))");
    check_expr("f(1)(a, b)[2]--", "(post-- (index (call (call f 1) a b) 2))");
    check_expr("__real__ x + __imag x", "(Add (Real x) (Imag x))");
    check_expr("__extension__ a + b", "(Add a b)");
    check_expr("&&label", "(label label)");
    check_expr("a && &&b", "(And a (label b))");
}

#[test]
fn types_in_expressions() {
    check_expr("(int)a + b", "(Add (cast <int> a) b)");
    check_expr("(int)-a.b", "(cast <int> (Minus (. a b)))");
    check_expr("sizeof(int) * 2", "(Mul (sizeof <int>) 2)");
    check_expr("sizeof a + 1", "(Add (sizeof a) 1)");
    check_expr("sizeof (a).b", "(sizeof (. a b))");
    check_expr("sizeof (int){1}.x", "(sizeof (. (literal <int> {1}) x))");
    check_expr("(int[]){1, 2}[0]", "(index (literal <array of int> {1, 2}) 0)");
    check_expr("_Alignof(int) + __alignof__ a", "(Add (alignof <int>) (alignof a))");
    check_expr("(int (*)(char, ...))p", "(cast <pointer to function(_: char, ...) to int> p)");
    check_expr("(void (*(*)[3])(void))p", "(cast <pointer to array 3 of pointer to function() to void> p)");
    check_expr("(const int *const volatile)p", "(cast <const volatile pointer to const int> p)");
}

#[test]
fn literals() {
    check_expr("1 + 0x10 + 010 + 0b11", "(Add (Add (Add 1 16) 8) 3)");
    check_expr("'a' + L'b' + '\\n'", "(Add (Add 97 L98) 10)");
    check_expr("\"a\" \"b\\n\" L\"c\"", "L\"ab\\nc\"");
    check_expr("\"\\0\" \"1\"", "\"\\01\"");
    check_expr("1.5f + .5e1 + 0x1p3", "(Add (Add 1.5 5.0) 8.0)");
}

#[test]
fn gnu_and_builtins() {
    check_expr("({ int x = 1; x; })", "({[x: int = 1] x})");
    check_expr("__builtin_offsetof(struct s, a.b[3].c)", "(offsetof <struct s> .a.b[3].c)");
    check_expr("__builtin_va_arg(ap, int *)", "(va_arg ap <pointer to int>)");
    check_expr("__builtin_types_compatible_p(int, char [])", "(compatible <int> <array of char>)");
    check_expr("__builtin_choose_expr(1, a, b)", "(choose 1 a b)");
    check_expr(
        "_Generic(x, int: 1, char *: f(2), default: 3)",
        "(generic x <int>: 1 <pointer to char>: (call f 2) default: 3)",
    );
    check("int x = __extension__ (__extension__ 1);", "x: int = 1");
}
