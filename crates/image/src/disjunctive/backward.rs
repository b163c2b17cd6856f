//! Disjunctive pre-images: from which states bad locations are reached (beyond the paper).
//!
//! The pre-image of a set `B` by a cluster is `∃Y, Q. T(X, P, Y, Q) ∧ B(Y, Q)`, where words that the relation does not have stay as
//! they are. It is a set of the cluster, so nothing is handed out; but states that are new in a cluster are fired by all clusters
//! that have an exit to them. Inputs are already quantified in the relation: one choice that leads to something bad is enough.
//!
//! Dead words need no treatment. What leads to something bad does not depend on them, since a relation does not.
//!
//! Soundness of the complement as invariant: if `B` holds at no state of the start, and has all predecessors of its states and all
//! states with an exit to something bad, then its complement holds at the start, is kept by all steps and leads nowhere bad.

use super::Traversal;
use super::cluster::Clusters;
use super::traversal::PATIENCE;
use crate::search::{Run, Trace};
use crate::space::full;
use robusto_diagram::{Bdd, Full, Renaming, VarIndex};
use robusto_limits::{Limits, Stopped};
use std::sync::atomic::Ordering;

/// What leads to bad locations.
pub(super) struct Backward {
    /// By cluster, states with their location in the counter.
    pub sets: Vec<Bdd>,
    /// By cluster, states that its exits lead to and that it has not been fired with.
    waiting: Vec<Bdd>,
    sides: Vec<Side>,
    firings: Vec<Firing>,
}

/// What a cluster needs for pre-images.
struct Side {
    /// Now to next.
    renaming: Renaming,
    /// What a pre-image loses.
    next: Bdd,
    /// Clusters with exits to here, and the locations that these lead to.
    sources: Vec<(usize, Bdd)>,
}

struct Firing {
    cluster: usize,
    /// States that its exits lead to.
    goal: Bdd,
    added: Bdd,
}

impl Backward {
    /// Nothing but the bad locations themselves.
    pub fn new(clusters: &Clusters<'_>, bad: &[usize]) -> Result<Self, Full> {
        let diagrams = &clusters.exits.space.diagrams;
        let count = clusters.clusters.len();
        let mut sources: Vec<Vec<(usize, Bdd)>> = vec![Vec::new(); count];
        let mut waiting = vec![diagrams.bottom(); count];
        for (number, cluster) in clusters.clusters.iter().enumerate() {
            for &(target, _) in &cluster.targets {
                let code = clusters.exits.code(target);
                let Some(of) = clusters.of[target] else {
                    if bad.contains(&target) {
                        waiting[number] = diagrams.or(&waiting[number], code)?;
                    }
                    continue;
                };
                match sources[of].last_mut() {
                    Some((last, codes)) if *last == number => *codes = diagrams.or(codes, code)?,
                    _ => sources[of].push((number, code.clone())),
                }
            }
        }
        let mut sides = Vec::with_capacity(count);
        for (cluster, sources) in clusters.clusters.iter().zip(sources) {
            let pairs: Vec<(VarIndex, VarIndex)> = cluster.pairs.iter().map(|&(next, now)| (now, next)).collect();
            let next: Vec<VarIndex> = cluster.pairs.iter().map(|&(next, _)| next).collect();
            sides.push(Side { renaming: diagrams.renaming(&pairs)?, next: diagrams.cube(&next)?, sources });
        }
        Ok(Self { sets: vec![diagrams.bottom(); count], waiting, sides, firings: Vec::new() })
    }

    /// Whether nothing is new anywhere.
    pub fn is_complete(&self, clusters: &Clusters<'_>) -> bool {
        self.waiting.iter().all(|set| clusters.exits.space.diagrams.is_false(set))
    }

    /// Nodes of what waits.
    pub fn frontier(&self, clusters: &Clusters<'_>) -> usize {
        self.waiting.iter().map(|set| clusters.exits.space.diagrams.node_count(set)).sum()
    }

    /// A round of firings, against the order of clusters; ends early when a set of `other`, by cluster, is met.
    pub fn round(
        &mut self,
        clusters: &Clusters<'_>,
        other: &[Bdd],
        traversal: Traversal,
        run: &mut Run<'_, '_>,
    ) -> Result<(), Stopped> {
        run.steps.begin();
        self.fire(clusters, other, traversal, run)?;
        run.steps.end(&clusters.exits.space.diagrams, &self.sets);
        run.progress.expanded.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }

    fn fire(
        &mut self,
        clusters: &Clusters<'_>,
        other: &[Bdd],
        traversal: Traversal,
        run: &mut Run<'_, '_>,
    ) -> Result<(), Stopped> {
        let (count, diagrams) = (self.sets.len(), &clusters.exits.space.diagrams);
        let mut frame = match traversal {
            Traversal::Fbf => std::mem::replace(&mut self.waiting, vec![diagrams.bottom(); count]),
            Traversal::Chain | Traversal::Mbm | Traversal::Wto => Vec::new(),
        };
        // Clusters above this one have been looked at.
        let mut below = count;
        let mut fired = vec![0; count];
        while let Some(cluster) = below.checked_sub(1) {
            let waiting = if traversal == Traversal::Fbf { &mut frame } else { &mut self.waiting };
            if diagrams.is_false(&waiting[cluster]) || (traversal == Traversal::Wto && fired[cluster] == PATIENCE) {
                below = cluster;
                continue;
            }
            fired[cluster] += 1;
            let goal = std::mem::replace(&mut waiting[cluster], diagrams.bottom());
            run.limits.look()?;
            let renamed = diagrams.rename(&goal, &self.sides[cluster].renaming).map_err(full)?;
            let relation = &clusters.clusters[cluster].relation;
            let before = diagrams.and_exists(relation, &renamed, &self.sides[cluster].next).map_err(full)?;
            run.steps.product(diagrams, &before);
            let added = diagrams.diff(&before, &self.sets[cluster]).map_err(full)?;
            let mut last = cluster;
            if !diagrams.is_false(&added) {
                self.sets[cluster] = diagrams.or(&self.sets[cluster], &added).map_err(full)?;
                for (source, targets) in &self.sides[cluster].sources {
                    let new = diagrams.and(&added, targets).map_err(full)?;
                    if !diagrams.is_false(&new) {
                        self.waiting[*source] = diagrams.or(&self.waiting[*source], &new).map_err(full)?;
                        last = last.max(*source);
                    }
                }
                let is_met = !diagrams.disjoint(&added, &other[cluster]);
                self.firings.push(Firing { cluster, goal, added });
                if is_met {
                    // What was not fired still waits.
                    for (waiting, left) in self.waiting.iter_mut().zip(&frame) {
                        *waiting = diagrams.or(waiting, left).map_err(full)?;
                    }
                    return Ok(());
                }
            }
            below = match traversal {
                Traversal::Fbf | Traversal::Chain => cluster,
                Traversal::Mbm => cluster + 1,
                Traversal::Wto => last + 1,
            };
        }
        Ok(())
    }

    /// The way from some states of a location to a bad location, which comes last. All of the states are in the sets.
    ///
    /// A state was added by the first firing that has it, and has a successor in the goal of that, which was added earlier or is
    /// bad. So the walk ends. Each set on the way is the image of the one before, so that there is an execution along it.
    pub fn follow(
        &self,
        clusters: &Clusters<'_>,
        location: usize,
        states: Bdd,
        limits: &Limits,
    ) -> Result<(Trace, usize), Stopped> {
        let (exits, diagrams) = (&clusters.exits, &clusters.exits.space.diagrams);
        let mut trace = Trace::new();
        let (mut at, mut states, mut before) = (location, states, self.firings.len());
        while let Some(cluster) = clusters.of[at] {
            limits.look()?;
            let is_it = |firing: &Firing| firing.cluster == cluster && !diagrams.disjoint(&firing.added, &states);
            let number = self.firings[..before].iter().position(is_it).expect("a firing has added the states");
            let firing = &self.firings[number];
            states = diagrams.and(&states, &firing.added).map_err(full)?;
            let mut next = None;
            for (exit, way) in exits.circuit.exits[at].iter().enumerate() {
                let after = exits.after(at, way, &states, limits)?;
                let after = diagrams.and(&after, &firing.goal).map_err(full)?;
                if !diagrams.is_false(&after) {
                    next = Some((exit, way.to, after));
                    break;
                }
            }
            let (exit, to, after) = next.expect("states that a firing has added have successors in its goal");
            trace.push((at, exit));
            (at, states, before) = (to, after, number);
        }
        Ok((trace, at))
    }
}
