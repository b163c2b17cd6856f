//! `bt`, `bts`, `btr`, `btc`.

use super::flags::{Flags, width};
use super::instruction::{Bit, Instruction, Operand};
use super::operand::{Execution, Site};
use crate::ir::{BinOp, ExprId, Ty, UnOp};
use crate::lower::place::Place;

impl Execution<'_, '_, '_> {
    /// A bit goes to the carry flag and is changed. In memory, a register counts bits from the operand's address on.
    pub(super) fn bit(
        &mut self,
        instruction: &Instruction,
        bit: Bit,
        index: &Operand,
        operand: &Operand,
    ) -> Option<()> {
        let by = self.site(index)?;
        let in_register = matches!(self.site(operand)?, Site::Register { .. });
        let bits = match (self.likely_bits(instruction, &[index, operand]), by) {
            // Without a register the assembler takes 32 bits.
            (None, Site::Constant(_)) if instruction.bits.is_none() && !in_register => 32,
            // A constant below 32 means the same bit with any size.
            (Some((bits, false)), Site::Register { number, .. })
                if bits >= 32 && self.arguments[number].constraint.immediate <= Some(32) && !in_register =>
            {
                bits
            }
            (found, _) => found.filter(|&(bits, is_certain)| is_certain || bits == 32)?.0,
        };
        if bits < 16 {
            return None;
        }
        let at = self.integer(index, bits)?;
        let pool = &mut self.lower.program.exprs;
        let within = pool.int(bits, i128::from(bits) - 1);
        let is_within = pool.as_const(at).is_some_and(|at| at < u64::from(bits));
        let at_bit = pool.binary(BinOp::And, at, within);
        let carry = match (self.site(operand)?, by) {
            (Site::Register { number, .. }, _) => {
                if self.arguments[number].constraint.memory && !is_within {
                    return None;
                }
                let old = self.integer(operand, bits)?;
                let (carry, new) = self.with_bit(bit, old, at_bit);
                if let Some(new) = new {
                    self.write(operand, bits, new)?;
                }
                carry
            }
            (Site::Memory(number, place), Site::Constant(_)) => {
                self.bit_in_operand(bit, number, place, bits, at_bit)?
            }
            (Site::Memory(number, place), Site::Register { number: index, .. }) => {
                // As a constant it would count within the operand.
                if self.arguments[index].constraint.immediate.is_some_and(|bound| bound > bits.into()) {
                    return None;
                }
                self.check_memory(number)?;
                self.bit_in_memory(bit, number, place, bits, at)?
            }
            _ => return None,
        };
        self.flags = Flags { carry: Some(carry), zero: self.flags.zero, ..Flags::default() };
        Some(())
    }

    /// The bit of a value, and the value with the bit changed.
    fn with_bit(&mut self, bit: Bit, old: ExprId, at: ExprId) -> (ExprId, Option<ExprId>) {
        let pool = &mut self.lower.program.exprs;
        let bits = width(pool, old);
        let at = pool.resize(at, false, bits);
        let shifted = pool.binary(BinOp::LShr, old, at);
        let carry = pool.resize(shifted, false, 1);
        let one = pool.int(bits, 1);
        let mask = pool.binary(BinOp::Shl, one, at);
        let new = match bit {
            Bit::Kept => None,
            Bit::Set => Some(pool.binary(BinOp::Or, old, mask)),
            Bit::Reset => {
                let others = pool.unary(UnOp::Not, mask);
                Some(pool.binary(BinOp::And, old, others))
            }
            Bit::Changed => Some(pool.binary(BinOp::Xor, old, mask)),
        };
        (self.hold(carry), new)
    }

    /// A bit of the operand itself, which is accessed as a whole: the bits of its type are there.
    fn bit_in_operand(&mut self, bit: Bit, number: usize, place: Place, bits: u8, at: ExprId) -> Option<ExprId> {
        let bits = bits.max(self.own_bits(place));
        self.check_kept(number)?;
        if bit != Bit::Kept {
            self.note_write(number, bits)?;
        }
        self.bit_at(bit, place, bits, at)
    }

    fn bit_at(&mut self, bit: Bit, place: Place, bits: u8, at: ExprId) -> Option<ExprId> {
        let old = self.load(place, bits)?;
        let old = self.as_integer(old);
        let (carry, new) = self.with_bit(bit, old, at);
        if let Some(new) = new {
            self.store(place, bits, new)?;
        }
        Some(carry)
    }

    /// The bits of an integer in memory.
    fn own_bits(&self, place: Place) -> u8 {
        match self.lower.types.value_ty(place.ty) {
            Some(Ty::Int(bits @ (8 | 16 | 32 | 64))) => bits,
            _ => 0,
        }
    }

    /// A bit at a signed distance from the operand: in it, or in the word so many words away.
    fn bit_in_memory(&mut self, bit: Bit, number: usize, place: Place, bits: u8, at: ExprId) -> Option<ExprId> {
        let own = bits.max(self.own_bits(place));
        let word = self.word();
        let pool = &mut self.lower.program.exprs;
        let end = pool.int(bits, own.into());
        let inside = pool.binary(BinOp::ULt, at, end);
        let (here, there, done) = (self.lower.location(), self.lower.location(), self.lower.location());
        let result = self.lower.temp(Ty::BOOL, false);
        self.lower.branch(inside, here, there);
        self.lower.fun.at = here;
        let carry = self.bit_in_operand(bit, number, place, bits, at)?;
        self.lower.assign_var(result, carry);
        self.lower.jump(done);
        self.lower.fun.at = there;
        let pool = &mut self.lower.program.exprs;
        let (log, bytes) = (pool.int(bits, bits.ilog2().into()), pool.int(word, (bits / 8).into()));
        let words = pool.binary(BinOp::AShr, at, log);
        let words = pool.resize(words, true, word);
        let distance = pool.binary(BinOp::Mul, words, bytes);
        let addr = pool.binary(BinOp::PtrAdd, place.addr, distance);
        let within = pool.int(bits, i128::from(bits) - 1);
        let at = pool.binary(BinOp::And, at, within);
        let addr = self.hold(addr);
        let carry = self.bit_at(bit, Place { addr, ..place }, bits, at)?;
        self.lower.assign_var(result, carry);
        self.lower.label_here(done);
        Some(self.lower.program.exprs.var(result))
    }
}
