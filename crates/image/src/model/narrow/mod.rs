//! Words that provably have few values become short ones.
//!
//! | module | which words | what is kept |
//! |---|---|---|
//! | `lists` | those that only take constants: flags, states, pointers to named objects, functions | which of them |
//! | `ranges` | those that are only compared with constants | between which of them |
//! | here | those with bounds that the interval analysis has proved | the lowest bits |
//!
//! Values are computed at full width and cut when they are stored.

mod lists;
mod ranges;

use super::{Code, Model, Place};
use lists::lists;
use ranges::ranges;
use robusto_analyses::interval::Invariants;
use robusto_analyses::symbolic::Cell;
use robusto_cfa::facts::Facts;
use robusto_cfa::ir::{EdgeId, FuncId, VarId};
use robusto_cpa::control::Location;
use robusto_domains::{Interval, Lattice as _};
use robusto_logic::{Node, Sort, Substitution, Term, Terms};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Alignment of heap objects.
const HEAP_STEP: u64 = 16;

/// Gives words their codes, and rewrites the model with them.
pub(super) fn narrow(model: &mut Model, facts: &Facts, intervals: Option<&Invariants>, heap: u64) {
    let lists = lists(model);
    let mut ranges = ranges(model, &lists);
    let bounds = intervals.map(|intervals| bounds(model, facts, intervals)).unwrap_or_default();
    let mut meaning = Substitution::new();
    let mut coded: FxHashMap<Term, usize> = FxHashMap::default();
    for (number, list) in lists.into_iter().enumerate() {
        let plain = model.words[number].symbol;
        let width = model.terms.width(plain);
        let code = match (list, ranges[number].take()) {
            _ if model.words[number].cell == Cell::HeapTop => heap_top(model, number, heap),
            (_, Some(starts)) => Some((bits_for(starts.len() as u64), Code::Ranges { width, starts })),
            (Some(values), None) => {
                Some((bits_for(values.len() as u64), Code::Listed { width, values: Vec::from_iter(values) }))
            }
            (None, None) => bounds.get(&number).and_then(|interval| low(interval, width)),
        };
        let Some((bits, code)) = code.filter(|&(bits, _)| bits < width) else { continue };
        let name = format!("{}'", model.words[number].name);
        let symbol = model.terms.symbol(&name, Sort::Bits(bits));
        let value = Model::decode(&mut model.terms, &code, symbol);
        meaning.insert(plain, value);
        coded.insert(plain, number);
        model.words[number].symbol = symbol;
        model.words[number].code = code;
    }
    let codes: Vec<(Code, Term)> = model.words.iter().map(|word| (word.code.clone(), word.symbol)).collect();
    let mut coding = Coding { codes, coded, meaning };
    for exit in model.exits.iter_mut().flatten() {
        exit.guard = model.terms.substitute(exit.guard, &mut coding.meaning);
        exit.assign.iter_mut().for_each(|(word, value)| *value = coding.stored(&mut model.terms, *word, *value));
    }
    model.start.iter_mut().for_each(|(word, value)| *value = coding.stored(&mut model.terms, *word, *value));
}

/// Bits for so many values; at least one.
fn bits_for(values: u64) -> u16 {
    (values.next_power_of_two().trailing_zeros() as u16).max(1)
}

/// The lowest bits that suffice for values within bounds.
fn low(interval: &Interval, width: u16) -> Option<(u16, Code)> {
    let (_, most) = interval.unsigned_bounds()?;
    let (lowest, highest) = interval.signed_bounds()?;
    let unsigned = (64 - most.leading_zeros() as u16).max(1);
    // A sign, and the bits up to the first that differs from it.
    let signed = 65 - (lowest ^ lowest >> 63).leading_zeros().min((highest ^ highest >> 63).leading_zeros()) as u16;
    let is_signed = signed < unsigned;
    Some((signed.min(unsigned), Code::Low { width, signed: is_signed }))
}

/// The top of the heap moves in steps, from where it is at the start to the end of the model's heap.
fn heap_top(model: &Model, number: usize, heap: u64) -> Option<(u16, Code)> {
    let (_, start) = model.start.iter().find(|(word, _)| *word == number)?;
    let base = model.terms.as_const(*start)?;
    let width = model.terms.width(model.words[number].symbol);
    Some((bits_for(heap / HEAP_STEP + 1), Code::Steps { width, base, step: HEAP_STEP.into() }))
}

/// What a term may be, as far as its ifs tell.
pub(super) fn leaves_of(terms: &Terms, t: Term) -> BTreeSet<Term> {
    let mut leaves = BTreeSet::new();
    let mut seen = BTreeSet::new();
    let mut todo = vec![t];
    while let Some(t) = todo.pop() {
        if !seen.insert(t) {
            continue;
        }
        match terms.node(t) {
            Node::Ite(_, yes, no) => todo.extend([yes, no]),
            _ => {
                leaves.insert(t);
            }
        }
    }
    leaves
}

/// The codes of all words.
struct Coding {
    /// By word, with its coded symbol.
    codes: Vec<(Code, Term)>,
    /// By the symbol for the plain value.
    coded: FxHashMap<Term, usize>,
    /// Plain values by coded ones.
    meaning: Substitution,
}

impl Coding {
    /// A value as a word stores it: over the coded words, and coded itself.
    fn stored(&mut self, terms: &mut Terms, word: usize, value: Term) -> Term {
        let (code, symbol) = self.codes[word].clone();
        let bits = terms.width(symbol);
        if let Code::Listed { values, .. } = &code {
            return self.position(terms, &code, values, bits, value);
        }
        let value = terms.substitute(value, &mut self.meaning);
        match code {
            Code::Plain | Code::Listed { .. } => value,
            Code::Low { .. } => terms.extract(value, 0, bits),
            Code::Ranges { width, starts } => {
                let mut number = terms.constant(bits, starts.len() as u128 - 1);
                for (position, &start) in starts.iter().enumerate().skip(1).rev() {
                    let (start, below) = (terms.constant(width, start), terms.constant(bits, position as u128 - 1));
                    let is_below = terms.ult(value, start);
                    number = terms.ite(is_below, below, number);
                }
                number
            }
            Code::Steps { width, base, step } => {
                let base = terms.constant(width, base);
                let distance = terms.sub(value, base);
                terms.extract(distance, step.trailing_zeros() as u16, bits)
            }
        }
    }

    /// The position of a value in a list, leaf by leaf of its ifs: so copies of words with the same list stay copies.
    fn position(&mut self, terms: &mut Terms, code: &Code, values: &[u128], bits: u16, value: Term) -> Term {
        let mut done: FxHashMap<Term, Term> = FxHashMap::default();
        let mut stack = vec![value];
        while let Some(&top) = stack.last() {
            if done.contains_key(&top) {
                stack.pop();
                continue;
            }
            if let Node::Ite(cond, yes, no) = terms.node(top) {
                let open: Vec<Term> = [yes, no].into_iter().filter(|t| !done.contains_key(t)).collect();
                if !open.is_empty() {
                    stack.extend(open);
                    continue;
                }
                let cond = terms.substitute(cond, &mut self.meaning);
                let either = terms.ite(cond, done[&yes], done[&no]);
                done.insert(top, either);
                continue;
            }
            let source = self.coded.get(&top).map(|&source| &self.codes[source]);
            let position = match source {
                Some((same, symbol)) if same == code => *symbol,
                _ => {
                    let value = terms.substitute(top, &mut self.meaning);
                    // The first value, unless it is another one: then one of them it is.
                    let mut position = terms.constant(bits, 0);
                    for (other, &listed) in values.iter().enumerate().skip(1) {
                        let (listed, other) =
                            (terms.constant(terms.width(value), listed), terms.constant(bits, other as u128));
                        let is_it = terms.eq(value, listed);
                        position = terms.ite(is_it, other, position);
                    }
                    position
                }
            };
            done.insert(top, position);
        }
        done[&value]
    }
}

/// For words that are variables, the bounds that hold wherever they are live.
fn bounds(model: &Model, facts: &Facts, intervals: &Invariants) -> FxHashMap<usize, Interval> {
    let mut at: FxHashMap<Location, FxHashMap<VarId, Interval>> = FxHashMap::default();
    let mut all: FxHashMap<usize, Interval> = FxHashMap::default();
    for (place, live) in model.places.iter().zip(&model.live) {
        let Place::Control(calls, location) = place else { continue };
        for word in live.iter() {
            let Cell::Var(var, activation) = model.words[word].cell else { continue };
            let width = u32::from(model.terms.width(model.words[word].symbol));
            // Intervals know no wider ones.
            if width > 64 {
                continue;
            }
            let known = where_known(facts, calls, *location, var, activation);
            let known = at
                .entry(known)
                .or_insert_with(|| intervals.at(known.function, known.loc).collect())
                .get(&var)
                .copied()
                .unwrap_or_else(|| Interval::top(width));
            all.entry(word).and_modify(|all| *all = all.join(&known)).or_insert(known);
        }
    }
    all.retain(|_, interval| !interval.is_top());
    all
}

/// The location at which the value was known that a variable has with these pending calls: where the caller waits, for a caller's
/// variable.
pub(crate) fn where_known(
    facts: &Facts,
    calls: &[(FuncId, EdgeId)],
    location: Location,
    var: VarId,
    activation: u32,
) -> Location {
    let Some(owner) = facts.program.vars[var].kind.owner() else { return location };
    let mut pending = calls.iter().filter(|&&(caller, _)| caller == owner);
    match pending.nth(activation as usize) {
        Some(&(caller, edge)) => Location { function: caller, loc: facts.program.functions[caller].edge(edge).src },
        None => location,
    }
}
