//! Initialisers (C11 6.7.9): braces, elided braces, designators, strings; as stores for locals, as images for globals.

mod entries;
mod extents;
mod image;

use super::layout::BitRange;
use super::order::acts_init;
use super::place::Place;
use super::types::{CType, IntKind, TypeId};
use super::{Lower, R};
use crate::ir::{ExprId, HavocSource, Op};
use entries::{Entries, Entry, Value};
use robusto_syntax::Span;
use robusto_syntax::ast::{Designator, Encoding, Expr, ExprKind, Init, InitItem};

/// The items of a brace-enclosed list that are still to come.
struct Cursor<'i, 'a> {
    items: &'i [InitItem<'a>],
    next: usize,
    /// The item whose designators have been followed already.
    followed: Option<usize>,
}

impl<'i, 'a> Cursor<'i, 'a> {
    fn peek(&self) -> Option<&'i InitItem<'a>> {
        self.items.get(self.next)
    }

    /// Whether the next item has designators that are still to be followed.
    fn designated(&self) -> bool {
        self.followed != Some(self.next) && self.peek().is_some_and(|item| !item.designators.is_empty())
    }
}

/// Most entries that a range designator may expand to.
const MAX_ENTRIES: usize = 1 << 22;

impl<'a> Lower<'a, '_> {
    /// Stores an initialiser at an address.
    pub(super) fn initialise(&mut self, addr: ExprId, ty: TypeId, init: &Init<'a>) -> R<()> {
        if let Some(e) = Self::as_expr(init)
            && (self.types.is_scalar(ty) || matches!(init, Init::Expr(_)) && self.types.is_aggregate(ty))
        {
            let value = self.rvalue(e)?;
            let value = self.convert(value, ty, e.span)?;
            self.write(Place { addr, ty, bits: None }, value);
            return Ok(());
        }
        let mut entries = Entries::default();
        self.entries(ty, 0, init, &mut entries)?;
        if let Some((what, span)) = entries.open {
            self.at_span(span);
            self.unsupported(what);
        }
        let open = entries.open_unions();
        let size = self.types.size(ty).unwrap_or(0);
        let whole = entries.iter().filter(|e| e.bits.is_none() && !e.inside);
        let covered: u64 = whole.map(|e| e.size).sum();
        let zeroed = covered < size;
        // gcc clears the rest of a union before version 15, and leaves what is there from then on.
        let whole = matches!(open.first(), Some(&(0, bytes, _)) if bytes == size);
        if zeroed && !whole {
            self.clear(addr, size);
        }
        for &(base, size, filled) in &open {
            let addr = self.offset_by(addr, base);
            let size = self.program.exprs.size(size);
            self.emit(Op::HavocMem { addr, size, source: HavocSource::Uninit });
            self.clear(addr, filled);
        }
        let elements: Vec<&Expr<'a>> = entries.iter().filter_map(|entry| entry.value.expr()).collect();
        let span = elements.first().map_or(Span::default(), |e| e.span);
        self.indeterminate(&elements, span, |lower| {
            entries.iter().try_for_each(|entry| {
                let is_open = |&(base, _, filled): &(u64, u64, u64)| filled == 0 && entry.offset == base;
                lower.store_entry(addr, entry, zeroed && !open.iter().any(is_open))
            })
        })
    }

    fn clear(&mut self, addr: ExprId, size: u64) {
        if size > 0 {
            let (byte, size) = (self.program.exprs.int(8, 0), self.program.exprs.size(size));
            self.emit(Op::Fill { dst: addr, byte, size });
        }
    }

    fn add_entry(&self, offset: u64, ty: TypeId, bits: Option<BitRange>, value: Value<'a>, out: &mut Entries<'a>) {
        let size = self.types.size(ty).unwrap_or(0);
        out.add(Entry { offset, ty, size, bits, value, inside: false });
    }

    fn store_entry(&mut self, base: ExprId, entry: &Entry<'a>, zeroed: bool) -> R<()> {
        let addr = self.offset_by(base, entry.offset);
        match entry.value {
            Value::Expr(e) => {
                self.at_span(e.span);
                let value = self.rvalue(e)?;
                let value = self.convert(value, entry.ty, e.span)?;
                if zeroed
                    && !entry.inside
                    && self.types.is_scalar(entry.ty)
                    && self.program.exprs.as_const(value.e) == Some(0)
                {
                    return Ok(());
                }
                self.write(Place { addr, ty: entry.ty, bits: entry.bits }, value);
            }
            Value::Str(units, encoding) => {
                let (mut bytes, elem) = self.string_bytes(units, encoding);
                let size = self.types.size(entry.ty).unwrap_or(0);
                bytes.resize(size as usize, 0);
                let unit = self.types.size(elem).unwrap_or(1);
                if size <= 16 * unit {
                    for (i, chunk) in bytes.chunks(unit as usize).enumerate() {
                        let value = chunk.iter().rev().fold(0, |acc, &b| acc << 8 | i128::from(b));
                        let at = self.offset_by(addr, i as u64 * unit);
                        let value = self.program.exprs.int(unit as u8 * 8, value);
                        self.emit(Op::Store { addr: at, value });
                    }
                    return Ok(());
                }
                let obj = self.constant_object(bytes, elem);
                let src = self.obj_addr(obj);
                let size = self.program.exprs.size(size);
                self.emit(Op::Copy { dst: addr, src, size });
            }
        }
        Ok(())
    }

    /// The type of an array of unknown size that this initialiser completes.
    pub(super) fn completed_by(&mut self, ty: TypeId, init: &Init<'a>) -> R<TypeId> {
        let CType::Array(of, None) = *self.types.get(ty) else { return Ok(ty) };
        let Some(size) = self.types.size(of) else { return Ok(ty) };
        let mut entries = Entries::default();
        let reach = self.entries(ty, 0, init, &mut entries)?;
        Ok(self.types.array(of, Some(if size == 0 { 0 } else { reach.div_ceil(size) })))
    }

    /// Lists the entries of an initialiser; returns the offset after the last byte that it speaks of.
    fn entries(&mut self, ty: TypeId, base: u64, init: &Init<'a>, out: &mut Entries<'a>) -> R<u64> {
        if let Some(reach) = self.string_entry(ty, base, init, out) {
            return Ok(reach);
        }
        match *init {
            Init::List(items, span) => {
                let mut cursor = Cursor { items, next: 0, followed: None };
                let reach = match *self.types.get(ty) {
                    CType::Array(..) | CType::Record(_) | CType::Vector(..) => {
                        self.list(ty, base, &mut cursor, &[], true, out)?
                    }
                    _ => {
                        let Some(first) = cursor.peek() else {
                            return Ok(base); // `{}`: zero
                        };
                        cursor.next = 1;
                        self.entries(ty, base, &first.init, out)?
                    }
                };
                if cursor.next < items.len() {
                    self.diagnostics.push(robusto_syntax::Diagnostic::warning(span, "more initialisers than elements"));
                }
                Ok(reach)
            }
            Init::Expr(e) => {
                if matches!(self.types.get(ty), CType::Array(..)) {
                    // GNU: an array may be initialised by a compound literal of array type.
                    if let ExprKind::CompoundLiteral(_, inner) = e.kind {
                        return self.entries(ty, base, inner, out);
                    }
                    return self.error(e.span, "an array needs a list or a string as its initialiser");
                }
                self.add_entry(base, ty, None, Value::Expr(e), out);
                Ok(base + self.types.size(ty).unwrap_or(0))
            }
        }
    }

    /// A string that initialises an array of characters.
    fn string_entry(&mut self, ty: TypeId, base: u64, init: &Init<'a>, out: &mut Entries<'a>) -> Option<u64> {
        let CType::Array(of, len) = *self.types.get(ty) else { return None };
        let ExprKind::Str(units, encoding) = Self::as_expr(init)?.kind else { return None };
        let kind = self.types.as_int(of)?;
        let fits = match encoding {
            Encoding::Plain => kind.bits(self.model()) == 8 && kind != IntKind::Bool,
            Encoding::Wide | Encoding::Utf32 => kind.bits(self.model()) == 32,
            Encoding::Utf16 => kind.bits(self.model()) == 16,
        };
        if !fits {
            return None;
        }
        let size = self.types.size(of)?;
        let count = len.unwrap_or(units.len() as u64 + 1);
        let units = &units[..units.len().min(count as usize)];
        let entry_ty = self.types.array(of, Some(count));
        self.add_entry(base, entry_ty, None, Value::Str(units, encoding), out);
        Some(base + count * size)
    }

    /// Initialises an array, struct or union from a list. `start` holds designators that are still to be followed for the
    /// first item; without `braced`, the list belongs to an enclosing aggregate, and the first designator after the start
    /// ends this one.
    fn list(
        &mut self,
        ty: TypeId,
        base: u64,
        cursor: &mut Cursor<'_, 'a>,
        start: &[Designator<'a>],
        braced: bool,
        out: &mut Entries<'a>,
    ) -> R<u64> {
        match *self.types.get(ty) {
            CType::Array(of, len) => self.array_list(of, len, base, cursor, start, braced, out),
            CType::Vector(of, len) => self.array_list(of, Some(len), base, cursor, start, braced, out),
            _ => self.record_list(ty, base, cursor, start, braced, out),
        }
    }

    #[expect(clippy::too_many_arguments, reason = "the state of one recursive descent")]
    fn array_list(
        &mut self,
        of: TypeId,
        len: Option<u64>,
        base: u64,
        cursor: &mut Cursor<'_, 'a>,
        start: &[Designator<'a>],
        braced: bool,
        out: &mut Entries<'a>,
    ) -> R<u64> {
        let size = self.types.size(of).unwrap_or(0);
        let mut index = 0;
        let mut reach = base;
        let mut pending = start;
        while let Some(item) = cursor.peek() {
            let own = braced && pending.is_empty() && cursor.designated();
            if own {
                pending = item.designators;
            } else if cursor.designated() && pending.is_empty() {
                break; // belongs to an enclosing list
            }
            let mut last = index;
            if let Some((first, rest)) = pending.split_first() {
                (index, last) = match first {
                    Designator::Index(e) => {
                        let i = self.index_designator(e)?;
                        (i, i)
                    }
                    Designator::Range(a, b) => (self.index_designator(a)?, self.index_designator(b)?),
                    Designator::Field(_, span) => return self.error(*span, "an array has no members"),
                };
                pending = rest;
            }
            if len.is_some_and(|len| last >= len) {
                if own || !start.is_empty() {
                    return self.error(span_of(item), "this index lies beyond the array");
                }
                if braced {
                    self.skip_excess(cursor, out);
                    continue;
                }
                break;
            }
            let before = cursor.next;
            if last > index && acts_init(&item.init) {
                out.leave_open("initialiser with side effects for a range of elements", span_of(item));
            }
            for i in index..=last {
                cursor.next = before;
                let at = base + i * size;
                reach = reach.max(self.element(of, at, None, cursor, pending, out)?).max(at + size);
                if out.written() > MAX_ENTRIES {
                    return self.error(span_of(item), "the initialiser is too long");
                }
            }
            pending = &[];
            index = last + 1;
            if !braced && len.is_some_and(|len| index >= len) {
                break;
            }
        }
        Ok(reach)
    }

    /// Leaves out an initialiser behind the last element, as gcc does; a designator may follow.
    fn skip_excess(&mut self, cursor: &mut Cursor<'_, 'a>, out: &mut Entries<'a>) {
        let Some(item) = cursor.peek() else { return };
        cursor.next += 1;
        let span = span_of(item);
        if !std::mem::replace(&mut out.excess, true) {
            self.diagnostics.push(robusto_syntax::Diagnostic::warning(span, "more initialisers than elements"));
        }
        if acts_init(&item.init) {
            out.leave_open("initialiser with side effects behind the last element", span);
        }
    }

    fn index_designator(&mut self, e: &Expr<'a>) -> R<u64> {
        let value = self.constant(e)?;
        match u64::try_from(value) {
            Ok(index) if index < 1 << 40 => Ok(index),
            _ => self.error(e.span, "an index designator must not be negative or huge"),
        }
    }

    fn record_list(
        &mut self,
        ty: TypeId,
        base: u64,
        cursor: &mut Cursor<'_, 'a>,
        start: &[Designator<'a>],
        braced: bool,
        out: &mut Entries<'a>,
    ) -> R<u64> {
        let CType::Record(record) = *self.types.get(ty) else { return Ok(base) };
        let record = self.types.record(record);
        let union = record.union;
        let Some(layout) = &record.layout else {
            let text = self.types.describe(ty);
            let span = cursor.peek().map_or(Span::default(), span_of);
            return self.error(span, format!("`{text}` is declared but not defined"));
        };
        let fields = layout.fields.clone();
        let mut reach = base;
        let mut next = 0;
        let mut pending = start;
        while let Some(item) = cursor.peek() {
            if braced && pending.is_empty() && cursor.designated() {
                pending = item.designators;
            } else if cursor.designated() && pending.is_empty() {
                break;
            }
            let mut rest: &[Designator<'a>] = &[];
            if let Some((first, more)) = pending.split_first() {
                let Designator::Field(name, span) = *first else {
                    return self.error(span_of(item), "a struct or union has no indices");
                };
                let direct = fields.iter().position(|f| f.name == Some(name));
                let found = direct.or_else(|| {
                    fields.iter().position(|f| f.name.is_none() && self.types.find_field(f.ty, name).is_some())
                });
                let Some(position) = found else {
                    let (text, of) = (self.text(name).to_owned(), self.types.describe(ty));
                    return self.error(span, format!("`{of}` has no member `{text}`"));
                };
                next = position;
                // A member of an anonymous struct: the designator leads on inside it.
                rest = if direct.is_none() { pending } else { more };
            }
            let Some(field) = fields.get(next) else {
                if braced {
                    self.skip_excess(cursor, out);
                    continue;
                }
                break;
            };
            if field.reversed_array {
                return self.error(span_of(item), "initialisers of arrays in reverse storage order are not supported");
            }
            pending = rest;
            if let (true, Some(size)) = (union, self.types.size(ty)) {
                out.choose_member(base, size, ty, next, span_of(item));
            }
            let at = base + field.offset;
            reach = reach.max(self.element(field.ty, at, field.bits, cursor, pending, out)?);
            pending = &[];
            next += 1;
            if union {
                // Of a bit-field's bytes, only some bits belong to it.
                let filled = field.bits.map_or(self.types.size(field.ty).unwrap_or(0), |_| 0);
                let size = self.types.size(ty).unwrap_or(0);
                out.set_member(base, ty, next - 1, size, filled);
                next = fields.len();
            }
            if !braced && next >= fields.len() {
                break;
            }
        }
        Ok(reach)
    }

    /// Initialises one element from the current item, following designators that are left.
    fn element(
        &mut self,
        ty: TypeId,
        at: u64,
        bits: Option<BitRange>,
        cursor: &mut Cursor<'_, 'a>,
        designators: &[Designator<'a>],
        out: &mut Entries<'a>,
    ) -> R<u64> {
        let Some(item) = cursor.peek() else { return Ok(at) };
        let aggregate = matches!(self.types.get(ty), CType::Array(..) | CType::Record(_) | CType::Vector(..));
        if !designators.is_empty() {
            if !aggregate {
                return self.error(span_of(item), "this designator leads into something that has no parts");
            }
            return self.list(ty, at, cursor, designators, false, out);
        }
        match item.init {
            Init::Expr(e) if aggregate && !self.initialises_whole(ty, e) => {
                cursor.followed = Some(cursor.next);
                self.list(ty, at, cursor, &[], false, out)
            }
            _ => {
                cursor.next += 1;
                let size = self.types.size(ty).unwrap_or(0);
                out.replace(at, size, bits, span_of(item));
                if let (Some(bits), Some(e)) = (bits, Self::as_expr(&item.init)) {
                    self.add_entry(at, ty, Some(bits), Value::Expr(e), out);
                    return Ok(at + 1);
                }
                // A flexible array member in a static initialiser.
                let ty = if self.types.size(ty).is_none() { self.completed_by(ty, &item.init)? } else { ty };
                self.entries(ty, at, &item.init, out)
            }
        }
    }

    /// Whether an expression initialises an aggregate as a whole: a string for characters, a struct for a struct.
    fn initialises_whole(&mut self, ty: TypeId, e: &'a Expr<'a>) -> bool {
        match self.types.get(ty) {
            CType::Array(of, _) => {
                let of = *of;
                match e.kind {
                    ExprKind::Str(_, encoding) => {
                        let bits = self.types.as_int(of).map(|k| k.bits(self.model()));
                        matches!(
                            (encoding, bits),
                            (Encoding::Plain, Some(8))
                                | (Encoding::Wide | Encoding::Utf32, Some(32))
                                | (Encoding::Utf16, Some(16))
                        )
                    }
                    ExprKind::CompoundLiteral(..) => matches!(self.types.get(of), CType::Int(_)),
                    _ => false,
                }
            }
            CType::Vector(..) => {
                self.decayed_type_of(e).is_ok_and(|found| matches!(self.types.get(found), CType::Vector(..)))
            }
            CType::Record(_) => match e.kind {
                ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Char(..) | ExprKind::Str(..) => false,
                _ => self.decayed_type_of(e).is_ok_and(|found| found == ty.unqualified()),
            },
            _ => true,
        }
    }
}

fn span_of(item: &InitItem<'_>) -> Span {
    match item.init {
        Init::Expr(e) => e.span,
        Init::List(_, span) => span,
    }
}
