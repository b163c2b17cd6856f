//! The relations of bits (Section 3 of the paper): for each bit, `y ↔ δ`, with `δ = ⋁j (P ≡ j) ∧ ej`.

use crate::exits::Exits;
use crate::model::WordSet;
use crate::space::full;
use robusto_diagram::{Bdd, VarIndex};
use robusto_limits::{Limits, Stopped};

/// The relation of one bit.
pub(super) struct BitRelation {
    pub relation: Bdd,
    /// The word that it is a bit of; the program counter is none.
    pub word: Option<usize>,
}

/// The relations of all bits, in the order of the diagrams' variables. If `reset` is set, words that are dead where an exit leads
/// become zero.
pub(super) fn relations(exits: &Exits<'_>, reset: bool, limits: &Limits) -> Result<Vec<BitRelation>, Stopped> {
    let Exits { model, circuit, space, .. } = *exits;
    let diagrams = &space.diagrams;
    // By default all is kept: so do sinks, and codes that are no location's.
    let keep = |vars: &[VarIndex]| vars.iter().map(|&var| diagrams.var(var)).collect::<Result<Vec<Bdd>, _>>();
    let mut words: Vec<Vec<Bdd>> = space.now.iter().map(|vars| keep(vars)).collect::<Result<_, _>>().map_err(full)?;
    let mut counter = keep(&space.counter).map_err(full)?;
    for (location, block) in circuit.exits.iter().enumerate().filter(|(_, block)| !block.is_empty()) {
        let mut functions = space.functions(circuit, location);
        let mut guards = Vec::with_capacity(block.len());
        for exit in block {
            guards.push(functions.of(exit.guard, limits)?);
        }
        let code = exits.code(location);
        for (bit, function) in counter.iter_mut().enumerate() {
            // One of the guards holds, and only one.
            let mut here = diagrams.bottom();
            for (_, guard) in block.iter().zip(&guards).filter(|(exit, _)| exit.to >> bit & 1 == 1) {
                here = diagrams.or(&here, guard).map_err(full)?;
            }
            *function = diagrams.ite(code, &here, function).map_err(full)?;
        }
        let mut changed = if reset { model.live[location].clone() } else { WordSet::new(model.words.len()) };
        block.iter().for_each(|exit| exit.assign.iter().for_each(|(word, _)| changed.insert(*word)));
        for word in changed.iter() {
            for bit in 0..space.now[word].len() {
                let now = diagrams.var(space.now[word][bit]).map_err(full)?;
                let mut here: Option<Bdd> = None;
                for (exit, guard) in block.iter().zip(&guards) {
                    let value = match exit.assign.iter().find(|(assigned, _)| *assigned == word) {
                        _ if reset && !model.live[exit.to].contains(word) => diagrams.bottom(),
                        Some((_, value)) => functions.of(value[bit], limits)?,
                        None => now.clone(),
                    };
                    here = Some(match here {
                        None => value,
                        Some(others) => diagrams.ite(guard, &value, &others).map_err(full)?,
                    });
                }
                let function = &mut words[word][bit];
                *function = diagrams.ite(code, &here.unwrap_or(now), function).map_err(full)?;
            }
        }
    }
    let bit = |(next, function, word): (VarIndex, &Bdd, Option<usize>)| {
        let relation = diagrams.iff(&diagrams.var(next)?, function)?;
        Ok((diagrams.level(next), BitRelation { relation, word }))
    };
    let of_counter = space.next_counter.iter().zip(&counter).map(|(&next, function)| (next, function, None));
    let of_words = space.next.iter().zip(&words).enumerate().flat_map(|(word, (next, functions))| {
        next.iter().zip(functions).map(move |(&next, function)| (next, function, Some(word)))
    });
    let mut all: Vec<(usize, BitRelation)> =
        of_counter.chain(of_words).map(bit).collect::<Result<_, _>>().map_err(full)?;
    all.sort_by_key(|(level, _)| *level);
    Ok(all.into_iter().map(|(_, relation)| relation).collect())
}
