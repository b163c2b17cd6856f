//! Arrays and arithmetic of floats, on demand.
//!
//! The clauses know a read of an array as free bits, unless it goes through few writes. After the SAT solver has found an
//! assignment, the reads that the query depends on are compared with what they mean in it, and lemmas are added for
//! those that differ (Brummayer and Biere, *Lemmas on Demand for the Extensional Theory of Arrays*, JSAT 6, 2009; here
//! there is no equality of arrays, so reads are all there is; floats are treated alike):
//!
//! * two reads of one array symbol at the same index with different values: `i = j → a[i] = a[j]`;
//! * a read whose value is not that of the write, if or splice it ends at: the read-over-write axioms along the way
//!   from the read to that place, `b{[j] = v}[i] = (i = j ? v : b[i])`;
//! * an operator on floats whose result is not that of its operands: its circuit. A proof often needs none of them, and a
//!   circuit has thousands of gates, so bounds are asked before the first one (`prune`). A remainder gets a circuit for as many
//!   digits of the quotient as the assignment needs, rounded up, and what holds of all others ([`Division`]).
//!
//! *Exact*: lemmas are valid, so "unsatisfiable" stands; and an assignment without violation gives each array symbol a
//! finite table in which every read evaluates to its bits. *Terminating*: the axioms in question are finitely many and
//! each is added once.

use super::prune::Turns;
use super::sat::View;
use super::{Query, Solver};
use crate::blast::aig::Lit;
use crate::blast::float::{Division, all_digits};
use crate::blast::{Blaster, definition};
use crate::term::{Evaluator, FloatKind, Node, Source, Symbol, Term, Terms, float};
use robusto_limits::Stopped;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// How many writes behind the one that an assignment reads are spelt out with it. 50 reads through 50 writes at free
/// indices take 0.9 s with it, 7 s without.
const BEYOND: usize = 32;

/// Contents of array symbols in the assignment found last, with the terms they were read by.
#[derive(Default)]
pub(super) struct Tables {
    pub(super) elements: FxHashMap<(Symbol, u128), (u128, Term)>,
}

impl Tables {
    pub(super) fn clear(&mut self) {
        self.elements.clear();
    }
}

/// The reads and operators on floats below terms, by term.
#[derive(Default)]
pub(super) struct Relevant(FxHashMap<Term, Rc<[Term]>>);

impl Relevant {
    /// The reads and operators with free bits that the gates of a term depend on.
    fn of(&mut self, terms: &Terms, blaster: &Blaster, t: Term) -> Rc<[Term]> {
        if let Some(known) = self.0.get(&t) {
            return known.clone();
        }
        let mut seen = FxHashSet::default();
        let mut found = Vec::new();
        let mut stack = vec![t];
        while let Some(t) = stack.pop() {
            if !blaster.is_lazy(t) || !seen.insert(t) {
                continue;
            }
            match terms.node(t) {
                Node::Select(_, index) => match blaster.expanded(t) {
                    Some(same) => stack.push(same),
                    None => {
                        found.push(t);
                        stack.push(index);
                    }
                },
                node => {
                    if blaster.is_postponed(node) {
                        found.push(t);
                    }
                    stack.extend(node.operands().iter());
                }
            }
        }
        found.sort_unstable();
        let found: Rc<[Term]> = found.into();
        self.0.insert(t, found.clone());
        found
    }
}

/// The assignment as a source of values for terms that were never translated.
struct Assignment<'a, 'v> {
    view: &'a mut View<'v>,
    tables: &'a Tables,
}

impl Source for Assignment<'_, '_> {
    fn bits(&mut self, terms: &Terms, symbol: Symbol) -> u128 {
        self.view.symbol(terms, symbol)
    }

    fn element(&mut self, symbol: Symbol, index: u128) -> u128 {
        self.tables.elements.get(&(symbol, index)).map_or(0, |&(value, _)| value)
    }
}

/// A read that differs from its meaning, with the way through the array: at each operation, whether the read ends there
/// (a store), or goes to the first of its two arrays (an if, a splice).
struct Violation {
    read: Term,
    way: FxHashMap<Term, bool>,
}

/// What became of an assignment.
pub(super) enum Refined {
    /// Nothing is wrong with it.
    Nothing,
    /// Lemmas exclude it.
    Lemmas,
    /// There is no model at all.
    Refuted,
}

impl Solver {
    /// Adds lemmas that the assignment violates.
    pub(super) fn refine(
        &mut self,
        terms: &mut Terms,
        query: Query<'_>,
        turns: &mut Turns,
    ) -> Result<Refined, Stopped> {
        self.tables.clear();
        let reads = self.reads(terms, query);
        if reads.is_empty() {
            return Ok(Refined::Nothing);
        }
        let mut view = View::new(&mut self.sat, &self.blaster);
        let mut values = Vec::with_capacity(reads.len());
        let (mut clashes, mut wrong) = (Vec::new(), Vec::new());
        for &read in &reads {
            let value = view.word(terms, read);
            values.push(value);
            let other = match terms.node(read) {
                Node::Select(array, index) => match terms.as_symbol(array) {
                    Some(symbol) => {
                        let index = view.word(terms, index);
                        *self.tables.elements.entry((symbol, index)).or_insert((value, read))
                    }
                    None => continue,
                },
                Node::Float(op, a, b, width) => {
                    let (x, y) = (view.word(terms, a), view.word(terms, b));
                    if value != float::value(op, terms.width(a), terms.width(b), width, x, y) {
                        wrong.push((read, (x, y)));
                    }
                    continue;
                }
                node => unreachable!("{node:?} is no read"),
            };
            if other.0 != value {
                clashes.push((other.1, read));
            }
        }
        for &(a, b) in &clashes {
            self.congruence(terms, a, b)?;
        }
        if !wrong.is_empty() && turns.is_first() && self.prune(terms, query, turns)? {
            return Ok(Refined::Refuted);
        }
        for &(read, operands) in &wrong {
            match terms.node(read) {
                Node::Float(op, ..) if matches!(op.kind, FloatKind::Fmod | FloatKind::Remainder) => {
                    self.divide(terms, read, operands);
                }
                _ => self.compute(terms, read),
            }
        }
        if !clashes.is_empty() || !wrong.is_empty() {
            return Ok(Refined::Lemmas);
        }
        let violations = self.violations(terms, &reads, &values);
        for violation in &violations {
            self.define_along(terms, violation)?;
        }
        Ok(if violations.is_empty() { Refined::Nothing } else { Refined::Lemmas })
    }

    /// All reads that the query depends on, through the definitions added so far.
    fn reads(&mut self, terms: &Terms, query: Query<'_>) -> Vec<Term> {
        let mut seen = FxHashSet::default();
        let mut reads = Vec::new();
        let mut todo: Vec<Term> = Vec::new();
        todo.extend(self.lazy_assertions.iter());
        todo.extend(query.assumptions.iter().chain(query.watched).filter(|&&t| self.blaster.is_lazy(t)));
        while let Some(root) = todo.pop() {
            for &read in self.relevant.of(terms, &self.blaster, root).iter() {
                if seen.insert(read) {
                    reads.push(read);
                    todo.extend(self.definitions.get(&read));
                }
            }
        }
        reads.sort_unstable();
        reads
    }

    fn violations(&mut self, terms: &Terms, reads: &[Term], values: &[u128]) -> Vec<Violation> {
        let mut view = View::new(&mut self.sat, &self.blaster);
        let open: Vec<(Term, Term, u128, u128)> = reads
            .iter()
            .zip(values)
            .filter_map(|(&read, &value)| match terms.node(read) {
                Node::Select(array, index)
                    if terms.as_symbol(array).is_none() && !self.definitions.contains_key(&read) =>
                {
                    Some((read, array, view.word(terms, index), value))
                }
                _ => None,
            })
            .collect();
        let mut evaluator = Evaluator::new(terms, Assignment { view: &mut view, tables: &self.tables });
        for (&read, &value) in reads.iter().zip(values) {
            evaluator.assume(read, value);
        }
        let mut violations = Vec::new();
        for (read, array, index, value) in open {
            let (meaning, way) = evaluator.trace(array, index);
            if meaning != value {
                violations.push(Violation { read, way: way.into_iter().collect() });
            }
        }
        violations
    }

    /// Equal indices give equal elements.
    fn congruence(&mut self, terms: &mut Terms, a: Term, b: Term) -> Result<(), Stopped> {
        let (Node::Select(_, i), Node::Select(_, j)) = (terms.node(a), terms.node(b)) else {
            unreachable!("only reads of the same array clash")
        };
        let same = terms.eq(i, j);
        let result = terms.eq(a, b);
        let lemma = terms.implies(same, result);
        self.lemma(terms, lemma)
    }

    /// Ties the bits of an operator on floats to its circuit.
    fn compute(&mut self, terms: &Terms, t: Term) {
        self.statistics.float_circuits += 1;
        let circuit = self.blaster.float(terms, t);
        self.tie(terms, t, &circuit, Lit::TRUE);
    }

    /// Ties the bits of a term to gates, under a condition.
    fn tie(&mut self, terms: &Terms, t: Term, gates: &[Lit], condition: Lit) {
        let condition = self.sat.literal(&self.blaster.aig, condition);
        for (i, &gate) in gates.iter().enumerate() {
            let bit = self.blaster.bits(terms, t)[i];
            let (bit, gate) = (self.sat.literal(&self.blaster.aig, bit), self.sat.literal(&self.blaster.aig, gate));
            self.sat.clause(&[-condition, -bit, gate]);
            self.sat.clause(&[-condition, bit, -gate]);
        }
    }

    /// Ties the bits of a remainder to a circuit with enough digits for some operands.
    fn divide(&mut self, terms: &Terms, t: Term, (x, y): (u128, u128)) {
        self.statistics.float_circuits += 1;
        let format = float::Format::of(terms.width(t));
        let exponent = |bits: u128| match (bits & !format.sign()) >> format.fraction {
            // Below that of normal numbers by the zeros that lead the fraction.
            0 => 128 - (bits & !format.sign()).leading_zeros() as usize,
            field => field as usize + format.fraction,
        };
        let needed = exponent(x).saturating_sub(exponent(y)).max(1);
        let digits = needed.next_power_of_two().min(all_digits(format));
        let Division { result, fits, limit, sign } = self.blaster.divide(terms, t, digits);
        self.tie(terms, t, &result, fits);
        let nearest = matches!(terms.node(t), Node::Float(op, ..) if op.kind == FloatKind::Remainder);
        let bits = self.blaster.bits(terms, t).to_vec();
        let (magnitude, flag) = bits.split_at(bits.len() - 1);
        let aig = &mut self.blaster.aig;
        let (smaller, differs) = (aig.ult(magnitude, &limit), aig.xor(flag[0], sign));
        let smaller = self.sat.literal(&self.blaster.aig, smaller);
        let (fits, differs) = (self.sat.literal(&self.blaster.aig, fits), self.sat.literal(&self.blaster.aig, differs));
        self.sat.clause(&[fits, smaller]);
        if !nearest {
            self.sat.clause(&[fits, -differs]);
        }
    }

    /// Defines a read by what is one operation down, then that read, and so on along the way that the assignment takes,
    /// and some writes further: the next assignment would only move the index past the write where this one ended.
    fn define_along(&mut self, terms: &mut Terms, violation: &Violation) -> Result<(), Stopped> {
        let mut read = violation.read;
        let mut beyond = 0;
        while let Node::Select(array, index) = terms.node(read)
            && terms.as_symbol(array).is_none()
        {
            if !self.definitions.contains_key(&read) {
                let meaning = definition(terms, array, index);
                let lemma = terms.eq(read, meaning);
                self.lemma(terms, lemma)?;
                self.blaster.blast(terms, meaning, self.sat.limits())?;
                self.definitions.insert(read, meaning);
            }
            let way = violation.way.get(&array).copied();
            beyond += usize::from(way.is_none());
            if beyond > BEYOND {
                break;
            }
            if let Node::Store(below, ..) = terms.node(array) {
                read = terms.select(below, index);
                continue;
            }
            let Some(first) = way else { break };
            read = match terms.node(array) {
                Node::Ite(_, yes, no) => terms.select(if first { yes } else { no }, index),
                Node::Splice { source, to, from, .. } if first => {
                    let distance = terms.sub(index, to);
                    let index = terms.add(distance, from);
                    terms.select(source, index)
                }
                Node::Splice { base, .. } => terms.select(base, index),
                node => unreachable!("{node:?} was handled"),
            };
        }
        Ok(())
    }

    fn lemma(&mut self, terms: &mut Terms, lemma: Term) -> Result<(), Stopped> {
        self.statistics.array_lemmas += 1;
        self.blaster.blast(terms, lemma, self.sat.limits())?;
        let bit = self.blaster.bits(terms, lemma)[0];
        let literal = self.sat.literal(&self.blaster.aig, bit);
        self.sat.clause(&[literal]);
        Ok(())
    }
}
