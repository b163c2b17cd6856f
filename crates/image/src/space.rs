//! The variables of the diagrams, and gates as functions of them.
//!
//! Each bit of a word has two variables beside each other, for its value now and next; so has each bit of the program counter.
//! Inputs have variables that every block uses anew, beside the words that they are computed with.

use crate::circuit::{Circuit, Exit};
use crate::model::Model;
use robusto_diagram::{Bdd, Diagrams, Full, Reordering, StoreSize, VarIndex};
use robusto_limits::{Limits, Stopped};
use robusto_logic::Term;
use robusto_logic::blast::aig::{Gate, Lit};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::OnceCell;

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
    /// By gate, the variable of a bit of a word.
    states: FxHashMap<usize, VarIndex>,
    /// By location, the inputs that its exits depend on, with their variables.
    inputs: Vec<Vec<(usize, VarIndex)>>,
    reordering: Option<Reordering>,
    store: StoreSize,
    /// More stores with the same variables.
    others: OnceCell<Vec<Space>>,
}

/// Why diagrams stop: the store is full, or a limit is reached.
pub(crate) fn full(_: Full) -> Stopped {
    Stopped::Memory
}

impl Space {
    /// The variables of a model.
    pub fn new(model: &Model, circuit: &Circuit, reordering: Option<Reordering>, store: StoreSize) -> Self {
        let lanes = Lanes::of(model, circuit);
        let counter_bits = circuit.exits.len().next_power_of_two().trailing_zeros() as usize;
        let bits: usize = circuit.words.iter().map(Vec::len).sum();
        let diagrams = Diagrams::new((2 * (bits + counter_bits) + lanes.bits()) as u32, store);
        let mut count = 0;
        let mut fresh = || {
            count += 1;
            VarIndex::new(count - 1)
        };
        let pair = |fresh: &mut dyn FnMut() -> VarIndex| {
            let pair = [fresh(), fresh()];
            diagrams.group(&pair);
            pair
        };
        let (counter, next_counter) = (0..counter_bits).map(|_| pair(&mut fresh).into()).unzip();
        let [mut now, mut next] = [0, 1].map(|_| vec![Vec::new(); circuit.words.len()]);
        let mut of_lanes: FxHashMap<(usize, usize, usize), VarIndex> = FxHashMap::default();
        for (number, widths) in lanes.widths.iter().enumerate() {
            let words = model.groups.get(number).map_or(&[][..], Vec::as_slice);
            let widest = words.iter().map(|&word| circuit.words[word].len()).chain(widths.iter().copied()).max();
            for bit in (0..widest.unwrap_or(0)).rev() {
                for &word in words.iter().filter(|&&word| bit < circuit.words[word].len()) {
                    let [own, after] = pair(&mut fresh);
                    now[word].push(own);
                    next[word].push(after);
                }
                for (lane, _) in widths.iter().enumerate().filter(|&(_, &width)| bit < width) {
                    of_lanes.insert((number, lane, bit), fresh());
                }
            }
        }
        now.iter_mut().chain(&mut next).for_each(|vars: &mut Vec<VarIndex>| vars.reverse());
        let gates = circuit.words.iter().flatten().map(|bit| bit.node());
        let states = gates.zip(now.iter().flatten().copied()).collect();
        let inputs = lanes.inputs.iter();
        let inputs = inputs.map(|all| all.iter().map(|(node, place)| (*node, of_lanes[place])).collect()).collect();
        diagrams.set_reordering(reordering);
        let others = OnceCell::new();
        Self { diagrams, now, next, counter, next_counter, states, inputs, reordering, store, others }
    }

    /// More stores with the same variables, which live as long as this one. They are made when they are first asked for.
    pub(crate) fn others(&self, model: &Model, circuit: &Circuit, count: usize) -> &[Self] {
        let more = || Self::new(model, circuit, self.reordering, self.store);
        self.others.get_or_init(|| (0..count).map(|_| more()).collect())
    }

    /// The literals of a number in the bits of a counter.
    pub fn code(counter: &[VarIndex], number: usize) -> Vec<(VarIndex, bool)> {
        counter.iter().enumerate().map(|(bit, &var)| (var, number >> bit & 1 == 1)).collect()
    }

    /// The variables of inputs.
    pub(crate) fn inputs(&self) -> FxHashSet<VarIndex> {
        self.inputs.iter().flatten().map(|&(_, var)| var).collect()
    }

    /// The functions of a block's gates.
    pub fn functions<'s>(&'s self, circuit: &'s Circuit, location: usize) -> Functions<'s> {
        let inputs = self.inputs[location].iter().copied().collect();
        Functions { space: self, circuit, inputs, taken: FxHashSet::default(), done: FxHashMap::default() }
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
        for (word, bits) in exit.assign.iter().filter(|(word, _)| is_assigned(*word)) {
            for (bit, &next) in bits.iter().zip(&self.next[*word]) {
                if let Some(var) = functions.inputs.get_mut(&bit.node())
                    && !bit.is_negated()
                    && functions.taken.insert(bit.node())
                {
                    *var = next;
                }
            }
        }
        functions
    }
}

/// Variables for inputs. A lane is as wide as the widest value that a block has there, and every block uses the lanes anew; those
/// of a group of words are interleaved with the words, those behind the last group with each other.
struct Lanes {
    /// By group, the widths of its lanes.
    widths: Vec<Vec<usize>>,
    /// By location, the inputs that its exits depend on: the gate, then group, lane and bit.
    inputs: Vec<Vec<(usize, (usize, usize, usize))>>,
}

impl Lanes {
    fn of(model: &Model, circuit: &Circuit) -> Self {
        let numbers: FxHashMap<usize, usize> =
            circuit.inputs.iter().enumerate().map(|(number, bit)| (bit.node(), number)).collect();
        let choices: Vec<Term> = circuit.choices.iter().map(|&(choice, _)| choice).collect();
        let last = model.groups.len();
        let groups: Vec<usize> = model.groups_of(&choices).into_iter().map(|group| group.unwrap_or(last)).collect();
        let mut widths: Vec<Vec<usize>> = vec![Vec::new(); last + 1];
        let mut inputs = Vec::with_capacity(circuit.exits.len());
        for exits in &circuit.exits {
            let below = cone(circuit, exits.iter().flat_map(literals));
            let mut used: Vec<usize> = below.iter().filter_map(|node| numbers.get(node).copied()).collect();
            used.sort_unstable();
            let mut lanes: FxHashMap<Term, usize> = FxHashMap::default();
            let mut taken = vec![0; last + 1];
            let mut of_location = Vec::with_capacity(used.len());
            for number in used {
                let ((choice, bit), group) = (circuit.choices[number], groups[number]);
                let lane = *lanes.entry(choice).or_insert_with(|| {
                    taken[group] += 1;
                    taken[group] - 1
                });
                if widths[group].len() <= lane {
                    widths[group].push(0);
                }
                widths[group][lane] = widths[group][lane].max(bit + 1);
                of_location.push((circuit.inputs[number].node(), (group, lane, bit)));
            }
            inputs.push(of_location);
        }
        Self { widths, inputs }
    }

    fn bits(&self) -> usize {
        self.widths.iter().flatten().sum()
    }
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
    /// Inputs that have the next variable of a word.
    taken: FxHashSet<usize>,
    done: FxHashMap<usize, Bdd>,
}

impl Functions<'_> {
    /// The variables of the block's inputs that are no next variables.
    pub fn inputs(&self) -> FxHashSet<VarIndex> {
        self.inputs.iter().filter(|(input, _)| !self.taken.contains(input)).map(|(_, &var)| var).collect()
    }

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
