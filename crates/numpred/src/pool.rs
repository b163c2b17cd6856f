//! Numeric values by number: equal values have equal numbers, and what was computed of two values is remembered.
//!
//! All four data structures hold numbers and not elements. So condition C2 (nᵢ ≠ nⱼ) is a comparison of numbers, terminals of
//! diagrams are canonical, toBdd(γ(n)) is the same for equal n, and a context of `ctxApply` is a key.

use crate::counters::Counters;
use crate::numbers::{Numbers, split};
use robusto_domains::{Constraint, Lattice, Thresholds};
use rustc_hash::FxHashMap;

/// The number of a numeric value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NumId(pub(crate) u32);

impl NumId {
    /// No point.
    pub const BOTTOM: Self = Self(0);
    /// All points.
    pub const TOP: Self = Self(1);
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Binary {
    Join,
    Meet,
    Widen,
}

/// The numeric values that have occurred.
pub struct Pool<N: Numbers> {
    numbers: N,
    elements: Vec<N::Element>,
    by_signature: FxHashMap<u64, Vec<NumId>>,
    results: FxHashMap<(Binary, NumId, NumId), NumId>,
    below: FxHashMap<(NumId, NumId), bool>,
    thresholds: Thresholds,
    /// What the operations have cost.
    pub counters: Counters,
}

impl<N: Numbers> Pool<N> {
    /// With nothing and everything; widenings rest at thresholds.
    pub fn new(numbers: N, thresholds: Thresholds) -> Self {
        let elements = vec![numbers.bottom(), numbers.top()];
        let by_signature = FxHashMap::default();
        let (results, below, counters) = (FxHashMap::default(), FxHashMap::default(), Counters::default());
        let mut pool = Self { numbers, elements, by_signature, results, below, thresholds, counters };
        for id in [NumId::BOTTOM, NumId::TOP] {
            let signature = pool.numbers.signature(pool.element(id));
            pool.by_signature.entry(signature).or_default().push(id);
        }
        pool
    }

    /// The numeric domain.
    pub fn numbers(&self) -> &N {
        &self.numbers
    }

    /// How many different values there were.
    pub fn len(&self) -> usize {
        self.elements.len()
    }

    /// Whether there were no values, which is never the case.
    pub fn is_empty(&self) -> bool {
        self.elements.is_empty()
    }

    /// The value of a number.
    pub fn element(&self, id: NumId) -> &N::Element {
        &self.elements[id.0 as usize]
    }

    /// The number of a value.
    pub fn number(&mut self, element: N::Element) -> NumId {
        if element.is_bottom() {
            return NumId::BOTTOM;
        }
        let same = self.by_signature.entry(self.numbers.signature(&element)).or_default();
        if let Some(&known) = same.iter().find(|id| self.elements[id.0 as usize] == element) {
            return known;
        }
        let id = NumId(u32::try_from(self.elements.len()).expect("fewer than 2^32 numeric values fit into memory"));
        self.elements.push(element);
        same.push(id);
        id
    }

    fn binary(&mut self, operation: Binary, a: NumId, b: NumId) -> NumId {
        if let Some(&known) = self.results.get(&(operation, a, b)) {
            return known;
        }
        let (left, right) = (self.element(a), self.element(b));
        let result = match operation {
            Binary::Join => left.join(right),
            Binary::Meet => left.meet(right),
            Binary::Widen => left.widen(right, &self.thresholds),
        };
        let result = self.number(result);
        self.results.insert((operation, a, b), result);
        result
    }

    /// n ⊔ n′
    pub fn join(&mut self, a: NumId, b: NumId) -> NumId {
        match (a, b) {
            (NumId::BOTTOM, n) | (n, NumId::BOTTOM) => n,
            (NumId::TOP, _) | (_, NumId::TOP) => NumId::TOP,
            _ if a == b => a,
            _ => self.binary(Binary::Join, a.min(b), a.max(b)),
        }
    }

    /// n ⊓ n′
    pub fn meet(&mut self, a: NumId, b: NumId) -> NumId {
        match (a, b) {
            (NumId::BOTTOM, _) | (_, NumId::BOTTOM) => NumId::BOTTOM,
            (NumId::TOP, n) | (n, NumId::TOP) => n,
            _ if a == b => a,
            _ => self.binary(Binary::Meet, a.min(b), a.max(b)),
        }
    }

    /// n ∇ n′
    pub fn widen(&mut self, a: NumId, b: NumId) -> NumId {
        match (a, b) {
            (NumId::BOTTOM, n) | (n, NumId::BOTTOM) => n,
            _ if self.leq(b, a) => a,
            _ => self.binary(Binary::Widen, a, b),
        }
    }

    /// n ⊑ n′
    pub fn leq(&mut self, a: NumId, b: NumId) -> bool {
        if a == b || a == NumId::BOTTOM || b == NumId::TOP {
            return true;
        }
        if let Some(&known) = self.below.get(&(a, b)) {
            return known;
        }
        let result = self.element(a).leq(self.element(b));
        self.below.insert((a, b), result);
        result
    }

    /// The points that satisfy a term.
    pub fn assume(&mut self, a: NumId, term: &N::Term) -> NumId {
        let result = self.numbers.assume(self.element(a), term);
        self.number(result)
    }

    /// The points that satisfy a constraint; those on both sides of ≠ are joined.
    pub fn restrict(&mut self, a: NumId, constraint: &Constraint<N::Var>) -> NumId {
        let mut result = NumId::BOTTOM;
        for part in split(constraint) {
            let part = self.numbers.restrict(self.element(a), &part);
            let part = self.number(part);
            result = self.join(result, part);
        }
        result
    }

    /// The points after a statement.
    pub fn post(&mut self, a: NumId, statement: &N::Statement) -> NumId {
        if a == NumId::BOTTOM {
            return a;
        }
        let result = self.numbers.post(self.element(a), statement);
        self.number(result)
    }

    /// γ(n) as constraints; `None` for no points.
    pub fn constraints(&mut self, a: NumId) -> Option<Vec<Constraint<N::Var>>> {
        let started = std::time::Instant::now();
        let result = self.numbers.constraints(self.element(a));
        self.counters.gamma.add(started);
        result
    }

    /// Whether n ∪ n′ has all points of n ⊔ n′: no point of it violates a constraint of n and is outside of n′.
    pub fn is_union(&mut self, a: NumId, b: NumId) -> bool {
        let join = self.join(a, b);
        let Some(constraints) = self.numbers.constraints(self.element(a)) else { return true };
        // Constraints of more than 128 bits are left out of the list: then they describe more than n.
        let described = constraints.iter().fold(NumId::TOP, |set, constraint| self.restrict(set, constraint));
        described == a
            && constraints.iter().flat_map(crate::numbers::complement).all(|outside| {
                let outside = self.restrict(join, &outside);
                self.leq(outside, b)
            })
    }
}
