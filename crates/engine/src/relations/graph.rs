//! Points where relations are sought, and the links between them.

use crate::certificate::may_be_read;
use robusto_analyses::symbolic::{Cell, Encoder, PathFormula};
use robusto_cfa::ir::{EdgeId, FuncId};
use robusto_cpa::control::Location;
use robusto_limits::Stopped;
use robusto_logic::{Answer, Solver, Sort, Symbol, Term};

/// A control state where relations are sought.
pub(crate) struct Point {
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
pub(crate) struct Link {
    pub way: Way,
    pub to: usize,
}

/// Paths from the start of the program, or from a point.
pub(crate) struct Way {
    pub from: Option<usize>,
    pub paths: PathFormula,
    pub crossing: Crossing,
}

/// How a way crosses the borders of procedures.
#[derive(Clone, Default)]
pub(crate) struct Crossing {
    /// The procedure whose entry it leads to.
    pub into: Option<FuncId>,
    /// The calls that it steps over.
    pub over: Vec<Over>,
}

/// A call that a way steps over.
#[derive(Clone)]
pub(crate) struct Over {
    pub callee: FuncId,
    /// From the start of the way to the entry of the callee.
    pub inside: PathFormula,
    /// To its exit.
    pub exit: PathFormula,
    /// The point at its exit.
    pub point: usize,
}

/// How what is sought in a procedure is split by what it was entered with.
#[derive(Clone, Default)]
pub(crate) struct Split {
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

#[derive(Default)]
pub(crate) struct Graph {
    pub points: Vec<Point>,
    pub links: Vec<Link>,
    /// By point, when a block from there violates something.
    pub violations: Vec<Vec<Term>>,
    /// By point, when a block from there comes to something that is not modelled.
    pub unmodelled: Vec<Vec<Term>>,
    /// By procedure.
    pub splits: Vec<Split>,
    /// Whether equations are used whatever their coefficients are.
    pub all_equations: bool,
}

impl Graph {
    /// The conditions of all links and violations.
    pub fn conditions(&self) -> impl Iterator<Item = Term> + '_ {
        self.links.iter().map(|l| l.way.paths.guard).chain(self.violations.iter().flatten().copied())
    }

    /// The links that have to be looked at again when less is known at a point.
    pub fn dependents(&self, point: usize) -> impl Iterator<Item = usize> + '_ {
        let depends = move |link: &Link| {
            link.way.from == Some(point) || link.way.crossing.over.iter().any(|over| over.point == point)
        };
        self.links.iter().enumerate().filter(move |(_, link)| depends(link)).map(|(i, _)| i)
    }

    /// What is known and, besides, what holds at points, as conditions on the start of paths.
    pub fn at_source(&self, encoder: &mut Encoder<'_>, way: &Way, holds: &[Vec<Term>]) -> Vec<Term> {
        let at = |point: usize| holds[point].iter().copied().chain([self.points[point].known]);
        let mut all: Vec<Term> = way.from.into_iter().flat_map(at).collect();
        for Over { callee, inside, exit, point } in &way.crossing.over {
            all.extend(at(*point).map(|granted| encoder.summary(inside, exit, *callee, granted)));
        }
        all
    }

    /// A term over the values at the end of a link, in terms of those at its start.
    pub fn after(&self, encoder: &mut Encoder<'_>, link: &Link, t: Term) -> Term {
        let Way { paths, crossing, .. } = &link.way;
        match crossing.into {
            Some(callee) => encoder.summary(paths, paths, callee, t),
            None => encoder.apply(paths, t),
        }
    }
}

impl Point {
    /// A point of which something is known.
    pub fn new(calls: Vec<(FuncId, EdgeId)>, location: Location, procedure: usize, known: Term) -> Self {
        Self { calls, location, procedure, known, variables: Vec::new(), candidates: Vec::new() }
    }

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
pub(crate) struct Asking<'a, 'f> {
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
        holds: &[Vec<Term>],
        something: Term,
        conflicts: i32,
    ) -> Result<Option<Answer>, Stopped> {
        let mut assumptions = graph.at_source(self.encoder, way, holds);
        assumptions.extend([way.paths.guard, something]);
        self.solver.check_within(&mut self.encoder.terms, &assumptions, conflicts)
    }
}

/// Terms by width, the first ones of each; with the more important ones first.
pub(crate) fn by_width(encoder: &Encoder<'_>, mut terms: Vec<(bool, Term)>, most: usize) -> Vec<Vec<Term>> {
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
