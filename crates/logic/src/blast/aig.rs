//! And-inverter graphs: every function from conjunction and negation, hashed so that equal structure is shared.
//!
//! Conjunctions are simplified with what their operands say one level down (the one- and two-level rules of Brummayer
//! and Biere, *Local Two-Level And-Inverter Graph Minimization without Blowup*, MEMICS 2006, those that create at most
//! one node).

use hashbrown::HashTable;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

/// A node of the graph, possibly negated.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Lit(u32);

impl Lit {
    /// The constant 0.
    pub const FALSE: Lit = Lit(0);
    /// The constant 1.
    pub const TRUE: Lit = Lit(1);

    /// The node without its sign.
    #[inline]
    pub fn node(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// Whether the node is negated.
    #[inline]
    pub fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    /// Whether it is 0 or 1.
    #[inline]
    pub fn is_constant(self) -> bool {
        self.0 < 2
    }

    /// Negated if the condition holds.
    #[inline]
    pub fn negate_if(self, condition: bool) -> Lit {
        Lit(self.0 ^ u32::from(condition))
    }

    /// The positive literal of a node.
    #[inline]
    pub fn of_node(node: usize) -> Lit {
        Lit((node as u32) << 1)
    }
}

impl std::ops::Not for Lit {
    type Output = Lit;

    #[inline]
    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

impl From<bool> for Lit {
    fn from(value: bool) -> Lit {
        Lit(value.into())
    }
}

/// What a node computes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Gate {
    /// The constant 0; node 0 alone.
    Constant,
    /// A free bit.
    Input,
    /// A conjunction.
    And(Lit, Lit),
    /// `if c { a } else { b }`, found again in three conjunctions: the node is the negation of this.
    NotMux(Lit, Lit, Lit),
}

/// The operands of an input: no conjunction has them.
const INPUT: (Lit, Lit) = (Lit(u32::MAX), Lit(u32::MAX));

fn hash(operands: (Lit, Lit)) -> u64 {
    let mut hasher = FxHasher::default();
    (u64::from(operands.0.0) << 32 | u64::from(operands.1.0)).hash(&mut hasher);
    hasher.finish()
}

/// The graph.
#[derive(Clone, Debug)]
pub struct Aig {
    nodes: Vec<(Lit, Lit)>,
    /// Numbers of the conjunctions.
    table: HashTable<u32>,
}

impl Default for Aig {
    fn default() -> Self {
        Self { nodes: vec![INPUT], table: HashTable::new() }
    }
}

impl Aig {
    /// Number of nodes, the constant included.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Never: the constant is always there.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// A new free bit.
    pub fn input(&mut self) -> Lit {
        self.nodes.push(INPUT);
        Lit::of_node(self.nodes.len() - 1)
    }

    fn operands(&self, lit: Lit) -> Option<(Lit, Lit)> {
        let operands = self.nodes[lit.node()];
        (operands != INPUT).then_some(operands)
    }

    /// The conjunction of a node, if it is one.
    pub fn conjunction(&self, node: usize) -> Option<(Lit, Lit)> {
        self.operands(Lit::of_node(node))
    }

    /// What a node computes, with multiplexers and exclusive ors recognised.
    pub fn gate(&self, node: usize) -> Gate {
        if node == 0 {
            return Gate::Constant;
        }
        let Some((x, y)) = self.conjunction(node) else { return Gate::Input };
        if x.is_negated()
            && y.is_negated()
            && let (Some((p, q)), Some((r, s))) = (self.operands(x), self.operands(y))
        {
            // !(p & q) & !(r & s) with p = !r is !(p ? q : s).
            for (p, q, r, s) in [(p, q, r, s), (p, q, s, r), (q, p, r, s), (q, p, s, r)] {
                if p == !r {
                    return Gate::NotMux(p, q, s);
                }
            }
        }
        Gate::And(x, y)
    }

    /// Conjunction.
    pub fn and(&mut self, a: Lit, b: Lit) -> Lit {
        let (mut a, mut b) = if a < b { (a, b) } else { (b, a) };
        // Each round replaces an operand by an operand of an operand, so there are few.
        loop {
            if a == b || b == Lit::TRUE {
                return a;
            }
            if a == Lit::FALSE || b == Lit::FALSE || a == !b {
                return Lit::FALSE;
            }
            if a == Lit::TRUE {
                return b;
            }
            match self.look_down(a, b).or_else(|| self.look_down(b, a)) {
                Some(Found::Is(lit)) => return lit,
                Some(Found::Replace(x, y)) => (a, b) = if x < y { (x, y) } else { (y, x) },
                None => break,
            }
        }
        if let (Some((p, q)), Some((r, s)), false, false) =
            (self.operands(a), self.operands(b), a.is_negated(), b.is_negated())
            && (p == !r || p == !s || q == !r || q == !s)
        {
            return Lit::FALSE;
        }
        let hash_of = hash((a, b));
        if let Some(&node) = self.table.find(hash_of, |&node| self.nodes[node as usize] == (a, b)) {
            return Lit(node << 1);
        }
        let node = u32::try_from(self.nodes.len()).expect("fewer than 2^31 gates");
        self.nodes.push((a, b));
        self.table.insert_unique(hash_of, node, |&node| hash(self.nodes[node as usize]));
        Lit(node << 1)
    }

    /// What `x & y` is in view of the operands of `y`.
    fn look_down(&self, x: Lit, y: Lit) -> Option<Found> {
        let (p, q) = self.operands(y)?;
        if !y.is_negated() {
            // x & (p & q)
            if x == p || x == q {
                return Some(Found::Is(y));
            }
            if x == !p || x == !q {
                return Some(Found::Is(Lit::FALSE));
            }
        } else {
            // x & !(p & q)
            if x == !p || x == !q {
                return Some(Found::Is(x));
            }
            if x == p {
                return Some(Found::Replace(x, !q));
            }
            if x == q {
                return Some(Found::Replace(x, !p));
            }
        }
        None
    }

    /// Disjunction.
    pub fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    /// `c ? a : b`.
    pub fn mux(&mut self, c: Lit, a: Lit, b: Lit) -> Lit {
        if a == b {
            return a;
        }
        if c.is_constant() {
            return if c == Lit::TRUE { a } else { b };
        }
        let (x, y) = (self.and(c, a), self.and(!c, b));
        self.or(x, y)
    }

    /// Exclusive or.
    pub fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        // One form for all signs of the operands, so that x ^ y and !x ^ y share their gates.
        let flip = a.is_negated() != b.is_negated();
        let (a, b) = (Lit(a.0 & !1), Lit(b.0 & !1));
        if a == b {
            return Lit::from(flip);
        }
        if a.is_constant() || b.is_constant() {
            return (if a.is_constant() { b } else { a }).negate_if(flip);
        }
        let (a, b) = if a < b { (a, b) } else { (b, a) };
        let (both, neither) = (self.and(a, b), self.and(!a, !b));
        self.and(!both, !neither).negate_if(flip)
    }
}

enum Found {
    Is(Lit),
    Replace(Lit, Lit),
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The value of a literal under an assignment of the inputs, which are the first nodes.
    fn value(aig: &Aig, lit: Lit, inputs: usize) -> bool {
        let node = lit.node();
        let plain = match aig.conjunction(node) {
            Some((a, b)) => value(aig, a, inputs) && value(aig, b, inputs),
            None => node > 0 && inputs >> (node - 1) & 1 == 1,
        };
        plain != lit.is_negated()
    }

    /// All functions of three bits that arise from two rounds of conjunctions keep their truth tables.
    #[test]
    fn conjunctions_keep_their_truth_tables() {
        let mut aig = Aig::default();
        let mut literals = vec![Lit::FALSE];
        literals.extend((0..3).map(|_| aig.input()));
        for _ in 0..2 {
            let known = literals.clone();
            for &a in &known {
                for &b in &known {
                    for (a, b) in [(a, b), (!a, b), (!a, !b)] {
                        let and = aig.and(a, b);
                        for inputs in 0..8 {
                            let expected = value(&aig, a, inputs) && value(&aig, b, inputs);
                            assert_eq!(value(&aig, and, inputs), expected);
                        }
                        let positive = Lit::of_node(and.node());
                        if !literals.contains(&positive) {
                            literals.push(positive);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn multiplexers_and_exclusive_ors_are_recognised() {
        let mut aig = Aig::default();
        let [c, a, b] = [(); 3].map(|()| aig.input());
        let mux = aig.mux(c, a, b);
        assert!(matches!(aig.gate(mux.node()), Gate::NotMux(..)));
        let xor = aig.xor(a, b);
        assert!(matches!(aig.gate(xor.node()), Gate::NotMux(..)));
        assert_eq!(aig.xor(!a, b), !xor);
        for inputs in 0..8 {
            let [c, a, b] = [0, 1, 2].map(|i| inputs >> i & 1 == 1);
            assert_eq!(value(&aig, mux, inputs), if c { a } else { b });
            assert_eq!(value(&aig, xor, inputs), a != b);
        }
    }
}
