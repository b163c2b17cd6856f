//! Clusters of blocks, their relations and images.

use super::Options;
use super::criterion::{blocks, hypergraph};
use crate::circuit::{Circuit, Exit};
use crate::model::{Model, WordSet};
use crate::partition::split_until;
use crate::space::{Space, cone, full, literals};
use robusto_cfa::analysis::graph::Graph;
use robusto_cfa::analysis::loops::LoopForest;
use robusto_cfa::ir::{Idx as _, LocId};
use robusto_diagram::{Bdd, Full, Renaming, VarIndex};
use robusto_limits::{Limits, Stopped};
use robusto_logic::blast::aig::Lit;
use rustc_hash::FxHashMap;

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
    relation: Bdd,
    /// What the image loses: the words of the relation, and the counter.
    old: Bdd,
    /// Next to now.
    renaming: Renaming,
}

/// All clusters of a model.
pub(super) struct Clusters<'m> {
    pub model: &'m Model,
    pub circuit: &'m Circuit,
    pub space: &'m Space,
    pub clusters: Vec<Cluster>,
    /// The cluster of each location; sinks have none.
    pub of: Vec<Option<usize>>,
    /// By location, its code in the counter.
    codes: Vec<Bdd>,
}

impl<'m> Clusters<'m> {
    /// Cuts the blocks into clusters and builds their relations.
    pub fn new(
        model: &'m Model,
        circuit: &'m Circuit,
        space: &'m Space,
        options: &Options,
        limits: &Limits,
    ) -> Result<Self, Stopped> {
        let used: Vec<WordSet> = (0..model.places.len()).map(|location| relevant(circuit, location)).collect();
        let blocks = blocks(model);
        let bits = |words: &WordSet| words.iter().map(|word| circuit.words[word].len()).sum::<usize>();
        let is_small = |part: &[usize]| {
            let mut all = WordSet::new(model.words.len());
            part.iter().for_each(|&block| {
                all.unite(&used[blocks[block]]);
            });
            options.threshold > 0 && bits(&all) <= options.threshold
        };
        let graph = hypergraph(model, options.criterion);
        let mut parts = split_until(&graph, &options.partition, is_small);
        // Clusters in the order of the program: chains of them carry states far in one round.
        let positions = positions(model);
        parts.iter_mut().for_each(|part| part.sort_unstable_by_key(|&block| positions[blocks[block]]));
        parts.sort_unstable_by_key(|part| part.first().map(|&block| positions[blocks[block]]));
        let codes = (0..model.places.len())
            .map(|location| space.diagrams.literals(&Space::code(&space.counter, location)).map_err(full))
            .collect::<Result<_, _>>()?;
        let mut clusters =
            Self { model, circuit, space, clusters: Vec::new(), of: vec![None; model.places.len()], codes };
        for part in parts {
            let locations: Vec<usize> = part.into_iter().map(|block| blocks[block]).collect();
            locations.iter().for_each(|&location| clusters.of[location] = Some(clusters.clusters.len()));
            let cluster = clusters.build(locations, &used, options, limits)?;
            clusters.clusters.push(cluster);
        }
        Ok(clusters)
    }

    /// The code of a location.
    pub fn code(&self, location: usize) -> &Bdd {
        &self.codes[location]
    }

    /// The set of states at the start.
    pub fn start(&self, limits: &Limits) -> Result<Bdd, Stopped> {
        let diagrams = &self.space.diagrams;
        let mut set = diagrams.top();
        let mut functions = self.space.functions(self.circuit, 0);
        for (word, value) in &self.circuit.start {
            for (&var, &bit) in self.space.now[*word].iter().zip(value) {
                let value = functions.of(bit, limits)?;
                set = diagrams
                    .and(&set, &diagrams.iff(&diagrams.var(var).map_err(full)?, &value).map_err(full)?)
                    .map_err(full)?;
            }
        }
        Ok(set)
    }

    fn build(
        &self,
        locations: Vec<usize>,
        used: &[WordSet],
        options: &Options,
        limits: &Limits,
    ) -> Result<Cluster, Stopped> {
        let Self { model, circuit, space, .. } = self;
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
            let block = self.block(location, &words, options, limits)?;
            let block = diagrams.and(&block, self.code(location)).map_err(full)?;
            relation = diagrams.or(&relation, &block).map_err(full)?;
        }
        let mut targets: Vec<usize> = exits().map(|exit| exit.to).collect();
        targets.sort_unstable();
        targets.dedup();
        let with_dead = |&target: &usize| {
            let dead = (0..model.words.len()).filter(|&word| options.forget_dead && !model.live[target].contains(word));
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
        })
    }

    /// The relation of a block, without its location.
    fn block(&self, location: usize, words: &WordSet, options: &Options, limits: &Limits) -> Result<Bdd, Stopped> {
        let mut relation = self.space.diagrams.bottom();
        for exit in &self.circuit.exits[location] {
            let exit = self.exit(location, exit, words, options.forget_dead, limits)?;
            relation = self.space.diagrams.or(&relation, &exit).map_err(full)?;
        }
        Ok(relation)
    }

    /// The relation of an exit: its guard, where it leads, what it assigns, and which of the given words it keeps.
    fn exit(
        &self,
        location: usize,
        exit: &Exit,
        words: &WordSet,
        forget_dead: bool,
        limits: &Limits,
    ) -> Result<Bdd, Stopped> {
        let Self { model, space, .. } = self;
        let diagrams = &space.diagrams;
        let values: FxHashMap<usize, &Vec<Lit>> = exit.assign.iter().map(|(word, value)| (*word, value)).collect();
        let matters = |word: usize| words.contains(word) && (!forget_dead || model.live[exit.to].contains(word));
        let mut functions = space.functions_of_exit(self.circuit, location, exit, matters);
        let mut conjuncts = vec![functions.of(exit.guard, limits)?];
        for word in words.iter().filter(|&word| matters(word)) {
            for (bit, &next) in space.next[word].iter().enumerate() {
                let value = match values.get(&word) {
                    Some(value) => functions.of(value[bit], limits)?,
                    None => diagrams.var(space.now[word][bit]).map_err(full)?,
                };
                let next = diagrams.var(next).map_err(full)?;
                conjuncts.push(diagrams.iff(&next, &value).map_err(full)?);
            }
        }
        conjuncts.push(diagrams.literals(&Space::code(&space.next_counter, exit.to)).map_err(full)?);
        self.product(conjuncts, functions.inputs(), limits)
    }

    /// The conjunction of some functions, each variable quantified behind the last one that has it.
    fn product(&self, conjuncts: Vec<Bdd>, quantified: &[VarIndex], limits: &Limits) -> Result<Bdd, Stopped> {
        let diagrams = &self.space.diagrams;
        let mut last: FxHashMap<VarIndex, usize> = FxHashMap::default();
        for (number, conjunct) in conjuncts.iter().enumerate() {
            let support = diagrams.support(conjunct);
            last.extend(support.into_iter().filter(|var| quantified.contains(var)).map(|var| (var, number)));
        }
        let mut product = diagrams.top();
        for (number, conjunct) in conjuncts.iter().enumerate() {
            limits.look()?;
            let done: Vec<VarIndex> = last.iter().filter(|&(_, &at)| at == number).map(|(&var, _)| var).collect();
            product = diagrams.and_exists(&product, conjunct, &diagrams.cube(&done).map_err(full)?).map_err(full)?;
        }
        Ok(product)
    }

    /// The successors of a set of states of a cluster, by location, dead words forgotten.
    pub fn image(&self, cluster: usize, set: &Bdd) -> Result<(Vec<(usize, Bdd)>, usize), Full> {
        let Cluster { targets, relation, old, renaming, .. } = &self.clusters[cluster];
        let diagrams = &self.space.diagrams;
        let product = diagrams.and_exists(set, relation, old)?;
        let size = diagrams.node_count(&product);
        let image = diagrams.rename(&product, renaming)?;
        let mut out = Vec::new();
        for (target, dead) in targets {
            let part = diagrams.cofactor(&image, self.code(*target))?;
            if !diagrams.is_false(&part) {
                out.push((*target, diagrams.exists(&part, dead)?));
            }
        }
        Ok((out, size))
    }

    /// The relation of one exit of a location, over the words that it assigns; for single steps.
    pub fn single(&self, location: usize, number: usize, limits: &Limits) -> Result<(Bdd, WordSet), Stopped> {
        let exit = &self.circuit.exits[location][number];
        let mut words = WordSet::new(self.model.words.len());
        exit.assign.iter().for_each(|(word, _)| words.insert(*word));
        Ok((self.exit(location, exit, &words, true, limits)?, words))
    }
}

/// The positions of locations in weak topological order.
fn positions(model: &Model) -> Vec<usize> {
    let exits = model.exits.iter().enumerate();
    let edges = exits.flat_map(|(from, exits)| exits.iter().map(move |exit| (LocId::new(from), LocId::new(exit.to))));
    let forest = LoopForest::new(&Graph::new(model.places.len(), edges), LocId::new(0));
    (0..model.places.len()).map(|location| forest.position(LocId::new(location)).unwrap_or(usize::MAX)).collect()
}

/// The words that a block uses or assigns.
fn relevant(circuit: &Circuit, location: usize) -> WordSet {
    let exits = &circuit.exits[location];
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
