//! From one state to many: the bits of a state that suffice for an edge to lead into a cube with the same inputs.
//!
//! One pass computes the values of the gates and how many bits of the state it takes at most to fix each; a second one goes
//! back from what is to hold and, where one of two operands suffices, takes the cheaper one. (Een, Mishchenko, Brayton, FMCAD
//! 2011, use ternary simulation here, bit by bit; with whole loop bodies in one edge that is too slow.)

use super::cube::{Bit, Cube};
use super::frames::Frames;
use super::system::System;
use robusto_logic::blast::aig::Lit;
use rustc_hash::{FxHashMap, FxHashSet};

/// A gate of the cone.
#[derive(Clone, Copy)]
struct Valued {
    value: bool,
    /// Bits of the state that fix the value, shared ones counted often.
    cost: u32,
}

/// The part of the state in the solver's model that makes an edge lead into a cube.
pub(super) fn lift(frames: &mut Frames<'_>, system: &System, edge: usize, cube: &Cube) -> Cube {
    let edge = &system.edges[edge];
    let node = &system.nodes[edge.from];
    let state: FxHashMap<usize, usize> = node.state.iter().enumerate().map(|(i, lit)| (lit.node(), i)).collect();
    let mut roots: Vec<usize> = vec![edge.guard.node()];
    roots.extend(cube.iter().map(|bit| edge.next[bit.index()].node()));
    let cone = cone(system, &roots);
    let mut values: FxHashMap<usize, Valued> = FxHashMap::default();
    for &gate in &cone {
        let valued = match system.gates.aig.conjunction(gate) {
            None if gate == 0 => Valued { value: false, cost: 0 },
            None => {
                let value = frames.value(edge.from, Lit::of_node(gate));
                Valued { value, cost: u32::from(state.contains_key(&gate)) }
            }
            Some((x, y)) => {
                let (a, b) = (values[&x.node()], values[&y.node()]);
                match (a.value != x.is_negated(), b.value != y.is_negated()) {
                    (true, true) => Valued { value: true, cost: a.cost.saturating_add(b.cost) },
                    (false, true) => Valued { value: false, cost: a.cost },
                    (true, false) => Valued { value: false, cost: b.cost },
                    (false, false) => Valued { value: false, cost: a.cost.min(b.cost) },
                }
            }
        };
        values.insert(gate, valued);
    }
    let mut needed: FxHashSet<usize> = roots.into_iter().collect();
    let mut bits = Cube::new();
    for &gate in cone.iter().rev() {
        if !needed.contains(&gate) {
            continue;
        }
        match system.gates.aig.conjunction(gate) {
            None => bits.extend(state.get(&gate).map(|&i| Bit::new(i, values[&gate].value))),
            Some((x, y)) => {
                let (a, b) = (values[&x.node()], values[&y.node()]);
                match (a.value != x.is_negated(), b.value != y.is_negated()) {
                    (true, true) => needed.extend([x.node(), y.node()]),
                    (false, true) => drop(needed.insert(x.node())),
                    (true, false) => drop(needed.insert(y.node())),
                    (false, false) => {
                        let known = needed.contains(&x.node()) || needed.contains(&y.node());
                        if !known {
                            needed.insert(if a.cost <= b.cost { x.node() } else { y.node() });
                        }
                    }
                }
            }
        }
    }
    bits.sort_unstable();
    bits
}

/// All gates that some depend on, ascending: operands come first.
fn cone(system: &System, roots: &[usize]) -> Vec<usize> {
    let mut seen: FxHashSet<usize> = roots.iter().copied().collect();
    let mut todo: Vec<usize> = seen.iter().copied().collect();
    while let Some(gate) = todo.pop() {
        if let Some((x, y)) = system.gates.aig.conjunction(gate) {
            todo.extend([x.node(), y.node()].into_iter().filter(|&operand| seen.insert(operand)));
        }
    }
    let mut all: Vec<usize> = seen.into_iter().collect();
    all.sort_unstable();
    all
}
