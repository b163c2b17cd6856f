//! Mistakes in the paper's text, each with programs on which an engine that follows it is wrong. (a), (b), (h) and (i) are in
//! `oracle`; all programs go to all engines.

use crate::oracle::{fails, holds};
use crate::support::program;
use robusto_boolprog::program::{NodeId, ProcId};
use robusto_boolprog::{Engine, Facts, Question, Settings, Targets, check, qbf};
use robusto_limits::{Limits, Progress};
use robusto_verdict::{Report, Verdict};

fn report(text: &str, settings: impl Into<Settings>) -> Report {
    check(&program(text), &Question::Assert, settings, &Limits::none(), &Progress::default())
}

fn counter(report: &Report, name: &str) -> u64 {
    let found = report.counters.iter().find(|(key, _)| *key == name);
    found.and_then(|(_, value)| value.parse().ok()).unwrap_or_else(|| panic!("no counter `{name}`"))
}

/// (c): merging loses no state, keeps entry and exit together, and chooses by a guard only where guards exclude each other.
#[test]
fn trap_c_merging_keeps_all_states() {
    fails("decl a; void main() begin if * then a := T; else a := F; fi assert(a); end");
    fails("decl a; void main() begin if * then a := T; else a := F; fi assert(!a); end");
    holds("decl a, b; void main() begin if * then a, b := T, F; else a, b := F, T; fi assert(a != b); end");
    // Neither guard says anything, so neither excludes the other.
    fails("decl a; void main() begin goto A, B; A: a := T; goto C; B: a := F; C: assert(a); end");
    fails("decl a; void main() begin goto A, B; A: a := T; goto C; B: a := F; C: assert(!a); end");
    // Both guards hold where a and b do.
    fails(
        "decl a, b, c; void main() begin goto A, B; A: assume(a); c := T; goto C; B: assume(b); c := F;
           C: assume(a & b); assert(c); end",
    );
    // Two entries are merged; the exit belongs to its entry.
    holds(
        "bool f(x) begin if * then skip; fi return x; end
           void main() begin decl y; if * then y := f(T); assert(y); else y := f(F); assert(!y); fi end",
    );
}

/// (d): a loop is unrolled as long as there is something new, and no longer.
#[test]
fn trap_d_unrolling_goes_on_while_states_are_new() {
    let count = |last: &str| {
        format!(
            "decl a, b, c; void main() begin a, b, c := F, F, F;
               while T do assert(!({last})); a, b, c := !a, b ^ a, c ^ (a & b); od end"
        )
    };
    fails(&count("a & b & c"));
    let report = report(
        "decl a, b; void main() begin a := F; b := F; while !b do b := a; a := T; od assert(b); end",
        Engine::Universal,
    );
    assert_eq!(report.verdict, Verdict::True);
    assert_eq!((counter(&report, "universal summaries"), counter(&report, "qbf calls")), (1, 0));
    // Twice in one state, and then in a new one: that is a repetition too.
    let report = self::report(
        "decl g, h; void main() begin decl l; g := T; l := F;
           while g do h := *; assume(!l); l := *; assume(h = g); od assert(F | !g); end",
        Engine::Universal,
    );
    assert_eq!(report.verdict, Verdict::True);
    assert_eq!(counter(&report, "left to qbf"), 0);
    assert!(counter(&report, "path edges") < 100, "{:?}", report.counters);
}

/// (e): a run may come to a node for the first time when others have been there.
#[test]
fn trap_e_runs_that_skipped_a_node_earlier_count() {
    fails(
        "void main() begin decl x, i, b; i, b := F, F;
           while T do
             if x != i then while !b do b := T; od; assert(!i); b := F; fi;
             i := T;
           od end",
    );
}

/// (f): a call does what its callee does, each occurrence for itself.
#[test]
fn trap_f_calls_are_closed() {
    holds("decl g; void f() begin g := T; end void main() begin f(); assert(g); end");
    holds(
        "decl g; void f(x) begin g := g ^ x; end
           void main() begin g := F; f(T); assert(g); f(F); assert(g); f(T); assert(!g); end",
    );
    // A callee on the way that was not taken closes nothing.
    fails("void f() begin assume(F); end void main() begin goto A, B; A: f(); B: assert(F); end");
}

/// (g): who calls a recursive procedure is not unrolled either.
#[test]
fn trap_g_who_reaches_recursion_is_left_to_qbf() {
    let text = "decl g; void leaf() begin g := !g; end
        void f() begin if * then f(); leaf(); leaf(); fi end
        void h() begin f(); leaf(); end
        void main() begin g := F; h(); assert(g); end";
    holds(text);
    let report = report(text, Engine::Universal);
    assert_eq!(counter(&report, "universal summaries"), 1, "only `leaf`");
    assert!(counter(&report, "expansions") > 0, "nothing was left to qbf");
}

/// (j): Table 1 on the example behind equation (3).
#[test]
fn trap_j_the_worked_example() {
    let program =
        program("decl a, b; void main() begin assume(a != b); a := !a constrain (!b | 'a); L: assert(a = b); end");
    let facts = Facts::new(&program);
    let mut solver = qbf::Solver::new(&program, &facts, None, &Limits::none());
    solver.run(&Targets::default(), &Progress::default()).expect("no limit");
    let node = program.procedures[0].labels[0].node;
    let pairs = solver.relation(ProcId(0), node).expect("no limit");
    // Bit 0 is a, bit 1 is b: from a = 0, b = 1 to a = 1, b = 1; from a = 1, b = 0 to a = 0, b = 0.
    assert_eq!(pairs.into_iter().collect::<Vec<_>>(), [(0b01, 0b00), (0b10, 0b11)]);
}

/// (k): procedures that do not return have an empty summary, and early returns join in the right order.
#[test]
fn trap_k_exits_that_are_not_reached() {
    holds("void f() begin while T do skip; od end void main() begin f(); assert(F); end");
    holds("void f() begin assume(F); end void main() begin f(); assert(F); end");
    fails("void f(x) begin while x do skip; od end void main() begin f(*); assert(F); end");
    let early = "bool f(x) begin decl y; if x then return T; fi y := *; while y do y := *; if !y then return F; fi od
           return F; end";
    holds(&format!("{early} void main() begin decl r, x; x := *; r := f(x); assert(r = x); end"));
    fails(&format!("{early} void main() begin decl r, x; x := *; r := f(x); assert(r); end"));
}

/// (l): a path edge without states goes nowhere; (8) asks for the union.
#[test]
fn trap_l_guards_and_unions() {
    holds("void main() begin decl x; while T do assume(x); assume(!x); assert(F); od end");
    // At the head: x = F, then x = T, then x = y, which is in neither of the two but in their union.
    let text = "decl x, y; void main() begin x := F; dead y;
        while T do assert(x | y | !y); if !x then x := T; dead y; else x := *; y := x; fi; od end";
    holds(text);
    let program = program(text);
    let facts = Facts::new(&program);
    let mut solver = qbf::Solver::new(&program, &facts, None, &Limits::none());
    solver.run(&Targets::default(), &Progress::default()).expect("no limit");
    let head = program.procedures[0].edges.iter().find(|edge| edge.text.starts_with("while")).expect("a loop").from;
    assert_eq!(solver.relation(ProcId(0), head).expect("no limit").len(), 4);
    assert_eq!(solver.path_edges_to(ProcId(0), head), 2);
    assert_eq!(solver.path_edges_to(ProcId(0), NodeId(0)), 1);
}

/// Without recursion, nothing quantified is asked; below the threshold only.
#[test]
fn universal_summaries_ask_nothing_quantified() {
    let text = "decl g, h;
        bool f(x) begin while !x do x := *; g := g ^ h; od return g; end
        void main() begin decl r; h := F; g := T; while * do r := f(*); assert(r = g); r := f(r); od assert(g); end";
    let universal = report(text, Engine::Universal);
    assert_eq!((&universal.verdict, counter(&universal, "qbf calls")), (&Verdict::True, 0));
    assert!(counter(&universal, "closed calls") > 0);
    let qbf = report(text, Engine::Qbf);
    assert!(qbf.verdict == Verdict::True && counter(&qbf, "qbf calls") > 0);
    let switched = report(text, Settings { threshold: 10, ..Engine::Universal.into() });
    assert_eq!((&switched.verdict, counter(&switched, "universal summaries")), (&Verdict::True, 0));
    assert!(counter(&switched, "qbf calls") > 0 && counter(&switched, "left to qbf") > 0);
}
