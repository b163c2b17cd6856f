//! Searches from the bad locations, alone or together with the one from the start, until both meet or one of them is complete.
//!
//! Bad are violations, steps that are not modelled, and what is beyond a bound: a proof must exclude them all. The backward search
//! is about all bad locations that are still open at once. When both sides meet, there is an execution to one of them; if more
//! are wanted, the search goes on about the others.

use super::backward::Backward;
use super::cluster::Clusters;
use super::stores::Stores;
use super::traversal::Sets;
use super::{Options, Traversal};
use crate::exits::Exits;
use crate::model::Place;
use crate::search::{Reached, Run, Trace};
use crate::space::{Space, full};
use robusto_diagram::{Bdd, VarIndex};
use robusto_limits::{Limits, Stopped};
use std::collections::BTreeMap;

/// Where a search begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Direction {
    /// At the start.
    #[default]
    Forward,
    /// At the bad locations.
    Backward,
    /// At both; the side with fewer nodes to go on with takes the next round.
    Both,
}

/// What both sides have found.
pub(super) struct Combined<'m> {
    forward: Sets<'m>,
    backward: Backward,
    /// By bad location that is reached, how.
    traces: BTreeMap<usize, Trace>,
}

/// Explores a model.
pub(super) fn explore<'m>(exits: Exits<'m>, options: &Options, run: &mut Run<'_, '_>) -> Result<Combined<'m>, Stopped> {
    let is_bad = |place: &Place| matches!(place, Place::Target(..) | Place::Gap(_) | Place::Bound(..));
    let mut open: Vec<usize> =
        (0..exits.model.places.len()).filter(|&location| is_bad(&exits.model.places[location])).collect();
    let options = &Options { stores: Stores::One, ..options.clone() };
    let forward = Sets::new(exits, options, run)?;
    let backward = Backward::new(&forward.clusters, &open).map_err(full)?;
    let mut search = Combined { forward, backward, traces: BTreeMap::new() };
    // With both sides, a round must end before a side is complete.
    let traversal = match (options.direction, options.traversal) {
        (Direction::Both, Traversal::Mbm | Traversal::Wto) => Traversal::Chain,
        (_, traversal) => traversal,
    };
    while !search.is_complete() {
        if search.is_forward_next(options.direction) {
            if search.forward.round(traversal, run)? {
                break;
            }
        } else {
            search.backward.round(&search.forward.clusters, &search.forward.sets, traversal, run)?;
        }
        if let Some((location, state)) = search.meeting()? {
            let bad = search.join(location, state, run.limits)?;
            if (run.is_enough)(bad) {
                break;
            }
            open.retain(|&other| other != bad);
            search.backward = Backward::new(&search.forward.clusters, &open).map_err(full)?;
        }
    }
    Ok(search)
}

impl Combined<'_> {
    /// Whether one side has found everything.
    fn is_complete(&self) -> bool {
        self.forward.is_complete() || self.backward.is_complete(&self.forward.clusters)
    }

    fn is_forward_next(&self, direction: Direction) -> bool {
        let diagrams = &self.forward.clusters.exits.space.diagrams;
        let nodes = || self.forward.fresh.iter().map(|set| diagrams.node_count(set)).sum::<usize>();
        direction == Direction::Both && nodes() <= self.backward.frontier(&self.forward.clusters)
    }

    /// A state, as its location and its live words, that is reached from the start and leads to something bad.
    fn meeting(&self) -> Result<Option<(usize, Bdd)>, Stopped> {
        let Exits { model, space, .. } = &self.forward.clusters.exits;
        let diagrams = &space.diagrams;
        for (reached, leading) in self.forward.sets.iter().zip(&self.backward.sets) {
            if diagrams.disjoint(reached, leading) {
                continue;
            }
            let both = diagrams.and(reached, leading).map_err(full)?;
            let Some(state) = diagrams.pick(&both) else { continue };
            let bit = |var: VarIndex| state[var.index()].unwrap_or(false);
            let location = space.counter.iter().rev().fold(0, |code, &var| code << 1 | usize::from(bit(var)));
            let live = model.live[location].iter().flat_map(|word| &space.now[word]);
            let code = Space::code(&space.counter, location).into_iter();
            let literals: Vec<_> = code.chain(live.map(|&var| (var, bit(var)))).collect();
            return Ok(Some((location, diagrams.literals(&literals).map_err(full)?)));
        }
        Ok(None)
    }

    /// Writes down the execution that goes through a state, and gives the bad location at its end.
    fn join(&mut self, location: usize, state: Bdd, limits: &Limits) -> Result<usize, Stopped> {
        let mut trace = self.forward.trace_to(location, state.clone(), limits)?;
        let (rest, bad) = self.backward.follow(&self.forward.clusters, location, state, limits)?;
        trace.extend(rest);
        self.traces.insert(bad, trace);
        Ok(bad)
    }
}

impl Reached for Combined<'_> {
    fn contains(&self, location: usize) -> bool {
        self.traces.contains_key(&location) || self.forward.contains(location)
    }

    fn at(&self, location: usize) -> Result<Bdd, Stopped> {
        let Clusters { exits, of, .. } = &self.forward.clusters;
        let diagrams = &exits.space.diagrams;
        match of[location] {
            Some(cluster) if !self.forward.is_complete() => {
                let leading = diagrams.cofactor(&self.backward.sets[cluster], exits.code(location)).map_err(full)?;
                diagrams.not(&leading).map_err(full)
            }
            _ => self.forward.at(location),
        }
    }

    fn trace(&self, location: usize, limits: &Limits) -> Result<Trace, Stopped> {
        match self.traces.get(&location) {
            Some(trace) => Ok(trace.clone()),
            None => self.forward.trace(location, limits),
        }
    }

    fn relations(&self) -> usize {
        self.forward.relations()
    }
}
