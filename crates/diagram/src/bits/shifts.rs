//! Shifts by constants and by vectors.

use super::{Bits, Circuits, Result};
use crate::Bdd;

impl Circuits<'_> {
    /// `a << amount`
    pub fn shl_constant(&self, a: &Bits, amount: usize) -> Bits {
        let amount = amount.min(a.width());
        let zeros = std::iter::repeat_n(self.diagrams.bottom(), amount);
        zeros.chain(a[..a.width() - amount].iter().cloned()).collect()
    }

    /// `a >> amount` with zeros shifted in
    pub fn lshr_constant(&self, a: &Bits, amount: usize) -> Bits {
        self.shift_right(a, amount, &self.diagrams.bottom())
    }

    /// `a >> amount` with the sign shifted in
    pub fn ashr_constant(&self, a: &Bits, amount: usize) -> Bits {
        self.shift_right(a, amount, a.sign())
    }

    fn shift_right(&self, a: &Bits, amount: usize, fill: &Bdd) -> Bits {
        let amount = amount.min(a.width());
        a[amount..].iter().chain(std::iter::repeat_n(fill, amount)).cloned().collect()
    }

    /// `a << b`; 0 if `b` is the width or more
    pub fn shl(&self, a: &Bits, b: &Bits) -> Result<Bits> {
        self.shift(a, b, &self.diagrams.bottom(), |a, amount| self.shl_constant(a, amount))
    }

    /// `a >> b` with zeros shifted in; 0 if `b` is the width or more
    pub fn lshr(&self, a: &Bits, b: &Bits) -> Result<Bits> {
        self.shift(a, b, &self.diagrams.bottom(), |a, amount| self.lshr_constant(a, amount))
    }

    /// `a >> b` with the sign shifted in; all sign bits if `b` is the width or more
    pub fn ashr(&self, a: &Bits, b: &Bits) -> Result<Bits> {
        self.shift(a, b, a.sign(), |a, amount| self.ashr_constant(a, amount))
    }

    /// A barrel shifter: bit `i` of the amount shifts by 2^i. The amount may have another width than `a`.
    fn shift(&self, a: &Bits, b: &Bits, fill: &Bdd, shift: impl Fn(&Bits, usize) -> Bits) -> Result<Bits> {
        let mut result = a.clone();
        let mut beyond = Vec::new();
        for (stage, bit) in b.iter().enumerate() {
            match 1usize.checked_shl(stage as u32).filter(|&amount| amount < a.width()) {
                Some(amount) => result = self.ite(bit, &shift(&result, amount), &result)?,
                None => beyond.push(bit.clone()),
            }
        }
        let beyond = self.is_nonzero(&Bits::new(beyond))?;
        result.iter().map(|bit| self.ite1(&beyond, fill, bit)).collect()
    }
}
