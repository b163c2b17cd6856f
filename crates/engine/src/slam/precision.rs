//! The predicates of each procedure.
//!
//! | scope | speaks of | variable of the Boolean program |
//! |---|---|---|
//! | entry | parameters, globals, memory when the procedure is entered | parameter, never assigned |
//! | local | what may be read at a cut point, and the values at the entry | local variable, with a meaning at the cut points where it is tracked |
//! | exit | the result, globals, memory at the exit, and the values at the entry | result |
//!
//! At a call, the callee's entry predicates, of the arguments, are local predicates of the caller. What speaks of values at the
//! entry alone, wherever it is found, is a predicate of the entry.

use crate::procedures::{CutId, CutKind, Procedure, Procedures};
use robusto_analyses::symbolic::Encoder;
use robusto_logic::{Node, Sort, Substitution, Term};
use std::collections::BTreeSet;

/// The predicates of a procedure.
#[derive(Clone, Default, Debug)]
pub struct Scopes {
    /// Those at the entry, over the inputs of a block that starts there.
    pub entry: Vec<Term>,
    /// Those at cut points.
    pub local: Vec<Term>,
    /// By cut point, the numbers of the local predicates that are tracked there.
    pub tracked: Vec<BTreeSet<usize>>,
    /// Those at the exit.
    pub exit: Vec<Term>,
}

/// The predicates of all procedures, by their numbers.
#[derive(Clone, Debug)]
pub struct Precision {
    /// By number of the procedure.
    pub of: Vec<Scopes>,
}

/// What a predicate of a callee is at a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Argument {
    /// The same for all arguments.
    Const(bool),
    /// A local predicate of the caller, or its opposite.
    Local(usize, bool),
}

impl Precision {
    /// No predicate.
    pub fn new(procedures: &Procedures<'_>) -> Self {
        let scopes = |p: &Procedure| Scopes { tracked: vec![BTreeSet::new(); p.cuts.len()], ..Scopes::default() };
        Self { of: procedures.list.iter().map(scopes).collect() }
    }

    /// The values that the program starts with, if its `main` is called again: nothing else tells the first entry from others.
    pub fn initial(&mut self, encoder: &mut Encoder<'_>, procedures: &Procedures<'_>) {
        let initial = encoder.initial();
        for (&cell, &value) in &initial.env {
            if matches!(encoder.sort(cell), Sort::Bits(_)) {
                let input = encoder.input(cell);
                let same = encoder.terms.eq(input, value);
                self.add_entry(encoder, procedures, 0, same);
            }
        }
    }

    /// The conditions of the program: where a link starts, what decides whether it is taken.
    pub fn conditions(&mut self, encoder: &mut Encoder<'_>, procedures: &Procedures<'_>) {
        for (number, procedure) in procedures.list.iter().enumerate() {
            for link in &procedure.links {
                for atom in encoder.terms.atoms(link.formula.guard) {
                    match link.from {
                        CutId::ENTRY => self.add_entry(encoder, procedures, number, atom),
                        cut => self.add_local(encoder, procedures, (number, cut), atom),
                    };
                }
            }
        }
    }

    /// Number of predicates.
    pub fn len(&self) -> usize {
        self.of.iter().map(|s| s.entry.len() + s.local.len() + s.exit.len()).sum()
    }

    /// Adds a predicate at the entry of a procedure; whether it is new and can be told there.
    pub fn add_entry(
        &mut self,
        encoder: &mut Encoder<'_>,
        procedures: &Procedures<'_>,
        number: usize,
        term: Term,
    ) -> bool {
        let procedure = &procedures.list[number];
        let term = at_start(encoder, term);
        let Some((term, _)) = atom(encoder, term) else { return false };
        if procedure.is_start || !speaks_of(encoder, procedure, CutId::ENTRY, term, false) {
            return false;
        }
        insert(&mut self.of[number].entry, term)
    }

    /// Adds a predicate at the exit of a procedure; whether it is new and can be told there.
    pub fn add_exit(
        &mut self,
        encoder: &mut Encoder<'_>,
        procedures: &Procedures<'_>,
        number: usize,
        term: Term,
    ) -> bool {
        let procedure = &procedures.list[number];
        let term = with_constants(encoder, procedure, term);
        let Some((term, _)) = atom(encoder, term) else { return false };
        if is_of_entry(encoder, term) {
            return self.add_entry(encoder, procedures, number, term);
        }
        if procedure.is_start || !speaks_of(encoder, procedure, CutId::EXIT, term, true) {
            return false;
        }
        insert(&mut self.of[number].exit, term)
    }

    /// Adds a predicate at a cut point inside of a procedure; whether it is new and can be told there.
    pub fn add_local(
        &mut self,
        encoder: &mut Encoder<'_>,
        procedures: &Procedures<'_>,
        (number, cut): (usize, CutId),
        term: Term,
    ) -> bool {
        let procedure = &procedures.list[number];
        let inside = matches!(procedure.cut(cut).kind, CutKind::Head | CutKind::Call);
        let term = with_constants(encoder, procedure, term);
        let Some((term, _)) = atom(encoder, term) else { return false };
        if is_of_entry(encoder, term) {
            return self.add_entry(encoder, procedures, number, term);
        }
        if !inside || !speaks_of(encoder, procedure, cut, term, true) {
            return false;
        }
        self.track(number, cut, term)
    }

    fn track(&mut self, number: usize, cut: CutId, term: Term) -> bool {
        let scopes = &mut self.of[number];
        let local = scopes.local.iter().position(|&t| t == term).unwrap_or_else(|| {
            scopes.local.push(term);
            scopes.local.len() - 1
        });
        scopes.tracked[cut.index()].insert(local)
    }

    /// Tracks the callees' entry predicates at the calls; for each procedure and call, what they are there.
    pub fn arguments(&mut self, encoder: &mut Encoder<'_>, procedures: &Procedures<'_>) -> Vec<Vec<Vec<Argument>>> {
        let mut all = Vec::with_capacity(procedures.list.len());
        for (number, procedure) in procedures.list.iter().enumerate() {
            let mut calls = Vec::with_capacity(procedure.calls.len());
            for call in &procedure.calls {
                let callee = procedures.number(call.callee).expect("calls are of kept functions");
                let mut arguments = Vec::new();
                for entry in self.of[callee].entry.clone() {
                    let at_call = call.before(encoder, entry);
                    arguments.push(match encoder.terms.as_const(at_call) {
                        Some(value) => Argument::Const(value == 1),
                        None => {
                            let (term, positive) = plain(encoder, at_call);
                            self.track(number, call.at, term);
                            let local = self.of[number].local.iter().position(|&t| t == term);
                            Argument::Local(local.expect("it is tracked"), positive)
                        }
                    });
                }
                calls.push(arguments);
            }
            all.push(calls);
        }
        all
    }
}

/// The values at the entry that a predicate of the entry speaks of, as [`Encoder::old`] names them.
pub fn at_entry(encoder: &mut Encoder<'_>, term: Term) -> Term {
    let mut map = Substitution::new();
    for symbol in encoder.terms.symbols(term) {
        if let Some(cell) = encoder.cell_of(symbol) {
            let old = encoder.old(cell);
            map.insert_symbol(&encoder.terms, symbol, old);
        }
    }
    encoder.terms.substitute(term, &mut map)
}

/// The other way round: a term over values at the entry, about a state there.
fn at_start(encoder: &mut Encoder<'_>, term: Term) -> Term {
    let mut map = Substitution::new();
    for symbol in encoder.terms.symbols(term) {
        if let Some(cell) = encoder.old_of(symbol) {
            let input = encoder.input(cell);
            map.insert_symbol(&encoder.terms, symbol, input);
        }
    }
    encoder.terms.substitute(term, &mut map)
}

/// A term in which what never changes has the name of its value at the entry.
fn with_constants(encoder: &mut Encoder<'_>, procedure: &Procedure, term: Term) -> Term {
    let mut map = Substitution::new();
    for symbol in encoder.terms.symbols(term) {
        if let Some(cell) = encoder.cell_of(symbol).filter(|cell| procedure.constant.contains(cell)) {
            let old = encoder.old(cell);
            map.insert_symbol(&encoder.terms, symbol, old);
        }
    }
    encoder.terms.substitute(term, &mut map)
}

/// Whether a term speaks of nothing but values at the entry.
fn is_of_entry(encoder: &Encoder<'_>, term: Term) -> bool {
    encoder.terms.symbols(term).into_iter().all(|symbol| encoder.old_of(symbol).is_some())
}

fn insert(list: &mut Vec<Term>, term: Term) -> bool {
    let new = !list.contains(&term);
    if new {
        list.push(term);
    }
    new
}

/// A truth value without negation in front, and whether there was none.
fn plain(encoder: &Encoder<'_>, term: Term) -> (Term, bool) {
    match encoder.terms.node(term) {
        Node::Not(inner) => (inner, false),
        _ => (term, true),
    }
}

/// A predicate, if the term is one that can be true and false.
fn atom(encoder: &Encoder<'_>, term: Term) -> Option<(Term, bool)> {
    let is_predicate = encoder.terms.sort(term) == Sort::BOOL && encoder.terms.as_const(term).is_none();
    is_predicate.then(|| plain(encoder, term))
}

/// Whether a term speaks of values only that can be told at a cut point: those of cells that may be read there, and if
/// `entry`, those at the entry.
fn speaks_of(encoder: &Encoder<'_>, procedure: &Procedure, cut: CutId, term: Term, entry: bool) -> bool {
    encoder.terms.symbols(term).into_iter().all(|symbol| match (encoder.cell_of(symbol), encoder.old_of(symbol)) {
        (Some(cell), _) => procedure.is_readable(encoder, cut, cell),
        (None, Some(cell)) => entry && !procedure.is_start && procedure.is_readable(encoder, CutId::ENTRY, cell),
        (None, None) => false,
    })
}
