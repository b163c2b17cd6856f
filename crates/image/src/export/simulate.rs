//! One step of the system.

use super::System;
use robusto_logic::{Evaluator, Model};

/// A state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct State {
    /// The number of the location.
    pub location: usize,
    /// The value of each variable.
    pub values: Vec<u128>,
}

impl System {
    /// The start, given values of the variables that have no start value.
    pub fn start(&self, mut any: impl FnMut(usize) -> u128) -> State {
        let variables = self.variables.iter().enumerate();
        State { location: 0, values: variables.map(|(number, v)| v.start.unwrap_or_else(|| any(number))).collect() }
    }

    /// The exit that a state takes with the values of the inputs, and the state that it leads to. At a sink, no exit and the
    /// same state.
    ///
    /// # Panics
    /// If not exactly one guard holds: the model is wrong then.
    pub fn step(&self, from: &State, inputs: &[u128]) -> (Option<usize>, State) {
        let exits = &self.exits[from.location];
        if exits.is_empty() {
            return (None, from.clone());
        }
        let mut source = Model::new();
        let known = self.variables.iter().map(|v| v.symbol).zip(&from.values);
        for (symbol, &value) in known.chain(self.inputs.iter().map(|input| input.symbol).zip(inputs)) {
            source.set(self.terms.as_symbol(symbol).expect("variables and inputs are symbols"), value);
        }
        let mut evaluator = Evaluator::new(&self.terms, &source);
        let open: Vec<usize> = (0..exits.len()).filter(|&exit| evaluator.value(exits[exit].guard) == 1).collect();
        let [taken] = open[..] else { panic!("{} exits of location {} are open", open.len(), from.location) };
        let mut to = State { location: exits[taken].to, values: from.values.clone() };
        for &(variable, value) in &exits[taken].assign {
            to.values[variable] = evaluator.value(value);
        }
        (Some(taken), to)
    }
}
