//! Which cluster is fired when, and what has been reached (Section 4.2).

use super::Options;
use super::cluster::Clusters;
use crate::exits::Exits;
use crate::search::{Reached, Run, Trace};
use crate::space::full;
use crate::trace::Log;
use robusto_diagram::Bdd;
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
const PATIENCE: u32 = 32;

/// What has been reached.
pub(crate) struct Sets<'m> {
    clusters: Clusters<'m>,
    /// By cluster, states with their location in the counter.
    sets: Vec<Bdd>,
    /// By location that is a sink, whether it has been reached.
    sinks: Vec<bool>,
    log: Log,
}

/// Explores a model.
pub(crate) fn explore<'m>(exits: Exits<'m>, options: &Options, run: &mut Run<'_, '_>) -> Result<Sets<'m>, Stopped> {
    let diagrams = &exits.space.diagrams;
    let (empty, sinks) = (diagrams.bottom(), vec![false; exits.model.places.len()]);
    let clusters = Clusters::new(exits, run.forget_dead, options, run.limits)?;
    let sets = vec![empty.clone(); clusters.clusters.len()];
    let mut fresh = vec![empty; sets.len()];
    let mut reached = Sets { clusters, sets, sinks, log: Log::default() };
    run.progress.set_activity("reachability");
    let start = reached.clusters.exits.start(run.limits)?;
    reached.log.start(start.clone());
    reached.add(0, &start, &mut fresh)?;
    while fresh.iter().any(|set| !diagrams.is_false(set)) {
        run.steps.begin();
        let is_enough = reached.round(&mut fresh, options.traversal, run)?;
        run.steps.end(diagrams, &reached.sets);
        run.progress.expanded.fetch_add(1, Ordering::Relaxed);
        if is_enough {
            break;
        }
    }
    Ok(reached)
}

impl Sets<'_> {
    /// Fires each cluster with what is new there. Whether enough has been reached.
    fn round(&mut self, fresh: &mut Vec<Bdd>, traversal: Traversal, run: &mut Run<'_, '_>) -> Result<bool, Stopped> {
        let (clusters, diagrams) = (self.sets.len(), &self.clusters.exits.space.diagrams);
        // In frames, what is found waits for the next one.
        let mut frame = match traversal {
            Traversal::Fbf => std::mem::replace(fresh, vec![diagrams.bottom(); clusters]),
            Traversal::Chain | Traversal::Mbm | Traversal::Wto => Vec::new(),
        };
        let mut cluster = 0;
        let mut fired = vec![0; clusters];
        while cluster < clusters {
            let waiting = if traversal == Traversal::Fbf { &mut frame } else { &mut *fresh };
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
                if !self.add(location, &set, fresh)? {
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

    /// Adds states at a location to what is reached, and what is new of them to `fresh`.
    fn add(&mut self, location: usize, set: &Bdd, fresh: &mut [Bdd]) -> Result<bool, Stopped> {
        let (exits, diagrams) = (&self.clusters.exits, &self.clusters.exits.space.diagrams);
        let Some(cluster) = self.clusters.of[location] else {
            let is_new = !std::mem::replace(&mut self.sinks[location], true);
            if is_new {
                self.log.add(Some(location), exits.code(location).clone());
            }
            return Ok(is_new);
        };
        let coded = diagrams.and(set, exits.code(location)).map_err(full)?;
        let new = diagrams.diff(&coded, &self.sets[cluster]).map_err(full)?;
        if diagrams.is_false(&new) {
            return Ok(false);
        }
        self.sets[cluster] = diagrams.or(&self.sets[cluster], &new).map_err(full)?;
        fresh[cluster] = diagrams.or(&fresh[cluster], &new).map_err(full)?;
        self.log.add(Some(location), new);
        Ok(true)
    }
}

impl Reached for Sets<'_> {
    fn contains(&self, location: usize) -> bool {
        let Clusters { exits, of, .. } = &self.clusters;
        match of[location] {
            None => self.sinks[location],
            Some(cluster) => !exits.space.diagrams.disjoint(&self.sets[cluster], exits.code(location)),
        }
    }

    fn at(&self, location: usize) -> Result<Bdd, Stopped> {
        let Clusters { exits, of, .. } = &self.clusters;
        match of[location] {
            None => Ok(exits.space.diagrams.constant(self.sinks[location])),
            Some(cluster) => exits.space.diagrams.cofactor(&self.sets[cluster], exits.code(location)).map_err(full),
        }
    }

    fn trace(&self, location: usize, limits: &Limits) -> Result<Trace, Stopped> {
        let Clusters { exits, clusters, .. } = &self.clusters;
        self.log.walk(exits, |cluster| &clusters[cluster].locations, location, limits)
    }

    fn relations(&self) -> usize {
        self.sets.len()
    }
}
