//! Why values of variables exclude a path, and which of them it takes.
//!
//! Forwards along the path all values are computed; a condition that contradicts them is noted and left out. Backwards from a
//! contradiction a slice keeps what it rests on: a variable that a step assigns is replaced by those of the assigned
//! expression, one that a condition tells is replaced by the other variables of the condition. So at each position the values
//! of the slice follow from those one step before, and in the end contradict the condition.
//!
//! A path may be excluded for several reasons. The one with the fewest counters is taken, then the one with the fewest variables
//! (Beyer, Löwe, Wendler: *Refinement selection*, SPIN 2015): a counter that is tracked unrolls its loop.

use super::step::{self, Prepared, Source, Steps};
use robusto_cfa::facts::Facts;
use robusto_cfa::ir::{BinOp, Expr, ExprPool, Op, VarId};
use robusto_cpa::Step;
use robusto_cpa::control::Location;
use robusto_domains::Boxes;
use robusto_domains::machine::variables_of;
use std::collections::BTreeSet;
use std::rc::Rc;

/// Most contradictions of a path that are looked at.
const MAX_REASONS: usize = 20;

/// Which values are looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kept {
    /// Constants.
    Constants,
    /// Intervals.
    Intervals,
}

/// The variables whose values a path needs at a location.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Needed {
    /// Where.
    pub at: Location,
    /// The variables.
    pub vars: BTreeSet<VarId>,
}

/// For each position of a path from the start of the program what it needs there, the first position first; `None` if
/// values of the wanted variables do not exclude the path. The contradicted condition is at the end of the list.
pub fn refute(facts: &Facts, path: &[Step], kept: Kept, wanted: impl Fn(VarId) -> bool) -> Option<Vec<Needed>> {
    let run = Run::along(facts, path, kept, wanted);
    let counters = counters(facts);
    let rating = |slice: &Vec<Needed>| {
        let vars: BTreeSet<VarId> = slice.iter().flat_map(|needed| &needed.vars).copied().collect();
        (vars.intersection(&counters).count(), vars.len(), slice.len())
    };
    run.contradicted.iter().map(|&at| run.slice(facts, at)).min_by_key(rating)
}

/// The values along a path.
struct Run {
    steps: Vec<Rc<Prepared>>,
    /// Before each step, and after the last.
    states: Vec<Boxes<VarId>>,
    /// The steps whose conditions contradict the values before them.
    contradicted: Vec<usize>,
}

impl Run {
    fn along(facts: &Facts, path: &[Step], kept: Kept, wanted: impl Fn(VarId) -> bool) -> Self {
        let mut known = Steps::new(facts);
        let pool = &facts.program.exprs;
        let first = step::start(facts, &wanted);
        let mut states = vec![if kept == Kept::Constants { super::constants(first) } else { first }];
        let (mut steps, mut contradicted) = (Vec::new(), Vec::new());
        for (position, &step) in path.iter().enumerate() {
            let prepared = known.get(step);
            let before = states.last().expect("there is a first");
            let after = match prepared.apply(pool, before, &wanted) {
                Some((after, _)) if kept == Kept::Constants => prepared.only_constants(after),
                Some((after, _)) => after,
                None => {
                    contradicted.push(position);
                    before.clone()
                }
            };
            states.push(after);
            steps.push(prepared);
            if contradicted.len() == MAX_REASONS {
                break;
            }
        }
        Self { steps, states, contradicted }
    }

    /// What a contradiction rests on.
    fn slice(&self, facts: &Facts, at: usize) -> Vec<Needed> {
        let pool = &facts.program.exprs;
        let known = |vars: &[VarId], state: &Boxes<VarId>| -> BTreeSet<VarId> {
            vars.iter().copied().filter(|var| state.get(var).is_some()).collect()
        };
        let (_, _, mentioned) = self.steps[at].guard.as_ref().expect("only conditions exclude anything");
        let mut vars = known(mentioned, &self.states[at]);
        let mut needed = vec![Needed { at: self.steps[at].from, vars: vars.clone() }];
        for position in (0..at).rev() {
            let (prepared, before, after) = (&self.steps[position], &self.states[position], &self.states[position + 1]);
            let mut earlier = BTreeSet::new();
            for var in std::mem::take(&mut vars) {
                match prepared.assign.iter().find(|(assigned, _)| *assigned == var) {
                    Some((_, Source::Expr(e))) => {
                        let read: Vec<VarId> = variables_of(pool, [*e].into_iter()).into_iter().collect();
                        earlier.extend(known(&read, before));
                    }
                    Some(_) => {}
                    None => match &prepared.guard {
                        Some((_, _, mentioned)) if before.get(&var) != after.get(&var) => {
                            earlier.extend(known(mentioned, before));
                        }
                        _ => {
                            earlier.insert(var);
                        }
                    },
                }
            }
            vars = earlier;
            needed.push(Needed { at: prepared.from, vars: vars.clone() });
        }
        needed.reverse();
        needed
    }
}

/// The variables that some step counts up or down.
fn counters(facts: &Facts) -> BTreeSet<VarId> {
    let pool = &facts.program.exprs;
    let edges = facts.program.functions.iter().flat_map(|function| function.edges().iter());
    let counted = edges.filter_map(|edge| match edge.op {
        Op::Assign { var, value } if is_counting(pool, var, value) => Some(var),
        _ => None,
    });
    counted.collect()
}

fn is_counting(pool: &ExprPool, var: VarId, mut value: robusto_cfa::ir::ExprId) -> bool {
    while let Expr::Cast(_, _, inner) = pool.get(value) {
        value = inner;
    }
    let Expr::Binary(BinOp::Add | BinOp::Sub, mut x, y) = pool.get(value) else { return false };
    while let Expr::Cast(_, _, inner) = pool.get(x) {
        x = inner;
    }
    matches!(pool.get(x), Expr::Var(counted) if counted == var) && pool.as_const(y).is_some()
}

/// The variables that the conditions of some steps of a path rest on, whatever their values.
pub fn dependencies(facts: &Facts, path: &[Step], conditions: &[usize]) -> BTreeSet<VarId> {
    let mut steps = Steps::new(facts);
    let pool = &facts.program.exprs;
    let (mut open, mut all) = (BTreeSet::new(), BTreeSet::new());
    for (position, &step) in path.iter().enumerate().rev() {
        let prepared = steps.get(step);
        for &(var, source) in &prepared.assign {
            if let (true, Source::Expr(e)) = (open.remove(&var), source) {
                open.extend(variables_of(pool, [e].into_iter()));
            }
        }
        if let (Ok(_), Some((_, _, mentioned))) = (conditions.binary_search(&position), &prepared.guard) {
            open.extend(mentioned.iter().copied());
        }
        all.extend(open.iter().copied());
    }
    all
}
