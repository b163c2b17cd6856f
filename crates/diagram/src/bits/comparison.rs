//! Comparisons.

use super::{Bits, Circuits, Result};
use crate::{Bdd, VarIndex};

impl Circuits<'_> {
    /// `a == b`
    pub fn eq(&self, a: &Bits, b: &Bits) -> Result<Bdd> {
        assert_eq!(a.width(), b.width(), "operands of one width");
        let mut equal = Vec::with_capacity(a.width());
        for (a, b) in a.iter().zip(b.iter()) {
            let bit = self.xor1(a, &self.not1(b))?;
            if self.diagrams.is_false(&bit) {
                return Ok(bit);
            }
            equal.push(bit);
        }
        // From the bottom of the order to the top, so that every conjunction adds nodes above the earlier ones only.
        equal.sort_by_cached_key(|bit| std::cmp::Reverse(self.diagrams.root(bit)));
        let mut all = self.diagrams.top();
        for bit in equal {
            all = self.and1(&bit, &all)?;
        }
        Ok(all)
    }

    /// `a != b`
    pub fn ne(&self, a: &Bits, b: &Bits) -> Result<Bdd> {
        Ok(self.not1(&self.eq(a, b)?))
    }

    /// `a < b`, unsigned
    pub fn ult(&self, a: &Bits, b: &Bits) -> Result<Bdd> {
        self.less(a, b, self.diagrams.bottom())
    }

    /// `a <= b`, unsigned
    pub fn ule(&self, a: &Bits, b: &Bits) -> Result<Bdd> {
        self.less(a, b, self.diagrams.top())
    }

    /// `a < b`, signed
    pub fn slt(&self, a: &Bits, b: &Bits) -> Result<Bdd> {
        self.ult(&self.flip_sign(a), &self.flip_sign(b))
    }

    /// `a <= b`, signed
    pub fn sle(&self, a: &Bits, b: &Bits) -> Result<Bdd> {
        self.ule(&self.flip_sign(a), &self.flip_sign(b))
    }

    /// Whether any bit is set.
    pub fn is_nonzero(&self, a: &Bits) -> Result<Bdd> {
        let mut bits = a.to_vec();
        bits.sort_by_cached_key(|bit| std::cmp::Reverse(self.diagrams.root(bit)));
        bits.iter().try_fold(self.diagrams.bottom(), |any, bit| self.or1(bit, &any))
    }

    /// Whether the lower bits decide `a < b`, from the least significant bit up; `equal` is the answer for no bits.
    fn less(&self, a: &Bits, b: &Bits, equal: Bdd) -> Result<Bdd> {
        assert_eq!(a.width(), b.width(), "operands of one width");
        let mut less = equal;
        for (a, b) in a.iter().zip(b.iter()) {
            if a == b {
                continue;
            }
            // a ? b ∧ less : b ∨ less
            less = self.ite1(a, &self.and1(b, &less)?, &self.or1(b, &less)?)?;
        }
        Ok(less)
    }

    /// Turns the signed order into the unsigned one.
    fn flip_sign(&self, a: &Bits) -> Bits {
        let (sign, rest) = (self.not1(a.sign()), &a[..a.width() - 1]);
        rest.iter().chain([&sign]).cloned().collect()
    }

    /// The set where the variables have the value: a cube.
    pub fn vars_equal(&self, vars: &[VarIndex], value: u128) -> Result<Bdd> {
        let literals: Vec<_> = vars.iter().enumerate().map(|(bit, &var)| (var, value >> bit & 1 == 1)).collect();
        Ok(self.diagrams.literals(&literals)?)
    }
}
