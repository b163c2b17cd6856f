//! C types, interned: equal types have equal numbers. `const` and `volatile` are part of a number, not of a type: what
//! they qualify has the same size and values, but an external function may write through a pointer to the one and not to
//! the other.

use super::layout::Field;
use crate::ir::{DataModel, Ty};
use robusto_syntax::Symbol;
use rustc_hash::FxHashMap;

/// An interned C type, with its qualifiers in the two highest bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct TypeId(u32);

const CONST: u32 = 1 << 31;
const VOLATILE: u32 = 1 << 30;

impl TypeId {
    /// The type without qualifiers.
    pub fn unqualified(self) -> TypeId {
        TypeId(self.0 & !(CONST | VOLATILE))
    }

    /// Whether it is `const`.
    pub fn is_const(self) -> bool {
        self.0 & CONST != 0
    }

    /// Whether it is `volatile`.
    pub fn is_volatile(self) -> bool {
        self.0 & VOLATILE != 0
    }
}

/// A struct or union.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct RecordId(u32);

/// A C type. An enumeration is its integer type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum CType {
    /// `void`
    Void,
    /// An integer type.
    Int(IntKind),
    /// A floating type.
    Float(FloatKind),
    /// `_Float16`, which is promoted to `float` where it is computed with.
    Half {
        /// `__bf16`: bits that can be copied; that anything else is done with them is not supported.
        brain: bool,
    },
    /// A pointer.
    Pointer(TypeId),
    /// An array; `None` while the size is not known.
    Array(TypeId, Option<u64>),
    /// An array whose size is computed at run time; the number names the size among the function's variable sizes.
    Vla(TypeId, u32),
    /// A function.
    Function(FunctionType),
    /// A struct or union.
    Record(RecordId),
    /// A complex number, by the type of its parts.
    Complex(TypeId),
    /// A vector (GNU), by the type and number of its parts.
    Vector(TypeId, u64),
}

/// A function type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct FunctionType {
    /// The returned type.
    pub ret: TypeId,
    /// Parameter types, after adjustment.
    pub params: Box<[TypeId]>,
    /// `...`
    pub variadic: bool,
    /// Whether the parameters are known.
    pub prototype: bool,
}

/// Integer types, by rank.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum IntKind {
    Bool,
    Char,
    SChar,
    UChar,
    Short,
    UShort,
    Int,
    UInt,
    Long,
    ULong,
    LongLong,
    ULongLong,
    Int128,
    UInt128,
    /// The value of a bit-field with more bits than `int`: as in gcc, arithmetic keeps its width.
    Field {
        /// Number of bits, 33 to 63.
        width: u8,
        /// Whether negative values exist.
        signed: bool,
    },
}

impl IntKind {
    /// Whether negative values exist.
    pub fn is_signed(self) -> bool {
        use IntKind::*;
        matches!(self, Char | SChar | Short | Int | Long | LongLong | Int128 | Field { signed: true, .. })
    }

    /// Width in bits, as stored.
    pub fn bits(self, model: DataModel) -> u8 {
        use IntKind::*;
        match self {
            Bool | Char | SChar | UChar => 8,
            Short | UShort => 16,
            Int | UInt => 32,
            Long | ULong => model.pointer_bits(),
            LongLong | ULongLong => 64,
            Int128 | UInt128 => 128,
            Field { width, .. } => width,
        }
    }

    /// The type of an object that holds such values.
    pub fn stored(self) -> IntKind {
        match self {
            IntKind::Field { signed: true, .. } => IntKind::LongLong,
            IntKind::Field { signed: false, .. } => IntKind::ULongLong,
            other => other,
        }
    }

    /// Conversion rank.
    pub fn rank(self) -> u8 {
        use IntKind::*;
        match self {
            Bool => 0,
            Char | SChar | UChar => 1,
            Short | UShort => 2,
            Int | UInt => 3,
            Long | ULong | Field { .. } => 4,
            LongLong | ULongLong => 5,
            Int128 | UInt128 => 6,
        }
    }

    /// The unsigned type of the same rank.
    pub fn to_unsigned(self) -> IntKind {
        use IntKind::*;
        match self {
            Char | SChar => UChar,
            Short => UShort,
            Int => UInt,
            Long => ULong,
            LongLong => ULongLong,
            Int128 => UInt128,
            Field { width, .. } => Field { width, signed: false },
            other => other,
        }
    }
}

/// Floating types. `_Float128` is computed as double, which is listed as an assumption.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum FloatKind {
    Float,
    Double,
    LongDouble,
    Float128,
}

/// A struct or union with its layout, once it is complete.
#[derive(Debug)]
pub struct Record {
    /// The tag, or a made-up name.
    pub name: Box<str>,
    /// Whether it is a union.
    pub union: bool,
    /// `transparent_union`: a parameter of this type takes a value of any member's.
    pub transparent: bool,
    /// The layout.
    pub layout: Option<RecordLayout>,
}

/// Layout of a struct or union.
#[derive(Debug)]
pub struct RecordLayout {
    /// The members in order, unnamed bit-fields left out.
    pub fields: Vec<Field>,
    /// Size in bytes.
    pub size: u64,
    /// Alignment in bytes.
    pub align: u64,
    /// A struct with an array of variable size: its size is computed at run time; the number names it among the function's variable
    /// sizes.
    pub computed: Option<u32>,
}

/// All types of a program.
#[derive(Debug)]
pub struct Types {
    model: DataModel,
    types: Vec<CType>,
    ids: FxHashMap<CType, TypeId>,
    records: Vec<Record>,
    has_vectors: bool,
}

impl Types {
    /// No types yet but the basic ones.
    pub fn new(model: DataModel) -> Self {
        Self { model, types: Vec::new(), ids: FxHashMap::default(), records: Vec::new(), has_vectors: false }
    }

    /// The number of a type.
    pub fn intern(&mut self, ty: CType) -> TypeId {
        if let Some(&id) = self.ids.get(&ty) {
            return id;
        }
        let id = TypeId(self.types.len() as u32);
        assert!(id.0 < VOLATILE, "fewer than 2^30 types");
        self.has_vectors |= matches!(ty, CType::Vector(..));
        self.types.push(ty.clone());
        self.ids.insert(ty, id);
        id
    }

    /// The type with this number.
    pub fn get(&self, id: TypeId) -> &CType {
        &self.types[id.unqualified().0 as usize]
    }

    /// The type with the qualifiers of another one added; those of an array belong to its elements.
    pub fn qualified_like(&mut self, id: TypeId, other: TypeId) -> TypeId {
        self.with_bits(id, other.0 & (CONST | VOLATILE))
    }

    /// The type with qualifiers added; those of an array belong to its elements.
    pub fn qualified(&mut self, id: TypeId, constant: bool, volatile: bool) -> TypeId {
        let bits = if constant { CONST } else { 0 } | if volatile { VOLATILE } else { 0 };
        self.with_bits(id, bits)
    }

    fn with_bits(&mut self, id: TypeId, bits: u32) -> TypeId {
        if bits == 0 {
            return id;
        }
        match *self.get(id) {
            CType::Array(of, len) => {
                let of = self.with_bits(of, bits);
                self.array(of, len)
            }
            CType::Vla(of, count) => {
                let of = self.with_bits(of, bits);
                self.intern(CType::Vla(of, count))
            }
            CType::Function(_) => id,
            _ => TypeId(id.0 | bits),
        }
    }

    /// `void`
    pub fn void(&mut self) -> TypeId {
        self.intern(CType::Void)
    }

    /// An integer type.
    pub fn int(&mut self, kind: IntKind) -> TypeId {
        self.intern(CType::Int(kind))
    }

    /// A floating type.
    pub fn float(&mut self, kind: FloatKind) -> TypeId {
        self.intern(CType::Float(kind))
    }

    /// A pointer type.
    pub fn pointer(&mut self, to: TypeId) -> TypeId {
        self.intern(CType::Pointer(to))
    }

    /// An array type.
    pub fn array(&mut self, of: TypeId, len: Option<u64>) -> TypeId {
        self.intern(CType::Array(of, len))
    }

    /// `size_t`
    pub fn size_t(&mut self) -> TypeId {
        let kind = match self.model {
            DataModel::Ilp32 => IntKind::UInt,
            DataModel::Lp64 => IntKind::ULong,
        };
        self.int(kind)
    }

    /// `ptrdiff_t`
    pub fn ptrdiff_t(&mut self) -> TypeId {
        let kind = match self.model {
            DataModel::Ilp32 => IntKind::Int,
            DataModel::Lp64 => IntKind::Long,
        };
        self.int(kind)
    }

    /// A new, incomplete struct or union.
    pub fn new_record(&mut self, name: &str, union: bool) -> (RecordId, TypeId) {
        let id = RecordId(self.records.len() as u32);
        self.records.push(Record { name: name.into(), union, transparent: false, layout: None });
        (id, self.intern(CType::Record(id)))
    }

    /// A struct or union.
    pub fn record(&self, id: RecordId) -> &Record {
        &self.records[id.0 as usize]
    }

    /// Makes a union transparent.
    pub fn set_transparent(&mut self, id: RecordId) {
        self.records[id.0 as usize].transparent = true;
    }

    /// Completes a struct or union.
    pub fn complete_record(&mut self, id: RecordId, layout: RecordLayout) {
        self.records[id.0 as usize].layout = Some(layout);
    }

    /// Size in bytes, if the type is complete and its size fixed (`void` and functions count 1, as in GNU C).
    pub fn size(&self, id: TypeId) -> Option<u64> {
        Some(match self.get(id) {
            CType::Void | CType::Function(_) => 1,
            CType::Int(kind) => u64::from(kind.stored().bits(self.model)) / 8,
            CType::Float(kind) => match kind {
                FloatKind::Float => 4,
                FloatKind::Double => 8,
                FloatKind::LongDouble if self.model == DataModel::Ilp32 => 12,
                FloatKind::LongDouble | FloatKind::Float128 => 16,
            },
            CType::Half { .. } => 2,
            CType::Pointer(_) => u64::from(self.model.pointer_bits()) / 8,
            CType::Array(of, len) => self.size(*of)?.checked_mul((*len)?)?,
            CType::Vla(..) => return None,
            CType::Record(record) => self.record(*record).layout.as_ref().filter(|l| l.computed.is_none())?.size,
            CType::Complex(part) => 2 * self.size(*part)?,
            CType::Vector(part, len) => self.size(*part)?.checked_mul(*len)?,
        })
    }

    /// Alignment in bytes as a member of a struct; 1 for incomplete types. In ILP32, 8-byte scalars have 4.
    pub fn align(&self, id: TypeId) -> u64 {
        match self.get(id) {
            CType::Array(of, _) | CType::Vla(of, _) => self.align(*of),
            CType::Record(record) => self.record(*record).layout.as_ref().map_or(1, |l| l.align),
            CType::Void | CType::Function(_) => 1,
            CType::Complex(part) => self.align(*part),
            CType::Vector(..) => self.size(id).map_or(1, u64::next_power_of_two),
            CType::Half { .. } => 2,
            CType::Int(_) | CType::Float(_) | CType::Pointer(_) => {
                let limit = match self.get(id) {
                    CType::Float(FloatKind::Float128) => 16,
                    _ if self.model == DataModel::Ilp32 => 4,
                    _ => 16,
                };
                self.size(id).map_or(1, |s| 1 << s.trailing_zeros()).min(limit)
            }
        }
    }

    /// Whether there is a vector type at all.
    pub fn has_vectors(&self) -> bool {
        self.has_vectors
    }

    /// Greatest alignment in bits of an integer as a member of a struct.
    pub fn widest_alignment(&self) -> u32 {
        self.model.pointer_bits().into()
    }

    /// How a value of this type is held, if it is a scalar.
    pub fn value_ty(&self, id: TypeId) -> Option<Ty> {
        Some(match self.get(id) {
            CType::Int(kind) => Ty::Int(kind.bits(self.model)),
            CType::Float(FloatKind::Float) => Ty::F32,
            CType::Float(FloatKind::LongDouble) => Ty::F80,
            CType::Float(_) => Ty::F64,
            CType::Half { .. } => Ty::Int(16),
            CType::Pointer(_) => Ty::Ptr,
            _ => return None,
        })
    }

    /// Whether it is a struct, a union, a complex number or a vector: a value is then the address of its bytes.
    pub fn is_aggregate(&self, id: TypeId) -> bool {
        matches!(self.get(id), CType::Record(_) | CType::Complex(_) | CType::Vector(..))
    }

    /// Whether it is an integer, floating or pointer type.
    pub fn is_scalar(&self, id: TypeId) -> bool {
        matches!(self.get(id), CType::Int(_) | CType::Float(_) | CType::Half { .. } | CType::Pointer(_))
    }

    /// The integer kind.
    pub fn as_int(&self, id: TypeId) -> Option<IntKind> {
        match self.get(id) {
            CType::Int(kind) => Some(*kind),
            _ => None,
        }
    }

    /// Whether values are read as signed.
    pub fn is_signed(&self, id: TypeId) -> bool {
        match self.get(id) {
            CType::Int(kind) => kind.is_signed(),
            CType::Float(_) => true,
            _ => false,
        }
    }

    /// What a pointer points to, or an array holds.
    pub fn pointee(&self, id: TypeId) -> Option<TypeId> {
        match self.get(id) {
            CType::Pointer(to) | CType::Array(to, _) | CType::Vla(to, _) => Some(*to),
            _ => None,
        }
    }

    /// The function type of a function or of a pointer to one.
    pub fn as_function(&self, id: TypeId) -> Option<&FunctionType> {
        match self.get(id) {
            CType::Function(f) => Some(f),
            CType::Pointer(to) => match self.get(*to) {
                CType::Function(f) => Some(f),
                _ => None,
            },
            _ => None,
        }
    }

    /// Finds a member, looking into anonymous structs and unions: its offset from the start, and the field.
    pub fn find_field(&self, id: TypeId, name: Symbol) -> Option<(u64, &Field)> {
        let CType::Record(record) = self.get(id) else { return None };
        let layout = self.record(*record).layout.as_ref()?;
        for field in &layout.fields {
            if field.name == Some(name) {
                return Some((field.offset, field));
            }
        }
        layout.fields.iter().filter(|f| f.name.is_none()).find_map(|f| {
            let (offset, field) = self.find_field(f.ty, name)?;
            Some((f.offset + offset, field))
        })
    }

    /// The offsets on the way to a member that are computed at run time.
    pub fn computed_offsets(&self, id: TypeId, name: Symbol) -> Vec<u32> {
        let CType::Record(record) = self.get(id) else { return Vec::new() };
        let Some(layout) = self.record(*record).layout.as_ref() else { return Vec::new() };
        let named = layout.fields.iter().find(|f| f.name == Some(name));
        let within = || layout.fields.iter().find(|f| f.name.is_none() && self.find_field(f.ty, name).is_some());
        match (named, named.is_none().then(within).flatten()) {
            (Some(field), _) => field.computed.into_iter().collect(),
            (None, Some(field)) => field.computed.into_iter().chain(self.computed_offsets(field.ty, name)).collect(),
            (None, None) => Vec::new(),
        }
    }

    /// Whether two types count as the same for `_Generic`, qualifiers included.
    pub fn compatible(&self, a: TypeId, b: TypeId) -> bool {
        if a == b {
            return true;
        }
        if (a.is_const(), a.is_volatile()) != (b.is_const(), b.is_volatile()) {
            return false;
        }
        match (self.get(a), self.get(b)) {
            (CType::Pointer(a), CType::Pointer(b)) => self.compatible(*a, *b),
            (CType::Array(a, m), CType::Array(b, n)) => {
                self.compatible(*a, *b) && (m.is_none() || n.is_none() || m == n)
            }
            (CType::Function(f), CType::Function(g)) => {
                self.compatible(f.ret, g.ret)
                    && (!f.prototype
                        || !g.prototype
                        || (f.variadic == g.variadic
                            && f.params.len() == g.params.len()
                            && f.params.iter().zip(&g.params).all(|(a, b)| self.compatible(*a, *b))))
            }
            _ => false,
        }
    }

    /// The type as C text, for messages.
    pub fn describe(&self, id: TypeId) -> String {
        if id != id.unqualified() {
            let text = self.describe(id.unqualified());
            let quals = [("const ", id.is_const()), ("volatile ", id.is_volatile())];
            let quals: String = quals.into_iter().filter(|q| q.1).map(|q| q.0).collect();
            return if text.ends_with('*') { format!("{text} {}", quals.trim_end()) } else { quals + &text };
        }
        match self.get(id) {
            CType::Void => "void".into(),
            CType::Int(kind) => match kind {
                IntKind::Bool => "_Bool",
                IntKind::Char => "char",
                IntKind::SChar => "signed char",
                IntKind::UChar => "unsigned char",
                IntKind::Short => "short",
                IntKind::UShort => "unsigned short",
                IntKind::Int => "int",
                IntKind::UInt => "unsigned int",
                IntKind::Long => "long",
                IntKind::ULong => "unsigned long",
                IntKind::LongLong => "long long",
                IntKind::ULongLong => "unsigned long long",
                IntKind::Int128 => "__int128",
                IntKind::UInt128 => "unsigned __int128",
                IntKind::Field { signed: true, .. } => "bit-field of long long",
                IntKind::Field { signed: false, .. } => "bit-field of unsigned long long",
            }
            .into(),
            CType::Float(kind) => match kind {
                FloatKind::Float => "float",
                FloatKind::Double => "double",
                FloatKind::LongDouble => "long double",
                FloatKind::Float128 => "_Float128",
            }
            .into(),
            CType::Half { brain } => if *brain { "__bf16" } else { "_Float16" }.into(),
            CType::Pointer(to) => match self.get(*to) {
                CType::Function(_) => format!("pointer to {}", self.describe(*to)),
                _ => format!("{} *", self.describe(*to)),
            },
            CType::Array(of, Some(len)) => format!("array of {len} {}", self.describe(*of)),
            CType::Array(of, None) => format!("array of {}", self.describe(*of)),
            CType::Vla(of, _) => format!("variable-length array of {}", self.describe(*of)),
            CType::Function(f) => format!("function returning {}", self.describe(f.ret)),
            CType::Record(record) => {
                let record = self.record(*record);
                format!("{} {}", if record.union { "union" } else { "struct" }, record.name)
            }
            CType::Complex(part) => format!("complex {}", self.describe(*part)),
            CType::Vector(part, len) => format!("vector of {len} {}", self.describe(*part)),
        }
    }
}
