//! Instructions as edges.
//!
//! An instruction first reads all of its operands, then it writes. `None` means that what it does is in doubt, or needs a flag that nobody
//! has set.

use super::constraint::Registers;
use super::flags::Flags;
use super::instruction::{Action, Change, Compute, Condition, Instruction, Operand, Part, Shift};
use super::operand::{Execution, Site};
use crate::ir::{BinOp, CastOp, ExprId, Op, Ty, UnOp};
use crate::lower::Val;
use crate::lower::types::IntKind;

impl Execution<'_, '_, '_> {
    /// Executes one instruction.
    pub(super) fn step(&mut self, instruction: &Instruction) -> Option<()> {
        let all: Vec<&Operand> = instruction.operands.iter().collect();
        match (instruction.action, &all[..]) {
            (Action::Nothing, _) => Some(()),
            (Action::Move, [from, to]) => {
                let bits = self.bits(instruction, &all)?;
                let value = self.read(from, bits)?;
                self.write(to, bits, value)
            }
            (Action::Extend { from: narrow, signed }, [from, to]) => {
                let bits = self.bits(instruction, &[to])?;
                self.check_bits(from, narrow)?;
                let value = self.integer(from, narrow)?;
                let value = self.lower.program.exprs.resize(value, signed, bits);
                (narrow < bits).then(|| self.write(to, bits, value))?
            }
            (Action::LoadAddress, [from, to]) => {
                let bits = self.bits(instruction, &[to])?;
                let mut value = self.address(from)?;
                if bits != self.word() {
                    value = self.as_integer(value);
                    value = self.lower.program.exprs.resize(value, false, bits);
                }
                self.write(to, bits, value)
            }
            (Action::Compute(compute), [from, to]) => self.compute(instruction, compute, from, to),
            (Action::Change(change), [operand]) => self.change(instruction, change, operand),
            (Action::Shift(shift), [operand]) => self.shift(instruction, shift, None, operand),
            (Action::Shift(shift), [by, operand]) => self.shift(instruction, shift, Some(by), operand),
            (Action::Bit(bit), [index, operand]) => self.bit(instruction, bit, index, operand),
            (Action::Set(condition), [to]) => {
                self.check_bits(to, 8)?;
                let holds = self.condition(condition)?;
                let value = self.lower.program.exprs.cast(CastOp::ZExt, Ty::Int(8), holds);
                self.write(to, 8, value)
            }
            (Action::MoveIf(condition), [from, to]) => {
                let bits = self.bits(instruction, &all)?;
                let holds = self.condition(condition)?;
                let (new, old) = (self.read(from, bits)?, self.read(to, bits)?);
                let (new, old) = self.alike(new, old);
                let value = self.lower.select(holds, new, old);
                matches!(self.site(to)?, Site::Register { .. }).then(|| self.write(to, bits, value))?
            }
            (Action::Exchange, [a, b]) => {
                let bits = self.bits(instruction, &all)?;
                let (old_a, old_b) = (self.read(a, bits)?, self.read(b, bits)?);
                self.write_both((a, old_b), (b, old_a), bits)
            }
            (Action::ExchangeAdd, [from, to]) => {
                let bits = self.bits(instruction, &all)?;
                let (b, a) = (self.integer(from, bits)?, self.integer(to, bits)?);
                let sum = self.lower.program.exprs.binary(BinOp::Add, a, b);
                let sum = self.hold(sum);
                self.flags = Flags::of_sum(&mut self.lower.program.exprs, a, b, None, sum);
                self.write_both((from, a), (to, sum), bits)
            }
            (Action::CompareExchange, [from, to]) => self.compare_exchange(instruction, from, to),
            (Action::Scan { lowest }, [from, to]) => self.scan(instruction, lowest, from, to),
            (Action::Count, [from, to]) => {
                let bits = self.bits(instruction, &all)?;
                let value = self.integer(from, bits)?;
                let count = self.lower.ones(value, bits);
                let pool = &mut self.lower.program.exprs;
                let (zero, no) = (pool.int(bits, 0), Some(pool.bool(false)));
                let zero = Some(pool.binary(BinOp::Eq, value, zero));
                self.flags = Flags { carry: no, zero, sign: no, overflow: no, less: no };
                self.write(to, bits, count)
            }
            (Action::Trap, _) => {
                self.lower.emit_end(Op::Halt { status: None });
                Some(())
            }
            _ => None,
        }
    }

    /// The bits of an instruction, by its name and the registers among some of its operands, which must agree. If all of these may be
    /// constants or in memory instead, the assembler may have to choose, and takes 32.
    fn bits(&mut self, instruction: &Instruction, operands: &[&Operand]) -> Option<u8> {
        let (bits, is_certain) = self.likely_bits(instruction, operands)?;
        (is_certain || bits == 32).then_some(bits)
    }

    /// The bits of an instruction if registers are where they may be, and whether they must be there.
    pub(super) fn likely_bits(&mut self, instruction: &Instruction, operands: &[&Operand]) -> Option<(u8, bool)> {
        let (mut found, mut is_certain) = (instruction.bits, instruction.bits.is_some());
        for operand in operands {
            if let Site::Register { number, bits, .. } = self.site(operand)? {
                if found.replace(bits).is_some_and(|known| known != bits) {
                    return None;
                }
                is_certain |= self.arguments[number].constraint.is_register();
            }
        }
        found.filter(|&bits| bits <= self.word()).map(|bits| (bits, is_certain))
    }

    /// Whether an operand has so many bits if it is a register.
    fn check_bits(&mut self, operand: &Operand, wanted: u8) -> Option<()> {
        match self.site(operand)? {
            Site::Register { bits, .. } if bits != wanted => None,
            _ => Some(()),
        }
    }

    /// Writes two operands; the first one's register may be part of the second one's address.
    fn write_both(&mut self, first: (&Operand, ExprId), second: (&Operand, ExprId), bits: u8) -> Option<()> {
        let in_register = matches!(self.site(second.0)?, Site::Register { .. });
        let (one, other) = if in_register { (first, second) } else { (second, first) };
        self.write(one.0, bits, one.1)?;
        self.write(other.0, bits, other.1)
    }

    /// Two values as pointers if both are, else as integers.
    fn alike(&mut self, a: ExprId, b: ExprId) -> (ExprId, ExprId) {
        let pool = &self.lower.program.exprs;
        if pool.ty(a) == pool.ty(b) { (a, b) } else { (self.as_integer(a), self.as_integer(b)) }
    }

    pub(super) fn condition(&mut self, condition: Condition) -> Option<ExprId> {
        self.flags.holds(&mut self.lower.program.exprs, condition)
    }

    fn compute(&mut self, instruction: &Instruction, compute: Compute, from: &Operand, to: &Operand) -> Option<()> {
        let bits = self.bits(instruction, &[from, to])?;
        // A register minus itself does not depend on it.
        let is_own = matches!(compute, Compute::Sub | Compute::SubCarry | Compute::Xor | Compute::Compare)
            && from == to
            && matches!(self.site(to)?, Site::Register { .. });
        let (b, a) = if is_own {
            let zero = self.lower.program.exprs.int(bits, 0);
            (zero, zero)
        } else {
            (self.integer(from, bits)?, self.integer(to, bits)?)
        };
        let carried = match compute {
            Compute::AddCarry | Compute::SubCarry => Some(self.flags.carry?),
            _ => None,
        };
        let op = match compute {
            Compute::Add | Compute::AddCarry => BinOp::Add,
            Compute::Sub | Compute::SubCarry | Compute::Compare => BinOp::Sub,
            Compute::And | Compute::Test => BinOp::And,
            Compute::Or => BinOp::Or,
            Compute::Xor => BinOp::Xor,
            Compute::Multiply => BinOp::Mul,
        };
        let pool = &mut self.lower.program.exprs;
        let mut result = pool.binary(op, a, b);
        if let Some(carried) = carried {
            let carried = pool.resize(carried, false, bits);
            result = pool.binary(op, result, carried);
        }
        let is_written = !matches!(compute, Compute::Compare | Compute::Test);
        if is_written {
            result = self.hold(result);
        }
        let pool = &mut self.lower.program.exprs;
        self.flags = match compute {
            Compute::Add | Compute::AddCarry => Flags::of_sum(pool, a, b, carried, result),
            Compute::Sub | Compute::SubCarry | Compute::Compare => Flags::of_difference(pool, a, b, carried, result),
            Compute::And | Compute::Or | Compute::Xor | Compute::Test => Flags::of_logic(pool, result),
            Compute::Multiply => Flags::default(),
        };
        if is_written { self.write(to, bits, result) } else { Some(()) }
    }

    fn change(&mut self, instruction: &Instruction, change: Change, operand: &Operand) -> Option<()> {
        let bits = self.bits(instruction, &[operand])?;
        let a = self.integer(operand, bits)?;
        let carry = self.flags.carry;
        let pool = &mut self.lower.program.exprs;
        let (zero, one) = (pool.int(bits, 0), pool.int(bits, 1));
        let result = match change {
            Change::Increment => pool.binary(BinOp::Add, a, one),
            Change::Decrement => pool.binary(BinOp::Sub, a, one),
            Change::Negate => pool.unary(UnOp::Neg, a),
            Change::Not => pool.unary(UnOp::Not, a),
            Change::SwapBytes if bits < 32 => return None,
            Change::SwapBytes => self.lower.reversed(a, bits, 8),
        };
        let result = self.hold(result);
        let pool = &mut self.lower.program.exprs;
        self.flags = match change {
            Change::Increment => Flags { carry, ..Flags::of_sum(pool, a, one, None, result) },
            Change::Decrement => Flags { carry, ..Flags::of_difference(pool, a, one, None, result) },
            Change::Negate => Flags::of_difference(pool, zero, a, None, result),
            Change::Not | Change::SwapBytes => self.flags,
        };
        self.write(operand, bits, result)
    }

    fn shift(
        &mut self,
        instruction: &Instruction,
        shift: Shift,
        by: Option<&Operand>,
        operand: &Operand,
    ) -> Option<()> {
        let bits = self.bits(instruction, &[operand])?;
        let amount = match by {
            None => self.lower.program.exprs.int(8, 1),
            Some(by) => {
                self.check_amount(by)?;
                self.integer(by, 8)?
            }
        };
        let a = self.integer(operand, bits)?;
        let pool = &mut self.lower.program.exprs;
        let most = pool.int(8, if bits == 64 { 63 } else { 31 });
        let amount = pool.binary(BinOp::And, amount, most);
        let by = pool.resize(amount, false, bits);
        let rotated = |pool: &mut crate::ir::ExprPool, forth, back| {
            let within = pool.int(bits, i128::from(bits) - 1);
            let minus = pool.unary(UnOp::Neg, by);
            let (by, rest) = (pool.binary(BinOp::And, by, within), pool.binary(BinOp::And, minus, within));
            let (one, other) = (pool.binary(forth, a, by), pool.binary(back, a, rest));
            pool.binary(BinOp::Or, one, other)
        };
        let result = match shift {
            Shift::Left => pool.binary(BinOp::Shl, a, by),
            Shift::Right => pool.binary(BinOp::LShr, a, by),
            Shift::SignedRight => pool.binary(BinOp::AShr, a, by),
            Shift::RotateLeft => rotated(pool, BinOp::Shl, BinOp::LShr),
            Shift::RotateRight => rotated(pool, BinOp::LShr, BinOp::Shl),
        };
        let known = pool.as_const(amount);
        let result = self.hold(result);
        let is_rotated = matches!(shift, Shift::RotateLeft | Shift::RotateRight);
        self.flags = match known {
            Some(0) => self.flags,
            Some(by) => self.flags.shifted(&mut self.lower.program.exprs, shift, a, by as u8, result),
            // Where the amount is zero, flags stay what they were.
            None if is_rotated => Flags { carry: None, overflow: None, less: None, ..self.flags },
            None => Flags::default(),
        };
        self.write(operand, bits, result)
    }

    /// Whether an amount of a shift is a constant, or in `%cl`.
    fn check_amount(&mut self, by: &Operand) -> Option<()> {
        let fits = match self.site(by)? {
            Site::Constant(_) => true,
            Site::Register { number, bits: 8, high: false } => {
                let constraint = self.arguments[number].constraint;
                constraint.register == Some(Registers::One('c')) && !constraint.memory
            }
            _ => false,
        };
        fits.then_some(())
    }

    fn compare_exchange(&mut self, instruction: &Instruction, from: &Operand, to: &Operand) -> Option<()> {
        let accumulator = Operand::Register('a', Part::Own);
        let bits = self.bits(instruction, &[from, to])?;
        let number = match self.site(&accumulator)? {
            Site::Register { number, bits: own, .. } if own <= bits && self.arguments[number].is_output => number,
            _ => return None,
        };
        let new = self.read(from, bits)?;
        let (old, expected) = (self.read(to, bits)?, self.read(&accumulator, bits)?);
        let (a, b) = self.alike(expected, old);
        let pool = &mut self.lower.program.exprs;
        let equal = pool.binary(BinOp::Eq, a, b);
        self.flags = match pool.ty(a) {
            Ty::Ptr => Flags::default(),
            _ => {
                let difference = pool.binary(BinOp::Sub, a, b);
                Flags::of_difference(pool, a, b, None, difference)
            }
        };
        let equal = self.hold(equal);
        self.flags.zero = Some(equal);
        if let Site::Register { .. } = self.site(to)? {
            let (new, old) = self.alike(new, old);
            let value = self.lower.select(equal, new, old);
            self.write(to, bits, value)?;
        } else {
            let (yes, end) = (self.lower.location(), self.lower.location());
            self.lower.branch(equal, yes, end);
            self.lower.fun.at = yes;
            self.write(to, bits, new)?;
            self.lower.label_here(end);
        }
        // What was there is in the accumulator in both cases. Its upper bits change in one of them.
        self.write(&accumulator, bits, old)?;
        self.arguments[number].zero_above = false;
        Some(())
    }

    /// The position of a one. Of zero, any value: processors differ.
    fn scan(&mut self, instruction: &Instruction, lowest: bool, from: &Operand, to: &Operand) -> Option<()> {
        let bits = self.bits(instruction, &[from, to])?;
        let kind = match bits {
            16 => IntKind::UShort,
            32 => IntKind::UInt,
            64 => IntKind::ULongLong,
            _ => return None,
        };
        let value = Val { e: self.integer(from, bits)?, ty: self.lower.types.int(kind) };
        let pool = &mut self.lower.program.exprs;
        let (zero, last) = (pool.int(bits, 0), pool.int(bits, i128::from(bits) - 1));
        let is_zero = pool.binary(BinOp::Eq, value.e, zero);
        let position = self.lower.guarded(is_zero, value.ty, [value, value], |lower, a, _| {
            if lowest {
                return lower.trailing_zeros(a, bits);
            }
            let above = lower.leading_zeros(a, bits);
            lower.program.exprs.binary(BinOp::Sub, last, above)
        });
        self.flags = Flags { zero: Some(is_zero), ..Flags::default() };
        self.write(to, bits, position.e)
    }
}
