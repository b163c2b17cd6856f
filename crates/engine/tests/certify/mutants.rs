//! Wrong certificates, made from right ones. Each of them is wrong for a reason that does not depend on the checker.

use super::{
    ACCELERATE, BDD, BMC, ENGINES_WITHOUT_BMC, IMPACT, KIND, PREDICATE, SAFE, accept, certificate, is_refuted, problem,
};
use robusto_engine::Problem;
use robusto_verdict::certificate::{Call, Certificate, ClosedForm, Entry};

/// Changes one entry.
fn with_entry(certificate: &Certificate, i: usize, change: impl FnOnce(&mut Entry)) -> Certificate {
    let mut changed = certificate.clone();
    match &mut changed {
        Certificate::Invariant(entries)
        | Certificate::Inductive { invariants: entries, .. }
        | Certificate::Summaries { entries, .. } => change(&mut entries[i]),
        Certificate::Vacuous
        | Certificate::Unrolled { .. }
        | Certificate::Accelerated { .. }
        | Certificate::Parts(_)
        | Certificate::Sliced(_) => {
            unreachable!("only called for entries")
        }
    }
    changed
}

/// The exit of the entry's function, which lies on no cycle.
fn exit(problem: &Problem, entry: &Entry) -> u32 {
    use robusto_cfa::ir::Idx as _;
    let program = &problem.facts.program;
    let function = program.function_named(&entry.function).expect("the certificate is right");
    program.functions[function].exit.index() as u32
}

#[test]
fn wrong_places_and_formulas_are_refused() {
    let mut refused = 0;
    // In these programs every loop is entered.
    for text in [SAFE[0].0, SAFE[1].0, SAFE[2].0, SAFE[3].0, SAFE[7].0] {
        let problem = problem(text);
        for engine in ENGINES_WITHOUT_BMC {
            if text == SAFE[0].0 && engine == IMPACT {
                continue;
            }
            let right = certificate(engine, &problem);
            accept(&problem, &right);
            for i in 0..right.entries().len() {
                let mut wrong: Vec<(&str, Certificate)> = Vec::new();
                let entry = &right.entries()[i];
                if entry.formula == "false" {
                    continue;
                }
                wrong.push(("no state is possible", with_entry(&right, i, |e| e.formula = "false".to_owned())));
                wrong.push(("no truth value", with_entry(&right, i, |e| e.formula = "1:32".to_owned())));
                wrong.push(("no function", with_entry(&right, i, |e| e.function.push('x'))));
                wrong.push(("no location", with_entry(&right, i, |e| e.location = 10_000)));
                let call = Call { function: "main".to_owned(), edge: 0 };
                wrong.push(("another stack", with_entry(&right, i, |e| e.calls.insert(0, call))));
                // An outer loop may be left out if all its paths lead through an inner one.
                let innermost = text != SAFE[2].0 && text != SAFE[3].0 || i + 1 == right.entries().len();
                if innermost {
                    let moved = with_entry(&right, i, |e| e.location = exit(&problem, entry));
                    wrong.push(("the cycle is not cut", moved));
                }
                if let Certificate::Invariant(entries) = &right {
                    let mut rest = entries.clone();
                    rest.remove(i);
                    if innermost {
                        wrong.push(("a dropped location", Certificate::Invariant(rest)));
                    }
                    let mut twice = entries.clone();
                    twice.push(twice[i].clone());
                    wrong.push(("two entries", Certificate::Invariant(twice)));
                }
                for (why, certificate) in wrong {
                    assert!(is_refuted(&problem, &certificate), "{why}: entry {i} of {} for {text}", engine.name);
                    refused += 1;
                }
            }
            assert!(is_refuted(&problem, &Certificate::Vacuous));
            assert!(is_refuted(&problem, &Certificate::Unrolled { bound: 3 }), "the loops have no bound");
            refused += 2;
        }
    }
    assert!(refused >= 50, "{refused}");
}

/// Invariants that say too little: each of these programs needs what is dropped.
#[test]
fn weakened_invariants_are_refused() {
    let mut refused = 0;
    for text in [SAFE[0].0, SAFE[2].0, SAFE[3].0, SAFE[7].0] {
        let problem = problem(text);
        for engine in [BDD, PREDICATE] {
            let right = certificate(engine, &problem);
            // All of them at once: without any knowledge the errors are reachable.
            let Certificate::Invariant(entries) = &right else { panic!("these engines give invariants") };
            let weak = entries.iter().map(|e| Entry { formula: "true".to_owned(), ..e.clone() }).collect();
            assert!(is_refuted(&problem, &Certificate::Invariant(weak)), "{} for {text}", engine.name);
            refused += 1;
        }
    }
    // Bounds that are too small.
    let problem = problem(SAFE[4].0);
    for bound in 0..5 {
        assert!(is_refuted(&problem, &Certificate::Unrolled { bound }), "bound {bound}");
        refused += 1;
    }
    accept(&problem, &Certificate::Unrolled { bound: 6 });
    let recursive = super::problem(SAFE[5].0);
    for bound in 0..4 {
        assert!(is_refuted(&recursive, &Certificate::Unrolled { bound }), "bound {bound}");
        refused += 1;
    }
    assert!(refused >= 15);
}

/// Pairs of programs that differ in a constant: the first holds, the second does not. No certificate is right for the
/// second, so that of the first must be refused.
#[test]
fn no_certificate_is_right_for_a_wrong_program() {
    let mut refused = 0;
    for (text, safe, unsafe_values) in [
        (
            "int main() { unsigned char x = 0; while (__VERIFIER_nondet_int()) { if (x < 20) x = x + 4; else x = 0; }
          if (x == @) __VERIFIER_error(); return 0; }",
            "3",
            ["4", "12", "20"],
        ),
        (
            "int g; void f(int v) { while (__VERIFIER_nondet_int()) { if (g == @) __VERIFIER_error(); } g = v; }
          int main() { f(1); f(2); f(5); return 0; }",
            "3",
            ["0", "1", "2"],
        ),
        (
            "int main() { int s = 0; while (1) { int c = __VERIFIER_nondet_int(); if (s == 0 && c == 1) s = 2;
          else if (s == 2 && c == 4) s = 5; else if (s == 5) s = 0; if (s == @) __VERIFIER_error(); } return 0; }",
            "1",
            ["0", "2", "5"],
        ),
        (
            "int main() { int i; int s = 0; for (i = 0; i < 6; i++) { if (__VERIFIER_nondet_int()) s += 3; }
          if (s == @) __VERIFIER_error(); return 0; }",
            "10",
            ["0", "9", "18"],
        ),
    ] {
        let right = problem(&text.replace('@', safe));
        for engine in [BDD, PREDICATE, BMC, KIND] {
            let report = super::run(engine, &right, 5);
            let Some(certificate) = report.certificate else { continue };
            accept(&right, &certificate);
            for value in unsafe_values {
                let wrong = problem(&text.replace('@', value));
                assert!(is_refuted(&wrong, &certificate), "{} for {value} in {text}", engine.name);
                refused += 1;
            }
        }
    }
    assert!(refused >= 30, "{refused}");
}

#[test]
fn wrong_closed_forms_are_refused() {
    let text = "int main() { unsigned i = 0, s = 0; while (i < 100000) { i += 3; s += i; }
        if (i != 100002) __VERIFIER_error(); }";
    let problem = problem(text);
    let right = certificate(ACCELERATE, &problem);
    accept(&problem, &right);
    let Certificate::Accelerated { bound, loops } = &right else { panic!("another kind: {right:?}") };
    assert_eq!(loops.len(), 1);
    let refuse = |what: &str, change: &dyn Fn(&mut ClosedForm)| {
        let mut loops = loops.clone();
        change(&mut loops[0]);
        assert_ne!(&loops, &right_loops(&right), "{what} changes nothing");
        let wrong = Certificate::Accelerated { bound: *bound, loops };
        assert!(is_refuted(&problem, &wrong), "{what}");
    };
    refuse("more iterations than there are are not needed, fewer are", &|form| {
        form.valid = "(ult count:32 5:32)".to_owned();
    });
    refuse("zero iterations have to be valid", &|form| {
        form.valid = format!("(and {} (not (eq count:32 0:32)))", form.valid)
    });
    refuse("another step", &|form| {
        for (cell, value) in &mut form.values {
            *value = format!("(add {cell} count:32)");
        }
    });
    refuse("a value that does not start where it was", &|form| {
        for (_, value) in &mut form.values {
            *value = format!("(add 1:32 {value})");
        }
    });
    refuse("a cell that changes is left out", &|form| drop(form.values.pop()));
    refuse("every iteration, also those that wrap around", &|form| {
        form.when = "true".to_owned();
        form.valid = form.valid.replace("100000", "200000");
    });
    refuse("no loop", &|form| form.location = 0);
    refuse("no location", &|form| form.location = 1000);
    refuse("no function", &|form| form.function.push('x'));
    refuse("no truth value", &|form| form.when = "1:32".to_owned());
    refuse("a count in the condition of an iteration", &|form| form.when = "(eq count:32 0:32)".to_owned());
    refuse("another width", &|form| form.width = 16);
    refuse("no iteration is meant", &|form| form.when = "false".to_owned());
    assert!(is_refuted(&problem, &Certificate::Accelerated { bound: *bound, loops: Vec::new() }), "no closed form");
    let violated = super::problem(&text.replace("i != 100002", "i == 100002"));
    assert!(is_refuted(&violated, &right), "the certificate of another program");
}

fn right_loops(right: &Certificate) -> Vec<ClosedForm> {
    match right {
        Certificate::Accelerated { loops, .. } => loops.clone(),
        _ => unreachable!("the caller has looked"),
    }
}
