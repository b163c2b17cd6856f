//! Constructors of the arithmetic operators and shifts.
//!
//! Sums with constants are kept as `x + c` with the constant outermost, so `i + 1` and `i + 2` have the same base and
//! comparisons of indices are decided by their offsets; products with constants distribute over that `+ c`.

use super::BinaryOp::{Add, Mul, SDiv, SRem, Shl, Sub, UDiv, URem};
use super::{BinaryOp, Node, Term, Terms, fold};

impl Terms {
    /// Two's complement.
    pub fn neg(&mut self, x: Term) -> Term {
        let width = self.width(x);
        if width == 1 {
            return x;
        }
        if let Some((cond, a, b)) = self.as_choice(x) {
            return self.choice(cond, width, a.wrapping_neg(), b.wrapping_neg());
        }
        match self.node(x) {
            Node::Const { bits, .. } => self.constant(width, bits.wrapping_neg()),
            Node::Neg(y) => y,
            Node::Binary(Sub, a, b) => self.sub(b, a),
            // -(y + c) = -y - c keeps the constant outermost.
            Node::Binary(Add, y, c) if self.as_const(c).is_some() => {
                let y = self.neg_atom(y);
                let c = self.neg(c);
                self.add(y, c)
            }
            _ => self.intern(Node::Neg(x)),
        }
    }

    /// The complement of a term that is no sum with a constant.
    fn neg_atom(&mut self, x: Term) -> Term {
        match self.node(x) {
            Node::Neg(y) => y,
            Node::Binary(Sub, a, b) => self.intern(Node::Binary(Sub, b, a)),
            _ => self.intern(Node::Neg(x)),
        }
    }

    /// A term as base plus constant; a constant has no base.
    pub(super) fn offset(&self, t: Term) -> (Option<Term>, u128) {
        match self.node(t) {
            Node::Const { bits, .. } => (None, bits),
            Node::Binary(Add, x, c) => match self.as_const(c) {
                Some(c) => (Some(x), c),
                None => (Some(t), 0),
            },
            _ => (Some(t), 0),
        }
    }

    fn plus(&mut self, x: Term, c: u128) -> Term {
        let width = self.width(x);
        let c = fold::mask(width, c);
        if c == 0 {
            return x;
        }
        let c = self.constant(width, c);
        self.intern(Node::Binary(Add, x, c))
    }

    /// The sum, modulo the width.
    pub fn add(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        if width == 1 {
            return self.xor(a, b);
        }
        let (a, b) = match self.fold_binary(Add, a, b) {
            Ok(done) => return done,
            Err(operands) => operands,
        };
        let ((Some(x), c), (y, d)) = (self.offset(a), self.offset(b)) else {
            unreachable!("two constants are folded");
        };
        let sum = c.wrapping_add(d);
        let Some(y) = y else { return self.plus(x, sum) };
        let base = self.add_bases(x, y);
        self.plus_base(base, sum)
    }

    /// Any term plus a constant.
    fn plus_base(&mut self, t: Term, c: u128) -> Term {
        match self.offset(t) {
            (Some(base), d) => self.plus(base, c.wrapping_add(d)),
            (None, d) => self.constant(self.width(t), c.wrapping_add(d)),
        }
    }

    /// The sum of two terms that are neither constants nor sums with a constant.
    fn add_bases(&mut self, x: Term, y: Term) -> Term {
        let width = self.width(x);
        match (self.node(x), self.node(y)) {
            _ if x == y => {
                let one = self.constant(width, 1);
                return self.shl(x, one);
            }
            (Node::Neg(p), Node::Neg(q)) => {
                let sum = self.add_bases(p, q);
                return self.neg(sum);
            }
            (_, Node::Neg(q)) => return self.sub(x, q),
            (Node::Neg(p), _) => return self.sub(y, p),
            (Node::Binary(Sub, p, q), _) if q == y => return p,
            (_, Node::Binary(Sub, p, q)) if q == x => return p,
            (Node::Not(p), _) if p == y => return self.constant(width, fold::ones(width)),
            (_, Node::Not(q)) if q == x => return self.constant(width, fold::ones(width)),
            _ => {}
        }
        let (x, y) = if x > y { (y, x) } else { (x, y) };
        self.intern(Node::Binary(Add, x, y))
    }

    /// The difference, modulo the width.
    pub fn sub(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        if width == 1 {
            return self.xor(a, b);
        }
        let (a, b) = match self.fold_binary(Sub, a, b) {
            Ok(done) => return done,
            Err(operands) => operands,
        };
        let ((x, c), (y, d)) = (self.offset(a), self.offset(b));
        let rest = c.wrapping_sub(d);
        match (x, y) {
            (None, None) => unreachable!("two constants are folded"),
            (Some(x), None) => self.plus(x, rest),
            (None, Some(y)) => {
                let minus = self.neg_atom(y);
                self.plus_base(minus, rest)
            }
            (Some(x), Some(y)) if x == y => self.constant(width, rest),
            (Some(x), Some(y)) => {
                let base = self.sub_bases(x, y);
                self.plus_base(base, rest)
            }
        }
    }

    fn sub_bases(&mut self, x: Term, y: Term) -> Term {
        match self.bounded(|terms| terms.sub_rules(x, y)) {
            Some(result) => result,
            None => self.intern(Node::Binary(Sub, x, y)),
        }
    }

    fn sub_rules(&mut self, x: Term, y: Term) -> Term {
        match (self.node(x), self.node(y)) {
            (Node::Neg(p), Node::Neg(q)) => return self.sub(q, p),
            (_, Node::Neg(q)) => return self.add(x, q),
            (Node::Binary(Add, p, q), _) if p == y => return q,
            (Node::Binary(Add, p, q), _) if q == y => return p,
            (_, Node::Binary(Add, p, q)) if p == x => return self.neg(q),
            (_, Node::Binary(Add, p, q)) if q == x => return self.neg(p),
            (Node::Binary(Sub, p, q), _) if p == y => return self.neg(q),
            (_, Node::Binary(Sub, p, q)) if p == x => return q,
            // A common summand of two sums.
            (Node::Binary(Add, p, q), Node::Binary(Add, r, s)) => {
                if p == r {
                    return self.sub(q, s);
                } else if p == s {
                    return self.sub(q, r);
                } else if q == r {
                    return self.sub(p, s);
                } else if q == s {
                    return self.sub(p, r);
                }
            }
            _ => {}
        }
        self.intern(Node::Binary(Sub, x, y))
    }

    /// The product, modulo the width.
    pub fn mul(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        if width == 1 {
            return self.and(a, b);
        }
        let (a, b) = match self.fold_binary(Mul, a, b) {
            Ok(done) => return done,
            Err(operands) => operands,
        };
        let Some(k) = self.as_const(b) else {
            return match (self.node(a), self.node(b)) {
                (Node::Neg(p), Node::Neg(q)) => self.mul(p, q),
                _ => self.intern(Node::Binary(Mul, a, b)),
            };
        };
        if k == 0 {
            return b;
        }
        if k == 1 {
            return a;
        }
        if k == fold::ones(width) {
            return self.neg(a);
        }
        match self.node(a) {
            Node::Binary(Mul, x, c) => {
                if let Some(c) = self.as_const(c) {
                    let k = self.constant(width, c.wrapping_mul(k));
                    return self.mul(x, k);
                }
            }
            Node::Binary(Shl, x, c) => {
                if let Some(c) = self.as_const(c) {
                    let k = self.constant(width, k << c);
                    return self.mul(x, k);
                }
            }
            Node::Binary(Add, x, c) => {
                if let Some(c) = self.as_const(c) {
                    let product = self.mul(x, b);
                    let c = self.constant(width, c.wrapping_mul(k));
                    return self.add(product, c);
                }
            }
            Node::Neg(x) => {
                let k = self.constant(width, k.wrapping_neg());
                return self.mul(x, k);
            }
            _ => {}
        }
        if k.is_power_of_two() {
            let by = self.constant(width, k.trailing_zeros().into());
            return self.shl(a, by);
        }
        self.intern(Node::Binary(Mul, a, b))
    }

    /// Unsigned quotient; all ones if the divisor is zero.
    pub fn udiv(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        if let Ok(done) = self.fold_binary(UDiv, a, b) {
            return done;
        }
        match self.as_const(b) {
            Some(0) => self.constant(width, u128::MAX),
            Some(1) => a,
            Some(k) if k.is_power_of_two() => {
                let by = self.constant(width, k.trailing_zeros().into());
                self.lshr(a, by)
            }
            Some(k) => match self.narrow_unsigned(a, k) {
                Some((x, k)) => {
                    let quotient = self.udiv(x, k);
                    self.zext(quotient, width)
                }
                None => self.intern(Node::Binary(UDiv, a, b)),
            },
            None => self.intern(Node::Binary(UDiv, a, b)),
        }
    }

    /// Unsigned remainder; the dividend if the divisor is zero.
    pub fn urem(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        if let Ok(done) = self.fold_binary(URem, a, b) {
            return done;
        }
        if a == b {
            return self.constant(width, 0);
        }
        match self.as_const(b) {
            Some(0) => a,
            Some(k) if k.is_power_of_two() => {
                let low = self.constant(width, k - 1);
                self.and(a, low)
            }
            Some(k) => match self.narrow_unsigned(a, k) {
                Some((x, k)) => {
                    let rest = self.urem(x, k);
                    self.zext(rest, width)
                }
                None => self.intern(Node::Binary(URem, a, b)),
            },
            None => self.intern(Node::Binary(URem, a, b)),
        }
    }

    /// `x` and `k` at the width of `x`, if `a` is `x` widened with zeros and `k` fits.
    fn narrow_unsigned(&mut self, a: Term, k: u128) -> Option<(Term, Term)> {
        let Node::ZExt(x, _) = self.node(a) else { return None };
        let width = self.width(x);
        (k <= fold::ones(width)).then(|| (x, self.constant(width, k)))
    }

    /// Signed quotient, rounded toward zero; if the divisor is zero, 1 for a negative dividend and -1 for any other.
    pub fn sdiv(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        if let Ok(done) = self.fold_binary(SDiv, a, b) {
            return done;
        }
        match self.as_const(b) {
            Some(1) if width > 1 => return a,
            Some(k) if width > 1 && k == fold::ones(width) => return self.neg(a),
            Some(k) if self.is_nonnegative(a) && 0 < k && k < fold::sign_bit(width) => return self.udiv(a, b),
            None if self.is_nonnegative(a) && self.is_nonnegative(b) => return self.udiv(a, b),
            _ => {}
        }
        self.intern(Node::Binary(SDiv, a, b))
    }

    /// Signed remainder, with the sign of the dividend; the dividend if the divisor is zero.
    pub fn srem(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        if let Ok(done) = self.fold_binary(SRem, a, b) {
            return done;
        }
        if a == b {
            return self.constant(width, 0);
        }
        match self.as_const(b) {
            Some(0) => return a,
            Some(1) => return self.constant(width, 0),
            Some(k) if k == fold::ones(width) => return self.constant(width, 0),
            Some(k) if self.is_nonnegative(a) && k < fold::sign_bit(width) => return self.urem(a, b),
            None if self.is_nonnegative(a) && self.is_nonnegative(b) => return self.urem(a, b),
            _ => {}
        }
        self.intern(Node::Binary(SRem, a, b))
    }

    /// Whether the sign bit is visibly zero.
    pub(super) fn is_nonnegative(&self, t: Term) -> bool {
        match self.node(t) {
            Node::Const { width, bits } => bits < fold::sign_bit(width),
            Node::ZExt(x, width) => self.width(x) < width,
            _ => false,
        }
    }

    /// Shift left; zero for an amount of the width or more.
    pub fn shl(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        if let Ok(done) = self.fold_binary(Shl, a, b) {
            return done;
        }
        let Some(by) = self.as_const(b) else { return self.shift_by_term(Shl, a, b) };
        if by == 0 {
            return a;
        }
        if by >= width.into() {
            return self.constant(width, 0);
        }
        match self.node(a) {
            Node::Binary(Shl, x, c) => {
                if let Some(c) = self.as_const(c) {
                    let sum = self.shift_sum(width, c, by);
                    return self.shl(x, sum);
                }
            }
            Node::Binary(Add, x, c) => {
                if let Some(c) = self.as_const(c) {
                    let shifted = self.shl(x, b);
                    let c = self.constant(width, c << by);
                    return self.add(shifted, c);
                }
            }
            Node::Binary(Mul, x, c) => {
                if let Some(c) = self.as_const(c) {
                    let c = self.constant(width, c << by);
                    return self.mul(x, c);
                }
            }
            _ => {}
        }
        self.intern(Node::Binary(Shl, a, b))
    }

    /// Shift right with zeros.
    pub fn lshr(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        if let Ok(done) = self.fold_binary(BinaryOp::LShr, a, b) {
            return done;
        }
        let Some(by) = self.as_const(b) else { return self.shift_by_term(BinaryOp::LShr, a, b) };
        if by == 0 {
            return a;
        }
        if by >= width.into() {
            return self.constant(width, 0);
        }
        // The bits that stay, widened: so it shares with casts and bit fields.
        let by = by as u16;
        let high = self.extract(a, by, width - by);
        self.zext(high, width)
    }

    /// Shift right with copies of the sign.
    pub fn ashr(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        if let Ok(done) = self.fold_binary(BinaryOp::AShr, a, b) {
            return done;
        }
        if self.is_nonnegative(a) {
            return self.lshr(a, b);
        }
        let Some(by) = self.as_const(b) else { return self.shift_by_term(BinaryOp::AShr, a, b) };
        if by == 0 {
            return a;
        }
        let by = by.min(u128::from(width) - 1) as u16;
        let high = self.extract(a, by, width - by);
        self.sext(high, width)
    }

    fn shift_by_term(&mut self, op: BinaryOp, a: Term, b: Term) -> Term {
        if self.as_const(a) == Some(0) {
            return a;
        }
        self.intern(Node::Binary(op, a, b))
    }

    /// The sum of two positive shift amounts below the width, cut to the width.
    fn shift_sum(&mut self, width: u16, c: u128, by: u128) -> Term {
        // The width itself fits: both amounts are positive, so there are two bits at least.
        self.constant(width, (c + by).min(width.into()))
    }
}
