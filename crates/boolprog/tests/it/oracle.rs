//! The oracle and the replay, on programs whose verdict is plain.

use crate::support::program;
use robusto_boolprog::explicit::{self, Reduction};
use robusto_boolprog::{Engine, Facts, Program, Question, Targets, check, replay};
use robusto_limits::{Limits, Progress};
use robusto_verdict::{Counterexample, Reason, Verdict};

/// Explores without a reduction and with one, and with the other engines; they agree, and a violation is replayed.
#[track_caller]
pub fn violation(program: &Program, question: &Question) -> Option<Counterexample> {
    let targets = Targets::new(program, question);
    let facts = Facts::new(program);
    let answers = [Reduction::none(program), Reduction::live(program, &facts)].map(|reduction| {
        let explored = explicit::explore(program, reduction, &targets, &Limits::none(), &Progress::default());
        let explored = explored.unwrap_or_else(|stopped| panic!("{stopped}"));
        let goal = explored.violated(&targets)?;
        let trace = explored.trace().expect("a violation has a trace");
        Some(replay(program, &trace, goal).unwrap_or_else(|mismatch| panic!("{mismatch}: {trace:?}")))
    });
    let [full, reduced] = answers;
    assert_eq!(full.is_some(), reduced.is_some(), "the reduction changes the verdict");
    for engine in [Engine::Bdd, Engine::Qbf, Engine::Universal] {
        let report = check(program, question, engine, &Limits::none(), &Progress::default());
        match report.verdict {
            Verdict::True => assert_eq!(full, None, "{engine} says true"),
            Verdict::False(_) => assert!(full.is_some(), "{engine} says false"),
            Verdict::Unknown(reason) => panic!("{engine}: {reason}"),
        }
    }
    full
}

#[track_caller]
pub fn holds(text: &str) {
    assert_eq!(violation(&program(text), &Question::Assert), None);
}

#[track_caller]
pub fn fails(text: &str) -> Counterexample {
    violation(&program(text), &Question::Assert).expect("a violation")
}

#[test]
fn first_values_are_any() {
    fails("decl g; void main() begin assert(g); end");
    fails("decl g; void main() begin assert(!g); end");
    fails("void main() begin decl l; assert(l); end");
    fails("void main(p) begin assert(p); end");
    holds("decl g; void main() begin assert(g | !g); end");
    fails("void f() begin decl l; assert(l); l := T; end void main() begin f(); f(); end");
}

#[test]
fn choices() {
    fails("decl a, b; void main() begin a, b := *, *; assert(a = b); end");
    fails("void main() begin assert(* = *); end");
    holds("decl a; void main() begin a := schoose[T, T]; assert(a); end");
    holds("decl a; void main() begin a := schoose[F, T]; assert(!a); end");
    fails("decl a; void main() begin a := schoose[F, F]; assert(!a); end");
    fails("decl a; void main() begin a := schoose[F, F]; assert(a); end");
    fails("decl a; void main() begin if * then a := T; else a := F; fi assert(a); end");
}

#[test]
fn assignments() {
    holds("decl a, b; void main() begin a := T; b := F; a, b := b, a; assert(!a & b); end");
    // The example behind equation (3) of the paper: from a = F, b = T the successor is a = T, b = T.
    holds("decl a, b; void main() begin a, b := F, T; a := !a constrain (!b | 'a); assert(a & b); end");
    holds("decl a; void main() begin a := F; a := F constrain 'a; assert(F); end");
    holds("decl a, b; void main() begin b := F; a := * constrain 'b; assert(F); end");
    holds("decl a, b; void main() begin a := T; dead b; assert(a); end");
    fails("decl a; void main() begin a := T; dead a; assert(a); end");
    holds("decl a; void main() begin abortif(a); assert(!a); end");
    fails("decl a; void main() begin abortif(*); assert(F); end");
    holds("decl a; void main() begin decl a; a := T; f(); assert(a); end void f() begin a := F; end");
}

#[test]
fn what_is_enforced_holds_throughout() {
    holds(
        "decl a, b; void f() begin enforce a & !b; assert(a & !b); a, b := *, *; assert(a & !b); end
           void main() begin f(); end",
    );
    holds("decl a; void main() begin enforce a; f(); assert(a); end void f() begin a := *; end");
    // The callee may do what the caller must not.
    fails("decl a; void main() begin enforce a; f(); end void f() begin a := F; assert(a); end");
    holds("void main() begin decl l; enforce l; l := F; assert(F); end");
}

#[test]
fn calls() {
    holds(
        "bool<2> f(a, b) begin return b, a; end
           void main() begin decl x, y; x, y := f(T, F); assert(!x & y); end",
    );
    holds("decl g; bool f() begin g := F; return T; end void main() begin g := f(); assert(g); end");
    fails("bool f() begin end void main() begin decl x; x := f(); assert(x); end");
    holds(
        "bool f(n) begin decl r; if n then r := f(F); return !r; fi return T; end
           void main() begin decl x; x := f(T); assert(!x); end",
    );
    fails("decl g; void f() begin if * then g := !g; f(); fi end void main() begin g := F; f(); assert(!g); end");
    // Never returns.
    holds("void f() begin f(); end void main() begin f(); assert(F); end");
    holds("void main() begin goto L; L: goto L; assert(F); end");
    fails("void main() begin if * then main(); fi assert(F); end");
}

/// (a): a callee that blocks on a part of its context still returns for the rest.
#[test]
fn trap_a_a_callee_may_block() {
    fails("decl g; void f(x) begin assume(x & g); end void main() begin decl y; f(y); assert(F); end");
    holds("decl g; void f(x) begin assume(x & g); end void main() begin decl y; f(y); assert(y & g); end");
}

/// (b): a call that found no summary sees those that come later.
#[test]
fn trap_b_late_summaries_reach_earlier_calls() {
    fails(
        "decl g; void f() begin if * then f(); g := !g; fi end
           void main() begin g := F; f(); assert(!g); end",
    );
    fails(
        "bool f(n) begin decl r; if n then r := f(n); return !r; fi return n; end
           bool h() begin decl r; if * then r := h(); return !r; fi return T; end
           void main() begin decl x, y; y := h(); assert(y); x := f(T); end",
    );
}

/// (h): a failure in a callee counts though the callee does not return.
#[test]
fn trap_h_a_failure_in_a_callee_counts() {
    fails("void f(x) begin assert(x); assume(F); end void main() begin f(F); end");
    fails("void f(x) begin assert(x); end void g(x) begin f(x); assume(F); end void main() begin g(F); end");
}

/// (i): choices are fresh for each occurrence, execution and use of a summary.
#[test]
fn trap_i_choices_are_fresh() {
    fails("bool f() begin return *; end void main() begin decl x, y; x := f(); y := f(); assert(x = y); end");
    fails(
        "void main() begin decl x, y, n; n := F; L: y := x; x := *; if !n then n := T; goto L; fi
           assert(x = y); end",
    );
    fails(
        "bool f() begin return *; end void main() begin decl x, y; assume(!x & y); x := f(); y := f();
           assert(!(x & !y)); end",
    );
}

#[test]
fn labels() {
    let text = "decl g; void main() begin g := F; if g then L: skip; fi M: 7: skip; end";
    let reached = |label: &str| violation(&program(text), &Question::Label(label.to_owned())).is_some();
    assert!(!reached("L") && reached("M") && reached("7"));
}

/// As many variables as a state of the oracle has bits, and one more.
#[test]
fn many_variables() {
    let text = |count: usize| {
        let names: Vec<String> = (0..count).map(|i| format!("g{i}")).collect();
        let last = count - 1;
        format!(
            "decl {};\nvoid f() begin g{last} := !g{last}; end\nvoid main() begin g{last} := F; f(); assert(!g{last}); end",
            names.join(", ")
        )
    };
    let verdict = |count: usize, engine| {
        check(&program(&text(count)), &Question::Assert, engine, &Limits::none(), &Progress::default()).verdict
    };
    assert!(matches!(verdict(128, Engine::Explicit), Verdict::False(_)));
    assert!(matches!(verdict(129, Engine::Explicit), Verdict::Unknown(Reason::Unsupported(_))));
    assert!(matches!(verdict(1000, Engine::Bdd), Verdict::False(_)));
}

#[test]
fn a_trace_tells_what_happened() {
    let cex = fails("decl g;\nvoid f(x) begin\n  g := x;\nend\nvoid main() begin\n  f(*);\n  assert(g);\nend");
    let told: Vec<(u32, usize, Option<(String, String)>)> =
        cex.trace.into_iter().map(|line| (line.pos.line, line.depth, line.change)).collect();
    let change = |name: &str| Some((name.to_owned(), "F".to_owned()));
    let expected = [(6, 0, None), (2, 1, change("x")), (3, 1, change("g")), (4, 1, None), (7, 0, None)];
    assert_eq!(told, expected);
    assert_eq!(cex.inputs.len(), 1);
    assert_eq!((cex.inputs[0].pos.line, &*cex.inputs[0].value), (6, "F"));
}
