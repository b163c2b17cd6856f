//! What is printed is read back.

use crate::{random, samples};
use robusto_cfa::ir::{DataModel, Program};
use robusto_cfa::text::{parse, print, same};
use robusto_cfa::verify::verify;

/// Prints, parses, compares, prints again.
pub fn check(program: &Program) {
    let text = print(program);
    let back = parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert!(same(program, &back), "not the same:\n{text}\n{}", print(&back));
    assert_eq!(text, print(&back));
}

#[test]
fn the_text_of_a_small_program() {
    let expected = "\
program LP64
main main
file 0 \"count.c\"
assume \"malloc never fails\" @7:3

global n: s32 = 10 @1:5

function main(argc: s32 @2:5) -> i32 @3:5 {
  object buf: size 16 align 1
  local i: s32 @3:5
  label again: L1 @6:1
  entry L0, exit L5
  L0 -> L1: i := 0                                           @5:11
  L1 -> L2: assume i <s n                                    @6:10
  L1 -> L4: assume not (i <s n)                              @6:10
  L2 -> L3: i8[&buf + sext64(i)] := trunc8(i)                @6:18
  L3 -> L1: i := i + 1                                       @6:25
  L4 -> L5: return 0                                         @7:3
}
";
    assert_eq!(print(&samples::counter()), expected);
}

#[test]
fn small_program() {
    check(&samples::counter());
}

#[test]
fn everything() {
    check(&samples::everything(DataModel::Lp64));
    check(&samples::everything(DataModel::Ilp32));
}

#[test]
fn empty_program() {
    check(&Program::new(DataModel::Ilp32));
}

#[test]
fn shared_expressions_stay_small() {
    assert!(print(&samples::everything(DataModel::Lp64)).len() < 300_000);
}

#[test]
fn random_programs() {
    for seed in 0..1000 {
        let program = random::program(seed);
        if let Err(violations) = verify(&program) {
            panic!("seed {seed}: {}\n{}", violations[0], print(&program));
        }
        check(&program);
    }
}

#[test]
fn programs_that_differ_are_not_the_same() {
    let programs: Vec<Program> = (0..20).map(random::program).collect();
    for (i, a) in programs.iter().enumerate() {
        for (j, b) in programs.iter().enumerate() {
            assert_eq!(same(a, b), i == j, "seeds {i} and {j}");
        }
    }
}

/// The example in the documentation of the language.
#[test]
fn the_documented_example() {
    let source = include_str!("../../src/text/mod.rs");
    let example = source.split("```").nth(1).expect("there is an example").trim_start_matches("text\n");
    let lines: Vec<&str> = example.lines().map(|line| line.trim_start_matches("//!").trim_start_matches(' ')).collect();
    let program = parse(&lines.join("\n")).unwrap();
    assert_eq!(verify(&program), Ok(()));
    check(&program);
}
