//! Addition, subtraction and multiplication.

use super::{Bits, Circuits, Result};
use crate::Bdd;

impl Circuits<'_> {
    /// `a + b`
    pub fn add(&self, a: &Bits, b: &Bits) -> Result<Bits> {
        Ok(self.add_carry(a, b, self.diagrams.bottom())?.0)
    }

    /// `a - b`
    pub fn sub(&self, a: &Bits, b: &Bits) -> Result<Bits> {
        Ok(self.add_carry(a, &self.complement(b), self.diagrams.top())?.0)
    }

    /// `-a`
    pub fn neg(&self, a: &Bits) -> Result<Bits> {
        self.sub(&self.constant(a.width(), 0), a)
    }

    /// `a + b + carry` and the carry out of the most significant bit.
    pub(super) fn add_carry(&self, a: &Bits, b: &Bits, mut carry: Bdd) -> Result<(Bits, Bdd)> {
        assert_eq!(a.width(), b.width(), "operands of one width");
        let mut sum = Vec::with_capacity(a.width());
        for (a, b) in a.iter().zip(b.iter()) {
            let differ = self.xor1(a, b)?;
            sum.push(self.xor1(&differ, &carry)?);
            // Where the operands differ the carry goes on, else it is their common value.
            carry = self.ite1(&differ, &carry, a)?;
        }
        Ok((Bits::new(sum), carry))
    }

    /// `a * b`
    pub fn mul(&self, a: &Bits, b: &Bits) -> Result<Bits> {
        assert_eq!(a.width(), b.width(), "operands of one width");
        let width = a.width();
        let known = |bits: &Bits| bits.iter().filter(|bit| self.diagrams.is_constant(bit)).count();
        // The constant bits of the multiplier cost no addition.
        let (a, b) = if known(a) > known(b) { (b, a) } else { (a, b) };
        let mut product = self.constant(width, 0);
        for (shift, bit) in b.iter().enumerate() {
            if self.diagrams.is_false(bit) {
                continue;
            }
            // Only the bits from `shift` upwards change.
            let partial = a[..width - shift].iter().map(|a| self.and1(a, bit)).collect::<Result<Bits>>()?;
            let upper = product[shift..].iter().cloned().collect();
            let sum = self.add(&upper, &partial)?;
            product = product[..shift].iter().chain(sum.iter()).cloned().collect();
        }
        Ok(product)
    }
}
