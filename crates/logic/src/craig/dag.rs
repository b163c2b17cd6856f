//! Boolean functions as an and-inverter graph: the form in which interpolants leave the proof.
//!
//! Equal functions of equal shape are one node (structural hashing), constants never occur below a gate, and each new
//! gate is first matched against the rules of Brummayer and Biere, "Local Two-Level And-Inverter Graph Minimization
//! without Blowup" (MEMICS 2006): contradiction, subsumption, idempotence, substitution and resolution. They look one
//! level down and never add a gate, so an interpolant is at most as large as the part of the proof it comes from.

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

/// A node with a sign: one function of the graph.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Edge(u32);

impl Edge {
    /// The constant function true.
    pub const TRUE: Edge = Edge(0);
    /// The constant function false.
    pub const FALSE: Edge = Edge(1);

    fn new(node: usize, negated: bool) -> Self {
        let node = u32::try_from(node).expect("an interpolant has fewer than 2^31 gates");
        Edge(node << 1 | u32::from(negated))
    }

    /// Position of the node in its graph; operands come before the gates that use them.
    pub fn index(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// Whether the function is the complement of its node's.
    pub fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    /// This function with the sign of `other` put on top.
    fn signed_by(self, other: Edge) -> Edge {
        Edge(self.0 ^ other.0 & 1)
    }
}

impl std::ops::Not for Edge {
    type Output = Edge;

    fn not(self) -> Edge {
        Edge(self.0 ^ 1)
    }
}

/// What a node of the graph computes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Gate {
    /// Constant true; only node 0.
    True,
    /// A variable of the clauses, by its positive literal.
    Variable(i32),
    /// Conjunction; the smaller edge first.
    And(Edge, Edge),
}

/// The graph.
#[derive(Clone, Debug)]
pub struct Dag {
    gates: Vec<Gate>,
    unique: HashMap<Gate, u32, FxBuildHasher>,
}

impl Default for Dag {
    fn default() -> Self {
        Dag { gates: vec![Gate::True], unique: HashMap::default() }
    }
}

impl Dag {
    /// A graph that holds the constants only.
    pub fn new() -> Self {
        Self::default()
    }

    /// The gate below an edge, without the edge's sign.
    pub fn gate(&self, edge: Edge) -> Gate {
        self.gates[edge.index()]
    }

    /// The gate at a position that [`Dag::cone`] gave.
    pub fn gate_at(&self, index: usize) -> Gate {
        self.gates[index]
    }

    /// A literal in DIMACS notation as a function.
    pub fn literal(&mut self, literal: i32) -> Edge {
        debug_assert_ne!(literal, 0);
        let edge = self.node(Gate::Variable(literal.abs()));
        if literal < 0 { !edge } else { edge }
    }

    /// The literal that a function consists of, if it is one.
    pub fn as_literal(&self, edge: Edge) -> Option<i32> {
        match self.gate(edge) {
            Gate::Variable(v) => Some(if edge.is_negated() { -v } else { v }),
            Gate::True | Gate::And(..) => None,
        }
    }

    /// Conjunction.
    pub fn and(&mut self, mut a: Edge, mut b: Edge) -> Edge {
        // Each round replaces an operand by one of its own operands, so the loop ends.
        loop {
            if a > b {
                std::mem::swap(&mut a, &mut b);
            }
            if a == Edge::FALSE || a == !b {
                return Edge::FALSE;
            }
            if a == Edge::TRUE || a == b {
                return b;
            }
            match self.rule(a, b).or_else(|| self.rule(b, a)) {
                Some(Rule::Is(result)) => return result,
                Some(Rule::Both(x, y)) => (a, b) = (x, y),
                None => return self.node(Gate::And(a, b)),
            }
        }
    }

    /// The rules that look into `b`, and into both for the symmetric ones.
    fn rule(&self, a: Edge, b: Edge) -> Option<Rule> {
        let Gate::And(x, y) = self.gate(b) else { return None };
        if !b.is_negated() {
            if a == !x || a == !y {
                return Some(Rule::Is(Edge::FALSE)); // contradiction
            }
            if a == x || a == y {
                return Some(Rule::Is(b)); // idempotence
            }
        } else {
            if a == !x || a == !y {
                return Some(Rule::Is(a)); // subsumption
            }
            if a == x {
                return Some(Rule::Both(a, !y)); // substitution
            }
            if a == y {
                return Some(Rule::Both(a, !x));
            }
        }
        let Gate::And(u, v) = self.gate(a) else { return None };
        match (a.is_negated(), b.is_negated()) {
            (false, false) if [!u, !v].iter().any(|e| [x, y].contains(e)) => Some(Rule::Is(Edge::FALSE)),
            (false, true) if [!u, !v].iter().any(|e| [x, y].contains(e)) => Some(Rule::Is(a)),
            (false, true) if u == x || v == x => Some(Rule::Both(a, !y)),
            (false, true) if u == y || v == y => Some(Rule::Both(a, !x)),
            // ¬(u ∧ v) ∧ ¬(u ∧ ¬v) = ¬u
            (true, true) if u == x && v == !y || u == y && v == !x => Some(Rule::Is(!u)),
            (true, true) if v == x && u == !y || v == y && u == !x => Some(Rule::Is(!v)),
            _ => None,
        }
    }

    /// Disjunction.
    pub fn or(&mut self, a: Edge, b: Edge) -> Edge {
        !self.and(!a, !b)
    }

    /// Disjunction of the literals, in the order given.
    pub fn clause(&mut self, literals: impl IntoIterator<Item = i32>) -> Edge {
        let mut result = Edge::FALSE;
        for l in literals {
            let l = self.literal(l);
            result = self.or(result, l);
        }
        result
    }

    /// Nodes that the roots need, operands first.
    pub fn cone(&self, roots: &[Edge]) -> Vec<usize> {
        let Some(top) = roots.iter().map(|r| r.index()).max() else { return Vec::new() };
        let mut needed = vec![false; top + 1];
        roots.iter().for_each(|r| needed[r.index()] = true);
        for i in (0..=top).rev() {
            if let (true, Gate::And(a, b)) = (needed[i], self.gates[i]) {
                needed[a.index()] = true;
                needed[b.index()] = true;
            }
        }
        (0..=top).filter(|&i| needed[i]).collect()
    }

    /// Number of conjunctions that the roots need together.
    pub fn size(&self, roots: &[Edge]) -> usize {
        self.cone(roots).into_iter().filter(|&i| matches!(self.gates[i], Gate::And(..))).count()
    }

    /// Variables that the function is written with, ascending.
    pub fn variables(&self, root: Edge) -> Vec<i32> {
        let mut result: Vec<i32> = self
            .cone(&[root])
            .into_iter()
            .filter_map(|i| match self.gates[i] {
                Gate::Variable(v) => Some(v),
                Gate::True | Gate::And(..) => None,
            })
            .collect();
        result.sort_unstable();
        result
    }

    /// The functions with each variable replaced by what `leaf` makes of it.
    pub fn replace(&mut self, roots: &[Edge], mut leaf: impl FnMut(&mut Dag, i32) -> Edge) -> Vec<Edge> {
        let mut image: HashMap<usize, Edge, FxBuildHasher> = HashMap::default();
        for i in self.cone(roots) {
            let edge = match self.gates[i] {
                Gate::True => Edge::TRUE,
                Gate::Variable(v) => leaf(self, v),
                Gate::And(a, b) => self.and(image[&a.index()].signed_by(a), image[&b.index()].signed_by(b)),
            };
            image.insert(i, edge);
        }
        roots.iter().map(|r| image[&r.index()].signed_by(*r)).collect()
    }

    /// Value of the function under an assignment of its variables.
    pub fn evaluate(&self, root: Edge, mut value: impl FnMut(i32) -> bool) -> bool {
        let mut values = vec![false; root.index() + 1];
        for i in self.cone(&[root]) {
            let at = |e: Edge| values[e.index()] != e.is_negated();
            values[i] = match self.gates[i] {
                Gate::True => true,
                Gate::Variable(v) => value(v),
                Gate::And(a, b) => at(a) && at(b),
            };
        }
        values[root.index()] != root.is_negated()
    }

    fn node(&mut self, gate: Gate) -> Edge {
        let next = self.gates.len();
        let index = *self.unique.entry(gate).or_insert_with(|| {
            self.gates.push(gate);
            Edge::new(next, false).0 >> 1
        });
        Edge::new(index as usize, false)
    }
}

/// What a rewriting rule leaves of a conjunction.
enum Rule {
    Is(Edge),
    Both(Edge, Edge),
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All functions that can be built in a few steps over three variables equal their truth tables.
    #[test]
    fn gates_agree_with_truth_tables() {
        let mut dag = Dag::new();
        // Bit i of a table: value under the assignment whose bit v - 1 is the value of variable v.
        let mut known: Vec<(Edge, u8)> =
            vec![(dag.literal(1), 0b1010_1010), (dag.literal(2), 0b1100_1100), (dag.literal(3), 0b1111_0000)];
        for _ in 0..3 {
            let old = known.clone();
            for &(a, ta) in &old {
                for &(b, tb) in &old {
                    for (ea, va, eb, vb) in [(a, ta, b, tb), (!a, !ta, b, tb), (a, ta, !b, !tb), (!a, !ta, !b, !tb)] {
                        let (edge, table) = (dag.and(ea, eb), va & vb);
                        for row in 0..8 {
                            let value = dag.evaluate(edge, |v| row >> (v - 1) & 1 == 1);
                            assert_eq!(value, table >> row & 1 == 1);
                        }
                        if known.len() < 60 && !known.iter().any(|k| k.1 == table || k.1 == !table) {
                            known.push((edge, table));
                        }
                    }
                }
            }
        }
        assert!(known.len() > 30, "{}", known.len());
    }

    #[test]
    fn local_rules() {
        let mut dag = Dag::new();
        let [a, b, c] = [1, 2, 3].map(|v| dag.literal(v));
        let ab = dag.and(a, b);
        let a_not_b = dag.and(a, !b);
        assert_eq!(dag.and(ab, !a), Edge::FALSE);
        assert_eq!(dag.and(ab, a), ab);
        assert_eq!(dag.and(!ab, a), a_not_b);
        assert_eq!(dag.and(!ab, !a), !a);
        assert_eq!(dag.and(!ab, !a_not_b), !a);
        assert_eq!(dag.or(ab, a_not_b), a);
        let bc = dag.and(!b, c);
        assert_eq!(dag.and(ab, bc), Edge::FALSE);
        assert_eq!(dag.and(ab, !bc), ab);
    }
}
