//! Types of values. Signedness lives in the operators, not in the values.

use std::fmt;

/// Type of a value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Ty {
    /// A bit-vector of 1 to 64, or 128, bits. One bit is the type of conditions.
    Int(u8),
    /// IEEE single precision.
    F32,
    /// IEEE double precision.
    F64,
    /// A pointer: an object and an offset, or null, or a function. Its width is the data model's.
    Ptr,
}

impl Ty {
    /// The type of conditions.
    pub const BOOL: Ty = Ty::Int(1);

    /// Whether it is `F32` or `F64`.
    pub fn is_float(self) -> bool {
        matches!(self, Ty::F32 | Ty::F64)
    }

    /// Number of bits.
    pub fn bits(self, model: DataModel) -> u32 {
        match self {
            Ty::Int(bits) => bits.into(),
            Ty::F32 => 32,
            Ty::F64 => 64,
            Ty::Ptr => model.pointer_bits().into(),
        }
    }

    /// Number of bytes in memory.
    pub fn size(self, model: DataModel) -> u64 {
        u64::from(self.bits(model).div_ceil(8))
    }
}

impl fmt::Display for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ty::Int(bits) => write!(f, "i{bits}"),
            Ty::F32 => f.write_str("f32"),
            Ty::F64 => f.write_str("f64"),
            Ty::Ptr => f.write_str("ptr"),
        }
    }
}

/// Sizes of C's types. Both models are little-endian with gcc's layout for x86.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DataModel {
    /// `int`, `long` and pointers of 32 bits.
    Ilp32,
    /// `long` and pointers of 64 bits.
    Lp64,
}

impl DataModel {
    /// Width of a pointer and of `size_t`.
    pub fn pointer_bits(self) -> u8 {
        match self {
            DataModel::Ilp32 => 32,
            DataModel::Lp64 => 64,
        }
    }

    /// The largest object that an implementation gives: with 32 bits the distance of two pointers must fit into `ptrdiff_t`; with 64
    /// bits a process has 2⁵⁶ bytes of addresses on x86-64 (five levels of page tables). An allocation of more fails.
    pub fn largest_object(self) -> u64 {
        match self {
            DataModel::Ilp32 => i32::MAX as u64,
            DataModel::Lp64 => 1 << 56,
        }
    }

    /// The integer type as wide as a pointer.
    pub fn size_ty(self) -> Ty {
        Ty::Int(self.pointer_bits())
    }
}

impl fmt::Display for DataModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            DataModel::Ilp32 => "ILP32",
            DataModel::Lp64 => "LP64",
        })
    }
}
