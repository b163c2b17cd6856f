//! Circuits that compute many cases at a time: bit i of each word belongs to case i.

use robusto_logic::FloatOp;
use robusto_logic::blast::aig::{Aig, Lit};
use robusto_logic::blast::float::circuit;

/// Cases at a time.
pub const LANES: usize = 64;

/// A circuit of two operands.
pub struct Circuit {
    /// The operands of each gate, after the constant and the inputs.
    gates: Vec<(Lit, Lit)>,
    widths: [usize; 2],
    result: Vec<Lit>,
    values: Vec<u64>,
}

impl Circuit {
    /// The circuit of an operator.
    pub fn new(op: FloatOp, from: u16, second: u16, to: u16) -> Self {
        Self::build(from.into(), second.into(), |aig, a, b| circuit(aig, op, a, b, to.into()))
    }

    /// The circuit that somebody builds for two operands.
    pub fn build(from: usize, second: usize, result: impl FnOnce(&mut Aig, &[Lit], &[Lit]) -> Vec<Lit>) -> Self {
        let mut aig = Aig::default();
        let a: Vec<Lit> = (0..from).map(|_| aig.input()).collect();
        let b: Vec<Lit> = (0..second).map(|_| aig.input()).collect();
        let result = result(&mut aig, &a, &b);
        let inputs = 1 + from + second;
        let gates = (inputs..aig.len()).map(|node| aig.conjunction(node).expect("inputs come before gates")).collect();
        Self { gates, widths: [from, second], result, values: vec![0; aig.len()] }
    }

    /// The results for at most [`LANES`] pairs of operands.
    pub fn evaluate(&mut self, operands: &[(u128, u128)]) -> Vec<u128> {
        let [from, second] = self.widths;
        // Node 0 is false.
        self.values[0] = 0;
        for bit in 0..from {
            self.values[1 + bit] = lanes(operands.iter().map(|case| case.0 >> bit & 1));
        }
        for bit in 0..second {
            self.values[1 + from + bit] = lanes(operands.iter().map(|case| case.1 >> bit & 1));
        }
        let first = 1 + from + second;
        for (i, &(a, b)) in self.gates.iter().enumerate() {
            self.values[first + i] = value(&self.values, a) & value(&self.values, b);
        }
        let of = |lane: usize| {
            self.result.iter().rev().fold(0, |word, &bit| word << 1 | u128::from(value(&self.values, bit) >> lane & 1))
        };
        (0..operands.len()).map(of).collect()
    }
}

fn lanes(bits: impl Iterator<Item = u128>) -> u64 {
    bits.enumerate().fold(0, |word, (lane, bit)| word | (bit as u64) << lane)
}

fn value(values: &[u64], lit: Lit) -> u64 {
    let word = values[lit.node()];
    if lit.is_negated() { !word } else { word }
}
