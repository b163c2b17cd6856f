//! Which cluster is fired when, and what has been reached (Section 4.2).

use super::cluster::Clusters;
use super::trace::Log;
use super::{Options, Trace};
use crate::circuit::Circuit;
use crate::model::Model;
use crate::space::{Space, full};
use robusto_diagram::Bdd;
use robusto_limits::{Limits, Progress, Stopped};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

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
    /// states leave them (beyond the paper).
    #[default]
    Wto,
}

/// A round of the traversal.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// How long it took.
    pub time: Duration,
    /// Nodes of all reached sets after it.
    pub reached: usize,
    /// Nodes of the largest product on the way to an image.
    pub largest: usize,
}

/// What has been reached.
pub struct Reached<'m> {
    clusters: Clusters<'m>,
    /// By cluster, states with their location in the counter.
    sets: Vec<Bdd>,
    /// By location that is a sink, whether it has been reached.
    sinks: Vec<bool>,
    log: Log,
    /// The rounds.
    pub steps: Vec<Step>,
}

impl<'m> Reached<'m> {
    /// Explores a model to the end, or until a sink is reached that `is_enough` is told of and says so.
    pub fn explore(
        model: &'m Model,
        circuit: &'m Circuit,
        space: &'m Space,
        options: &Options,
        limits: &Limits,
        progress: &Progress,
        mut is_enough: impl FnMut(usize) -> bool,
    ) -> Result<Self, Stopped> {
        progress.set_activity("relations");
        let clusters = Clusters::new(model, circuit, space, options, limits)?;
        let empty = space.diagrams.bottom();
        let mut reached = Self {
            sets: vec![empty.clone(); clusters.clusters.len()],
            sinks: vec![false; model.places.len()],
            clusters,
            log: Log::default(),
            steps: Vec::new(),
        };
        progress.set_activity("reachability");
        let start = reached.clusters.start(limits)?;
        let mut fresh = vec![empty; reached.sets.len()];
        reached.log.start(start.clone());
        reached.add(0, &start, &mut fresh)?;
        while fresh.iter().any(|set| !space.diagrams.is_false(set)) {
            let begin = Instant::now();
            let largest = reached.round(&mut fresh, options.traversal, limits, &mut is_enough)?;
            let Some(largest) = largest else { break };
            let nodes = reached.sets.iter().map(|set| space.diagrams.node_count(set)).sum();
            reached.steps.push(Step { time: begin.elapsed(), reached: nodes, largest });
            progress.expanded.fetch_add(1, Ordering::Relaxed);
        }
        Ok(reached)
    }

    /// Fires each cluster with what is new there. The largest product; `None` if enough has been reached.
    fn round(
        &mut self,
        fresh: &mut Vec<Bdd>,
        traversal: Traversal,
        limits: &Limits,
        is_enough: &mut impl FnMut(usize) -> bool,
    ) -> Result<Option<usize>, Stopped> {
        let (mut largest, clusters) = (0, self.sets.len());
        // In frames, what is found waits for the next one.
        let mut frame = match traversal {
            Traversal::Fbf => std::mem::replace(fresh, vec![self.clusters.space.diagrams.bottom(); clusters]),
            Traversal::Chain | Traversal::Mbm | Traversal::Wto => Vec::new(),
        };
        let mut cluster = 0;
        while cluster < clusters {
            let waiting = if traversal == Traversal::Fbf { &mut frame } else { &mut *fresh };
            let from = std::mem::replace(&mut waiting[cluster], self.clusters.space.diagrams.bottom());
            if self.clusters.space.diagrams.is_false(&from) {
                cluster += 1;
                continue;
            }
            limits.look()?;
            let (found, size) = self.clusters.image(cluster, &from).map_err(full)?;
            largest = largest.max(size);
            self.log.fire(cluster, from);
            let mut first = cluster;
            for (location, set) in found {
                if !self.add(location, &set, fresh)? {
                    continue;
                }
                match self.clusters.of[location] {
                    None if is_enough(location) => return Ok(None),
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
        Ok(Some(largest))
    }

    /// Adds states at a location to what is reached, and what is new of them to `fresh`.
    fn add(&mut self, location: usize, set: &Bdd, fresh: &mut [Bdd]) -> Result<bool, Stopped> {
        let diagrams = &self.clusters.space.diagrams;
        let Some(cluster) = self.clusters.of[location] else {
            let is_new = !std::mem::replace(&mut self.sinks[location], true);
            if is_new {
                self.log.add(location, diagrams.top());
            }
            return Ok(is_new);
        };
        let coded = diagrams.and(set, self.clusters.code(location)).map_err(full)?;
        let new = diagrams.diff(&coded, &self.sets[cluster]).map_err(full)?;
        if diagrams.is_false(&new) {
            return Ok(false);
        }
        self.sets[cluster] = diagrams.or(&self.sets[cluster], &new).map_err(full)?;
        fresh[cluster] = diagrams.or(&fresh[cluster], &new).map_err(full)?;
        self.log.add(location, new);
        Ok(true)
    }

    /// Whether a location has been reached.
    pub fn contains(&self, location: usize) -> bool {
        match self.clusters.of[location] {
            None => self.sinks[location],
            Some(cluster) => !self.clusters.space.diagrams.disjoint(&self.sets[cluster], self.clusters.code(location)),
        }
    }

    /// The states that have been reached at a location, over the variables now.
    pub fn at(&self, location: usize) -> Result<Bdd, Stopped> {
        let diagrams = &self.clusters.space.diagrams;
        match self.clusters.of[location] {
            None => Ok(diagrams.constant(self.sinks[location])),
            Some(cluster) => diagrams.cofactor(&self.sets[cluster], self.clusters.code(location)).map_err(full),
        }
    }

    /// How many clusters there are.
    pub fn clusters(&self) -> usize {
        self.sets.len()
    }

    /// An execution from the start to a location that has been reached.
    pub fn trace(&self, location: usize, limits: &Limits) -> Result<Trace, Stopped> {
        self.log.walk(&self.clusters, location, limits)
    }
}

#[cfg(test)]
mod tests;
