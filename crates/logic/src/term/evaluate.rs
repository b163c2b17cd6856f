//! Models, and the value of a term in one.

use super::{Node, Symbol, Term, Terms, float, fold};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// The contents of an array symbol.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct ArrayValue {
    /// Elements at the indices that matter.
    pub elements: BTreeMap<u128, u128>,
    /// Every other element.
    pub default: u128,
}

impl ArrayValue {
    /// The element at an index.
    pub fn get(&self, index: u128) -> u128 {
        self.elements.get(&index).copied().unwrap_or(self.default)
    }
}

/// An assignment: values of bit-vector symbols and contents of array symbols. What it does not mention is 0.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Model {
    pub(crate) bits: FxHashMap<Symbol, u128>,
    pub(crate) arrays: FxHashMap<Symbol, ArrayValue>,
}

impl Model {
    /// The model in which everything is 0.
    pub fn new() -> Self {
        Self::default()
    }

    /// The value of a bit-vector symbol.
    pub fn get(&self, symbol: Symbol) -> u128 {
        self.bits.get(&symbol).copied().unwrap_or(0)
    }

    /// Whether the model gives the symbol a value; any other value would do as well if not.
    pub fn mentions(&self, symbol: Symbol) -> bool {
        self.bits.contains_key(&symbol) || self.arrays.contains_key(&symbol)
    }

    /// Sets the value of a bit-vector symbol.
    pub fn set(&mut self, symbol: Symbol, value: u128) {
        self.bits.insert(symbol, value);
    }

    /// The contents of an array symbol, if the model says something about it.
    pub fn array(&self, symbol: Symbol) -> Option<&ArrayValue> {
        self.arrays.get(&symbol)
    }

    /// Sets the contents of an array symbol.
    pub fn set_array(&mut self, symbol: Symbol, value: ArrayValue) {
        self.arrays.insert(symbol, value);
    }
}

/// Where the values of symbols come from: a model, or a solver's assignment.
pub trait Source {
    /// The value of a bit-vector symbol.
    fn bits(&mut self, terms: &Terms, symbol: Symbol) -> u128;
    /// The element of an array symbol.
    fn element(&mut self, symbol: Symbol, index: u128) -> u128;
}

impl Source for &Model {
    fn bits(&mut self, _: &Terms, symbol: Symbol) -> u128 {
        self.get(symbol)
    }

    fn element(&mut self, symbol: Symbol, index: u128) -> u128 {
        self.array(symbol).map_or(0, |value| value.get(index))
    }
}

/// Evaluates terms in one model and remembers the values.
pub struct Evaluator<'a, S> {
    terms: &'a Terms,
    source: S,
    values: FxHashMap<Term, u128>,
    /// The array whose read is traced, and its decisions so far.
    traced: Option<Term>,
    way: Vec<(Term, bool)>,
}

enum Task {
    /// Find the value of a bit-vector term.
    Value(Term),
    /// Find the value of the first term by reading the array (second) at the index.
    Read(Term, Term, u128),
}

impl<'a, S: Source> Evaluator<'a, S> {
    /// An evaluator that knows no value yet.
    pub fn new(terms: &'a Terms, source: S) -> Self {
        Self { terms, source, values: FxHashMap::default(), traced: None, way: Vec::new() }
    }

    /// Takes a value for granted instead of computing it.
    pub fn assume(&mut self, t: Term, value: u128) {
        self.values.insert(t, value);
    }

    /// The value of a bit-vector term.
    pub fn value(&mut self, t: Term) -> u128 {
        if let Some(&value) = self.values.get(&t) {
            return value;
        }
        self.run(Task::Value(t));
        self.values[&t]
    }

    /// The element of an array term at an index.
    pub fn element(&mut self, array: Term, index: u128) -> u128 {
        // The result is filed under the array's own number, which no bit-vector has, and taken out at once.
        self.run(Task::Read(array, array, index));
        self.values.remove(&array).expect("the read was done")
    }

    /// The element of an array term at an index, with the way to it: every operation passed, and whether the read ended
    /// there (a store) or went on in the first of its two arrays (an if; the source of a splice).
    pub fn trace(&mut self, array: Term, index: u128) -> (u128, Vec<(Term, bool)>) {
        self.traced = Some(array);
        let value = self.element(array, index);
        self.traced = None;
        (value, std::mem::take(&mut self.way))
    }

    /// Reads inside indices and conditions are not traced: their target is a bit-vector.
    fn note(&mut self, target: Term, array: Term, first: bool) {
        if self.traced == Some(target) {
            self.way.push((array, first));
        }
    }

    fn run(&mut self, first: Task) {
        let mut stack = vec![first];
        while let Some(task) = stack.pop() {
            match task {
                Task::Value(t) => self.step(t, &mut stack),
                Task::Read(target, array, index) => self.read(target, array, index, &mut stack),
            }
        }
    }

    /// Looks values up; what is missing is put on the stack above `again`.
    fn need<const N: usize>(&mut self, wanted: [Term; N], again: Task, stack: &mut Vec<Task>) -> Option<[u128; N]> {
        let mut values = [0; N];
        let mut missing = [None; N];
        for ((value, miss), t) in values.iter_mut().zip(&mut missing).zip(wanted) {
            match self.values.get(&t) {
                Some(&known) => *value = known,
                None => match self.terms.node(t) {
                    Node::Const { bits, .. } => *value = bits,
                    Node::Symbol(symbol) => *value = self.source.bits(self.terms, symbol),
                    _ => *miss = Some(t),
                },
            }
        }
        if missing.iter().all(Option::is_none) {
            return Some(values);
        }
        stack.push(again);
        stack.extend(missing.into_iter().flatten().map(Task::Value));
        None
    }

    fn step(&mut self, t: Term, stack: &mut Vec<Task>) {
        if self.values.contains_key(&t) {
            return;
        }
        let width = self.terms.width(t);
        let again = Task::Value(t);
        let value = match self.terms.node(t) {
            Node::Const { bits, .. } => Some(bits),
            Node::Symbol(symbol) => Some(self.source.bits(self.terms, symbol)),
            Node::Not(a) => self.need([a], again, stack).map(|[a]| !a),
            Node::Neg(a) => self.need([a], again, stack).map(|[a]| a.wrapping_neg()),
            Node::Binary(op, a, b) => {
                let width = self.terms.width(a);
                self.need([a, b], again, stack).map(|[x, y]| fold::binary(op, width, x, y))
            }
            Node::Ite(cond, yes, no) => match self.need([cond], Task::Value(t), stack) {
                Some([0]) => self.need([no], again, stack).map(|[x]| x),
                Some(_) => self.need([yes], again, stack).map(|[x]| x),
                None => None,
            },
            Node::Extract { arg, lo, .. } => self.need([arg], again, stack).map(|[x]| x >> lo),
            Node::Concat(high, low) => {
                let below = self.terms.width(low);
                self.need([high, low], again, stack).map(|[x, y]| (x << below) | y)
            }
            Node::ZExt(a, _) => self.need([a], again, stack).map(|[x]| x),
            Node::SExt(a, _) => {
                let old = self.terms.width(a);
                self.need([a], again, stack).map(|[x]| fold::signed(old, x) as u128)
            }
            Node::Float(op, a, b, _) => {
                let (v, w) = (self.terms.width(a), self.terms.width(b));
                self.need([a, b], again, stack).map(|[x, y]| float::value(op, v, w, width, x, y))
            }
            Node::Select(array, at) => {
                if let Some([at]) = self.need([at], again, stack) {
                    stack.push(Task::Read(t, array, at));
                }
                None
            }
            Node::Store(..) | Node::ConstArray { .. } | Node::Splice { .. } => unreachable!("an array has no width"),
        };
        if let Some(value) = value {
            self.values.insert(t, fold::mask(width, value));
        }
    }

    fn read(&mut self, target: Term, mut array: Term, mut index: u128, stack: &mut Vec<Task>) {
        let (index_width, element) = self.terms.array_widths(array);
        let value = loop {
            let again = Task::Read(target, array, index);
            match self.terms.node(array) {
                Node::Symbol(symbol) => break self.source.element(symbol, index),
                Node::ConstArray { value, .. } => match self.need([value], again, stack) {
                    Some([value]) => break value,
                    None => return,
                },
                Node::Store(below, at, value) => match self.need([at], Task::Read(target, array, index), stack) {
                    Some([at]) if at == index => match self.need([value], again, stack) {
                        Some([value]) => {
                            self.note(target, array, true);
                            break value;
                        }
                        None => return,
                    },
                    Some(_) => {
                        self.note(target, array, false);
                        array = below;
                    }
                    None => return,
                },
                Node::Ite(cond, yes, no) => match self.need([cond], again, stack) {
                    Some([cond]) => {
                        self.note(target, array, cond == 1);
                        array = if cond == 1 { yes } else { no };
                    }
                    None => return,
                },
                Node::Splice { base, source, to, from, size } => match self.need([to, from, size], again, stack) {
                    Some([to, from, size]) => {
                        let distance = fold::mask(index_width, index.wrapping_sub(to));
                        self.note(target, array, distance < size);
                        if distance < size {
                            index = fold::mask(index_width, distance.wrapping_add(from));
                            array = source;
                        } else {
                            array = base;
                        }
                    }
                    None => return,
                },
                node => unreachable!("{node:?} is no array"),
            }
        };
        self.values.insert(target, fold::mask(element, value));
    }
}

impl Terms {
    /// The value of a bit-vector term in a model.
    pub fn evaluate(&self, t: Term, model: &Model) -> u128 {
        Evaluator::new(self, model).value(t)
    }
}
