//! Flags of the processor, as conditions on values that do not change any more. Parity is not modelled.

use super::instruction::{Condition, Holds, Shift};
use crate::ir::{BinOp, ExprId, ExprPool, Ty, UnOp};

/// The flags that instructions have set so far; `None` where nobody has, or where the result is undefined.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Flags {
    pub(super) carry: Option<ExprId>,
    pub(super) zero: Option<ExprId>,
    pub(super) sign: Option<ExprId>,
    pub(super) overflow: Option<ExprId>,
    /// Sign and overflow differ: after a comparison, whether the one is less.
    pub(super) less: Option<ExprId>,
}

impl Flags {
    /// Whether a condition holds, if its flags are known.
    pub(super) fn holds(&self, pool: &mut ExprPool, condition: Condition) -> Option<ExprId> {
        let holds = match condition.what {
            Holds::Overflow => self.overflow?,
            Holds::Carry => self.carry?,
            Holds::Zero => self.zero?,
            Holds::Sign => self.sign?,
            Holds::Less => self.less?,
            Holds::CarryOrZero => pool.binary(BinOp::Or, self.carry?, self.zero?),
            Holds::LessOrZero => pool.binary(BinOp::Or, self.less?, self.zero?),
        };
        Some(if condition.negated { pool.unary(UnOp::Not, holds) } else { holds })
    }

    /// Zero and sign of a result; carry and overflow as given.
    fn of(pool: &mut ExprPool, result: ExprId, carry: Option<ExprId>, overflow: Option<ExprId>) -> Self {
        let (zero, sign) = (is_zero(pool, result), is_negative(pool, result));
        let less = overflow.map(|overflow| pool.binary(BinOp::Xor, sign, overflow));
        Flags { carry, zero: Some(zero), sign: Some(sign), overflow, less }
    }

    /// After a logical operation.
    pub(super) fn of_logic(pool: &mut ExprPool, result: ExprId) -> Self {
        let no = Some(pool.bool(false));
        Self::of(pool, result, no, no)
    }

    /// After `a + b`, with what was carried in.
    pub(super) fn of_sum(pool: &mut ExprPool, a: ExprId, b: ExprId, carried: Option<ExprId>, sum: ExprId) -> Self {
        let mut carry = pool.binary(BinOp::ULt, sum, a);
        if let Some(carried) = carried {
            let same = pool.binary(BinOp::Eq, sum, a);
            let around = pool.binary(BinOp::And, carried, same);
            carry = pool.binary(BinOp::Or, carry, around);
        }
        let (from_a, from_b) = (pool.binary(BinOp::Xor, a, sum), pool.binary(BinOp::Xor, b, sum));
        let both = pool.binary(BinOp::And, from_a, from_b);
        let overflow = is_negative(pool, both);
        Self::of(pool, sum, Some(carry), Some(overflow))
    }

    /// After `a - b`, with what was borrowed.
    pub(super) fn of_difference(
        pool: &mut ExprPool,
        a: ExprId,
        b: ExprId,
        borrowed: Option<ExprId>,
        difference: ExprId,
    ) -> Self {
        let mut carry = pool.binary(BinOp::ULt, a, b);
        if let Some(borrowed) = borrowed {
            let same = pool.binary(BinOp::Eq, a, b);
            let around = pool.binary(BinOp::And, borrowed, same);
            carry = pool.binary(BinOp::Or, carry, around);
        }
        let (apart, changed) = (pool.binary(BinOp::Xor, a, b), pool.binary(BinOp::Xor, a, difference));
        let both = pool.binary(BinOp::And, apart, changed);
        let overflow = is_negative(pool, both);
        let mut flags = Self::of(pool, difference, Some(carry), Some(overflow));
        if borrowed.is_none() {
            // The same in terms of the operands, which engines follow better.
            flags.zero = Some(pool.binary(BinOp::Eq, a, b));
            flags.less = Some(pool.binary(BinOp::SLt, a, b));
        }
        flags
    }

    /// After a shift or rotation of `a` by a constant that is not zero.
    pub(super) fn shifted(self, pool: &mut ExprPool, shift: Shift, a: ExprId, by: u8, result: ExprId) -> Self {
        let bits = width(pool, a);
        let is_rotated = matches!(shift, Shift::RotateLeft | Shift::RotateRight);
        let carry = match shift {
            Shift::Left if by < bits => Some(bit(pool, a, bits - by)),
            Shift::Right if by < bits => Some(bit(pool, a, by - 1)),
            Shift::SignedRight => Some(bit(pool, a, by.min(bits) - 1)),
            Shift::RotateLeft => Some(bit(pool, result, 0)),
            Shift::RotateRight => Some(bit(pool, result, bits - 1)),
            Shift::Left | Shift::Right => None,
        };
        if is_rotated {
            return Flags { carry, overflow: None, less: None, ..self };
        }
        let overflow = match shift {
            _ if by != 1 => None,
            Shift::Left => carry.map(|carry| {
                let sign = is_negative(pool, result);
                pool.binary(BinOp::Xor, sign, carry)
            }),
            Shift::Right => Some(is_negative(pool, a)),
            _ => Some(pool.bool(false)),
        };
        Self::of(pool, result, carry, overflow)
    }
}

/// The bits of an integer.
pub(super) fn width(pool: &ExprPool, e: ExprId) -> u8 {
    match pool.ty(e) {
        Ty::Int(bits) => bits,
        _ => unreachable!("registers hold integers"),
    }
}

fn is_zero(pool: &mut ExprPool, e: ExprId) -> ExprId {
    let zero = pool.int(width(pool, e), 0);
    pool.binary(BinOp::Eq, e, zero)
}

fn is_negative(pool: &mut ExprPool, e: ExprId) -> ExprId {
    let zero = pool.int(width(pool, e), 0);
    pool.binary(BinOp::SLt, e, zero)
}

fn bit(pool: &mut ExprPool, e: ExprId, position: u8) -> ExprId {
    let by = pool.int(width(pool, e), position.into());
    let shifted = pool.binary(BinOp::LShr, e, by);
    pool.resize(shifted, false, 1)
}
