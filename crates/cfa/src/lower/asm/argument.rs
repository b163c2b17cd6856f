//! Arguments of inline assembly: places and values that its operands mean.

use super::constraint::{Constraint, Registers};
use crate::ir::{Expr as Node, ExprId};
use crate::lower::place::Place;
use crate::lower::types::{CType, TypeId};
use crate::lower::{Lower, R, Val};
use robusto_syntax::ast::{Asm, AsmOperand, Expr, ExprKind, UnaryOp};

/// An argument, and what is in its register while instructions are executed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Argument {
    pub(super) constraint: Constraint,
    pub(super) is_output: bool,
    /// Where an output goes, or where an input in memory is. The address does not change any more.
    pub(super) place: Option<Place>,
    /// The value of an input.
    pub(super) given: Option<Val>,
    /// Bits of its type as a register has them; `None` if the type is no integer or pointer.
    pub(super) bits: Option<u8>,
    /// What the lowest bits of its register are known to hold, as an integer or pointer.
    pub(super) content: Option<ExprId>,
    /// Whether the bits above are zero; else they may be anything.
    pub(super) zero_above: bool,
    /// Whether an instruction wrote it, and whether one wrote all of it.
    pub(super) written: bool,
    pub(super) whole: bool,
}

/// Addresses that were held, by what they were.
type Held = Vec<(ExprId, ExprId)>;

impl<'a> Lower<'a, '_> {
    /// The arguments of a statement: outputs, then inputs. Inputs are evaluated first.
    pub(super) fn assembly_arguments(&mut self, asm: &Asm<'a>) -> R<Vec<Argument>> {
        let names: Vec<Option<String>> =
            asm.outputs.iter().map(|output| output.name.map(|name| self.text(name).to_owned())).collect();
        let names: Vec<Option<&str>> = names.iter().map(Option::as_deref).collect();
        let mut held = Held::new();
        let mut inputs = Vec::with_capacity(asm.inputs.len());
        for input in asm.inputs {
            let constraint = Constraint::new(self.text(input.constraint), &names);
            inputs.push(self.assembly_input(input, constraint, &mut held)?);
        }
        let mut arguments = Vec::with_capacity(asm.outputs.len() + inputs.len());
        for output in asm.outputs {
            let constraint = Constraint::new(self.text(output.constraint), &names);
            let place = self.place(output.expr)?;
            let place = self.held_place(place, &mut held);
            let bits = if place.bits.is_some() { None } else { self.register_bits(place.ty) };
            arguments.push(Argument { is_output: true, place: Some(place), bits, ..Argument::new(constraint) });
        }
        for mut input in inputs {
            // `"=a"(x) : "a"(y)`: one register.
            let register = input.constraint.register.filter(|register| *register != Registers::Any);
            let same = |output: &Argument| output.is_output && output.constraint.register == register;
            if register.is_some() && input.constraint.is_register() && input.constraint.tied.is_none() {
                input.constraint.tied = arguments.iter().position(same);
            }
            arguments.push(input);
        }
        Ok(arguments)
    }

    fn assembly_input(&mut self, input: &AsmOperand<'a>, constraint: Constraint, held: &mut Held) -> R<Argument> {
        if constraint.is_memory() && is_place(input.expr) {
            let place = self.place(input.expr)?;
            let place = self.held_place(place, held);
            return Ok(Argument { place: Some(place), ..Argument::new(constraint) });
        }
        let value = self.rvalue(input.expr)?;
        let value = self.capture(value);
        let bits = self.register_bits(value.ty);
        Ok(Argument { given: Some(value), bits, ..Argument::new(constraint) })
    }

    /// The place with an address that does not change when memory does.
    fn held_place(&mut self, place: Place, held: &mut Held) -> Place {
        if !self.has_load(place.addr) {
            return place;
        }
        let known = held.iter().find(|(addr, _)| *addr == place.addr).map(|&(_, addr)| addr);
        let addr = known.unwrap_or_else(|| {
            let ty = self.types.pointer(place.ty);
            let addr = self.capture(Val { e: place.addr, ty }).e;
            held.push((place.addr, addr));
            addr
        });
        Place { addr, ..place }
    }

    fn has_load(&self, e: ExprId) -> bool {
        let exprs = &self.program.exprs;
        matches!(exprs.get(e), Node::Load(..)) || exprs.operands(e).any(|operand| self.has_load(operand))
    }

    /// Whether an address is that of an object, so that no register holds it.
    pub(super) fn is_fixed_address(&self, e: ExprId) -> bool {
        let exprs = &self.program.exprs;
        match exprs.get(e) {
            Node::ObjAddr(_) | Node::Const(..) => true,
            Node::Binary(..) => exprs.operands(e).all(|operand| self.is_fixed_address(operand)),
            _ => false,
        }
    }

    /// The bits of a register that holds values of a type.
    fn register_bits(&self, ty: TypeId) -> Option<u8> {
        let most = self.model().pointer_bits();
        match self.types.get(ty) {
            CType::Int(kind) => {
                Some(kind.bits(self.model())).filter(|bits| matches!(bits, 8 | 16 | 32 | 64) && *bits <= most)
            }
            CType::Pointer(_) => Some(most),
            _ => None,
        }
    }
}

impl Argument {
    fn new(constraint: Constraint) -> Self {
        Argument {
            constraint,
            is_output: false,
            place: None,
            given: None,
            bits: None,
            content: None,
            zero_above: false,
            written: false,
            whole: false,
        }
    }

    /// The place, if the argument is in memory in any case.
    pub(super) fn memory(&self) -> Option<Place> {
        self.place.filter(|_| self.constraint.is_memory())
    }
}

/// Whether an expression has the form of a place.
fn is_place(e: &Expr<'_>) -> bool {
    matches!(
        e.kind,
        ExprKind::Ident(_)
            | ExprKind::Index(..)
            | ExprKind::Member(..)
            | ExprKind::Arrow(..)
            | ExprKind::CompoundLiteral(..)
            | ExprKind::Unary(UnaryOp::Deref, _)
    )
}
