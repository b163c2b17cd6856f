//! Circuits for the operators on words; the lowest bit first.

use super::aig::{Aig, Lit};

/// A word of gates.
pub type Word = Vec<Lit>;

/// The value of a word of constants.
pub fn constant(word: &[Lit]) -> Option<u128> {
    let mut value = 0;
    for (i, &bit) in word.iter().enumerate() {
        if !bit.is_constant() {
            return None;
        }
        value |= u128::from(bit == Lit::TRUE) << i;
    }
    Some(value)
}

/// The word of a constant.
pub fn of_constant(width: usize, value: u128) -> Word {
    (0..width).map(|i| Lit::from(value >> i & 1 == 1)).collect()
}

impl Aig {
    /// `a + b + carry`, modulo the width.
    pub fn add(&mut self, a: &[Lit], b: &[Lit], mut carry: Lit) -> Word {
        a.iter()
            .zip(b)
            .map(|(&x, &y)| {
                let differ = self.xor(x, y);
                let sum = self.xor(differ, carry);
                carry = self.mux(differ, carry, x);
                sum
            })
            .collect()
    }

    /// `a - b`, modulo the width.
    pub fn sub(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        let not: Word = b.iter().map(|&x| !x).collect();
        self.add(a, &not, Lit::TRUE)
    }

    /// `-a`, modulo the width.
    pub fn neg(&mut self, a: &[Lit]) -> Word {
        let zero = vec![Lit::FALSE; a.len()];
        self.sub(&zero, a)
    }

    /// `c ? a : b`, bit by bit.
    pub fn mux_word(&mut self, c: Lit, a: &[Lit], b: &[Lit]) -> Word {
        a.iter().zip(b).map(|(&x, &y)| self.mux(c, x, y)).collect()
    }

    /// The product, modulo the width.
    pub fn mul(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        let width = a.len();
        // The rows are the multiplier's bits: the more of them are constant, the fewer gates.
        let constants = |word: &[Lit]| word.iter().filter(|bit| bit.is_constant()).count();
        let (a, b) = if constants(a) > constants(b) { (b, a) } else { (a, b) };
        if let Some(k) = constant(b) {
            return self.mul_constant(a, k);
        }
        let mut sum = vec![Lit::FALSE; width];
        for (i, &bit) in b.iter().enumerate() {
            if bit == Lit::FALSE {
                continue;
            }
            let row: Word = a[..width - i].iter().map(|&x| self.and(x, bit)).collect();
            let upper = self.add(&sum[i..], &row, Lit::FALSE);
            sum.splice(i.., upper);
        }
        sum
    }

    /// The product with a constant in non-adjacent form: a run of ones costs one addition and one subtraction.
    fn mul_constant(&mut self, a: &[Lit], mut k: u128) -> Word {
        let width = a.len();
        let mut sum = vec![Lit::FALSE; width];
        let mut i = 0;
        while k != 0 && i < width {
            if k & 1 == 1 {
                let row = &a[..width - i];
                let upper = if k & 3 == 3 {
                    // The digit -1; the carry may run out of the 128 bits, where it no longer matters.
                    k = k.wrapping_add(1);
                    self.sub(&sum[i..], row)
                } else {
                    k -= 1;
                    self.add(&sum[i..], row, Lit::FALSE)
                };
                sum.splice(i.., upper);
            }
            k >>= 1;
            i += 1;
        }
        sum
    }

    /// Unsigned quotient and remainder by long division. A zero divisor gives all ones and the dividend, as in SMT-LIB,
    /// because every subtraction of zero succeeds.
    pub fn divide(&mut self, a: &[Lit], b: &[Lit]) -> (Word, Word) {
        let width = a.len();
        let mut quotient = vec![Lit::FALSE; width];
        // One bit more than the operands: twice the remainder may not fit.
        let mut rest = vec![Lit::FALSE; width + 1];
        let mut divisor = b.to_vec();
        divisor.push(Lit::FALSE);
        for i in (0..width).rev() {
            rest.insert(0, a[i]);
            rest.pop();
            let less = self.ult(&rest, &divisor);
            quotient[i] = !less;
            if less == Lit::TRUE {
                continue;
            }
            let difference = self.sub(&rest, &divisor);
            rest = self.mux_word(less, &rest, &difference);
        }
        rest.pop();
        (quotient, rest)
    }

    /// Signed quotient and remainder, rounded toward zero.
    pub fn divide_signed(&mut self, a: &[Lit], b: &[Lit]) -> (Word, Word) {
        let (sign_a, sign_b) = (a[a.len() - 1], b[b.len() - 1]);
        if let Some(k) = constant(b)
            && k.is_power_of_two()
            && sign_b == Lit::FALSE
        {
            return self.divide_signed_by_power(a, k.trailing_zeros() as usize);
        }
        let (plus_a, plus_b) = (self.abs(a), self.abs(b));
        let (quotient, rest) = self.divide(&plus_a, &plus_b);
        let differ = self.xor(sign_a, sign_b);
        let minus_quotient = self.neg(&quotient);
        let minus_rest = self.neg(&rest);
        (self.mux_word(differ, &minus_quotient, &quotient), self.mux_word(sign_a, &minus_rest, &rest))
    }

    fn divide_signed_by_power(&mut self, a: &[Lit], by: usize) -> (Word, Word) {
        let width = a.len();
        let sign = a[width - 1];
        // Rounding toward zero: add 2^by - 1 to a negative dividend, then shift.
        let round: Word = (0..width).map(|i| if i < by { sign } else { Lit::FALSE }).collect();
        let sum = self.add(a, &round, Lit::FALSE);
        let quotient: Word = (0..width).map(|i| sum[(i + by).min(width - 1)]).collect();
        let multiple: Word = (0..width).map(|i| if i < by { Lit::FALSE } else { sum[i] }).collect();
        let rest = self.sub(a, &multiple);
        (quotient, rest)
    }

    fn abs(&mut self, a: &[Lit]) -> Word {
        let minus = self.neg(a);
        self.mux_word(a[a.len() - 1], &minus, a)
    }

    /// Shift left.
    pub fn shl(&mut self, a: &[Lit], by: &[Lit]) -> Word {
        let reversed: Word = a.iter().rev().copied().collect();
        let mut result = self.shift_right(&reversed, by, Lit::FALSE);
        result.reverse();
        result
    }

    /// Shift right; `fill` comes in from above.
    pub fn shift_right(&mut self, a: &[Lit], by: &[Lit], fill: Lit) -> Word {
        let width = a.len();
        let mut result = a.to_vec();
        let mut out = Lit::FALSE;
        for (stage, &bit) in by.iter().enumerate() {
            if stage >= 8 || 1 << stage >= width {
                out = self.or(out, bit);
                continue;
            }
            let distance = 1 << stage;
            result = (0..width)
                .map(|i| {
                    let from = result.get(i + distance).copied().unwrap_or(fill);
                    self.mux(bit, from, result[i])
                })
                .collect();
        }
        let filled = vec![fill; width];
        self.mux_word(out, &filled, &result)
    }

    /// Equality.
    pub fn eq(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let mut same = Lit::TRUE;
        for (&x, &y) in a.iter().zip(b) {
            let differ = self.xor(x, y);
            same = self.and(same, !differ);
        }
        same
    }

    /// Unsigned less than.
    pub fn ult(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let mut less = Lit::FALSE;
        for (&x, &y) in a.iter().zip(b) {
            let differ = self.xor(x, y);
            less = self.mux(differ, y, less);
        }
        less
    }

    /// Signed less than: the sign bits count the other way round.
    pub fn slt(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let top = a.len() - 1;
        let less = self.ult(&a[..top], &b[..top]);
        let differ = self.xor(a[top], b[top]);
        self.mux(differ, a[top], less)
    }
}
