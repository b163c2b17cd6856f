//! The parts of an object that an initialiser speaks of, where a later one may override an earlier one (C11 6.7.9
//! paragraph 19).

use super::extents::Extents;
use crate::lower::layout::BitRange;
use crate::lower::order::acts;
use crate::lower::types::TypeId;
use robusto_syntax::Span;
use robusto_syntax::ast::{Encoding, Expr};
use std::collections::BTreeMap;

/// One scalar (or whole struct, or string) of an object and its initial value.
pub struct Entry<'a> {
    pub offset: u64,
    pub ty: TypeId,
    /// Number of bytes.
    pub size: u64,
    pub bits: Option<BitRange>,
    pub value: Value<'a>,
    /// It overrides a part of an entry before it, which stays.
    pub inside: bool,
}

/// What is stored.
#[derive(Clone, Copy)]
pub enum Value<'a> {
    Expr(&'a Expr<'a>),
    /// A string for an array of characters.
    Str(&'a [u32], Encoding),
}

impl<'a> Value<'a> {
    pub fn expr(self) -> Option<&'a Expr<'a>> {
        match self {
            Value::Expr(e) => Some(e),
            Value::Str(..) => None,
        }
    }
}

impl Entry<'_> {
    fn end(&self) -> u64 {
        self.offset + self.size
    }

    /// Number of bytes that are touched.
    fn extent(&self) -> u64 {
        self.size.max(self.bits.map_or(0, |bits| bits.unit.into()))
    }

    /// Whether the entry lies in a range of bytes. Of a bit-field, the range may be just its bits.
    fn lies_in(&self, from: u64, to: u64, bits: Option<BitRange>) -> bool {
        match (bits, self.bits) {
            (Some(bits), own) => own == Some(bits) && self.offset == from,
            // The bytes of a bit-field's unit may go beyond the struct that it is in.
            (None, Some(own)) => from <= self.offset + u64::from(own.start / 8) && self.offset < to,
            (None, None) => from <= self.offset && self.end() <= to,
        }
    }
}

/// A member of a union that an initialiser speaks of.
#[derive(Clone, Copy)]
struct Chosen {
    union: TypeId,
    /// The number of the member.
    member: usize,
    /// How many bytes of the union there are, and how many of them the member fills.
    size: u64,
    filled: u64,
}

/// The entries found so far.
#[derive(Default)]
pub struct Entries<'a> {
    /// In the order of the text, with gaps where a later one has replaced one.
    list: Vec<Option<Entry<'a>>>,
    /// Why C or the compiler leaves the meaning open, and where.
    pub open: Option<(&'static str, Span)>,
    /// There are more initialisers than elements somewhere, which has been said.
    pub excess: bool,
    /// The end of the entry that reaches furthest.
    end: u64,
    extents: Extents,
    /// The members of unions that are initialised, by where the unions begin.
    members: BTreeMap<u64, Vec<Chosen>>,
}

impl<'a> Entries<'a> {
    pub fn add(&mut self, mut entry: Entry<'a>) {
        let (from, to) = (entry.offset, entry.end());
        if from < self.end && from < to && entry.bits.is_none() {
            entry.inside = self.overlapping(from, to).any(|e| e.bits.is_none() && e.offset < to && from < e.end());
        }
        self.end = self.end.max(to);
        self.extents.insert(from, entry.extent(), self.list.len());
        self.list.push(Some(entry));
    }

    /// How many there are, those counted that were replaced.
    pub fn written(&self) -> usize {
        self.list.len()
    }

    /// The entries in the order of the text.
    pub fn iter(&self) -> impl Iterator<Item = &Entry<'a>> {
        self.list.iter().flatten()
    }

    fn overlapping(&self, from: u64, to: u64) -> impl Iterator<Item = &Entry<'a>> {
        self.extents.overlapping(from, to).filter_map(|entry| self.list[entry].as_ref())
    }

    pub fn leave_open(&mut self, what: &'static str, span: Span) {
        self.open.get_or_insert((what, span));
    }

    /// A part of the object gets a new value: what was said of it before does not count. Whether that is evaluated is
    /// open.
    pub fn replace(&mut self, at: u64, size: u64, bits: Option<BitRange>, span: Span) {
        if at >= self.end {
            return;
        }
        let to = at + size;
        let mut lost = false;
        for number in self.extents.overlapping(at, to).collect::<Vec<_>>() {
            if let Some(entry) = self.list[number].take_if(|entry| entry.lies_in(at, to, bits)) {
                lost |= entry.value.expr().is_some_and(acts);
                self.extents.remove(entry.offset, entry.extent(), number);
            }
        }
        if bits.is_none() {
            let replaced: Vec<u64> = self.members.range(at..to.max(at)).map(|(&base, _)| base).collect();
            for base in replaced {
                self.members.remove(&base);
            }
        }
        if lost {
            self.leave_open("initialiser with side effects that a later one overrides", span);
        }
        // C keeps the other parts of the value, gcc makes them zero. The unit of a bit-field may begin in the member before it.
        let at = at + bits.map_or(0, |bits| u64::from(bits.start / 8));
        let part = |e: &Entry<'_>| e.value.expr().is_some() && e.bits.is_none() && e.offset <= at && at < e.end();
        if self.overlapping(at, at).any(part) {
            self.leave_open("initialiser that overrides a part of a value", span);
        }
    }

    /// A member of a union is to be initialised; of another one, nothing is left.
    pub fn choose_member(&mut self, base: u64, size: u64, union: TypeId, member: usize, span: Span) {
        let known = self.members.get(&base).filter(|_| base < self.end).into_iter().flatten();
        let known = known.rev().find(|known| known.union == union);
        if known.is_some_and(|known| known.member != member) {
            self.replace(base, size, None, span);
        }
    }

    /// A member of a union has been initialised, which counts as long as nothing around it is replaced.
    pub fn set_member(&mut self, base: u64, union: TypeId, member: usize, size: u64, filled: u64) {
        self.members.entry(base).or_default().push(Chosen { union, member, size, filled });
    }

    /// The unions with bytes beside the member that is initialised, which C leaves open (C11 6.2.6.1 paragraph 7): where they
    /// begin, their bytes, and how many of these the member fills; outer ones before those in them.
    pub fn open_unions(&self) -> Vec<(u64, u64, u64)> {
        let chosen = self.members.iter().flat_map(|(&base, members)| members.iter().map(move |chosen| (base, chosen)));
        let open = chosen.filter(|(_, chosen)| chosen.filled < chosen.size);
        let mut open: Vec<_> = open.map(|(base, chosen)| (base, chosen.size, chosen.filled)).collect();
        open.sort_by_key(|&(base, size, _)| (base, std::cmp::Reverse(size)));
        open
    }
}
