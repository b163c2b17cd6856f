//! What promotion needs to know of C types: the scalars of an object and their names.

use super::ObjInfo;
use super::types::{CType, TypeId, Types};
use crate::ir::{Idx, ObjId, Ty};
use crate::promote::{Shapes, Slot};
use robusto_syntax::Interner;
use std::fmt::Write as _;

/// Objects with their C types.
pub struct ObjectShapes<'l> {
    /// The types.
    pub types: &'l Types,
    /// The names of members.
    pub names: &'l Interner,
    /// The objects.
    pub objects: &'l [ObjInfo],
}

/// Most scalars that a copied object may have to be split.
const MAX_LEAVES: usize = 64;

impl Shapes for ObjectShapes<'_> {
    fn describe(&self, obj: ObjId, slot: Slot) -> (String, bool) {
        let mut name = String::new();
        let mut ty = self.objects[obj.index()].ty;
        let mut offset = slot.offset;
        loop {
            match self.types.get(ty) {
                CType::Array(of, _) => {
                    let size = self.types.size(*of).unwrap_or(1).max(1);
                    let _ = write!(name, "[{}]", offset / size);
                    offset %= size;
                    ty = *of;
                }
                CType::Record(record) => {
                    let fields = self.types.record(*record).layout.as_ref().map_or(&[][..], |l| &l.fields);
                    let holds = |f: &&super::layout::Field| {
                        let size = f.bits.map_or(self.types.size(f.ty).unwrap_or(0), |b| b.unit.into());
                        f.offset <= offset && offset < f.offset + size
                    };
                    let Some(field) = fields.iter().find(holds) else {
                        let _ = write!(name, ".padding{offset}");
                        return (name, false);
                    };
                    if let Some(text) = field.name {
                        let _ = write!(name, ".{}", self.names.text(text));
                    }
                    if field.bits.is_some() {
                        // Several bit-fields share the unit; name them all.
                        for other in fields.iter().filter(|f| f.bits.is_some() && f.offset == field.offset).skip(1) {
                            let _ = write!(name, "/{}", other.name.map_or("", |n| self.names.text(n)));
                        }
                        return (name, false);
                    }
                    offset -= field.offset;
                    ty = field.ty;
                }
                // A scalar has more bytes than its value.
                _ if offset > 0 => {
                    let _ = write!(name, ".padding{offset}");
                    return (name, false);
                }
                _ => return (name, self.types.is_signed(ty)),
            }
        }
    }

    fn leaves(&self, obj: ObjId) -> Option<Vec<Slot>> {
        let mut leaves = Vec::new();
        self.collect(self.objects[obj.index()].ty, 0, &mut leaves)?;
        Some(leaves)
    }
}

impl ObjectShapes<'_> {
    fn collect(&self, ty: TypeId, base: u64, leaves: &mut Vec<Slot>) -> Option<()> {
        if leaves.len() > MAX_LEAVES {
            return None;
        }
        match self.types.get(ty) {
            CType::Array(of, len) => {
                let size = self.types.size(*of)?;
                for i in 0..(*len)? {
                    self.collect(*of, base + i * size, leaves)?;
                }
            }
            CType::Record(record) => {
                let record = self.types.record(*record);
                if record.union {
                    return None;
                }
                for field in &record.layout.as_ref()?.fields {
                    match field.bits {
                        None => self.collect(field.ty, base + field.offset, leaves)?,
                        Some(bits) if bits.unit <= 8 => {
                            let slot = Slot { offset: base + field.offset, ty: Ty::Int(bits.unit as u8 * 8) };
                            if !leaves.contains(&slot) {
                                leaves.push(slot);
                            }
                        }
                        Some(_) => return None,
                    }
                }
            }
            CType::Complex(part) | CType::Vector(part, _) => {
                let (size, whole) = (self.types.size(*part)?, self.types.size(ty)?);
                for i in 0..whole / size.max(1) {
                    self.collect(*part, base + i * size, leaves)?;
                }
            }
            _ => leaves.push(Slot { offset: base, ty: self.types.value_ty(ty)? }),
        }
        Some(())
    }
}
