//! Memory cells: which constraint variables an access reads and writes.
//!
//! An object is cut into words as wide as a pointer. An *exact* cell stands for one word; a *class* for the words
//! `base + k * stride`, which a pointer into an array may hit. An access touches every word that it overlaps. Unless it
//! covers exactly one word, it may move parts of pointers: what has been put together from parts is the pointer that
//! they come from, or else a number ([`Base::Indeterminate`]).
//!
//! Soundness: two accesses that share a byte share a word; so what one writes flows to what the other reads, if the
//! nodes of all sets of words that intersect are connected, which `exact` and `class` see to when they make a node. Let
//! `w` and `r` be a class's nodes for writing and reading, and `c` an exact cell:
//!
//! If offsets are not told apart, an object is one cell, and all cells that a pointer may point to are one (Steensgaard:
//! *Points-to analysis in almost linear time*, POPL 1996, for memory; variables keep their own sets).
//!
//! ```text
//! w(K) → r(L)       for classes K and L that intersect, K = L included
//! w(K) → c → r(K)   for a cell c in K
//! ```

use super::constraints::{Access, Node};
use super::elements::{Base, BaseId, ElemId, Elements, Site, SiteId};
use super::offset::gcd;
use super::solver::Solver;
use super::unset::unset;
use super::{Offset, UnknownPointers};
use crate::ir::{Idx, Image, ObjectKind, Outside, RelocTarget};
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

impl Cells {
    /// The nodes for reading, those of one word with its offset in bytes.
    pub fn places(&self, width: i64) -> Vec<(Option<i64>, Node)> {
        let words = self.words.iter().map(|&(word, node)| (Some(word * width), node));
        words.chain(self.classes.iter().map(|class| (None, class.read))).collect()
    }
}

/// The words `base + k * stride`.
#[derive(Clone, Copy)]
pub(super) struct Class {
    base: i64,
    stride: u64,
    write: Node,
    read: Node,
}

impl Class {
    fn of(&self, write: bool) -> Node {
        if write { self.write } else { self.read }
    }

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

/// What an access touches.
pub(super) enum Touched {
    /// Exactly one word.
    Word(Node),
    /// Words, possibly in part.
    Parts(Vec<Node>),
    /// No memory: a function, or beyond the end.
    Nothing,
}

impl<'p> Solver<'p> {
    /// The nodes that an access through an element writes or reads.
    pub(super) fn touch(&mut self, elem: ElemId, access: Access, write: bool) -> Touched {
        let elem = self.elements.accessed(elem, access.at, access.step);
        if (access.size as i64 == self.width || self.elements.coarse)
            && let Some(&Some(cell)) = self.word_cells.get(elem.index())
        {
            return Touched::Word(cell);
        }
        let touched = self.find_cells(elem, access.size, write);
        let one = self.elements.coarse || self.elements.get(elem).1.as_exact().is_some();
        if let (Touched::Word(cell), true) = (&touched, one) {
            if self.word_cells.len() <= elem.index() {
                self.word_cells.resize(elem.index() + 1, None);
            }
            self.word_cells[elem.index()] = Some(*cell);
        }
        touched
    }

    fn find_cells(&mut self, elem: ElemId, size: u64, write: bool) -> Touched {
        let (base, offset) = self.elements.get(elem);
        let width = self.width;
        match self.elements.base(base) {
            Base::Function(_) => return Touched::Nothing,
            Base::Indeterminate if self.policy == UnknownPointers::Outside => return Touched::Nothing,
            Base::Unknown | Base::Indeterminate => {
                let cell = self.class(Elements::OUTSIDE, 0, 1).of(write);
                let whole = self.policy == UnknownPointers::Outside && size as i64 == width;
                return if whole { Touched::Word(cell) } else { Touched::Parts(vec![cell]) };
            }
            Base::Object(_) | Base::Site(_) => {}
        }
        self.cells(base);
        if self.elements.coarse {
            return Touched::Word(self.class(base, 0, 1).of(write));
        }
        let len = self.memory[&base].len;
        let aligned = offset.stride() % width as u64 == 0;
        let size = size.min(i64::MAX as u64 / 4) as i64;
        let first = offset.base().div_euclid(width);
        let last = (offset.base() + size.max(1) - 1).div_euclid(width);
        let whole = aligned && offset.base() % width == 0 && size == width;
        let nodes: Vec<Node> = if offset.as_exact().is_some() {
            let (first, last) = (first.max(0), last.min(len.unwrap_or(i64::MAX) - 1));
            if first > last {
                return Touched::Nothing;
            }
            if last - first < 64 && last < MAX_WORDS {
                (first..=last).map(|word| self.exact(base, word)).collect()
            } else {
                vec![self.class(base, 0, 1).of(write)]
            }
        } else if aligned && last - first < 64 {
            let stride = offset.stride() / width as u64;
            (first..=last).map(|word| self.class(base, word, stride).of(write)).collect()
        } else {
            vec![self.class(base, 0, 1).of(write)]
        };
        if whole && nodes.len() == 1 { Touched::Word(nodes[0]) } else { Touched::Parts(nodes) }
    }

    /// Sets up an object when it is touched first: its size, and the pointers that it holds at first.
    fn cells(&mut self, base: BaseId) {
        if self.memory.contains_key(&base) {
            return;
        }
        let len = self.elements.size(base).map(|size| (size + self.width - 1) / self.width);
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
            let all = self.class(base, 0, 1);
            self.graph.insert(all.write, Elements::INDETERMINATE);
            self.unset_site(site);
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
        let node = self.graph.cell();
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
            self.graph.insert(node, self.number());
        }
        node
    }

    /// The nodes for writing and reading of all words with a given remainder.
    fn class(&mut self, base: BaseId, word: i64, stride: u64) -> Class {
        let cells = self.memory.entry(base).or_default();
        let (mut word, mut stride) = (word.rem_euclid(stride as i64), stride);
        let known =
            |cells: &Cells, word, stride| cells.classes.iter().find(|c| (c.base, c.stride) == (word, stride)).copied();
        if let Some(class) = known(cells, word, stride) {
            return class;
        }
        if cells.classes.len() >= MAX_CLASSES {
            (word, stride) = (0, 1);
            if let Some(class) = known(cells, word, stride) {
                return class;
            }
        }
        let write = self.graph.cell();
        let read = if self.elements.coarse { write } else { self.graph.cell() };
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
        let number = self.image(base).is_some_and(|image| image.bytes.iter().any(|&byte| byte != 0));
        if number || self.elements.coarse {
            self.graph.insert(read, if number { self.number() } else { Elements::INDETERMINATE });
        }
        class
    }

    /// What an object holds that is read before it was written is from outside, as a pointer variable that was never set is.
    fn unset_site(&mut self, site: SiteId) {
        if self.program.outside == Outside::Nowhere {
            return;
        }
        let base = self.elements.base_id(Base::Site(site));
        let Site { function, edge, .. } = self.elements.sites[site];
        match unset(self.program, function, edge, self.elements.size(base)) {
            Some(words) if !self.elements.coarse => {
                for word in words {
                    let cell = self.exact(base, word);
                    self.graph.insert(cell, Elements::UNKNOWN);
                }
            }
            Some(words) if words.is_empty() => {}
            _ => {
                let all = self.class(base, 0, 1);
                self.graph.insert(all.write, Elements::UNKNOWN);
            }
        }
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
                let outside = self.class(Elements::OUTSIDE, 0, 1);
                let all = self.class(base, 0, 1);
                self.shift(outside.write, Offset::ANY, all.write);
                self.shift(all.read, Offset::ANY, outside.read);
            }
            Base::Unknown | Base::Indeterminate => {}
        }
    }
}
