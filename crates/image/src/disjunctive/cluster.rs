//! Clusters of blocks, their relations and images.

use super::Options;
use super::criterion::{blocks, hypergraph};
use super::stores::{self, Stores};
use crate::circuit::{Circuit, Exit};
use crate::exits::Exits;
use crate::model::{Model, WordSet};
use crate::partition::split_until;
use crate::space::{cone, full, literals};
use crate::steps::Steps;
use robusto_cfa::analysis::graph::Graph;
use robusto_cfa::analysis::loops::LoopForest;
use robusto_cfa::ir::{Idx as _, LocId};
use robusto_diagram::{Bdd, Full, Renaming, VarIndex};
use robusto_limits::{Limits, Stopped};

/// Which words have variables of both kinds in the relation of a cluster (Section 5.1).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Locality {
    /// All, as in a relation for hardware.
    Off,
    /// Those that a block of the cluster uses or assigns (Definition 1).
    Relevant,
    /// Those that a block of the cluster assigns.
    #[default]
    Assigned,
}

/// Blocks with one relation.
pub(super) struct Cluster {
    pub locations: Vec<usize>,
    /// Locations that its exits lead to, each with what is dead there.
    pub targets: Vec<(usize, Bdd)>,
    pub relation: Bdd,
    /// What the relation is about: bits of words and of the counter, next and now.
    pub pairs: Vec<(VarIndex, VarIndex)>,
    /// Those now, which an image loses.
    old: Bdd,
    /// Next to now.
    renaming: Renaming,
}

/// All clusters of a model.
pub(super) struct Clusters<'m> {
    pub exits: Exits<'m>,
    /// By cluster, its own store; empty if there is one for all.
    pub own: Vec<Exits<'m>>,
    pub clusters: Vec<Cluster>,
    /// The cluster of each location; sinks have none.
    pub of: Vec<Option<usize>>,
    /// Whether dead words are forgotten.
    forget_dead: bool,
}

impl<'m> Clusters<'m> {
    /// Cuts the blocks into clusters and builds their relations.
    pub fn new(exits: Exits<'m>, forget_dead: bool, options: &Options, limits: &Limits) -> Result<Self, Stopped> {
        let Exits { model, circuit, .. } = exits;
        let blocks = blocks(model);
        let needs_used =
            options.threshold > 0 || options.locality == Locality::Relevant || options.stores == Stores::Each;
        let used: Vec<WordSet> =
            if needs_used { circuit.exits.iter().map(|exits| relevant(circuit, exits)).collect() } else { Vec::new() };
        let bits = |words: &WordSet| words.iter().map(|word| circuit.words[word].len()).sum::<usize>();
        let is_small = |part: &[usize]| {
            let part: Vec<usize> = part.iter().map(|&block| blocks[block]).collect();
            bits(&union(model, &used, &part)) <= options.threshold
        };
        let mut parts: Vec<Vec<usize>> = match options.threshold {
            0 => (0..blocks.len()).map(|block| vec![block]).collect(),
            _ => split_until(&hypergraph(model, options.criterion), &options.partition, is_small),
        };
        // Clusters in the order of the program: chains of them carry states far in one round.
        let positions = positions(model);
        parts.iter_mut().for_each(|part| part.sort_unstable_by_key(|&block| positions[blocks[block]]));
        parts.sort_unstable_by_key(|part| part.first().map(|&block| positions[blocks[block]]));
        let parts: Vec<Vec<usize>> =
            parts.into_iter().map(|part| part.into_iter().map(|block| blocks[block]).collect()).collect();
        let own = match options.stores {
            Stores::One => Vec::new(),
            Stores::Each => {
                stores::open(&exits, &parts.iter().map(|part| union(model, &used, part)).collect::<Vec<_>>())?
            }
        };
        let mut clusters = Self { exits, own, clusters: Vec::new(), of: vec![None; model.places.len()], forget_dead };
        for locations in parts {
            locations.iter().for_each(|&location| clusters.of[location] = Some(clusters.clusters.len()));
            let cluster = clusters.build(locations, &used, options, limits)?;
            clusters.clusters.push(cluster);
        }
        Ok(clusters)
    }

    fn build(
        &self,
        locations: Vec<usize>,
        used: &[WordSet],
        options: &Options,
        limits: &Limits,
    ) -> Result<Cluster, Stopped> {
        let store = self.store(Some(self.clusters.len()));
        let Exits { model, circuit, space, .. } = *store;
        let diagrams = &space.diagrams;
        let exits = || locations.iter().flat_map(|&location| &circuit.exits[location]);
        let mut words = match options.locality {
            Locality::Off => WordSet::full(model.words.len()),
            Locality::Relevant | Locality::Assigned => WordSet::new(model.words.len()),
        };
        exits().for_each(|exit| exit.assign.iter().for_each(|(word, _)| words.insert(*word)));
        if options.locality == Locality::Relevant {
            locations.iter().for_each(|&location| {
                words.unite(&used[location]);
            });
        }
        let mut relation = diagrams.bottom();
        for &location in &locations {
            let block = self.block(store, location, &words, limits)?;
            let block = diagrams.and(&block, store.code(location)).map_err(full)?;
            relation = diagrams.or(&relation, &block).map_err(full)?;
        }
        let mut targets: Vec<usize> = exits().map(|exit| exit.to).collect();
        targets.sort_unstable();
        targets.dedup();
        let with_dead = |&target: &usize| {
            let dead = (0..model.words.len()).filter(|&word| self.forget_dead && !model.live[target].contains(word));
            let dead: Vec<VarIndex> = dead.flat_map(|word| space.now[word].iter().copied()).collect();
            Ok((target, diagrams.cube(&dead)?))
        };
        let targets = targets.iter().map(with_dead).collect::<Result<_, Full>>().map_err(full)?;
        let mut pairs: Vec<(VarIndex, VarIndex)> =
            space.next_counter.iter().copied().zip(space.counter.iter().copied()).collect();
        for word in words.iter() {
            pairs.extend(space.next[word].iter().copied().zip(space.now[word].iter().copied()));
        }
        let old: Vec<VarIndex> = pairs.iter().map(|&(_, now)| now).collect();
        Ok(Cluster {
            locations,
            targets,
            relation,
            old: diagrams.cube(&old).map_err(full)?,
            renaming: diagrams.renaming(&pairs).map_err(full)?,
            pairs,
        })
    }

    /// The relation of a block, without its location.
    fn block(&self, store: &Exits<'m>, location: usize, words: &WordSet, limits: &Limits) -> Result<Bdd, Stopped> {
        let diagrams = &store.space.diagrams;
        let mut relation = diagrams.bottom();
        for exit in &store.circuit.exits[location] {
            let exit = store.relation(location, exit, words, self.forget_dead, limits)?;
            relation = diagrams.or(&relation, &exit).map_err(full)?;
        }
        Ok(relation)
    }

    /// The successors of a set of states of a cluster, by location, dead words forgotten; all in the store of the cluster.
    pub fn image(&self, cluster: usize, set: &Bdd, steps: &mut Steps<'_>) -> Result<Vec<(usize, Bdd)>, Full> {
        let Cluster { targets, relation, old, renaming, .. } = &self.clusters[cluster];
        let store = self.store(Some(cluster));
        let diagrams = &store.space.diagrams;
        let product = diagrams.and_exists(set, relation, old)?;
        steps.product(diagrams, &product);
        let image = diagrams.rename(&product, renaming)?;
        let mut out = Vec::new();
        for (target, dead) in targets {
            let part = diagrams.cofactor(&image, store.code(*target))?;
            if !diagrams.is_false(&part) {
                out.push((*target, diagrams.exists(&part, dead)?));
            }
        }
        Ok(out)
    }
}

/// The positions of locations in weak topological order.
fn positions(model: &Model) -> Vec<usize> {
    let exits = model.exits.iter().enumerate();
    let edges = exits.flat_map(|(from, exits)| exits.iter().map(move |exit| (LocId::new(from), LocId::new(exit.to))));
    let forest = LoopForest::new(&Graph::new(model.places.len(), edges), LocId::new(0));
    (0..model.places.len()).map(|location| forest.position(LocId::new(location)).unwrap_or(usize::MAX)).collect()
}

/// The words that some locations use.
fn union(model: &Model, used: &[WordSet], locations: &[usize]) -> WordSet {
    let mut all = WordSet::new(model.words.len());
    locations.iter().for_each(|&location| {
        all.unite(&used[location]);
    });
    all
}

/// The words that the exits of a block use or assign.
fn relevant(circuit: &Circuit, exits: &[Exit]) -> WordSet {
    let below = cone(circuit, exits.iter().flat_map(literals));
    let mut words = WordSet::new(circuit.words.len());
    for (word, bits) in circuit.words.iter().enumerate() {
        if bits.iter().any(|bit| below.contains(&bit.node())) {
            words.insert(word);
        }
    }
    exits.iter().for_each(|exit| exit.assign.iter().for_each(|(word, _)| words.insert(*word)));
    words
}

#[cfg(test)]
mod tests;
