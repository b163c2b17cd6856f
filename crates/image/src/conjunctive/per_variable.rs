//! Disjuncts by what changes, after Barner and Rabinovitz (CHARME 2003).
//!
//! In their structures one variable changes in each step, and its disjunct is made of its own conjunct. A block here changes
//! several words together. So there is a disjunct for each set of words that some blocks change: the relations of their bits and
//! of the counter, where the counter says one of these blocks. That all other words stay is not written down: their variables
//! are neither quantified nor renamed, which is what they call a partial disjunctive partition. Sinks need no disjunct, since
//! nothing new comes of them.

use super::bits::BitRelation;
use crate::exits::Exits;
use crate::space::full;
use crate::steps::Steps;
use robusto_diagram::{Bdd, Renaming, VarIndex};
use robusto_limits::{Limits, Stopped};
use std::collections::BTreeMap;

/// The steps that change some words.
pub(super) struct Disjunct {
    relation: Bdd,
    old: Bdd,
    renaming: Renaming,
}

/// All disjuncts.
pub(super) fn disjuncts(exits: &Exits<'_>, bits: &[BitRelation], limits: &Limits) -> Result<Vec<Disjunct>, Stopped> {
    let (space, diagrams) = (exits.space, &exits.space.diagrams);
    let mut regions: BTreeMap<Vec<usize>, Bdd> = BTreeMap::new();
    for (location, block) in exits.circuit.exits.iter().enumerate().filter(|(_, block)| !block.is_empty()) {
        let mut words: Vec<usize> = block.iter().flat_map(|exit| exit.assign.iter().map(|(word, _)| *word)).collect();
        words.sort_unstable();
        words.dedup();
        let region = regions.entry(words).or_insert_with(|| diagrams.bottom());
        *region = diagrams.or(region, exits.code(location)).map_err(full)?;
    }
    let inputs = space.inputs();
    let mut all = Vec::with_capacity(regions.len());
    for (words, region) in regions {
        let changes = |bit: &&BitRelation| bit.word.is_none_or(|word| words.binary_search(&word).is_ok());
        let mut conjuncts = Vec::new();
        for bit in bits.iter().filter(changes) {
            limits.look()?;
            conjuncts.push(diagrams.and(&bit.relation, &region).map_err(full)?);
        }
        let relation = exits.product(conjuncts, &inputs, limits)?;
        let counter = space.next_counter.iter().copied().zip(space.counter.iter().copied());
        let of_word = |&word: &usize| space.next[word].iter().copied().zip(space.now[word].iter().copied());
        let pairs: Vec<(VarIndex, VarIndex)> = counter.chain(words.iter().flat_map(of_word)).collect();
        let old: Vec<VarIndex> = pairs.iter().map(|&(_, now)| now).collect();
        let (old, renaming) = (diagrams.cube(&old).map_err(full)?, diagrams.renaming(&pairs).map_err(full)?);
        all.push(Disjunct { relation, old, renaming });
    }
    Ok(all)
}

/// The successors of a set.
pub(super) fn image(
    exits: &Exits<'_>,
    disjuncts: &[Disjunct],
    set: &Bdd,
    steps: &mut Steps<'_>,
    limits: &Limits,
) -> Result<Bdd, Stopped> {
    let diagrams = &exits.space.diagrams;
    let mut image = diagrams.bottom();
    for Disjunct { relation, old, renaming } in disjuncts {
        limits.look()?;
        let product = diagrams.and_exists(set, relation, old).map_err(full)?;
        steps.product(diagrams, &product);
        image = diagrams.or(&image, &diagrams.rename(&product, renaming).map_err(full)?).map_err(full)?;
    }
    Ok(image)
}
