//! And-inverter graphs: every function from conjunction and negation, hashed so that equal structure is shared.
//!
//! Conjunctions are simplified with what their operands say one level down (the one- and two-level rules of Brummayer
//! and Biere, *Local Two-Level And-Inverter Graph Minimization without Blowup*, MEMICS 2006, those that create at most
//! one node).

use rustc_hash::FxHashMap;

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

/// The graph.
#[derive(Clone, Debug)]
pub struct Aig {
    nodes: Vec<(Lit, Lit)>,
    table: FxHashMap<(Lit, Lit), u32>,
}

impl Default for Aig {
    fn default() -> Self {
        Self { nodes: vec![INPUT], table: FxHashMap::default() }
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
        if let Some(&node) = self.table.get(&(a, b)) {
            return Lit(node << 1);
        }
        let node = u32::try_from(self.nodes.len()).expect("fewer than 2^31 gates");
        self.nodes.push((a, b));
        self.table.insert((a, b), node);
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
