//! Operators on floats in SMT-LIB's theory of floating-point numbers.
//!
//! Our numbers are bit-vectors, and the theory has no function to the bits. So the bits are a constant of which the script demands
//! that it stands for the result. What is no number has many bits; the script names ours.

use crate::term::float::Format;
use crate::term::{FloatKind, FloatOp, Rounding};

/// An operator with the names of its operands.
pub(super) struct Application {
    pub op: FloatOp,
    /// The first operand and its width.
    pub a: (String, u16),
    pub b: String,
    pub width: u16,
}

impl Application {
    /// The commands that define a name as the result.
    pub fn define(&self, name: &str) -> String {
        use FloatKind::*;
        let (a, from) = (&self.a.0, self.a.1);
        let (b, width) = (&self.b, self.width);
        let declared = format!("(declare-const {name} (_ BitVec {width}))\n");
        if matches!(self.op.kind, ToSigned | ToUnsigned) {
            return format!("{declared}(assert (= {name} {}))\n", self.to_integer());
        }
        let (to, mode) = (sort(width), mode(self.op.rounding));
        let number = |bits: &str| format!("({to} {bits})");
        let mut operands = vec![(a.clone(), width)];
        let result = match self.op.kind {
            Add | Sub | Mul | Div => {
                operands.push((b.clone(), width));
                let function = ["add", "sub", "mul", "div"][self.op.kind as usize];
                format!("(fp.{function} {mode} {} {})", number(a), number(b))
            }
            Fma => {
                let part = |high: u16, low: u16| format!("((_ extract {high} {low}) {a})");
                let (x, y) = (part(2 * width - 1, width), part(width - 1, 0));
                operands = vec![(x.clone(), width), (y.clone(), width), (b.clone(), width)];
                format!("(fp.fma {mode} {} {} {})", number(&x), number(&y), number(b))
            }
            Remainder => {
                operands.push((b.clone(), width));
                format!("(fp.rem {} {})", number(a), number(b))
            }
            Fmod => {
                // Of the magnitudes; where the quotient was rounded up, the divisor is added, which is exact.
                operands.push((b.clone(), width));
                let divisor = format!("(fp.abs {})", number(b));
                let rest = format!("(fp.rem (fp.abs {}) {divisor})", number(a));
                let zero =
                    format!("((_ to_fp {} {}) RNE 0.0)", Format::of(width).exponent, Format::of(width).fraction + 1);
                let size = format!("(ite (fp.lt {rest} {zero}) (fp.add RNE {rest} {divisor}) (fp.abs {rest}))");
                format!("(ite (fp.isNegative {}) (fp.neg {size}) {size})", number(a))
            }
            Sqrt => format!("(fp.sqrt {mode} {})", number(a)),
            Round => format!("(fp.roundToIntegral {mode} {})", number(a)),
            OfSigned | OfUnsigned => {
                operands.clear();
                let unsigned = if self.op.kind == OfUnsigned { "_unsigned" } else { "" };
                let Format { exponent, fraction } = Format::of(width);
                format!("((_ to_fp{unsigned} {exponent} {}) {mode} {a})", fraction + 1)
            }
            Convert => {
                operands = vec![(a.clone(), from)];
                format!("({to} {mode} ({} {a}))", sort(from))
            }
            ToSigned | ToUnsigned => unreachable!("handled above"),
        };
        let no_number = self.no_number(&operands);
        format!("{declared}(assert (ite (fp.isNaN {result}) (= {name} {no_number}) (= {} {result})))\n", number(name))
    }

    /// The bits of a result that is no number.
    fn no_number(&self, operands: &[(String, u16)]) -> String {
        let to = Format::of(self.width);
        let mut text = format!("(_ bv{} {})", to.invalid(), self.width);
        for (operand, width) in operands.iter().rev() {
            let from = Format::of(*width);
            // Sign, exponent and as much of the payload as fits; the highest bit of it makes the number quiet.
            let sign = format!("((_ extract {0} {0}) {operand})", from.width() - 1);
            let kept = to.fraction.min(from.fraction) - 1;
            let payload = format!("((_ extract {} {}) {operand})", from.fraction - 2, from.fraction - 1 - kept);
            let ones = format!("(_ bv{} {})", (1u64 << (to.exponent + 1)) - 1, to.exponent + 1);
            let mut bits = format!("(concat {sign} (concat {ones} {payload}))");
            if to.fraction - 1 > kept {
                bits = format!("(concat {bits} (_ bv0 {}))", to.fraction - 1 - kept);
            }
            text = format!("(ite (fp.isNaN ({} {operand})) {bits} {text})", sort(*width));
        }
        text
    }

    /// Toward zero, and to the nearest integer that fits; what is no number becomes 0.
    fn to_integer(&self) -> String {
        let width = self.width;
        let signed = self.op.kind == FloatKind::ToSigned;
        let x = format!("({} {})", sort(self.a.1), self.a.0);
        let bits = |value: u128| format!("(_ bv{value} {width})");
        let ones = u128::MAX >> (128 - width);
        let (least, most) = if signed { (1 << (width - 1), ones >> 1) } else { (0, ones) };
        // The first power of two that does not fit.
        let power = if signed { width - 1 } else { width };
        let Format { exponent, fraction } = Format::of(self.a.1);
        let limit = format!("((_ to_fp_unsigned {exponent} {}) RTZ (concat #b1 (_ bv0 {power})))", fraction + 1);
        let limit =
            if power == 0 { format!("((_ to_fp_unsigned {exponent} {}) RTZ #b1)", fraction + 1) } else { limit };
        // Beyond the largest number of the format there are only infinities.
        let large = if usize::from(power) > (1 << (exponent - 1)) - 1 {
            format!("(and (fp.isInfinite {x}) (fp.isPositive {x}))")
        } else {
            format!("(fp.geq {x} {limit})")
        };
        let small = match signed {
            false => format!("(fp.isNegative {x})"),
            true if usize::from(power) > (1 << (exponent - 1)) - 1 => {
                format!("(and (fp.isInfinite {x}) (fp.isNegative {x}))")
            }
            true => format!("(fp.leq {x} (fp.neg {limit}))"),
        };
        let function = if signed { "fp.to_sbv" } else { "fp.to_ubv" };
        let inside = format!("((_ {function} {width}) RTZ {x})");
        let outside = format!("(ite {large} {} (ite {small} {} {inside}))", bits(most), bits(least));
        format!("(ite (fp.isNaN {x}) {} {outside})", bits(0))
    }
}

/// The function from bits, or from other floats, to the floats of a width.
fn sort(width: u16) -> String {
    let Format { exponent, fraction } = Format::of(width);
    format!("(_ to_fp {exponent} {})", fraction + 1)
}

fn mode(rounding: Rounding) -> &'static str {
    match rounding {
        Rounding::NearestEven => "RNE",
        Rounding::NearestAway => "RNA",
        Rounding::Up => "RTP",
        Rounding::Down => "RTN",
        Rounding::Zero => "RTZ",
    }
}
