//! Acceleration: long loops by hand, and random loops over narrow numbers against all their executions.

use crate::support::{PRELUDE, certified, cpu_limits, limits, program};
use robusto_engine::{Problem, accelerate, bmc, property};
use robusto_interp::inputs::{Request, Seeded};
use robusto_interp::{Code, Config, Inputs, Machine, Outcome, Silent, Streams};
use robusto_limits::{Limits, Progress};
use robusto_testing::Random;
use robusto_verdict::{Property, Reason, Report, Verdict};
use std::fmt::Write as _;
use std::time::Duration;

fn report(body: &str, limits: &Limits) -> Report {
    let text = format!("{PRELUDE}{body}");
    let options = bmc::Options::default();
    certified(&text, &options, |problem| accelerate::check(problem, &options, limits, &Progress::default()))
}

fn check(body: &str) -> Verdict {
    report(body, &limits()).verdict
}

fn proves(body: &str) {
    assert_eq!(check(body), Verdict::True, "{body}");
}

fn refutes(body: &str) {
    assert!(matches!(check(body), Verdict::False(_)), "{body}");
}

#[test]
fn steps_that_jump_over_the_bound() {
    let body = "int main() { unsigned x = 0; while (x < 0xfffff) x += 2; if (x % 2 != 1) __VERIFIER_error(); }";
    refutes(body);
    proves(&body.replace("!= 1", "!= 0"));
    // 0xffffffff is jumped over: the loop goes on from 1.
    let body = "int main() { unsigned x = 0; while (x != 5) x += 3; if (x != 5) __VERIFIER_error(); }";
    proves(body);
}

#[test]
fn downwards_and_differences() {
    let body = "int main() { unsigned x = 0xffff1; while (x > 1) x -= 2; if (x == 1) __VERIFIER_error(); }";
    refutes(body);
    proves(&body.replace("x == 1", "x != 1"));
    let body = "int main() { int n = __VERIFIER_nondet_int(), i = 0, j = n; while (i != n) { i++; j--; }
        if (j != 0) __VERIFIER_error(); }";
    proves(body);
}

#[test]
fn phases_and_calls() {
    let body = "unsigned f(unsigned z) { return z + 2; }
        int main() { unsigned x = 0; while (x < 0xfffff) { if (x < 0xfff1) x++; else x = f(x); }
        if (x % 2 == 1) __VERIFIER_error(); }";
    refutes(body);
    proves(&body.replace("== 1", "!= 1"));
}

#[test]
fn sums_modulo_a_power_of_two() {
    let body = "int main() { unsigned n = 1000000, i = 0, s = 0; while (i < n) { i++; s += i; }
        if (s == 1784293664u) __VERIFIER_error(); }";
    refutes(body);
    proves(&body.replace("s ==", "s !="));
}

#[test]
fn errors_inside_of_a_loop() {
    let body = "int main() { int i = 0, s = 0;
        while (i < 1000000) { if (s == 1500000) __VERIFIER_error(); s += 3; i++; } }";
    refutes(body);
    proves(&body.replace("1500000", "1500001"));
}

#[test]
fn values_that_iterations_ask_for() {
    let body = "int main() { int i = 0, a = 0;
        while (i < 30000) { int c = __VERIFIER_nondet_int(); if (c > 5) a += 2; else a++; i++; }
        if (a == 60000) __VERIFIER_error(); }";
    refutes(body);
    // What is asked for does not matter here.
    proves(
        "int main() { int i = 0, a = 0; while (i < 30000) { if (__VERIFIER_nondet_int()) a++; else a += 1; i++; }
        if (a != 30000) __VERIFIER_error(); }",
    );
}

#[test]
fn loops_in_loops() {
    let body = "int main() { unsigned x = 0, y, s = 0;
        while (x < 0xfffff) { y = 0; while (y < 10) { y++; s += 2; } x++; }
        if (s != 20 * 0xfffff) __VERIFIER_error(); }";
    proves(body);
    refutes(&body.replace("s != 20", "s == 20"));
}

#[test]
fn bounds_that_may_wrap_around_are_left_to_unrolling() {
    // With n = 255, i goes from 252 to 2, and the loop never ends.
    let body = "int main() { unsigned char n = __VERIFIER_nondet_uchar(), i = 0; unsigned k = 0;
        while (i < n) { i += 6; k++; if (k == 200) __VERIFIER_error(); } }";
    refutes(body);
    let body = "int main() { unsigned char n = __VERIFIER_nondet_uchar(), i = 0; unsigned k = 0; if (n > 250) return 0;
        while (i < n) { i += 3; k++; if (k == 200) __VERIFIER_error(); } }";
    proves(body);
}

#[test]
fn long_traces_are_not_written_down() {
    let body = "int main() { unsigned x = 0; while (x < 5000000) x++; __VERIFIER_error(); }";
    let Verdict::False(found) = check(body) else { panic!("it is reached") };
    assert!(found.trace.is_empty());
}

#[test]
fn without_closed_forms_it_ends() {
    let body = "int main() { unsigned x = 1; while (x < 1000) x *= 2; if (x == 7) __VERIFIER_error(); }";
    assert!(matches!(check(body), Verdict::Unknown(Reason::Unsupported(_))));
}

/// A program with one input and loops over narrow numbers.
fn random_program(seed: u64) -> String {
    let mut random = Random::new(seed);
    let mut text = String::from("int main() {\n  unsigned char n = __VERIFIER_nondet_uchar();\n");
    for var in ["i", "j", "s", "t"] {
        let ty = random.pick(&["unsigned char", "signed char", "unsigned char", "int"]);
        let start = if random.below(4) == 0 { "n".to_owned() } else { random.below(12).to_string() };
        let _ = writeln!(text, "  {ty} {var} = {start};");
    }
    let mut inside = 0;
    for _ in 0..1 + random.below(2) {
        a_loop(&mut random, &mut text, "i", 0, &mut inside);
    }
    let (var, op) = (random.pick(&["s", "t", "i"]), random.pick(&["==", "!=", ">"]));
    let value = if random.below(3) == 0 { "n".to_owned() } else { (random.below(300) as i64 - 100).to_string() };
    let _ = writeln!(text, "  if ({var} {op} {value}) __VERIFIER_error();\n  return 0;\n}}");
    text
}

fn a_loop(random: &mut Random, text: &mut String, counter: &str, depth: usize, inside: &mut u32) {
    let pad = "  ".repeat(depth + 1);
    let op = random.pick(&["<", "<", "<=", ">", ">=", "!="]);
    let bound = match random.below(3) {
        0 => "n".to_owned(),
        1 => "(n & 31)".to_owned(),
        _ => random.below(140).to_string(),
    };
    if random.below(2) == 0 || depth > 0 {
        let _ = writeln!(text, "{pad}{counter} = {};", random.below(9));
    }
    let _ = writeln!(text, "{pad}while ({counter} {op} {bound}) {{");
    let step = random.pick(&["1", "1", "2", "3", "5"]);
    let sign = if matches!(op, ">" | ">=") || random.below(8) == 0 { "-" } else { "+" };
    let _ = writeln!(text, "{pad}  {counter} {sign}= {step};");
    for _ in 0..1 + random.below(2) {
        let limit = random.below(60);
        let statement = match random.below(9) {
            0 => "s += 3;".to_owned(),
            1 => format!("s += {counter};"),
            2 => "s -= n;".to_owned(),
            3 => format!("t = {counter};"),
            4 => "t = s + n;".to_owned(),
            5 => format!("if ({counter} < {limit}) s++; else s += 2;"),
            6 => "if (__VERIFIER_nondet_uchar() & 1) t++; else s++;".to_owned(),
            7 if *inside == 0 => {
                *inside = 1;
                format!("if (s == {limit}) __VERIFIER_error();")
            }
            _ => "t += s;".to_owned(),
        };
        let _ = writeln!(text, "{pad}  {statement}");
    }
    if depth == 0 && random.below(4) == 0 {
        a_loop(random, text, "j", 1, inside);
    }
    let _ = writeln!(text, "{pad}}}");
}

/// The first value asked for is this one, the others are random.
struct First {
    first: Option<u8>,
    random: Seeded,
}

impl Inputs for First {
    fn value(&mut self, request: Request) -> u128 {
        self.first.take().map_or_else(|| self.random.value(request), u128::from)
    }
}

/// Whether one of some executions with each input reaches the error; `None` if none does and some have no end.
fn is_violated(text: &str) -> Option<bool> {
    let mut program = program(text);
    property::instrument(&mut program, &Property::UnreachCall);
    let code = Code::new(&program);
    let mut ends = true;
    for (input, seed) in (0..=255u8).flat_map(|input| (0..3).map(move |seed| (input, seed))) {
        let mut inputs = First { first: Some(input), random: Seeded::new(seed) };
        let (mut out, mut err) = (std::io::sink(), std::io::sink());
        let streams = Streams { out: &mut out, err: &mut err };
        let config = Config { max_steps: Some(30_000), ..Config::default() };
        let mut machine = Machine::new(&program, &code, config, &mut inputs, Silent, streams).expect("it starts");
        match machine.run() {
            Outcome::ErrorReached { .. } => return Some(true),
            Outcome::StepLimit => ends = false,
            _ => {}
        }
    }
    ends.then_some(false)
}

#[test]
fn agrees_with_executions_of_random_loops() {
    let cases: u64 = std::env::var("ROBUSTO_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(80);
    let (mut proved, mut refuted, mut open) = (0, 0, 0);
    for seed in 0..cases {
        let body = random_program(seed);
        let text = format!("{PRELUDE}{body}");
        let short = cpu_limits(Duration::from_millis(1000));
        match report(&body, &short).verdict {
            Verdict::True => {
                assert_ne!(is_violated(&text), Some(true), "seed {seed}: an error is reachable\n{text}");
                proved += 1;
            }
            Verdict::False(_) => refuted += 1,
            Verdict::Unknown(reason) => {
                let allowed = matches!(reason, Reason::Timeout | Reason::Unsupported(_));
                assert!(allowed, "seed {seed}: {reason}\n{text}");
                open += 1;
            }
        }
    }
    println!("{proved} proved, {refuted} refuted, {open} open");
    assert!(proved * 10 > cases && refuted * 4 > cases, "{proved} proved, {refuted} refuted, {open} open");
}

#[test]
fn counterexamples_of_several_targets() {
    let text = format!(
        "{PRELUDE}int main() {{ unsigned i = 0; while (i < 100000) i++; if (i == 100000) __VERIFIER_error();
        __VERIFIER_error(); }}"
    );
    let problem = Problem::new(program(&text), &Property::UnreachCall);
    let report = accelerate::check(&problem, &bmc::Options::default(), &limits(), &Progress::default());
    assert!(matches!(report.verdict, Verdict::False(_)));
}
