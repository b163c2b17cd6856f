//! The partition of memory into regions.
//!
//! One array for all memory makes every store a case distinction for every later load. The points-to analysis knows which
//! accesses cannot meet; so memory is cut into regions, each with an array of its own. The idea is Burstall's
//! (*Some techniques for proving correctness of programs which alter data structures*, Machine Intelligence 7, 1972: one
//! array per field); here fields are found from the accesses, not from C's types, so that casts and unions need no care.
//!
//! A *footprint* is a set of bytes that an access may touch: a base (object or allocation site), offsets, a number of
//! bytes. All footprints of one access lie in one region, and so do footprints that may overlap. If all of a region's
//! footprints have the same width and meet only where they coincide, an element of its array is one such value; otherwise
//! it is a byte, and wider values are put together.
//!
//! | operation | what it asks of the partition |
//! |---|---|
//! | load, store | its footprints in one region |
//! | copy of few bytes | cell by cell, if source and destination are cut alike: then cells become footprints on both sides |
//! | other copies | the whole source in one region, the whole destination in one, elements equally wide |
//! | fill, havoc | no cell crosses the edge of the range |
//!
//! Soundness: by the guarantee of [`robusto_cfa::analysis::points_to`], an access touches bytes of one of its footprints,
//! up to the first access outside of a live object (which is undefined). Two accesses that share a byte of an object have
//! overlapping footprints, hence one region; two accesses in a region of wide elements either have the same address or no
//! byte in common. So the arrays together hold, at each address of a cell, what memory holds there. Footprints outside of
//! their object belong to undefined executions and are dropped.

mod assemble;
mod build;
mod footprint;
#[cfg(test)]
mod tests;

use build::Builder;
use robusto_cfa::analysis::points_to::Base;
use robusto_cfa::facts::Facts;
use robusto_cfa::ir::{EdgeId, ExprId, FuncId, Idx, IdxVec, ObjId, ObjectKind, Op};
use rustc_hash::FxHashMap;
use std::fmt;

/// A region.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RegionId(u32);

impl Idx for RegionId {
    fn new(index: usize) -> Self {
        Self(u32::try_from(index).expect("fewer than 2^32 regions"))
    }
    fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Debug for RegionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "m{}", self.0)
    }
}

/// What is known of a region.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Region {
    /// Bytes of an element.
    pub width: u64,
    /// If it is one cell with one address: the object, or the site of one, and the offset. Such a region is a plain value, not an array.
    pub single: Option<(Base, u64)>,
    /// If all accesses are to one offset of one object or allocation site, which may be there several times: these.
    pub only: Option<(Base, u64)>,
    /// Globals and constants with cells in it, with the offsets of the cells modulo the width.
    pub statics: Vec<(ObjId, Vec<u64>)>,
    /// Whether there are other cells, whose content is arbitrary at the start.
    pub others: bool,
    /// Whether memory outside of the program's objects belongs to it.
    pub outside: bool,
    /// Whether anything is ever read from it; if not, nothing needs to be written to it.
    pub read: bool,
}

/// How the bytes of a `Copy` edge move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CopyPlan {
    /// Cell by cell.
    Cells(Vec<CopyCell>),
    /// As a range of elements from one region to another (or the same) with elements of equal width.
    Range {
        /// To.
        dst: RegionId,
        /// From.
        src: RegionId,
    },
}

impl CopyPlan {
    /// The regions that it reads and writes.
    pub fn regions(&self) -> Vec<RegionId> {
        match self {
            CopyPlan::Cells(cells) => cells.iter().flat_map(|c| [c.dst, c.src]).collect(),
            CopyPlan::Range { dst, src } => vec![*dst, *src],
        }
    }
}

/// A cell that a copy copies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CopyCell {
    /// Bytes from the start of the range.
    pub offset: u64,
    /// Number of bytes.
    pub size: u64,
    /// To.
    pub dst: RegionId,
    /// From.
    pub src: RegionId,
}

/// The part of a range of bytes that lies in one region.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RangePart {
    /// The region.
    pub region: RegionId,
    /// Where the elements begin, in bytes from the start of the range; `None` if they are many or that is not known.
    pub places: Option<Vec<u64>>,
    /// Where the cells are, in bytes from the start of the range.
    pub cells: Vec<Cells>,
}

/// Cells of a range: at `first`, and if the stride is not 0, at every multiple of it from there on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Cells {
    /// The first.
    pub first: u64,
    /// Distance of neighbours.
    pub stride: u64,
    /// Bytes of each.
    pub size: u64,
}

/// The partition.
#[derive(Debug)]
pub struct Regions {
    /// All regions.
    pub regions: IdxVec<RegionId, Region>,
    accesses: FxHashMap<(ExprId, u64), RegionId>,
    copies: FxHashMap<(FuncId, EdgeId), CopyPlan>,
    ranges: FxHashMap<(FuncId, EdgeId), Vec<RangePart>>,
    bases: FxHashMap<Base, Vec<RangePart>>,
}

impl Regions {
    /// Cuts the memory of the functions that may run.
    pub fn of(facts: &Facts) -> Self {
        let mut builder = Builder::new(facts);
        for (function, body) in facts.program.functions.enumerate() {
            if facts.points_to.reached(function) {
                for (edge, e) in body.edges().enumerate() {
                    builder.collect(function, edge, &e.op);
                }
            }
        }
        builder.finish()
    }

    /// The region of a load or store of a number of bytes at an address.
    pub fn of_access(&self, addr: ExprId, size: u64) -> RegionId {
        *self.accesses.get(&(addr, size)).expect("every access of a function that may run has a region")
    }

    /// How a `Copy` edge moves its bytes.
    pub fn of_copy(&self, function: FuncId, edge: EdgeId) -> &CopyPlan {
        self.copies.get(&(function, edge)).expect("every copy of a function that may run has a plan")
    }

    /// The regions that a `Fill`, `HavocMem` or `Builtin` edge may write.
    pub fn of_range(&self, function: FuncId, edge: EdgeId) -> &[RangePart] {
        self.ranges.get(&(function, edge)).map_or(&[], Vec::as_slice)
    }

    /// The parts of an object or allocation site.
    pub fn of_base(&self, base: Base) -> &[RangePart] {
        self.bases.get(&base).map_or(&[], Vec::as_slice)
    }
}

/// Whether each activation of a function that owns an object has an address of its own.
fn has_one_address(facts: &Facts, object: ObjId) -> bool {
    match facts.program.objects[object].kind {
        ObjectKind::Global(_) | ObjectKind::Constant(_) => true,
        ObjectKind::Local(owner) => !facts.calls.is_recursive(owner),
    }
}

/// The pointers through which a builtin writes.
fn written(op: &Op) -> impl Iterator<Item = ExprId> + '_ {
    let (builtin, args) = match op {
        Op::Builtin { builtin, args, .. } => (builtin.writes(), &args[..]),
        _ => (&[][..], &[][..]),
    };
    builtin.iter().filter_map(|&position| args.get(position).copied())
}
