//! What an execution of the system chooses, as the interpreter asks for it: so that a counterexample of another model checker
//! can be replayed in the program.

use super::{State, System};
use crate::model::{Model, Place};
use robusto_analyses::symbolic::{Cell, Contents, Encoder};
use robusto_cfa::facts::Facts;
use robusto_cfa::ir::{EdgeId, FuncId, Op};
use robusto_limits::Stopped;
use robusto_logic::{ArrayValue, Evaluator, Model as Values, Sort, Term};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// A step of the system.
#[derive(Clone, Debug)]
pub struct Taken {
    /// The state before it.
    pub from: State,
    /// The number of the exit.
    pub exit: usize,
    /// The values of the inputs.
    pub inputs: Vec<u128>,
}

/// All that an execution chooses, in its order.
#[derive(Clone, Default, Debug)]
pub struct Choices {
    /// Values of variables, and the edges that ask.
    pub values: Vec<((FuncId, EdgeId), u128)>,
    /// Content of memory that becomes arbitrary, and the edges that make it so.
    pub fills: Vec<((FuncId, EdgeId), Vec<u8>)>,
    /// Content of objects that begin to live, except empty ones.
    pub fresh: Vec<Vec<u8>>,
}

impl System {
    /// The choices of an execution of the system of a model. Its steps are encoded anew; names of choices are the same then.
    pub fn choices(&self, facts: &Facts, model: &Model, path: &[Taken]) -> Result<Choices, Stopped> {
        let mut encoder = Encoder::new(facts);
        let mut terms = model.terms.clone();
        let plain: Vec<Term> =
            model.words.iter().map(|word| Model::decode(&mut terms, &word.code, word.symbol)).collect();
        let mut choices = Choices::default();
        for (number, taken) in path.iter().enumerate() {
            let mut coded = Values::new();
            for (variable, &value) in self.variables.iter().zip(&taken.from.values) {
                coded.set(terms.as_symbol(variable.symbol).expect("a word is a symbol"), value);
            }
            let mut decoded = Evaluator::new(&terms, &coded);
            let words = model.words.iter().zip(&plain).map(|(word, &t)| (word.cell, word.address, decoded.value(t)));
            let values = self.values(&mut encoder, words, &taken.inputs);
            if let (0, Some(main)) = (number, facts.program.main) {
                let start = encoder.initial();
                let objects = encoder.contents_of_objects(&start, main)?;
                choices.fresh(&encoder, &objects, &values);
            }
            let mut active = Vec::new();
            if let Place::Control(calls, location) = &model.places[taken.from.location] {
                active.extend(calls.iter().map(|&(caller, _)| caller).chain([location.function]));
            }
            let mut at = encoder.anything_in(active);
            for &step in &model.exits[taken.from.location][taken.exit].steps {
                let Some(after) = encoder.step(&at, step)? else { break };
                match step.edge(&facts.program).op {
                    Op::Havoc { .. } => {
                        let choice = encoder.choice(&at, step);
                        let value = choice.map_or(0, |choice| encoder.terms.evaluate(choice, &values));
                        choices.values.push((step.edge_ref(), value));
                    }
                    Op::HavocMem { .. } => {
                        for contents in encoder.contents(&at, &after, step)? {
                            choices.fills.push((step.edge_ref(), contents.bytes(&encoder, &values)));
                        }
                    }
                    Op::Alloc { .. } | Op::Call { .. } => {
                        let objects = encoder.contents(&at, &after, step)?;
                        choices.fresh(&encoder, &objects, &values);
                    }
                    _ => {}
                }
                at = after;
            }
        }
        Ok(choices)
    }

    /// The values of a state and of inputs, for the symbols of an encoder.
    fn values(
        &self,
        encoder: &mut Encoder<'_>,
        words: impl Iterator<Item = (Cell, Option<u64>, u128)>,
        inputs: &[u128],
    ) -> Values {
        let mut values = Values::new();
        let mut arrays: FxHashMap<Term, BTreeMap<u128, u128>> = FxHashMap::default();
        for (cell, address, value) in words {
            let input = encoder.input(cell);
            match address {
                Some(address) => drop(arrays.entry(input).or_default().insert(address.into(), value)),
                None => values.set(encoder.terms.as_symbol(input).expect("a cell is a symbol"), value),
            }
        }
        let index = u16::from(encoder.facts().program.model.pointer_bits());
        for (input, &value) in self.inputs.iter().zip(inputs) {
            let width = self.width(input.symbol);
            let element = input.meaning.rsplit_once("!0x").filter(|(array, _)| array.starts_with("choice!"));
            match element.and_then(|(array, at)| Some((array, u64::from_str_radix(at, 16).ok()?))) {
                Some((array, at)) => {
                    let array = encoder.terms.symbol(array, Sort::Array { index, element: width });
                    arrays.entry(array).or_default().insert(at.into(), value);
                }
                None if input.meaning.starts_with("choice!") => {
                    let symbol = encoder.terms.symbol(&input.meaning, Sort::Bits(width));
                    values.set(encoder.terms.as_symbol(symbol).expect("it was made as one"), value);
                }
                // Memory outside of all objects: nobody asks for it.
                None => {}
            }
        }
        for (array, elements) in arrays {
            let symbol = encoder.terms.as_symbol(array).expect("an array without operations is a symbol");
            values.set_array(symbol, ArrayValue { elements, default: 0 });
        }
        values
    }
}

impl Choices {
    fn fresh(&mut self, encoder: &Encoder<'_>, all: &[Contents], values: &Values) {
        let bytes = all.iter().map(|contents| contents.bytes(encoder, values)).filter(|bytes| !bytes.is_empty());
        self.fresh.extend(bytes);
    }
}
