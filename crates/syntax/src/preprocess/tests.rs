//! Tests of the preprocessor.

use super::*;

/// The output without the first line marker, or the error.
fn output(text: &str) -> Result<String, String> {
    let options = Options { defines: vec!["GIVEN=7".to_owned(), "FLAG".to_owned()], ..Options::default() };
    let out = preprocess("t.c", text, &options).map_err(|error| error.to_string())?;
    Ok(out.strip_prefix("# 1 \"t.c\"\n").expect("the first line is a marker").to_owned())
}

/// The tokens of a text with single spaces between them.
fn tokens(text: &str) -> String {
    let mut names = Interner::new();
    let mut source = source::Source::new(text);
    let mut out = Vec::new();
    while let Ok(Some((token, _))) = source.next(&mut names) {
        out.push(names.text(token.text).to_owned());
    }
    out.join(" ")
}

/// The output has the expected tokens.
#[track_caller]
fn check(text: &str, expected: &str) {
    let out = output(text).unwrap_or_else(|error| panic!("{text}\n{error}"));
    assert_eq!(tokens(&out), tokens(expected), "{text}");
}

/// The output is exactly as expected.
#[track_caller]
fn check_layout(text: &str, expected: &str) {
    assert_eq!(output(text).as_deref(), Ok(expected), "{text}");
}

#[track_caller]
fn check_error(text: &str, expected: &str) {
    assert_eq!(output(text), Err(expected.to_owned()), "{text}");
}

#[test]
fn object_macros() {
    check("#define N 3\nint a[N], N2;", "int a[3], N2;");
    check("#define EMPTY\nEMPTY int EMPTY x;", "int       x;");
    check("#define A B\n#define B C\n#define C 1\nA", "1");
    check("#define N 1\n#undef N\nN", "N");
    check("#define N(x) x\nN", "N");
    check("#define N (x)\nN", "(x)");
    check("GIVEN FLAG", "7 1");
    check("\"N\" 'N' NN", "\"N\" 'N' NN");
}

#[test]
fn recursion_is_stopped() {
    check("#define x x + 1\nx", "x + 1");
    check("#define a b\n#define b a\na b", "a b");
    check("#define f(x) x + f(x)\nf(f)(1)", "f + f(f)(1)");
    check("#define f(a) a * g\n#define g(a) f(a)\nf(2)(9)", "2 * 9 * g");
    check("#define z z[0]\n#define f(a) f(z * (a))\nf(1)", "f(z[0] * (1))");
}

#[test]
fn function_macros() {
    check("#define max(a, b) ((a) > (b) ? (a) : (b))\nmax(x, f(y, z))", "((x) > (f(y, z)) ? (x) : (f(y, z)))");
    check("#define f(x) <x>\nf() f( a b ) f((,))", "< > < a b > <(,)>");
    check("#define f() 1\nf() f ( ) f", "1 1 f");
    check("#define f(x, y) x y\nf(1,\n\n2) 3\n4", "1 2\n3\n4");
    check("#define f(x) x\n#define lp (\nf(f)(1) f lp 2)", "f(1) f ( 2)");
    check("#define f(x) x\n#define g f\ng(1) f(g)(2)", "1 f(2)");
    check("#define f(x) <x>\nf\n#define g\n(1) f\n(2)", "f (1) <2>");
    check("#define f(x) <x>\nf(1\n#ifdef f\n+ 2\n#endif\n)", "<1 + 2>");
    check("#define f(x) -x\n-f(-1) +f(+2)", "- - -1 + - +2");
}

#[test]
fn stringizing() {
    check("#define s(x) #x\ns(a  +  b) s( \"q\\n\" ) s('\\'') s()", r#""a + b" "\"q\\n\"" "'\\''" """#);
    check("#define s(x) #x\n#define t(x) s(x)\n#define N 1\ns(N) t(N)", "\"N\" \"1\"");
    check("#define s(...) #__VA_ARGS__\ns(a,b , c)", "\"a,b , c\"");
    check("#define N # x\nN", "# x");
}

#[test]
fn pasting() {
    check("#define c(a, b) a ## b\nc(x, 1) c(, y) c(z, ) c(,) c(<, <=) c(1, e3)", "x1 y z <<= 1e3");
    check("#define c(a, b) a ## b\n#define d(a, b) c(a, b)\n#define N 1\nc(N, N) d(N, N)", "NN 11");
    check(
        "#define t(x, y, z) x ## y ## z\nint j[] = { t(1,2,3), t(,4,5), t(6,,7), t(8,9,), t(10,,), t(,,) };",
        "int j[] = { 123, 45, 67, 89, 10, };",
    );
    check("#define h # ## #\n#define mk(a) # a\n#define in(a) mk(a)\n#define j(c, d) in(c h d)\nj(x, y)", "\"x ## y\"");
    check("#define xy 5\n#define c x ## y\nc", "5");
    check_error("#define c(a, b) a ## b\nc(+, x)", "2:1: pasting `+` and `x` does not give a token");
    check_error("#define c(a, b) a ## b\nc(/, /)", "2:1: pasting `/` and `/` does not give a token");
}

#[test]
fn variadic_macros() {
    check("#define p(f, ...) printf(f, __VA_ARGS__)\np(a, b, c) p(a,)", "printf(a, b, c) printf(a,)");
    check("#define p(f, ...) printf(f, ## __VA_ARGS__)\np(a) p(a,) p(a, b, c)", "printf(a) printf(a,) printf(a, b, c)");
    check("#define p(f, r...) printf(f, ## r)\np(a) p(a, b)", "printf(a) printf(a, b)");
    check("#define p(f, ...) printf(f __VA_OPT__(,) __VA_ARGS__)\np(a) p(a, b)", "printf(a) printf(a , b)");
    check("#define e(...) x, ## __VA_ARGS__\ne() e(1) e(,)", "x x,1 x,,");
    check("#define e(...) __VA_ARGS__\ne() e(1) e(1,2)", "1 1,2");
}

/// The long example of C17, 6.10.3.5, with a program of our own: nested invocations, hidden names, pasted names.
#[test]
fn rescanning() {
    let text = "#define v 3\n#define g(a) g(v * (a))\n#undef v\n#define v 2\n#define k g\n#define y y[0]\n\
                #define h k(~\n#define m(a) a(w)\n#define w 0,1\n#define t(a) a\n#define p() int\n#define q(x) x\n\
                #define r(x, y) x ## y\n#define str(x) # x\n";
    check(
        &format!("{text}g(y+1) + g(g(y)) % t(t(k)(0) + t)(1);"),
        "g(2 * (y[0]+ 1)) + g(2 * (g(2 * (y[0])))) % g(2 * (0)) + t(1);",
    );
    check(
        &format!("{text}k(v+(3,4)-w) | h 5) & m\n(g)^m(m);"),
        "g(2 * (2+(3,4)-0,1)) | g(2 * (~ 5)) & g(2 * (0,1))^m(0,1);",
    );
    check(&format!("{text}p() i[q()] = {{ q(1), r(2, 3), r(4, ), r(, 5), r(, ) }};"), "int i[] = { 1, 23, 4, 5,  };");
    check(&format!("{text}str(str(a\\n)) str(\"\\0\" r(a, b))"), r#""str(a\n)" "\"\\0\" r(a, b)""#);
}

#[test]
fn conditionals() {
    check("#if 1\na\n#else\nb\n#endif\nc", "a\nc");
    check("#if 0\na\n#elif 1\nb\n#elif 1\nc\n#else\nd\n#endif", "b");
    check("#ifdef X\na\n#else\nb\n#endif\n#ifndef X\nc\n#endif", "b\nc");
    check("#if 0\n#if 1\na\n#else\nb\n#endif\n#error no\ndon't\n#else\nc\n#endif", "c");
    check("#if 1\n#elif 1/0\na\n#endif\nb", "b");
    check("#define X 0\n#if defined X && defined(FLAG) && !defined Y\na\n#endif", "a");
    check("#define f(x) x\n#define D defined\n#if f(2) + 1 == 3 && GIVEN == 7\na\n#endif", "a");
    check("#ifdef X\n#elifdef FLAG\na\n#endif", "a");
    check_error("#if 1\na", "1:1: `#if` without `#endif`");
    check_error("#endif", "1:1: `#endif` without `#if`");
    check_error("#if 1\n#else\n#else\n#endif", "3:1: `#else` after `#else`");
    check_error("#else", "1:1: `#else` without `#if`");
}

#[test]
fn constant_expressions() {
    let holds = |condition: &str| {
        let out = output(&format!("#if {condition}\nyes\n#endif\n"));
        out.unwrap_or_else(|error| panic!("{condition}: {error}")).contains("yes")
    };
    for condition in [
        "1 + 2 * 3 == 7",
        "(1 << 4 | 1) == 17",
        "-1 < 0",
        "-1 > 0u",
        "0 ? 1 / 0 : 1",
        "1 || 1 / 0",
        "!(0 && 1 / 0)",
        "'a' == 97 && '\\n' == 10",
        "0xFFFFFFFFFFFFFFFF == -1",
        "unknown == 0",
        "~0 == -1",
        "7 % 4 == 3 && -7 / 2 == -3",
        "(2, 1)",
        "1 ? 2 : 3 ? 0 : 0",
        "__CHAR_BIT__ == 8 && __INT_MAX__ == 2147483647 && __LONG_MAX__ > 0x7fffffff",
        "__STDC_VERSION__ >= 201112L && __GNUC__ >= 4 && defined __x86_64__ && defined(__LP64__)",
        "-9223372036854775807 - 1 < 0",
        "1 >> 70 == 0 && -1 >> 70 == -1 && 1 << -1 == 0",
    ] {
        assert!(holds(condition), "{condition}");
    }
    check_error("#if 1 / 0\n#endif", "1:7: division by zero in the condition");
    check_error("#if\n#endif", "1:2: the condition is incomplete");
    check_error("#if 1 2\n#endif", "1:7: expected an operator in the condition");
    check_error("#if (1\n#endif", "1:6: expected `)` in the condition");
    check_error("#if 1.0\n#endif", "1:5: a floating number in the condition");
    check_error("#if f(1)\n#endif", "1:6: expected an operator in the condition");
    check_error("#if \"x\"\n#endif", "1:5: expected a value in the condition");
}

#[test]
fn predefined() {
    check("__LINE__\n\n__LINE__ __FILE__ __COUNTER__ __COUNTER__", "1\n3 \"t.c\" 0 1");
    check("#define L __LINE__\n#define f(x) x __LINE__\nL f(\n\n) L", "3 3\n5");
    check("__SIZE_TYPE__ __SIZEOF_POINTER__ __UINT32_C(3)", "long unsigned int 8 3U");
    let options = Options { data_model: DataModel::Ilp32, defines: vec!["f(x)=x x".to_owned()] };
    let out = preprocess("t.c", "__SIZE_TYPE__ __i386__ __x86_64__ f(1)", &options).expect("no error");
    assert_eq!(out, "# 1 \"t.c\"\nunsigned int 1         __x86_64__ 1 1\n");
    let wrong = Options { defines: vec!["1=2".to_owned()], ..Options::default() };
    assert!(preprocess("t.c", "", &wrong).is_err());
}

#[test]
fn lines_and_columns() {
    check_layout("int  x;\n\n\tint y; // c\n  z /* a\n b */ w\n", "int  x;\n\n int y;\n  z\n      w\n");
    check_layout("#define N 12345\na[N] = 1;\n  b\n", "\na[12345] = 1;\n  b\n");
    check_layout("#define LONG 1\nLONG   x  LONG+y\n", "\n1      x 1    +y\n");
    check_layout("#define f(x) x\nf(1\n) f(\n2)\n3\n", "\n1\n2\n\n3\n");
    check_layout("a \\\n b\nc\n", "a\n b\nc\n");
    check_layout("x+++y\n", "x+++y\n");
    check_layout("#define p +\np+ +p x\n", "\n+ + + + x\n");
    check_layout("é = N é\n", "é = N é\n");
    check_layout("a\n#line 20 \"b.c\"\n__LINE__ __FILE__\n", "a\n# 20 \"b.c\"\n20 \"b.c\"\n");
    check_layout("# 7\n__LINE__\n#pragma  pack( 1 )\nb\n", "# 7 \"t.c\"\n7\n#pragma pack( 1 )\nb\n");
}

#[test]
fn errors() {
    check_error("x\n  #error stop  here\n", "2:3: #error stop here");
    check_error("#include <stdio.h>", "1:1: `#include` needs an external preprocessor");
    check_error("#frob", "1:1: unknown directive `#frob`");
    check_error("#define", "1:2: no macro name after `#define`");
    check_error("#define 1", "1:9: a macro name must be an identifier other than `defined`");
    check_error("#define f(x, x) 1", "1:14: two parameters `x`");
    check_error("#define f(x 1", "1:2: the parameter list of the macro does not end");
    check_error("#define f(x) #y", "1:14: `#` is not followed by a parameter");
    check_error("#define f(x) ## x", "1:14: `##` at an end of the macro");
    check_error("#define f(x, y) x\nf(1)", "2:1: macro `f` takes 2 arguments, but 1 are given");
    check_error("#define f(x) x\nf(1", "2:1: the arguments of macro `f` do not end");
    check_error("/* x", "1:1: unterminated comment");
    check_error("#line x", "1:2: expected a line number");
}

#[test]
fn explosions_are_stopped() {
    let mut bomb = String::from("#define a0 x x x x x x x x\n");
    for level in 1..12 {
        bomb += &format!("#define a{level} {}\n", format!("a{} ", level - 1).repeat(8));
    }
    check_error(&format!("{bomb}a11"), "13:1: macro expansion too large");
    let nested = format!("#define f(x) x\n{}{}", "f(".repeat(10_000), ")".repeat(10_000));
    assert!(output(&nested).is_err_and(|error| error.contains("nested too deep")));
    let condition = format!("#if {}1{}\n#endif", "(".repeat(100_000), ")".repeat(100_000));
    assert!(output(&condition).is_err_and(|error| error.contains("nested too deep")));
    let mut chain = String::new();
    for level in 0..20_000 {
        chain += &format!("#define c{level} c{}\n", level + 1);
    }
    assert!(output(&format!("{chain}c0")).is_err_and(|error| error.contains("too large")));
}

#[test]
fn what_needs_an_external_preprocessor() {
    assert!(needs_external("#include <a.h>\n"));
    assert!(needs_external("int x;\n  # include \"a.h\"\n"));
    assert!(needs_external("#if __has_include(<a.h>)\n#endif"));
    assert!(needs_external("#if 0\n#else\n#include <a.h>\n#endif"));
    assert!(!needs_external("/*\n#include <a.h>\n*/\n// #include\nchar *s = \"\\\n#include\";"));
    assert!(!needs_external("#if 0\n#if 1\n#else\n#include <a.h>\n#endif\n#include <b.h>\n#endif"));
    assert!(!needs_external("#define include\nint include;"));
    assert!(has_directives("int x;\n#define N 1\n"));
    assert!(!has_directives("# 1 \"x.c\"\n#pragma once\n#line 3\nint x;"));
}

#[test]
fn what_the_compiler_has() {
    check("#if defined __has_attribute && __has_attribute(__cleanup__)\nyes\n#endif", "yes");
    check("#if __has_attribute(overloadable) || __has_builtin(__builtin_bitreverse32)\nyes\n#else\nno\n#endif", "no");
    check("#ifdef __has_builtin\n#if __has_builtin(__builtin_add_overflow)\nyes\n#endif\n#endif", "yes");
    check("#if __has_c_attribute(nodiscard) >= 202003L && __has_c_attribute(gnu::packed)\nyes\n#endif", "yes");
    check("__ATOMIC_SEQ_CST", "5");
    check_error("#if __has_attribute\n#endif", "1:5: expected a name in parentheses after `__has_attribute`");
}

#[test]
fn macros_are_put_aside() {
    let text = "#define N 1\n#pragma push_macro(\"N\")\n#undef N\n#define N 2\nN\n#pragma pop_macro(\"N\")\nN";
    let without_pragmas = |text: &str| text.lines().filter(|l| !l.starts_with('#')).collect::<Vec<_>>().join(" ");
    assert_eq!(tokens(&without_pragmas(&output(text).unwrap())), "2 1");
}
