//! Floating-point operators of IEEE 754 on the bits of numbers.
//!
//! A number is a bit-vector of 16, 32, 64 or 79 bits; its width names its format. (79 bits are x87's extended format without the leading
//! one of its significand.) An operator is total and has one result for each
//! operand, so that a model is an execution:
//!
//! * A result that is no number has the bits that SSE gives it: those of the first operand that is none, made quiet; else the
//!   quiet one with sign and without payload.
//! * A conversion to an integer rounds toward zero and saturates; what is no number becomes 0.
//!
//! Negation, comparison and classification need no operator: they are terms over the bits.

use super::{Node, Term, Terms, fold};

use robusto_ieee::soft;
pub use robusto_ieee::{COMPACT, Format, Rounding};

/// Operators.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum FloatKind {
    /// Sum.
    Add,
    /// Difference.
    Sub,
    /// Product.
    Mul,
    /// Quotient.
    Div,
    /// Square root of the first operand.
    Sqrt,
    /// The remainder of a division whose quotient is rounded toward zero. It is exact.
    Fmod,
    /// The remainder of a division whose quotient is rounded to nearest even. It is exact.
    Remainder,
    /// Product and sum, rounded once: the first operand holds both factors, the first one above the second.
    Fma,
    /// The nearest integer in the direction of rounding, as a float.
    Round,
    /// Of a signed integer.
    OfSigned,
    /// Of an unsigned integer.
    OfUnsigned,
    /// To a signed integer, toward zero.
    ToSigned,
    /// To an unsigned integer, toward zero.
    ToUnsigned,
    /// To another format.
    Convert,
}

impl FloatKind {
    /// All of them.
    pub const ALL: [FloatKind; 14] = {
        use FloatKind::*;
        [Add, Sub, Mul, Div, Sqrt, Fmod, Remainder, Fma, Round, OfSigned, OfUnsigned, ToSigned, ToUnsigned, Convert]
    };

    /// Whether the second operand counts.
    pub fn is_binary(self) -> bool {
        use FloatKind::*;
        matches!(self, Add | Sub | Mul | Div | Fmod | Remainder | Fma)
    }
}

/// An operator and how its result is rounded.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FloatOp {
    /// The operator.
    pub kind: FloatKind,
    /// The direction.
    pub rounding: Rounding,
}

/// Names of the operators, in the order of [`FloatKind::ALL`].
const KINDS: [&str; 14] = [
    "add",
    "sub",
    "mul",
    "div",
    "sqrt",
    "fmod",
    "remainder",
    "fma",
    "round",
    "of_signed",
    "of_unsigned",
    "to_signed",
    "to_unsigned",
    "convert",
];
/// Names of the directions, in the order of [`Rounding::ALL`].
const ROUNDINGS: [&str; 5] = ["", ".away", ".up", ".down", ".zero"];

impl FloatOp {
    /// The operator by name, with the direction of rounding if it is not that of C.
    pub fn name(self) -> String {
        format!("f.{}{}", KINDS[self.kind as usize], ROUNDINGS[self.rounding as usize])
    }

    /// The operator with a name.
    pub fn from_name(name: &str) -> Option<Self> {
        let name = name.strip_prefix("f.")?;
        let (kind, rounding) = name.find('.').map_or((name, ""), |at| name.split_at(at));
        let kind = FloatKind::ALL[KINDS.iter().position(|&k| k == kind)?];
        Some(Self { kind, rounding: Rounding::ALL[ROUNDINGS.iter().position(|&r| r == rounding)?] })
    }

    /// Whether operands and result may have these widths.
    pub fn fits(self, first: u16, second: u16, result: u16) -> bool {
        use FloatKind::*;
        let float = |width: u16| matches!(width, 16 | 32 | 64 | COMPACT);
        let integer = |width: u16| (1..=128).contains(&width);
        match self.kind {
            Add | Sub | Mul | Div | Fmod | Remainder => float(result) && first == result && second == result,
            // Both factors in one value, which has at most 128 bits.
            Fma => float(result) && result <= 64 && first == 2 * result && second == result,
            Sqrt | Round => float(result) && first == result && second == 1,
            OfSigned | OfUnsigned => float(result) && integer(first) && second == 1,
            ToSigned | ToUnsigned => float(first) && integer(result) && second == 1,
            Convert => float(first) && float(result) && second == 1,
        }
    }

    /// An operator that rounds to nearest even, as C does.
    pub fn nearest(kind: FloatKind) -> Self {
        Self { kind, rounding: Rounding::NearestEven }
    }
}

/// The value of an operator on constants: operands of widths `from` and `second`, a result of `to` bits.
pub fn value(op: FloatOp, from: u16, second: u16, to: u16, a: u128, b: u128) -> u128 {
    if let Some(value) = by_host(op, from, to, a, b) {
        return value;
    }
    by_integers(op, from, second, to, a, b)
}

/// The value by arithmetic on integers.
fn by_integers(op: FloatOp, from: u16, second: u16, to: u16, a: u128, b: u128) -> u128 {
    use FloatKind::*;
    let FloatOp { kind, rounding } = op;
    match kind {
        Add => soft::add(Format::of(to), rounding, a, b),
        Sub => soft::sub(Format::of(to), rounding, a, b),
        Mul => soft::mul(Format::of(to), rounding, a, b),
        Div => soft::div(Format::of(to), rounding, a, b),
        Sqrt => soft::sqrt(Format::of(to), rounding, a),
        Fmod => robusto_ieee::fmod(to, a, b),
        Remainder => robusto_ieee::remainder(to, a, b),
        Fma => soft::fma(Format::of(to), rounding, a >> second, a & fold::ones(second), b),
        Round => soft::integral(Format::of(to), rounding, a),
        OfSigned => {
            let value = fold::signed(from, a);
            soft::of_integer(Format::of(to), rounding, value < 0, value.unsigned_abs())
        }
        OfUnsigned => soft::of_integer(Format::of(to), rounding, false, a),
        ToSigned => {
            let (negative, size) = soft::to_integer(Format::of(from), a);
            let most = fold::ones(to) >> 1;
            if negative { fold::mask(to, size.min(most + 1).wrapping_neg()) } else { size.min(most) }
        }
        ToUnsigned => match soft::to_integer(Format::of(from), a) {
            (true, _) => 0,
            (false, size) => size.min(fold::ones(to)),
        },
        Convert => soft::convert(Format::of(from), Format::of(to), rounding, a),
    }
}

/// The value as the host computes it, where it has such an operation. What is no number is made ours.
fn by_host(op: FloatOp, from: u16, to: u16, a: u128, b: u128) -> Option<u128> {
    use FloatKind::*;
    if matches!(op.kind, Add | Sub | Mul | Div | Sqrt) && op.rounding == Rounding::NearestEven {
        let value = match from {
            32 => single(op.kind, f32::from_bits(a as u32), f32::from_bits(b as u32)).to_bits().into(),
            64 => double(op.kind, f64::from_bits(a as u64), f64::from_bits(b as u64)).to_bits().into(),
            _ => return None,
        };
        let (format, operands) = (Format::of(from), [a, b]);
        if !format.is_nan(value) {
            return Some(value);
        }
        return Some(format.no_number(&operands[..if op.kind == Sqrt { 1 } else { 2 }]));
    }
    match op.kind {
        Fmod => return Some(robusto_ieee::fmod(from, a, b)),
        Remainder => return Some(robusto_ieee::remainder(from, a, b)),
        _ => {}
    }
    let signed = || fold::signed(from, a);
    Some(match (op.kind, op.rounding, from, to) {
        (OfSigned, Rounding::NearestEven, _, 32) => (signed() as f32).to_bits().into(),
        (OfSigned, Rounding::NearestEven, _, 64) => (signed() as f64).to_bits().into(),
        (OfUnsigned, Rounding::NearestEven, _, 32) => (a as f32).to_bits().into(),
        (OfUnsigned, Rounding::NearestEven, _, 64) => (a as f64).to_bits().into(),
        (ToSigned, _, 32 | 64, _) => {
            let most = (fold::ones(to) >> 1) as i128;
            fold::mask(to, (as_double(from, a) as i128).clamp(-most - 1, most) as u128)
        }
        (ToUnsigned, _, 32 | 64, _) => (as_double(from, a) as u128).min(fold::ones(to)),
        _ => return None,
    })
}

fn as_double(width: u16, bits: u128) -> f64 {
    if width == 32 { f64::from(f32::from_bits(bits as u32)) } else { f64::from_bits(bits as u64) }
}

fn single(kind: FloatKind, a: f32, b: f32) -> f32 {
    match kind {
        FloatKind::Add => a + b,
        FloatKind::Sub => a - b,
        FloatKind::Mul => a * b,
        FloatKind::Div => a / b,
        _ => a.sqrt(),
    }
}

fn double(kind: FloatKind, a: f64, b: f64) -> f64 {
    match kind {
        FloatKind::Add => a + b,
        FloatKind::Sub => a - b,
        FloatKind::Mul => a * b,
        FloatKind::Div => a / b,
        _ => a.sqrt(),
    }
}

impl Terms {
    /// A floating-point operator on two operands, of which the second may not count; the result has `width` bits.
    pub fn float(&mut self, op: FloatOp, a: Term, b: Term, width: u16) -> Term {
        if let (Some(x), Some(y)) = (self.as_const(a), self.as_const(b)) {
            let value = value(op, self.width(a), self.width(b), width, x, y);
            return self.constant(width, value);
        }
        if op.kind == FloatKind::Convert && self.width(a) == width {
            return a;
        }
        self.intern(Node::Float(op, a, b, width))
    }

    /// A floating-point operator on one operand.
    pub fn float_unary(&mut self, op: FloatOp, a: Term, width: u16) -> Term {
        let nothing = self.no();
        self.float(op, a, nothing, width)
    }
}
