//! Predicate abstraction and IMPACT with every block operator.

use crate::support::{PRELUDE, certified, cpu_limits, limits, problem, random_loop, random_text, reaches_error};
use robusto_analyses::predicate::{AbstractionKind, BlockOperator, MergeKind, Scope};
use robusto_engine::bdd;
use robusto_engine::cegar::{Interpolation, Labels, Options, check};
use robusto_limits::Progress;
use robusto_verdict::{Reason, Verdict};
use std::time::Duration;

const BLOCKS: [BlockOperator; 9] = [
    BlockOperator::Loops,
    BlockOperator::Lbe,
    BlockOperator::Preprocessed,
    BlockOperator::Sbe,
    BlockOperator::Length(7),
    BlockOperator::LbeOrLength(5),
    BlockOperator::Structure(12),
    BlockOperator::Dynamic(5),
    BlockOperator::Memory(1),
];

/// Recursion is exact within a block. Blocks that end in the midst of it need a refinement for each of its steps.
const LARGE: [BlockOperator; 6] = [
    BlockOperator::Loops,
    BlockOperator::Lbe,
    BlockOperator::Preprocessed,
    BlockOperator::Length(400),
    BlockOperator::LbeOrLength(400),
    BlockOperator::Structure(60),
];

const KINDS: [AbstractionKind; 3] = [AbstractionKind::Boolean, AbstractionKind::Impact, AbstractionKind::Cartesian];

fn options(number: u64) -> Options {
    Options {
        block: BLOCKS[number as usize % BLOCKS.len()],
        abstraction: KINDS[number as usize / BLOCKS.len() % KINDS.len()],
        scope: [Scope::Location, Scope::Function, Scope::Global, Scope::Between, Scope::Shared][number as usize % 5],
        interpolation: [Interpolation::Wp, Interpolation::Craig][number as usize / 2 % 2],
        labels: [Labels::Abstraction, Labels::Interpolants][number as usize / 3 % 2],
        invariants: number % 4 != 3,
        traces: false,
        ..Options::default()
    }
}

/// The options with both merges, if these differ.
fn both_merges(options: Options) -> Vec<Options> {
    let paper = options.block.holds_loops().then(|| Options { merge: MergeKind::Block, ..options.clone() });
    paper.into_iter().chain([options]).collect()
}

fn verdict_within(text: &str, options: &Options, seconds: u64) -> Verdict {
    let limits = cpu_limits(Duration::from_secs(seconds));
    check(&problem(text), options, &limits, &Progress::default(), |_, _| {}).verdict
}

fn verdict(text: &str, options: &Options) -> Verdict {
    verdict_within(text, options, 60)
}

#[test]
fn agrees_with_enumeration() {
    let mut decided = 0;
    for seed in 2000..2100 {
        let text = random_text(seed);
        let expected = reaches_error(&text);
        for options in both_merges(Options { block: LARGE[seed as usize % LARGE.len()], ..options(seed) }) {
            match verdict_within(&text, &options, 1) {
                Verdict::False(_) => assert!(expected, "seed {seed}: not reachable, {options:?}\n{text}"),
                Verdict::True => assert!(!expected, "seed {seed}: reachable, {options:?}\n{text}"),
                // Cartesian abstraction cannot express every refutation.
                Verdict::Unknown(Reason::NoProgress) if options.abstraction == AbstractionKind::Cartesian => continue,
                // Neither strategy speaks of elements of memory at indices that a later choice decides.
                Verdict::Unknown(Reason::NoProgress) if text.contains("a[(") => continue,
                // Arrays with computed indices in nested loops are beyond a second.
                Verdict::Unknown(Reason::Timeout) => continue,
                Verdict::Unknown(reason) => panic!("seed {seed}: {reason}, {options:?}\n{text}"),
            }
            decided += 1;
        }
    }
    assert!(decided > 60, "{decided} of 140 decided");
}

#[test]
fn agrees_with_the_bdd_analysis_on_endless_loops() {
    for seed in 0..120 {
        let text = random_loop(seed);
        let bdd_options = bdd::Options::default();
        let progress = Progress::default();
        let expected = bdd::check(&problem(&text), &bdd_options, &limits(), &progress, |_, _| {}).verdict;
        for options in both_merges(options(seed)) {
            match (verdict(&text, &options), &expected) {
                (Verdict::True, Verdict::True) | (Verdict::False(_), Verdict::False(_)) => {}
                (Verdict::Unknown(Reason::NoProgress), _) if options.abstraction == AbstractionKind::Cartesian => {}
                (found, expected) => panic!("seed {seed}: {found:?} and not {expected:?}, {options:?}\n{text}"),
            }
        }
    }
}

/// Blocks that are made before the analysis give the answers of those that are made by it; violations were replayed, and what is
/// proved is certified.
#[test]
fn blocks_made_before_the_analysis_agree() {
    let mut decided = [0; 2];
    for seed in 0..120 {
        let text = if seed % 2 == 0 { random_text(3000 + seed) } else { random_loop(3000 + seed) };
        let verdicts = [BlockOperator::Lbe, BlockOperator::Preprocessed].map(|block| {
            let options = Options { block, abstraction: KINDS[seed as usize / 2 % 2], ..Options::default() };
            let limits = cpu_limits(Duration::from_secs(2));
            certified(&text, &options, |problem| check(problem, &options, &limits, &Progress::default(), |_, _| {}))
                .verdict
        });
        match verdicts {
            [Verdict::True, Verdict::True] => decided[0] += 1,
            [Verdict::False(_), Verdict::False(_)] => decided[1] += 1,
            [Verdict::Unknown(_), _] | [_, Verdict::Unknown(_)] => {}
            [lbe, before] => panic!("seed {seed}: {lbe:?} and {before:?}\n{text}"),
        }
    }
    assert!(decided[0] >= 20 && decided[1] >= 20, "{decided:?}");
}

fn all_say(body: &str, expected: bool, blocks: &[BlockOperator]) {
    let text = format!("{PRELUDE}{body}");
    for number in 0..18 {
        for options in both_merges(Options { block: blocks[number as usize % blocks.len()], ..options(number) }) {
            match verdict(&text, &options) {
                Verdict::True => assert!(expected, "{options:?}"),
                Verdict::False(_) => assert!(!expected, "{options:?}"),
                // Interpolants of bits over memory may be none that are new.
                Verdict::Unknown(Reason::NoProgress) if options.interpolation == Interpolation::Craig => {}
                Verdict::Unknown(reason) => panic!("{reason}, {options:?}"),
            }
        }
    }
}

#[test]
fn certificates_speak_of_floats() {
    let text = format!(
        "{PRELUDE}int main() {{ int n = __VERIFIER_nondet_int(); if (n < -3 || n > 3) return 0; double x = n; int c = 0;
           while (x <= 2.5 && c < 12) {{ x /= 3; c++; }} if (((c + n * 2) & 3) == 1) __VERIFIER_error(); return 0; }}"
    );
    let options = Options::default();
    let report =
        certified(&text, &options, |problem| check(problem, &options, &limits(), &Progress::default(), |_, _| {}));
    assert_eq!(report.verdict, Verdict::True);
}

#[test]
fn locks() {
    all_say(
        "int main() { int lock = 0, old, new = __VERIFIER_nondet_int();
         do { if (lock) __VERIFIER_error(); lock = 1; old = new;
              if (__VERIFIER_nondet_int()) { if (!lock) __VERIFIER_error(); lock = 0; new++; }
         } while (new != old);
         if (!lock) __VERIFIER_error(); }",
        true,
        &BLOCKS,
    );
}

#[test]
fn pointers_are_precise() {
    all_say(
        "int x, y; int main() { int *p = __VERIFIER_nondet_int() ? &x : &y; *p = 3; int n = 0;
         while (__VERIFIER_nondet_int()) { if (x + y != 3) __VERIFIER_error(); n++; }
         if (x == 3 && y == 3) __VERIFIER_error(); }",
        true,
        &BLOCKS,
    );
}

#[test]
fn recursion() {
    all_say(
        "int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
         int main() { if (fib(6) != 8) __VERIFIER_error(); }",
        true,
        &LARGE,
    );
    all_say(
        "int sum(int n) { return n == 0 ? 0 : n + sum(n - 1); }
         int main() { unsigned char n = __VERIFIER_nondet_uchar(); if (n < 5 && sum(n) == 10) __VERIFIER_error(); }",
        false,
        &LARGE,
    );
}

/// A counterexample that cannot be replayed decides nothing about the other targets.
#[test]
fn a_spurious_violation_does_not_hide_a_real_one() {
    let text = format!(
        "{PRELUDE}int main() {{ int x = __VERIFIER_nondet_int(); double d = x * 0.5;
         if (x > 0 && x < 9 && d < 0.0) __VERIFIER_error();
         if (x == 7) __VERIFIER_error(); }}"
    );
    for abstraction in KINDS {
        let options = Options { abstraction, ..Options::default() };
        let report = check(&problem(&text), &options, &limits(), &Progress::default(), |_, _| {});
        assert!(matches!(report.verdict, Verdict::False(_)), "{abstraction:?}: {:?}", report.verdict);
        assert!(report.findings.iter().all(|f| f.verdict != Verdict::True), "{abstraction:?}");
    }
}

/// Bounds that intervals know need no refinement; without them, they do.
#[test]
fn invariants_spare_refinements() {
    let text = format!(
        "{PRELUDE}int main() {{ int x = 0; while (__VERIFIER_nondet_int()) {{ if (x < 10) x++; \
         if (x > 10) __VERIFIER_error(); }} return 0; }}"
    );
    for abstraction in KINDS {
        let refinements = |invariants| {
            let options = Options { abstraction, invariants, ..Options::default() };
            let report = check(&problem(&text), &options, &limits(), &Progress::default(), |_, _| {});
            assert_eq!(report.verdict, Verdict::True, "{abstraction} {invariants}");
            let (_, count) = report.counters.iter().find(|(name, _)| *name == "refinements").expect("they are counted");
            count.parse::<u32>().expect("a number")
        };
        assert_eq!(refinements(true), 0, "{abstraction}");
        assert!(refinements(false) > 0, "{abstraction}");
    }
}
