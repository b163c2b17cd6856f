//! Pointers of which nobody can say that they should be good: those from outside, and the content of memory which the program has not written.
//!
//! Such a pointer is any number, and most numbers lead nowhere. An access through it says nothing against the program that makes it:
//! who gave it the memory may have put good pointers there. So it is no target of the second rank. Pointer variables that take a value from
//! outside and also from the program lead to memory outside in that question ([`crate::border::lead_outside`]); they are not meant here.
//!
//! Flow-insensitive: a variable is one if it may be assigned one, by an assignment, a call or a return.

use super::available::summands;
use robusto_cfa::analysis::points_to::{Base, PointsTo};
use robusto_cfa::ir::{Callee, Expr, ExprId, Op, Program, Ty, VarId};
use rustc_hash::FxHashSet;

/// The pointers of a program that may be.
pub(super) struct Wild<'p> {
    points_to: &'p PointsTo,
    vars: FxHashSet<VarId>,
}

impl<'p> Wild<'p> {
    /// Follows them through a program.
    pub fn of(program: &Program, points_to: &'p PointsTo) -> Self {
        let mut wild = Self { points_to, vars: FxHashSet::default() };
        while wild.round(program) {}
        wild
    }

    /// Whether a pointer may be one, or be computed from one.
    pub fn may_be(&self, program: &Program, address: ExprId) -> bool {
        let (pointer, _) = summands(&program.exprs, address);
        let targets = self.points_to.of_expr(pointer);
        if targets.may_be_unknown()
            && targets.bases().iter().all(|base| matches!(base, Base::Unknown | Base::Indeterminate))
        {
            return true;
        }
        match program.exprs.get(pointer) {
            Expr::Var(var) => self.vars.contains(&var),
            _ => targets.may_be_unknown(),
        }
    }

    /// Looks at every step; whether there are more of them.
    fn round(&mut self, program: &Program) -> bool {
        let before = self.vars.len();
        for (id, function) in program.functions.enumerate() {
            for edge in function.edges().iter() {
                match edge.op {
                    Op::Assign { var, value } => self.give(program, var, value),
                    Op::Call { callee, ref args, .. } => {
                        let callees = match callee {
                            Callee::Direct(callee) => vec![callee],
                            Callee::Indirect(pointer, _) => self.points_to.callees(pointer).functions,
                        };
                        for callee in callees {
                            for (&param, &arg) in program.functions[callee].params.iter().zip(args) {
                                self.give(program, param, arg);
                            }
                        }
                    }
                    Op::Return { value: Some(value) } if self.is_pointer(program, value) => {
                        let calls = program.functions.iter().flat_map(|f| f.edges().iter());
                        let results = calls.filter_map(|e| match e.op {
                            Op::Call { result, callee: Callee::Direct(callee), .. } if callee == id => result,
                            Op::Call { result, callee: Callee::Indirect(..), .. } => result,
                            _ => None,
                        });
                        results.for_each(|result| self.give(program, result, value));
                    }
                    _ => {}
                }
            }
        }
        self.vars.len() > before
    }

    fn give(&mut self, program: &Program, var: VarId, value: ExprId) {
        if self.is_pointer(program, value) {
            self.vars.insert(var);
        }
    }

    fn is_pointer(&self, program: &Program, value: ExprId) -> bool {
        program.exprs.ty(value) == Ty::Ptr && self.may_be(program, value)
    }
}
