//! All states of a model, one by one: no diagrams, no liveness, only gates, for all choices at once.

use robusto_image::circuit::Circuit;
use robusto_logic::blast::aig::Lit;
use std::collections::HashSet;

/// Most states, and most bits that a block chooses; programs with more are left out.
const MOST_STATES: usize = 20_000;
const MOST_CHOICES: usize = 12;

/// Choices that are executed at a time, as bits of a number.
const LANES: usize = 64;

/// The first six choices in the lanes.
const PATTERNS: [u64; 6] = [
    0xAAAA_AAAA_AAAA_AAAA,
    0xCCCC_CCCC_CCCC_CCCC,
    0xF0F0_F0F0_F0F0_F0F0,
    0xFF00_FF00_FF00_FF00,
    0xFFFF_0000_FFFF_0000,
    0xFFFF_FFFF_0000_0000,
];

/// The bits of all words, the first word lowest.
pub type State = u128;

/// By location, the states that can be reached; `None` if they are too many.
pub fn enumerate(circuit: &Circuit) -> Option<Vec<HashSet<State>>> {
    let machine = Machine::new(circuit)?;
    let mut reached = vec![HashSet::new(); circuit.exits.len()];
    let mut todo: Vec<(usize, State)> = machine.starts()?.into_iter().map(|state| (0, state)).collect();
    reached[0].extend(todo.iter().map(|&(_, state)| state));
    let mut count = todo.len();
    let mut values = vec![0; circuit.aig.len()];
    while let Some((location, state)) = todo.pop() {
        for (to, next) in machine.successors(location, state, &mut values) {
            if reached[to].insert(next) {
                todo.push((to, next));
                count += 1;
            }
        }
        if count > MOST_STATES {
            return None;
        }
    }
    Some(reached)
}

/// Whether there is an execution along a path, given by locations and numbers of exits, to a location.
pub fn is_feasible(circuit: &Circuit, path: &[(usize, usize)], end: usize) -> bool {
    let machine = Machine::new(circuit).expect("it was enumerated");
    let mut values = vec![0; circuit.aig.len()];
    let mut at = 0;
    let mut states: HashSet<State> = machine.starts().expect("it was enumerated").into_iter().collect();
    for &(location, number) in path {
        assert_eq!(location, at, "the path is not connected");
        let next = states.iter().flat_map(|&state| machine.steps(location, state, &mut values));
        states = next.filter(|(exit, _)| *exit == number).map(|(_, state)| state).collect();
        at = circuit.exits[location][number].to;
    }
    at == end && !states.is_empty()
}

struct Machine<'c> {
    circuit: &'c Circuit,
    /// By word, its first bit in a state.
    offsets: Vec<usize>,
    /// By location, the gates that its exits need, operands first, and the choices among them.
    gates: Vec<(Vec<usize>, Vec<usize>)>,
}

impl<'c> Machine<'c> {
    fn new(circuit: &'c Circuit) -> Option<Self> {
        let mut offsets = Vec::new();
        let mut bits = 0;
        for word in &circuit.words {
            offsets.push(bits);
            bits += word.len();
        }
        if bits > State::BITS as usize {
            return None;
        }
        let inputs: HashSet<usize> = circuit.inputs.iter().map(|bit| bit.node()).collect();
        let mut gates = Vec::new();
        for exits in &circuit.exits {
            let values = exits.iter().flat_map(|exit| exit.assign.iter().flat_map(|(_, bits)| bits));
            let mut todo: Vec<usize> =
                exits.iter().map(|exit| &exit.guard).chain(values).map(|lit| lit.node()).collect();
            let mut needed = HashSet::new();
            while let Some(node) = todo.pop() {
                if needed.insert(node)
                    && let Some((a, b)) = circuit.aig.conjunction(node)
                {
                    todo.extend([a.node(), b.node()]);
                }
            }
            let choices: Vec<usize> = needed.iter().copied().filter(|node| inputs.contains(node)).collect();
            let mut order: Vec<usize> = needed.into_iter().collect();
            order.sort_unstable();
            if choices.len() > MOST_CHOICES {
                return None;
            }
            gates.push((order, choices));
        }
        Some(Self { circuit, offsets, gates })
    }

    /// All states of the start.
    fn starts(&self) -> Option<Vec<State>> {
        let mut fixed: Vec<(usize, bool)> = Vec::new();
        for (word, bits) in &self.circuit.start {
            for (bit, &lit) in bits.iter().enumerate() {
                assert!(lit.is_constant(), "start values are constants");
                fixed.push((self.offsets[*word] + bit, lit.is_negated()));
            }
        }
        let bits: usize = self.circuit.words.iter().map(Vec::len).sum();
        let free: Vec<usize> = (0..bits).filter(|bit| !fixed.iter().any(|(own, _)| own == bit)).collect();
        let base = fixed.iter().fold(0, |state, &(bit, value)| state | State::from(value) << bit);
        let spread = |code: u64| (0..free.len()).fold(base, |state, i| state | State::from(code >> i & 1) << free[i]);
        (free.len() <= MOST_CHOICES).then(|| (0..1 << free.len()).map(spread).collect())
    }

    fn successors(&self, location: usize, state: State, values: &mut [u64]) -> HashSet<(usize, State)> {
        let steps = self.steps(location, state, values).into_iter();
        steps.map(|(exit, next)| (self.circuit.exits[location][exit].to, next)).collect()
    }

    /// Numbers of exits with the states that they lead to.
    fn steps(&self, location: usize, state: State, values: &mut [u64]) -> HashSet<(usize, State)> {
        let Circuit { aig, words, exits, .. } = self.circuit;
        let (order, choices) = &self.gates[location];
        let mut out = HashSet::new();
        values[0] = 0;
        for (word, bits) in words.iter().enumerate() {
            for (bit, lit) in bits.iter().enumerate() {
                values[lit.node()] = if state >> (self.offsets[word] + bit) & 1 == 1 { u64::MAX } else { 0 };
            }
        }
        let lanes = LANES.min(1 << choices.len());
        let used = if lanes == LANES { u64::MAX } else { (1 << lanes) - 1 };
        for batch in 0..(1_usize << choices.len()) / lanes {
            for (i, &choice) in choices.iter().enumerate() {
                let upper = |i: usize| if batch >> i & 1 == 1 { u64::MAX } else { 0 };
                values[choice] = PATTERNS.get(i).copied().unwrap_or_else(|| upper(i - PATTERNS.len()));
            }
            let of = |values: &[u64], lit: Lit| values[lit.node()] ^ if lit.is_negated() { u64::MAX } else { 0 };
            for &node in order {
                if let Some((a, b)) = aig.conjunction(node) {
                    values[node] = of(values, a) & of(values, b);
                }
            }
            let mut taken = 0;
            for (number, exit) in exits[location].iter().enumerate() {
                let open = of(values, exit.guard) & used;
                assert_eq!(taken & open, 0, "two exits of location {location} are open");
                taken |= open;
                for lane in (0..lanes).filter(|lane| open >> lane & 1 == 1) {
                    let mut next = state;
                    for (word, bits) in &exit.assign {
                        for (bit, &lit) in bits.iter().enumerate() {
                            let at = self.offsets[*word] + bit;
                            next = next & !(1 << at) | State::from(of(values, lit) >> lane & 1) << at;
                        }
                    }
                    out.insert((number, next));
                }
            }
            assert!(taken == used || exits[location].is_empty(), "no exit of location {location} is open");
        }
        out
    }
}
