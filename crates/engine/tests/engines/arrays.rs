//! Invariants about all elements: random programs with loops over arrays against all their executions, small programs by
//! hand, and what the check of certificates refuses. Every proof is certified.

use crate::support::{PRELUDE, certified, cpu_limits, limits, problem, random_flat_text, reaches_error};
use robusto_engine::arrays::{self, Options};
use robusto_engine::certify;
use robusto_limits::Progress;
use robusto_testing::Random;
use robusto_verdict::{Certificate, Verdict};
use std::fmt::Write as _;
use std::time::Duration;

/// Time for one random program.
const TIME: Duration = Duration::from_secs(5);

fn verdict_within(text: &str, time: Duration) -> Verdict {
    let options = Options::default();
    let check = |problem: &_| arrays::check(problem, &options, &cpu_limits(time), &Progress::default(), |_| {});
    certified(text, &options, check).verdict
}

fn verdict(text: &str) -> Verdict {
    verdict_within(text, TIME)
}

fn is_proved(body: &str) -> bool {
    verdict_within(&format!("{PRELUDE}{body}"), Duration::from_secs(60)) == Verdict::True
}

/// Loops over arrays of four elements, and a question about all of them.
fn random_arrays(seed: u64) -> String {
    let mut random = Random::new(seed);
    let mut text = PRELUDE.to_owned();
    text.push_str("int left = 3, a[4], b[4], m, s, j;\n");
    text.push_str("int in(void) { if (left == 0) return 1; left--; return __VERIFIER_nondet_uchar() & 3; }\n");
    let n = random.pick(&["4", "4", "in()", "3"]);
    let _ = writeln!(text, "int main() {{\n  int i, n = {n}, x = in();");
    for _ in 0..1 + random.below(3) {
        let (to, from) = (random.pick(&["a", "b"]), random.pick(&["a", "b"]));
        let c = random.below(4);
        let body = match random.below(9) {
            0 => format!("{to}[i] = {c};"),
            1 => format!("{to}[i] = i + {c};"),
            2 => format!("{to}[i] = {from}[i];"),
            3 => format!("{to}[i] = {from}[i] + {c};"),
            4 => format!("if ({from}[i] > {c}) {to}[i] = x; else {to}[i] = {c};"),
            5 => format!("{to}[i] = {from}[n - 1 - i];"),
            6 => format!("if (m < {from}[i]) m = {from}[i];"),
            7 => format!("s += {from}[i];"),
            _ => format!("if ({from}[i] == {c}) {{ {to}[j & 3] = i; j++; }}"),
        };
        let start = if random.below(5) == 0 { 1 } else { 0 };
        let _ = writeln!(text, "  for (i = {start}; i < n; i++) {{ {body} }}");
    }
    let c = random.below(4);
    let claim = random.pick(&[
        "a[i] == b[i]",
        "a[i] == C",
        "b[i] == C",
        "a[i] <= m",
        "b[i] <= m",
        "a[i] == i + C",
        "s == C * n",
        "b[i] == a[i] + C",
    ]);
    let claim = claim.replace('C', &c.to_string());
    let _ = writeln!(text, "  for (i = 0; i < n; i++) {{ if (!({claim})) __VERIFIER_error(); }}\n  return 0;\n}}");
    text
}

#[test]
fn no_proof_contradicts_an_execution() {
    let (mut proved, mut safe) = (0, 0);
    for seed in 0..160 {
        let text = random_arrays(seed);
        let is_safe = !reaches_error(&text);
        safe += usize::from(is_safe);
        match verdict(&text) {
            Verdict::True => {
                assert!(is_safe, "seed {seed}\n{text}");
                proved += 1;
            }
            Verdict::False(_) => panic!("it finds no errors\n{text}"),
            Verdict::Unknown(_) => {}
        }
    }
    assert!(proved >= safe / 3, "{proved} of {safe}");
}

#[test]
fn nor_in_programs_of_any_kind() {
    for seed in 0..60 {
        let text = random_flat_text(seed);
        if verdict(&text) == Verdict::True {
            assert!(!reaches_error(&text), "seed {seed}\n{text}");
        }
    }
}

#[test]
fn elements_that_were_written() {
    let body = "int a[1000]; int main() { int i; for (i = 0; i < 1000; i++) a[i] = 42;
        for (i = 0; i < 1000; i++) if (a[i] != 42) __VERIFIER_error(); return 0; }";
    assert!(is_proved(body));
    assert!(!is_proved(&body.replace("a[i] != 42", "a[i] != 41")));
    assert!(!is_proved(&body.replacen("i < 1000", "i < 999", 1)), "the last element is 0");
    assert!(!is_proved(&body.replacen("i = 0", "i = 1", 1)), "the first element is 0");
}

#[test]
fn elements_that_were_copied() {
    let body = "int main() { int n = __VERIFIER_nondet_int(); if (n < 1 || n > 100000) return 0;
        int a[100000], b[100000], c[100000], i;
        for (i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();
        for (i = 0; i < n; i++) b[i] = a[i];
        for (i = 0; i < n; i++) c[i] = b[n - 1 - i];
        for (i = 0; i < n; i++) if (c[i] != a[n - 1 - i]) __VERIFIER_error(); return 0; }";
    assert!(is_proved(body));
    assert!(!is_proved(&body.replace("c[i] != a[n - 1 - i]", "c[i] != a[i]")));
    assert!(!is_proved(&body.replace("b[i] = a[i]", "b[i] = a[0]")));
}

#[test]
fn the_greatest_element() {
    let body =
        "int a[5000]; int main() { int i, m; for (i = 0; i < 5000; i++) a[i] = __VERIFIER_nondet_int(); m = a[0];
        for (i = 1; i < 5000; i++) if (m < a[i]) m = a[i];
        for (i = 0; i < 5000; i++) if (a[i] > m) __VERIFIER_error(); return 0; }";
    assert!(is_proved(body));
    assert!(!is_proved(&body.replace("i = 1", "i = 2")));
    assert!(!is_proved(&body.replace("a[i] > m", "a[i] >= m")));
}

#[test]
fn sums_of_what_is_known() {
    let body = "int a[3000]; int main() { int i, s = 0; for (i = 0; i < 3000; i++) a[i] = 2;
        for (i = 0; i < 3000; i++) s = s + a[i];
        if (s != 6000) __VERIFIER_error(); return 0; }";
    assert!(is_proved(body));
    assert!(!is_proved(&body.replace("a[i] = 2", "a[i] = i & 2")));
}

#[test]
fn elements_apart() {
    let body = "int a[3000]; int main() { int i; for (i = 0; i < 1000; i++) { a[3 * i] = 1; a[3 * i + 1] = 2; a[3 * i + 2] = 3; }
        for (i = 0; i < 3000; i++) if (a[i] == 0) __VERIFIER_error(); return 0; }";
    assert!(is_proved(body));
    assert!(!is_proved(&body.replace("a[3 * i + 1] = 2; ", "")));
}

/// What is said of all elements is checked for all: too large a segment, a wrong value, a bound that is not kept.
#[test]
fn wrong_claims_about_elements_are_refused() {
    let text = format!(
        "{PRELUDE}int a[100]; int main() {{ int i; for (i = 0; i < 100; i++) a[i] = 7;
         if (a[__VERIFIER_nondet_uchar() % 100] != 7) __VERIFIER_error(); return 0; }}"
    );
    let problem = problem(&text);
    let report = arrays::check(&problem, &Options::default(), &limits(), &Progress::default(), |_| {});
    let Some(Certificate::Invariant(entries)) = report.certificate else { panic!("{:?}", report.verdict) };
    assert!(entries.iter().any(|entry| entry.formula.contains("any")), "{entries:?}");
    certify::check(&problem, &Certificate::Invariant(entries.clone()), &limits()).expect("it is right");
    let mut wrong = 0;
    for i in 0..entries.len() {
        let formula = &entries[i].formula;
        let changes = [
            "true".to_owned(),
            format!("(and (eq (select m0 any) 7:32) {formula})"),
            format!("(and (ult any 5:64) {formula})"),
            formula.replace("any", "3:64"),
        ];
        for change in changes.into_iter().filter(|change| change != formula) {
            let mut changed = entries.clone();
            changed[i].formula = change;
            assert!(certify::check(&problem, &Certificate::Invariant(changed), &limits()).is_err());
            wrong += 1;
        }
    }
    assert!(wrong >= 4);
}
