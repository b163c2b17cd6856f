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
        let known = |bits: &Bits| bits.iter().filter(|bit| self.diagrams.is_constant(bit)).count();
        // The constant bits of the multiplier cost no addition.
        let (a, b) = if known(a) > known(b) { (b, a) } else { (a, b) };
        match self.as_constant(b) {
            Some(factor) => self.mul_constant(a, factor),
            None => self.mul_vector(a, b),
        }
    }

    fn mul_vector(&self, a: &Bits, b: &Bits) -> Result<Bits> {
        let width = a.width();
        let mut product = self.constant(width, 0);
        for (shift, bit) in b.iter().enumerate() {
            if !self.diagrams.is_false(bit) {
                let partial = a[..width - shift].iter().map(|a| self.and1(a, bit)).collect::<Result<_>>()?;
                product = self.accumulate(product, shift, &partial, false)?;
            }
        }
        Ok(product)
    }

    /// Adds and subtracts shifted copies of `a`: the non-adjacent form of the factor has the fewest nonzero digits.
    fn mul_constant(&self, a: &Bits, mut factor: u128) -> Result<Bits> {
        let width = a.width();
        let mut product = self.constant(width, 0);
        for shift in 0..width {
            if factor & 1 == 1 {
                let negative = factor & 2 == 2;
                product = self.accumulate(product, shift, &self.trunc(a, width - shift), negative)?;
                // What is left of the factor after the digit -1 is one more; the sum may leave the word, harmlessly.
                factor = if negative { factor.wrapping_add(1) } else { factor };
            }
            factor >>= 1;
        }
        Ok(product)
    }

    /// `product ± partial << shift`; the bits below `shift` stay.
    fn accumulate(&self, product: Bits, shift: usize, partial: &Bits, negative: bool) -> Result<Bits> {
        let upper = product[shift..].iter().cloned().collect();
        let sum = if negative { self.sub(&upper, partial)? } else { self.add(&upper, partial)? };
        Ok(product[..shift].iter().chain(sum.iter()).cloned().collect())
    }
}
