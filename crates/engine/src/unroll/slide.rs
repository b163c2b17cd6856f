//! Many iterations of a loop in one step, where a closed form says what they do.
//!
//! Frohn, Giesl: *Integrating loop acceleration into bounded model checking*, FM 2024. At the head of a loop, the unrolling
//! first slides: n iterations at once, for an n that the solver chooses, 0 included. Then an iteration is unrolled as always,
//! so that errors inside of the loop and its exits are found from every state that sliding leads to.
//!
//! | the paper | here |
//! |---|---|
//! | accelerated transition | [`Closed`]: values after n iterations, and which n there are |
//! | learned transition, added to the relation | [`Slides::slide`]: before each unrolled iteration |
//! | blocking clauses | [`Slides::leave`]: an iteration that sliding covers is not unrolled |
//!
//! A closed form that is *complete* covers every row of iterations that start where [`Closed::when`] holds. Of an execution,
//! take as many of these as come one after the other: what follows is no such iteration, or does not come back to the head. So
//! iterations that start where `when` holds and come back need not be unrolled, and a loop with one path has nothing
//! beyond its first unrolled iteration: that is how whole loops are proved. With several closed forms at one head, each takes
//! as many iterations as it can before the next one has its turn.
//!
//! Soundness: of errors, they are replayed. Of proofs, [`crate::certify`] shows by induction over n that complete closed forms
//! are what they claim to be; this module is trusted as the rest of the unrolling is.

use super::{ContextId, NodeId, Place, binomial};
use robusto_analyses::symbolic::{Cell, Encoder, PathFormula};
use robusto_cpa::control::Location;
use robusto_interp::EdgeRef;
use robusto_logic::{Sort, Substitution, Term};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// What n iterations of a loop in a row do.
#[derive(Clone, Debug)]
pub struct Closed {
    /// The head of the loop.
    pub head: Location,
    /// The symbol for n.
    pub count: Term,
    /// Which iterations are meant, by the values that they start with.
    pub when: Term,
    /// Which n there are, for the values before the first iteration.
    pub valid: Term,
    /// The values after n iterations, of the cells that change, in terms of those before the first one, of n, and of binomial
    /// coefficients of n ([`binomial`]).
    pub values: Vec<(Cell, Term)>,
    /// Whether every row of iterations that start where `when` holds is covered.
    pub complete: bool,
    /// The edges of an iteration that ask for a value, and the symbols of these values, which all iterations have in common.
    pub asks: Vec<(EdgeRef, Option<Term>)>,
    /// What must hold of these values.
    pub asked: Term,
    /// How many iterations there are before one that starts elsewhere, if the first one starts where `when` holds; where that is
    /// known. Nothing is proved with it.
    pub times: Option<Term>,
}

/// A row of iterations in an unrolled program.
#[derive(Clone, Debug)]
pub struct Slid {
    /// What they do.
    pub closed: Rc<Closed>,
    /// How many they are.
    pub count: Term,
    /// Which copies of the symbols of choices they have.
    instance: u32,
}

impl Slid {
    /// All iterations that there are, after a path.
    pub fn all(encoder: &mut Encoder<'_>, closed: &Rc<Closed>, from: &PathFormula) -> Option<Self> {
        let mut slid = Self { closed: closed.clone(), count: closed.count, instance: 0 };
        slid.count = slid.condition(encoder, from, closed.times?);
        Some(slid)
    }

    /// The values that iterations choose, in their order.
    pub fn asks(&self, encoder: &mut Encoder<'_>) -> Vec<(EdgeRef, Option<Term>)> {
        let copy = |&(edge, symbol): &(EdgeRef, Option<Term>)| {
            (edge, symbol.map(|symbol| encoder.instance(symbol, self.instance)))
        };
        self.closed.asks.iter().map(copy).collect()
    }

    /// The values after it.
    pub fn apply(&self, encoder: &mut Encoder<'_>, from: &PathFormula) -> PathFormula {
        let roots: Vec<Term> = self.closed.values.iter().map(|&(_, value)| value).collect();
        let mut map = self.start(encoder, from, &roots);
        let mut after = from.clone();
        for &(cell, value) in &self.closed.values {
            let value = encoder.terms.substitute(value, &mut map);
            after.env.insert(cell, value);
        }
        after
    }

    /// Replaces what a closed form speaks of by the values before it.
    fn start(&self, encoder: &mut Encoder<'_>, from: &PathFormula, roots: &[Term]) -> Substitution {
        let mut map = Substitution::new();
        for t in encoder.terms.subterms(roots) {
            let Some(symbol) = encoder.terms.as_symbol(t) else { continue };
            if t == self.closed.count {
                map.insert(t, self.count);
            } else if let Some(cell) = encoder.cell_of(symbol) {
                let value = encoder.value(from, cell);
                map.insert(t, value);
            } else if let Some(j) = binomial::chosen(&encoder.terms, symbol) {
                let width = encoder.terms.width(t);
                let value = binomial::value(&mut encoder.terms, self.count, j, width);
                map.insert(t, value);
            } else {
                let copy = encoder.instance(t, self.instance);
                map.insert(t, copy);
            }
        }
        map
    }

    /// A condition on the values before it, or another term over them.
    pub fn condition(&self, encoder: &mut Encoder<'_>, from: &PathFormula, condition: Term) -> Term {
        let mut map = self.start(encoder, from, &[condition]);
        encoder.terms.substitute(condition, &mut map)
    }
}

/// The closed forms of an unrolled program, and where it slid.
#[derive(Default)]
pub(super) struct Slides {
    closed: FxHashMap<Location, Vec<Rc<Closed>>>,
    slid: FxHashMap<NodeId, Vec<Slid>>,
    /// For each iteration of a loop that began with a slide: the paths to it, and where its iteration is covered by the slide.
    /// There are several if control comes there again after the bound was raised; they exclude each other.
    covered: FxHashMap<ContextId, Vec<(Term, Term)>>,
    instances: u32,
}

impl Slides {
    pub fn new(closed: impl IntoIterator<Item = Rc<Closed>>) -> Self {
        let mut slides = Self::default();
        for one in closed {
            slides.closed.entry(one.head).or_default().push(one);
        }
        slides
    }

    pub fn is_at(&self, location: Location) -> bool {
        self.closed.contains_key(&location)
    }

    /// Where control slid at a node.
    pub fn at(&self, node: NodeId) -> &[Slid] {
        self.slid.get(&node).map_or(&[], Vec::as_slice)
    }

    /// Slides, at the head of a loop.
    pub fn slide(&mut self, encoder: &mut Encoder<'_>, node: NodeId, place: Place, from: PathFormula) -> PathFormula {
        let mut at = from;
        // Where the next iteration is one that the slides so far should have taken.
        let mut covered = encoder.terms.no();
        for closed in self.closed[&place.location].clone() {
            self.instances += 1;
            let width = encoder.terms.width(closed.count);
            let count = encoder.terms.fresh("count", Sort::Bits(width));
            let slid = Slid { closed, count, instance: self.instances };
            let Closed { valid, asked, when, complete, .. } = *slid.closed;
            let zero = encoder.terms.constant(width, 0);
            let none = encoder.terms.eq(count, zero);
            let valid = slid.condition(encoder, &at, valid);
            let asked = slid.condition(encoder, &at, asked);
            let sooner = encoder.terms.not(covered);
            let some = encoder.terms.and(asked, sooner);
            let some = encoder.terms.or(none, some);
            let condition = encoder.terms.and(valid, some);
            at = slid.apply(encoder, &at);
            encoder.restrict(&mut at, condition);
            covered = encoder.terms.and(none, covered);
            if complete {
                let again = slid.condition(encoder, &at, when);
                covered = encoder.terms.or(covered, again);
            }
            self.slid.entry(node).or_default().push(slid);
        }
        self.covered.entry(place.context).or_default().push((at.guard, covered));
        at
    }

    /// Leaves out, where an iteration is back at the head, what sliding covers; whether anything is left.
    pub fn leave(&self, encoder: &mut Encoder<'_>, before: ContextId, after: &mut PathFormula) -> bool {
        let Some(paths) = self.covered.get(&before) else { return true };
        for &(guard, covered) in paths {
            // Whoever came into the loop elsewhere has not slid.
            let covered = encoder.terms.and(guard, covered);
            let new = encoder.terms.not(covered);
            encoder.restrict(after, new);
        }
        !encoder.terms.is_false(after.guard)
    }
}
