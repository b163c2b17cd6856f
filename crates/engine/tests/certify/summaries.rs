//! Summaries of procedures: right ones are accepted, wrong ones refused.

use super::{accept, is_refuted, problem};
use robusto_analyses::symbolic::{Cell, Encoder};
use robusto_cfa::analysis::loops::LoopForest;
use robusto_cfa::ir::{Idx as _, VarKind};
use robusto_engine::Problem;
use robusto_engine::certificate::{formula, subject};
use robusto_engine::certify::{self, Failure};
use robusto_verdict::Property;
use robusto_verdict::certificate::{Certificate, Entry, Summary, text};

/// A procedure with what it demands, what it grants, and what holds at its loop heads. In formulas, `@n` is the variable of this
/// name of the procedure, or the global; `@` is its result.
type Written<'t> = (&'t str, &'t str, &'t str, &'t [&'t str]);

/// A formula with the numbers of variables.
fn numbered(problem: &Problem, function: &str, text: &str) -> String {
    let program = &problem.facts.program;
    let owner = program.function_named(function);
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('@') {
        out.push_str(&rest[..at]);
        let end = rest[at + 1..].find([' ', ')']).map_or(rest.len(), |end| at + 1 + end);
        let name = match &rest[at + 1..end] {
            "" => format!("{function}$result"),
            name => name.to_owned(),
        };
        let is_meant = |kind: &VarKind| kind.owner() == owner || kind.owner().is_none();
        let var = program.vars.enumerate().find(|(_, v)| *v.name == name && is_meant(&v.kind));
        out.push_str(&format!("v{}", var.unwrap_or_else(|| panic!("{name}")).0.index()));
        rest = &rest[end..];
    }
    out + rest
}

fn summaries(problem: &Problem, written: &[Written<'_>]) -> Certificate {
    let program = &problem.facts.program;
    let (mut procedures, mut entries) = (Vec::new(), Vec::new());
    for &(function, pre, post, heads) in written {
        let number = |text: &str| numbered(problem, function, text);
        procedures.push(Summary { function: function.to_owned(), pre: number(pre), post: number(post) });
        let Some(id) = program.function_named(function) else { continue };
        let forest = LoopForest::of(&program.functions[id]);
        let locations = program.functions[id].locs().filter(|&loc| forest.is_head(loc));
        entries.extend(locations.zip(heads).map(|(loc, formula)| Entry {
            calls: Vec::new(),
            function: function.to_owned(),
            location: loc.index() as u32,
            formula: number(formula),
        }));
    }
    Certificate::Summaries { procedures, entries }
}

/// Programs with their summaries, and with what must not be accepted in place of one procedure's.
struct Case<'t> {
    text: &'t str,
    right: &'t [Written<'t>],
    wrong: &'t [Written<'t>],
}

const MAIN: Written<'_> = ("main", "true", "true", &[]);

const CASES: &[Case<'_>] = &[
    // The depth is an input.
    Case {
        text: "int f(int n) { if (n <= 0) return 0; return f(n - 1) + 1; }
               int main() { int x = __VERIFIER_nondet_int(); if (x < 0) return 0;
               if (f(x) != x) __VERIFIER_error(); return 0; }",
        right: &[MAIN, ("f", "(sle 0:32 @n)", "(eq @ (old @n))", &[])],
        wrong: &[
            ("f", "true", "(eq @ (old @n))", &[]),
            ("f", "(slt 0:32 @n)", "(eq @ (old @n))", &[]),
            ("f", "false", "(eq @ (old @n))", &[]),
            ("f", "(sle 0:32 @n)", "true", &[]),
            ("f", "(sle 0:32 @n)", "false", &[]),
            ("f", "(sle 0:32 @n)", "(sle @ (old @n))", &[]),
            ("f", "(sle 0:32 @n)", "(eq @ (add (old @n) 1:32))", &[]),
            // At the exit the parameter is not live any more.
            ("f", "(sle 0:32 @n)", "(eq @ @n)", &[]),
            ("f", "(eq @n (old @n))", "(eq @ (old @n))", &[]),
            // The result is nothing at the entry.
            ("f", "(sle 0:32 @n)", "(eq @ (old @))", &[]),
            ("f", "1:32", "(eq @ (old @n))", &[]),
            ("g", "true", "true", &[]),
        ],
    },
    // A global counts the calls.
    Case {
        text: "int g, h; void f(unsigned n) { if (n == 0) return; g++; f(n - 1); }
               int main() { unsigned x = __VERIFIER_nondet_uchar(); g = 3; h = 9; f(x);
               if (g != x + 3 || h != 9) __VERIFIER_error(); return 0; }",
        right: &[MAIN, ("f", "true", "(eq @g (add (old @g) (old @n)))", &[])],
        wrong: &[
            ("f", "true", "(eq @g (old @g))", &[]),
            ("f", "true", "(eq @g (old @n))", &[]),
            ("f", "(eq @g 3:32)", "(eq @g (add (old @g) (old @n)))", &[]),
            ("f", "true", "(ule (old @g) @g)", &[]),
        ],
    },
    // Loops inside, before and after the call.
    Case {
        text:
            "unsigned f(unsigned n) { unsigned i, s = 0; for (i = 0; i < n; i++) s++; if (n > 0) f(n - 1); return s; }
               int main() { unsigned x = __VERIFIER_nondet_uchar(); if (f(x) != x) __VERIFIER_error(); return 0; }",
        right: &[MAIN, ("f", "true", "(eq @ (old @n))", &["(and (eq @n (old @n)) (and (eq @s @i) (ule @i @n)))"])],
        wrong: &[
            ("f", "true", "(eq @ (old @n))", &[]),
            ("f", "true", "(eq @ (old @n))", &["(and (eq @s @i) (ule @i @n))"]),
            ("f", "true", "(eq @ (old @n))", &["(eq @n (old @n))"]),
            ("f", "true", "(eq @ (old @n))", &["false"]),
            ("f", "true", "(eq @ (old @n))", &["(and (eq @n (old @n)) (and (eq @s @i) (ule @i (old @s))))"]),
        ],
    },
    // Mutual recursion, one result from the other's.
    Case {
        text: "int odd(unsigned n); int even(unsigned n) { if (n == 0) return 1; return odd(n - 1); }
               int odd(unsigned n) { if (n == 0) return 0; return even(n - 1); }
               int main() { unsigned x = __VERIFIER_nondet_uchar(); x = x * 2;
               if (even(x) != 1) __VERIFIER_error(); return 0; }",
        right: &[
            MAIN,
            ("even", "true", "(eq @ (zext 32 (not (extract 0 1 (old @n)))))", &[]),
            ("odd", "true", "(eq @ (zext 32 (extract 0 1 (old @n))))", &[]),
        ],
        wrong: &[
            ("even", "true", "(eq @ (zext 32 (extract 0 1 (old @n))))", &[]),
            ("odd", "true", "(eq @ (zext 32 (not (extract 0 1 (old @n)))))", &[]),
            ("odd", "true", "true", &[]),
        ],
    },
    // An error inside, which the callers have to exclude.
    Case {
        text: "int lock; void f(int n) { if (lock != 0) __VERIFIER_error(); lock = 1; lock = 0; if (n > 0) f(n - 1); }
               int main() { f(__VERIFIER_nondet_int()); return 0; }",
        right: &[MAIN, ("f", "(eq @lock 0:32)", "true", &[])],
        wrong: &[("f", "true", "true", &[]), ("f", "(eq @lock 1:32)", "true", &[])],
    },
    // One that never returns may grant anything.
    Case {
        text: "int g; void f(int n) { f(n + 1); g = 1; }
               int main() { f(0); __VERIFIER_error(); return 0; }",
        right: &[MAIN, ("f", "true", "false", &[])],
        wrong: &[("f", "true", "true", &[]), ("f", "false", "false", &[])],
    },
    // One that may end the program.
    Case {
        text:
            "extern void exit(int); int f(int n) { if (n == 7) exit(0); if (n > 0) return f(n - 1); return n; }
               int main() { int n = __VERIFIER_nondet_int(); if (n < 7) return 0; f(n); __VERIFIER_error(); return 0; }",
        right: &[MAIN, ("f", "(sle 7:32 @n)", "false", &[])],
        wrong: &[("f", "(sle 6:32 @n)", "false", &[]), ("f", "(sle 7:32 @n)", "true", &[])],
    },
    // Called through a pointer.
    Case {
        text: "int g; void f(int n); void h(int n) { g = 2; } void (*p)(int) = f;
               void f(int n) { if (n > 0) p(n - 1); else p = h; }
               int main() { g = 1; f(__VERIFIER_nondet_int()); if (g > 2) __VERIFIER_error(); return 0; }",
        right: &[MAIN, ("f", "(or (eq @g 1:32) (eq @g 2:32))", "(or (eq @g 1:32) (eq @g 2:32))", &[])],
        wrong: &[
            ("f", "(eq @g 1:32)", "(eq @g 1:32)", &[]),
            ("f", "(or (eq @g 1:32) (eq @g 2:32))", "(eq @g (old @g))", &[]),
            ("f", "true", "(slt @g 3:32)", &[]),
        ],
    },
    // A heap that grows in the recursion: what was there before is not overwritten by what comes after.
    Case {
        text: "int *f(int n) { int *p = malloc(4); *p = n; if (n > 0) f(n - 1); return p; }
               int main() { int *q = malloc(4); *q = 5; int *p = f(__VERIFIER_nondet_int());
               if (p == q) __VERIFIER_error(); return 0; }",
        right: &[MAIN, ("f", "true", "(ule (old heap) @)", &[])],
        wrong: &[("f", "true", "true", &[]), ("f", "true", "(eq heap (old heap))", &[])],
    },
];

#[test]
fn right_summaries_are_accepted_and_wrong_ones_refused() {
    let mut refused = 0;
    for Case { text, right, wrong } in CASES {
        let problem = problem(text);
        let certificate = summaries(&problem, right);
        accept(&problem, &certificate);
        for other in *wrong {
            let mut changed = right.to_vec();
            match changed.iter_mut().find(|w| w.0 == other.0) {
                Some(same) => *same = *other,
                None => changed.push(*other),
            }
            let certificate = summaries(&problem, &changed);
            assert!(is_refuted(&problem, &certificate), "{other:?} of {text}");
            refused += 1;
        }
        // Nothing but what is recursive may be left out, and nothing may be said twice.
        for i in 0..right.len() {
            let mut fewer = right.to_vec();
            fewer.remove(i);
            assert!(is_refuted(&problem, &summaries(&problem, &fewer)), "without {} of {text}", right[i].0);
            let mut twice = right.to_vec();
            twice.push(right[i]);
            assert!(is_refuted(&problem, &summaries(&problem, &twice)), "twice {} of {text}", right[i].0);
            refused += 2;
        }
    }
    assert!(refused >= 60, "{refused}");
}

#[test]
fn the_text_form_of_summaries_is_faithful() {
    for Case { text, right, .. } in CASES {
        let problem = problem(text);
        let (subject, certificate) = (subject(&problem, &Property::UnreachCall), summaries(&problem, right));
        let written = text::write(&subject, &certificate);
        assert_eq!(text::read(&written), Ok((subject, certificate)), "{written}");
        assert!(text::read(&written.replace("  post", "  past")).is_err());
        assert!(text::read(&written.replace("kind summaries", "kind invariant")).is_err());
    }
    let problem = problem(CASES[0].text);
    let mut encoder = Encoder::new(&problem.facts);
    let n = problem.facts.program.vars.ids().next().expect("a parameter");
    let (now, old) = (encoder.input(Cell::Var(n, 0)), encoder.old(Cell::Var(n, 0)));
    let less = encoder.terms.slt(old, now);
    let written = formula::print(&encoder, less);
    assert!(written.contains("(old v0:f::n)"), "{written}");
    assert_eq!(formula::parse(&mut encoder, &written), Ok(less));
    for wrong in ["(old 3:32)", "(old (old v0))", "(old (add v0 v0))", "(old v0 v0)", "(old)"] {
        assert!(formula::parse(&mut encoder, wrong).is_err(), "{wrong}");
    }
}

/// The addresses of an object differ from activation to activation: nothing is said about a procedure that has one.
#[test]
fn local_objects_of_recursive_procedures_are_refused() {
    let problem = problem(
        "int *last; int f(int n) { int x = n; last = &x; if (n > 0) f(n - 1); return x; }
         int main() { if (f(__VERIFIER_nondet_int()) == 0 && last == 0) __VERIFIER_error(); return 0; }",
    );
    let certificate = summaries(&problem, &[MAIN, ("f", "true", "true", &[])]);
    let Err(Failure::Refuted(why)) = certify::check(&problem, &certificate, &super::limits(60)) else {
        panic!("it is refused")
    };
    assert!(why.contains("addresses depend on the activation"), "{why}");
}

/// A caller's object, and memory that a procedure which is followed writes, are changed by a call.
#[test]
fn a_call_changes_the_memory_that_it_may_write() {
    for (text, is_right) in [
        (
            "void f(int *p, int n) { if (n > 0) f(p, n - 1); else *p = 2; }
             int main() { int x = 1; f(&x, __VERIFIER_nondet_int()); if (x == 2) __VERIFIER_error(); return 0; }",
            false,
        ),
        (
            "int a[3]; void set(int i) { a[i] = 2; } void f(int n) { if (n > 0) f(n - 1); else set(1); }
             int main() { f(__VERIFIER_nondet_int()); if (a[1] == 2) __VERIFIER_error(); return 0; }",
            false,
        ),
        (
            "int a[3], b[3]; void set(int i) { b[i] = 2; } void f(int n) { if (n > 0) f(n - 1); else set(1); }
             int main() { f(__VERIFIER_nondet_int()); if (a[1] == 2) __VERIFIER_error(); return b[1]; }",
            true,
        ),
        (
            "void f(int *p, int n) { if (n > 0) f(p, n - 1); }
             int main() { int x = 1; f(&x, __VERIFIER_nondet_int()); if (x == 2) __VERIFIER_error(); return 0; }",
            true,
        ),
        (
            "struct s { int a, b; }; struct s g; void f(int n) { struct s h = { 3, 4 }; if (n > 0) f(n - 1); else g = h; }
             int main() { f(__VERIFIER_nondet_int()); if (g.b == 4) __VERIFIER_error(); return 0; }",
            false,
        ),
        (
            "extern void *memset(void *, int, unsigned long); char a[8]; void f(int n) {
             if (n > 0) f(n - 1); else memset(a, 1, 8); }
             int main() { f(__VERIFIER_nondet_int()); if (a[3] == 1) __VERIFIER_error(); return 0; }",
            false,
        ),
    ] {
        let problem = problem(text);
        let certificate = summaries(&problem, &[MAIN, ("f", "true", "true", &[])]);
        match is_right {
            true => accept(&problem, &certificate),
            false => assert!(is_refuted(&problem, &certificate), "{text}"),
        }
    }
}

/// What a call cannot change is known behind it, for each activation by itself.
#[test]
fn locals_survive_a_call() {
    let problem = problem(
        "int f(int n) { int m = n; if (n > 0) f(n - 1); if (m != n) __VERIFIER_error(); return m; }
         int main() { int k = 4; f(__VERIFIER_nondet_int()); if (k != 4) __VERIFIER_error(); return 0; }",
    );
    accept(&problem, &summaries(&problem, &[MAIN, ("f", "true", "true", &[])]));
}
