//! Large blocks: an automaton whose edges are whole sequences and choices of a function's operations.
//!
//! Beyer, Cimatti, Griggio, Keremoglu, Sebastiani: *Software Model Checking via Large-Block Encoding*, FMCAD 2009. The automaton is
//! summarised before any analysis runs:
//!
//! | the paper | here |
//! |---|---|
//! | rule 0: nothing leaves an error location | so they are built |
//! | rule 1: l₁ −op₁→ l₂ is the only edge into l₂, so l₂ goes, and op₁ is put before each edge that leaves it | [`LargeOp::Sequence`] |
//! | rule 2: l₁ −op₁→ l₂ and l₁ −op₂→ l₂ become one edge | [`LargeOp::Choice`] |
//! | until no rule applies | one pass in reverse post-order |
//!
//! What stays are the entry, the exit, the heads of loops, the ends of error edges, both ends of calls, and each location that
//! blocks from different starts lead to.
//!
//! One pass is enough: when a location is taken up, all edges into it are known but for retreating ones, whose targets are loop
//! heads and stay. An edge into it starts at a location that stays, so that nothing which comes later changes whether there is
//! one such start or several.
//!
//! Where we deviate:
//!
//! - Both ends of a call stay, as functions are summarised one by one. Whoever explores the automaton may go through the source of
//!   a call, and through the exit, without stopping there ([`LargeBlocks::is_passed`]): what is put before a call, or before the
//!   return from it, is a sequence as any other.
//! - Parts from which neither an error nor a call, a loop or the exit can be reached are left out.
//! - op₁ is shared by the edges that it is put before, and a sequence ends with an operation of the program. So a block has as many
//!   parts as it has operations, and each is made from parts with smaller numbers.
//!
//! Soundness: a path of the program between two locations that stay, and through none that stays, is one of the paths of exactly
//! one block, and each path of a block is one of the program; both rules keep that.

mod show;
#[cfg(test)]
mod tests;

use super::loops::LoopForest;
use super::order::Order;
use crate::ir::{EdgeId, Function, IdxVec, LocId, Op};

super::index::index! {
    /// A part of a block.
    PartId "p";
}

/// A part of a block: paths from its start.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LargeOp {
    /// An operation of the program.
    Edge(EdgeId),
    /// A part, and then an operation of the program.
    Sequence(PartId, EdgeId),
    /// One part or the other.
    Choice(PartId, PartId),
}

/// All blocks that start at one location.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct LargeBlock {
    /// The parts, each made from those before it.
    pub parts: IdxVec<PartId, LargeOp>,
    /// Where the blocks end, each with all paths that lead there: the edges of the summarised automaton.
    pub exits: Vec<(LocId, PartId)>,
    /// The locations that went, in reverse post-order.
    pub inside: Vec<LocId>,
}

impl LargeBlock {
    /// The part that leads to an exit.
    pub fn to(&self, exit: LocId) -> Option<PartId> {
        self.exits.iter().find(|(to, _)| *to == exit).map(|&(_, part)| part)
    }

    /// The edges of one path to the end of a part; `first` says whether the first of two parts is taken.
    pub fn path(&self, part: PartId, mut first: impl FnMut(PartId, PartId) -> bool) -> Vec<EdgeId> {
        let mut edges = Vec::new();
        let mut at = part;
        loop {
            match self.parts[at] {
                LargeOp::Choice(a, b) => at = if first(a, b) { a } else { b },
                LargeOp::Sequence(before, edge) => {
                    edges.push(edge);
                    at = before;
                }
                LargeOp::Edge(edge) => {
                    edges.push(edge);
                    edges.reverse();
                    return edges;
                }
            }
        }
    }
}

/// The summarised automaton of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LargeBlocks {
    /// For each location that stays, but for sources of calls and the exit, the blocks that start there.
    pub blocks: IdxVec<LocId, Option<LargeBlock>>,
    passed: IdxVec<LocId, bool>,
    errors: IdxVec<LocId, bool>,
}

impl LargeBlocks {
    /// Summarises a function.
    pub fn of(function: &Function) -> Self {
        let (order, loops) = (Order::of(function), LoopForest::of(function));
        let stays = staying(function, &loops);
        let useful = useful(function, &stays);
        let mut large = Self {
            blocks: IdxVec::filled(None, function.num_locs()),
            passed: function.locs().map(|loc| passes(function, loc) && !loops.is_head(loc)).collect(),
            errors: IdxVec::filled(false, function.num_locs()),
        };
        for edge in function.edges().iter().filter(|edge| is_error(&edge.op)) {
            large.errors[edge.dst] = true;
        }
        // Of each location, the starts of the blocks that end there.
        let mut from: IdxVec<LocId, Vec<LocId>> = IdxVec::filled(Vec::new(), function.num_locs());
        for &loc in order.reverse_post().iter().filter(|&&loc| useful[loc]) {
            let inside = match from[loc][..] {
                [start] if !stays[loc] => Some(start),
                _ => None,
            };
            if inside.is_none() && passes(function, loc) {
                continue;
            }
            let start = inside.unwrap_or(loc);
            let block = large.blocks[start].get_or_insert_default();
            let before = inside.map(|_| block.leave(loc));
            for (edge, _) in function.out(loc).filter(|(_, edge)| useful[edge.dst]) {
                let op = before.map_or(LargeOp::Edge(edge), |before| LargeOp::Sequence(before, edge));
                let to = function.edge(edge).dst;
                if block.lead(to, op) {
                    from[to].push(start);
                }
            }
        }
        for block in large.blocks.iter_mut().flatten() {
            block.exits.sort_unstable();
        }
        large
    }

    /// Whether a location is where a call starts or the function ends, and no loop head: what follows may be put behind the
    /// block that ends there.
    pub fn is_passed(&self, loc: LocId) -> bool {
        self.passed[loc]
    }

    /// Whether an error edge ends at a location, or one that is not modelled.
    pub fn is_error(&self, loc: LocId) -> bool {
        self.errors[loc]
    }

    /// The edges of the summarised automaton: start, part, end.
    pub fn edges(&self) -> impl Iterator<Item = (LocId, &LargeBlock, PartId, LocId)> {
        self.blocks
            .enumerate()
            .filter_map(|(start, block)| block.as_ref().map(|block| (start, block)))
            .flat_map(|(start, block)| block.exits.iter().map(move |&(to, part)| (start, block, part, to)))
    }
}

impl LargeBlock {
    /// Rule 1: a location goes; the part that led there.
    fn leave(&mut self, loc: LocId) -> PartId {
        let at = self.exits.iter().position(|(to, _)| *to == loc).expect("the block ended there");
        self.inside.push(loc);
        self.exits.remove(at).1
    }

    /// Adds an edge; if there is one to the same location, rule 2 makes one of both. Whether it is the first.
    fn lead(&mut self, to: LocId, op: LargeOp) -> bool {
        let part = self.parts.push(op);
        match self.exits.iter_mut().rev().find(|(exit, _)| *exit == to) {
            Some((_, known)) => {
                *known = self.parts.push(LargeOp::Choice(*known, part));
                false
            }
            None => {
                self.exits.push((to, part));
                true
            }
        }
    }
}

/// Whether a location is the source of a call, or the exit.
fn passes(function: &Function, loc: LocId) -> bool {
    loc == function.exit || function.out(loc).any(|(_, edge)| matches!(edge.op, Op::Call { .. }))
}

/// Whether an operation is what an analysis looks for.
fn is_error(op: &Op) -> bool {
    matches!(op, Op::Error(_) | Op::Unsupported(_))
}

/// The locations that no rule removes.
fn staying(function: &Function, loops: &LoopForest) -> IdxVec<LocId, bool> {
    let mut stays: IdxVec<LocId, bool> =
        function.locs().map(|loc| passes(function, loc) || loops.is_head(loc)).collect();
    stays[function.entry] = true;
    for edge in function.edges().iter() {
        if matches!(edge.op, Op::Call { .. }) || is_error(&edge.op) {
            stays[edge.dst] = true;
        }
    }
    stays
}

/// The locations that lead to one that stays.
fn useful(function: &Function, stays: &IdxVec<LocId, bool>) -> IdxVec<LocId, bool> {
    let incoming = function.incoming();
    let mut useful = stays.clone();
    let mut todo: Vec<LocId> = function.locs().filter(|&loc| stays[loc]).collect();
    while let Some(loc) = todo.pop() {
        for &edge in &incoming[loc] {
            let src = function.edge(edge).src;
            if !std::mem::replace(&mut useful[src], true) {
                todo.push(src);
            }
        }
    }
    useful
}
