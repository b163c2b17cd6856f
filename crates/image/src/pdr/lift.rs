//! From one state to many: the bits of a state that suffice for an edge to lead into a cube with the same inputs.
//!
//! One pass computes the values of the gates and how many bits of the state it takes at most to fix each; a second one goes
//! back from what is to hold and, where one of two operands suffices, takes the cheaper one. (Een, Mishchenko, Brayton, FMCAD
//! 2011, use ternary simulation here, bit by bit; with whole loop bodies in one edge that is too slow.)

use super::cube::{Bit, Cube};
use super::frames::Frames;
use super::system::System;
use robusto_logic::blast::aig::Lit;

/// Room for values of gates.
#[derive(Default)]
pub(super) struct Lifter {
    gates: Vec<Valued>,
    /// The gates of the cone, operands first.
    cone: Vec<usize>,
    /// Gates whose operands are still to come.
    open: Vec<usize>,
    /// The number of this use; other numbers in gates are from uses before.
    round: u32,
}

/// A gate.
#[derive(Clone, Copy, Default)]
struct Valued {
    /// The last use that its value is of.
    round: u32,
    /// The last use that has to fix its value.
    needed: u32,
    value: bool,
    /// Bits of the state that fix the value, shared ones counted often.
    cost: u32,
    /// If it is a bit of the state, which one, counted from 1; only in the use of this number.
    bit: u32,
}

impl Lifter {
    /// The part of the state in the solver's model that makes an edge lead into a cube.
    pub fn lift(&mut self, frames: &mut Frames<'_>, system: &System, edge: usize, cube: &Cube) -> Cube {
        let edge = &system.edges[edge];
        let aig = &system.gates.aig;
        self.round += 1;
        self.gates.resize(aig.len(), Valued::default());
        self.cone.clear();
        let next = cube.iter().map(|bit| edge.next[bit.index()]);
        let roots: Vec<usize> = [edge.guard].into_iter().chain(next).map(Lit::node).collect();
        for (i, lit) in system.nodes[edge.from].state.iter().enumerate() {
            self.gates[lit.node()].bit = i as u32 + 1;
        }
        for &root in &roots {
            self.evaluate(frames, system, edge.from, root);
            self.gates[root].needed = self.round;
        }
        let mut bits = Cube::new();
        for i in (0..self.cone.len()).rev() {
            let gate = self.cone[i];
            if self.gates[gate].needed != self.round {
                continue;
            }
            let Some((x, y)) = aig.conjunction(gate) else {
                if self.gates[gate].bit > 0 {
                    bits.push(Bit::new(self.gates[gate].bit as usize - 1, self.gates[gate].value));
                }
                continue;
            };
            let (a, b) = (self.gates[x.node()], self.gates[y.node()]);
            let (takes_x, takes_y) = match (a.value != x.is_negated(), b.value != y.is_negated()) {
                (true, true) => (true, true),
                (false, true) => (true, false),
                (true, false) => (false, true),
                (false, false) if a.needed == self.round || b.needed == self.round => (false, false),
                (false, false) => (a.cost <= b.cost, a.cost > b.cost),
            };
            if takes_x {
                self.gates[x.node()].needed = self.round;
            }
            if takes_y {
                self.gates[y.node()].needed = self.round;
            }
        }
        for lit in &system.nodes[edge.from].state {
            self.gates[lit.node()].bit = 0;
        }
        bits.sort_unstable();
        bits
    }

    /// Computes the values of a gate and all below it.
    fn evaluate(&mut self, frames: &mut Frames<'_>, system: &System, node: usize, root: usize) {
        self.open.push(root);
        while let Some(&gate) = self.open.last() {
            if self.gates[gate].round == self.round {
                self.open.pop();
                continue;
            }
            let (value, cost) = match system.gates.aig.conjunction(gate) {
                None if gate == 0 => (false, 0),
                None => (frames.value(node, Lit::of_node(gate)), u32::from(self.gates[gate].bit > 0)),
                Some((x, y)) => {
                    let (a, b) = (self.gates[x.node()], self.gates[y.node()]);
                    if a.round != self.round || b.round != self.round {
                        self.open.extend(
                            [(a, x), (b, y)].iter().filter(|(v, _)| v.round != self.round).map(|(_, l)| l.node()),
                        );
                        continue;
                    }
                    match (a.value != x.is_negated(), b.value != y.is_negated()) {
                        (true, true) => (true, a.cost.saturating_add(b.cost)),
                        (false, true) => (false, a.cost),
                        (true, false) => (false, b.cost),
                        (false, false) => (false, a.cost.min(b.cost)),
                    }
                }
            };
            let known = &mut self.gates[gate];
            (known.round, known.value, known.cost) = (self.round, value, cost);
            self.cone.push(gate);
            self.open.pop();
        }
    }
}
