//! Boolean functions over the variables of clauses: the form in which interpolants leave the proof.
//!
//! The functions live in the and-inverter graph of bit-blasting ([`Aig`]): equal functions of equal shape are one node
//! and constants never occur below a gate. The inputs of the graph are named by the variables they stand for.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::blast::aig::{Aig, Lit};

/// Functions over DIMACS variables.
#[derive(Clone, Debug, Default)]
pub struct Dag {
    /// The graph.
    pub aig: Aig,
    inputs: FxHashMap<i32, Lit>,
    /// By node of an input.
    variables: FxHashMap<usize, i32>,
}

impl Dag {
    /// A graph that holds the constants only.
    pub fn new() -> Self {
        Self::default()
    }

    /// A literal in DIMACS notation as a function.
    pub fn literal(&mut self, literal: i32) -> Lit {
        debug_assert_ne!(literal, 0);
        let Dag { aig, inputs, variables } = self;
        let input = *inputs.entry(literal.abs()).or_insert_with(|| {
            let input = aig.input();
            variables.insert(input.node(), literal.abs());
            input
        });
        input.negate_if(literal < 0)
    }

    /// The literal that a function consists of, if it is one.
    pub fn as_literal(&self, function: Lit) -> Option<i32> {
        let variable = *self.variables.get(&function.node())?;
        Some(if function.is_negated() { -variable } else { variable })
    }

    /// Disjunction of the literals, in the order given.
    pub fn clause(&mut self, literals: impl IntoIterator<Item = i32>) -> Lit {
        let mut result = Lit::FALSE;
        for l in literals {
            let l = self.literal(l);
            result = self.aig.or(result, l);
        }
        result
    }

    /// Nodes that the roots need, operands first.
    pub fn cone(&self, roots: &[Lit]) -> Vec<usize> {
        let mut seen: FxHashSet<usize> = FxHashSet::default();
        let mut stack: Vec<usize> = roots.iter().map(|r| r.node()).collect();
        let mut result = Vec::new();
        while let Some(node) = stack.pop() {
            if seen.insert(node) {
                result.push(node);
                if let Some((a, b)) = self.aig.conjunction(node) {
                    stack.extend([a.node(), b.node()]);
                }
            }
        }
        result.sort_unstable(); // gates are numbered after their operands
        result
    }

    /// Number of conjunctions that the roots need together.
    pub fn size(&self, roots: &[Lit]) -> usize {
        self.cone(roots).into_iter().filter(|&n| self.aig.conjunction(n).is_some()).count()
    }

    /// Variables that the function is written with, ascending.
    pub fn variables(&self, root: Lit) -> Vec<i32> {
        let mut result: Vec<i32> = self.cone(&[root]).iter().filter_map(|n| self.variables.get(n).copied()).collect();
        result.sort_unstable();
        result
    }

    /// The functions with some variables set to constants.
    pub fn assign(&mut self, roots: &[Lit], values: &FxHashMap<i32, bool>) -> Vec<Lit> {
        let mut image: FxHashMap<usize, Lit> = FxHashMap::default();
        for node in self.cone(roots) {
            let of = |l: Lit| image[&l.node()].negate_if(l.is_negated());
            let function = match self.aig.conjunction(node).map(|(a, b)| (of(a), of(b))) {
                Some((a, b)) => self.aig.and(a, b),
                None => match self.variables.get(&node).and_then(|v| values.get(v)) {
                    Some(&value) => Lit::from(value),
                    None => Lit::of_node(node),
                },
            };
            image.insert(node, function);
        }
        roots.iter().map(|r| image[&r.node()].negate_if(r.is_negated())).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_and_assignment() {
        let mut dag = Dag::new();
        let clause = dag.clause([1, -2, 3]);
        assert_eq!(dag.variables(clause), [1, 2, 3]);
        assert_eq!(dag.size(&[clause]), 2);
        let set = |values: &[(i32, bool)]| values.iter().copied().collect();
        assert_eq!(dag.assign(&[clause, !clause], &set(&[(2, false)])), [Lit::TRUE, Lit::FALSE]);
        let rest = dag.assign(&[clause], &set(&[(2, true), (1, false)]))[0];
        assert_eq!(dag.as_literal(rest), Some(3));
        assert_eq!(dag.as_literal(!rest), Some(-3));
        assert_eq!(dag.as_literal(clause), None);
    }
}
