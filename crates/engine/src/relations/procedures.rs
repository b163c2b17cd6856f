//! The search over procedures: entries, exits and heads of loops, with ways that step over calls of procedures.
//!
//! At an entry, formulas speak of the values there as [`Encoder::old`] names them, as the links from there do. A way leads from
//! cut point to cut point through the calls between them, with what the summary of each says; nothing is lost there of
//! how values before and behind a call depend on each other. Only where that would be too many ways, calls are points, too.

use super::graph::{Asking, Crossing, Graph, Link, Over, Point, Way};
use super::values::{intervals_at, needed, split, variables};
use super::{Relations, Stage, affine, bounds};
use crate::procedures::{Cut, CutId, CutKind, End, Procedure, Procedures};
use robusto_analyses::interval::Invariants;
use robusto_analyses::symbolic::{Encoder, PathFormula};
use robusto_cfa::ir::{EdgeId, FuncId};
use robusto_limits::{Limits, Stopped};
use robusto_logic::{Answer, Solver, Substitution, Term};

/// Most ways of a procedure that are stepped over calls.
const MAX_WAYS: usize = 200;

/// As for loops, but that conditions on what a procedure is entered with are tried in front of bounds of what it returns.
const STAGES: [Stage; 8] = [
    affine::equations,
    bounds::comparisons,
    affine::equations,
    bounds::guarded,
    bounds::differences,
    bounds::totals,
    bounds::sums,
    affine::equations,
];

/// The search for relations at the cut points of procedures.
pub struct Summaries {
    relations: Relations,
    /// By procedure and cut point, the point.
    points: Vec<Vec<Option<usize>>>,
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
    /// A search over procedures, the first of which is where the program starts and is called by nobody. Relations are sought
    /// also where procedures are called, if that is wanted or the ways through calls are too many.
    pub fn new(
        encoder: &mut Encoder<'_>,
        procedures: &Procedures<'_>,
        intervals: Option<&Invariants>,
        at_calls: bool,
        limits: &Limits,
    ) -> Self {
        let mut graph = Graph { all_equations: true, ..Graph::default() };
        let mut points = Vec::new();
        for (number, procedure) in procedures.list.iter().enumerate() {
            let with_calls = at_calls || ways(procedure) > MAX_WAYS;
            let mut of_cuts = Vec::new();
            for (id, cut) in procedure.numbered() {
                if cut.kind == CutKind::Call && !cut.is_head && !with_calls {
                    of_cuts.push(None);
                    continue;
                }
                let inside = matches!(cut.kind, CutKind::Head | CutKind::Call);
                let known = if inside { procedure.unchanged(encoder, id) } else { encoder.terms.yes() };
                of_cuts.push(Some(graph.points.len()));
                graph.points.push(Point::new(cut.calls.clone(), cut.location, number, known));
                graph.violations.push(Vec::new());
            }
            points.push(of_cuts);
        }
        let mut linking = Linking { encoder, procedures, points: &points, graph, ends: Vec::new(), instance: 0 };
        for number in 0..procedures.list.len() {
            linking.procedure(number);
        }
        let Linking { mut graph, ends, .. } = linking;
        let needed = needed(encoder, &graph, &ends, procedures);
        for (procedure, points) in procedures.list.iter().zip(&points) {
            graph.splits.push(split(encoder, procedure));
            for (cut, at) in procedure.cuts.iter().zip(points).filter_map(|(cut, point)| Some((cut, (*point)?))) {
                let is_entry = cut.kind == CutKind::Entry;
                if is_entry && procedure.is_start {
                    continue;
                }
                graph.points[at].candidates = intervals_at(encoder, &graph.points[at], is_entry, intervals);
                graph.points[at].variables = variables(encoder, &graph, &needed, at, procedure, is_entry);
            }
        }
        let relations = Relations { graph, solver: Solver::new(limits), stages: STAGES.iter() };
        Self { relations, points, ends }
    }

    /// Looks further; false if there is nothing more to be found.
    pub fn next(&mut self, encoder: &mut Encoder<'_>) -> Result<bool, Stopped> {
        Ok(self.relations.stage(encoder)?.is_some())
    }

    /// What can be violated, as far as is known.
    pub fn violated(&mut self, encoder: &mut Encoder<'_>) -> Result<Vec<Violated>, Stopped> {
        let Relations { graph, solver, .. } = &mut self.relations;
        let yes = encoder.terms.yes();
        let nothing = vec![Vec::new(); graph.points.len()];
        let mut asking = Asking { encoder, solver };
        let mut violated = Vec::new();
        for (way, what) in &self.ends {
            if asking.along(graph, way, &nothing, yes, MAX_CONFLICTS)? != Some(Answer::Unsat) {
                violated.push(*what);
            }
        }
        Ok(violated)
    }

    /// What is known at a cut point of a procedure, over inputs and values at the entry; at the entry, over inputs alone.
    pub fn known(&self, encoder: &mut Encoder<'_>, procedure: usize, cut: CutId) -> Term {
        // No link leads to the start of the program, where nothing is sought.
        let point = self.points[procedure][cut.index()].filter(|_| (procedure, cut) != (0, CutId::ENTRY));
        let Some(point) = point else { return encoder.terms.yes() };
        let known = self.relations.graph.points[point].known;
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

/// Effort to show that something is not violated.
const MAX_CONFLICTS: i32 = 200_000;

/// How many ways there are from points to the next if calls are none, up to a limit.
fn ways(procedure: &Procedure) -> usize {
    let is_passed = |cut: &Cut| cut.kind == CutKind::Call && !cut.is_head;
    let mut count = 0;
    let roots = procedure.cuts.iter().enumerate().filter(|(_, cut)| !is_passed(cut)).map(|(i, _)| i);
    let mut todo: Vec<usize> = roots.collect();
    while let Some(at) = todo.pop() {
        for link in procedure.links.iter().filter(|link| link.from.index() == at) {
            count += 1;
            if count > MAX_WAYS {
                return count;
            }
            if let End::Cut(to) = link.to
                && is_passed(procedure.cut(to))
            {
                todo.push(to.index());
            }
        }
    }
    count
}

/// Makes links of the ways through procedures.
struct Linking<'l, 'e, 'p> {
    encoder: &'l mut Encoder<'e>,
    procedures: &'l Procedures<'p>,
    points: &'l [Vec<Option<usize>>],
    graph: Graph,
    ends: Vec<(Way, Violated)>,
    /// Of choices on the ways.
    instance: u32,
}

impl Linking<'_, '_, '_> {
    /// The ways from all points of a procedure.
    fn procedure(&mut self, number: usize) {
        let procedures = self.procedures;
        let procedure = &procedures.list[number];
        // Ways to the cut points that are not points, and, where paths begin, empty ones.
        let mut todo: Vec<(CutId, Option<Way>)> = Vec::new();
        for (id, _) in procedure.numbered() {
            if self.points[number][id.index()].is_some() {
                todo.push((id, None));
            }
        }
        while let Some((at, way)) = todo.pop() {
            let is_start = procedure.is_start && at == CutId::ENTRY;
            let here = self.points[number][at.index()].filter(|_| !is_start);
            for call in procedure.calls.iter().filter(|call| call.at == at) {
                let Some(callee) = procedures.number(call.callee) else { continue };
                let Some(to) = self.points[callee][CutId::ENTRY.index()] else { continue };
                self.instance += 1;
                let mut into = self.extend(way.as_ref(), here, &call.inside);
                into.crossing = Crossing { into: Some(call.callee), ..into.crossing };
                self.graph.links.push(Link { way: into, to });
            }
            for link in procedure.links.iter().filter(|link| link.from == at) {
                self.instance += 1;
                let mut next = self.extend(way.as_ref(), here, &link.formula);
                if let Some(call) = link.over.map(|call| &procedure.calls[call])
                    && let Some(callee) = procedures.number(call.callee)
                    && let Some(point) = self.points[callee][CutId::EXIT.index()]
                {
                    let inside = self.after(way.as_ref(), &call.inside);
                    let exit = self.after(way.as_ref(), &call.exit);
                    next.crossing.over.push(Over { callee: call.callee, inside, exit, point });
                }
                let violated = match &link.to {
                    End::Cut(cut) => {
                        match self.points[number][cut.index()] {
                            Some(to) => self.graph.links.push(Link { way: next, to }),
                            None => todo.push((*cut, Some(next))),
                        }
                        continue;
                    }
                    End::Violation(step) => Violated::Edge(step.edge_ref().0, step.edge_ref().1),
                    End::Unmodelled(_) => Violated::Model,
                };
                if let Some(from) = next.from {
                    self.graph.violations[from].push(next.paths.guard);
                }
                self.ends.push((next, violated));
            }
        }
    }

    /// A way with more paths behind it; an empty one starts at a point, or at the start of the program.
    fn extend(&mut self, way: Option<&Way>, here: Option<usize>, more: &PathFormula) -> Way {
        let paths = self.after(way, more);
        match way {
            None => Way { from: here, paths, crossing: Crossing::default() },
            Some(way) => Way { from: way.from, paths, crossing: way.crossing.clone() },
        }
    }

    /// Paths behind a way, with choices of their own.
    fn after(&mut self, way: Option<&Way>, more: &PathFormula) -> PathFormula {
        match way {
            None => more.clone(),
            Some(way) => self.encoder.compose(&way.paths, more, self.instance),
        }
    }
}
