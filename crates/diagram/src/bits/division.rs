//! Division with remainder, by restoring long division.
//!
//! Division by zero needs no case of its own: the partial remainder is never less than 0, so every bit of the quotient
//! is 1 and nothing is subtracted from the dividend, which is SMT-LIB's `bvudiv x 0 = ~0` and `bvurem x 0 = x`.

use super::{Bits, Circuits, Result};

impl Circuits<'_> {
    /// `a / b`, unsigned; all ones if `b` is 0
    pub fn udiv(&self, a: &Bits, b: &Bits) -> Result<Bits> {
        Ok(self.divide(a, b)?.0)
    }

    /// `a % b`, unsigned; `a` if `b` is 0
    pub fn urem(&self, a: &Bits, b: &Bits) -> Result<Bits> {
        Ok(self.divide(a, b)?.1)
    }

    /// `a / b`, signed, towards zero; 1 if `b` is 0 and `a` is negative, -1 if `b` is 0 and `a` is not
    pub fn sdiv(&self, a: &Bits, b: &Bits) -> Result<Bits> {
        let quotient = self.udiv(&self.abs(a)?, &self.abs(b)?)?;
        let negative = self.xor1(a.sign(), b.sign())?;
        self.negate_if(&negative, &quotient)
    }

    /// `a % b`, signed, with the sign of `a`; `a` if `b` is 0
    pub fn srem(&self, a: &Bits, b: &Bits) -> Result<Bits> {
        let remainder = self.urem(&self.abs(a)?, &self.abs(b)?)?;
        self.negate_if(a.sign(), &remainder)
    }

    fn abs(&self, a: &Bits) -> Result<Bits> {
        self.negate_if(a.sign(), a)
    }

    fn negate_if(&self, condition: &crate::Bdd, a: &Bits) -> Result<Bits> {
        // -a = ~a + 1, both steps under the condition
        let flipped = a.iter().map(|bit| self.xor1(bit, condition)).collect::<Result<Bits>>()?;
        Ok(self.add_carry(&flipped, &self.constant(a.width(), 0), condition.clone())?.0)
    }

    /// Quotient and remainder.
    fn divide(&self, a: &Bits, b: &Bits) -> Result<(Bits, Bits)> {
        assert_eq!(a.width(), b.width(), "operands of one width");
        let width = a.width();
        if let Some(divisor) = self.as_constant(b)
            && divisor.is_power_of_two()
        {
            let shift = divisor.trailing_zeros() as usize;
            return Ok((self.lshr_constant(a, shift), self.zext(&self.trunc(a, shift), width)));
        }
        // A partial remainder is below 2b, hence fits the bits of `b` that are not constantly 0 and one more, unless
        // `b` is 0, where it is a prefix of `a`.
        let zero = self.as_constant(b) == Some(0);
        let significant = b.iter().rposition(|bit| !self.diagrams.is_false(bit)).map_or(0, |top| top + 1);
        let constant = self.as_constant(b).is_some();
        let digits = if constant && !zero { significant } else { width } + 1;
        let divisor = self.zext(&self.trunc(b, digits - 1), digits);
        let inverted = self.complement(&divisor);
        let mut remainder = self.constant(digits, 0);
        let mut quotient = vec![self.diagrams.bottom(); width];
        for (bit, digit) in a.iter().enumerate().rev() {
            let shifted: Bits = std::iter::once(digit).chain(remainder[..digits - 1].iter()).cloned().collect();
            let (difference, no_borrow) = self.add_carry(&shifted, &inverted, self.diagrams.top())?;
            remainder = self.ite(&no_borrow, &difference, &shifted)?;
            quotient[bit] = no_borrow;
        }
        let remainder = if digits > width { self.trunc(&remainder, width) } else { self.zext(&remainder, width) };
        Ok((Bits::new(quotient), remainder))
    }
}
