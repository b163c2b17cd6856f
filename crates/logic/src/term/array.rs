//! Constructors of the array operators.

use super::BinaryOp::ULt;
use super::{Node, Term, Terms};

/// How far a read walks down writes that are certainly elsewhere. The walk stops soundly wherever it is.
const READ_STEPS: usize = 4096;
/// How many ifs between arrays a read may look through.
const READ_IFS: usize = 16;
/// How far a write looks for an older write that it hides.
const HIDDEN: usize = 16;
/// Copies of at most this many elements become stores.
const SMALL_COPY: u128 = 16;

/// What is known about two indices.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Alias {
    Same,
    Different,
    Unknown,
}

impl Terms {
    fn alias(&self, i: Term, j: Term) -> Alias {
        if i == j {
            return Alias::Same;
        }
        let ((x, c), (y, d)) = (self.offset(i), self.offset(j));
        if x == y {
            return if c == d { Alias::Same } else { Alias::Different };
        }
        Alias::Unknown
    }

    /// The element of an array at an index.
    pub fn select(&mut self, array: Term, index: Term) -> Term {
        let mut ifs = READ_IFS;
        self.read(array, index, &mut ifs)
    }

    /// Recurses at ifs only, and at most [`READ_IFS`] deep.
    fn read(&mut self, mut array: Term, mut index: Term, ifs: &mut usize) -> Term {
        for _ in 0..READ_STEPS {
            match self.node(array) {
                Node::Store(below, at, value) => match self.alias(index, at) {
                    Alias::Same => return value,
                    Alias::Different => array = below,
                    Alias::Unknown => break,
                },
                Node::ConstArray { value, .. } => return value,
                Node::Splice { base, source, to, from, size } => {
                    let distance = self.sub(index, to);
                    let inside = self.fold_binary(ULt, distance, size);
                    match inside.ok().and_then(|t| self.as_const(t)) {
                        Some(0) => array = base,
                        Some(_) => {
                            index = self.add(distance, from);
                            array = source;
                        }
                        None => break,
                    }
                }
                Node::Ite(cond, yes, no) if *ifs > 0 => {
                    *ifs -= 1;
                    let (yes, no) = (self.read(yes, index, ifs), self.read(no, index, ifs));
                    if yes == no {
                        return yes;
                    }
                    // A read that got through on one side at least; else the if stays between the arrays.
                    let stuck = |t: Term| matches!(self.node(t), Node::Select(a, _) if self.as_symbol(a).is_none());
                    if !stuck(yes) && !stuck(no) {
                        return self.ite(cond, yes, no);
                    }
                    break;
                }
                _ => break,
            }
        }
        self.intern(Node::Select(array, index))
    }

    /// The array with one element replaced.
    pub fn store(&mut self, array: Term, index: Term, value: Term) -> Term {
        match self.node(array) {
            Node::ConstArray { value: all, .. } if all == value => return array,
            _ => {}
        }
        if self.node(value) == Node::Select(array, index) {
            return array;
        }
        // An older write to the same index, with only writes to other indices after it, can go.
        let mut between = Vec::new();
        let mut below = array;
        while let Node::Store(next, at, old) = self.node(below)
            && between.len() < HIDDEN
        {
            match self.alias(index, at) {
                Alias::Same => {
                    if between.is_empty() && old == value {
                        return array;
                    }
                    let mut base = next;
                    for &(at, old) in between.iter().rev() {
                        base = self.intern(Node::Store(base, at, old));
                    }
                    return self.intern(Node::Store(base, index, value));
                }
                Alias::Different => between.push((at, old)),
                Alias::Unknown => break,
            }
            below = next;
        }
        self.intern(Node::Store(array, index, value))
    }

    /// The array that has one value everywhere.
    pub fn const_array(&mut self, index: u16, value: Term) -> Term {
        self.intern(Node::ConstArray { index, value })
    }

    /// The array that is `source[i - to + from]` where `i - to <u size`, and `base[i]` elsewhere.
    pub fn splice(&mut self, base: Term, source: Term, to: Term, from: Term, size: Term) -> Term {
        let (index, _) = self.array_widths(base);
        if base == source && to == from {
            return base;
        }
        if let (Node::ConstArray { .. }, true) = (self.node(base), base == source) {
            return base;
        }
        if let Some(count) = self.as_const(size)
            && count <= SMALL_COPY
        {
            let mut result = base;
            for k in 0..count {
                let k = self.constant(index, k);
                let (at, read) = (self.add(to, k), self.add(from, k));
                let value = self.select(source, read);
                result = self.store(result, at, value);
            }
            return result;
        }
        self.intern(Node::Splice { base, source, to, from, size })
    }
}
