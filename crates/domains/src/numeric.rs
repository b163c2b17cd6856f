//! Domains of points: what is known of several variables at once.
//!
//! The abstract transformers of Gurfinkel, Chaki, Section III: x₁ := e₁ ∧ … ∧ xₙ := eₙ and assume(e), with linear
//! expressions. Variables are machine integers: everything is modulo 2^w, and it is the domain's business to stay sound where
//! a sum wraps around.

use crate::lattice::Lattice;
use robusto_cfa::ir::{BinOp, Ty, fold};

/// A domain whose elements are sets of points, value-wise or relational.
pub trait Numeric: Lattice {
    /// Names a coordinate of a point.
    type Var: Copy;

    /// Whether a point is in γ(a).
    fn contains(&self, point: impl Fn(Self::Var) -> u64) -> bool;

    /// ∃ x₁ … xₙ: nothing is known of these variables any more.
    fn project(&self, variables: &[Self::Var]) -> Self;

    /// The points after a parallel assignment to different variables: the right sides are those of before.
    fn assign(&self, assignments: &[(Self::Var, Linear<Self::Var>)]) -> Self;

    /// The points that satisfy a condition, and perhaps more.
    fn assume(&self, condition: &Condition<Self::Var>) -> Self;
}

/// constant + Σ coefficient · variable, modulo 2^width. All variables have that width.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Linear<X> {
    /// Number of bits, 1 to 64.
    pub width: u32,
    /// Without a variable.
    pub constant: u64,
    /// Variables with their coefficients.
    pub terms: Vec<(X, u64)>,
}

impl<X: Copy> Linear<X> {
    /// A constant.
    pub fn constant(width: u32, bits: u64) -> Self {
        Self { width, constant: fold::mask(width, bits), terms: Vec::new() }
    }

    /// A variable.
    pub fn variable(width: u32, variable: X) -> Self {
        Self { width, constant: 0, terms: vec![(variable, 1)] }
    }

    /// Its value at a point.
    pub fn evaluate(&self, point: impl Fn(X) -> u64) -> u64 {
        let products = self.terms.iter().map(|&(x, coefficient)| coefficient.wrapping_mul(point(x)));
        fold::mask(self.width, products.fold(self.constant, u64::wrapping_add))
    }
}

/// How two numbers compare.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Comparison {
    /// The same.
    Eq,
    /// Different.
    Ne,
    /// Less, as unsigned numbers.
    ULt,
    /// Less or equal, as unsigned numbers.
    ULe,
    /// Less, as signed numbers.
    SLt,
    /// Less or equal, as signed numbers.
    SLe,
}

impl Comparison {
    /// All.
    pub const ALL: [Comparison; 6] = [Self::Eq, Self::Ne, Self::ULt, Self::ULe, Self::SLt, Self::SLe];

    /// The operator.
    pub fn op(self) -> BinOp {
        match self {
            Self::Eq => BinOp::Eq,
            Self::Ne => BinOp::Ne,
            Self::ULt => BinOp::ULt,
            Self::ULe => BinOp::ULe,
            Self::SLt => BinOp::SLt,
            Self::SLe => BinOp::SLe,
        }
    }

    /// Whether two values compare so.
    pub fn holds(self, width: u32, left: u64, right: u64) -> bool {
        fold::binary(self.op(), Ty::Int(width as u8), width, left, right) == 1
    }
}

/// left ⋈ right, of the same width.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Condition<X> {
    /// ⋈
    pub comparison: Comparison,
    /// The left side.
    pub left: Linear<X>,
    /// The right side.
    pub right: Linear<X>,
}

impl<X: Copy> Condition<X> {
    /// Whether a point satisfies it.
    pub fn holds(&self, point: impl Fn(X) -> u64) -> bool {
        let (left, right) = (self.left.evaluate(&point), self.right.evaluate(&point));
        self.comparison.holds(self.left.width, left, right)
    }
}
