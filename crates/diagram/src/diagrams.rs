//! The functions and the operations on them.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use crate::kernel::{Edge, Kernel};
use crate::statistics::Meter;
use crate::{Full, Reordering, Statistics, StoreSize, VarIndex};

/// How many handles there are to each node: the roots of garbage collection.
#[derive(Debug, Default)]
struct Roots(RefCell<Vec<u32>>);

impl Roots {
    #[inline]
    fn retain(&self, f: Edge) {
        if !f.is_constant() {
            let mut counts = self.0.borrow_mut();
            if counts.len() <= f.index() {
                counts.resize(f.index() + 1, 0);
            }
            counts[f.index()] += 1;
        }
    }

    #[inline]
    fn release(&self, f: Edge) {
        if !f.is_constant() {
            self.0.borrow_mut()[f.index()] -= 1;
        }
    }
}

/// A Boolean function, or the set of assignments that satisfy it. Equal functions of one [`Diagrams`] are equal
/// handles; handles of different ones must not be mixed. Cloning counts a reference, dropping leaves garbage for the
/// next collection.
pub struct Bdd {
    edge: Edge,
    roots: Rc<Roots>,
}

impl Bdd {
    #[inline]
    fn new(edge: Edge, roots: &Rc<Roots>) -> Self {
        roots.retain(edge);
        Self { edge, roots: Rc::clone(roots) }
    }

    #[inline]
    pub(crate) fn edge(&self) -> Edge {
        self.edge
    }
}

impl Clone for Bdd {
    #[inline]
    fn clone(&self) -> Self {
        Self::new(self.edge, &self.roots)
    }
}

impl Drop for Bdd {
    #[inline]
    fn drop(&mut self) {
        self.roots.release(self.edge);
    }
}

impl PartialEq for Bdd {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.edge == other.edge
    }
}

impl Eq for Bdd {}

impl Hash for Bdd {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.edge.hash(state);
    }
}

impl fmt::Debug for Bdd {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Bdd({:?})", self.edge)
    }
}

/// The owner of the nodes and the place of all operations.
pub struct Diagrams {
    kernel: RefCell<Kernel>,
    roots: Rc<Roots>,
    pub(crate) reordering: Cell<Option<Reordering>>,
    pub(crate) meter: Meter,
}

impl Diagrams {
    /// A store with `variables` variables, at first ordered by their index.
    pub fn new(variables: u32, size: StoreSize) -> Self {
        let kernel = RefCell::new(Kernel::new(size.nodes, size.cache));
        let (roots, reordering, meter) = Default::default();
        let mut diagrams = Self { kernel, roots, reordering, meter };
        diagrams.add_variables(variables);
        diagrams
    }

    /// How many variables there are.
    pub fn variables(&self) -> u32 {
        self.ask(|kernel| kernel.order().len() as u32)
    }

    /// Adds `count` variables below all others and returns the first of them; the others follow it by their index.
    pub fn add_variables(&mut self, count: u32) -> VarIndex {
        let first = self.variables();
        assert!(count < (1 << 31) - first, "fewer than 2^31 variables");
        self.kernel.get_mut().add_variables(count);
        VarIndex::new(first)
    }

    /// Runs an operation; when the store is full, collects the garbage and tries once more.
    #[inline]
    pub(crate) fn run(&self, operation: impl Fn(&mut Kernel) -> Result<Edge, Full>) -> Result<Bdd, Full> {
        Ok(self.handle(self.run_for(operation)?))
    }

    /// The same for an operation with another result; nothing keeps its edges alive but handles that are made at once.
    #[inline]
    fn run_for<T>(&self, operation: impl Fn(&mut Kernel) -> Result<T, Full>) -> Result<T, Full> {
        self.meter.measure(|| {
            let kernel = &mut *self.kernel.borrow_mut();
            if kernel.wants_collection() {
                self.tidy(kernel);
            }
            operation(kernel).or_else(|Full| {
                if kernel.is_stopped() {
                    return Err(Full);
                }
                self.tidy(kernel);
                operation(kernel)
            })
        })
    }

    /// Runs an operation that may create `budget` nodes; `None` if it needs more.
    pub(crate) fn run_within(
        &self,
        budget: usize,
        operation: impl Fn(&mut Kernel) -> Result<Edge, Full>,
    ) -> Result<Option<Bdd>, Full> {
        self.meter.measure(|| {
            let kernel = &mut *self.kernel.borrow_mut();
            if kernel.wants_collection() {
                self.tidy(kernel);
            }
            for _ in 0..2 {
                let tighter_than_store = kernel.set_budget(budget);
                let result = operation(kernel);
                kernel.clear_budget();
                match result {
                    Ok(edge) => return Ok(Some(Bdd::new(edge, &self.roots))),
                    Err(Full) if kernel.is_stopped() => return Err(Full),
                    Err(Full) if tighter_than_store => return Ok(None),
                    Err(Full) => self.tidy(kernel),
                };
            }
            Err(Full)
        })
    }

    /// From now on, operations fail as if the store were full while this says so; it is asked on the way, too. A multiplication of two
    /// variables is some thousand operations, and takes 100 ms without an end in sight; one operation may take a minute.
    pub fn stop_when(&self, stop: impl Fn() -> bool + 'static) {
        self.kernel.borrow_mut().stop_when(Box::new(stop));
    }

    /// Asks the nodes something.
    #[inline]
    pub(crate) fn ask<T>(&self, question: impl FnOnce(&mut Kernel) -> T) -> T {
        question(&mut self.kernel.borrow_mut())
    }

    /// Asks the nodes something that takes as long as an operation.
    #[inline]
    pub(crate) fn ask_measured<T>(&self, question: impl FnOnce(&mut Kernel) -> T) -> T {
        self.meter.measure(|| self.ask(question))
    }

    /// Collects the garbage and reorders the variables if it is time to.
    #[cold]
    fn tidy(&self, kernel: &mut Kernel) {
        self.collect(kernel);
        self.sift_if_due(kernel);
    }

    pub(crate) fn collect(&self, kernel: &mut Kernel) -> usize {
        kernel.collect(self.roots().into_iter())
    }

    /// The places that handles refer to.
    pub(crate) fn roots(&self) -> Vec<usize> {
        let counts = self.roots.0.borrow();
        counts.iter().enumerate().filter_map(|(node, &count)| (count > 0).then_some(node)).collect()
    }

    /// A handle to a function that another handle keeps alive.
    pub(crate) fn handle(&self, edge: Edge) -> Bdd {
        Bdd::new(edge, &self.roots)
    }

    /// The constant function of a value.
    #[inline]
    pub fn constant(&self, value: bool) -> Bdd {
        Bdd::new(Edge::constant(value), &self.roots)
    }

    /// The function that is always false: the empty set.
    #[inline]
    pub fn bottom(&self) -> Bdd {
        self.constant(false)
    }

    /// The function that is always true: the set of all assignments.
    #[inline]
    pub fn top(&self) -> Bdd {
        self.constant(true)
    }

    /// Whether `f` is empty.
    #[inline]
    pub fn is_false(&self, f: &Bdd) -> bool {
        f.edge == Edge::FALSE
    }

    /// Whether `f` holds everywhere.
    #[inline]
    pub fn is_true(&self, f: &Bdd) -> bool {
        f.edge == Edge::TRUE
    }

    /// Whether `f` is one of the two constants.
    #[inline]
    pub fn is_constant(&self, f: &Bdd) -> bool {
        f.edge.is_constant()
    }

    /// The value of a constant function.
    #[inline]
    pub fn as_constant(&self, f: &Bdd) -> Option<bool> {
        self.is_constant(f).then(|| self.is_true(f))
    }

    /// The function that a variable is true.
    pub fn var(&self, var: VarIndex) -> Result<Bdd, Full> {
        self.literal(var, true)
    }

    /// The function that a variable has a value.
    pub fn literal(&self, var: VarIndex, value: bool) -> Result<Bdd, Full> {
        self.literals(&[(var, value)])
    }

    /// `¬f`
    #[inline]
    pub fn not(&self, f: &Bdd) -> Result<Bdd, Full> {
        Ok(self.complement(f))
    }

    /// `¬f`, which needs no node.
    #[inline]
    pub(crate) fn complement(&self, f: &Bdd) -> Bdd {
        Bdd::new(!f.edge, &self.roots)
    }

    /// `f ∧ g`
    #[inline]
    pub fn and(&self, f: &Bdd, g: &Bdd) -> Result<Bdd, Full> {
        self.run(|kernel| kernel.and(f.edge, g.edge))
    }

    /// `f ∨ g`
    #[inline]
    pub fn or(&self, f: &Bdd, g: &Bdd) -> Result<Bdd, Full> {
        self.run(|kernel| kernel.or(f.edge, g.edge))
    }

    /// `f ⊕ g`
    #[inline]
    pub fn xor(&self, f: &Bdd, g: &Bdd) -> Result<Bdd, Full> {
        self.run(|kernel| kernel.xor(f.edge, g.edge))
    }

    /// `f ↔ g`
    #[inline]
    pub fn iff(&self, f: &Bdd, g: &Bdd) -> Result<Bdd, Full> {
        self.run(|kernel| kernel.xor(f.edge, !g.edge))
    }

    /// `f → g`
    #[inline]
    pub fn implies(&self, f: &Bdd, g: &Bdd) -> Result<Bdd, Full> {
        self.run(|kernel| kernel.or(!f.edge, g.edge))
    }

    /// `f ∧ ¬g`
    #[inline]
    pub fn diff(&self, f: &Bdd, g: &Bdd) -> Result<Bdd, Full> {
        self.run(|kernel| kernel.and(f.edge, !g.edge))
    }

    /// `(c ∧ f) ∨ (¬c ∧ g)`
    #[inline]
    pub fn ite(&self, c: &Bdd, f: &Bdd, g: &Bdd) -> Result<Bdd, Full> {
        self.run(|kernel| kernel.ite(c.edge, f.edge, g.edge))
    }

    /// The conjunction of variables, which stands for their set in [`exists`](Self::exists),
    /// [`forall`](Self::forall) and [`and_exists`](Self::and_exists).
    pub fn cube(&self, vars: &[VarIndex]) -> Result<Bdd, Full> {
        let literals: Vec<_> = vars.iter().map(|&var| (var, true)).collect();
        self.literals(&literals)
    }

    /// The conjunction of literals of different variables: a partial assignment.
    pub fn literals(&self, literals: &[(VarIndex, bool)]) -> Result<Bdd, Full> {
        let mut vars: Vec<_> = literals.iter().map(|&(var, _)| var).collect();
        vars.sort_unstable();
        let known = vars.last().is_none_or(|var| var.index() < self.variables() as usize);
        assert!(known, "there is a variable too many in {literals:?}");
        assert!(vars.windows(2).all(|pair| pair[0] != pair[1]), "a variable occurs twice in {literals:?}");
        self.run(|kernel| kernel.literals(literals))
    }

    /// `∃ cube. f`
    #[inline]
    pub fn exists(&self, f: &Bdd, cube: &Bdd) -> Result<Bdd, Full> {
        self.run(|kernel| kernel.exists(f.edge, cube.edge))
    }

    /// `∀ cube. f`
    #[inline]
    pub fn forall(&self, f: &Bdd, cube: &Bdd) -> Result<Bdd, Full> {
        self.run(|kernel| Ok(!kernel.exists(!f.edge, cube.edge)?))
    }

    /// The relational product `∃ cube. f ∧ g` without the conjunction as an intermediate result.
    #[inline]
    pub fn and_exists(&self, f: &Bdd, g: &Bdd, cube: &Bdd) -> Result<Bdd, Full> {
        self.run(|kernel| kernel.and_exists(f.edge, g.edge, cube.edge))
    }

    /// The same if at most `budget` nodes have to be created on the way.
    pub fn and_exists_within(&self, f: &Bdd, g: &Bdd, cube: &Bdd, budget: usize) -> Result<Option<Bdd>, Full> {
        self.run_within(budget, |kernel| kernel.and_exists(f.edge, g.edge, cube.edge))
    }

    /// `(∃ cube. f) ∧ g`: the image of an assignment `x = e` where `e` does not depend on `x`. Faster than the two
    /// operations one after the other, since the part of `f` above the cube is visited once and not built twice.
    #[inline]
    pub fn exists_and(&self, f: &Bdd, cube: &Bdd, g: &Bdd) -> Result<Bdd, Full> {
        self.run(|kernel| kernel.exists_and(f.edge, cube.edge, g.edge))
    }

    /// `f` under the partial assignment of a conjunction of [`literals`](Self::literals); equals `∃ vars. f ∧ literals`.
    #[inline]
    pub fn cofactor(&self, f: &Bdd, literals: &Bdd) -> Result<Bdd, Full> {
        self.run(|kernel| kernel.cofactor(f.edge, literals.edge))
    }

    /// A function that agrees with `f` on `care` and often has fewer nodes. With an empty `care`, `f` itself.
    #[inline]
    pub fn restrict_minimise(&self, f: &Bdd, care: &Bdd) -> Result<Bdd, Full> {
        self.run(|kernel| kernel.restrict(f.edge, care.edge))
    }

    /// Functions without a common variable whose conjunction is `f`. There are more where the order keeps the variables together
    /// that depend on each other.
    pub fn conjuncts(&self, f: &Bdd) -> Result<Vec<Bdd>, Full> {
        let parts = self.run_for(|kernel| kernel.conjuncts(f.edge()))?;
        Ok(parts.into_iter().map(|part| self.handle(part)).collect())
    }

    /// Frees the nodes that no function refers to; returns how many. Happens by itself as the store fills up.
    pub fn collect_garbage(&self) -> usize {
        self.collect(&mut self.kernel.borrow_mut())
    }

    /// How many inner nodes some function refers to: those in the store without the garbage. Looks at all of them.
    pub fn live_nodes(&self) -> usize {
        self.ask(|kernel| kernel.live(self.roots().into_iter()))
    }

    /// Enables or disables the measurement of time in [`Statistics`].
    pub fn set_timing(&self, enabled: bool) {
        self.meter.timing.set(enabled);
    }

    /// What the operations have cost so far.
    pub fn statistics(&self) -> Statistics {
        let kernel = self.kernel.borrow();
        Statistics {
            operations: self.meter.operations.get(),
            time: self.meter.time.get(),
            nodes: kernel.used(),
            peak_nodes: kernel.peak(),
            collections: kernel.collections(),
            reorderings: self.meter.reorderings.get(),
            reordering_time: self.meter.reordering_time.get(),
            swaps: self.meter.swaps.get(),
        }
    }
}

impl fmt::Debug for Diagrams {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Diagrams")
            .field("variables", &self.variables())
            .field("statistics", &self.statistics())
            .finish()
    }
}
