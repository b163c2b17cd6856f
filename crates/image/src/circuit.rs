//! The model as gates: every guard and every assigned word as bits of one and-inverter graph.

use crate::model::Model;
use robusto_limits::{Limits, Stopped};
use robusto_logic::Term;
use robusto_logic::blast::Blaster;
use robusto_logic::blast::aig::{Aig, Lit};
use rustc_hash::FxHashSet;

/// A way out of a block.
#[derive(Clone, Debug)]
pub struct Exit {
    /// When it is taken.
    pub guard: Lit,
    /// The location that it leads to.
    pub to: usize,
    /// The words that change, with their new bits, the lowest first.
    pub assign: Vec<(usize, Vec<Lit>)>,
}

/// The gates of a model. Words and locations are numbered as there.
#[derive(Debug)]
pub struct Circuit {
    /// The gates.
    pub aig: Aig,
    /// The bits of each word at the start of a block.
    pub words: Vec<Vec<Lit>>,
    /// The bits that are chosen.
    pub inputs: Vec<Lit>,
    /// For each of them, the value that is chosen, and its position there.
    pub choices: Vec<(Term, usize)>,
    /// The exits of each location.
    pub exits: Vec<Vec<Exit>>,
    /// The bits of words at the start of the program; others can have any.
    pub start: Vec<(usize, Vec<Lit>)>,
}

impl Circuit {
    /// Translates a model.
    pub fn of(model: &mut Model, limits: &Limits) -> Result<Self, Stopped> {
        let mut gates = Blaster::default();
        let terms = &mut model.terms;
        let mut bits = |t| -> Result<Vec<Lit>, Stopped> {
            gates.blast(terms, t, limits)?;
            Ok(gates.bits(terms, t).to_vec())
        };
        let words: Vec<Vec<Lit>> = model.words.iter().map(|word| bits(word.symbol)).collect::<Result<_, _>>()?;
        let mut exits = Vec::with_capacity(model.exits.len());
        for block in &model.exits {
            let mut out = Vec::with_capacity(block.len());
            for exit in block {
                let guard = bits(exit.guard)?[0];
                let assign: Result<_, Stopped> =
                    exit.assign.iter().map(|&(word, value)| Ok((word, bits(value)?))).collect();
                out.push(Exit { guard, to: exit.to, assign: assign? });
            }
            exits.push(out);
        }
        let start =
            model.start.iter().map(|&(word, value)| Ok((word, bits(value)?))).collect::<Result<_, Stopped>>()?;
        let state: FxHashSet<usize> = words.iter().flatten().map(|bit| bit.node()).collect();
        let mut inputs = Vec::new();
        let mut choices = Vec::new();
        for &symbol in gates.symbols() {
            let bits = gates.bits(&model.terms, symbol).iter().enumerate();
            for (position, &bit) in bits.filter(|(_, bit)| !state.contains(&bit.node())) {
                inputs.push(bit);
                choices.push((symbol, position));
            }
        }
        Ok(Self { aig: gates.aig, words, inputs, choices, exits, start })
    }
}
