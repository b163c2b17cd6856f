//! Whether a property holds whatever the program computes.
//!
//! A `true` that rests on nothing is worth saying: there is nothing that could violate the property, no call leads there, or
//! every execution has ended before. The last is decided by the shape of the automata alone: both sides of every condition
//! count as possible, a call goes on only where the called function can return, and what is assumed (`__VERIFIER_assume`,
//! a location with no other way out) ends executions where interval analysis shows that it never holds. So a proof by the
//! values of variables is never called vacuous.

use crate::problem::Problem;
use crate::property::edge_of;
use robusto_analyses::interval::Invariants;
use robusto_cfa::facts::Facts;
use robusto_cfa::ir::{Callee, FuncId, IdxVec, LocId, Op};
use robusto_verdict::Vacuity;
use rustc_hash::FxHashSet;

/// Why the property of a problem holds vacuously, if it does; the bounds of variables are used if they are known.
pub(crate) fn vacuity(problem: &Problem, intervals: Option<&Invariants>) -> Option<Vacuity> {
    // Accesses that are valid whatever happens have been left out: that is a proof.
    if problem.accesses.asked && problem.accesses.valid() > 0 {
        return None;
    }
    let facts = &problem.facts;
    let mut targets = problem.targets.iter().filter(|target| target.is_violation()).peekable();
    if targets.peek().is_none() {
        return Some(Vacuity::Nothing);
    }
    let called: Vec<_> = targets.map(edge_of).filter(|&(function, _)| facts.calls.is_reachable(function)).collect();
    if called.is_empty() {
        return Some(Vacuity::NotCalled);
    }
    let main = facts.program.main?;
    let reached = Reached::from(main, facts, intervals);
    let comes_to = |&(function, edge): &(FuncId, _)| {
        let edge = facts.program.functions[function].edge(edge);
        reached.locations.contains(&(function, edge.src))
    };
    (!called.iter().any(comes_to)).then_some(Vacuity::Ended)
}

/// The locations that executions may come to by the shape of the automata.
struct Reached<'f> {
    facts: &'f Facts,
    intervals: Option<&'f Invariants>,
    returns: IdxVec<FuncId, bool>,
    locations: FxHashSet<(FuncId, LocId)>,
}

impl<'f> Reached<'f> {
    fn from(main: FuncId, facts: &'f Facts, intervals: Option<&'f Invariants>) -> Self {
        let returns = facts.program.functions.iter().map(|function| function.external).collect();
        let mut reached = Self { facts, intervals, returns, locations: FxHashSet::default() };
        // The least solution: a function returns if it does so with what is known to return. Callees come first.
        loop {
            let before = reached.returns.iter().filter(|&&returns| returns).count();
            for &function in facts.calls.bottom_up() {
                if !reached.returns[function] {
                    let locations = reached.within(function);
                    reached.returns[function] = locations.contains(&facts.program.functions[function].exit);
                }
            }
            if reached.returns.iter().filter(|&&returns| returns).count() == before {
                break;
            }
        }
        let mut open = vec![main];
        let mut entered: FxHashSet<FuncId> = open.iter().copied().collect();
        while let Some(function) = open.pop() {
            let locations = reached.within(function);
            for site in facts.calls.sites(function) {
                if locations.contains(&facts.program.functions[function].edge(site.edge).src) {
                    open.extend(site.callees.iter().filter(|&&callee| entered.insert(callee)));
                }
            }
            reached.locations.extend(locations.into_iter().map(|loc| (function, loc)));
        }
        reached
    }

    /// The locations of a function that its entry leads to.
    fn within(&self, function: FuncId) -> FxHashSet<LocId> {
        let body = &self.facts.program.functions[function];
        let mut seen = FxHashSet::from_iter([body.entry]);
        let mut open = vec![body.entry];
        while let Some(loc) = open.pop() {
            let is_only = body.out(loc).len() == 1;
            for (id, edge) in body.out(loc) {
                let goes_on = match &edge.op {
                    Op::Call { callee: Callee::Direct(callee), .. } => self.returns[*callee],
                    Op::Call { callee: Callee::Indirect(..), .. } => {
                        let site = self.facts.calls.site(function, id);
                        site.is_none_or(|site| site.unknown || site.callees.iter().any(|&callee| self.returns[callee]))
                    }
                    Op::Assume { .. } if is_only => self.intervals.is_none_or(|intervals| {
                        !intervals.is_reachable(function, loc) || intervals.is_reachable(function, edge.dst)
                    }),
                    _ => true,
                };
                if goes_on && seen.insert(edge.dst) {
                    open.push(edge.dst);
                }
            }
        }
        seen
    }
}
