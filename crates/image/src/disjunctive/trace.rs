//! From a location that has been reached back to the start.
//!
//! Each firing is written down with the states it was fired with and the states it added. A state was added by the first firing
//! that has it among its own, and has a predecessor among the states that this was fired with, which was added earlier. So the
//! walk ends, whatever the order of firings was.

use super::cluster::Clusters;
use crate::space::full;
use robusto_diagram::{Bdd, VarIndex};
use robusto_limits::{Limits, Stopped};

/// A path through the model: locations, each with the number of the exit that is taken from it.
pub type Trace = Vec<(usize, usize)>;

/// All firings.
#[derive(Default)]
pub(super) struct Log {
    start: Option<Bdd>,
    firings: Vec<Firing>,
}

struct Firing {
    cluster: usize,
    from: Bdd,
    /// What was new, with the location in the counter; and the location.
    added: Vec<(usize, Bdd)>,
}

impl Log {
    pub fn start(&mut self, set: Bdd) {
        self.start = Some(set);
    }

    pub fn fire(&mut self, cluster: usize, from: Bdd) {
        self.firings.push(Firing { cluster, from, added: Vec::new() });
    }

    /// The last firing has added states.
    pub fn add(&mut self, location: usize, set: Bdd) {
        if let Some(last) = self.firings.last_mut() {
            last.added.push((location, set));
        }
    }

    /// By firing, what it added.
    #[cfg(test)]
    pub fn added(&self) -> impl Iterator<Item = &[(usize, Bdd)]> {
        self.firings.iter().map(|firing| firing.added.as_slice())
    }

    pub fn walk(&self, clusters: &Clusters<'_>, location: usize, limits: &Limits) -> Result<Trace, Stopped> {
        let diagrams = &clusters.space.diagrams;
        let mut trace = Trace::new();
        let mut at = location;
        // What the state at the location must satisfy.
        let mut wanted = diagrams.top();
        let mut before = self.firings.len();
        loop {
            limits.look()?;
            let found = self.firings[..before].iter().enumerate().find_map(|(number, firing)| {
                let (_, added) = firing.added.iter().find(|(to, set)| *to == at && !diagrams.disjoint(set, &wanted))?;
                Some((number, firing, added))
            });
            let Some((number, firing, added)) = found else {
                // Nobody added it: it is a state of the start.
                trace.reverse();
                return Ok(trace);
            };
            let meant = diagrams.and(added, &wanted).map_err(full)?;
            let (from, exit, state) = predecessor(clusters, firing, at, &meant, limits)?;
            trace.push((from, exit));
            (at, wanted, before) = (from, state, number);
            if at == 0 && self.start.as_ref().is_some_and(|start| !diagrams.disjoint(start, &wanted)) {
                trace.reverse();
                return Ok(trace);
            }
        }
    }
}

/// A location, an exit, and states of the firing there, from which states at a location are reached.
fn predecessor(
    clusters: &Clusters<'_>,
    firing: &Firing,
    at: usize,
    states: &Bdd,
    limits: &Limits,
) -> Result<(usize, usize, Bdd), Stopped> {
    let space = clusters.space;
    let diagrams = &space.diagrams;
    // The counter of the states says `at`; what comes before is about another one.
    let states = diagrams.cofactor(states, clusters.code(at)).map_err(full)?;
    for &from in &clusters.clusters[firing.cluster].locations {
        let sources = diagrams.cofactor(&firing.from, clusters.code(from)).map_err(full)?;
        if diagrams.is_false(&sources) {
            continue;
        }
        for (number, _) in clusters.circuit.exits[from].iter().enumerate().filter(|(_, exit)| exit.to == at) {
            let (relation, words) = clusters.single(from, number, limits)?;
            let pairs: Vec<(VarIndex, VarIndex)> = words
                .iter()
                .flat_map(|word| space.now[word].iter().copied().zip(space.next[word].iter().copied()))
                .collect();
            let next: Vec<VarIndex> =
                pairs.iter().map(|&(_, next)| next).chain(space.next_counter.iter().copied()).collect();
            let renaming = diagrams.renaming(&pairs).map_err(full)?;
            let goal = diagrams.rename(&states, &renaming).map_err(full)?;
            let steps = diagrams.and(&relation, &goal).map_err(full)?;
            let before = diagrams.exists(&steps, &diagrams.cube(&next).map_err(full)?).map_err(full)?;
            let before = diagrams.and(&before, &sources).map_err(full)?;
            if !diagrams.is_false(&before) {
                let coded = diagrams.and(&before, clusters.code(from)).map_err(full)?;
                return Ok((from, number, coded));
            }
        }
    }
    unreachable!("states that a firing has added have predecessors among those it was fired with")
}
