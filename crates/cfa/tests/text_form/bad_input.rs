//! The parser on texts that are no programs.

use crate::{random, samples};
use robusto_cfa::ir::DataModel;
use robusto_cfa::text::{parse, print};
use robusto_cfa::verify::verify;
use robusto_testing::Random;

const START: &str = "program LP64\nfunction f(x: s32, p: ptr, d: f64) -> i32 {\n  entry L0, exit L1\n";

/// Checks position and message of the error in an edge that follows [`START`]; columns count from `L0`.
fn check_edge(edge: &str, column: usize, message: &str) {
    let text = format!("{START}{edge}\n}}\n");
    let error = parse(&text).expect_err(edge);
    assert!(error.message.contains(message), "{edge}: {error}");
    assert_eq!((error.line, error.column), (4, column), "{edge}: {error}");
}

#[test]
fn errors_in_edges() {
    check_edge("L0 -> L1: return x + y", 22, "no declaration");
    check_edge("L0 -> L1: return x + 3:i64", 22, "expected a value of type i32, found i64");
    check_edge("L0 -> L1: return x +", 21, "expected an expression");
    check_edge("L0 -> L1: return x / 2", 18, "`/s` or `/u`");
    check_edge("L0 -> L1: return x < 2", 18, "expected a value of type i32, found i1");
    check_edge("L0 -> L1: return d", 18, "expected a value of type i32, found f64");
    check_edge("L0 -> L1: return 4294967296", 18, "no constant of type i32");
    check_edge("L0 -> L1: return -2147483649", 18, "no constant of type i32");
    check_edge("L0 -> L1: return 1.5", 18, "no constant of type i32");
    check_edge("L0 -> L1: return trunc8(x)", 18, "expected a value of type i32, found i8");
    check_edge("L0 -> L1: return trunc32(x)", 18, "Trunc does not convert i32 to i32");
    check_edge("L0 -> L1: return zext32(5)", 25, "type of this constant is not clear");
    check_edge("L0 -> L1: return foo8(x)", 18, "no such conversion");
    check_edge("L0 -> L1: return !x", 18, "`!` takes a bool");
    check_edge("L0 -> L1: return i31x[p]", 18, "expected a type");
    check_edge("L0 -> L1: return i65[p]", 18, "expected a type");
    check_edge("L0 -> L1: return i32[x]", 22, "expected a value of type ptr");
    check_edge("L0 -> L1: return p + 1", 18, "expected a value of type i32, found ptr");
    check_edge("L0 -> L1: return &x", 19, "a variable has no address");
    check_edge("L0 -> L1: return $1", 18, "no `let`");
    check_edge("L0 -> L1: return f", 18, "this is a function");
    check_edge("L0 -> L1: d := d & d", 16, "does not take floats");
    check_edge("L0 -> L1: assume x", 18, "expected a value of type i1");
    check_edge("L0 -> L1: call f(x)", 17, "1 arguments for 3 parameters");
    check_edge("L0 -> L1: call x()", 16, "no function");
    check_edge("L0 -> L1: builtin foo()", 19, "no builtin");
    check_edge("L0 -> L1: copy(p, p)", 15, "expected 3 operands");
    check_edge("L0 -> L1: x := alloc heap(8)", 11, "instead of ptr");
    check_edge("L0 -> L1: error foo", 17, "expected a property");
    check_edge("L0 -> L1: skip x", 16, "end of the line");
    check_edge("L0 -> L1: skip @1", 18, "expected `:`");
    check_edge("L0 -> L1: skip @1:99999", 17, "too large");
    check_edge("L0 -> M1: skip", 7, "expected a location");
    check_edge("L0 -> L99999: skip", 7, "too large");
    check_edge("L0 -> L50: skip", 1, "no location before L50");
    check_edge("L0 -> L1: return 0 ?", 20, "no meaning");
    check_edge("let $2: i32 = x", 5, "expected `$1`");
}

#[test]
fn errors_in_declarations() {
    let cases = [
        ("", 1, 1, "expected `program`"),
        ("program LP65", 1, 9, "expected `LP64` or `ILP32`"),
        ("program LP64\nmain f", 2, 6, "no function"),
        ("program LP64\nfoo", 2, 1, "expected a declaration"),
        ("program LP64\nfile 1 \"a\"", 2, 1, "numbered"),
        ("program LP64\nfile 0 \"a", 2, 8, "closing quote"),
        ("program LP64\nfile 0 \"\\y\"", 2, 8, "escape"),
        ("program LP64\nfile 0 \"\\xff\"", 2, 8, "UTF-8"),
        ("program LP64\nglobal x: s32 = 0\nglobal x: s32 = 0", 3, 8, "another declaration"),
        ("program LP64\nglobal #1 x: s32 = 0", 2, 11, "there is no number 0"),
        ("program LP64\nglobal x: s32 = 0\nglobal #0 y: s32 = 0", 3, 11, "another variable with number 0"),
        ("program LP64\nglobal x: s65 = 0", 2, 11, "expected a type"),
        ("program LP64\nglobal x: s32 = 0.5", 2, 17, "no constant of type i32"),
        ("program LP64\nglobal x: s128 = 0", 2, 18, "no constant of type i128"),
        ("program LP64\nobject x: size 4 align 1 = x\"0\"", 2, 28, "expected bytes"),
        ("program LP64\nobject x: size 4 align 1 {\n0: \"ab\"\n1: \"c\"\n}", 4, 4, "overlap"),
        ("program LP64\nobject x: size 4 align 1 {\n99999999999: \"c\"\n}", 3, 14, "too large"),
        ("program LP64\nobject x: size 4 align 1 {\n0: &y\n}", 3, 5, "no declaration"),
        ("program LP64\nfunction f() {\nL0 -> L1: skip\n}", 3, 1, "expected `object`"),
        ("program LP64\nfunction f() {\nentry L0, exit L1\n", 4, 1, "expected `}`"),
    ];
    for (text, line, column, message) in cases {
        let error = parse(text).expect_err(text);
        assert!(error.message.contains(message), "{text}: {error}");
        assert_eq!((error.line, error.column), (line, column), "{text}: {error}");
    }
}

#[test]
fn deep_nesting_is_an_error() {
    let deep = 100_000;
    let expressions = [
        format!("{}x{}", "(".repeat(deep), ")".repeat(deep)),
        format!("{}x", "-".repeat(deep)),
        format!("x{}", " + x".repeat(deep)),
        format!("x{}", " - (x".repeat(deep)),
        format!("{}p{}", "ptr[".repeat(deep), "]".repeat(deep)),
        format!("{}x{}", "int(".repeat(deep), ")".repeat(deep)),
    ];
    for expression in expressions {
        let text = format!("{START}L0 -> L1: return {expression}\n}}\n");
        let error = parse(&text).expect_err("too deep");
        assert!(error.message.contains("nested too deeply"), "{error}");
    }
}

#[test]
fn comments_blank_lines_and_missing_places() {
    let text =
        "\n// a comment\nprogram LP64 // another\n\nfunction f() {\n\n  entry L0, exit L1\n // x\n L0 -> L1: return\n}";
    let program = parse(text).unwrap();
    assert_eq!(verify(&program), Ok(()));
}

/// What the parser accepts can be printed and read again, and the verifier gives an answer.
fn survives(text: &str) {
    if let Ok(program) = parse(text) {
        let _ = verify(&program);
        let printed = print(&program);
        if verify(&program).is_ok() {
            assert_eq!(parse(&printed).map(|p| print(&p)), Ok(printed));
        }
    }
}

#[test]
fn truncation_at_every_byte() {
    let text = print(&random::program(3)) + &print(&samples::counter())["program LP64".len()..];
    for end in (0..text.len()).filter(|&end| text.is_char_boundary(end)) {
        survives(&text[..end]);
    }
}

#[test]
fn truncation_of_a_large_text() {
    let text = print(&samples::everything(DataModel::Lp64));
    for end in (0..text.len()).step_by(997).filter(|&end| text.is_char_boundary(end)) {
        survives(&text[..end]);
    }
}

#[test]
fn random_changes() {
    let mut random = Random::new(1);
    for seed in 0..3000 {
        let mut bytes = print(&random::program(seed % 50)).into_bytes();
        for _ in 0..1 + random.below(3) {
            let at = random.below(bytes.len());
            match random.below(4) {
                0 => bytes[at] = random.bits() as u8,
                1 => bytes[at] = random.pick(b"0123456789+-*/<>=()[]{}@#&:,. \n'\"$Lxsu"),
                2 => drop(bytes.remove(at)),
                _ => {
                    let from = random.below(bytes.len());
                    let to = (from + random.below(30)).min(bytes.len());
                    let piece = bytes[from..to].to_vec();
                    bytes.splice(at..at, piece);
                }
            }
        }
        survives(&String::from_utf8_lossy(&bytes));
    }
}
