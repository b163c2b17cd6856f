//! Memory properties as error edges.
//!
//! Before each access stands a branch: on to the access where it is valid, to an error edge where it is not. What an
//! access demands is a `Demand`: an index that stays in its range, or a claim about memory
//! ([`robusto_cfa::ir::Claim`]), which the interpreter and the symbolic encoding give the same meaning. So every
//! engine, the replay, certificates and the text form of automata treat violations as they treat any other error edge.
//!
//! | property | where | demand |
//! |---|---|---|
//! | valid-deref | loads, stores, copies, fills; calls through pointers (`border`) | the bytes lie in a live object |
//! | valid-free | `free`, `realloc` | null, or the address of a live heap object |
//! | valid-memtrack | ends of the program, loops without an end | pointers lead to all live heap objects |
//! | valid-memcleanup | ends of the program | no heap object lives |
//!
//! Soundness: an execution that makes an invalid access, the first in it, comes to the branch before that access with all
//! accesses before valid; there the demand does not hold, in the interpreter's memory as in points-to analysis.
//! What is not branched on is valid in every execution, which `access` and `available` argue.

mod access;
mod available;
mod ends;
mod scopes;
mod strings;
mod unshown;

pub use unshown::tell;

use access::{Demand, Verdict};
use robusto_cfa::ir::{
    AllocKind, Edge, ErrorKind, ExprId, FuncId, Function, HavocSource, Idx as _, LocId, Op, Program, SrcPos, Ty, Var,
    VarKind,
};
use robusto_verdict::{Property, Violation};

/// How many accesses there are, and how many need a check.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Accesses {
    /// All of them.
    pub all: usize,
    /// Those with an error edge.
    pub checked: usize,
}

/// Puts error edges before accesses that may violate a property, and before the ends of the program.
pub(crate) fn instrument(program: &mut Program, property: &Property) -> Accesses {
    let wants = |kind| property.counts(kind);
    let mut counted = Accesses::default();
    let (deref, free) = (wants(Violation::Deref), wants(Violation::Free));
    let leaks = wants(Violation::Track) || wants(Violation::Cleanup);
    if !deref && !free && !leaks {
        return counted;
    }
    scopes::instrument(program);
    let allocates = |op: &Op| matches!(op, Op::Alloc { kind: AllocKind::Heap, .. });
    let leaks = leaks && program.functions.iter().any(|f| f.edges().iter().any(|e| allocates(&e.op)));
    if leaks {
        ends::instrument(program, wants(Violation::Track), wants(Violation::Cleanup));
    }
    // An execution ends at its first invalid access or free, whatever is asked for.
    let ends_by = |wanted, kind| if wanted { Op::Error(kind) } else { Op::Halt { status: None } };
    let ends = Ends { deref: ends_by(deref, ErrorKind::Deref), free: ends_by(free, ErrorKind::Free) };
    for id in program.functions.ids() {
        if program.main == Some(id) && &*program.functions[id].name != "main" {
            // A start of ours, which touches only what it has made.
            continue;
        }
        strings::instrument(program, id);
        let checks = available::checks(program, id, &mut counted);
        rebuild(program, id, checks, &ends);
    }
    robusto_cfa::verify::assert_valid(program, "instrumenting memory properties");
    counted
}

/// What happens where a demand is not met.
struct Ends {
    deref: Op,
    free: Op,
}

/// Puts checks before the edges of locations.
fn rebuild(program: &mut Program, id: FuncId, checks: Vec<(LocId, Vec<Demand>)>, ends: &Ends) {
    if checks.is_empty() {
        return;
    }
    let mut header = std::mem::replace(&mut program.functions[id], Function::header("", SrcPos::default()));
    let mut building = Building { locations: header.num_locs(), edges: header.take_edges() };
    for (loc, demands) in checks {
        building.check(program, loc, &demands, ends);
    }
    program.functions[id] = robusto_cfa::ir::rebuild(header, building.locations, building.edges);
}

/// The edges of a function, as they grow.
pub(crate) struct Building {
    pub locations: usize,
    pub edges: Vec<Edge>,
}

impl Building {
    pub fn location(&mut self) -> LocId {
        self.locations += 1;
        LocId::new(self.locations - 1)
    }

    pub fn edge(&mut self, src: LocId, dst: LocId, op: Op, pos: SrcPos) {
        self.edges.push(Edge { src, dst, op, pos });
    }

    /// Goes on at a new location where a condition holds, else to another.
    fn branch(&mut self, src: LocId, cond: ExprId, bad: LocId, pos: SrcPos) -> LocId {
        let good = self.location();
        self.edge(src, good, Op::Assume { cond, truth: true }, pos);
        self.edge(src, bad, Op::Assume { cond, truth: false }, pos);
        good
    }

    /// Moves what leaves a location to a new one, so that something can be put between; with the position of what leaves.
    pub fn detach(&mut self, loc: LocId) -> (LocId, SrcPos) {
        let behind = self.location();
        let mut pos = SrcPos::default();
        for edge in self.edges.iter_mut().filter(|edge| edge.src == loc) {
            (edge.src, pos) = (behind, edge.pos);
        }
        (behind, pos)
    }

    /// Checks demands before what leaves a location.
    fn check(&mut self, program: &mut Program, loc: LocId, demands: &[Demand], ends: &Ends) {
        let (behind, pos) = self.detach(loc);
        let mut at = loc;
        for demand in demands {
            let (bad, end) = (self.location(), self.location());
            match demand.conditions(program) {
                Verdict::Valid => continue,
                Verdict::Invalid => self.edge(at, bad, Op::Skip, pos),
                Verdict::Where(conditions) => {
                    for cond in conditions {
                        at = self.branch(at, cond, bad, pos);
                    }
                }
            }
            let op = if demand.is_free() { &ends.free } else { &ends.deref };
            self.edge(bad, end, op.clone(), pos);
            if demand.is_never_met(program) {
                return;
            }
        }
        self.edge(at, behind, Op::Skip, pos);
    }
}

/// A new temporary truth value of a function that takes any value.
pub(crate) fn choice(program: &mut Program, header: &mut Function, id: FuncId, pos: SrcPos) -> (Op, ExprId) {
    let kind = VarKind::Temp(id);
    let var = program.vars.push(Var { name: "looked".into(), ty: Ty::BOOL, signed: false, kind, pos });
    program.exprs.declare(var, Ty::BOOL);
    header.locals.push(var);
    (Op::Havoc { var, source: HavocSource::Violation }, program.exprs.var(var))
}
