//! The interval analysis against executions of random programs.

use crate::support::{PRELUDE, program, random_text};
use robusto_analyses::interval::{Intervals, Invariants, State};
use robusto_cfa::facts::Facts;
use robusto_cfa::ir::{FuncId, LocId, Op, Program, VarId};
use robusto_cpa::control::Location;
use robusto_cpa::{Composite, Order, Run, Supergraph, explore};
use robusto_domains::{Interval, Lattice as _};
use robusto_interp::inputs::Seeded;
use robusto_interp::{Change, Code, Config, EdgeRef, Machine, Observer, Streams, View};
use robusto_limits::Limits;
use std::collections::BTreeMap;
use std::ops::ControlFlow;

fn analyse(text: &str) -> (Facts, Invariants) {
    let facts = Facts::of(program(text));
    let invariants = Invariants::of(&facts, &Limits::none()).expect("no limit");
    (facts, invariants)
}

/// Checks every state of an execution.
struct Checker<'a> {
    program: &'a Program,
    /// The bounds at a location; `None` if it is not reached.
    bounds: &'a dyn Fn(FuncId, LocId) -> Option<Vec<(VarId, Interval)>>,
    text: &'a str,
    checked: usize,
}

impl Checker<'_> {
    fn check(&mut self, view: &View<'_>, function: FuncId, loc: LocId) {
        let name = &self.program.functions[function].name;
        let bounds = (self.bounds)(function, loc);
        assert!(bounds.is_some(), "{loc} of {name} is reached\n{}", self.text);
        for (var, interval) in bounds.into_iter().flatten() {
            let Some(value) = view.var(var) else { continue };
            self.checked += 1;
            let info = &self.program.vars[var];
            assert!(
                interval.contains(value as u64),
                "{} is {value} and not in {interval:?} at {loc} of {name}\n{}",
                info.name,
                self.text
            );
        }
    }
}

impl Observer for &mut Checker<'_> {
    fn step(&mut self, view: &View<'_>, at: EdgeRef, _: Change) {
        let edge = self.program.functions[at.function].edge(at.edge);
        if view.function == at.function && !matches!(edge.op, Op::Return { .. } | Op::Call { .. }) {
            self.check(view, at.function, edge.dst);
        }
    }

    fn call(&mut self, view: &View<'_>, function: FuncId) {
        self.check(view, function, self.program.functions[function].entry);
    }
}

/// Checks a few executions; the number of values that were checked.
fn executions(
    facts: &Facts,
    text: &str,
    seed: u64,
    bounds: &dyn Fn(FuncId, LocId) -> Option<Vec<(VarId, Interval)>>,
) -> usize {
    let code = Code::new(&facts.program);
    let mut checked = 0;
    for run in 0..5 {
        let mut checker = Checker { program: &facts.program, bounds, text, checked: 0 };
        let (mut out, mut err) = (std::io::sink(), std::io::sink());
        let streams = Streams { out: &mut out, err: &mut err };
        let mut inputs = Seeded::new(seed * 7 + run);
        Machine::new(&facts.program, &code, Config::default(), &mut inputs, &mut checker, streams)
            .expect("it starts")
            .run();
        checked += checker.checked;
    }
    checked
}

/// As any CPA the analysis can be explored with call stacks, too; then it has a state for each.
#[test]
fn every_concrete_value_is_inside_with_call_stacks() {
    let mut checked = 0;
    for seed in 0..100 {
        let text = random_text(seed);
        let facts = Facts::of(program(&text));
        let graph = Supergraph::new(&facts.program, &facts.calls);
        let mut cpa = Composite::new(&facts.program, Intervals::new(&facts, &graph), &facts, 20);
        let main = facts.program.main.expect("main");
        let (exploration, run) = explore(&mut cpa, main, Order::default(), |_| ControlFlow::Continue(()));
        if !matches!(run, Run::Complete) {
            continue;
        }
        let mut states: BTreeMap<Location, State> = BTreeMap::new();
        for id in exploration.arg.ids() {
            let state = &exploration.arg.node(id).state;
            let joined = states.get(&state.location).map(|old| old.join(&state.data));
            states.insert(state.location, joined.unwrap_or_else(|| state.data.clone()));
        }
        let bounds = |function, loc| {
            let state = states.get(&Location { function, loc })?;
            Some(state.iter().map(|(&var, &interval)| (var, interval)).collect())
        };
        checked += executions(&facts, &text, seed, &bounds);
    }
    assert!(checked > 2_000, "only {checked} values had bounds");
}

#[test]
fn every_concrete_value_is_inside() {
    let mut checked = 0;
    for seed in 0..400 {
        let text = random_text(seed);
        let (facts, invariants) = analyse(&text);
        let bounds = |function, loc| {
            invariants.is_reachable(function, loc).then(|| invariants.at(function, loc).collect::<Vec<_>>())
        };
        checked += executions(&facts, &text, seed, &bounds);
    }
    assert!(checked > 10_000, "only {checked} values had bounds");
}

/// The bounds of a variable of `main` where a label stands.
fn bounds(text: &str, label: &str, name: &str) -> Interval {
    let (facts, invariants) = analyse(&format!("{PRELUDE}{text}"));
    let program = &facts.program;
    let main = program.main.expect("main");
    let at = program.functions[main].labels.iter().find(|l| &*l.name == label).expect("the label").loc;
    let found = invariants.at(main, at).find(|(var, _)| &*program.vars[*var].name == name);
    found.map_or(Interval::top(32), |(_, interval)| interval)
}

#[test]
fn loops_are_narrowed() {
    let text = "int main() { int i = 0; while (i < 100) { i++; } here: return i; }";
    assert_eq!(bounds(text, "here", "i"), Interval::constant(32, 100));
    let text = "int main() { int n = __VERIFIER_nondet_int(), i = 0; while (i != n) { in: i += 2; } return i; }";
    assert_eq!(bounds(text, "in", "i").congruence(), (1, 0));
}

#[test]
fn conditions_restrict() {
    let text = "int main() { int x = __VERIFIER_nondet_int(); if (x > 3 && x <= 7) { here: return x; } return 0; }";
    assert_eq!(bounds(text, "here", "x"), Interval::signed(32, 4, 7));
    let text =
        "int main() { unsigned char c = __VERIFIER_nondet_uchar(); if (c + 1 == 5) { here: return c; } return 0; }";
    assert_eq!(bounds(text, "here", "c"), Interval::constant(8, 4));
}

#[test]
fn calls_return_their_bounds() {
    let text = "int g = 5; int clamp(int x) { if (x < 0) return 0; if (x > 9) return 9; return x; }
        int main() { int y = clamp(__VERIFIER_nondet_int()); y += clamp(3); here: return y + g; }";
    assert_eq!(bounds(text, "here", "y"), Interval::signed(32, 0, 18));
    assert_eq!(bounds(text, "here", "g"), Interval::constant(32, 5));
}

#[test]
fn recursion_is_widened() {
    let text = "int depth; int f(int n) { if (n <= 0) return 0; depth++; return f(n - 1); }
        int main() { f(__VERIFIER_nondet_uchar()); here: return depth; }";
    assert!(bounds(text, "here", "depth").contains(255));
}
