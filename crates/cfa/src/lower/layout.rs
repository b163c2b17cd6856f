//! Layout of structs, unions and bit-fields, as gcc lays them out on x86.
//!
//! Follows the System V ABI with gcc's extensions (`place_field` and `layout_decl` in its `stor-layout.cc`):
//!
//! - A bit-field of declared type `T` may not cross more units of `T`'s alignment than `T` itself has, unless it is
//!   packed or any `#pragma pack` is in force.
//! - A bit-field of width 0 closes the unit of its type, whatever `packed` and `#pragma pack` say.
//! - `packed` removes the alignment of a member's type, also one that a typedef asks for, but not an `aligned` on the
//!   member itself. `#pragma pack(n)` bounds both.
//! - `aligned(n)` on a struct or a member raises its alignment; on a typedef it may also lower it.

use super::types::{CType, RecordLayout, TypeId, Types};
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
    /// Where a bit-field lies, or a scalar with its bytes in reverse order.
    pub bits: Option<BitRange>,
    /// Alignment in bytes.
    pub align: u64,
    /// An array whose elements have their bytes in reverse order.
    pub reversed_array: bool,
    /// Behind an array of variable size: the offset is computed at run time; the number names it among the function's variable sizes.
    pub computed: Option<u32>,
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
    /// The first byte is the highest, and bits are counted from the highest.
    pub reversed: bool,
    /// Not a bit-field but a scalar of its own type.
    pub whole: bool,
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
    /// `aligned(n)` on the member, else 0.
    pub align: u64,
    /// Alignment of the type, which a typedef may have changed.
    pub type_align: u64,
}

/// What the struct itself says.
#[derive(Clone, Copy, Debug)]
pub struct RecordSpec {
    /// `union`
    pub union: bool,
    /// `packed`
    pub packed: bool,
    /// `aligned(n)`, else 0.
    pub align: u64,
    /// `#pragma pack(n)`.
    pub pack: Option<u64>,
    /// Scalars have their highest byte first.
    pub big_endian: bool,
}

/// Lays out a struct or union. `None` if it is larger than 2^60 bits.
pub fn layout(types: &Types, record: RecordSpec, members: &[MemberSpec]) -> Option<RecordLayout> {
    const LIMIT: u64 = 1 << 60;
    let mut fields = Vec::with_capacity(members.len());
    let mut end = 0u64; // in bits, of the last member (struct) or the largest (union)
    let mut align = record.align.max(1);
    for member in members {
        let packed = record.packed || member.packed;
        let limit = record.pack.unwrap_or(u64::MAX);
        let size = types.size(member.ty).unwrap_or(0).checked_mul(8).filter(|&bits| bits < LIMIT)?;
        let at = if record.union { 0 } else { end };
        let (start, width, member_align) = match member.bits {
            None => {
                let own = if packed { member.align.max(1) } else { member.type_align.max(member.align) }.min(limit);
                align = align.max(own);
                (at.next_multiple_of(own * 8), size, own)
            }
            Some(0) => (at.next_multiple_of(member.type_align.max(member.align) * 8), 0, 1),
            Some(width) => {
                let own = member.align.min(limit);
                let aligned = if own > 0 { at.next_multiple_of(own * 8) } else { at };
                if member.name.is_some() {
                    let by_type = if packed && record.pack.is_none() { 1 } else { member.type_align.min(limit) };
                    align = align.max(own).max(by_type).max(whole_alignment(types, at, width, packed).min(limit));
                }
                let unit = member.type_align * 8;
                let crosses = (aligned % unit + u64::from(width)).div_ceil(unit) > size / unit;
                let advances = crosses && !packed && record.pack.is_none() && !fills_integer(at, width);
                (if advances { aligned.next_multiple_of(unit) } else { aligned }, u64::from(width), 1)
            }
        };
        if member.bits.is_none() || member.name.is_some() {
            let reversible = record.big_endian && size > 8;
            let reversed = reversible && types.is_scalar(member.ty);
            let range = |width| BitRange {
                start: 0,
                width,
                unit: (size / 8) as u32,
                reversed: record.big_endian,
                whole: member.bits.is_none(),
            };
            let bits = match member.bits {
                Some(width) => Some(range(width)),
                None if reversed => Some(range(size as u32)),
                None => None,
            };
            let reversed_array = reversible && is_array_of_wide(types, member.ty);
            let field = Field {
                name: member.name,
                ty: member.ty,
                offset: start / 8,
                bits,
                align: member_align,
                reversed_array,
                computed: None,
            };
            fields.push((start, field));
        }
        end = end.max(start + width);
        if end > LIMIT {
            return None;
        }
    }
    let size = end.div_ceil(8).next_multiple_of(align);
    let fields = fields.into_iter().map(|(start, field)| place_bits(field, start, size)).collect();
    Some(RecordLayout { fields, size, align, computed: None })
}

/// A bit-field that fills an aligned integer is laid out like one, whatever alignment its type has.
fn fills_integer(at: u64, width: u32) -> bool {
    matches!(width, 8 | 16 | 32 | 64) && at.is_multiple_of(width.into())
}

fn whole_alignment(types: &Types, at: u64, width: u32, packed: bool) -> u64 {
    let whole = fills_integer(at, width) && (width == 8 || !packed);
    if whole { u64::from(width.min(types.widest_alignment())) / 8 } else { 1 }
}

fn is_array_of_wide(types: &Types, ty: TypeId) -> bool {
    match *types.get(ty) {
        CType::Array(of, _) | CType::Vla(of, _) => {
            is_array_of_wide(types, of) || types.is_scalar(of) && types.size(of) > Some(1)
        }
        CType::Complex(_) | CType::Vector(..) => true,
        _ => false,
    }
}

/// Chooses the bytes through which a bit-field is read: the aligned unit of its declared type where that holds it and
/// lies within the struct (neighbours then share it), else as few bytes as possible.
fn place_bits(field: Field, start: u64, size: u64) -> Field {
    let Some(range) = field.bits.filter(|bits| !bits.whole) else { return field };
    let BitRange { width, unit, .. } = range;
    let unit_bits = u64::from(unit) * 8;
    let base = start / unit_bits * unit_bits;
    let whole = start + u64::from(width) <= base + unit_bits && base / 8 + u64::from(unit) <= size && unit <= 8;
    let (offset, first) = if whole { (base / 8, start - base) } else { (start / 8, start % 8) };
    let unit = if whole { unit } else { (first as u32 + width).div_ceil(8) };
    Field { offset, bits: Some(BitRange { start: first as u32, unit, ..range }), ..field }
}
