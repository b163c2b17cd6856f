//! From obligations to the steps of one execution: states and inputs are chosen from the start on, and blocks executed.

use super::Pdr;
use super::block::Reached;
use super::compose::input_at;
use super::cube::{Bit, Cube};
use super::system::start;
use crate::model::Model;
use robusto_cpa::Step;
use robusto_limits::Stopped;
use robusto_logic::{Evaluator, Model as Values};
use rustc_hash::FxHashMap;

impl Pdr<'_> {
    /// The steps of an execution that reaches what it must not; none if the gates say more than the terms, as with functions
    /// that have no gates.
    pub(super) fn steps(&mut self, (edge, obligation): Reached) -> Result<Option<Vec<Step>>, Stopped> {
        let mut steps = Vec::new();
        let mut way = Some((edge, obligation));
        // By word, its value at the node where the next edge begins.
        let mut values: Option<FxHashMap<usize, u128>> = None;
        while let Some((edge, obligation)) = way {
            let from = self.system.edges[edge].from;
            let state: Cube = match &values {
                None => Cube::new(),
                Some(values) => {
                    let bits = self.system.nodes[from].bits.iter().enumerate();
                    let value = |word: &usize| values.get(word).copied().unwrap_or(0);
                    bits.map(|(i, (word, bit))| Bit::new(i, value(word) >> bit & 1 == 1)).collect()
                }
            };
            let to = self.obligations[obligation].cube.clone();
            if !self.frames.leads(&self.system, edge, &state, &to)? {
                return Ok(None);
            }
            let inputs = self.inputs(from);
            let mut at = values.unwrap_or_default();
            if !self.walk(edge, &mut at, &inputs, &mut steps) {
                return Ok(None);
            }
            values = Some(at);
            way = self.obligations[obligation].next;
        }
        Ok(Some(steps))
    }

    /// The values of all symbols in the model that the solver of a node has.
    fn inputs(&mut self, node: usize) -> Values {
        let mut inputs = Values::new();
        for &t in self.system.gates.symbols() {
            let mut value = 0;
            for (i, &bit) in self.system.gates.bits(&self.model.terms, t).iter().enumerate() {
                value |= u128::from(self.frames.value(node, bit)) << i;
            }
            inputs.set(self.model.terms.as_symbol(t).expect("a symbol"), value);
        }
        inputs
    }

    /// Executes blocks from the node where an edge begins to the one where it ends; whether that is where they lead.
    fn walk(
        &mut self,
        edge: usize,
        words: &mut FxHashMap<usize, u128>,
        inputs: &Values,
        steps: &mut Vec<Step>,
    ) -> bool {
        let (from, end) = (self.system.edges[edge].from, self.system.nodes[self.system.edges[edge].to].place);
        let Model { terms, words: all, exits, start: values, .. } = &mut self.model;
        let first = vec![start(terms, values)];
        let mut at = self.system.nodes[from].place.unwrap_or(exits.len());
        // A path between two nodes passes no location twice.
        for _ in 0..=exits.len() {
            let block = exits.get(at).unwrap_or(&first);
            let mut values = Values::new();
            let roots = block.iter().flat_map(|exit| exit.assign.iter().map(|&(_, value)| value).chain([exit.guard]));
            let roots: Vec<_> = roots.collect();
            for t in terms.subterms(&roots) {
                if let Some(symbol) = terms.as_symbol(t) {
                    let input = input_at(terms, symbol, at);
                    values.set(symbol, inputs.get(terms.as_symbol(input).expect("a symbol")));
                }
            }
            for (number, word) in all.iter().enumerate() {
                let symbol = terms.as_symbol(word.symbol).expect("words have symbols");
                let value = words.get(&number).copied().unwrap_or_else(|| inputs.get(symbol));
                values.set(symbol, value);
            }
            let mut evaluator = Evaluator::new(terms, &values);
            let Some(exit) = block.iter().find(|exit| evaluator.value(exit.guard) == 1) else { return false };
            let assigned: Vec<(usize, u128)> =
                exit.assign.iter().map(|&(word, value)| (word, evaluator.value(value))).collect();
            steps.extend(&exit.steps);
            at = exit.to;
            for (number, word) in all.iter().enumerate() {
                let symbol = terms.as_symbol(word.symbol).expect("words have symbols");
                words.insert(number, values.get(symbol));
            }
            words.extend(assigned);
            if Some(at) == end {
                return true;
            }
        }
        false
    }
}
