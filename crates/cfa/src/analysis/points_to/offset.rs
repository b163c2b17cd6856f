//! Sets of byte offsets: one number, or all numbers with a given remainder.

use crate::ir::{BinOp, CastOp, Expr, ExprId, ExprPool, UnOp, fold};
use std::fmt;

/// The offsets `base + k * stride` for all integers `k`; with stride 0 just `base`.
///
/// An element `s[i].f` of an array of structs has stride `sizeof(s[0])` and base `offsetof(f)`; stride 1 is any offset.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Offset {
    /// At least 0 and less than the stride, if that is not 0.
    base: i64,
    stride: u64,
}

/// Offsets and strides beyond this are not told apart.
const LIMIT: i64 = 1 << 40;

impl Offset {
    /// Any offset.
    pub const ANY: Offset = Offset { base: 0, stride: 1 };

    /// One offset.
    pub fn exact(base: i64) -> Self {
        Self::strided(base, 0)
    }

    /// All offsets with this distance.
    pub fn strided(base: i64, stride: u64) -> Self {
        if stride >= LIMIT as u64 || (stride == 0 && base.unsigned_abs() >= LIMIT as u64) {
            return Self::ANY;
        }
        Self { base: if stride == 0 { base } else { base.rem_euclid(stride as i64) }, stride }
    }

    /// The offset, if it is only one.
    pub fn as_exact(self) -> Option<i64> {
        (self.stride == 0).then_some(self.base)
    }

    /// The smallest offset that is not negative; the offset itself, if it is only one.
    pub fn base(self) -> i64 {
        self.base
    }

    /// Distance of neighbours; 0 if there is only one offset.
    pub fn stride(self) -> u64 {
        self.stride
    }

    /// All offsets shifted by a constant.
    pub fn plus(self, bytes: i64) -> Self {
        Self::strided(self.base.saturating_add(bytes), self.stride)
    }

    /// All offsets shifted by all multiples of a number.
    pub fn plus_multiples(self, of: u64) -> Self {
        Self::strided(self.base, gcd(self.stride, of))
    }

    /// The smallest set of this kind with both.
    pub fn join(self, other: Self) -> Self {
        let distance = self.base.abs_diff(other.base);
        Self::strided(self.base, gcd(gcd(self.stride, other.stride), distance))
    }

    /// Whether an access to `size` bytes at one of these offsets can touch one of `other_size` bytes at the others.
    pub fn may_overlap(self, size: u64, other: Self, other_size: u64) -> bool {
        // The accesses overlap if the difference of their offsets lies in `low..=high`.
        let (low, high) = (1 - size.min(LIMIT as u64) as i64, other_size.min(LIMIT as u64) as i64 - 1);
        let difference = self.base - other.base;
        match gcd(self.stride, other.stride) as i64 {
            0 => (low..=high).contains(&difference),
            step => low + (difference - low).rem_euclid(step) <= high,
        }
    }
}

impl fmt::Debug for Offset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.stride {
            0 => write!(f, "{:+}", self.base),
            1 => f.write_str("+*"),
            stride => write!(f, "{:+}+{stride}*", self.base),
        }
    }
}

/// The greatest common divisor: the stride of what two strides can both step through.
pub fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// What an integer expression, read as signed, can be: `base + k * stride`. `None` stands for any number.
pub(super) fn shape(exprs: &ExprPool, id: ExprId) -> Option<Offset> {
    let shape = Shape::of(exprs, id, 12);
    Some(Offset::strided(shape.base, shape.stride)).filter(|o| *o != Offset::ANY)
}

/// `base + k * stride`, of absolute value at most `2^bits`.
#[derive(Clone, Copy)]
struct Shape {
    base: i64,
    stride: u64,
    bits: u32,
}

impl Shape {
    fn of(exprs: &ExprPool, id: ExprId, depth: u32) -> Self {
        let crate::ir::Ty::Int(width @ 1..=64) = exprs.ty(id) else { return Self { base: 0, stride: 1, bits: 128 } };
        let width = u32::from(width);
        let any = Self { base: 0, stride: 1, bits: width - 1 };
        let of = |x| if depth == 0 { None } else { Some(Self::of(exprs, x, depth - 1)) };
        let shape = match exprs.get(id) {
            Expr::Const(_, bits) => Some(Self::constant(fold::signed(width, bits))),
            Expr::Unary(UnOp::Neg, x) => of(x).map(|x| Self { base: x.base.wrapping_neg(), ..x }),
            Expr::Binary(BinOp::Add, x, y) => of(x).zip(of(y)).map(|(x, y)| x.plus(y, 1)),
            Expr::Binary(BinOp::Sub, x, y) => of(x).zip(of(y)).map(|(x, y)| x.plus(y, -1)),
            Expr::Binary(BinOp::Mul, x, y) => of(x).zip(of(y)).and_then(|(x, y)| x.times(y)),
            Expr::Binary(BinOp::Shl, x, y) => exprs
                .as_const(y)
                .filter(|&s| s < u64::from(width.min(40)))
                .and_then(|s| of(x).and_then(|x| x.times(Self::constant(1 << s)))),
            Expr::Binary(BinOp::And, _, y) => {
                exprs.as_const(y).filter(|&m| m != 0).map(|m| Self { stride: 1 << m.trailing_zeros().min(62), ..any })
            }
            Expr::Cast(CastOp::SExt, _, x) => of(x),
            // As unsigned, the number differs by a multiple of 2^width from the signed one.
            Expr::Cast(CastOp::ZExt, _, x) => {
                let narrow = exprs.ty(x).bits(crate::ir::DataModel::Lp64);
                of(x).map(|x| Self { bits: narrow, ..x.modulo(narrow) })
            }
            Expr::Cast(CastOp::Trunc, _, x) => of(x).map(|x| x.modulo(width)),
            _ => None,
        };
        // What does not fit wraps around, which changes the number by a multiple of 2^width.
        shape.map_or(any, |s| if s.bits + 1 < width { s } else { Self { bits: width - 1, ..s.modulo(width) } })
    }

    fn constant(value: i64) -> Self {
        Self { base: value, stride: 0, bits: 64 - value.unsigned_abs().leading_zeros() }
    }

    fn modulo(self, width: u32) -> Self {
        let stride = if width >= 63 { self.power_of_two() } else { gcd(self.stride, 1 << width) };
        Self { stride, ..self }
    }

    /// The largest power of two that divides the stride (0 is divided by 2^62).
    fn power_of_two(self) -> u64 {
        if self.stride == 0 { 1 << 62 } else { 1 << self.stride.trailing_zeros() }
    }

    fn plus(self, other: Self, sign: i64) -> Self {
        Self {
            base: self.base.wrapping_add(other.base.wrapping_mul(sign)),
            stride: gcd(self.stride, other.stride),
            bits: self.bits.max(other.bits) + 1,
        }
    }

    /// Products with a constant.
    fn times(self, other: Self) -> Option<Self> {
        let (x, c) = if other.stride == 0 { (self, other.base) } else { (other, self.base) };
        if self.stride != 0 && other.stride != 0 {
            return None;
        }
        let bits = x.bits + Self::constant(c).bits;
        if c == 0 || bits > 100 {
            return None;
        }
        Some(Self { base: x.base.checked_mul(c)?, stride: x.stride.checked_mul(c.unsigned_abs())?, bits })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{DataModel, Idx, Ty, VarId};
    use robusto_testing::Random;

    #[test]
    fn operations_by_enumeration() {
        let all = |o: Offset| -> Vec<i64> {
            (-60..=60)
                .filter(|&x| o.as_exact().map_or_else(|| (x - o.base).rem_euclid(o.stride as i64) == 0, |b| x == b))
                .collect()
        };
        let mut random = Random::new(6);
        for _ in 0..3000 {
            let mut offset =
                || Offset::strided(random.below(20) as i64 - 10, random.pick(&[0, 0, 1, 2, 3, 4, 6, 8, 12]));
            let (a, b) = (offset(), offset());
            let (m, n) = (1 + random.below(9) as u64, 1 + random.below(9) as u64);
            assert!(all(a).iter().chain(&all(b)).all(|x| all(a.join(b)).contains(x)), "{a:?} {b:?}");
            assert_eq!(a.join(b) == a, all(b).iter().all(|x| all(a).contains(x)), "{a:?} {b:?}");
            let touch = all(a).iter().any(|&x| all(b).iter().any(|&y| x < y + n as i64 && y < x + m as i64));
            assert_eq!(a.may_overlap(m, b, n), touch, "{a:?} of {m} and {b:?} of {n}");
            let shifted: Vec<_> = all(a).iter().map(|x| x + 7).filter(|x| x.abs() <= 60).collect();
            assert!(shifted.iter().all(|x| all(a.plus(7)).contains(x)));
        }
    }

    #[test]
    fn shapes() {
        let mut pool = ExprPool::new(DataModel::Lp64);
        pool.declare(VarId::new(0), Ty::Int(32));
        pool.declare(VarId::new(1), Ty::Int(64));
        let (i, j) = (pool.var(VarId::new(0)), pool.var(VarId::new(1)));
        let wide = pool.cast(CastOp::SExt, Ty::Int(64), i);
        let (c24, c8) = (pool.size(24), pool.size(8));
        let scaled = pool.binary(BinOp::Mul, wide, c24);
        let field = pool.binary(BinOp::Add, scaled, c8);
        assert_eq!(shape(&pool, field), Some(Offset::strided(8, 24)));
        // A product of 64 bits may wrap around.
        let scaled = pool.binary(BinOp::Mul, j, c24);
        assert_eq!(shape(&pool, scaled), Some(Offset::strided(0, 8)));
        let minus = pool.size(-16i64 as u64);
        assert_eq!(shape(&pool, minus), Some(Offset::exact(-16)));
        assert_eq!(shape(&pool, j), None);
    }

    #[test]
    fn shapes_cover_concrete_values() {
        let mut random = Random::new(7);
        for _ in 0..300 {
            let mut pool = ExprPool::new(DataModel::Ilp32);
            pool.declare(VarId::new(0), Ty::Int(8));
            let x = pool.var(VarId::new(0));
            let mut exprs = vec![x];
            for _ in 0..6 {
                let a = random.pick(&exprs);
                let Ty::Int(width) = pool.ty(a) else { unreachable!() };
                let c = pool.constant(Ty::Int(width), random.pick(&[0, 1, 2, 3, 6, 12, 0xf4, 0xfffc]));
                let op = random.pick(&[BinOp::Add, BinOp::Sub, BinOp::Mul, BinOp::Shl, BinOp::And]);
                let e = match random.below(5) {
                    0 => pool.resize(a, true, 32),
                    1 => pool.resize(a, false, 32),
                    2 => pool.resize(a, true, 8),
                    _ => pool.binary(op, a, c),
                };
                exprs.push(e);
            }
            for &e in &exprs {
                let Some(shape) = shape(&pool, e) else { continue };
                for value in 0..256 {
                    let bits = crate::analysis::testing::eval(&pool, e, &|_| value);
                    let signed = fold::signed(pool.ty(e).bits(DataModel::Ilp32), bits);
                    assert!(
                        shape.join(Offset::exact(signed)) == shape,
                        "{:?} is {signed} in {shape:?}: {pool:?}",
                        pool.get(e)
                    );
                }
            }
        }
    }
}
