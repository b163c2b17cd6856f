//! Multi-terminal diagrams: functions from assignments to values of the user's, such as the elements of a numeric domain.
//!
//! [`Terminals`] numbers the values, [`Multi`] offers the operations on functions into these numbers, [`Mtbdd`]. They live in
//! the same store and under the same order as the Boolean functions, and are reordered with them.
//!
//! ```
//! use robusto_diagram::multi::Terminals;
//! use robusto_diagram::{Diagrams, StoreSize, VarIndex};
//!
//! let diagrams = Diagrams::new(2, StoreSize::default());
//! let (multi, mut values) = (diagrams.multi(), Terminals::default());
//! let [p, q] = [0, 1].map(VarIndex::new);
//! let [small, large] = [3, 40].map(|value| multi.terminal(values.number(value)));
//! let f = multi.ite(&diagrams.var(p)?, &small?, &large?)?;
//! let max = multi.operation()?.commutative().idempotent();
//! let either = multi.exists(&max, &f, &diagrams.cube(&[p])?, |a, b| values.combine(a, b, |a, b| *a.max(b)))?;
//! assert_eq!(values.value(multi.evaluate(&either, &[true, true])), &40);
//! # Ok::<(), robusto_diagram::Full>(())
//! ```
//!
//! Functions that the user hands over to an operation must not use the diagrams themselves, which are busy, and must
//! answer the same whenever they are called with the same [`Operation`].

mod terminals;

use std::cell::RefCell;

use crate::kernel::{Edge, Shape};
use crate::{Bdd, Diagrams, Full, Renaming, VarIndex};

pub use terminals::Terminals;

/// A function into numbers. As [`Bdd`], a handle: equal functions of one store are equal handles.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Mtbdd(Bdd);

/// An operation on terminals, prepared once: the operation cache keeps its results from one call to the next. What is
/// declared of a binary operation saves work, and must be true.
#[derive(Clone, Copy, Debug)]
pub struct Operation(Shape);

impl Operation {
    /// `op(a, b) = op(b, a)`
    pub fn commutative(self) -> Self {
        Self(Shape { commutative: true, ..self.0 })
    }

    /// `op(a, a) = a`
    pub fn idempotent(self) -> Self {
        Self(Shape { idempotent: true, ..self.0 })
    }

    /// `op(a, neutral) = op(neutral, a) = a`
    pub fn neutral(self, neutral: u32) -> Self {
        Self(Shape { neutral: Some(neutral), ..self.0 })
    }

    /// `op(a, absorbing) = op(absorbing, a) = absorbing`
    pub fn absorbing(self, absorbing: u32) -> Self {
        Self(Shape { absorbing: Some(absorbing), ..self.0 })
    }
}

/// The operations on multi-terminal diagrams.
#[derive(Clone, Copy, Debug)]
pub struct Multi<'d> {
    diagrams: &'d Diagrams,
}

impl Diagrams {
    /// The operations on multi-terminal diagrams.
    pub fn multi(&self) -> Multi<'_> {
        Multi { diagrams: self }
    }
}

impl Multi<'_> {
    /// A new operation, of which nothing is declared yet.
    pub fn operation(&self) -> Result<Operation, Full> {
        let number = self.diagrams.ask(|kernel| kernel.new_number())?;
        let shape = Shape { number, commutative: false, idempotent: false, neutral: None, absorbing: None };
        Ok(Operation(shape))
    }

    /// The constant function.
    pub fn terminal(&self, number: u32) -> Result<Mtbdd, Full> {
        self.diagrams.run(|kernel| kernel.terminal(number)).map(Mtbdd)
    }

    /// The number of a constant function.
    pub fn as_terminal(&self, f: &Mtbdd) -> Option<u32> {
        self.diagrams.ask(|kernel| kernel.value(f.0.edge()))
    }

    /// `f` where the condition holds, elsewhere `g`.
    pub fn ite(&self, condition: &Bdd, f: &Mtbdd, g: &Mtbdd) -> Result<Mtbdd, Full> {
        self.diagrams.run(|kernel| kernel.multi_ite(condition.edge(), f.0.edge(), g.0.edge())).map(Mtbdd)
    }

    /// `op(f, g)`, point by point.
    pub fn apply(
        &self,
        operation: &Operation,
        f: &Mtbdd,
        g: &Mtbdd,
        combine: impl FnMut(u32, u32) -> u32,
    ) -> Result<Mtbdd, Full> {
        let combine = RefCell::new(combine);
        let run = |kernel: &mut crate::kernel::Kernel| {
            kernel.multi_apply(&operation.0, f.0.edge(), g.0.edge(), &mut *combine.borrow_mut())
        };
        self.diagrams.run(run).map(Mtbdd)
    }

    /// `f` with `op(f[x = true], f[x = false])` for each variable `x` of the cube, from the bottom of the order upwards.
    pub fn exists(
        &self,
        operation: &Operation,
        f: &Mtbdd,
        cube: &Bdd,
        combine: impl FnMut(u32, u32) -> u32,
    ) -> Result<Mtbdd, Full> {
        let combine = RefCell::new(combine);
        let run = |kernel: &mut crate::kernel::Kernel| {
            kernel.multi_exists(&operation.0, f.0.edge(), cube.edge(), &mut *combine.borrow_mut())
        };
        self.diagrams.run(run).map(Mtbdd)
    }

    /// `op(f)`, point by point.
    pub fn map(&self, operation: &Operation, f: &Mtbdd, change: impl FnMut(u32) -> u32) -> Result<Mtbdd, Full> {
        let change = RefCell::new(change);
        self.diagrams
            .run(|kernel| kernel.multi_map(operation.0.number, f.0.edge(), &mut *change.borrow_mut()))
            .map(Mtbdd)
    }

    /// Where the value of `f` passes a test.
    pub fn test(&self, operation: &Operation, f: &Mtbdd, test: impl FnMut(u32) -> bool) -> Result<Bdd, Full> {
        let test = RefCell::new(test);
        self.diagrams.run(|kernel| kernel.multi_test(operation.0.number, f.0.edge(), &mut *test.borrow_mut()))
    }

    /// `f` under the partial assignment of a conjunction of [`literals`](Diagrams::literals).
    pub fn cofactor(&self, f: &Mtbdd, literals: &Bdd) -> Result<Mtbdd, Full> {
        self.diagrams.run(|kernel| kernel.cofactor(f.0.edge(), literals.edge())).map(Mtbdd)
    }

    /// `f` with all variables of the renaming replaced at once.
    pub fn rename(&self, f: &Mtbdd, renaming: &Renaming) -> Result<Mtbdd, Full> {
        let number = renaming.number();
        self.diagrams
            .run(|kernel| {
                renaming.with_levels(kernel, |kernel, levels| kernel.multi_rename(f.0.edge(), levels, number))
            })
            .map(Mtbdd)
    }

    /// The number that `f` has under a total assignment, indexed by variable.
    pub fn evaluate(&self, f: &Mtbdd, assignment: &[bool]) -> u32 {
        self.diagrams.ask(|kernel| {
            let mut f = f.0.edge();
            loop {
                match kernel.value(f) {
                    Some(value) => return value,
                    None => {
                        let (high, low) = kernel.branches(f);
                        f = if assignment[kernel.variable(f).index()] { high } else { low };
                    }
                }
            }
        })
    }

    /// Calls `visit` with each path from the root to a terminal, as a partial assignment from the top of the order, and with
    /// the terminal's number. The assignments exclude each other and cover everything; there may be exponentially many.
    pub fn for_each_cube(&self, f: &Mtbdd, mut visit: impl FnMut(&[(VarIndex, bool)], u32)) {
        self.diagrams.ask(|kernel| {
            let mut cube: Vec<(VarIndex, bool)> = Vec::new();
            // A node, and how much of the path leads to it.
            let mut stack: Vec<(Edge, usize, Option<(VarIndex, bool)>)> = vec![(f.0.edge(), 0, None)];
            while let Some((at, depth, literal)) = stack.pop() {
                cube.truncate(depth);
                cube.extend(literal);
                match kernel.value(at) {
                    Some(value) => visit(&cube, value),
                    None => {
                        let (var, (high, low)) = (kernel.variable(at), kernel.branches(at));
                        stack.push((low, cube.len(), Some((var, false))));
                        stack.push((high, cube.len(), Some((var, true))));
                    }
                }
            }
        });
    }

    /// How many inner nodes and how many terminals `f` has.
    pub fn node_count(&self, f: &Mtbdd) -> (usize, usize) {
        let (inner, terminals) = self.inspect(f);
        (inner.into_iter().sum(), terminals.len())
    }

    /// The variables that `f` depends on, ascending.
    pub fn support(&self, f: &Mtbdd) -> Vec<VarIndex> {
        let (inner, _) = self.inspect(f);
        let mut support: Vec<_> = self
            .diagrams
            .order()
            .into_iter()
            .zip(inner)
            .filter_map(|(var, nodes)| (nodes > 0).then_some(var))
            .collect();
        support.sort_unstable();
        support
    }

    /// The values of `f`, as numbers, ascending.
    pub fn terminals(&self, f: &Mtbdd) -> Vec<u32> {
        self.inspect(f).1
    }

    /// The numbers that have a terminal in the store: after a garbage collection exactly those that some function has as a
    /// value. The user may forget the values of all others.
    pub fn live_terminals(&self) -> Vec<u32> {
        self.diagrams.ask(|kernel| kernel.terminals())
    }

    /// The nodes of `f` by level, and its values.
    fn inspect(&self, f: &Mtbdd) -> (Vec<usize>, Vec<u32>) {
        let mut inner = vec![0; self.diagrams.variables() as usize];
        let mut values = Vec::new();
        self.diagrams.ask(|kernel| {
            let mut terminals: Vec<Edge> = Vec::new();
            kernel.visit_edges(f.0.edge(), |at, level| match inner.get_mut(level as usize) {
                Some(nodes) => *nodes += 1,
                None => terminals.push(at),
            });
            values.extend(terminals.into_iter().filter_map(|at| kernel.value(at)));
        });
        values.sort_unstable();
        (inner, values)
    }
}
