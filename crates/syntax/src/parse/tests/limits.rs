//! Deep nesting and long chains give a diagnostic, not an overflow of the stack.

use super::parsed;

const MANY: usize = 100_000;

/// Parses on a thread with the stack that the parser may count on.
fn on_large_stack(text: String) -> Result<(), String> {
    let worker = std::thread::Builder::new().stack_size(256 << 20).spawn(move || parsed(&text, |_, _| ()));
    worker.expect("a thread can be started").join().expect("no panic")
}

#[track_caller]
fn check(text: String) {
    let start: String = text.chars().take(40).collect();
    let errors = on_large_stack(text).expect_err(&start);
    assert!(errors.contains("nesting too deep"), "{start}\n{}", errors.lines().next().unwrap_or(""));
}

/// `before`, then `open` very often, `middle`, `close` very often, `after`.
fn nest(before: &str, open: &str, middle: &str, close: &str, after: &str) -> String {
    format!("{before}{}{middle}{}{after}", open.repeat(MANY), close.repeat(MANY))
}

#[test]
fn expressions() {
    check(nest("int x = ", "(", "1", ")", ";"));
    check(nest("int x = ", "- ", "1", "", ";"));
    check(nest("int x = ", "(int)", "1", "", ";"));
    check(nest("int x = ", "((int)", "1", ")", ";"));
    check(nest("int x = ", "a[", "1", "]", ";"));
    check(nest("int x = ", "f(", "1", ")", ";"));
    check(nest("int x = ", "1 ? ", "1", ": 1", ";"));
    check(nest("int x = ", "1 ? 1 : ", "1", "", ";"));
    check(nest("int x = ", "a = ", "1", "", ";"));
    check(nest("int x = ", "sizeof ", "1", "", ";"));
    check(nest("int x = ", "sizeof(int[", "1", "])", ";"));
    check(nest("int x = ", "1 || 1 && 1 | 1 ^ 1 & 1 == 1 < 1 << 1 + 1 * (", "1", ")", ";"));
}

#[test]
fn chains() {
    check(nest("int x = ", "1 + ", "1", "", ";"));
    check(nest("int x = f(", "1, ", "1", "", "), y = (1") + &", 1".repeat(MANY) + ");");
    check(nest("int x = f", "()", "", "", ";"));
    check(nest("int x = f", ".a", "", "", ";"));
    check(nest("void f(void) { ", "if (1); else ", ";", "", "}"));
    check(nest("void f(void) { ", "a: ", ";", "", "}"));
    check(nest("int x[] = { ", "[1]", " = 1", "", "};"));
    // Chains of moderate length inside each other add up.
    let chain = " + 1".repeat(20);
    check(format!("int x = {}1{};", "(".repeat(4_000), format!("{chain})").repeat(4_000)));
}

#[test]
fn statements() {
    check(nest("void f(void) { ", "{", "", "}", "}"));
    check(nest("void f(void) { ", "if (1) ", ";", "", "}"));
    check(nest("void f(void) { ", "while (1) ", ";", "", "}"));
    check(nest("void f(void) { ", "for (;;) ", ";", "", "}"));
    check(nest("void f(void) { ", "do ", ";", " while (1);", "}"));
    check(nest("void f(void) { ", "switch (1) ", ";", "", "}"));
    check(nest("void f(void) { ", "({", "1;", "});", "}"));
    check(nest("", "void f(void) {", "", "}", ""));
}

#[test]
fn declarations() {
    check(nest("int ", "*", "x", "", ";"));
    check(nest("int ", "(", "x", ")", ";"));
    check(nest("int x", "[1]", "", "", ";"));
    check(nest("int ", "(*", "x", ")()", ";"));
    check(nest("int f", "(int g", "", ")", ";"));
    check(nest("", "struct s {", "int x;", "} x;", ""));
    check(nest("", "typeof(", "1", ")", " x;"));
    check(nest("", "_Alignas(", "1", ")", " int x;"));
    check(nest("int x = ", "{", "1", "}", ";"));
    check(nest("", "enum { a = sizeof(", "int", ")}", ";"));
}

#[test]
fn long_lists_are_fine() {
    for text in [
        format!("int x[] = {{ {} }};", "1, ".repeat(MANY)),
        format!("int x[] = {{ {} }};", "[1] = 1, ".repeat(MANY)),
        format!("int x = f({}1);", "1, ".repeat(MANY)),
        format!("int {}x;", "x, ".repeat(MANY)),
        format!("void f(void) {{ {} }}", "x = 1 + 2;".repeat(MANY)),
        format!("struct {{ {} }};", "int x;".repeat(MANY)),
        format!("enum {{ {} }};", "x = 1 + 2,".repeat(MANY)),
        "int x = 1 + 2;".repeat(MANY),
        format!("int x = 1{};", " + 1".repeat(40_000)),
        format!("void f(void) {{ {}; }}", "if (1) ; else ".repeat(40_000)),
    ] {
        let start: String = text.chars().take(40).collect();
        assert_eq!(on_large_stack(text), Ok(()), "{start}");
    }
}
