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
//! What is not branched on is valid in every execution, which `access`, `available` and `discharge` argue.

mod access;
mod available;
mod discharge;
mod ends;
mod scopes;
mod strings;
mod unshown;

pub(crate) use available::split;
pub use unshown::tell;

use access::{Demand, Verdict};
use available::Demands;
use discharge::Known;
use robusto_cfa::ir::{
    AllocKind, Edge, ErrorKind, ExprId, FuncId, Function, HavocSource, Idx as _, LocId, Op, Program, SrcPos, Ty, Var,
    VarKind,
};
use robusto_verdict::{Property, Violation};
use std::fmt;

/// How many accesses there are, and why most of them need no check.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Accesses {
    /// Those that are valid by the form of their addresses.
    pub formal: usize,
    /// Those that others before, or the allocation of the object, have shown to be valid.
    pub settled: usize,
    /// Those that are valid by where pointers point and by the bounds of indices.
    pub discharged: usize,
    /// Those with an error edge.
    pub checked: usize,
    /// Whether what is asked about is among them: that all are valid says something then.
    pub asked: bool,
}

impl Accesses {
    /// How many there are.
    pub fn all(&self) -> usize {
        self.valid() + self.checked
    }

    /// Those without an error edge.
    pub fn valid(&self) -> usize {
        self.formal + self.settled + self.discharged
    }
}

impl fmt::Display for Accesses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { formal, settled, discharged, checked, .. } = self;
        write!(
            f,
            "{} of {} accesses are valid ({formal} by their form, {settled} by others before, {discharged} by where \
             pointers point and by bounds), {checked} are checked",
            self.valid(),
            self.all()
        )
    }
}

/// Puts error edges before accesses that may violate a property, and before the ends of the program; if executions must stay
/// `within_rules`, ends of the program before accesses that no property asks for.
pub(crate) fn instrument(program: &mut Program, property: &Property, within_rules: bool) -> Accesses {
    let wants = |kind| property.counts(kind);
    let mut counted = Accesses::default();
    let (deref, free) = (wants(Violation::Deref), wants(Violation::Free));
    let leaks = wants(Violation::Track) || wants(Violation::Cleanup);
    scopes::instrument(program);
    if !deref && !free && !leaks && !within_rules {
        return counted;
    }
    let allocates = |op: &Op| matches!(op, Op::Alloc { kind: AllocKind::Heap, .. });
    let leaks = leaks && program.functions.iter().any(|f| f.edges().iter().any(|e| allocates(&e.op)));
    if leaks {
        ends::instrument(program, wants(Violation::Track), wants(Violation::Cleanup));
    }
    // An execution ends at its first invalid access or free, whatever is asked for.
    let ends_by = |wanted, kind| if wanted { Op::Error(kind) } else { Op::Halt { status: None } };
    let ends = Ends { deref: ends_by(deref, ErrorKind::Deref), free: ends_by(free, ErrorKind::Free) };
    let checked: Vec<FuncId> = program.functions.ids().filter(|&id| !is_start(program, id)).collect();
    for &id in &checked {
        strings::instrument(program, id);
    }
    for (id, checks) in checks(program, &checked, &mut counted) {
        rebuild(program, id, checks, &ends);
    }
    let frees = |op: &Op| matches!(op, Op::Free { kind: AllocKind::Heap, .. });
    counted.asked = deref || free && program.functions.iter().any(|f| f.edges().iter().any(|e| frees(&e.op)));
    robusto_cfa::verify::assert_valid(program, "instrumenting memory properties");
    counted
}

/// Whether a function is a start of ours, which touches only what it has made.
fn is_start(program: &Program, id: FuncId) -> bool {
    program.main == Some(id) && &*program.functions[id].name != "main"
}

/// The demands of a location that need a check.
type Checks = Vec<(LocId, Vec<Demand>)>;

/// The demands of some functions that need checks. The program gets explicit returns if something had to be analysed.
fn checks(program: &mut Program, functions: &[FuncId], counted: &mut Accesses) -> Vec<(FuncId, Checks)> {
    let demands = |program: &mut Program| -> Vec<(FuncId, Vec<Demands>)> {
        let frees = available::freeing(program);
        functions.iter().map(|&id| (id, available::demands_of(program, id, &frees))).collect()
    };
    let mut found = demands(program);
    let is_open = |demands: &Demands| !demands.open.is_empty();
    let mut known = None;
    if found.iter().any(|(_, demands)| demands.iter().any(is_open)) {
        let (analysed, analyses) = Known::of(program.clone());
        *program = analysed;
        known = Some(analyses);
        // Locations have other numbers now.
        found = demands(program);
    }
    let mut result = Vec::new();
    for (id, demands) in found {
        let mut checks = Checks::new();
        for mut demands in demands {
            let count = demands.open.len();
            if let Some(known) = &known {
                demands.open.retain(|open| !known.shows(program, (id, demands.loc), open));
            }
            counted.formal += demands.formal;
            counted.settled += demands.settled;
            counted.discharged += count - demands.open.len();
            counted.checked += demands.open.len();
            if !demands.open.is_empty() {
                checks.push((demands.loc, demands.open.iter().map(|open| open.demand).collect()));
            }
        }
        result.push((id, checks));
    }
    result
}

/// What happens where a demand is not met.
struct Ends {
    deref: Op,
    free: Op,
}

/// Puts checks before the edges of locations.
fn rebuild(program: &mut Program, id: FuncId, checks: Checks, ends: &Ends) {
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
