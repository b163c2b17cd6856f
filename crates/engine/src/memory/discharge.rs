//! Demands that are met in every execution, by what analyses of the whole program say.
//!
//! | demand | is met if |
//! |---|---|
//! | an index in its range | interval analysis bounds it |
//! | bytes at a bounded distance from a pointer | so many bytes around the pointer were accessed or allocated before; or it is not null, and wherever it may point, the bytes lie in an object that never ends |
//! | any | interval analysis shows that no execution comes there |
//!
//! Objects that never end: static ones, those of `main`, which runs once, and heap objects of a site that no `free` gets.
//!
//! Soundness: points-to analysis covers every pointer up to the first invalid access, and a pointer that has left its object
//! by a constant is among its targets as indeterminate, so a target with one offset in range stands for pointers in range. Null
//! is not among the targets; intervals exclude it. Both analyse the program without checks, which has more executions.

use super::access::{Demand, Verdict};
use super::available::{Open, summands};
use robusto_analyses::interval::{Invariants, State};
use robusto_cfa::analysis::callgraph::CallGraph;
use robusto_cfa::analysis::points_to::{Base, PointsTo, SiteId, Target};
use robusto_cfa::facts::Facts;
use robusto_cfa::ir::{AllocKind, Claim, Expr, ExprId, FuncId, IdxVec, LocId, ObjectKind, Op, Program};
use robusto_domains::machine::{Values, assume};
use robusto_limits::Limits;

/// Programs with more locations are not analysed: it would take about a second, and a limit of time would make the answer
/// of a check depend on the machine.
const MOST_LOCATIONS: usize = 30_000;

/// What is known of a program's pointers and bounds.
pub(super) struct Known {
    points_to: PointsTo,
    intervals: Option<Invariants>,
    /// The sites whose objects something may free.
    freed: IdxVec<SiteId, bool>,
    /// The function whose objects live until the program ends.
    main: Option<FuncId>,
}

impl Known {
    /// Analyses a program; gives it back with explicit returns, and its locations as the analyses know them.
    pub fn of(program: Program) -> (Program, Self) {
        let locations: usize = program.functions.iter().map(|f| f.num_locs()).sum();
        let facts = Facts::of(program);
        let intervals = if locations <= MOST_LOCATIONS { Invariants::of(&facts, &Limits::none()).ok() } else { None };
        let freed = freed(&facts.program, &facts.points_to);
        let main = main_that_runs_once(&facts.program, &facts.calls);
        let Facts { program, points_to, .. } = facts;
        (program, Self { points_to, intervals, freed, main })
    }

    /// Where pointers may point.
    pub fn points_to(&self) -> &PointsTo {
        &self.points_to
    }

    /// Whether a demand of a location is met in every execution.
    pub fn shows(&self, program: &mut Program, (function, loc): (FuncId, LocId), open: &Open) -> bool {
        let demand = &open.demand;
        if !self.points_to.reached(function) {
            return true;
        }
        let Some(intervals) = &self.intervals else { return false };
        let Some(state) = intervals.state(function, loc) else { return true };
        if demand.is_free() {
            return false;
        }
        match demand.conditions(program) {
            Verdict::Valid => true,
            Verdict::Invalid => false,
            Verdict::Where(conditions) => {
                conditions.iter().all(|&cond| assume(&program.exprs, state, cond, false).is_none())
                    || self.is_inside(program, state, open)
            }
        }
    }

    /// Whether all bytes lie in what is known to be there, wherever the pointer points.
    fn is_inside(&self, program: &Program, state: &State, Open { demand, rooms }: &Open) -> bool {
        let (pointer, offsets) = summands(&program.exprs, demand.addr);
        if let Expr::ObjAddr(_) = program.exprs.get(pointer) {
            // It is the index that has to be in range, and not what it wraps around to.
            return false;
        }
        let Some((first, end)) = range(program, state, demand, &offsets) else { return false };
        let writes = demand.claim == Claim::Writable;
        let targets: Vec<Target> = self.points_to.of_expr(pointer).iter().collect();
        rooms.iter().any(|&(from, to)| from <= first && end <= to)
            || !targets.is_empty()
                && self.points_to.field_sensitive()
                && is_not_null(program, state, pointer)
                && targets.iter().all(|target| self.contains(program, target, (first, end), writes))
    }

    fn contains(&self, program: &Program, target: &Target, (first, end): (i128, i128), writes: bool) -> bool {
        let room = match target.base {
            Base::Object(object) => {
                let info = &program.objects[object];
                let lives = match info.kind {
                    ObjectKind::Global(_) => true,
                    ObjectKind::Constant(_) => !writes,
                    ObjectKind::Local(owner) => Some(owner) == self.main,
                };
                lives.then_some(info.size)
            }
            Base::Site(site) => {
                let info = &self.points_to.sites()[site];
                let lives = info.kind != AllocKind::Stack || Some(info.function) == self.main;
                info.size.filter(|_| lives && !self.freed[site])
            }
            Base::Function(_) | Base::Unknown | Base::Indeterminate => None,
        };
        let (Some(at), Some(room)) = (target.offset.as_exact(), room) else { return false };
        i128::from(at) + first >= 0 && i128::from(at) + end <= i128::from(room)
    }
}

/// The bytes that a demand is about, counted from the pointer: the first, and the one behind the last. As the sum of the
/// offsets has few values, it does not wrap around.
fn range(program: &Program, state: &State, demand: &Demand, offsets: &[ExprId]) -> Option<(i128, i128)> {
    let mut values = Values::new(&program.exprs, state);
    let (mut first, mut last) = (0i128, 0i128);
    for &offset in offsets {
        let (lo, hi) = values.value(offset)?.signed_bounds()?;
        (first, last) = (first + i128::from(lo), last + i128::from(hi));
    }
    let (_, size) = values.value(demand.size)?.unsigned_bounds()?;
    let end = last + i128::from(size);
    let near = |at: i128| at.abs() < 1 << 31;
    (near(first) && near(end)).then_some((first, end))
}

fn is_not_null(program: &Program, state: &State, pointer: ExprId) -> bool {
    Values::new(&program.exprs, state).value(pointer).is_some_and(|value| !value.contains(0))
}

/// The sites that the pointers of frees may point to. Only the library ends what is its own, and nothing else.
fn freed(program: &Program, points_to: &PointsTo) -> IdxVec<SiteId, bool> {
    let mut freed = IdxVec::filled(false, points_to.sites().len());
    for edge in program.functions.iter().flat_map(|function| function.edges().iter()) {
        if let Op::Free { ptr, kind } = edge.op {
            let is_its =
                |site: SiteId| (points_to.sites()[site].kind == AllocKind::Library) == (kind == AllocKind::Library);
            for base in points_to.of_expr(ptr).bases() {
                match base {
                    Base::Site(site) => freed[site] |= is_its(site),
                    Base::Unknown => freed.ids().for_each(|site| freed[site] |= is_its(site)),
                    _ => {}
                }
            }
        }
    }
    freed
}

/// `main`, unless something calls it.
fn main_that_runs_once(program: &Program, calls: &CallGraph) -> Option<FuncId> {
    program.main.filter(|&main| calls.callers(main).len() == 0)
}
