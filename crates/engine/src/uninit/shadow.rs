//! Which bits of an expression's value are undefined, as an expression.
//!
//! Bits stay apart through what only moves them: `&` and `|` with constants, shifts by constants, conversions between integers. So
//! the neighbours of a bit-field do not spoil it. Any other operator makes its whole result undefined if one bit of an operand
//! is: C gives such a value no meaning, and neither do memory checkers (Seward, Nethercote: *Using Valgrind to detect undefined
//! value errors with bit-precision*, USENIX 2005, whose table this is, with the cheap version of each operator).

use super::shadow_bits;
use super::taint::Taint;
use robusto_cfa::facts::Facts;
use robusto_cfa::ir::{BinOp, CastOp, Expr, ExprId, Program, Ty, UnOp, VarId};
use rustc_hash::FxHashMap;

/// Makes expressions of undefined bits.
pub(super) struct Shadows<'a> {
    pub facts: &'a Facts,
    pub taint: &'a Taint,
    /// The undefined bits of variables, as variables.
    pub of_var: FxHashMap<VarId, VarId>,
    /// The address of the watched byte, as an integer; 0 if none is watched.
    pub watched: VarId,
    /// Which bit of it.
    pub bit: VarId,
    /// What has been made; `None` if all bits are defined.
    made: FxHashMap<ExprId, Option<ExprId>>,
}

impl<'a> Shadows<'a> {
    pub fn new(
        facts: &'a Facts,
        taint: &'a Taint,
        of_var: FxHashMap<VarId, VarId>,
        [watched, bit]: [VarId; 2],
    ) -> Self {
        Self { facts, taint, of_var, watched, bit, made: FxHashMap::default() }
    }

    /// The undefined bits of an expression of this program, an integer as wide; `None` if there are none.
    pub fn of(&mut self, program: &mut Program, e: ExprId) -> Option<ExprId> {
        if let Some(&known) = self.made.get(&e) {
            return known;
        }
        let bits = shadow_bits(program, program.exprs.ty(e));
        let made = match program.exprs.get(e) {
            Expr::Const(..) | Expr::ObjAddr(_) | Expr::FuncAddr(_) | Expr::Holds(..) => None,
            Expr::Var(var) => self.of_var.get(&var).map(|&shadow| program.exprs.var(shadow)),
            Expr::Load(ty, addr) => {
                let through = self.of(program, addr).map(|mask| all(program, mask, bits));
                let here = self.taint.touches(self.facts, addr).then(|| self.watched_in(program, addr, ty));
                either(program, through, here)
            }
            Expr::Unary(op, x) => {
                let mask = self.of(program, x)?;
                Some(if op == UnOp::Neg { all(program, mask, bits) } else { mask })
            }
            Expr::Binary(op, x, y) => self.binary(program, op, [x, y], bits),
            Expr::Cast(op, ty, x) => {
                let mask = self.of(program, x);
                mask.map(|mask| match op {
                    CastOp::Trunc | CastOp::ZExt | CastOp::SExt => program.exprs.cast(op, ty, mask),
                    CastOp::PtrToInt | CastOp::IntToPtr => mask,
                    _ => all(program, mask, bits),
                })
            }
        };
        self.made.insert(e, made);
        made
    }

    fn binary(&mut self, program: &mut Program, op: BinOp, [x, y]: [ExprId; 2], bits: u8) -> Option<ExprId> {
        let (left, right) = (self.of(program, x), self.of(program, y));
        let exprs = &mut program.exprs;
        let constant = |exprs: &robusto_cfa::ir::ExprPool, e: ExprId| matches!(exprs.get(e), Expr::Const(..));
        match op {
            BinOp::And | BinOp::Or if constant(exprs, x) || constant(exprs, y) => {
                let (mask, other) = if constant(exprs, x) { (right?, x) } else { (left?, y) };
                // A constant decides the bits where it is 0, or where it is 1.
                let open = if op == BinOp::And { other } else { exprs.unary(UnOp::Not, other) };
                Some(exprs.binary(BinOp::And, mask, open))
            }
            BinOp::And | BinOp::Or | BinOp::Xor => either(program, left, right),
            BinOp::Shl | BinOp::LShr | BinOp::AShr if constant(exprs, y) => {
                let mask = left?;
                Some(exprs.binary(op, mask, y))
            }
            _ => {
                let left = left.map(|mask| any(program, mask));
                let right = right.map(|mask| any(program, mask));
                let one = either(program, left, right)?;
                Some(all(program, one, bits))
            }
        }
    }

    /// How far the watched byte is behind an address.
    pub fn distance(&self, program: &mut Program, addr: ExprId) -> ExprId {
        let start = program.exprs.cast(CastOp::PtrToInt, program.model.size_ty(), addr);
        let watched = program.exprs.var(self.watched);
        program.exprs.binary(BinOp::Sub, watched, start)
    }

    /// Whether the watched byte is one of so many from an address on.
    pub fn is_inside(&self, program: &mut Program, addr: ExprId, size: ExprId) -> ExprId {
        let distance = self.distance(program, addr);
        program.exprs.binary(BinOp::ULt, distance, size)
    }

    /// The watched bit, in a value of a type at an address.
    pub fn watched_in(&self, program: &mut Program, addr: ExprId, ty: Ty) -> ExprId {
        let size = program.exprs.size(ty.size(program.model));
        let inside = self.is_inside(program, addr, size);
        let bits = shadow_bits(program, ty);
        if bits > 64 {
            return all(program, inside, bits);
        }
        let distance = self.distance(program, addr);
        let position = self.position(program, distance, None);
        let exprs = &mut program.exprs;
        let one = exprs.int(64, 1);
        let bit = exprs.binary(BinOp::Shl, one, position);
        let mask = all(program, inside, 64);
        let bit = program.exprs.binary(BinOp::And, bit, mask);
        program.exprs.resize(bit, false, bits)
    }

    /// The number of a bit, in 64 bits: of a byte at a distance, and the watched bit of it or another.
    pub fn position(&self, program: &mut Program, distance: ExprId, bit: Option<ExprId>) -> ExprId {
        let bit = bit.unwrap_or_else(|| program.exprs.var(self.bit));
        let exprs = &mut program.exprs;
        let (distance, bit) = (exprs.resize(distance, false, 64), exprs.resize(bit, false, 64));
        let eight = exprs.int(64, 8);
        let bits = exprs.binary(BinOp::Mul, distance, eight);
        exprs.binary(BinOp::Add, bits, bit)
    }
}

/// Whether a bit is set.
pub(super) fn any(program: &mut Program, mask: ExprId) -> ExprId {
    let Ty::Int(bits) = program.exprs.ty(mask) else { unreachable!("undefined bits are integers") };
    if bits == 1 {
        return mask;
    }
    let zero = program.exprs.int(bits, 0);
    program.exprs.binary(BinOp::Ne, mask, zero)
}

/// All bits if one is set, else none.
pub(super) fn all(program: &mut Program, mask: ExprId, bits: u8) -> ExprId {
    let one = any(program, mask);
    program.exprs.resize(one, true, bits)
}

/// The bits of both.
fn either(program: &mut Program, x: Option<ExprId>, y: Option<ExprId>) -> Option<ExprId> {
    match (x, y) {
        (Some(x), Some(y)) => Some(program.exprs.binary(BinOp::Or, x, y)),
        (one, other) => one.or(other),
    }
}
