//! Slices: the part of a program that the property depends on (`docs/slicing.md`).
//!
//! Weiser: *Program slicing*, ICSE 1981. `cells` says what edges read and write, `control` which branches a location depends
//! on, `dependence` closes over both from the targets (error edges, and steps that are not modelled), `build` makes the program that is left:
//! the edges that stay, with what lies between them left out.
//!
//! **A slice over-approximates.** Let `K` be the variables and regions that are needed. A state of the slice stands for the states of the
//! program that agree with it on `K`. A step of the program that stays is a step of the slice, since what it reads is in `K`. One that does
//! not stay writes nothing of `K`, and control is, as far as the slice can tell, where it was: a branch that does not stay has
//! nothing that stays between it and the place where its sides meet. So for every execution that takes a target edge, the slice has one
//! that takes it. It may have more: loops without end, halts and invalid accesses that were left out do not stop it. Branches to halts stay where
//! they speak of what is needed, which is why this is rare.
//!
//! So a *true* of the slice is one of the program. The argument is not trusted but checked, edge by edge (`certify::slice`), before the
//! proof about the slice is. A *false* is replayed on the program (`replay`); if it does not arrive there, the program
//! itself is checked, which by then runs beside it anyway (`beside`).
//!
//! Where addresses lie is part of our model of memory, and the next heap object's address depends on all allocations before. So these
//! stay if the program looks at where its objects lie.

mod beside;
mod build;
mod cells;
mod control;
mod dependence;
mod lift;
mod refused;
mod run;
#[cfg(test)]
mod tests;

pub use refused::Refused;
pub(crate) use run::lifted;
pub use run::{SLICE, run};

use crate::addresses;
use cells::Access;
use dependence::Dependence;
use lift::Lifted;
use robusto_analyses::symbolic::{RegionId, Regions};
use robusto_cfa::analysis::uses::for_each_root;
use robusto_cfa::facts::Facts;
use robusto_cfa::ir::{EdgeId, Expr, FuncId, Idx as _, IdxVec, LocId, Op, Program, VarId};
use robusto_interp::EdgeRef;
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt;

/// A part of a program.
pub(crate) struct Slice {
    /// The program that is left. Functions, variables, objects and expressions have the numbers that they had.
    pub program: Program,
    /// Where its parts come from.
    pub origin: Origin,
    /// The variables of which all that writes them stays.
    pub vars: IdxVec<VarId, bool>,
    /// The regions of which all that writes them stays.
    pub regions: IdxVec<RegionId, bool>,
    /// The regions that are variables in the slice, and which.
    pub lifted: Vec<(RegionId, VarId)>,
}

/// Bytes of a new object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Bytes {
    /// Where they begin.
    pub offset: u64,
    /// How many.
    pub size: u64,
}

/// The edges of a slice that set what a new object holds.
pub(crate) type Fresh = FxHashMap<(FuncId, EdgeId), Bytes>;

/// Where the parts of a slice come from.
#[derive(Clone, Debug)]
pub(crate) struct Origin {
    /// For each edge of the slice that of the program.
    pub edges: IdxVec<FuncId, Vec<EdgeId>>,
    /// For each location of the program the one of the slice where control is then; `None` where no target can be reached any more,
    /// and in functions that are left out.
    pub places: IdxVec<FuncId, IdxVec<LocId, Option<LocId>>>,
    /// The edges that set what a new object holds.
    pub fresh: Fresh,
    /// The allocations of the program that stay.
    pub allocations: FxHashSet<(FuncId, EdgeId)>,
}

impl Origin {
    /// The edge of the program that an edge of the slice is.
    pub fn edge(&self, function: FuncId, edge: EdgeId) -> EdgeId {
        self.edges[function][edge.index()]
    }

    /// The same.
    pub fn edge_ref(&self, at: EdgeRef) -> EdgeRef {
        EdgeRef { edge: self.edge(at.function, at.edge), ..at }
    }

    /// Whether the slice has an allocation of the program.
    pub fn allocates(&self, at: EdgeRef) -> bool {
        self.allocations.contains(&(at.function, at.edge))
    }

    /// Whether the slice enters a function.
    pub fn has(&self, function: FuncId) -> bool {
        self.places[function].iter().any(Option::is_some)
    }
}

/// How much of a program is left.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Left {
    /// Edges of the functions that may run, and how many are left.
    pub edges: (usize, usize),
    /// Functions that may run, and how many are left.
    pub functions: (usize, usize),
    /// Variables that these edges speak of, and how many are needed.
    pub vars: (usize, usize),
    /// Edges that access memory, and how many are left.
    pub accesses: (usize, usize),
}

impl fmt::Display for Left {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { edges, functions, vars, accesses } = self;
        write!(f, "{} of {} edges, ", edges.1, edges.0)?;
        write!(f, "{} of {} functions, {} of {} variables, ", functions.1, functions.0, vars.1, vars.0)?;
        write!(f, "{} of {} memory accesses", accesses.1, accesses.0)
    }
}

impl Slice {
    /// The part of a program that its targets depend on. There is none if an edge asks for claims about memory, on which every
    /// access depends. With it comes what is known of the program that is left.
    pub fn of(facts: &Facts) -> Result<(Self, Facts), Refused> {
        let program = &facts.program;
        if program.main.is_none() {
            return Err(Refused::NoMain);
        }
        if program.exprs.ids().any(|id| matches!(program.exprs.get(id), Expr::Holds(..))) {
            return Err(Refused::Accesses);
        }
        let regions = Regions::of(facts);
        let make = |allocations: bool| {
            let lifted = if allocations { Lifted::none(&regions) } else { Lifted::of(facts, &regions) };
            let dependence = Dependence::new(Access { facts, regions: &regions, lifted: &lifted });
            let needed = dependence.close(allocations);
            let slice = build::build(facts, &regions, &lifted, &needed).ok_or(Refused::Control)?;
            let left = Facts::of(slice.program.clone());
            Ok((slice, left))
        };
        let (slice, left) = make(false)?;
        if addresses::looks(&left) { make(true) } else { Ok((slice, left)) }
    }

    /// How much of the program is left.
    pub fn left(&self, facts: &Facts, sliced: &Facts) -> Left {
        let mut left = Left::default();
        (left.accesses.0, left.accesses.1) = (accesses(facts), accesses(sliced));
        for (id, function) in facts.program.functions.enumerate().filter(|(id, _)| facts.calls.is_reachable(*id)) {
            left.functions.0 += 1;
            left.edges.0 += function.edges().len();
            left.vars.0 += function.params.len() + function.locals.len();
            if self.origin.has(id) {
                left.functions.1 += 1;
                left.edges.1 += self.program.functions[id].edges().len();
                let own = function.params.iter().chain(&function.locals);
                left.vars.1 += own.filter(|&&var| self.vars[var]).count();
            }
        }
        left
    }
}

/// Edges of functions that may run that access memory.
fn accesses(facts: &Facts) -> usize {
    let functions = facts.program.functions.enumerate().filter(|(id, _)| facts.calls.is_reachable(*id));
    let accesses = |op: &Op| {
        let mut found = matches!(op, Op::Store { .. } | Op::Copy { .. } | Op::Fill { .. } | Op::HavocMem { .. });
        for_each_root(op, |root| found |= !facts.uses.loads(root).is_empty());
        found
    };
    functions.map(|(_, function)| function.edges().iter().filter(|edge| accesses(&edge.op)).count()).sum()
}
