//! The cut points of procedures: entries, exits, heads of loops, and calls of procedures.
//!
//! At an entry, formulas speak of the values there as [`Encoder::old`] names them, as the links from there do.

use super::graph::{Asking, Crossing, Graph, Link, Point, Split, Way, by_width};
use super::{Relations, Stage, affine, bounds};
use crate::procedures::{CutId, CutKind, End, Procedure, Procedures};
use robusto_analyses::interval::Invariants;
use robusto_analyses::symbolic::{Cell, Encoder};
use robusto_cfa::ir::{EdgeId, FuncId, Ty};
use robusto_limits::{Limits, Stopped};
use robusto_logic::{Answer, Solver, Sort, Substitution, Symbol, Term};
use rustc_hash::FxHashSet;

/// Most variables per point and width.
const MAX_VARIABLES: usize = 12;

/// Most conditions by which cases of a procedure are told apart.
const MAX_CONDITIONS: usize = 5;

/// As for loops, but that conditions on what a procedure is entered with are tried in front of bounds of what it returns.
const STAGES: [Stage; 7] = [
    affine::equations,
    bounds::comparisons,
    affine::equations,
    bounds::guarded,
    bounds::differences,
    bounds::sums,
    affine::equations,
];

/// The search for relations at the cut points of procedures.
pub struct Summaries {
    relations: Relations,
    /// Where the points of each procedure begin.
    first: Vec<usize>,
    /// Ways to what decides the verdict.
    ends: Vec<(Way, Violated)>,
}

/// What a way leads to that decides the verdict.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Violated {
    /// An error edge, or a step that is not supported.
    Edge(FuncId, EdgeId),
    /// Something that is not modelled.
    Model,
}

impl Summaries {
    /// A search over procedures, the first of which is where the program starts and is called by nobody.
    pub fn new(
        encoder: &mut Encoder<'_>,
        procedures: &Procedures<'_>,
        intervals: Option<&Invariants>,
        limits: &Limits,
    ) -> Self {
        let sizes = procedures.list.iter().map(|procedure| procedure.cuts.len());
        let first: Vec<usize> = sizes.scan(0, |next, size| Some(std::mem::replace(next, *next + size))).collect();
        let mut graph = Graph { points: Vec::new(), links: Vec::new(), violations: Vec::new(), splits: Vec::new() };
        let mut ends = Vec::new();
        for (number, procedure) in procedures.list.iter().enumerate() {
            for (id, cut) in procedure.numbered() {
                let inside = matches!(cut.kind, CutKind::Head | CutKind::Call);
                graph.points.push(Point {
                    calls: cut.calls.clone(),
                    location: cut.location,
                    procedure: number,
                    known: if inside { procedure.unchanged(encoder, id) } else { encoder.terms.yes() },
                    variables: Vec::new(),
                    candidates: Vec::new(),
                });
                graph.violations.push(Vec::new());
            }
        }
        for (number, procedure) in procedures.list.iter().enumerate() {
            let point = |cut: CutId| first[number] + cut.index();
            let of = |callee: FuncId| procedures.number(callee).map(|callee| first[callee]);
            for call in &procedure.calls {
                let Some(callee) = of(call.callee) else { continue };
                let crossing = Some(Crossing::Into(call.callee));
                let way = Way { from: Some(point(call.at)), paths: call.inside.clone(), crossing };
                graph.links.push(Link { way, to: callee + CutId::ENTRY.index() });
            }
            for link in &procedure.links {
                let over = link.over.map(|call| &procedure.calls[call]);
                let crossing = over.and_then(|call| {
                    let point = of(call.callee)? + CutId::EXIT.index();
                    let (inside, exit) = (call.inside.clone(), call.exit.clone());
                    Some(Crossing::Over { callee: call.callee, inside, exit, point })
                });
                let is_start = procedure.is_start && link.from == CutId::ENTRY;
                let from = (!is_start).then_some(point(link.from));
                let way = Way { from, paths: link.formula.clone(), crossing };
                let violated = match &link.to {
                    End::Cut(cut) => {
                        graph.links.push(Link { way, to: point(*cut) });
                        continue;
                    }
                    End::Violation(step) => Violated::Edge(step.edge_ref().0, step.edge_ref().1),
                    End::Unmodelled(_) => Violated::Model,
                };
                graph.violations[point(link.from)].push(way.paths.guard);
                ends.push((way, violated));
            }
        }
        for (number, procedure) in procedures.list.iter().enumerate() {
            graph.splits.push(split(encoder, procedure));
            for (i, cut) in procedure.cuts.iter().enumerate() {
                let is_entry = cut.kind == CutKind::Entry;
                let at = first[number] + i;
                if is_entry && procedure.is_start {
                    continue;
                }
                graph.points[at].candidates = intervals_at(encoder, &graph.points[at], is_entry, intervals);
                graph.points[at].variables = variables(encoder, &graph, at, procedure, cut.kind);
            }
        }
        let relations = Relations { graph, solver: Solver::new(limits), stages: STAGES.iter() };
        Self { relations, first, ends }
    }

    /// Looks further; false if there is nothing more to be found.
    pub fn next(&mut self, encoder: &mut Encoder<'_>) -> Result<bool, Stopped> {
        Ok(self.relations.stage(encoder)?.is_some())
    }

    /// What can be violated, as far as is known.
    pub fn violated(&mut self, encoder: &mut Encoder<'_>) -> Result<Vec<Violated>, Stopped> {
        let Relations { graph, solver, .. } = &mut self.relations;
        let yes = encoder.terms.yes();
        let nothing = vec![yes; graph.points.len()];
        let mut asking = Asking { encoder, solver };
        let mut violated = Vec::new();
        for (way, what) in &self.ends {
            if asking.along(graph, way, &nothing, yes, i32::MAX)? != Some(Answer::Unsat) {
                violated.push(*what);
            }
        }
        Ok(violated)
    }

    /// What is known at a cut point of a procedure, over inputs and values at the entry; at the entry, over inputs alone.
    pub fn known(&self, encoder: &mut Encoder<'_>, procedure: usize, cut: CutId) -> Term {
        // No link leads to the start of the program, where nothing is sought.
        if (procedure, cut) == (0, CutId::ENTRY) {
            return encoder.terms.yes();
        }
        let known = self.relations.graph.points[self.first[procedure] + cut.index()].known;
        if cut != CutId::ENTRY {
            return known;
        }
        let mut map = Substitution::new();
        for symbol in encoder.terms.symbols(known) {
            if let Some(cell) = encoder.old_of(symbol) {
                let input = encoder.input(cell);
                map.insert_symbol(&encoder.terms, symbol, input);
            }
        }
        encoder.terms.substitute(known, &mut map)
    }
}

/// A term over inputs, as one over the values at the entry.
fn of_old(encoder: &mut Encoder<'_>, t: Term) -> Term {
    let mut map = Substitution::new();
    for symbol in encoder.terms.symbols(t) {
        if let Some(cell) = encoder.cell_of(symbol) {
            let old = encoder.old(cell);
            map.insert_symbol(&encoder.terms, symbol, old);
        }
    }
    encoder.terms.substitute(t, &mut map)
}

/// The first conditions of a procedure that are about nothing but what it is entered with, and the values that these are
/// about, where they do not decide the result alone.
fn split(encoder: &mut Encoder<'_>, procedure: &Procedure) -> Split {
    if procedure.is_start {
        return Split::default();
    }
    let entry = procedure.cut(CutId::ENTRY);
    let at_entry = |encoder: &Encoder<'_>, symbol: Symbol| {
        let cell = encoder.old_of(symbol);
        let is_word = matches!(encoder.terms.sort(encoder.terms.symbol_term(symbol)), Sort::Bits(1..=64));
        is_word && cell.is_some_and(|cell| crate::certificate::may_be_read(encoder, &[], entry.location, cell))
    };
    let leaving = procedure.links.iter().filter(|link| link.from == CutId::ENTRY);
    let guards: Vec<Term> = leaving.clone().map(|link| link.formula.guard).collect();
    let all = encoder.terms.and_all(&guards);
    let mut conditions = encoder.terms.atoms(all);
    conditions.retain(|&atom| encoder.terms.symbols(atom).into_iter().all(|symbol| at_entry(encoder, symbol)));
    conditions.truncate(MAX_CONDITIONS);
    let direct: Vec<Term> =
        leaving.filter(|link| link.to == End::Cut(CutId::EXIT)).map(|link| link.formula.guard).collect();
    let mut direct = encoder.terms.or_all(&direct);
    if !encoder.terms.symbols(direct).into_iter().all(|symbol| at_entry(encoder, symbol)) {
        direct = encoder.terms.no();
    }
    let mut tested: Vec<Symbol> = conditions.iter().flat_map(|&c| encoder.terms.symbols(c)).collect();
    tested.sort_unstable();
    tested.dedup();
    let mut values = Vec::new();
    for symbol in tested {
        let value = encoder.terms.symbol_term(symbol);
        let none = encoder.terms.constant(encoder.terms.width(value), 0);
        values.push(encoder.terms.ite(direct, none, value));
    }
    Split { conditions, values }
}

/// Bounds that hold at a point, if they are inductive.
fn intervals_at(encoder: &mut Encoder<'_>, point: &Point, is_entry: bool, intervals: Option<&Invariants>) -> Vec<Term> {
    let Some(intervals) = intervals else { return Vec::new() };
    let mut bounds = vec![intervals.here(encoder, point.location, 0)];
    let mut callee = point.location.function;
    for &(caller, edge) in point.calls.iter().rev() {
        bounds.push(intervals.pending(encoder, (caller, edge), callee, 0));
        callee = caller;
    }
    let all = encoder.terms.and_all(&bounds);
    let mut bounds = encoder.terms.conjuncts(all);
    if is_entry {
        bounds = bounds.into_iter().map(|bound| of_old(encoder, bound)).collect();
    }
    bounds.retain(|&bound| point.can_say(encoder, bound));
    bounds
}

/// The variables worth relating at a cut point: parameters, results, and what the procedure changes or tests.
fn variables(
    encoder: &mut Encoder<'_>,
    graph: &Graph,
    at: usize,
    procedure: &Procedure,
    kind: CutKind,
) -> Vec<Vec<Term>> {
    let facts = encoder.facts();
    let program = &facts.program;
    let point = &graph.points[at];
    let tested: FxHashSet<Symbol> = graph.conditions().flat_map(|guard| encoder.terms.symbols(guard)).collect();
    let changed_inside = procedure.links.iter().flat_map(|link| link.formula.env.keys().copied());
    let mut changed: FxHashSet<Cell> = changed_inside.collect();
    let changed_by_call = encoder.changed_by(procedure.function);
    changed.extend(changed_by_call.iter().copied());
    let entry = procedure.cut(CutId::ENTRY).location;
    let params = &program.functions[procedure.function].params;
    let mut worth: Vec<(bool, Term)> = Vec::new();
    let mut cells: Vec<Cell> = program.vars.ids().map(|var| Cell::Var(var, 0)).collect();
    cells.extend(encoder.regions().regions.ids().map(Cell::Region));
    for cell in cells {
        let (is_param, is_global) = match cell {
            Cell::Var(var, _) => {
                if !matches!(program.vars[var].ty, Ty::Int(2..=64)) {
                    continue;
                }
                (params.contains(&var), program.vars[var].kind.owner().is_none())
            }
            _ => (false, true),
        };
        if !matches!(encoder.sort(cell), Sort::Bits(2..=64)) {
            continue;
        }
        let is_changed = changed.contains(&cell);
        if kind != CutKind::Entry && point.may_be_read(encoder, cell) {
            let input = encoder.input(cell);
            let is_tested = encoder.terms.as_symbol(input).is_some_and(|symbol| tested.contains(&symbol));
            let is_result = kind == CutKind::Exit && !is_global;
            if is_tested || is_changed || is_result {
                worth.push((!(is_tested || is_result), input));
            }
        }
        if (is_param || is_global) && !procedure.is_start && crate::certificate::may_be_read(encoder, &[], entry, cell)
        {
            let old = encoder.old(cell);
            let is_tested = encoder.terms.as_symbol(old).is_some_and(|symbol| tested.contains(&symbol));
            if is_tested || is_param || is_changed {
                worth.push((!is_tested, old));
            }
        }
    }
    by_width(encoder, worth, MAX_VARIABLES)
}
