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
mod passed;
mod scopes;
mod strings;
mod unshown;
mod wild;

pub(crate) use available::split;
pub(crate) use unshown::tell;

use crate::problem::Unasked;
use access::{Demand, Verdict};
use available::Demands;
use discharge::Known;
use robusto_cfa::ir::{
    AllocKind, Edge, ErrorKind, ExprId, FuncId, Function, HavocSource, Idx as _, LocId, Op, Program, SrcPos, Ty, Var,
    VarKind,
};
use robusto_verdict::{Property, Violation};
use std::fmt;
use wild::Wild;

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
/// within the rules of C, ends of the program before accesses that no property asks for, or errors if these are the question.
pub(crate) fn instrument(
    program: &mut Program,
    property: &Property,
    unasked: Unasked,
    passed: &[SrcPos],
) -> Instrumented {
    let wants = |kind| property.counts(kind);
    let mut done = Instrumented::default();
    let (deref, free) = (wants(Violation::Deref), wants(Violation::Free));
    let leaks = wants(Violation::Track) || wants(Violation::Cleanup);
    scopes::instrument(program);
    if !deref && !free && !leaks && unasked == Unasked::Hidden {
        return done;
    }
    let allocates = |op: &Op| matches!(op, Op::Alloc { kind: AllocKind::Heap, .. });
    let leaks = leaks && matches!(unasked, Unasked::Hidden | Unasked::End);
    let leaks = leaks && program.functions.iter().any(|f| f.edges().iter().any(|e| allocates(&e.op)));
    if leaks {
        ends::instrument(program, wants(Violation::Track), wants(Violation::Cleanup));
    }
    // An execution ends at its first invalid access or free, whatever is asked for.
    let ends_by = |wanted, kind| match unasked {
        Unasked::Hidden | Unasked::End if wanted => Op::Error(kind),
        Unasked::Error if !wanted => Op::Error(kind),
        _ => Op::Halt { status: None },
    };
    let ends = Ends { deref: ends_by(deref, ErrorKind::Deref), free: ends_by(free, ErrorKind::Free) };
    let checked: Vec<FuncId> = program.functions.ids().filter(|&id| !is_start(program, id)).collect();
    for &id in &checked {
        strings::instrument(program, id);
    }
    for (id, checks) in checks(program, &checked, unasked, &mut done.accesses) {
        for (loc, demands) in &checks {
            let pos = program.functions[id].out(*loc).next().map(|(_, edge)| edge.pos);
            let is_asked = |checked: &&Checked| if checked.demand.is_free() { free } else { deref };
            let unasked = demands.iter().filter(|checked| !is_asked(checked)).count();
            done.unshown.extend(pos.into_iter().flat_map(|pos| std::iter::repeat_n(pos, unasked)));
        }
        rebuild(program, id, checks, &ends, passed);
    }
    let frees = |op: &Op| matches!(op, Op::Free { kind: AllocKind::Heap, .. });
    done.accesses.asked = deref || free && program.functions.iter().any(|f| f.edges().iter().any(|e| frees(&e.op)));
    robusto_cfa::verify::assert_valid(program, "instrumenting memory properties");
    done
}

/// What has been done to the accesses of a program.
#[derive(Default)]
pub(crate) struct Instrumented {
    /// How many there are.
    pub accesses: Accesses,
    /// Where those are that were not shown to be valid, and that no property asks about.
    pub unshown: Vec<SrcPos>,
}

/// Whether a function is a start of ours, which touches only what it has made.
fn is_start(program: &Program, id: FuncId) -> bool {
    program.main == Some(id) && &*program.functions[id].name != "main"
}

/// The demands of a location that need a check.
type Checks = Vec<(LocId, Vec<Checked>)>;

/// A demand that needs a check.
struct Checked {
    demand: Demand,
    /// Whether nobody can say that it should be met: the pointer may be content of memory that the program has not written.
    wild: bool,
}

/// The demands of some functions that need checks. The program gets explicit returns if something had to be analysed.
fn checks(
    program: &mut Program,
    functions: &[FuncId],
    unasked: Unasked,
    counted: &mut Accesses,
) -> Vec<(FuncId, Checks)> {
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
    let wild = known.as_ref().filter(|_| unasked == Unasked::Error).map(|known| Wild::of(program, known.points_to()));
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
                let checked = |open: &available::Open| {
                    let demand = open.demand;
                    let wild = wild.as_ref().is_some_and(|wild| wild.may_be(program, demand.addr));
                    Checked { demand, wild }
                };
                checks.push((demands.loc, demands.open.iter().map(checked).collect()));
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
fn rebuild(program: &mut Program, id: FuncId, checks: Checks, ends: &Ends, passed: &[SrcPos]) {
    if checks.is_empty() {
        return;
    }
    let mut header = std::mem::replace(&mut program.functions[id], Function::header("", SrcPos::default()));
    let mut building = Building { locations: header.num_locs(), edges: header.take_edges() };
    for (loc, demands) in checks {
        building.check(program, (&mut header, id), loc, &demands, ends, passed);
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

    /// Checks demands before what leaves a location; of those at some places, executions may go on where they are not met.
    fn check(
        &mut self,
        program: &mut Program,
        (header, id): (&mut Function, FuncId),
        loc: LocId,
        demands: &[Checked],
        ends: &Ends,
        passed: &[SrcPos],
    ) {
        let (behind, pos) = self.detach(loc);
        let mut at = loc;
        for Checked { demand, wild } in demands {
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
            let op = match demand.is_free() {
                _ if *wild => Op::Halt { status: None },
                true => ends.free.clone(),
                false => ends.deref.clone(),
            };
            let bad = match passed.contains(&pos) {
                true => self.pass(program, (header, id), demand, bad, behind),
                false => bad,
            };
            self.edge(bad, end, op, pos);
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
