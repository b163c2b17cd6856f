//! What the user reads when a file is not accepted.

use super::{check_error, tree};

#[test]
fn missing_semicolons() {
    check_error(
        "int x\nint y;",
        concat!("t.c:1:6: error: expected `;` after declaration, found `int`\n", "1 | int x\n", "  |      ^\n",),
    );
    check_error(
        "int f(void) {\n    x = 1\n}\n",
        concat!("t.c:2:10: error: expected `;` after expression, found `}`\n", "2 |     x = 1\n", "  |          ^\n",),
    );
    check_error(
        "struct s { int a; }\nint f(void);\n",
        concat!(
            "t.c:2:1: error: `int` does not go with the type before it\n",
            "2 | int f(void);\n",
            "  | ^~~\n",
            "  help: is a `;` missing after the closing brace of the type?\n",
        ),
    );
}

#[test]
fn unknown_types() {
    check_error(
        "foo x;\nfoo *y; int f(foo z);",
        concat!(
            "t.c:1:1: error: unknown type name `foo`\n",
            "1 | foo x;\n",
            "  | ^~~\n",
            "  help: was a header not included, or a typedef left out?\n",
        ),
    );
    check_error(
        "int f(void) { foo x; }",
        concat!(
            "t.c:1:15: error: unknown type name `foo`\n",
            "1 | int f(void) { foo x; }\n",
            "  |               ^~~\n",
            "  help: was a header not included, or a typedef left out?\n",
        ),
    );
    for text in ["int f(size_t n);", "struct s { uint8_t x; };", "static uint8_t x;", "int f(int a, u8 b) {}"] {
        let errors = tree(text).expect_err(text);
        assert!(errors.contains("unknown type name"), "{text}\n{errors}");
    }
}

#[test]
fn unbalanced() {
    check_error(
        "int f(void) {\n    g(1, 2;\n}\n",
        concat!(
            "t.c:2:11: error: expected `)`, found `;`\n",
            "2 |     g(1, 2;\n",
            "  |           ^\n",
            "t.c:2:6: note: to match this `(`\n",
            "2 |     g(1, 2;\n",
            "  |      ^\n",
        ),
    );
    check_error(
        "int f(void) {\n",
        concat!(
            "t.c:2:1: error: expected `}`, found end of file\n",
            "2 | \n",
            "  | ^\n",
            "t.c:1:13: note: to match this `{`\n",
            "1 | int f(void) {\n",
            "  |             ^\n",
        ),
    );
}

#[test]
fn no_tokens() {
    check_error("int x = @;", concat!("t.c:1:9: error: stray character `@`\n", "1 | int x = @;\n", "  |         ^\n",));
    check_error(
        "char *s = \"abc;\n",
        concat!("t.c:1:11: error: missing closing `\"`\n", "1 | char *s = \"abc;\n", "  |           ^~~~~\n",),
    );
    check_error(
        "#include <stdio.h>\nint x;",
        concat!(
            "t.c:1:1: error: directive `#include` in preprocessed text\n",
            "1 | #include <stdio.h>\n",
            "  | ^~~~~~~~~~~~~~~~~~\n",
            "  help: run the C preprocessor on the file first\n",
        ),
    );
    check_error(
        "int x = 09;",
        concat!(
            "t.c:1:9: error: digit `9` does not belong to a number of base 8\n",
            "1 | int x = 09;\n",
            "  |         ^~\n",
        ),
    );
}

#[test]
fn line_markers_are_followed() {
    check_error(
        "# 40 \"a.h\" 1\nint x;\nint = 1;\n",
        concat!("a.h:41:5: error: expected a name, found `=`\n", "41 | int = 1;\n", "   |     ^\n",),
    );
}

#[test]
fn several_errors() {
    let errors =
        tree("int f(void) { 1 +; }\nint a = ;\nint ok;\nint g(void) {\n  if (;\n}\nint h = );\n").expect_err("errors");
    let lines: Vec<&str> = errors.lines().filter(|line| line.contains("error:")).collect();
    assert_eq!(
        lines,
        [
            "t.c:1:18: error: expected an expression, found `;`",
            "t.c:2:9: error: expected an expression, found `;`",
            "t.c:5:7: error: expected an expression, found `;`",
            "t.c:7:9: error: expected an expression, found `)`",
        ]
    );
    let many = tree(&"int x = ;\n".repeat(100)).expect_err("errors");
    assert_eq!(many.matches("error:").count(), 20);
}

#[test]
fn bad_types() {
    for (text, message) in [
        ("unsigned float x;", "`unsigned float` is not a type"),
        ("long long long x;", "`long` does not go with the type before it"),
        ("short char x;", "`short char` is not a type"),
        ("static extern int x;", "more than one storage class"),
        ("int x = (long short)1;", "`long short` is not a type"),
        ("}", "expected a declaration, found `}`"),
        ("int f()\nint g();", "expected `;` after declaration, found `int`"),
        ("int x = sizeof(static int);", "a storage class in a type name"),
        ("struct { static int x; };", "a storage class in a member"),
        ("struct;", "expected a tag or `{`, found `;`"),
        ("int x = sizeof(struct s {int,});", "expected a name, found `,`"),
    ] {
        let errors = tree(text).expect_err(text);
        assert!(errors.contains(message), "{text}\n{errors}");
    }
}
