//! Sizes of a model, for people.

use crate::circuit::Circuit;
use crate::model::{Model, Place};
use robusto_analyses::symbolic::Cell;
use std::fmt;

/// Sizes of a model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stats {
    /// Locations of the program with their pending calls, before they are joined to blocks.
    pub locations: usize,
    /// Blocks.
    pub blocks: usize,
    /// Locations without exits: ends, violations, what is not modelled, what is beyond a bound.
    pub sinks: usize,
    /// Ways out of blocks.
    pub exits: usize,
    /// Words, and those among them that are memory, not variables.
    pub words: (usize, usize),
    /// Bits of the words.
    pub bits: u32,
    /// Bits of the counter.
    pub counter: u32,
    /// Bits that are chosen.
    pub inputs: usize,
    /// Conjunctions of two bits that guards and values are made of.
    pub gates: usize,
    /// Most live words, and most live bits, at one location.
    pub live: (usize, u32),
    /// What an execution can be too large for, if the location is not already known to be out of reach, and how large it may be.
    pub bounded: Vec<(&'static str, u64)>,
    /// What the encoding does not know.
    pub gaps: Vec<String>,
}

impl Stats {
    /// The sizes of a model, given its gates.
    pub fn of(model: &Model, circuit: &Circuit) -> Self {
        let bits = |word: usize| u32::from(model.terms.width(model.words[word].symbol));
        let is_block = |place: &&Place| matches!(place, Place::Control(..));
        let gates = (0..circuit.aig.len()).filter(|&node| circuit.aig.conjunction(node).is_some());
        let live = model.live.iter();
        Self {
            locations: (0..model.places.len()).map(|block| locations(model, block)).sum(),
            blocks: model.places.iter().filter(is_block).count(),
            sinks: model.places.iter().filter(|place| !is_block(place)).count(),
            exits: model.exits.iter().map(Vec::len).sum(),
            words: (model.words.len(), model.words.iter().filter(|word| matches!(word.cell, Cell::Region(_))).count()),
            bits: model.bits(),
            counter: model.counter_bits(),
            inputs: circuit.inputs.len(),
            gates: gates.count(),
            live: (
                live.clone().map(|set| set.iter().count()).max().unwrap_or(0),
                live.map(|set| set.iter().map(bits).sum()).max().unwrap_or(0),
            ),
            bounded: model
                .places
                .iter()
                .filter_map(|p| if let Place::Bound(what, most) = p { Some((*what, *most)) } else { None })
                .collect(),
            gaps: model
                .places
                .iter()
                .filter_map(|p| if let Place::Gap(what) = p { Some(what.clone()) } else { None })
                .collect(),
        }
    }
}

/// Locations of a block: one before each of its steps. An exit that ends before its last step does not have that one.
fn locations(model: &Model, block: usize) -> usize {
    let Place::Control(..) = model.places[block] else { return 0 };
    let exits = model.exits[block].iter();
    let length = exits.map(|exit| {
        let stops = matches!(model.places[exit.to], Place::End | Place::Gap(_));
        exit.steps.len() + usize::from(stops)
    });
    length.max().unwrap_or(1)
}

impl fmt::Display for Stats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "locations   {}, joined to {} blocks with {} exits; {} sinks",
            self.locations, self.blocks, self.exits, self.sinks
        )?;
        writeln!(f, "words       {}, {} of them in memory", self.words.0, self.words.1)?;
        writeln!(f, "state bits  {}, and {} of the counter", self.bits, self.counter)?;
        writeln!(f, "live        at most {} words, {} bits", self.live.0, self.live.1)?;
        writeln!(f, "inputs      {} bits", self.inputs)?;
        writeln!(f, "gates       {}", self.gates)
    }
}
