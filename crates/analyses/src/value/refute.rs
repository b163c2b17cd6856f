//! Why values of variables exclude a path, and which of them it takes.
//!
//! Forwards along the path all values are computed, until a condition contradicts them. Backwards from there a slice keeps
//! what the contradiction rests on: a variable that a step assigns is replaced by those of the assigned expression, one that
//! a condition tells is replaced by the other variables of the condition. So at each position the values of the slice follow
//! from those one step before, and in the end contradict the last condition.

use super::step::{self, Prepared, Source, Steps};
use robusto_cfa::facts::Facts;
use robusto_cfa::ir::VarId;
use robusto_cpa::Step;
use robusto_cpa::control::Location;
use robusto_domains::Boxes;
use robusto_domains::machine::variables_of;
use std::collections::BTreeSet;
use std::rc::Rc;

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
/// values of the wanted variables do not exclude the path. The last condition is at the end of the list.
pub fn refute(facts: &Facts, path: &[Step], kept: Kept, wanted: impl Fn(VarId) -> bool) -> Option<Vec<Needed>> {
    let mut steps = Steps::new(facts);
    let pool = &facts.program.exprs;
    let first = step::start(facts, &wanted);
    let mut states = vec![if kept == Kept::Constants { super::constants(first) } else { first }];
    let mut taken: Vec<Rc<Prepared>> = Vec::new();
    let contradicted = path.iter().find_map(|&step| {
        let prepared = steps.get(step);
        let before = states.last().expect("there is a first");
        match prepared.apply(pool, before, &wanted) {
            None => Some(prepared),
            Some((after, _)) => {
                states.push(if kept == Kept::Constants { prepared.only_constants(after) } else { after });
                taken.push(prepared);
                None
            }
        }
    })?;
    let known = |vars: &[VarId], state: &Boxes<VarId>| -> BTreeSet<VarId> {
        vars.iter().copied().filter(|var| state.get(var).is_some()).collect()
    };
    let (_, _, mentioned) = contradicted.guard.as_ref().expect("only conditions exclude anything");
    let mut vars = known(mentioned, &states[taken.len()]);
    let mut needed = vec![Needed { at: contradicted.from, vars: vars.clone() }];
    for (prepared, (before, after)) in taken.iter().zip(states.windows(2).map(|two| (&two[0], &two[1]))).rev() {
        let mut earlier = BTreeSet::new();
        for var in std::mem::take(&mut vars) {
            match prepared.assign.iter().find(|(assigned, _)| *assigned == var) {
                Some((_, Source::Expr(e))) => {
                    let read: Vec<VarId> = variables_of(pool, [*e].into_iter()).into_iter().collect();
                    earlier.extend(known(&read, before));
                }
                Some(_) => {}
                None => {
                    if before.get(&var) != after.get(&var)
                        && let Some((_, _, mentioned)) = &prepared.guard
                    {
                        earlier.extend(known(mentioned, before));
                    } else {
                        earlier.insert(var);
                    }
                }
            }
        }
        vars = earlier;
        needed.push(Needed { at: prepared.from, vars: vars.clone() });
    }
    needed.reverse();
    Some(needed)
}
