//! Points where relations are sought, and the links between them.

use crate::certificate::may_be_read;
use robusto_analyses::symbolic::{Cell, Encoder, PathFormula};
use robusto_cfa::ir::{EdgeId, FuncId};
use robusto_cpa::control::Location;
use robusto_limits::Stopped;
use robusto_logic::{Answer, Solver, Sort, Symbol, Term};

/// A control state where relations are sought.
pub(super) struct Point {
    /// The pending calls, the oldest first; those below an activation of a procedure are not among them.
    pub calls: Vec<(FuncId, EdgeId)>,
    pub location: Location,
    /// The procedure that it is in; 0 where there are none.
    pub procedure: usize,
    /// What is known already.
    pub known: Term,
    /// The variables worth relating, by width: inputs, and values at the entry of the procedure.
    pub variables: Vec<Vec<Term>>,
    /// What may hold there, besides what can be made of the variables.
    pub candidates: Vec<Term>,
}

/// All paths from the start of the program, or from a point, to a next point.
pub(super) struct Link {
    pub way: Way,
    pub to: usize,
}

/// Paths from the start of the program, or from a point.
pub(super) struct Way {
    pub from: Option<usize>,
    pub paths: PathFormula,
    pub crossing: Option<Crossing>,
}

/// How a link crosses the border of a procedure.
pub(super) enum Crossing {
    /// It leads to the entry of a procedure.
    Into(FuncId),
    /// It starts behind a call.
    Over {
        callee: FuncId,
        /// From the values before the call to those at the entry of the callee.
        inside: PathFormula,
        /// To those at its exit.
        exit: PathFormula,
        /// The point at its exit.
        point: usize,
    },
}

/// How what is sought in a procedure is split by what it was entered with.
#[derive(Default)]
pub(super) struct Split {
    /// By conditions.
    pub conditions: Vec<Term>,
    /// By values.
    pub values: Vec<Term>,
}

impl Split {
    /// The terms whose values tell cases apart.
    pub fn key(&self) -> Vec<Term> {
        self.conditions.iter().chain(&self.values).copied().collect()
    }
}

pub(super) struct Graph {
    pub points: Vec<Point>,
    pub links: Vec<Link>,
    /// By point, when a block from there violates something.
    pub violations: Vec<Vec<Term>>,
    /// By procedure.
    pub splits: Vec<Split>,
}

impl Graph {
    /// The conditions of all links and violations.
    pub fn conditions(&self) -> impl Iterator<Item = Term> + '_ {
        self.links.iter().map(|l| l.way.paths.guard).chain(self.violations.iter().flatten().copied())
    }

    /// The links that have to be looked at again when less is known at a point.
    pub fn dependents(&self, point: usize) -> impl Iterator<Item = usize> + '_ {
        let depends = move |link: &Link| {
            let Way { from, crossing, .. } = &link.way;
            *from == Some(point) || matches!(crossing, Some(Crossing::Over { point: exit, .. }) if *exit == point)
        };
        self.links.iter().enumerate().filter(move |(_, link)| depends(link)).map(|(i, _)| i)
    }

    /// What is known and, besides, what holds at points, as conditions on the start of paths.
    pub fn at_source(&self, encoder: &mut Encoder<'_>, way: &Way, holds: &[Term]) -> Vec<Term> {
        let mut all: Vec<Term> = way.from.iter().flat_map(|&from| [self.points[from].known, holds[from]]).collect();
        if let Some(Crossing::Over { callee, inside, exit, point }) = &way.crossing {
            let granted = encoder.terms.and(self.points[*point].known, holds[*point]);
            all.push(encoder.summary(inside, exit, *callee, granted));
        }
        all
    }

    /// A term over the values at the end of a link, in terms of those at its start.
    pub fn after(&self, encoder: &mut Encoder<'_>, link: &Link, t: Term) -> Term {
        let Way { paths, crossing, .. } = &link.way;
        match crossing {
            Some(Crossing::Into(callee)) => encoder.summary(paths, paths, *callee, t),
            _ => encoder.apply(paths, t),
        }
    }
}

impl Point {
    /// Whether a formula speaks only of words that may still be read here, and of those at the entry of the procedure.
    pub fn can_say(&self, encoder: &Encoder<'_>, t: Term) -> bool {
        let is_word = |s: Symbol| matches!(encoder.terms.sort(encoder.terms.symbol_term(s)), Sort::Bits(_));
        encoder.terms.symbols(t).into_iter().all(|s| is_word(s) && self.is_readable(encoder, s))
    }

    fn is_readable(&self, encoder: &Encoder<'_>, symbol: Symbol) -> bool {
        match (encoder.cell_of(symbol), encoder.old_of(symbol)) {
            (Some(cell), _) => self.may_be_read(encoder, cell),
            (None, Some(cell)) => {
                let function = self.calls.first().map_or(self.location.function, |&(caller, _)| caller);
                let entry = Location { function, loc: encoder.facts().program.functions[function].entry };
                may_be_read(encoder, &[], entry, cell)
            }
            (None, None) => false,
        }
    }

    /// Whether a cell may still be read here.
    pub fn may_be_read(&self, encoder: &Encoder<'_>, cell: Cell) -> bool {
        may_be_read(encoder, &self.calls, self.location, cell)
    }
}

/// Questions about links.
pub(super) struct Asking<'a, 'f> {
    pub encoder: &'a mut Encoder<'f>,
    pub solver: &'a mut Solver,
}

impl Asking<'_, '_> {
    /// Whether a path ends in a state with something, given what is known at its source, and what holds. `None` if so many
    /// conflicts do not suffice to tell.
    pub fn along(
        &mut self,
        graph: &Graph,
        way: &Way,
        holds: &[Term],
        something: Term,
        conflicts: i32,
    ) -> Result<Option<Answer>, Stopped> {
        let mut assumptions = graph.at_source(self.encoder, way, holds);
        assumptions.extend([way.paths.guard, something]);
        self.solver.check_within(&mut self.encoder.terms, &assumptions, conflicts)
    }
}

/// Terms by width, the first ones of each; with the more important ones first.
pub(super) fn by_width(encoder: &Encoder<'_>, mut terms: Vec<(bool, Term)>, most: usize) -> Vec<Vec<Term>> {
    terms.sort_by_key(|&(later, _)| later);
    let mut groups: Vec<(u16, Vec<Term>)> = Vec::new();
    for (_, term) in terms {
        let width = encoder.terms.width(term);
        match groups.iter_mut().find(|(w, _)| *w == width) {
            Some((_, group)) => group.push(term),
            None => groups.push((width, vec![term])),
        }
    }
    groups
        .into_iter()
        .map(|(_, mut group)| {
            group.truncate(most);
            group
        })
        .collect()
}
