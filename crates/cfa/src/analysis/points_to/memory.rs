//! Memory cells: which constraint variables an access reads and writes.
//!
//! An object is cut into words as wide as a pointer. An *exact* cell stands for one word; a *class* for the words
//! `base + k * stride`, which a pointer into an array may hit. An access touches every word that it overlaps. If it
//! covers one aligned word, pointers keep their offset; otherwise it moves parts of pointers, and they keep their object
//! only.
//!
//! Soundness: two accesses that share a byte share a word; so what one writes flows to what the other reads, if the
//! nodes of all sets of words that intersect are connected, which `exact` and `class` see to when they make a node. Let
//! `w` and `r` be a class's nodes for writing and reading, and `c` an exact cell:
//!
//! ```text
//! w(K) → r(L)       for classes K and L that intersect, K = L included
//! w(K) → c → r(K)   for a cell c in K
//! ```

use super::constraints::{Access, Node};
use super::elements::{Base, BaseId, ElemId, Elements};
use super::offset::gcd;
use super::solver::Solver;
use super::{Offset, UnknownPointers};
use crate::ir::{Image, ObjectKind, RelocTarget};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

/// The nodes of an object.
#[derive(Default)]
pub(super) struct Cells {
    exact: HashMap<i64, Node, FxBuildHasher>,
    /// The exact cells in the order of their creation.
    words: Vec<(i64, Node)>,
    classes: Vec<Class>,
    /// Number of words, if known.
    len: Option<i64>,
}

#[derive(Clone, Copy)]
struct Class {
    base: i64,
    stride: u64,
    write: Node,
    read: Node,
}

impl Class {
    fn meets(&self, base: i64, stride: u64) -> bool {
        match gcd(self.stride, stride) {
            0 => self.base == base,
            step => (self.base - base).rem_euclid(step as i64) == 0,
        }
    }
}

/// More classes than this, and new ones become "all words".
const MAX_CLASSES: usize = 12;
/// Words beyond this are not told apart.
const MAX_WORDS: i64 = 1 << 20;

/// The words that an access touches.
pub(super) enum Touched {
    /// One or more nodes; `whole` if it is exactly one word.
    Nodes { nodes: Vec<Node>, whole: bool },
    /// No memory: a function, or beyond the end.
    Nothing,
}

impl<'p> Solver<'p> {
    /// The nodes that an access through an element writes or reads.
    pub(super) fn touch(&mut self, elem: ElemId, access: Access, write: bool) -> Touched {
        let (base, offset) = self.elements.get(elem);
        let base = match self.elements.base(base) {
            Base::Function(_) => return Touched::Nothing,
            Base::Unknown | Base::Indeterminate => {
                let (w, r) = self.class(Elements::OUTSIDE, 0, 1);
                return Touched::Nodes { nodes: vec![if write { w } else { r }], whole: false };
            }
            Base::Object(_) | Base::Site(_) => base,
        };
        self.cells(base);
        let len = self.memory[&base].len;
        let offset = offset.plus(access.at).plus_multiples(access.step);
        let width = self.width;
        let aligned = offset.stride() % width as u64 == 0;
        let size = access.size.min(i64::MAX as u64 / 4) as i64;
        let first = offset.base().div_euclid(width);
        let last = (offset.base() + size.max(1) - 1).div_euclid(width);
        let whole = aligned && offset.base() % width == 0 && size == width;
        let mut nodes = Vec::new();
        if offset.as_exact().is_some() {
            let (first, last) = (first.max(0), last.min(len.unwrap_or(i64::MAX) - 1));
            if first > last {
                return Touched::Nothing;
            }
            if last - first < 64 && last < MAX_WORDS {
                nodes.extend((first..=last).map(|word| self.exact(base, word)));
                return Touched::Nodes { nodes, whole };
            }
        } else if aligned && last - first < 64 {
            for word in first..=last {
                let (w, r) = self.class(base, word, offset.stride() / width as u64);
                nodes.push(if write { w } else { r });
            }
            return Touched::Nodes { nodes, whole };
        }
        let (w, r) = self.class(base, 0, 1);
        Touched::Nodes { nodes: vec![if write { w } else { r }], whole: false }
    }

    /// Sets up an object when it is touched first: its size, and the pointers that it holds at first.
    fn cells(&mut self, base: BaseId) {
        if self.memory.contains_key(&base) {
            return;
        }
        let size = match self.elements.base(base) {
            Base::Object(o) => Some(self.program.objects[o].size),
            Base::Site(s) => self.elements.sites[s].size,
            _ => None,
        };
        // An array of unknown length (`extern int a[];`) has size 0.
        let len = size.filter(|&s| s > 0).map(|s| s.min(i64::MAX as u64 / 2) as i64 + self.width - 1);
        let len = len.map(|bytes| bytes / self.width);
        self.memory.insert(base, Cells { len, ..Cells::default() });
        if let Some(image) = self.image(base) {
            for relocation in &image.relocations {
                let (target, offset) = match relocation.target {
                    RelocTarget::Object(o) => (Base::Object(o), Offset::exact(relocation.addend)),
                    RelocTarget::Function(f) => (Base::Function(f), Offset::exact(0)),
                };
                let target = self.elements.base_id(target);
                let word = relocation.offset as i64 / self.width;
                if relocation.offset as i64 % self.width == 0 {
                    let (cell, elem) = (self.exact(base, word), self.element(target, offset));
                    self.graph.insert(cell, elem);
                } else {
                    let elem = self.element(target, Offset::ANY);
                    for word in [word, word + 1] {
                        let cell = self.exact(base, word);
                        self.graph.insert(cell, elem);
                    }
                }
            }
        }
        if let Base::Site(site) = self.elements.base(base)
            && !self.elements.sites[site].zeroed
        {
            let (w, _) = self.class(base, 0, 1);
            self.graph.insert(w, Elements::INDETERMINATE);
        }
    }

    fn image(&self, base: BaseId) -> Option<&'p Image> {
        let program = self.program;
        match self.elements.base(base) {
            Base::Object(o) => match &program.objects[o].kind {
                ObjectKind::Global(image) | ObjectKind::Constant(image) => Some(image),
                ObjectKind::Local(_) => None,
            },
            _ => None,
        }
    }

    /// Whether a word of the image holds a number other than 0.
    fn has_number(&self, base: BaseId, word: i64) -> bool {
        let Some(image) = self.image(base) else { return false };
        let (start, end) = ((word * self.width) as usize, ((word + 1) * self.width) as usize);
        let bytes = image.bytes.get(start.min(image.bytes.len())..end.min(image.bytes.len())).unwrap_or(&[]);
        bytes.iter().enumerate().any(|(i, &byte)| {
            let at = (start + i) as u64;
            let before = image.relocations.partition_point(|r| r.offset <= at);
            let covered = before > 0 && at < image.relocations[before - 1].offset + self.width as u64;
            byte != 0 && !covered
        })
    }

    /// The node of one word.
    fn exact(&mut self, base: BaseId, word: i64) -> Node {
        if let Some(&node) = self.memory[&base].exact.get(&word) {
            return node;
        }
        let node = self.graph.node();
        let number = self.has_number(base, word);
        let cells = self.memory.get_mut(&base).expect("set up");
        cells.exact.insert(word, node);
        cells.words.push((word, node));
        let meeting: Vec<Class> = cells.classes.iter().filter(|c| c.meets(word, 0)).copied().collect();
        for class in meeting {
            self.graph.copy(class.write, node);
            self.graph.copy(node, class.read);
        }
        if number {
            self.graph.insert(node, Elements::UNKNOWN);
        }
        node
    }

    /// The nodes for writing and reading of all words with a given remainder.
    pub(super) fn class(&mut self, base: BaseId, word: i64, stride: u64) -> (Node, Node) {
        let cells = self.memory.entry(base).or_default();
        let (mut word, mut stride) = (word.rem_euclid(stride as i64), stride);
        let known = |cells: &Cells, word, stride| {
            cells.classes.iter().find(|c| (c.base, c.stride) == (word, stride)).map(|c| (c.write, c.read))
        };
        if let Some(nodes) = known(cells, word, stride) {
            return nodes;
        }
        if cells.classes.len() >= MAX_CLASSES {
            (word, stride) = (0, 1);
            if let Some(nodes) = known(cells, word, stride) {
                return nodes;
            }
        }
        let (write, read) = (self.graph.node(), self.graph.node());
        let class = Class { base: word, stride, write, read };
        let cells = self.memory.get_mut(&base).expect("set up");
        cells.classes.push(class);
        for other in cells.classes.iter().filter(|c| c.meets(word, stride)) {
            self.graph.copy(write, other.read);
            self.graph.copy(other.write, read);
        }
        for &(_, cell) in cells.words.iter().filter(|&&(w, _)| class.meets(w, 0)) {
            self.graph.copy(write, cell);
            self.graph.copy(cell, read);
        }
        // Numbers of the image; an exact cell looks at its own word.
        if self.image(base).is_some_and(|image| image.bytes.iter().any(|&byte| byte != 0)) {
            self.graph.insert(read, Elements::UNKNOWN);
        }
        (write, read)
    }

    /// An element; under [`UnknownPointers::Anywhere`], unknown pointers may point to its object from now on.
    pub(super) fn element(&mut self, base: BaseId, offset: Offset) -> ElemId {
        if self.policy == UnknownPointers::Anywhere && self.exposed.insert(base) {
            self.to_expose.push(base);
        }
        self.elements.elem(base, offset)
    }

    /// Makes an object part of the outside.
    pub(super) fn expose(&mut self, base: BaseId) {
        match self.elements.base(base) {
            Base::Function(function) => self.expose_function(function),
            Base::Object(_) | Base::Site(_) => {
                self.cells(base);
                let (outside_write, outside_read) = self.class(Elements::OUTSIDE, 0, 1);
                let (write, read) = self.class(base, 0, 1);
                self.shift(outside_write, 0, 1, write);
                self.shift(read, 0, 1, outside_read);
            }
            Base::Unknown | Base::Indeterminate => {}
        }
    }
}
