//! The summarised automaton as text: one line per edge, `;` for sequences and `||` for choices.

use super::{LargeBlock, LargeBlocks, LargeOp, PartId};
use crate::ir::{Function, IdxVec};
use crate::text::Names;
use std::fmt::Write;

/// Longest text of an edge. What branches share without being structured is written for each of them, so that texts can be
/// exponential where blocks are not.
const LONGEST: usize = 4000;

impl LargeBlocks {
    /// The edges, each on a line.
    pub fn show(&self, names: &Names<'_>, function: &Function) -> String {
        let mut text = String::new();
        for (start, block, part, to) in self.edges() {
            writeln!(text, "{start} -> {to}: {}", block.show(names, function, part)).expect("a string takes all");
        }
        text
    }
}

impl LargeBlock {
    /// A part as text. Where it would be very long, its size.
    pub fn show(&self, names: &Names<'_>, function: &Function, part: PartId) -> String {
        let mut writer = Writer { names, function, block: self, before: self.before(), text: String::new() };
        if writer.write(None, part) {
            return writer.text;
        }
        let (operations, paths) = self.size(part);
        format!("… {operations} operations on {paths} paths")
    }

    /// Number of operations of a part, and of its paths, as far as they can be counted.
    pub fn size(&self, part: PartId) -> (usize, u64) {
        let mut used = IdxVec::filled(false, self.parts.len());
        let mut paths: IdxVec<PartId, u64> = IdxVec::filled(1, self.parts.len());
        used[part] = true;
        let mut operations = 0;
        for id in self.parts.ids().rev().filter(|&id| id <= part) {
            if !used[id] {
                continue;
            }
            match self.parts[id] {
                LargeOp::Edge(_) => operations += 1,
                LargeOp::Sequence(before, _) => {
                    operations += 1;
                    used[before] = true;
                }
                LargeOp::Choice(a, b) => (used[a], used[b]) = (true, true),
            }
        }
        for id in self.parts.ids().filter(|&id| id <= part) {
            paths[id] = match self.parts[id] {
                LargeOp::Edge(_) => 1,
                LargeOp::Sequence(before, _) => paths[before],
                LargeOp::Choice(a, b) => paths[a].saturating_add(paths[b]),
            };
        }
        (operations, paths[part])
    }

    /// For each part the one that all its paths begin with, the longest such.
    fn before(&self) -> IdxVec<PartId, Option<PartId>> {
        let mut before: IdxVec<PartId, Option<PartId>> = IdxVec::new();
        for &op in self.parts.iter() {
            let here = match op {
                LargeOp::Edge(_) => None,
                LargeOp::Sequence(part, _) => Some(part),
                // Parts before have smaller numbers.
                LargeOp::Choice(a, b) => {
                    let (mut a, mut b) = (Some(a), Some(b));
                    while a != b {
                        if a > b {
                            a = a.and_then(|a| before[a]);
                        } else {
                            b = b.and_then(|b| before[b]);
                        }
                    }
                    a
                }
            };
            before.push(here);
        }
        before
    }
}

struct Writer<'a> {
    names: &'a Names<'a>,
    function: &'a Function,
    block: &'a LargeBlock,
    before: IdxVec<PartId, Option<PartId>>,
    text: String,
}

impl Writer<'_> {
    /// Writes what follows a beginning of a part; whether it is not too long.
    fn write(&mut self, beginning: Option<PartId>, part: PartId) -> bool {
        // The parts from the beginning on, the last first: those that all paths have.
        let mut spine = Vec::new();
        let mut at = Some(part);
        while at != beginning {
            let here = at.expect("a beginning comes before");
            spine.push(here);
            at = self.before[here];
        }
        for (i, &part) in spine.iter().rev().enumerate() {
            if i > 0 {
                self.text.push_str("; ");
            }
            let whole = match self.block.parts[part] {
                LargeOp::Edge(edge) | LargeOp::Sequence(_, edge) => {
                    write!(self.text, "{}", self.names.op(&self.function.edge(edge).op)).expect("a string takes all");
                    true
                }
                LargeOp::Choice(..) => self.choice(part),
            };
            if !whole || self.text.len() > LONGEST {
                return false;
            }
        }
        true
    }

    /// Writes the branches of a choice, as many as were made one by one from the same beginning.
    fn choice(&mut self, part: PartId) -> bool {
        if self.text.len() > LONGEST {
            return false;
        }
        let beginning = self.before[part];
        let mut branches = Vec::new();
        let mut todo = vec![part];
        while let Some(at) = todo.pop() {
            match self.block.parts[at] {
                LargeOp::Choice(a, b) if self.before[at] == beginning => todo.extend([b, a]),
                _ => branches.push(at),
            }
        }
        self.text.push('(');
        for (i, &branch) in branches.iter().enumerate() {
            if i > 0 {
                self.text.push_str(" || ");
            }
            if !self.write(beginning, branch) {
                return false;
            }
        }
        self.text.push(')');
        true
    }
}
