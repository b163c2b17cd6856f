//! Random programs: every `true` of every engine is certified, and no certificate survives a violation.

use super::{ENGINES, is_refuted, limits, problem, run};
use robusto_engine::{bdd, certify};
use robusto_limits::Progress;
use robusto_testing::Random;
use robusto_verdict::{Certificate, Verdict};
use std::fmt::Write as _;

/// Statements over a few variables: loops that an input ends, counting loops, branches, a call.
fn block(random: &mut Random, text: &mut String, vars: &[&str], depth: u32, calls: bool) {
    for _ in 0..2 + random.below(3) {
        let (x, y, k) = (random.pick(vars), random.pick(vars), random.below(4));
        let _ = match random.below(if depth == 0 { 4 } else { 8 }) {
            0 => writeln!(text, "{x} = {k};"),
            1 => writeln!(text, "{x} = ({x} + {k}) & 7;"),
            2 => writeln!(text, "{x} = {y};"),
            3 if calls => writeln!(text, "f({y});"),
            3 => writeln!(text, "{x} = {y} ^ 1;"),
            4 | 5 => {
                let _ = writeln!(text, "if ({x} {} {k}) {{", random.pick(&["==", "<", "!=", ">"]));
                block(random, text, vars, depth - 1, calls);
                writeln!(text, "}}")
            }
            6 => {
                let _ = writeln!(text, "while (__VERIFIER_nondet_int()) {{");
                block(random, text, vars, depth - 1, calls);
                writeln!(text, "}}")
            }
            _ => {
                let _ = writeln!(text, "for (int n{depth} = 0; n{depth} < {}; n{depth}++) {{", k + 1);
                block(random, text, vars, depth - 1, false);
                writeln!(text, "}}")
            }
        };
    }
}

fn random_text(seed: u64, error: u64) -> String {
    let mut random = Random::new(seed);
    let mut text = "int g;\nvoid f(int v) { int w = v;\n".to_owned();
    block(&mut random, &mut text, &["g", "w"], 1, false);
    text.push_str("}\nint main() { int x = 0, y = 1, z = 2;\n");
    block(&mut random, &mut text, &["x", "y", "z", "g"], 2, true);
    block(&mut random, &mut text, &["x", "y", "z", "g"], 1, true);
    let (a, b) = (random.pick(&["x", "y"]), random.pick(&["z", "g"]));
    let _ = writeln!(text, "if ({a} == {error} && {b} == {}) __VERIFIER_error();\nreturn 0; }}", random.below(4));
    text
}

#[test]
fn every_true_is_certified() {
    let (mut proved, mut violated, mut refused) = (0, 0, 0);
    let mut certificates: Vec<Certificate> = Vec::new();
    // Among these are 9 with a violation.
    for seed in 101..=140 {
        let text = random_text(seed, seed % 5);
        let problem = problem(&text);
        let mut verdicts = Vec::new();
        for engine in ENGINES {
            let report = run(engine, &problem, 1);
            match &report.verdict {
                Verdict::True => {
                    let certificate = report.certificate.expect("every true has one");
                    if let Err(failure) = certify::check(&problem, &certificate, &limits(20)) {
                        panic!("{} on seed {seed}: {failure}\n{text}", engine.name);
                    }
                    certificates.push(certificate);
                    proved += 1;
                    verdicts.push(true);
                }
                Verdict::False(_) => verdicts.push(false),
                Verdict::Unknown(_) => {}
            }
        }
        let is_false = verdicts.contains(&false);
        assert!(!(is_false && verdicts.contains(&true)), "the engines disagree on seed {seed}\n{text}");
        // Its violation was replayed, so nothing certifies it.
        if is_false {
            violated += 1;
            for certificate in certificates.iter().rev().take(8) {
                assert!(is_refuted(&problem, certificate), "seed {seed}\n{text}");
                refused += 1;
            }
        }
    }
    assert!(proved >= 30 && violated >= 5 && refused >= 30, "{proved} {violated} {refused}");
}

#[test]
fn cuts_may_be_anywhere() {
    let mut proved = 0;
    for seed in 1..=60 {
        let text = random_text(seed, seed % 5);
        let problem = problem(&text);
        for longest_uncut in [1, 2, 5] {
            let options = bdd::Options { longest_uncut, ..Default::default() };
            let report = bdd::check(&problem, &options, &limits(5), &Progress::default(), |_, _| {});
            if report.verdict == Verdict::True {
                let certificate = report.certificate.expect("every true has one");
                if let Err(failure) = certify::check(&problem, &certificate, &limits(20)) {
                    panic!("cuts after {longest_uncut} edges on seed {seed}: {failure}\n{text}");
                }
                proved += 1;
            }
        }
    }
    assert!(proved >= 60, "{proved}");
}
