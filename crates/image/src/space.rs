//! The variables of the diagrams, and gates as functions of them.
//!
//! Each bit of a word has two variables beside each other, for its value now and next; so has each bit of the program counter.
//! Inputs have one variable each, which every block uses anew.

use crate::circuit::{Circuit, Exit};
use crate::model::Model;
use robusto_diagram::{Bdd, Diagrams, Full, Reordering, StoreSize, VarIndex};
use robusto_limits::{Limits, Stopped};
use robusto_logic::blast::aig::{Gate, Lit};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;

/// The diagrams of a model.
pub struct Space {
    /// The store.
    pub diagrams: Diagrams,
    /// By word, the variables of its bits now, the lowest first.
    pub now: Vec<Vec<VarIndex>>,
    /// By word, the variables of its next bits.
    pub next: Vec<Vec<VarIndex>>,
    /// The program counter now.
    pub counter: Vec<VarIndex>,
    /// The next program counter.
    pub next_counter: Vec<VarIndex>,
    inputs: Vec<VarIndex>,
    /// By gate, the variable of a bit of a word.
    states: FxHashMap<usize, VarIndex>,
    /// By location, the inputs that its exits depend on.
    used: Vec<Vec<usize>>,
}

/// Why diagrams stop: the store is full, or a limit is reached.
pub(crate) fn full(_: Full) -> Stopped {
    Stopped::Memory
}

impl Space {
    /// The variables of a model.
    pub fn new(model: &Model, circuit: &Circuit, reordering: Option<Reordering>, store: StoreSize) -> Self {
        let used: Vec<Vec<usize>> = circuit.exits.iter().map(|exits| inputs_of(circuit, exits)).collect();
        let inputs = used.iter().map(Vec::len).max().unwrap_or(0);
        let counter_bits = circuit.exits.len().next_power_of_two().trailing_zeros() as usize;
        let bits: usize = circuit.words.iter().map(Vec::len).sum();
        let diagrams = Diagrams::new((2 * (bits + counter_bits) + inputs) as u32, store);
        let mut fresh = (0..).map(VarIndex::new);
        let mut pair = || {
            let pair = [fresh.next(), fresh.next()].map(|var| var.expect("variables do not end"));
            diagrams.group(&pair);
            pair
        };
        let counters: Vec<[VarIndex; 2]> = (0..counter_bits).map(|_| pair()).collect();
        let mut words: Vec<Vec<Option<[VarIndex; 2]>>> =
            circuit.words.iter().map(|word| vec![None; word.len()]).collect();
        for (word, bit) in model.bits_in_order() {
            words[word][bit] = Some(pair());
        }
        let words: Vec<Vec<[VarIndex; 2]>> = words
            .into_iter()
            .map(|word| word.into_iter().map(|pair| pair.expect("all bits are ordered")).collect())
            .collect();
        let side = |side: usize| words.iter().map(|word| word.iter().map(|pair| pair[side]).collect()).collect();
        let (now, next): (Vec<Vec<VarIndex>>, Vec<Vec<VarIndex>>) = (side(0), side(1));
        let gates = circuit.words.iter().flatten().map(|bit| bit.node());
        let states = gates.zip(now.iter().flatten().copied()).collect();
        let inputs = (2 * (bits + counter_bits)..).take(inputs).map(|index| VarIndex::new(index as u32)).collect();
        diagrams.set_reordering(reordering);
        let (counter, next_counter) = counters.into_iter().map(|[now, next]| (now, next)).unzip();
        Self { diagrams, now, next, counter, next_counter, inputs, states, used }
    }

    /// The literals of a number in the bits of a counter.
    pub fn code(counter: &[VarIndex], number: usize) -> Vec<(VarIndex, bool)> {
        counter.iter().enumerate().map(|(bit, &var)| (var, number >> bit & 1 == 1)).collect()
    }

    /// The variables of inputs.
    pub(crate) fn inputs(&self) -> &[VarIndex] {
        &self.inputs
    }

    /// The functions of a block's gates.
    pub fn functions<'s>(&'s self, circuit: &'s Circuit, location: usize) -> Functions<'s> {
        let inputs = self.used[location].iter().copied().zip(self.inputs.iter().copied()).collect();
        Functions { space: self, circuit, inputs, done: FxHashMap::default() }
    }

    /// The functions of the gates of one exit, where an input that a word takes as it is has the next variable of the word: so it
    /// stands where the word stands, and needs no quantifier.
    pub fn functions_of_exit<'s>(
        &'s self,
        circuit: &'s Circuit,
        location: usize,
        exit: &Exit,
        is_assigned: impl Fn(usize) -> bool,
    ) -> Functions<'s> {
        let mut functions = self.functions(circuit, location);
        let mut taken: FxHashSet<usize> = FxHashSet::default();
        for (word, bits) in exit.assign.iter().filter(|(word, _)| is_assigned(*word)) {
            for (bit, &next) in bits.iter().zip(&self.next[*word]) {
                if let Some(var) = functions.inputs.get_mut(&bit.node())
                    && !bit.is_negated()
                    && taken.insert(bit.node())
                {
                    *var = next;
                }
            }
        }
        functions
    }
}

/// The inputs that exits depend on; bits of the same position beside each other.
fn inputs_of(circuit: &Circuit, exits: &[Exit]) -> Vec<usize> {
    let below = cone(circuit, exits.iter().flat_map(literals));
    let inputs = circuit.inputs.iter().map(|bit| bit.node()).zip(&circuit.positions);
    let mut inputs: Vec<(Reverse<usize>, usize)> =
        inputs.filter(|(node, _)| below.contains(node)).map(|(node, &position)| (Reverse(position), node)).collect();
    inputs.sort_unstable();
    inputs.into_iter().map(|(_, node)| node).collect()
}

/// All literals of an exit.
pub(crate) fn literals(exit: &Exit) -> impl Iterator<Item = Lit> + '_ {
    [exit.guard].into_iter().chain(exit.assign.iter().flat_map(|(_, bits)| bits.iter().copied()))
}

/// All gates below some literals.
pub(crate) fn cone(circuit: &Circuit, roots: impl IntoIterator<Item = Lit>) -> FxHashSet<usize> {
    let mut seen = FxHashSet::default();
    let mut todo: Vec<usize> = roots.into_iter().map(Lit::node).collect();
    while let Some(node) = todo.pop() {
        if seen.insert(node)
            && let Some((a, b)) = circuit.aig.conjunction(node)
        {
            todo.extend([a.node(), b.node()]);
        }
    }
    seen
}

/// Gates as functions of the variables now and of the inputs of one block.
pub struct Functions<'s> {
    space: &'s Space,
    circuit: &'s Circuit,
    inputs: FxHashMap<usize, VarIndex>,
    done: FxHashMap<usize, Bdd>,
}

impl Functions<'_> {
    /// The function of a literal.
    pub fn of(&mut self, lit: Lit, limits: &Limits) -> Result<Bdd, Stopped> {
        let mut stack = vec![lit.node()];
        while let Some(&top) = stack.last() {
            if self.done.contains_key(&top) {
                stack.pop();
                continue;
            }
            let gate = self.circuit.aig.gate(top);
            let operands = match gate {
                Gate::Constant | Gate::Input => vec![],
                Gate::And(a, b) => vec![a, b],
                Gate::NotMux(c, a, b) => vec![c, a, b],
            };
            let open: Vec<usize> =
                operands.iter().map(|lit| lit.node()).filter(|node| !self.done.contains_key(node)).collect();
            if !open.is_empty() {
                stack.extend(open);
                continue;
            }
            limits.look()?;
            let function = self.gate(top, gate).map_err(full)?;
            self.done.insert(top, function);
        }
        self.literal(lit).map_err(full)
    }

    fn gate(&self, node: usize, gate: Gate) -> Result<Bdd, Full> {
        let diagrams = &self.space.diagrams;
        match gate {
            Gate::Constant => Ok(diagrams.bottom()),
            Gate::Input => {
                let var = self.space.states.get(&node).or_else(|| self.inputs.get(&node));
                diagrams.var(*var.expect("an input is a bit of a word, or chosen by the block"))
            }
            Gate::And(a, b) => diagrams.and(&self.literal(a)?, &self.literal(b)?),
            Gate::NotMux(c, a, b) => {
                diagrams.not(&diagrams.ite(&self.literal(c)?, &self.literal(a)?, &self.literal(b)?)?)
            }
        }
    }

    /// The function of a literal whose gate is done.
    fn literal(&self, lit: Lit) -> Result<Bdd, Full> {
        let function = &self.done[&lit.node()];
        if lit.is_negated() { self.space.diagrams.not(function) } else { Ok(function.clone()) }
    }
}
