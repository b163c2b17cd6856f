//! Time and size of large programs.

use crate::support::program;
use robusto_boolprog::{Facts, Program};
use robusto_testing::thread_time;
use std::fmt::Write as _;
use std::time::Duration;

/// A hundred procedures over globals, in a chain of calls, each with a statement per ten globals.
fn large(globals: usize) -> String {
    let names: Vec<String> = (0..globals).map(|i| format!("g{i}")).collect();
    let mut out = format!("decl {};\n", names.join(", "));
    for procedure in 0..100 {
        let name = if procedure == 0 { "main".to_owned() } else { format!("p{procedure}") };
        let _ = writeln!(out, "void {name}() begin");
        for i in (procedure % 10..globals).step_by(10) {
            let [a, b, c] = [i, i * 7 + procedure, i * 3 + 1].map(|i| &names[i % globals]);
            let _ = writeln!(out, "  {a} := ({b} & !{c}) | (* & {a});\n  if {b} ^ {c} then {a} := {c}; fi");
        }
        if procedure < 99 {
            let _ = writeln!(out, "  p{}();", procedure + 1);
        }
        let _ = writeln!(out, "  assert(g0 | !g0);\nend");
    }
    out
}

/// The shortest of some CPU times, so that a busy machine does not matter.
fn shortest(mut work: impl FnMut()) -> Duration {
    let time = |()| {
        let start = thread_time();
        work();
        thread_time() - start
    };
    [(); 7].map(time).into_iter().min().unwrap_or_default()
}

/// Five times the globals, in five times the text, take at most seven times as long to read and to translate.
#[test]
fn reading_takes_time_by_the_length_of_the_text() {
    let [small, large] = [large(100), large(500)];
    is_within(7, || [&small, &large].map(|text| shortest(|| drop(program(text)))));
    let [small, large] = [&small, &large].map(|text| program(text));
    // Sets of 500 variables have four times the words of sets of 100, and there are five times as many.
    is_within(25, || [&small, &large].map(|program: &Program| shortest(|| drop(Facts::new(program)))));
}

/// The second time is at most so many times the first one, in one of several attempts: others share the caches.
fn is_within(times: u32, mut measure: impl FnMut() -> [Duration; 2]) {
    let mut attempts = (0..5).map(|_| measure());
    let seen: Vec<[Duration; 2]> = attempts.by_ref().take_while(|[few, many]| *many > times * *few).collect();
    assert!(seen.len() < 5, "more than {times} times as long: {seen:?}");
}
