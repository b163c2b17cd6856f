//! Points-to analysis: which objects and functions a pointer may point to, at any time.
//!
//! Subset-based (Andersen: *Program Analysis and Specialization for the C Programming Language*, DIKU 1994, chapter 4),
//! flow- and context-insensitive, with the call graph built along the way. Field-sensitive by byte offset (Pearce,
//! Kelly, Hankin: *Efficient field-sensitive pointer analysis of C*, TOPLAS 2007), with strides for arrays as in Wilson,
//! Lam: *Efficient context-sensitive pointer analysis for C programs*, PLDI 1995 (location sets). How the constraints
//! are solved, see `constraints`; how memory is cut into cells, see `memory`.
//!
//! | concept | here |
//! |---|---|
//! | object `o`, allocation site | [`Base`] |
//! | location set `⟨o, f, s⟩` | [`Target`] with an [`Offset`] |
//! | constraint variable | `Node`: a variable, a function's result, an expression, a memory cell |
//! | `p ⊇ q`, `p ⊇ q + k` | `Constraints::copy`, `Complex::Shift` |
//! | `p ⊇ *q`, `*p ⊇ q` | `Complex::Load`, `Complex::Store` |
//!
//! What holds for every execution of a function that [`PointsTo::reached`] names: when an expression (or variable) of
//! type `Ptr` has as its value a pointer into an object, or one past its end, [`Targets`] has the object's [`Base`] with
//! an [`Offset`] that contains the pointer's; when the value is a function's address, it has that function; when it is
//! any other value but null, it has [`Base::Unknown`] or [`Base::Indeterminate`]. Null is not tracked. It holds up to the
//! first access outside of a live object, and as far as pointers come about as C allows: they are computed from the
//! object's address (by way of integers, or byte by byte, if need be) without leaving the object, or at most to 4 KiB
//! before its start. Any other number counts as indeterminate, even if it happens to be an address.
//!
//! Soundness: (1) every way in which a value moves (assignment, memory, call, cast, arithmetic, copies of bytes) is an
//! inclusion, and integers carry pointers as well, with any offset once arithmetic is done on them; (2) accesses that
//! can share a byte share a memory cell; (3) the least solution of the inclusions contains, by induction over the steps
//! of an execution, every value that occurs. What a havocked pointer points to is a matter of policy, see
//! [`UnknownPointers`].
//!
//! Cubic in the worst case, near-linear in practice; strides and a limit on offsets per node bound the sets.

mod constraints;
mod elements;
mod generate;
mod memory;
mod offset;
mod solver;
#[cfg(test)]
mod tests;
mod unset;

pub use elements::{Base, BaseId, Site, SiteId, Target};
pub use offset::{Offset, gcd};

use crate::analysis::uses::Uses;
use crate::ir::{EdgeId, ExprId, FuncId, Idx, IdxVec, Program, VarId};
use constraints::Node;
use elements::{Elements, Elems};
use generate::Value;
use rustc_hash::FxHashMap;
use solver::Solver;

/// Where a pointer that comes from outside may point.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum UnknownPointers {
    /// To memory outside of all objects of the program. Engines that use it list the assumption. What is written there
    /// may be read from there; pointers that are written there whole are read whole.
    #[default]
    Outside,
    /// To any object whose address is taken, or any such function, as well.
    Anywhere,
}

/// If more elements than this would have to be passed on, offsets are not told apart. The largest programs of our corpus
/// need 1 % of it; it stands for about two seconds.
const LIMIT: usize = 100_000_000;

/// The result of the analysis.
#[derive(Debug)]
pub struct PointsTo {
    policy: UnknownPointers,
    field_sensitive: bool,
    elements: Elements,
    /// The last one is for what is not known.
    sets: Vec<Elems>,
    set_of: IdxVec<Node, u32>,
    values: IdxVec<ExprId, Option<Value>>,
    reached: IdxVec<FuncId, bool>,
    contents: FxHashMap<BaseId, Vec<(Option<i64>, Node)>>,
}

impl PointsTo {
    /// Analyses what is reachable from `main`, or every function if there is no `main`, with unknown pointers pointing
    /// outside.
    pub fn of(program: &Program, uses: &Uses) -> Self {
        Self::with(program, uses, UnknownPointers::Outside)
    }

    /// Analyses under a policy.
    pub fn with(program: &Program, uses: &Uses, policy: UnknownPointers) -> Self {
        Self::limited(program, uses, policy, LIMIT)
    }

    fn limited(program: &Program, uses: &Uses, policy: UnknownPointers, limit: usize) -> Self {
        let mut solver = Solver::new(program, uses, policy, false);
        let field_sensitive = solver.solve(limit);
        if !field_sensitive {
            solver = Solver::new(program, uses, policy, true);
            solver.solve(usize::MAX);
        }
        let width = solver.width;
        let contents = solver.memory.iter().map(|(&base, cells)| (base, cells.places(width))).collect();
        let Solver { graph, elements, values, reached, .. } = solver;
        let (mut sets, set_of) = graph.finish();
        sets.push(std::iter::once(Elements::UNKNOWN).collect());
        Self { policy, field_sensitive, elements, sets, set_of, values, reached, contents }
    }

    /// How it treats unknown pointers.
    pub fn policy(&self) -> UnknownPointers {
        self.policy
    }

    /// Whether it tells offsets apart; not so for programs where that takes too long.
    pub fn field_sensitive(&self) -> bool {
        self.field_sensitive
    }

    /// Whether the function may run.
    pub fn reached(&self, function: FuncId) -> bool {
        self.reached[function]
    }

    /// All allocation sites, by function and edge.
    pub fn sites(&self) -> &IdxVec<SiteId, Site> {
        &self.elements.sites
    }

    /// The site of an `Alloc` edge.
    pub fn site_at(&self, function: FuncId, edge: EdgeId) -> SiteId {
        self.elements.site_at(function, edge)
    }

    /// The number of an object, for sets.
    pub fn base_id(&self, base: Base) -> BaseId {
        self.elements.base_id(base)
    }

    /// The object with a number.
    pub fn base(&self, id: BaseId) -> Base {
        self.elements.base(id)
    }

    /// What a variable may point to.
    pub fn of_var(&self, var: VarId) -> Targets<'_> {
        self.node(Node::new(var.index()))
    }

    /// What an expression may point to; as an address, which memory an access touches. An expression that no function
    /// which may run evaluates is unknown.
    pub fn of_expr(&self, expr: ExprId) -> Targets<'_> {
        match self.values.get(expr) {
            Some(&Some(value)) => Targets { shift: value.shift, ..self.node(value.node) },
            _ => Targets { points_to: self, number: self.sets.len() - 1, shift: Offset::exact(0) },
        }
    }

    fn node(&self, node: Node) -> Targets<'_> {
        Targets { points_to: self, number: self.set_of[node] as usize, shift: Offset::exact(0) }
    }

    /// What the memory of an object may hold where the program accesses it: places, if they are known, with what is there.
    /// Initial values of objects that are not accessed are left out.
    pub fn held(&self, base: Base) -> impl Iterator<Item = (Option<i64>, Targets<'_>)> {
        let places = self.contents.get(&self.base_id(base)).into_iter().flatten();
        places.map(|&(offset, node)| (offset, self.node(node)))
    }

    /// Number of distinct sets; see [`Targets::set_number`].
    pub fn num_sets(&self) -> usize {
        self.sets.len()
    }

    /// The functions that a call through this expression may call.
    pub fn callees(&self, target: ExprId) -> Callees {
        let targets = self.of_expr(target);
        let unknown = targets.may_be_unknown() || targets.may_be_indeterminate();
        let from = if unknown && self.policy == UnknownPointers::Anywhere {
            self.functions((0..self.elements.len()).map(elements::ElemId::new))
        } else {
            self.functions(targets.set().iter())
        };
        Callees { functions: from, unknown }
    }

    fn functions(&self, elems: impl Iterator<Item = elements::ElemId>) -> Vec<FuncId> {
        let mut functions: Vec<_> = elems
            .filter_map(|elem| match self.elements.target(elem).base {
                Base::Function(function) => Some(function),
                _ => None,
            })
            .collect();
        functions.sort_unstable();
        functions.dedup();
        functions
    }

    /// Number of constraint variables, of distinct targets, and of entries in all sets, for measurements.
    pub fn size(&self) -> (usize, usize, usize) {
        (self.set_of.len(), self.elements.len(), self.sets.iter().map(|s| s.len()).sum())
    }
}

/// What an indirect call may call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Callees {
    /// The functions, ascending.
    pub functions: Vec<FuncId>,
    /// Whether the pointer may be one that the analysis knows nothing about.
    pub unknown: bool,
}

/// What a pointer may point to, beside null.
#[derive(Clone, Copy)]
pub struct Targets<'a> {
    points_to: &'a PointsTo,
    number: usize,
    /// To be added to the offsets.
    shift: Offset,
}

impl<'a> Targets<'a> {
    fn set(self) -> &'a Elems {
        &self.points_to.sets[self.number]
    }

    /// The number of the set of objects, below [`PointsTo::num_sets`], for tables.
    pub fn set_number(self) -> usize {
        self.number
    }

    /// The numbers of the objects, possibly several times.
    pub fn base_ids(self) -> impl Iterator<Item = BaseId> + 'a {
        self.set().iter().map(move |elem| self.points_to.elements.get(elem).0)
    }

    /// The targets; an object may occur with several offsets.
    pub fn iter(self) -> impl Iterator<Item = Target> + 'a {
        self.set().iter().map(move |elem| {
            let Target { base, offset } = self.points_to.elements.target(elem);
            let shifted = offset.plus(self.shift.base()).plus_multiples(self.shift.stride());
            Target { base, offset: if matches!(base, Base::Function(_)) { offset } else { shifted } }
        })
    }

    /// The objects, ascending, each once.
    pub fn bases(self) -> Vec<Base> {
        let mut bases: Vec<_> = self.iter().map(|target| target.base).collect();
        bases.sort_unstable();
        bases.dedup();
        bases
    }

    /// Whether there is no target: the value is always null, or no pointer at all.
    pub fn is_empty(self) -> bool {
        self.set().is_empty()
    }

    /// Whether the value may come from outside, see [`Base::Unknown`].
    pub fn may_be_unknown(self) -> bool {
        self.set().contains(Elements::UNKNOWN)
    }

    /// Whether the value may be indeterminate, see [`Base::Indeterminate`].
    pub fn may_be_indeterminate(self) -> bool {
        self.set().contains(Elements::INDETERMINATE)
    }
}

impl std::fmt::Debug for Targets<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}
