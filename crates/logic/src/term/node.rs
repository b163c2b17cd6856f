//! What terms are made of.

use super::float::FloatOp;

/// A term of a pool.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Term(pub(super) u32);

impl Term {
    /// Its position in the pool: operands have smaller numbers than the terms that use them.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A free variable of a pool.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Symbol(pub(super) u32);

impl Symbol {
    /// Its position among the symbols.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The type of a term.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Sort {
    /// A bit-vector of that width.
    Bits(u16),
    /// A total map from bit-vectors to bit-vectors.
    Array {
        /// Width of the indices.
        index: u16,
        /// Width of the elements.
        element: u16,
    },
}

impl Sort {
    /// Truth values.
    pub const BOOL: Sort = Sort::Bits(1);
}

/// Operators on two bit-vectors of the same width; comparisons give width 1, the others the width of the operands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[expect(missing_docs, reason = "U is unsigned, S signed; the rest of the name is the operator, as in SMT-LIB")]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    UDiv,
    SDiv,
    URem,
    SRem,
    And,
    Or,
    Xor,
    Shl,
    LShr,
    AShr,
    Eq,
    ULt,
    ULe,
    SLt,
    SLe,
}

impl BinaryOp {
    /// All of them.
    pub const ALL: [BinaryOp; 18] = {
        use BinaryOp::*;
        [Add, Sub, Mul, UDiv, SDiv, URem, SRem, And, Or, Xor, Shl, LShr, AShr, Eq, ULt, ULe, SLt, SLe]
    };

    /// Whether the result is a truth value.
    pub fn is_comparison(self) -> bool {
        use BinaryOp::*;
        matches!(self, Eq | ULt | ULe | SLt | SLe)
    }

    /// Whether the operands may be swapped.
    pub fn is_commutative(self) -> bool {
        use BinaryOp::*;
        matches!(self, Add | Mul | And | Or | Xor | Eq)
    }
}

/// A node of the pool.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// A constant bit-vector; the bits beyond the width are zero.
    Const {
        /// Its width.
        width: u16,
        /// Its value.
        bits: u128,
    },
    /// A free variable.
    Symbol(Symbol),
    /// Bitwise complement; on width 1, negation.
    Not(Term),
    /// Two's complement.
    Neg(Term),
    /// An operator on two bit-vectors.
    Binary(BinaryOp, Term, Term),
    /// The second operand if the first is 1, else the third; the branches may be arrays.
    Ite(Term, Term, Term),
    /// Bits `lo` to `lo + width - 1`.
    Extract {
        /// The bit-vector cut.
        arg: Term,
        /// The lowest bit taken.
        lo: u16,
        /// How many bits.
        width: u16,
    },
    /// The first operand above the second.
    Concat(Term, Term),
    /// Widening with zeros to that width.
    ZExt(Term, u16),
    /// Widening with copies of the sign to that width.
    SExt(Term, u16),
    /// A floating-point operator, with a result of that width; the second operand of a unary one does not count.
    Float(FloatOp, Term, Term, u16),
    /// The element of an array at an index.
    Select(Term, Term),
    /// The array that differs from the first operand at most at the second, where it is the third.
    Store(Term, Term, Term),
    /// The array that is `value` everywhere.
    ConstArray {
        /// Width of its indices.
        index: u16,
        /// Every element.
        value: Term,
    },
    /// The array that is `source[i - to + from]` where `i - to <u size`, and `base[i]` elsewhere; indices wrap around.
    Splice {
        /// The array written.
        base: Term,
        /// The array copied from.
        source: Term,
        /// First index written.
        to: Term,
        /// First index read.
        from: Term,
        /// Number of elements.
        size: Term,
    },
}
