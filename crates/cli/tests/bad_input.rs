//! Bad input ends with a diagnostic and exit code 2: no panic, no stack overflow, no hang.

mod support;

use support::Folder;

const DEPTH: usize = 100_000;

fn nested(before: &str, open: &str, middle: &str, close: &str, after: &str) -> String {
    format!("{before}{}{middle}{}{after}", open.repeat(DEPTH), close.repeat(DEPTH))
}

fn in_main(statement: &str) -> String {
    format!("int main(void) {{ int x = 0; int *p = &x; {statement} return x; }}\n")
}

#[test]
fn wrong_text() {
    let folder = Folder::new("bad_text");
    let garbage: Vec<u8> = (0..4096u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    let table: &[(&str, &[u8], &str)] = &[
        ("truncated.c", b"int main(void) {\n    if (1) {\n        return 0;\n", "truncated.c:"),
        ("truncated_expr.c", b"int main(void) { return 1 +", "truncated_expr.c:1:"),
        ("truncated_string.c", b"char *s = \"abc", "truncated_string.c:1:11"),
        ("truncated_comment.c", b"int x; /* abc", "truncated_comment.c:1:8"),
        ("truncated_if.c", b"#if 1\nint x;\n", "truncated_if.c:1:"),
        ("garbage.c", &garbage, "garbage.c:1:"),
        ("garbage.i", &garbage, "garbage.i:1:"),
        ("zeros.c", &[0; 1000], "zeros.c:1:1"),
        ("unknown_type.c", b"int main(void) {\n    quux_t x;\n    return 0;\n}\n", "unknown_type.c:2:5"),
        ("unknown_struct.c", b"struct s v;\nint main(void) { return v.a; }\n", "unknown_struct.c:"),
        ("unknown_name.c", b"int main(void) { return y; }\n", "unknown_name.c:1:25"),
        ("type_error.c", b"struct s { int a; } v;\nint main(void) {\n  return v + 1;\n}\n", "type_error.c:3:"),
        ("not_c.c", b"fn main() { println!(\"hello\"); }\n", "not_c.c:1:"),
        ("directive.c", b"#define\nint main(void) { return 0; }\n", "directive.c:1:"),
        ("error.c", b"\n#error \"do not\"\n", "error.c:2:"),
        (
            "cprover.c",
            b"int main(void) {\n  __CPROVER_foo(1);\n}\n",
            "cprover.c:2:3: error: `__CPROVER_foo` of CBMC is not known",
        ),
        ("esbmc.c", b"int main(void) { return __ESBMC_foo(); }\n", "`__ESBMC_foo` of ESBMC is not known"),
        ("klee.c", b"void klee_foo(int *);\nint main(void) { int x; klee_foo(&x); }\n", "klee.c:2:25"),
        ("sv_comp.c", b"int main(void) { __VERIFIER_foo(); }\n", "`__VERIFIER_foo` of SV-COMP is not known"),
        ("fewer.c", b"int main(void) { klee_assume(); }\n", "`klee_assume` of KLEE takes more arguments"),
        ("latin1.c", b"/* \xe9\xe9\xe9 */ int x = \xe9;\n", "latin1.c:1:19"),
    ];
    for (name, content, place) in table {
        folder.write(name, content);
        folder.run(&["cfa", name]).rejects(name).says(place);
    }
}

#[test]
fn diagnostics_are_counted() {
    let folder = Folder::new("bad_count");
    folder.write("one.c", "int main(void) { return y; }\n");
    let outcome = folder.run(&["cfa", "one.c"]).rejects("one.c");
    assert_eq!(outcome.stderr.lines().last(), Some("1 error"));
    folder.run(&["run", "one.c"]).rejects("one.c");
}

#[test]
fn wrong_files() {
    let folder = Folder::new("bad_files");
    folder.write("folder.c/x", "");
    folder.run(&["cfa", "absent.c"]).expect(2).says("absent.c: error: cannot read the file").says("1 error");
    folder.run(&["cfa", "folder.c"]).expect(2).says("folder.c: error: cannot read the file");
    folder.run(&["cfa", "absent.c", "absent.i", "absent.yml"]).expect(2).says("absent.yml");
    folder.run(&["run", "absent.c"]).expect(2);
}

#[test]
fn empty_program() {
    let folder = Folder::new("bad_empty");
    folder.write("empty.c", "").write("blank.i", "\n\n  /* nothing */\n").write("off.c", "#ifdef X\nint x;\n#endif\n");
    for name in ["empty.c", "blank.i", "off.c"] {
        folder.run(&["cfa", name]).rejects(name).says(&format!("{name}:1:1: error: the program is empty"));
    }
    folder.write("main.c", "int main(void) { return 0; }\n").write("no_main.c", "int x;\n");
    folder.run(&["cfa", "empty.c", "off.c", "main.c"]).expect(0);
    folder.run(&["run", "no_main.c"]).expect(2).says("main");
}

#[test]
fn deep_nesting_is_rejected() {
    let folder = Folder::new("bad_deep");
    let table = [
        ("parentheses", in_main(&nested("x = ", "(", "1", ")", ";"))),
        ("open parentheses", format!("int x = {}", "(".repeat(DEPTH))),
        ("blocks", in_main(&nested("", "{", "", "}", ""))),
        ("open blocks", format!("int main(void) {}", "{".repeat(DEPTH))),
        ("initialisers", nested("int x = ", "{", "1", "}", ";\n")),
        ("open brackets", format!("int main(void) {{ return x{}", "[x".repeat(DEPTH))),
        ("not", in_main(&nested("x = ", "!", "x", "", ";"))),
        ("minus", in_main(&nested("x = ", "- ", "x", "", ";"))),
        ("complement", in_main(&nested("x = ", "~", "x", "", ";"))),
        ("dereference", in_main(&nested("x = ", "*", "p", "", ";"))),
        ("pointers", nested("int ", "*", "p", "", ";\n")),
        ("casts", in_main(&nested("x = ", "(int)", "x", "", ";"))),
        ("sizeof", in_main(&nested("x = ", "sizeof ", "x", "", ";"))),
        ("declarators", nested("int ", "(", "x", ")", ";\n")),
        ("function types", nested("int ", "(*", "f", ")(void)", ";\n")),
        ("structs", nested("", "struct {", "int a;", "} x;", "\n")),
        ("statement expressions", in_main(&nested("x = ", "({", "1;", "})", ";"))),
        ("typeof", nested("", "typeof(", "int", ")", " x;\n")),
        ("calls", in_main(&nested("x = ", "f(", "1", ")", ";"))),
        ("garbage brackets", "([{".repeat(DEPTH)),
    ];
    for (what, text) in table {
        println!("{what}");
        folder.write("deep.c", text);
        folder.run(&["cfa", "--stats", "deep.c"]).rejects("deep.c");
    }
}

/// Long rather than deep, or deep on one side only: accepted or rejected, but answered.
#[test]
fn long_chains_are_answered() {
    let folder = Folder::new("bad_long");
    let table = [
        ("sum", in_main(&nested("x = 1", "", "", " + x", ";"))),
        ("comma", in_main(&nested("x = (1", "", "", ", x", ");"))),
        ("and", in_main(&nested("x = 1", "", "", " && x", ";"))),
        ("conditional", in_main(&nested("x = ", "x ? 1 : ", "2", "", ";"))),
        ("assignment", in_main(&nested("", "x = ", "2", "", ";"))),
        ("if", in_main(&nested("", "if (x) ", ";", "", ""))),
        ("else if", in_main(&nested("", "if (x) x++; else ", ";", "", ""))),
        ("while", in_main(&nested("", "while (x) ", ";", "", ""))),
        ("labels", in_main(&(0..DEPTH).map(|i| format!("l{i}: ")).chain([";".into()]).collect::<String>())),
        (
            "cases",
            in_main(&format!("switch (x) {{ {} ; }}", (0..DEPTH).map(|i| format!("case {i}: ")).collect::<String>())),
        ),
        ("statements", in_main(&"x++;".repeat(DEPTH))),
        ("strings", format!("char s[] = {};\n", "\"a\" ".repeat(DEPTH))),
        ("one line", format!("int x; /* {} */ int main(void) {{ return x; }}", "long ".repeat(4_000_000))),
        ("name", format!("int {};", "x".repeat(5_000_000))),
        ("number", format!("int x = {};", "1".repeat(1_000_000))),
        ("array of arrays", nested("int a", "[1]", "", "", ";\n")),
        ("subscripts", in_main(&nested("x = p", "[0]", "", "", ";"))),
        ("members", in_main(&nested("x = p", "->a", "", "", ";"))),
        ("parameters", format!("int f({});\n", vec!["int"; DEPTH].join(", "))),
        ("functions", (0..DEPTH / 10).map(|i| format!("int f{i}(int a) {{ return a + {i}; }}\n")).collect()),
        ("errors", "int main(void) { return y; }\n".repeat(DEPTH / 10)),
        ("conditions", format!("{}int x;\n{}", "#if 1\n".repeat(DEPTH), "#endif\n".repeat(DEPTH))),
        ("macros", (0..DEPTH / 10).map(|i| format!("#define M{} M{i} M{i}\n", i + 1)).collect()),
    ];
    for (what, text) in table {
        println!("{what}");
        folder.write("long.c", text);
        let outcome = folder.run(&["cfa", "--stats", "long.c"]);
        assert!(matches!(outcome.code, Some(0 | 2)), "{what}: {:?} {:.2000}", outcome.code, outcome.stderr);
        assert!(outcome.stderr.len() < 200_000, "{what}: {} bytes of diagnostics", outcome.stderr.len());
    }
}

/// What stays below the limits is accepted, and no later pass overflows the stack on it.
#[test]
fn depth_below_the_limits_is_accepted() {
    let folder = Folder::new("bad_below_limits");
    let (depth, length) = (4000, 20_000);
    let table = [
        ("parentheses", format!("x = {}1{};", "(".repeat(depth), ")".repeat(depth))),
        ("minus", format!("x = {}x;", "- ".repeat(depth))),
        ("casts", format!("x = {}x;", "(int)(char)".repeat(depth / 2))),
        ("blocks", format!("{}{}", "{".repeat(depth), "}".repeat(depth))),
        ("if", format!("{};", "if (x) ".repeat(depth))),
        ("while", format!("{};", "while (x) ".repeat(depth))),
        ("switch", format!("{}x++;", "switch (x) case 1: ".repeat(depth / 2))),
        ("calls", format!("x = {}1{};", "f(".repeat(depth), ")".repeat(depth))),
        ("conditional", format!("x = {}2;", "x ? 1 : ".repeat(depth))),
        ("assignment", format!("{}2;", "x = ".repeat(depth))),
        ("sum", format!("x = 1{};", " + x".repeat(length))),
        ("quotient", format!("x = 1{};", " / x".repeat(length))),
        ("or", format!("if (1{}) x = 3;", " || x".repeat(length))),
        ("comma", format!("x = (1{});", ", x++".repeat(length))),
    ];
    for (what, statement) in table {
        println!("{what}");
        folder.write("a.c", format!("int f(int a) {{ return a; }}\n{}", in_main(&statement)));
        folder.run(&["cfa", "--stats", "a.c"]).expect(0);
        folder.run(&["cfa", "-o", "out", "a.c"]).expect(0);
        assert!(folder.run(&["run", "--max-steps", "1000", "a.c"]).code.is_some(), "{what}: ended by a signal");
    }
}

/// A macro that doubles with each level must not fill the memory.
#[test]
fn exploding_macros_are_rejected() {
    let folder = Folder::new("bad_macros");
    let levels: String = (0..64).map(|i| format!("#define M{} M{i} M{i}\n", i + 1)).collect();
    folder.write("bomb.c", format!("#define M0 1 +\n{levels}int x = M64 1;\n"));
    folder.run(&["cfa", "bomb.c"]).rejects("bomb.c");
}
