//! Registers of arguments: what is in them from the start to the end of a statement.
//!
//! There are no jumps, so it is known which value is in a register: it needs no variable. Bits that nobody has set are any.

use super::argument::Argument;
use super::flags::width;
use super::operand::Execution;
use crate::ir::{BinOp, ExprId, Granted, HavocSource, Op, Ty};
use crate::lower::R;

impl Execution<'_, '_, '_> {
    /// Fills the registers of inputs and, unless they stay there, of updated outputs.
    pub(super) fn load_registers(&mut self, is_idle: bool) -> Option<()> {
        for number in 0..self.arguments.len() {
            let argument = self.arguments[number];
            if argument.bits.is_none() || argument.memory().is_some() {
                continue;
            }
            let content = match (argument.given, argument.place) {
                (Some(given), _) => given.e,
                (None, Some(place)) if argument.constraint.updated && !is_idle => {
                    let value = self.lower.read(place, self.span).ok()?;
                    self.hold(value.e)
                }
                _ => continue,
            };
            let to = argument.constraint.tied.unwrap_or(number);
            self.arguments[to].content = Some(content);
        }
        Some(())
    }

    /// Writes the outputs that are in registers. Those that no instruction wrote, and no input is in, are any value, which is listed.
    pub(super) fn write_outputs(&mut self) -> Option<R<()>> {
        for number in 0..self.arguments.len() {
            let argument = self.arguments[number];
            let Some(place) = argument.place.filter(|_| argument.is_output) else { continue };
            let is_there = match argument.written {
                true => argument.memory().is_some(),
                false => argument.constraint.updated || self.is_read_too(number),
            };
            let value = if let Some(condition) = argument.constraint.condition {
                let holds = self.condition(condition)?;
                Some(self.lower.truth_value(holds))
            } else if is_there {
                continue;
            } else if let (Some(bits), Some(_)) = (argument.bits, argument.content) {
                let value = self.content(number, bits);
                self.store(place, bits, value)?;
                continue;
            } else {
                self.arguments.iter().find(|input| input.constraint.tied == Some(number)).and_then(|input| input.given)
            };
            match value.map(|value| self.lower.convert(value, place.ty, self.span)) {
                Some(Ok(value)) => self.lower.write(place, value),
                Some(Err(failed)) => return Some(Err(failed)),
                None => {
                    self.lower.assume(self.span, Granted::Assembly);
                    self.lower.havoc_place(place, HavocSource::Unmodelled);
                }
            }
        }
        Some(Ok(()))
    }

    /// The lowest bits of a register; those that nobody has set are any.
    pub(super) fn content(&mut self, number: usize, bits: u8) -> ExprId {
        let Argument { content, zero_above, .. } = self.arguments[number];
        let Some(content) = content else {
            let any = self.any(bits);
            self.arguments[number].content = Some(any);
            return any;
        };
        let known = match self.lower.program.exprs.ty(content) {
            Ty::Ptr => self.word(),
            _ => width(&self.lower.program.exprs, content),
        };
        if known == bits {
            return content;
        }
        let content = self.as_integer(content);
        if known > bits || zero_above {
            return self.lower.program.exprs.resize(content, false, bits);
        }
        let any = self.any(bits);
        let merged = self.merged(any, content, 0);
        self.arguments[number].content = Some(merged);
        merged
    }

    fn any(&mut self, bits: u8) -> ExprId {
        let var = self.lower.temp(Ty::Int(bits), false);
        self.lower.emit(Op::Havoc { var, source: HavocSource::Undefined });
        self.lower.program.exprs.var(var)
    }

    /// A value with some of its bits replaced.
    fn merged(&mut self, into: ExprId, part: ExprId, from: u8) -> ExprId {
        let pool = &mut self.lower.program.exprs;
        let (bits, part_bits) = (width(pool, into), width(pool, part));
        let mask = pool.int(bits, !(((1 << part_bits) - 1) << from));
        let kept = pool.binary(BinOp::And, into, mask);
        let part = pool.resize(part, false, bits);
        let by = pool.int(bits, from.into());
        let part = pool.binary(BinOp::Shl, part, by);
        let merged = pool.binary(BinOp::Or, kept, part);
        self.hold(merged)
    }

    /// A register after a write. One of 32 bits makes the bits above zero; a smaller one leaves them.
    pub(super) fn set_content(&mut self, number: usize, bits: u8, high: bool, value: ExprId) {
        let held = self.hold(value);
        let known = match self.arguments[number].content {
            None => 0,
            Some(content) if self.lower.program.exprs.ty(content) == Ty::Ptr => self.word(),
            Some(content) => width(&self.lower.program.exprs, content),
        };
        let new = if high {
            let content = self.content(number, known.max(16));
            let (content, held) = (self.as_integer(content), self.as_integer(held));
            self.merged(content, held, 8)
        } else if bits < 32 && known > bits {
            let content = self.content(number, known);
            let (content, held) = (self.as_integer(content), self.as_integer(held));
            self.merged(content, held, 0)
        } else {
            held
        };
        let argument = &mut self.arguments[number];
        argument.zero_above |= bits >= 32;
        argument.content = Some(new);
        argument.written = true;
    }
}
