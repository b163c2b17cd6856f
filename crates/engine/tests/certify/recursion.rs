//! Random recursive programs: what summaries prove is certified, no execution contradicts it, and it is no proof of a program
//! that has an error.

use super::{BMC, SUMMARIES, accept, is_refuted, problem, run};
use robusto_testing::Random;
use robusto_verdict::{Certificate, Verdict};
use std::fmt::Write as _;

/// Statements that leave the parameter `n` alone, so that calls with `n - 1` come to an end.
fn block(random: &mut Random, text: &mut String, calls: &[&str], depth: u32) {
    let vars = ["g", "x", "y"];
    for _ in 0..1 + random.below(3) {
        let (x, y, k) = (random.pick(&vars), random.pick(&vars), random.below(4));
        let _ = match random.below(if depth == 0 { 5 } else { 7 }) {
            0 => writeln!(text, "{x} = {k};"),
            1 => writeln!(text, "{x} = ({x} + {k}) & 7;"),
            2 => writeln!(text, "{x} = {y};"),
            3 | 4 => writeln!(text, "{x} = {}(n - 1, {y});", random.pick(calls)),
            5 => {
                let _ = writeln!(text, "if ({x} {} {k}) {{", random.pick(&["==", "<", "!="]));
                block(random, text, calls, depth - 1);
                writeln!(text, "}}")
            }
            _ => {
                let _ = writeln!(text, "while (__VERIFIER_nondet_int() && {x} != {k}) {{");
                block(random, text, calls, depth - 1);
                writeln!(text, "}}")
            }
        };
    }
}

fn random_text(seed: u64) -> String {
    let mut random = Random::new(seed);
    let mut text = "int g;\nint h(int n, int x);\n".to_owned();
    for name in ["f", "h"] {
        let _ = writeln!(text, "int {name}(int n, int x) {{ int y = {};\nif (n <= 0) return x;", random.below(3));
        block(&mut random, &mut text, &["f", "h"], 1);
        text.push_str("return y;\n}\n");
    }
    let _ = writeln!(text, "int main() {{ int n = __VERIFIER_nondet_uchar() & 1; g = {};", random.below(3));
    let _ = writeln!(text, "int r = f(n, {});", random.below(3));
    let _ =
        writeln!(text, "if (r == {} && g == {}) __VERIFIER_error();\nreturn 0; }}", random.below(5), random.below(5));
    text
}

#[test]
fn nothing_contradicts_what_summaries_prove() {
    let (mut proved, mut violated, mut refused) = (0, 0, 0);
    let mut certificates: Vec<Certificate> = Vec::new();
    for seed in 1..=60 {
        let text = random_text(seed);
        let problem = problem(&text);
        let report = run(SUMMARIES, &problem, 2);
        let is_proved = report.verdict == Verdict::True;
        if is_proved {
            let certificate = report.certificate.expect("every true has one");
            accept(&problem, &certificate);
            certificates.push(certificate);
            proved += 1;
        }
        if let Verdict::False(_) = run(BMC, &problem, 1).verdict {
            assert!(!is_proved, "there is an error with seed {seed}\n{text}");
            violated += 1;
            for certificate in certificates.iter().rev().take(3) {
                assert!(is_refuted(&problem, certificate), "seed {seed}\n{text}");
                refused += 1;
            }
        }
    }
    assert!(proved >= 15 && violated >= 5 && refused >= 10, "{proved} {violated} {refused}");
}
