//! The numbers of polyhedra: 64 bits with products of 128 bits as long as these are enough, else numbers of any size.
//!
//! An algorithm is written once, for any [`Number`]. It runs with `i64`, and once more with `IBig` if that overflows.

use super::cone::Cone;
use super::double::Double;
use crate::ideal::gcd;
use dashu_int::IBig;
use dashu_int::ops::Gcd;
use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt::Debug;

/// A number is too large for 64 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Overflow;

/// With numbers of 64 bits, or of any size.
#[derive(Clone, Debug)]
pub enum Either<S, B> {
    Small(S),
    Big(B),
}

/// A polyhedron with either kind of numbers.
pub type Form = Either<Double<i64>, Double<IBig>>;

/// Generators with either kind of numbers.
pub type Generators = Either<Cone<i64>, Cone<IBig>>;

/// Runs with small numbers, and with big ones if that is not enough.
pub fn attempt<T>(small: impl FnOnce() -> Result<T, Overflow>, big: impl FnOnce() -> Result<T, Overflow>) -> T {
    small().or_else(|Overflow| big()).expect("numbers of any size do not overflow")
}

/// An integer of a matrix.
pub trait Number: Clone + Ord + Debug {
    /// Holds sums of products.
    type Wide: Clone;

    /// A number.
    fn of(value: i128) -> Result<Self, Overflow>;

    /// The same, of any size.
    fn big(&self) -> IBig;

    /// The polyhedron with these numbers.
    fn form(form: &Form) -> Result<Cow<'_, Double<Self>>, Overflow>;

    /// The cone with these numbers.
    fn cone(cone: &Generators) -> Result<Cow<'_, Cone<Self>>, Overflow>;

    /// A polyhedron of one or the other kind: with small numbers if they are enough.
    fn store(double: Double<Self>) -> Form;

    /// A cone of one or the other kind: with small numbers if they are enough.
    fn store_cone(cone: Cone<Self>) -> Generators;

    /// How it compares with 0.
    fn sign(&self) -> Ordering;

    /// The same, with the other sign.
    fn negated(&self) -> Result<Self, Overflow>;

    /// A wide number.
    fn wide(&self) -> Self::Wide;

    /// How a wide number compares with 0.
    fn wide_sign(wide: &Self::Wide) -> Ordering;

    /// The same, with the other sign.
    fn wide_negated(wide: &Self::Wide) -> Result<Self::Wide, Overflow>;

    /// A wide number, of any size.
    fn wide_big(wide: &Self::Wide) -> IBig;

    /// The product of two vectors.
    fn dot(x: &[Self], y: &[Self]) -> Result<Self::Wide, Overflow>;

    /// Appends a vector, divided by the greatest common divisor of its entries.
    fn push(row: Vec<Self::Wide>, out: &mut Vec<Self>) -> Result<(), Overflow>;

    /// Appends a·x + b·y, divided by the greatest common divisor of its entries. The factors may be divided by theirs.
    fn combine(a: &Self::Wide, x: &[Self], b: &Self::Wide, y: &[Self], out: &mut Vec<Self>) -> Result<(), Overflow>;
}

impl Number for i64 {
    type Wide = i128;

    fn of(value: i128) -> Result<Self, Overflow> {
        value.try_into().map_err(|_| Overflow)
    }

    fn big(&self) -> IBig {
        (*self).into()
    }

    fn form(form: &Form) -> Result<Cow<'_, Double<Self>>, Overflow> {
        match form {
            Form::Small(double) => Ok(Cow::Borrowed(double)),
            Form::Big(_) => Err(Overflow),
        }
    }

    fn cone(cone: &Generators) -> Result<Cow<'_, Cone<Self>>, Overflow> {
        match cone {
            Generators::Small(cone) => Ok(Cow::Borrowed(cone)),
            Generators::Big(_) => Err(Overflow),
        }
    }

    fn store(double: Double<Self>) -> Form {
        Form::Small(double)
    }

    fn store_cone(cone: Cone<Self>) -> Generators {
        Generators::Small(cone)
    }

    fn sign(&self) -> Ordering {
        self.cmp(&0)
    }

    fn negated(&self) -> Result<Self, Overflow> {
        self.checked_neg().ok_or(Overflow)
    }

    fn wide(&self) -> i128 {
        i128::from(*self)
    }

    fn wide_sign(wide: &i128) -> Ordering {
        wide.cmp(&0)
    }

    fn wide_negated(wide: &i128) -> Result<i128, Overflow> {
        wide.checked_neg().ok_or(Overflow)
    }

    fn wide_big(wide: &i128) -> IBig {
        (*wide).into()
    }

    fn dot(x: &[Self], y: &[Self]) -> Result<i128, Overflow> {
        let products = x.iter().zip(y).map(|(&a, &b)| i128::from(a) * i128::from(b));
        products.into_iter().try_fold(0i128, i128::checked_add).ok_or(Overflow)
    }

    fn push(row: Vec<i128>, out: &mut Vec<Self>) -> Result<(), Overflow> {
        let common = row.iter().fold(0u128, |common, x| if common == 1 { 1 } else { gcd(common, x.unsigned_abs()) });
        let common = i128::try_from(common.max(1)).map_err(|_| Overflow)?;
        for x in row {
            out.push(Self::of(if common == 1 { x } else { x / common })?);
        }
        Ok(())
    }

    fn combine(a: &i128, x: &[Self], b: &i128, y: &[Self], out: &mut Vec<Self>) -> Result<(), Overflow> {
        let common = gcd(a.unsigned_abs(), b.unsigned_abs()).max(1) as i128;
        let (a, b) = if common == 1 { (*a, *b) } else { (a / common, b / common) };
        let (small_a, small_b) = (Self::of(a)?, Self::of(b)?);
        let value = |x: i64, y: i64| {
            let product = i128::from(small_a) * i128::from(x);
            product.checked_add(i128::from(small_b) * i128::from(y)).ok_or(Overflow)
        };
        let start = out.len();
        let mut common = 0u64;
        for (&left, &right) in x.iter().zip(y) {
            let Ok(entry) = Self::try_from(value(left, right)?) else {
                // Perhaps what is left after the division is small enough.
                out.truncate(start);
                let row: Result<Vec<i128>, Overflow> = x.iter().zip(y).map(|(&x, &y)| value(x, y)).collect();
                return Self::push(row?, out);
            };
            if common != 1 && entry != 0 {
                common = small_gcd(common, entry.unsigned_abs());
            }
            out.push(entry);
        }
        if let 2.. = common
            && let Ok(common) = Self::try_from(common)
        {
            out[start..].iter_mut().for_each(|x| *x /= common);
        }
        Ok(())
    }
}

/// The binary algorithm, which has no division; the first number may be 0.
fn small_gcd(mut a: u64, mut b: u64) -> u64 {
    if a == 0 {
        return b;
    }
    let shift = (a | b).trailing_zeros();
    a >>= a.trailing_zeros();
    while b != 0 {
        b >>= b.trailing_zeros();
        (a, b) = (a.min(b), a.abs_diff(b));
    }
    a << shift
}

impl Number for IBig {
    type Wide = IBig;

    fn of(value: i128) -> Result<Self, Overflow> {
        Ok(value.into())
    }

    fn big(&self) -> IBig {
        self.clone()
    }

    fn form(form: &Form) -> Result<Cow<'_, Double<Self>>, Overflow> {
        Ok(match form {
            Form::Small(double) => Cow::Owned(double.converted(&|x: &i64| Ok(x.big()))?),
            Form::Big(double) => Cow::Borrowed(double),
        })
    }

    fn cone(cone: &Generators) -> Result<Cow<'_, Cone<Self>>, Overflow> {
        Ok(match cone {
            Generators::Small(cone) => Cow::Owned(cone.converted(&|x: &i64| Ok(x.big()))?),
            Generators::Big(cone) => Cow::Borrowed(cone),
        })
    }

    fn store(double: Double<Self>) -> Form {
        match double.converted(&|x: &IBig| i64::try_from(x).map_err(|_| Overflow)) {
            Ok(small) => Form::Small(small),
            Err(Overflow) => Form::Big(double),
        }
    }

    fn store_cone(cone: Cone<Self>) -> Generators {
        match cone.converted(&|x: &IBig| i64::try_from(x).map_err(|_| Overflow)) {
            Ok(small) => Generators::Small(small),
            Err(Overflow) => Generators::Big(cone),
        }
    }

    fn sign(&self) -> Ordering {
        self.cmp(&IBig::ZERO)
    }

    fn negated(&self) -> Result<Self, Overflow> {
        Ok(-self)
    }

    fn wide(&self) -> Self {
        self.clone()
    }

    fn wide_sign(wide: &Self) -> Ordering {
        wide.cmp(&IBig::ZERO)
    }

    fn wide_negated(wide: &Self) -> Result<Self, Overflow> {
        Ok(-wide)
    }

    fn wide_big(wide: &Self) -> IBig {
        wide.clone()
    }

    fn dot(x: &[Self], y: &[Self]) -> Result<Self, Overflow> {
        Ok(x.iter().zip(y).map(|(x, y)| x * y).sum())
    }

    fn push(row: Vec<Self>, out: &mut Vec<Self>) -> Result<(), Overflow> {
        let mut entries = row.iter().filter(|x| !x.is_zero());
        let Some(first) = entries.next() else {
            out.extend(row);
            return Ok(());
        };
        let first = IBig::from(first.gcd(first));
        let common = entries.fold(first, |common, x| if common.is_one() { common } else { common.gcd(x).into() });
        let divided = row.into_iter().map(|x| if common.is_one() { x } else { x / &common });
        out.extend(divided);
        Ok(())
    }

    fn combine(a: &Self, x: &[Self], b: &Self, y: &[Self], out: &mut Vec<Self>) -> Result<(), Overflow> {
        Self::push(x.iter().zip(y).map(|(x, y)| a * x + b * y).collect(), out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn divisors() {
        for (a, b, expected) in [(0, 7, 7), (12, 18, 6), (1 << 63, 1 << 62, 1 << 62), (35, 64, 1)] {
            assert_eq!(small_gcd(a, b), expected);
        }
    }

    /// What does not fit before the division may fit after it.
    #[test]
    fn combinations() {
        let large = i64::MAX - 1;
        let mut out = Vec::new();
        i64::combine(&4, &[large, 0], &4, &[large, 2], &mut out).expect("fits when it is divided");
        assert_eq!(out, [large, 1]);
        assert_eq!(i64::combine(&3, &[large, 1], &1, &[large, 2], &mut Vec::new()), Err(Overflow));
        let mut out = Vec::new();
        IBig::combine(&3.into(), &[large.into()], &1.into(), &[(-4).into()], &mut out).expect("big");
        assert_eq!(out, [IBig::ONE]);
    }
}
