//! The functions and the operations on them.

use std::fmt;

use oxidd::bcdd::{BCDDFunction, BCDDManagerRef};
use oxidd::util::AllocResult;
use oxidd::{BooleanFunction, BooleanFunctionQuant, BooleanOperator, Manager, ManagerRef};

use crate::statistics::Meter;
use crate::{Full, Statistics, StoreSize};

/// The kind of decision diagram behind the façade.
pub(crate) type Raw = BCDDFunction;

/// A Boolean variable. Its index is its place in the initial order, 0 at the top.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VarIndex(pub u32);

/// A Boolean function, or the set of assignments that satisfy it. Equal functions of one [`Diagrams`] are equal
/// handles. Cloning counts a reference, dropping leaves garbage for the next collection.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Bdd(pub(crate) Raw);

impl fmt::Debug for Bdd {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Bdd")
    }
}

/// The owner of the nodes and the place of all operations.
pub struct Diagrams {
    pub(crate) manager: BCDDManagerRef,
    variables: u32,
    bottom: Bdd,
    top: Bdd,
    pub(crate) meter: Meter,
}

impl Diagrams {
    /// A store with `variables` variables, ordered by their index.
    pub fn new(variables: u32, size: StoreSize) -> Self {
        let manager = oxidd::bcdd::new_manager(size.nodes, size.cache, 1);
        let (bottom, top) = manager.with_manager_exclusive(|manager| {
            manager.add_vars(variables);
            (Bdd(Raw::f(manager)), Bdd(Raw::t(manager)))
        });
        Self { manager, variables, bottom, top, meter: Meter::default() }
    }

    /// How many variables there are.
    pub fn variables(&self) -> u32 {
        self.variables
    }

    /// Adds `count` variables below all others and returns the first of them.
    pub fn add_variables(&mut self, count: u32) -> VarIndex {
        let first = self.manager.with_manager_exclusive(|manager| manager.add_vars(count).start);
        self.variables += count;
        VarIndex(first)
    }

    /// Runs an operation; when the store is full, collects the garbage and tries once more.
    #[inline]
    pub(crate) fn run(&self, operation: impl Fn() -> AllocResult<Raw>) -> Result<Bdd, Full> {
        self.meter.measure(|| {
            let result = operation().or_else(|_| {
                self.collect_garbage();
                operation()
            });
            if self.meter.operations.get().is_multiple_of(Meter::SAMPLE) {
                self.sample();
            }
            result.map(Bdd).map_err(|_| Full)
        })
    }

    /// The function that is always false: the empty set.
    #[inline]
    pub fn bottom(&self) -> Bdd {
        self.bottom.clone()
    }

    /// The function that is always true: the set of all assignments.
    #[inline]
    pub fn top(&self) -> Bdd {
        self.top.clone()
    }

    /// The constant function of a value.
    #[inline]
    pub fn constant(&self, value: bool) -> Bdd {
        if value { self.top() } else { self.bottom() }
    }

    /// Whether `f` is empty.
    #[inline]
    pub fn is_false(&self, f: &Bdd) -> bool {
        *f == self.bottom
    }

    /// Whether `f` holds everywhere.
    #[inline]
    pub fn is_true(&self, f: &Bdd) -> bool {
        *f == self.top
    }

    /// Whether `f` is one of the two constants.
    #[inline]
    pub fn is_constant(&self, f: &Bdd) -> bool {
        self.is_false(f) || self.is_true(f)
    }

    /// The value of a constant function.
    #[inline]
    pub fn as_constant(&self, f: &Bdd) -> Option<bool> {
        if self.is_true(f) {
            Some(true)
        } else if self.is_false(f) {
            Some(false)
        } else {
            None
        }
    }

    /// The function that a variable is true.
    pub fn var(&self, var: VarIndex) -> Result<Bdd, Full> {
        self.run(|| self.manager.with_manager_shared(|manager| Raw::var(manager, var.0)))
    }

    /// The function that a variable has a value.
    pub fn literal(&self, var: VarIndex, value: bool) -> Result<Bdd, Full> {
        let positive = self.var(var)?;
        if value { Ok(positive) } else { self.not(&positive) }
    }

    /// `¬f`
    #[inline]
    pub fn not(&self, f: &Bdd) -> Result<Bdd, Full> {
        match self.as_constant(f) {
            Some(value) => Ok(self.constant(!value)),
            None => self.run(|| f.0.not()),
        }
    }

    /// `f ∧ g`
    #[inline]
    pub fn and(&self, f: &Bdd, g: &Bdd) -> Result<Bdd, Full> {
        match (self.as_constant(f), self.as_constant(g)) {
            (Some(true), _) => Ok(g.clone()),
            (_, Some(true)) => Ok(f.clone()),
            (Some(false), _) | (_, Some(false)) => Ok(self.bottom()),
            _ if f == g => Ok(f.clone()),
            _ => self.run(|| f.0.and(&g.0)),
        }
    }

    /// `f ∨ g`
    #[inline]
    pub fn or(&self, f: &Bdd, g: &Bdd) -> Result<Bdd, Full> {
        match (self.as_constant(f), self.as_constant(g)) {
            (Some(false), _) => Ok(g.clone()),
            (_, Some(false)) => Ok(f.clone()),
            (Some(true), _) | (_, Some(true)) => Ok(self.top()),
            _ if f == g => Ok(f.clone()),
            _ => self.run(|| f.0.or(&g.0)),
        }
    }

    /// `f ⊕ g`
    #[inline]
    pub fn xor(&self, f: &Bdd, g: &Bdd) -> Result<Bdd, Full> {
        match (self.as_constant(f), self.as_constant(g)) {
            (Some(false), _) => Ok(g.clone()),
            (_, Some(false)) => Ok(f.clone()),
            (Some(true), _) => self.not(g),
            (_, Some(true)) => self.not(f),
            _ if f == g => Ok(self.bottom()),
            _ => self.run(|| f.0.xor(&g.0)),
        }
    }

    /// `f ↔ g`
    #[inline]
    pub fn iff(&self, f: &Bdd, g: &Bdd) -> Result<Bdd, Full> {
        match (self.as_constant(f), self.as_constant(g)) {
            (Some(true), _) => Ok(g.clone()),
            (_, Some(true)) => Ok(f.clone()),
            (Some(false), _) => self.not(g),
            (_, Some(false)) => self.not(f),
            _ if f == g => Ok(self.top()),
            _ => self.run(|| f.0.equiv(&g.0)),
        }
    }

    /// `f → g`
    #[inline]
    pub fn implies(&self, f: &Bdd, g: &Bdd) -> Result<Bdd, Full> {
        match (self.as_constant(f), self.as_constant(g)) {
            (Some(true), _) => Ok(g.clone()),
            (_, Some(false)) => self.not(f),
            (Some(false), _) | (_, Some(true)) => Ok(self.top()),
            _ if f == g => Ok(self.top()),
            _ => self.run(|| f.0.imp(&g.0)),
        }
    }

    /// `f ∧ ¬g`
    #[inline]
    pub fn diff(&self, f: &Bdd, g: &Bdd) -> Result<Bdd, Full> {
        match (self.as_constant(f), self.as_constant(g)) {
            (_, Some(false)) => Ok(f.clone()),
            (Some(true), _) => self.not(g),
            (Some(false), _) | (_, Some(true)) => Ok(self.bottom()),
            _ if f == g => Ok(self.bottom()),
            _ => self.run(|| g.0.imp_strict(&f.0)),
        }
    }

    /// `(c ∧ f) ∨ (¬c ∧ g)`
    #[inline]
    pub fn ite(&self, c: &Bdd, f: &Bdd, g: &Bdd) -> Result<Bdd, Full> {
        match self.as_constant(c) {
            Some(true) => Ok(f.clone()),
            Some(false) => Ok(g.clone()),
            None if f == g => Ok(f.clone()),
            None => self.run(|| c.0.ite(&f.0, &g.0)),
        }
    }

    /// The conjunction of variables, which stands for their set in [`exists`](Self::exists),
    /// [`forall`](Self::forall) and [`and_exists`](Self::and_exists).
    pub fn cube(&self, vars: &[VarIndex]) -> Result<Bdd, Full> {
        let literals: Vec<_> = vars.iter().map(|&var| (var, true)).collect();
        self.literals(&literals)
    }

    /// The conjunction of literals: a partial assignment.
    pub fn literals(&self, literals: &[(VarIndex, bool)]) -> Result<Bdd, Full> {
        let mut sorted = literals.to_vec();
        // From the bottom of the order to the top, each conjunction adds a single node.
        self.manager.with_manager_shared(|manager| {
            sorted.sort_unstable_by_key(|&(var, _)| std::cmp::Reverse(manager.var_to_level(var.0)));
        });
        let mut cube = self.top();
        for (var, value) in sorted {
            cube = self.and(&cube, &self.literal(var, value)?)?;
        }
        Ok(cube)
    }

    /// `∃ cube. f`
    #[inline]
    pub fn exists(&self, f: &Bdd, cube: &Bdd) -> Result<Bdd, Full> {
        if self.is_constant(f) || self.is_true(cube) {
            return Ok(f.clone());
        }
        self.run(|| f.0.exists(&cube.0))
    }

    /// `∀ cube. f`
    #[inline]
    pub fn forall(&self, f: &Bdd, cube: &Bdd) -> Result<Bdd, Full> {
        if self.is_constant(f) || self.is_true(cube) {
            return Ok(f.clone());
        }
        self.run(|| f.0.forall(&cube.0))
    }

    /// The relational product `∃ cube. f ∧ g` without the conjunction as an intermediate result.
    #[inline]
    pub fn and_exists(&self, f: &Bdd, g: &Bdd, cube: &Bdd) -> Result<Bdd, Full> {
        match (self.as_constant(f), self.as_constant(g)) {
            (Some(true), _) => self.exists(g, cube),
            (_, Some(true)) => self.exists(f, cube),
            (Some(false), _) | (_, Some(false)) => Ok(self.bottom()),
            _ if f == g => self.exists(f, cube),
            _ if self.is_true(cube) => self.and(f, g),
            _ => self.run(|| f.0.apply_exists(BooleanOperator::And, &g.0, &cube.0)),
        }
    }

    /// `f` under the partial assignment of a conjunction of [`literals`](Self::literals); equals `∃ vars. f ∧ literals`.
    #[inline]
    pub fn cofactor(&self, f: &Bdd, literals: &Bdd) -> Result<Bdd, Full> {
        if self.is_constant(f) || self.is_true(literals) {
            return Ok(f.clone());
        }
        self.run(|| f.0.restrict(&literals.0))
    }

    /// Frees the nodes that no function refers to; returns how many. Happens by itself when the store fills up.
    pub fn collect_garbage(&self) -> usize {
        self.sample();
        // The exclusive lock waits for a collection that OxiDD's own thread may have begun: `gc` would return at
        // once while that one runs.
        self.manager.with_manager_exclusive(|manager| manager.gc())
    }

    /// Enables or disables the measurement of time in [`Statistics`].
    pub fn set_timing(&self, enabled: bool) {
        self.meter.timing.set(enabled);
    }

    /// What the operations have cost so far.
    pub fn statistics(&self) -> Statistics {
        let nodes = self.sample();
        Statistics {
            operations: self.meter.operations.get(),
            time: self.meter.time.get(),
            nodes,
            peak_nodes: self.meter.peak_nodes.get(),
            collections: self.manager.with_manager_shared(|manager| manager.gc_count()),
        }
    }

    /// The number of nodes, which may be a new peak.
    fn sample(&self) -> usize {
        // Not the approximate number, which counts every failed allocation as a node.
        let nodes = self.manager.with_manager_shared(|manager| manager.num_inner_nodes());
        self.meter.peak_nodes.set(self.meter.peak_nodes.get().max(nodes));
        nodes
    }
}

impl fmt::Debug for Diagrams {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Diagrams")
            .field("variables", &self.variables)
            .field("statistics", &self.statistics())
            .finish()
    }
}
