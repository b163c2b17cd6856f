//! Certificates: those of the engines are right, wrong ones are refused, and their text form is faithful.

mod mutants;
mod random;
mod recursion;
mod summaries;

use robusto_analyses::predicate::MergeKind;
use robusto_cfa::ir::{DataModel, Idx as _, Program};
use robusto_cfa::{Options, compile};
use robusto_engine::certificate::{expression, formula, subject};
use robusto_engine::certify::{self, Conditions, Failure, Policy};
use robusto_engine::registry::{self, Engine, Job, Outputs, Values};
use robusto_engine::{Problem, accelerate, bdd, bmc, cegar, kind, pdr, summaries as by_summaries};
use robusto_limits::{Limits, Progress};
use robusto_syntax::SourceMap;
use robusto_verdict::certificate::text;
use robusto_verdict::certificate::{Call, Certificate, Entry};
use robusto_verdict::{Certification, Property, Reason, Report, Verdict};
use std::sync::Arc;
use std::time::Duration;

const BDD: &Engine = &bdd::ENGINE;
const PREDICATE: &Engine = &cegar::PREDICATE;
const IMPACT: &Engine = &cegar::IMPACT;
const BMC: &Engine = &bmc::ENGINE;
const KIND: &Engine = &kind::ENGINE;
const ACCELERATE: &Engine = &accelerate::ENGINE;
const PDR: &Engine = &pdr::ENGINE;
const SUMMARIES: &Engine = &by_summaries::ENGINE;

const ENGINES: [&Engine; 6] = [BDD, PREDICATE, IMPACT, BMC, KIND, PDR];

const PRELUDE: &str = "extern void __VERIFIER_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void *malloc(unsigned long size);
";

fn problem(text: &str) -> Problem {
    let mut sources = SourceMap::new();
    let file = sources.add("test.c", format!("{PRELUDE}{text}")).expect("small");
    let program: Program = match compile(&mut sources, &[file], Options::new(DataModel::Lp64)) {
        Ok((program, _)) => program,
        Err(errors) => panic!("{}\n{text}", errors[0].render(&sources)),
    };
    Problem::new(program, &Property::UnreachCall)
}

fn limits(seconds: u64) -> Limits {
    Limits::new(Some(Duration::from_secs(seconds)), None, Arc::default())
}

/// What an engine says, before anybody has checked it.
fn run(engine: &Engine, problem: &Problem, seconds: u64) -> Report {
    let registry::Call::Alone(call) = engine.call else { panic!("{engine:?} works alone") };
    let (limits, progress) = (&limits(seconds), &Progress::default());
    let (values, outputs) = (&Values::default(), &Outputs::default());
    let certify = Conditions::new(Policy::Never, false, limits);
    call(&Job { problem, values, traces: false, limits, progress, certify, outputs })
}

/// Certification of what an engine says.
fn settle(problem: &Problem, report: &mut Report, policy: Policy) {
    let limits = limits(60);
    let conditions = Conditions::new(policy, false, &limits);
    certify::settle("toy", problem, report, &conditions, Duration::ZERO, &Progress::default());
}

/// The certificate of an engine that must prove the property.
fn certificate(engine: &Engine, problem: &Problem) -> Certificate {
    let report = run(engine, problem, 60);
    assert_eq!(report.verdict, Verdict::True, "{}", engine.name);
    report.certificate.expect("every true has one")
}

fn accept(problem: &Problem, certificate: &Certificate) {
    if let Err(failure) = certify::check(problem, certificate, &limits(60)) {
        panic!("{failure}\n{}", text::write(&subject(problem, &Property::UnreachCall), certificate));
    }
}

fn is_refuted(problem: &Problem, certificate: &Certificate) -> bool {
    matches!(certify::check(problem, certificate, &limits(60)), Err(Failure::Refuted(_)))
}

/// Programs that hold, each with the engines that prove them.
const SAFE: [(&str, &[&Engine]); 10] = [
    // A loop with an invariant.
    (
        "int main() { unsigned x = 0; while (__VERIFIER_nondet_int()) { if (x < 10) x = x + 2; else x = 0; }
         if (x == 11) __VERIFIER_error(); return 0; }",
        &[BDD, PREDICATE, KIND, PDR],
    ),
    // Two loops, one after the other.
    (
        "int main() { int a = 0, b = 0; while (__VERIFIER_nondet_int()) { a = 1; }
         while (__VERIFIER_nondet_int()) { b = a; if (b > 1) __VERIFIER_error(); }
         if (b > 1) __VERIFIER_error(); return 0; }",
        &[BDD, PREDICATE, IMPACT, KIND, PDR],
    ),
    // A loop in a function that is called from two places.
    (
        "int lock; void wait(void) { while (__VERIFIER_nondet_int()) { if (lock != 1) __VERIFIER_error(); } }
         int main() { lock = 1; wait(); while (__VERIFIER_nondet_int()) { lock = 0; lock = 1; wait(); } return 0; }",
        &ENGINES_WITHOUT_BMC,
    ),
    // Nested loops.
    (
        "int main() { int s = 0; while (__VERIFIER_nondet_int()) { s = 1; while (__VERIFIER_nondet_int()) {
         if (s != 1) __VERIFIER_error(); } s = 2; } if (s == 1) __VERIFIER_error(); return 0; }",
        &ENGINES_WITHOUT_BMC,
    ),
    // Bounded loops, for unrolling.
    (
        "int main() { int i, s = 0; for (i = 0; i < 5; i++) s += i; if (s != 10) __VERIFIER_error(); return 0; }",
        &[BDD, PREDICATE, IMPACT, BMC, KIND, PDR],
    ),
    // Recursion of a bounded depth.
    (
        "int f(int n) { if (n <= 0) return 0; return f(n - 1) + 2; }
         int main() { if (f(4) != 8) __VERIFIER_error(); return 0; }",
        &[BMC, PREDICATE],
    ),
    // Memory.
    (
        "int a[4]; int main() { int i = __VERIFIER_nondet_int(); if (i < 0 || i > 3) return 0; a[i] = 7;
         int *p = &a[i]; while (__VERIFIER_nondet_int()) { if (*p != 7) __VERIFIER_error(); } return 0; }",
        &[PREDICATE, IMPACT, PDR],
    ),
    // The start of the program is the head of a loop.
    (
        "int t; int main() { while (__VERIFIER_nondet_int()) { if (t == 1) __VERIFIER_error();
         if (t == 0) t = 2; else t = 0; } return 0; }",
        &ENGINES_WITHOUT_BMC,
    ),
    // What is known at a call of a global that the call leaves alone is known behind it, though not in the function.
    (
        "int g; void wait(void) { while (__VERIFIER_nondet_int()) { } }
         int main() { g = 3; while (__VERIFIER_nondet_int()) { wait(); if (g != 3) __VERIFIER_error(); }
         g = 5; wait(); if (g != 5) __VERIFIER_error(); return 0; }",
        &ENGINES_WITHOUT_BMC,
    ),
    // A global that is dead at one call is live in the called function, because of another call.
    (
        "int g = 1; void wait(void) { while (__VERIFIER_nondet_int()) { } }
         int main() { while (__VERIFIER_nondet_int()) { wait(); }
         g = 7; wait(); if (g != 7) __VERIFIER_error(); return 0; }",
        &ENGINES_WITHOUT_BMC,
    ),
];

const ENGINES_WITHOUT_BMC: [&Engine; 5] = [BDD, PREDICATE, IMPACT, KIND, PDR];

#[test]
fn certificates_of_the_engines_are_right() {
    for (text, engines) in SAFE {
        let problem = problem(text);
        for &engine in engines {
            accept(&problem, &certificate(engine, &problem));
        }
    }
}

/// Where blocks hold loops, the proof is done once more with the facts that were found.
#[test]
fn blocks_that_hold_loops_have_certificates() {
    for (text, _) in [SAFE[1], SAFE[2], SAFE[3], SAFE[7]] {
        let problem = problem(text);
        for block in ["k:3", "k:20", "structure:10", "dynamic:5"] {
            for merge in [MergeKind::Block, MergeKind::Visits] {
                let block = block.parse().expect("an operator");
                let options = cegar::Options { block, merge, ..Default::default() };
                let report = cegar::check(&problem, &options, &limits(60), &Progress::default(), |_, _| {});
                assert_eq!(report.verdict, Verdict::True, "{block} {merge:?} {text}");
                accept(&problem, &report.certificate.expect("every true has one"));
            }
        }
    }
}

#[test]
fn the_text_form_is_faithful() {
    for (text, engines) in SAFE {
        let problem = problem(text);
        let subject = subject(&problem, &Property::UnreachCall);
        for &engine in engines {
            let certificate = certificate(engine, &problem);
            let written = text::write(&subject, &certificate);
            let (about, read) = text::read(&written).expect("what is written can be read");
            assert_eq!((&about, &read), (&subject, &certificate));
            assert_eq!(text::write(&about, &read), written);
            accept(&problem, &read);
        }
    }
}

#[test]
fn formulas_are_read_as_they_are_written() {
    use robusto_analyses::symbolic::{Cell, Encoder};
    let problem = problem(SAFE[0].0);
    let mut encoder = Encoder::new(&problem.facts);
    let vars: Vec<_> = problem.facts.program.vars.ids().collect();
    let inputs: Vec<_> = vars.iter().map(|&v| encoder.input(Cell::Var(v, 0))).collect();
    let x = *inputs.iter().find(|&&t| encoder.terms.width(t) == 32).expect("there is an int");
    let terms = &mut encoder.terms;
    let (five, low) = (terms.constant(32, 5), terms.extract(x, 3, 7));
    let wide = terms.zext(low, 32);
    let sum = terms.mul(wide, x);
    let shared = terms.add(sum, five);
    let (a, b) = (terms.slt(shared, x), terms.ult(five, shared));
    let c = terms.eq(shared, wide);
    let d = terms.ite(a, b, c);
    let all = terms.xor(d, a);
    let text = formula::print(&encoder, all);
    assert_eq!(formula::parse(&mut encoder, &text), Ok(all), "{text}");
    for wrong in
        ["", "(", "(and true)", "(and true 3:32)", "(let ($0 true) $1)", "v999", "4:2", "true true", "(foo true)"]
    {
        assert!(formula::parse(&mut encoder, wrong).is_err(), "{wrong}");
    }
}

#[test]
fn texts_that_are_no_certificates_are_refused() {
    let problem = problem(SAFE[0].0);
    let subject = subject(&problem, &Property::UnreachCall);
    let good = text::write(&subject, &certificate(PREDICATE, &problem));
    assert!(text::read(&good).is_ok());
    for (from, to) in [
        ("certificate 1", "certificate 2"),
        ("property ", "propertie "),
        ("kind invariant", "kind variant"),
        ("\nend", ""),
        ("at main ", "at main x"),
        ("kind invariant", "kind unrolled 4"),
    ] {
        assert!(text::read(&good.replace(from, to)).is_err(), "{from} → {to}");
    }
    let other = self::subject(&self::problem(SAFE[1].0), &Property::UnreachCall);
    assert!(subject.differs_from(&subject.clone()).is_none());
    assert!(subject.differs_from(&other).is_some_and(|d| d.contains("program")));
}

#[test]
fn a_wrong_certificate_takes_the_verdict_with_it() {
    let problem = problem(SAFE[0].0);
    let mut report = run(PREDICATE, &problem, 60);
    let mut good = report.clone();
    settle(&problem, &mut good, Policy::Auto);
    assert_eq!(good.verdict, Verdict::True);
    assert!(matches!(good.certification, Certification::Yes { checks: 1.., .. }));
    report.certificate = Some(Certificate::Vacuous);
    let mut unchecked = report.clone();
    settle(&problem, &mut unchecked, Policy::Never);
    assert_eq!(unchecked.verdict, Verdict::True);
    settle(&problem, &mut report, Policy::Auto);
    assert!(matches!(report.verdict, Verdict::Unknown(Reason::CertificationFailed(_))));
    assert_eq!(report.refuted.iter().map(|r| &*r.engine).collect::<Vec<_>>(), ["toy"]);
}

#[test]
fn invariants_are_c_expressions() {
    let problem = problem(SAFE[7].0);
    let mut report = run(PREDICATE, &problem, 60);
    settle(&problem, &mut report, Policy::Always);
    let shown: Vec<_> = report.invariants.iter().map(|i| (i.of_loop, &*i.function, &*i.expression)).collect();
    let [(true, "main", expression)] = shown[..] else { panic!("{shown:?}") };
    assert!(expression.contains("(unsigned int)t"), "{expression}");
}

#[test]
fn invariants_speak_of_the_youngest_activation() {
    let problem = problem("void count(int n) { if (n < 1) count(n + 1); } int main() { count(0); return 0; }");
    let n = problem.facts.program.vars.enumerate().find(|(_, v)| &*v.name == "n").expect("a parameter").0.index();
    let entry = |callers: &[&str], formula: String| Entry {
        calls: callers.iter().map(|&caller| Call { function: caller.to_owned(), edge: 0 }).collect(),
        function: "count".to_owned(),
        location: 0,
        formula,
    };
    let certificate = Certificate::Invariant(vec![
        entry(&["main"], format!("(eq v{n} 0:32)")),
        entry(&["main", "count"], format!("(and (eq v{n} 0:32) (eq v{n}#1 1:32))")),
    ]);
    let [invariant] = &expression::invariants(&problem, &certificate)[..] else { panic!("one place") };
    assert_eq!(invariant.expression, "(((unsigned int)n == 0U)) || (((unsigned int)n == 1U))");
}

/// For people, a variable has the sign of its type, and bounds of one expression stand together.
#[test]
fn invariants_for_people() {
    let problem = problem("int x, y; unsigned u; int main() { while (__VERIFIER_nondet_int()) x = y + u; return 0; }");
    let var = |name: &str| {
        let found = problem.facts.program.vars.enumerate().find(|(_, v)| &*v.name == name);
        format!("v{}", found.expect("a variable").0.index())
    };
    let (x, y, u) = (var("x"), var("y"), var("u"));
    let shown = |formula: String| {
        let entry = Entry { calls: Vec::new(), function: "main".to_owned(), location: 0, formula };
        let found = expression::invariants(&problem, &Certificate::Invariant(vec![entry]));
        found.first().expect("it can be said").readable.clone()
    };
    assert_eq!(shown(format!("(slt {x} 4294967291:32)")), "x <= -6");
    assert_eq!(shown(format!("(and (slt {x} 8:32) (not (slt {x} 0:32)))")), "0 <= x && x <= 7");
    assert_eq!(shown(format!("(ult {x} 5:32)")), "0 <= x && x <= 4");
    assert_eq!(shown(format!("(ult {u} 5:32)")), "u <= 4");
    assert_eq!(shown(format!("(slt {u} 5:32)")), "(int)u <= 4");
    assert_eq!(shown(format!("(ult {x} {y})")), "(unsigned)x < (unsigned)y");
    assert_eq!(shown(format!("(slt {x} {y})")), "x < y");
    assert_eq!(shown(format!("(eq {x} 4294967295:32)")), "x == -1");
    assert_eq!(shown(format!("(eq {u} 4294967295:32)")), "u == 4294967295");
    let either = shown(format!("(or (eq {x} 1:32) (and (eq {y} 2:32) (slt {x} {y})))"));
    let either = either.trim_start_matches('(').trim_end_matches(')');
    assert!(either == "x == 1 || y == 2 && x < y" || either == "y == 2 && x < y || x == 1", "{either}");
    let sum = shown(format!("(eq (mul 3:32 (add {x} 4294967295:32)) {y})"));
    assert_eq!(sum, "x * 3 == y + 3");
}

/// What C cannot say is left out where that makes the invariant weaker.
#[test]
fn invariants_are_weakened() {
    let problem = problem("int x, y; int main() { while (__VERIFIER_nondet_int()) x = y; return 0; }");
    let var = |name: &str| {
        let found = problem.facts.program.vars.enumerate().find(|(_, v)| &*v.name == name);
        format!("v{}", found.expect("a variable").0.index())
    };
    let (x, y) = (var("x"), var("y"));
    let shown = |formula: String| {
        let entry = Entry { calls: Vec::new(), function: "main".to_owned(), location: 0, formula };
        let found = expression::invariants(&problem, &Certificate::Invariant(vec![entry]));
        found.first().map(|i| i.expression.clone())
    };
    let unsaid = format!("(eq (urem {x} {y}) 0:32)");
    let small = format!("(slt {x} 4294967291:32)");
    let rest = format!("(eq (urem {x} 3:32) 1:32)");
    assert_eq!(shown(unsaid.clone()), None);
    assert_eq!(shown(small.clone()).as_deref(), Some("((int)x < -5)"));
    assert_eq!(shown(format!("(and {unsaid} {small})")).as_deref(), Some("((int)x < -5)"));
    assert_eq!(shown(format!("(or {unsaid} {small})")), None);
    let said = shown(format!("(or {rest} (and {unsaid} {small}))")).expect("both sides can be said, as far as it goes");
    assert!(said.contains("(unsigned int)x % (unsigned int)3U") && said.contains("(int)x < -5"), "{said}");
    assert!(!said.contains('y'), "{said}");
}

/// The first arrival at a loop head that is the start of the program has initial values; it must not stand for all.
#[test]
fn the_start_covers_no_later_visit() {
    let problem = problem(
        "int t; int main() { while (__VERIFIER_nondet_int()) { if (t == 2) __VERIFIER_error(); t = t + 1; } return 0; }",
    );
    for engine in ENGINES {
        let report = run(engine, &problem, 30);
        assert!(matches!(report.verdict, Verdict::False(_)), "{}: {:?}", engine.name, report.verdict);
    }
}
