//! The rounding mode.
//!
//! A program that calls `fesetround` is lowered a second time, with the mode as a variable of the program: each operation of floats
//! that may round is made in the four directions, on an edge of its own for each, guarded by the mode. Everything else about floats
//! rounds to nearest, and no other program pays for the mode. Constants are computed at compile time, to nearest, as by gcc.

use super::Lower;
use crate::ir::directed::{Directed, builtins};
use crate::ir::{BinOp, Builtin, CastOp, ExprId, Idx, Op, Ty};

/// The variable with the mode: 0 to nearest, 1 down, 2 up, 3 toward zero. The model of `fesetround` sets it.
const MODE: &str = "__CPROVER_rounding_mode";

impl Lower<'_, '_> {
    /// Whether the program, as far as it was lowered, may change the mode.
    pub(super) fn may_change_rounding(&self) -> bool {
        // Whoever sets or reads the mode knows the variable, by the model or by its name.
        let mode = self.names.get(MODE).and_then(|name| self.linked_objects.get(&name));
        mode.is_some_and(|&id| self.objects[id.index()].used)
    }

    /// An operator on floats in the current mode; `nearest` is its result in the usual one.
    pub(super) fn in_mode(&mut self, of: Directed, nearest: ExprId, args: &[ExprId]) -> ExprId {
        let pool = &self.program.exprs;
        if !self.rounding || pool.as_const(nearest).is_some() || pool.as_extended(nearest).is_some() {
            return nearest;
        }
        let ty = pool.ty(nearest);
        let args: Vec<ExprId> = args.to_vec();
        let result = self.temp(ty, true);
        self.branch_by_mode(builtins(of), |lower, builtin| match builtin {
            None => lower.assign_var(result, nearest),
            Some(builtin) => lower.emit(Op::Builtin { result: Some(result), builtin, args: args.clone().into() }),
        });
        self.program.exprs.var(result)
    }

    /// A conversion to a float in the current mode.
    pub(super) fn cast_in_mode(&mut self, op: CastOp, ty: Ty, value: ExprId) -> ExprId {
        let from = self.program.exprs.ty(value);
        let bits = from.bits(self.model());
        let nearest = self.program.exprs.cast(op, ty, value);
        let digits = ty.format().fraction as u32 + 1;
        let (of, exact) = match op {
            CastOp::SToF => (Directed::OfSigned, bits <= digits),
            CastOp::UToF => (Directed::OfUnsigned, bits <= digits),
            _ => (Directed::Convert, from.format().fraction <= ty.format().fraction),
        };
        if exact {
            return nearest;
        }
        let target = self.program.exprs.float(ty, 0);
        self.in_mode(of, nearest, &[value, target])
    }

    /// A function of `math.h` that rounds, in the current mode; whether it was one.
    pub(super) fn library_in_mode(
        &mut self,
        builtin: Builtin,
        result: Option<crate::ir::VarId>,
        args: &[ExprId],
    ) -> bool {
        use Builtin::*;
        let of = match builtin {
            Sqrt | Sqrtf | Sqrtl => Directed::Sqrt,
            Rint | Rintf | Rintl => Directed::Rint,
            Fma | Fmaf | Fmal => Directed::Fma,
            _ => return false,
        };
        if !self.rounding {
            return false;
        }
        self.branch_by_mode(builtins(of), |lower, directed| {
            let builtin = directed.unwrap_or(builtin);
            lower.emit(Op::Builtin { result, builtin, args: args.into() });
        });
        true
    }

    /// Does something in each of the four modes; `None` is to nearest.
    fn branch_by_mode(&mut self, directed: [Builtin; 3], mut act: impl FnMut(&mut Self, Option<Builtin>)) {
        let mode = self.rounding_mode();
        let end = self.location();
        for (number, builtin) in [None, Some(directed[0]), Some(directed[1])].into_iter().enumerate() {
            let (here, next) = (self.location(), self.location());
            let number = self.program.exprs.int(32, number as i128);
            let cond = self.program.exprs.binary(BinOp::Eq, mode, number);
            self.branch(cond, here, next);
            self.fun.at = here;
            act(self, builtin);
            self.jump(end);
            self.fun.at = next;
        }
        act(self, Some(directed[2]));
        self.label_here(end);
    }

    /// The value of the variable with the mode.
    fn rounding_mode(&mut self) -> ExprId {
        self.declare_model("fesetround");
        let object = self.names.get(MODE).and_then(|name| self.linked_objects.get(&name).copied());
        let object = object.expect("the model of fesetround declares the mode");
        let addr = self.obj_addr(object);
        self.program.exprs.load(Ty::Int(32), addr)
    }
}
