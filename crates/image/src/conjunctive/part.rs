//! Conjunctions of relations of bits, with their variables.

use crate::space::{Space, full};
use robusto_diagram::{Bdd, VarIndex};
use robusto_limits::{Limits, Stopped};
use std::collections::BTreeSet;

/// A conjunct of the transition relation.
#[derive(Clone)]
pub(super) struct Part {
    pub relation: Bdd,
    /// Its variables that an image loses: those now, and inputs.
    pub old: BTreeSet<VarIndex>,
    /// How many next variables it has.
    pub next: usize,
}

/// Which variables are what.
pub(super) struct Kinds {
    is_next: Vec<bool>,
    is_input: Vec<bool>,
}

impl Kinds {
    pub fn of(space: &Space) -> Self {
        let mut kinds = Self {
            is_next: vec![false; space.diagrams.variables() as usize],
            is_input: vec![false; space.diagrams.variables() as usize],
        };
        space.next.iter().flatten().chain(&space.next_counter).for_each(|var| kinds.is_next[var.index()] = true);
        space.inputs().into_iter().for_each(|var| kinds.is_input[var.index()] = true);
        kinds
    }

    /// Whether a variable is an input.
    pub fn is_input(&self, var: VarIndex) -> bool {
        self.is_input[var.index()]
    }

    /// The conjunct with this relation.
    pub fn part(&self, space: &Space, relation: Bdd) -> Part {
        let (next, old): (Vec<_>, Vec<_>) =
            space.diagrams.support(&relation).into_iter().partition(|var| self.is_next[var.index()]);
        Part { relation, old: old.into_iter().collect(), next: next.len() }
    }

    /// The conjunction of two parts, inputs quantified that no other part has, if it has at most `limit` nodes.
    pub fn join(
        &self,
        space: &Space,
        [a, b]: [&Part; 2],
        others: &[&Part],
        limit: usize,
    ) -> Result<Option<Part>, Stopped> {
        let diagrams = &space.diagrams;
        let is_local = |var: &&VarIndex| self.is_input(**var) && others.iter().all(|part| !part.old.contains(var));
        let local: Vec<VarIndex> = a.old.union(&b.old).filter(is_local).copied().collect();
        let cube = diagrams.cube(&local).map_err(full)?;
        let budget = limit.saturating_mul(BUDGET);
        let joined = diagrams.and_exists_within(&a.relation, &b.relation, &cube, budget).map_err(full)?;
        let joined = joined.filter(|joined| diagrams.node_count_up_to(joined, limit).is_some());
        Ok(joined.map(|joined| self.part(space, joined)))
    }
}

/// A conjunction that needs this many times the nodes it may have in the end is given up. Intermediate results are seldom more
/// than a few times as large, and without a bound a product that is thrown away can take all the time there is.
const BUDGET: usize = 10;

/// Joins neighbours from the first to the last, as long as they have at most `limit` nodes.
pub(super) fn join_in_order(
    space: &Space,
    kinds: &Kinds,
    parts: Vec<Part>,
    limit: usize,
    limits: &Limits,
) -> Result<Vec<Part>, Stopped> {
    let mut joined: Vec<Part> = Vec::new();
    for number in 0..parts.len() {
        limits.look()?;
        let part = &parts[number];
        if let Some((last, done)) = joined.split_last() {
            let others: Vec<&Part> = done.iter().chain(&parts[number + 1..]).collect();
            if let Some(both) = kinds.join(space, [last, part], &others, limit)? {
                joined.pop();
                joined.push(both);
                continue;
            }
        }
        joined.push(part.clone());
    }
    Ok(joined)
}
