//! Which cluster is fired when, and what has been reached (Section 4.2).

use super::Options;
use super::cluster::Clusters;
use crate::exits::Exits;
use crate::search::{Reached, Run, Trace};
use crate::space::full;
use crate::steps::Steps;
use crate::trace::Log;
use robusto_diagram::{Bdd, Diagrams};
use robusto_limits::{Limits, Stopped};
use std::sync::atomic::Ordering;

/// The order in which clusters are fired.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Traversal {
    /// Frame by frame: all images of a frame before any of them counts. The number of frames is the sequential depth.
    Fbf,
    /// One cluster after the other, as Figure 2 has it: what one finds counts for the next at once.
    Chain,
    /// Machine by machine: each cluster until it finds nothing new by itself.
    Mbm,
    /// Always the first cluster in weak topological order that something is new for: inner loops are at their fixpoint before
    /// states leave them (beyond the paper). A cluster that has been fired often waits for the next round.
    #[default]
    Wto,
}

/// How often a cluster is fired in a round of `wto`. Without a bound, a loop that counts to 2³² is at its fixpoint never, and
/// a violation behind it out of reach (`pc_sfifo_2.cil-2` of `systemc`).
pub(super) const PATIENCE: u32 = 32;

/// What has been reached.
pub(crate) struct Sets<'m> {
    pub(super) clusters: Clusters<'m>,
    /// By cluster, states with their location in the counter.
    pub(super) sets: Vec<Bdd>,
    /// By cluster, those that it has not been fired with.
    pub(super) fresh: Vec<Bdd>,
    /// By location that is a sink, whether it has been reached.
    sinks: Vec<bool>,
    log: Log,
}

/// Explores a model.
pub(crate) fn explore<'m>(exits: Exits<'m>, options: &Options, run: &mut Run<'_, '_>) -> Result<Sets<'m>, Stopped> {
    let mut reached = Sets::new(exits, options, run)?;
    while !reached.is_complete() {
        if reached.round(options.traversal, run)? {
            break;
        }
    }
    Ok(reached)
}

impl<'m> Sets<'m> {
    /// The start.
    pub(super) fn new(exits: Exits<'m>, options: &Options, run: &mut Run<'_, '_>) -> Result<Self, Stopped> {
        let sinks = vec![false; exits.model.places.len()];
        let clusters = Clusters::new(exits, run.forget_dead, options, run.limits)?;
        let sets = nothing(&clusters);
        let mut reached = Self { clusters, fresh: sets.clone(), sets, sinks, log: Log::default() };
        run.progress.set_activity("reachability");
        let start = reached.clusters.exits.start(run.limits)?;
        reached.log.start(start.clone());
        reached.add(0, &start, None, run)?;
        Ok(reached)
    }

    /// Whether nothing is new anywhere.
    pub(super) fn is_complete(&self) -> bool {
        (0..self.fresh.len()).all(|cluster| self.diagrams(cluster).is_false(&self.fresh[cluster]))
    }

    /// The store of a cluster.
    fn diagrams(&self, cluster: usize) -> &'m Diagrams {
        &self.clusters.store(Some(cluster)).space.diagrams
    }

    /// A round of firings. Whether enough has been reached.
    pub(super) fn round(&mut self, traversal: Traversal, run: &mut Run<'_, '_>) -> Result<bool, Stopped> {
        run.steps.begin();
        let is_enough = self.fire(traversal, run)?;
        let stores: Vec<&Diagrams> = match self.clusters.own.len() {
            0 => vec![&self.clusters.exits.space.diagrams],
            own => (0..own).map(|cluster| self.diagrams(cluster)).collect(),
        };
        run.steps.end_of(&stores, || (0..).zip(&self.sets).map(|(c, set)| self.diagrams(c).node_count(set)).sum());
        run.progress.expanded.fetch_add(1, Ordering::Relaxed);
        Ok(is_enough)
    }

    /// Fires each cluster with what is new there. Whether enough has been reached.
    fn fire(&mut self, traversal: Traversal, run: &mut Run<'_, '_>) -> Result<bool, Stopped> {
        let clusters = self.sets.len();
        // In frames, what is found waits for the next one.
        let mut frame = match traversal {
            Traversal::Fbf => std::mem::replace(&mut self.fresh, nothing(&self.clusters)),
            Traversal::Chain | Traversal::Mbm | Traversal::Wto => Vec::new(),
        };
        let mut cluster = 0;
        let mut fired = vec![0; clusters];
        while cluster < clusters {
            let diagrams = self.diagrams(cluster);
            let waiting = if traversal == Traversal::Fbf { &mut frame } else { &mut self.fresh };
            if diagrams.is_false(&waiting[cluster]) || (traversal == Traversal::Wto && fired[cluster] == PATIENCE) {
                cluster += 1;
                continue;
            }
            fired[cluster] += 1;
            let from = std::mem::replace(&mut waiting[cluster], diagrams.bottom());
            run.limits.look()?;
            let found = self.clusters.image(cluster, &from, run.steps).map_err(full)?;
            self.log.fire(cluster, from);
            let mut first = cluster;
            for (location, set) in found {
                if !self.add(location, &set, Some(cluster), run)? {
                    continue;
                }
                match self.clusters.of[location] {
                    None if (run.is_enough)(location) => return Ok(true),
                    None => {}
                    Some(target) => first = first.min(target),
                }
            }
            cluster = match traversal {
                Traversal::Fbf | Traversal::Chain => cluster + 1,
                Traversal::Mbm => cluster,
                Traversal::Wto => first,
            };
        }
        Ok(false)
    }

    /// Adds states at a location, which are in the store of a cluster, to what is reached, and what is new of them to what waits.
    fn add(&mut self, location: usize, set: &Bdd, from: Option<usize>, run: &mut Run<'_, '_>) -> Result<bool, Stopped> {
        let exits = self.clusters.store(self.clusters.of[location]);
        let diagrams = &exits.space.diagrams;
        let Some(cluster) = self.clusters.of[location] else {
            let is_new = !std::mem::replace(&mut self.sinks[location], true);
            if is_new {
                self.log.add(Some(location), exits.code(location).clone());
            }
            return Ok(is_new);
        };
        let set = self.clusters.bring(set, from, Some(cluster), run.steps, run.limits)?;
        let coded = diagrams.and(&set, exits.code(location)).map_err(full)?;
        let new = diagrams.diff(&coded, &self.sets[cluster]).map_err(full)?;
        if diagrams.is_false(&new) {
            return Ok(false);
        }
        self.sets[cluster] = diagrams.or(&self.sets[cluster], &new).map_err(full)?;
        self.fresh[cluster] = diagrams.or(&self.fresh[cluster], &new).map_err(full)?;
        self.log.add(Some(location), new);
        Ok(true)
    }

    /// An execution from the start to one of the states at a location, which are in the model's own store.
    pub(super) fn trace_to(&self, location: usize, states: Bdd, limits: &Limits) -> Result<Trace, Stopped> {
        let Clusters { exits, clusters, of, own, .. } = &self.clusters;
        let locations = |cluster: usize| clusters[cluster].locations.as_slice();
        if own.is_empty() {
            return self.log.walk_to(exits, locations, location, states, limits);
        }
        let bring = |set: &Bdd, cluster| self.clusters.bring(set, cluster, None, &mut Steps::default(), limits);
        let log = self.log.copied(|part, set| bring(set, Some(part)), |location, set| bring(set, of[location]))?;
        log.walk_to(exits, locations, location, states, limits)
    }
}

/// An empty set for each cluster.
fn nothing(clusters: &Clusters<'_>) -> Vec<Bdd> {
    (0..clusters.clusters.len()).map(|cluster| clusters.store(Some(cluster)).space.diagrams.bottom()).collect()
}

impl Reached for Sets<'_> {
    fn contains(&self, location: usize) -> bool {
        let of = self.clusters.of[location];
        let exits = self.clusters.store(of);
        match of {
            None => self.sinks[location],
            Some(cluster) => !exits.space.diagrams.disjoint(&self.sets[cluster], exits.code(location)),
        }
    }

    fn at(&self, location: usize) -> Result<Bdd, Stopped> {
        let of = self.clusters.of[location];
        let exits = self.clusters.store(of);
        let Some(cluster) = of else { return Ok(exits.space.diagrams.constant(self.sinks[location])) };
        let set = exits.space.diagrams.cofactor(&self.sets[cluster], exits.code(location)).map_err(full)?;
        self.clusters.bring(&set, of, None, &mut Steps::default(), &Limits::none())
    }

    fn trace(&self, location: usize, limits: &Limits) -> Result<Trace, Stopped> {
        self.trace_to(location, self.clusters.exits.code(location).clone(), limits)
    }

    fn relations(&self) -> usize {
        self.sets.len()
    }
}

#[cfg(test)]
mod tests;
