//! Reading and writing operands while instructions are executed.
//!
//! Everything here gives `None` where it is in `doubt` what an instruction touches.

use super::argument::Argument;
use super::constraint::Registers;
use super::flags::Flags;
use super::instruction::{Operand, Part};
use crate::ir::{BinOp, CastOp, Expr as Node, ExprId, Ty, VarKind};
use crate::lower::place::Place;
use crate::lower::types::IntKind;
use crate::lower::{Lower, Val};
use robusto_syntax::Span;

/// The execution of one statement.
pub(super) struct Execution<'x, 'a, 's> {
    pub(super) lower: &'x mut Lower<'a, 's>,
    pub(super) arguments: Vec<Argument>,
    pub(super) flags: Flags,
    pub(super) clobbers_memory: bool,
    pub(super) span: Span,
    /// The registers of written outputs that inputs may share.
    pub(super) overwritten: Vec<Registers>,
    pub(super) memory_written: bool,
    /// Whether an output was written that is in a register or in memory.
    pub(super) uncertain: bool,
}

/// Where an operand is.
#[derive(Clone, Copy)]
pub(super) enum Site {
    /// Bits of the register of an argument.
    Register { number: usize, bits: u8, high: bool },
    /// The place of an argument.
    Memory(usize, Place),
    /// Memory behind a register.
    Through,
    /// A constant of 64 bits.
    Constant(ExprId),
}

impl<'x, 'a, 's> Execution<'x, 'a, 's> {
    /// Nothing is executed yet.
    pub(super) fn new(
        lower: &'x mut Lower<'a, 's>,
        arguments: Vec<Argument>,
        clobbers_memory: bool,
        span: Span,
    ) -> Self {
        let flags = Flags::default();
        let (overwritten, memory_written, uncertain) = (Vec::new(), false, false);
        Self { lower, arguments, flags, clobbers_memory, span, overwritten, memory_written, uncertain }
    }

    /// Where an operand is.
    pub(super) fn site(&mut self, operand: &Operand) -> Option<Site> {
        let (number, part) = match *operand {
            Operand::Number(number) => {
                return Some(Site::Constant(self.lower.program.exprs.int(64, number.into())));
            }
            Operand::Constant(number) => return self.constant(number),
            Operand::Address { .. } => return Some(Site::Through),
            Operand::Other => return None,
            Operand::Register(letter, part) => {
                let is_it = |argument: &Argument| {
                    argument.constraint.register == Some(Registers::One(letter)) && argument.constraint.is_register()
                };
                (self.arguments.iter().position(is_it)?, part)
            }
            Operand::Argument(number, part) => (number, part),
        };
        let argument = self.arguments[number];
        if let Some(place) = argument.memory() {
            return (part != Part::High).then_some(Site::Memory(number, place));
        }
        if argument.constraint.immediate.is_some()
            && let Some(constant) = self.constant(number)
        {
            return Some(constant);
        }
        let register = argument.constraint.tied.unwrap_or(number);
        let own = argument.bits?;
        self.arguments[register].bits?;
        let constraint = self.arguments[register].constraint;
        if argument.constraint.other || constraint.other || constraint.register.is_none() {
            return None;
        }
        let (bits, high) = match part {
            Part::Own => (own, false),
            Part::Low(bits) => (bits, false),
            Part::High => (8, true),
        };
        (bits <= self.word()).then_some(Site::Register { number: register, bits, high })
    }

    /// The value of an argument that is a constant in the instruction. Compilers write it with the sign of its bits.
    fn constant(&mut self, number: usize) -> Option<Site> {
        let argument = self.arguments[number];
        let (given, bound) = (argument.given?, argument.constraint.immediate?);
        let pool = &mut self.lower.program.exprs;
        argument.bits?;
        let value = match pool.ty(given.e) {
            Ty::Ptr => pool.cast(CastOp::PtrToInt, pool.model().size_ty(), given.e),
            _ => given.e,
        };
        let value = pool.resize(value, true, 64);
        let is_only = argument.constraint.register.is_none() && !argument.constraint.memory;
        let fits = pool.as_const(value).is_some_and(|value| bound == u64::MAX || value < bound);
        (fits || is_only).then_some(Site::Constant(value))
    }

    /// Bits of a general register.
    pub(super) fn word(&self) -> u8 {
        self.lower.model().pointer_bits()
    }

    /// Reads an operand as an integer of so many bits, or as a pointer if it is one of that size.
    pub(super) fn read(&mut self, operand: &Operand, bits: u8) -> Option<ExprId> {
        match self.site(operand)? {
            Site::Constant(value) => Some(self.lower.program.exprs.resize(value, true, bits)),
            Site::Register { number, high, .. } => {
                self.check_input(number)?;
                if !high {
                    return Some(self.content(number, bits));
                }
                let word = self.content(number, 16);
                let pool = &mut self.lower.program.exprs;
                let eight = pool.int(16, 8);
                let shifted = pool.binary(BinOp::LShr, word, eight);
                Some(pool.resize(shifted, false, 8))
            }
            Site::Memory(number, place) => {
                self.check_memory(number)?;
                self.check_size(place, bits)?;
                self.check_kept(number)?;
                self.load(place, bits)
            }
            Site::Through => {
                let place = self.place_through(operand)?;
                self.load(place, bits)
            }
        }
    }

    /// Reads an operand as an integer.
    pub(super) fn integer(&mut self, operand: &Operand, bits: u8) -> Option<ExprId> {
        let value = self.read(operand, bits)?;
        Some(self.as_integer(value))
    }

    /// A value as an integer that does not change any more.
    pub(super) fn as_integer(&mut self, value: ExprId) -> ExprId {
        let pool = &mut self.lower.program.exprs;
        let value = match pool.ty(value) {
            Ty::Ptr => pool.cast(CastOp::PtrToInt, pool.model().size_ty(), value),
            _ => value,
        };
        self.hold(value)
    }

    /// Writes an operand. All that the instruction reads has been read.
    pub(super) fn write(&mut self, operand: &Operand, bits: u8, value: ExprId) -> Option<()> {
        match self.site(operand)? {
            Site::Constant(_) => None,
            Site::Register { number, high, .. } => {
                let argument = self.arguments[number];
                if !argument.is_output {
                    return None;
                }
                self.uncertain |= argument.constraint.memory;
                if !argument.constraint.early || argument.constraint.memory {
                    self.overwritten.extend(argument.constraint.register);
                }
                self.set_content(number, bits, high, value);
                Some(())
            }
            Site::Memory(number, place) => {
                self.check_memory(number)?;
                self.check_size(place, bits)?;
                self.note_write(number, bits)?;
                self.store(place, bits, value)
            }
            Site::Through => {
                let place = self.place_through(operand)?;
                self.memory_written = true;
                self.store(place, bits, value)
            }
        }
    }

    /// Loads from memory, by its own type if that has so many bits.
    pub(super) fn load(&mut self, place: Place, bits: u8) -> Option<ExprId> {
        let place = self.accessed(place, bits)?;
        let value = self.lower.read(place, self.span).ok()?;
        Some(self.hold(value.e))
    }

    /// Stores to memory.
    pub(super) fn store(&mut self, place: Place, bits: u8, value: ExprId) -> Option<()> {
        let place = self.accessed(place, bits)?;
        let pool = &mut self.lower.program.exprs;
        let e = match (pool.ty(value), self.lower.types.value_ty(place.ty)) {
            (Ty::Int(_), Some(Ty::Ptr)) => pool.cast(CastOp::IntToPtr, Ty::Ptr, value),
            (Ty::Ptr, Some(Ty::Int(_))) => pool.cast(CastOp::PtrToInt, pool.model().size_ty(), value),
            _ => value,
        };
        self.lower.write(place, Val { e, ty: place.ty });
        Some(())
    }

    fn accessed(&mut self, place: Place, bits: u8) -> Option<Place> {
        if place.bits.is_some() {
            return None;
        }
        let fits = match self.lower.types.value_ty(place.ty) {
            Some(Ty::Int(own)) => own == bits,
            Some(Ty::Ptr) => self.word() == bits,
            _ => false,
        };
        if fits {
            return Some(place);
        }
        let kind = match bits {
            8 => IntKind::UChar,
            16 => IntKind::UShort,
            32 => IntKind::UInt,
            64 => IntKind::ULongLong,
            _ => return None,
        };
        let ty = self.lower.types.int(kind);
        Some(Place { ty: self.lower.types.qualified_like(ty, place.ty), ..place })
    }

    /// Memory behind registers, which the statement must say that it touches.
    fn place_through(&mut self, operand: &Operand) -> Option<Place> {
        if !self.clobbers_memory || self.uncertain {
            return None;
        }
        let addr = self.address(operand)?;
        let addr = match self.lower.program.exprs.ty(addr) {
            Ty::Ptr => addr,
            _ => self.lower.program.exprs.cast(CastOp::IntToPtr, Ty::Ptr, addr),
        };
        let ty = self.lower.types.void();
        Some(Place { addr, ty, bits: None })
    }

    /// The address that an operand in memory has, as a pointer or number.
    pub(super) fn address(&mut self, operand: &Operand) -> Option<ExprId> {
        let word = self.word();
        let (offset, base, index) = match operand {
            Operand::Address { offset, base, index } => (*offset, base, index),
            _ => {
                let Site::Memory(number, place) = self.site(operand)? else { return None };
                self.check_memory(number)?;
                return Some(place.addr);
            }
        };
        let mut bytes = self.lower.program.exprs.int(word, offset.into());
        if let Some((index, scale)) = index {
            self.check_word(index)?;
            let index = self.integer(index, word)?;
            let pool = &mut self.lower.program.exprs;
            let scale = pool.int(word, (*scale).into());
            let scaled = pool.binary(BinOp::Mul, index, scale);
            bytes = pool.binary(BinOp::Add, scaled, bytes);
        }
        self.check_word(base)?;
        let base = self.read(base, word)?;
        let pool = &mut self.lower.program.exprs;
        let op = if pool.ty(base) == Ty::Ptr { BinOp::PtrAdd } else { BinOp::Add };
        let addr = pool.binary(op, base, bytes);
        Some(self.hold(addr))
    }

    /// Whether a register in an address is a whole one.
    fn check_word(&mut self, operand: &Operand) -> Option<()> {
        let word = self.word();
        matches!(self.site(operand)?, Site::Register { bits, high: false, .. } if bits == word).then_some(())
    }

    /// The value in a temporary, unless it is one or a constant.
    pub(super) fn hold(&mut self, e: ExprId) -> ExprId {
        let stable = match self.lower.program.exprs.get(e) {
            Node::Const(..) | Node::ObjAddr(_) | Node::FuncAddr(_) => true,
            Node::Var(var) => matches!(self.lower.program.vars[var].kind, VarKind::Temp(_)),
            _ => false,
        };
        if stable {
            return e;
        }
        let var = self.lower.temp(self.lower.program.exprs.ty(e), false);
        self.lower.assign_var(var, e);
        self.lower.program.exprs.var(var)
    }
}
