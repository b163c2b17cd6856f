//! Reduced ordered decision diagrams with negated edges: just enough to decide a formula.
//!
//! Bryant: *Graph-based algorithms for Boolean function manipulation*, IEEE Transactions on Computers 35(8), 1986; Brace,
//! Rudell, Bryant: *Efficient implementation of a BDD package*, DAC 1990. One operation, no quantifiers, no collection of
//! garbage. The engines have a larger implementation of their own; this one is what the check of their certificates
//! trusts, so the two share nothing.

use hashbrown::HashTable;
use robusto_limits::Limits;
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};
use std::ops::RangeInclusive;

/// A function: a node, possibly negated.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Function(u32);

impl Function {
    /// The constant 0.
    pub const FALSE: Self = Self(1);
    /// The constant 1.
    pub const TRUE: Self = Self(0);

    fn node(self) -> usize {
        (self.0 >> 1) as usize
    }

    fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    /// Negated if the condition holds.
    pub fn negate_if(self, condition: bool) -> Self {
        Self(self.0 ^ u32::from(condition))
    }

    fn is_constant(self) -> bool {
        self.0 < 2
    }
}

impl std::ops::Not for Function {
    type Output = Self;

    fn not(self) -> Self {
        Self(self.0 ^ 1)
    }
}

/// `if level { high } else { low }`; `high` is not negated.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Node {
    level: u32,
    high: Function,
    low: Function,
}

/// The level of the constants, below all others.
const BOTTOM: u32 = u32::MAX;

/// Why an operation has no result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Interrupted {
    /// It needs more nodes than allowed.
    Full,
    /// A limit was reached; which one, the limits know.
    Stopped,
}

/// An operation and its result.
type Known = (Function, Function, Function, Function);

/// No operation: its result is known at once.
const NONE: Known = (Function::TRUE, Function::TRUE, Function::TRUE, Function::TRUE);

/// How many results of operations are remembered for a number of nodes, at least and at most.
const KNOWN: RangeInclusive<usize> = 1 << 12..=1 << 20;

/// Steps between two looks at the clock.
const POLL: usize = 1 << 14;

/// Steps for each node that is allowed. Without such a bound an operation could go on for ever, since results are forgotten;
/// an obligation of token_ring.13 takes 4 million steps at most, where 8 million nodes are allowed.
const STEPS: usize = 4;

/// The nodes of some functions.
pub struct Diagram {
    nodes: Vec<Node>,
    table: HashTable<u32>,
    /// Results of operations, by their hash; a newer one takes the place of an older one.
    known: Vec<Known>,
    /// Most nodes.
    room: usize,
    /// Steps that are left.
    steps: usize,
    pub limits: Limits,
}

fn hash(value: impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    value.hash(&mut hasher);
    hasher.finish()
}

/// Where the result of an operation is remembered.
fn slot(f: Function, g: Function, h: Function, slots: usize) -> usize {
    let mix = |sum: u64, f: Function| (sum ^ u64::from(f.0)).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
    [f, g, h].into_iter().fold(0, mix) as usize & (slots - 1)
}

impl Diagram {
    /// An empty diagram.
    pub fn new(limits: &Limits) -> Self {
        let constant = Node { level: BOTTOM, high: Function::TRUE, low: Function::TRUE };
        Self {
            nodes: vec![constant],
            table: HashTable::new(),
            known: Vec::new(),
            room: 0,
            steps: 0,
            limits: limits.clone(),
        }
    }

    /// The function that is the variable at a level.
    pub fn variable(&mut self, level: u32) -> Result<Function, Interrupted> {
        self.make(level, Function::TRUE, Function::FALSE)
    }

    /// `f ∧ g`
    pub fn and(&mut self, f: Function, g: Function) -> Result<Function, Interrupted> {
        self.ite(f, g, Function::FALSE)
    }

    /// `(f ∧ g) ∨ (¬f ∧ h)`
    pub fn ite(&mut self, f: Function, g: Function, h: Function) -> Result<Function, Interrupted> {
        const TRUE: Function = Function::TRUE;
        const FALSE: Function = Function::FALSE;
        // Branches that are the condition or its negation are constants in disguise.
        let constant_under = |branch: Function, value: bool| match branch {
            same if same == f => TRUE.negate_if(!value),
            other if other == !f => TRUE.negate_if(value),
            branch => branch,
        };
        let (g, h) = (constant_under(g, true), constant_under(h, false));
        match (f, g, h) {
            (TRUE, g, _) => return Ok(g),
            (FALSE, _, h) => return Ok(h),
            (_, g, h) if g == h => return Ok(g),
            (f, TRUE, FALSE) => return Ok(f),
            (f, FALSE, TRUE) => return Ok(!f),
            _ => {}
        }
        // Conjunctions commute, and so do disjunctions.
        let (f, g, h) = match (f, g, h) {
            (f, g, FALSE) if g < f => (g, f, FALSE),
            (f, TRUE, h) if h < f => (h, TRUE, f),
            all => all,
        };
        // The condition is not negated, and neither is the first branch.
        let (f, g, h) = if f.is_negated() { (!f, h, g) } else { (f, g, h) };
        let negated = g.is_negated();
        let (g, h) = (g.negate_if(negated), h.negate_if(negated));
        let slot = slot(f, g, h, self.known.len());
        let known = self.known[slot];
        if (known.0, known.1, known.2) == (f, g, h) {
            return Ok(known.3.negate_if(negated));
        }
        self.step()?;
        let level = [f, g, h].map(|f| self.nodes[f.node()].level).into_iter().min().expect("three");
        let [(f1, f0), (g1, g0), (h1, h0)] = [f, g, h].map(|f| self.split(f, level));
        let high = self.ite(f1, g1, h1)?;
        let low = self.ite(f0, g0, h0)?;
        let result = self.make(level, high, low)?;
        self.known[slot] = (f, g, h, result);
        Ok(result.negate_if(negated))
    }

    /// A function that agrees with `f` wherever `c` holds, and is empty if and only if `f ∧ c` is. It commutes with all
    /// connectives (Coudert, Berthet, Madre: *Verification of synchronous sequential machines based on symbolic execution*,
    /// Automatic Verification Methods for Finite State Systems, 1989).
    pub fn constrain(
        &mut self,
        f: Function,
        c: Function,
        done: &mut FxHashMap<(Function, Function), Function>,
    ) -> Result<Function, Interrupted> {
        if f.is_constant() || c.is_constant() {
            return Ok(f);
        }
        if f == c || f == !c {
            return Ok(Function::TRUE.negate_if(f != c));
        }
        if let Some(&result) = done.get(&(f, c)) {
            return Ok(result);
        }
        self.step()?;
        let level = self.nodes[f.node()].level.min(self.nodes[c.node()].level);
        let [(f1, f0), (c1, c0)] = [f, c].map(|f| self.split(f, level));
        let result = if c1 == Function::FALSE {
            self.constrain(f0, c0, done)?
        } else if c0 == Function::FALSE {
            self.constrain(f1, c1, done)?
        } else {
            let high = self.constrain(f1, c1, done)?;
            let low = self.constrain(f0, c0, done)?;
            self.make(level, high, low)?
        };
        done.insert((f, c), result);
        Ok(result)
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Allows so many nodes, and steps in proportion from now on.
    pub fn set_room(&mut self, nodes: usize) {
        self.room = nodes;
        self.steps = STEPS * nodes;
        let known = nodes.next_power_of_two().clamp(*KNOWN.start(), *KNOWN.end());
        if self.known.len() < known {
            self.known = vec![NONE; known];
        }
    }

    /// Forgets all functions.
    pub fn clear(&mut self) {
        self.nodes.truncate(1);
        self.table.clear();
        self.known.fill(NONE);
    }

    /// One step of an operation.
    fn step(&mut self) -> Result<(), Interrupted> {
        self.steps = self.steps.checked_sub(1).ok_or(Interrupted::Full)?;
        if self.steps.is_multiple_of(POLL) && self.limits.look().is_err() {
            return Err(Interrupted::Stopped);
        }
        Ok(())
    }

    /// The function where the variable at a level is 1, and where it is 0.
    fn split(&self, f: Function, level: u32) -> (Function, Function) {
        let node = self.nodes[f.node()];
        if node.level != level {
            return (f, f);
        }
        (node.high.negate_if(f.is_negated()), node.low.negate_if(f.is_negated()))
    }

    fn make(&mut self, level: u32, high: Function, low: Function) -> Result<Function, Interrupted> {
        if high == low {
            return Ok(high);
        }
        let negated = high.is_negated();
        let node = Node { level, high: high.negate_if(negated), low: low.negate_if(negated) };
        let hashed = hash(node);
        if let Some(&found) = self.table.find(hashed, |&i| self.nodes[i as usize] == node) {
            return Ok(Function(found << 1).negate_if(negated));
        }
        let number = self.nodes.len();
        if number >= self.room {
            return Err(Interrupted::Full);
        }
        let nodes = &mut self.nodes;
        nodes.push(node);
        self.table.insert_unique(hashed, number as u32, |&i| hash(nodes[i as usize]));
        Ok(Function((number as u32) << 1).negate_if(negated))
    }
}
