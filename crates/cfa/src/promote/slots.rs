//! Which objects can be promoted, and their slots.

use super::{Shapes, Slot};
use crate::ir::{
    BinOp, Callee, Expr, ExprId, FuncId, HavocSource, Idx, IdxVec, ObjId, ObjectKind, Op, Program, RelocTarget, Ty,
};

/// The promotable objects with their slots, and what else the scan found out.
pub struct Slots {
    /// `None` for an object that stays in memory; else its slots, sorted by offset.
    pub of: IdxVec<ObjId, Option<Vec<Slot>>>,
    /// Functions that are called or whose address is used.
    pub referenced: IdxVec<FuncId, bool>,
}

/// A range of bytes in a named object.
#[derive(Clone, Copy)]
struct Range {
    obj: ObjId,
    start: u64,
    size: u64,
}

struct Scan<'p> {
    program: &'p Program,
    visited: Vec<bool>,
    slots: Slots,
    /// Constant-size copies: destination and source, each if it is a named object.
    copies: Vec<(Option<Range>, Option<Range>)>,
    /// Ranges that are filled or havocked.
    ranges: Vec<Range>,
}

/// An address that is an object plus a constant.
pub fn constant_address(program: &Program, addr: ExprId) -> Option<(ObjId, u64)> {
    match program.exprs.get(addr) {
        Expr::ObjAddr(obj) => Some((obj, 0)),
        Expr::Binary(BinOp::PtrAdd, base, offset) => match program.exprs.get(base) {
            Expr::ObjAddr(obj) => Some((obj, program.exprs.as_const(offset)?)),
            _ => None,
        },
        _ => None,
    }
}

impl Slots {
    /// Scans the program.
    pub fn find(program: &Program, shapes: &dyn Shapes) -> Slots {
        let candidate = |kind: &ObjectKind| !matches!(kind, ObjectKind::Constant(_));
        let mut scan = Scan {
            program,
            visited: vec![false; program.exprs.len()],
            slots: Slots {
                of: program.objects.iter().map(|o| candidate(&o.kind).then(Vec::new)).collect(),
                referenced: IdxVec::filled(false, program.functions.len()),
            },
            copies: Vec::new(),
            ranges: Vec::new(),
        };
        for function in program.functions.iter() {
            for edge in function.edges().iter() {
                scan.op(&edge.op);
            }
        }
        for object in program.objects.iter() {
            if let ObjectKind::Global(image) | ObjectKind::Constant(image) = &object.kind {
                for r in &image.relocations {
                    match r.target {
                        RelocTarget::Object(obj) => scan.keep(obj),
                        RelocTarget::Function(func) => scan.slots.referenced[func] = true,
                    }
                }
            }
        }
        scan.add_leaves(shapes);
        scan.settle();
        scan.pad();
        scan.settle();
        scan.slots
    }
}

impl Scan<'_> {
    /// The object stays in memory.
    fn keep(&mut self, obj: ObjId) {
        self.slots.of[obj] = None;
    }

    fn range(&self, addr: ExprId, size: ExprId) -> Option<Range> {
        let (obj, start) = constant_address(self.program, addr)?;
        let size = self.program.exprs.as_const(size)?;
        let fits = start.checked_add(size).is_some_and(|end| end <= self.program.objects[obj].size);
        fits.then_some(Range { obj, start, size })
    }

    fn op(&mut self, op: &Op) {
        match op {
            Op::Skip | Op::Error(_) | Op::Unsupported(_) | Op::Halt { status: None } | Op::Return { value: None } => {}
            Op::Assume { cond: value, .. }
            | Op::Assign { value, .. }
            | Op::Alloc { size: value, .. }
            | Op::Free { ptr: value, .. }
            | Op::Return { value: Some(value) }
            | Op::Halt { status: Some(value) } => self.value(*value),
            Op::Store { addr, value } => {
                self.access(*addr, self.program.exprs.ty(*value));
                self.value(*value);
            }
            Op::Copy { dst, src, size } => {
                let (to, from) = (self.range(*dst, *size), self.range(*src, *size));
                if to.is_none() {
                    self.value(*dst);
                }
                if from.is_none() {
                    self.value(*src);
                }
                self.value(*size);
                self.copies.push((to, from));
            }
            Op::Fill { dst, byte, size } => {
                match self.range(*dst, *size) {
                    Some(range) if self.program.exprs.as_const(*byte).is_some() => self.ranges.push(range),
                    _ => self.value(*dst),
                }
                self.value(*byte);
                self.value(*size);
            }
            Op::HavocMem { addr, size, source } => {
                match self.range(*addr, *size) {
                    Some(range) => self.ranges.push(range),
                    None => self.value(*addr),
                }
                self.value(*size);
                self.source(*source);
            }
            Op::Havoc { source, .. } => self.source(*source),
            Op::Call { callee, args, .. } => {
                match callee {
                    Callee::Direct(f) => self.slots.referenced[*f] = true,
                    Callee::Indirect(e, outside) => {
                        self.value(*e);
                        outside.iter().for_each(|&f| self.slots.referenced[f] = true);
                    }
                }
                args.iter().for_each(|&a| self.value(a));
            }
            Op::Builtin { args, .. } => args.iter().for_each(|&a| self.value(a)),
        }
    }

    fn source(&mut self, source: HavocSource) {
        if let HavocSource::External(f) | HavocSource::Written(f, _) = source {
            self.slots.referenced[f] = true;
        }
    }

    /// A read or write of a scalar.
    fn access(&mut self, addr: ExprId, ty: crate::ir::Ty) {
        let Some((obj, offset)) = constant_address(self.program, addr) else { return self.value(addr) };
        let end = offset.checked_add(ty.size(self.program.model));
        if end.is_none_or(|end| end > self.program.objects[obj].size) {
            return self.keep(obj);
        }
        if let Some(slots) = &mut self.slots.of[obj] {
            let slot = Slot { offset, ty };
            if let Err(at) = slots.binary_search(&slot) {
                slots.insert(at, slot);
            }
        }
    }

    /// An expression whose value is used.
    fn value(&mut self, e: ExprId) {
        if std::mem::replace(&mut self.visited[e.index()], true) {
            return;
        }
        match self.program.exprs.get(e) {
            Expr::ObjAddr(obj) => self.keep(obj),
            Expr::FuncAddr(func) => self.slots.referenced[func] = true,
            Expr::Load(ty, addr) => self.access(addr, ty),
            Expr::Const(..) | Expr::Var(_) => {}
            Expr::Unary(_, a) | Expr::Cast(_, _, a) => self.value(a),
            Expr::Binary(_, a, b) | Expr::Holds(_, a, b) => {
                self.value(a);
                self.value(b);
            }
        }
    }

    /// A copied object needs slots for all its scalars, or the copy would lose those that only the other side reads.
    fn add_leaves(&mut self, shapes: &dyn Shapes) {
        let mut done: IdxVec<ObjId, bool> = IdxVec::filled(false, self.slots.of.len());
        let copies = std::mem::take(&mut self.copies);
        for range in copies.iter().flat_map(|&(to, from)| [to, from]).flatten() {
            if std::mem::replace(&mut done[range.obj], true) || self.slots.of[range.obj].is_none() {
                continue;
            }
            match shapes.leaves(range.obj) {
                Some(leaves) => {
                    self.add(range.obj, leaves);
                }
                None => self.keep(range.obj),
            }
        }
        self.copies = copies;
    }

    fn add(&mut self, obj: ObjId, new: Vec<Slot>) -> bool {
        let Some(slots) = &mut self.slots.of[obj] else { return false };
        let before = slots.len();
        slots.extend(new);
        slots.sort();
        slots.dedup();
        slots.len() != before
    }

    /// Rejects objects with overlapping slots, and spreads slots along copies until nothing changes.
    fn settle(&mut self) {
        let model = self.program.model;
        loop {
            let mut changed = false;
            for obj in self.slots.of.ids() {
                let Some(slots) = &self.slots.of[obj] else { continue };
                let overlap = slots.windows(2).any(|w| w[0].offset + w[0].ty.size(model) > w[1].offset);
                let outside =
                    slots.last().is_some_and(|s| s.offset + s.ty.size(model) > self.program.objects[obj].size);
                if overlap || outside || slots.len() > MAX_SLOTS {
                    self.keep(obj);
                    changed = true;
                }
            }
            for i in 0..self.ranges.len() {
                changed |= self.reject_partial(self.ranges[i]);
            }
            for i in 0..self.copies.len() {
                let (to, from) = self.copies[i];
                for range in [to, from].into_iter().flatten() {
                    changed |= self.reject_partial(range);
                }
                if let (Some(to), Some(from)) = (to, from) {
                    changed |= self.spread(from, to) | self.spread(to, from);
                    let overlap =
                        to.obj == from.obj && to.start < from.start + from.size && from.start < to.start + to.size;
                    if overlap && to.start != from.start && self.slots.of[to.obj].is_some() {
                        self.keep(to.obj);
                        changed = true;
                    }
                }
            }
            if !changed {
                return;
            }
        }
    }

    /// A copy between an object and memory accesses all bytes, and copies what is in them: also those between members and behind
    /// them. So objects that are copied to or from memory, by way of others too, get slots for these.
    fn pad(&mut self) {
        let mut padded: IdxVec<ObjId, bool> = IdxVec::filled(false, self.slots.of.len());
        loop {
            let mut changed = false;
            for &(to, from) in &self.copies {
                for (side, other) in [(to, from), (from, to)] {
                    let Some(Range { obj, .. }) = side else { continue };
                    let is_due = other.is_none_or(|other| self.slots.of[other.obj].is_none() || padded[other.obj]);
                    changed |= is_due && !std::mem::replace(&mut padded[obj], true);
                }
            }
            if !changed {
                break;
            }
        }
        for obj in padded.ids().filter(|&obj| padded[obj]) {
            let gaps = self.gaps(obj);
            self.add(obj, gaps);
        }
    }

    /// Slots for the bytes of an object that have none, as large as their alignment lets them be.
    fn gaps(&self, obj: ObjId) -> Vec<Slot> {
        let mut gaps = Vec::new();
        let Some(slots) = &self.slots.of[obj] else { return gaps };
        let mut at = 0;
        let size = self.program.objects[obj].size;
        let taken = slots.iter().map(|slot| (slot.offset, slot.offset + slot.ty.size(self.program.model)));
        for (start, end) in taken.chain([(size, size)]) {
            while at < start && gaps.len() <= MAX_SLOTS {
                let fits = |bytes: &u64| at % bytes == 0 && at + bytes <= start;
                let bytes = [8, 4, 2].into_iter().find(fits).unwrap_or(1);
                gaps.push(Slot { offset: at, ty: Ty::Int(8 * bytes as u8) });
                at += bytes;
            }
            at = at.max(end);
        }
        gaps
    }

    /// Rejects an object if a range holds part of a slot.
    fn reject_partial(&mut self, range: Range) -> bool {
        let Some(slots) = &self.slots.of[range.obj] else { return false };
        let end = range.start + range.size;
        let partial = slots.iter().any(|s| {
            let slot_end = s.offset + s.ty.size(self.program.model);
            let inside = s.offset >= range.start && slot_end <= end;
            let outside = slot_end <= range.start || s.offset >= end;
            !inside && !outside
        });
        if partial {
            self.keep(range.obj);
        }
        partial
    }

    /// Gives the other side of a copy the same slots. If the other side stays in memory, nothing is needed.
    fn spread(&mut self, from: Range, to: Range) -> bool {
        if self.slots.of[to.obj].is_none() {
            return false;
        }
        let Some(slots) = &self.slots.of[from.obj] else { return false };
        let moved = slots
            .iter()
            .filter(|s| s.offset >= from.start && s.offset < from.start + from.size)
            .map(|s| Slot { offset: s.offset - from.start + to.start, ty: s.ty })
            .collect();
        self.add(to.obj, moved)
    }
}

/// Objects with more scalars than this stay in memory.
const MAX_SLOTS: usize = 256;
