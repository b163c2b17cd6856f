//! Layout of structs, unions and bit-fields, as gcc lays them out on x86.
//!
//! Follows the System V ABI with gcc's extensions: a bit-field of declared type `T` may not cross more units of `T`'s
//! alignment than `T` itself has, unless the struct is packed; a bit-field of width 0 closes the unit; `packed` and
//! `#pragma pack(n)` lower alignments, `aligned(n)` raises them.

use super::types::{RecordLayout, TypeId, Types};
use robusto_syntax::Symbol;

/// A laid out member.
#[derive(Clone, Debug)]
pub struct Field {
    /// The name; `None` for an anonymous struct or union.
    pub name: Option<Symbol>,
    /// Declared type.
    pub ty: TypeId,
    /// Offset in bytes; for a bit-field, of the bytes that hold it.
    pub offset: u64,
    /// Where a bit-field lies.
    pub bits: Option<BitRange>,
}

/// The bits of a bit-field, counted from the lowest bit of the byte at the field's offset.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BitRange {
    /// First bit.
    pub start: u32,
    /// Number of bits.
    pub width: u32,
    /// Number of bytes to read so that all bits are in, up to 16.
    pub unit: u32,
}

/// A member before layout.
#[derive(Clone, Debug)]
pub struct MemberSpec {
    /// The name.
    pub name: Option<Symbol>,
    /// Declared type.
    pub ty: TypeId,
    /// Width of a bit-field.
    pub bits: Option<u32>,
    /// `packed` on the member.
    pub packed: bool,
    /// `aligned(n)` on the member or its typedef, else 1.
    pub align: u64,
}

/// What the struct itself says.
#[derive(Clone, Copy, Debug)]
pub struct RecordSpec {
    /// `union`
    pub union: bool,
    /// `packed`
    pub packed: bool,
    /// `aligned(n)`, else 1.
    pub align: u64,
    /// `#pragma pack(n)`.
    pub pack: Option<u64>,
}

/// Lays out a struct or union. `None` if it is larger than 2^60 bits.
pub fn layout(types: &Types, record: RecordSpec, members: &[MemberSpec]) -> Option<RecordLayout> {
    const LIMIT: u64 = 1 << 60;
    let mut fields = Vec::with_capacity(members.len());
    let mut end = 0u64; // in bits, of the last member (struct) or the largest (union)
    let mut align = record.align.max(1);
    for member in members {
        let packed = record.packed || member.packed;
        let natural = types.align(member.ty).min(record.pack.unwrap_or(u64::MAX));
        let member_align = if packed { member.align } else { natural.max(member.align) };
        let size = types.size(member.ty).unwrap_or(0).checked_mul(8).filter(|&bits| bits < LIMIT)?;
        let at = if record.union { 0 } else { end };
        let (start, width) = match member.bits {
            None => (at.next_multiple_of(member_align * 8), size),
            Some(0) => (at.next_multiple_of(natural.max(member.align) * 8), 0),
            Some(width) => {
                let aligned = if member.align > 1 { at.next_multiple_of(member.align * 8) } else { at };
                let unit = natural * 8;
                let crosses = (aligned % unit + u64::from(width)).div_ceil(unit) > size / unit;
                (if crosses && !packed { aligned.next_multiple_of(unit) } else { aligned }, u64::from(width))
            }
        };
        if member.bits.is_none() || member.name.is_some() {
            align = align.max(member_align);
            let bits = member.bits.map(|width| BitRange { start: 0, width, unit: (size / 8) as u32 });
            fields.push((start, Field { name: member.name, ty: member.ty, offset: start / 8, bits }));
        }
        end = end.max(start + width);
        if end > LIMIT {
            return None;
        }
    }
    let size = end.div_ceil(8).next_multiple_of(align);
    let fields = fields.into_iter().map(|(start, field)| place_bits(field, start, size)).collect();
    Some(RecordLayout { fields, size, align })
}

/// Chooses the bytes through which a bit-field is read: the aligned unit of its declared type where that holds it and
/// lies within the struct (neighbours then share it), else as few bytes as possible.
fn place_bits(field: Field, start: u64, size: u64) -> Field {
    let Some(BitRange { width, unit, .. }) = field.bits else { return field };
    let unit_bits = u64::from(unit) * 8;
    let base = start / unit_bits * unit_bits;
    let whole = start + u64::from(width) <= base + unit_bits && base / 8 + u64::from(unit) <= size && unit <= 8;
    let (offset, first) = if whole { (base / 8, start - base) } else { (start / 8, start % 8) };
    let unit = if whole { unit } else { (first as u32 + width).div_ceil(8) };
    Field { offset, bits: Some(BitRange { start: first as u32, width, unit }), ..field }
}
