//! The end of the program, and `errno`: calls of models that are only needed if the program uses something.
//!
//! Whether a program registers handlers for its end, or reads `errno`, is known when all bodies are lowered. Until then
//! every place where it would matter has a call; if nothing of that is used, the calls are taken out again.

use super::table::{By, Entry, Treatment};
use crate::ir::{BinOp, Callee, ExprId, FuncId, Idx, Op, UnOp};
use crate::lower::Lower;
use crate::lower::Val;
use crate::lower::types::IntKind;
use rustc_hash::FxHashSet;

const EXIT: &str = "__robusto_run_exit_handlers";
const QUICK_EXIT: &str = "__robusto_run_quick_exit_handlers";
const TOUCH: &str = "__robusto_touch_errno";
/// Something else was read from a stream, which may have had a character that was pushed back.
pub(super) const READ: &str = "__robusto_read_pushed";
/// A stream was moved.
pub(super) const FORGET: &str = "__robusto_forget_pushed";

/// Calls that may have to be taken out.
#[derive(Default)]
pub(in crate::lower) struct Pending {
    /// Functions with such calls.
    functions: FxHashSet<FuncId>,
    /// Whether the program asks for the address of `errno`.
    pub errno_is_used: bool,
    /// Functions that call what changes variables of the library, with these.
    pub variables: FxHashSet<(FuncId, crate::ir::ObjId)>,
}

/// Functions of `math.h` that know no errors.
const NO_ERROR: &str = "fabs fabsf floor floorf ceil ceilf round roundf trunc truncf rint rintf fmax fmaxf \
                        fmin fminf";

/// Exact functions that may fail.
const MAY_FAIL: &str = "fdim fdimf ilogb ilogbf logb logbf ldexp ldexpf scalbn scalbnf scalbln scalblnf nextafter \
                        nextafterf lround lroundf llround llroundf lrint lrintf llrint llrintf";

/// Whether a library function may change `errno`, beside what its model does.
pub(super) fn touches_errno(entry: &Entry) -> bool {
    let among = |names: &str| names.split_ascii_whitespace().any(|name| name == entry.name);
    !among(NO_ERROR) && (entry.treatment == Treatment::Over || matches!(entry.by, By::Interpreter) || among(MAY_FAIL))
}

impl Lower<'_, '_> {
    /// Ends the program as `exit` does: handlers run, then destructors; then it halts with this status (type `Int(32)`).
    pub(in crate::lower) fn emit_exit(&mut self, status: ExprId) {
        let status = self.run_handlers(EXIT, status);
        if let Some(exit) = self.exit_function() {
            self.emit(Op::Call { result: None, callee: Callee::Direct(exit), args: Box::new([status]) });
        }
        self.emit_end(Op::Halt { status: Some(status) });
    }

    /// Ends the program as `quick_exit` does.
    pub(super) fn emit_quick_exit(&mut self, status: ExprId) {
        let status = self.run_handlers(QUICK_EXIT, status);
        self.emit_end(Op::Halt { status: Some(status) });
    }

    fn run_handlers(&mut self, handlers: &str, status: ExprId) -> ExprId {
        let int = self.types.int(IntKind::Int);
        let status = self.capture(Val { e: status, ty: int }).e;
        self.pending_call(handlers, &[status]);
        status
    }

    /// A library function may have changed `errno`.
    pub(super) fn touch_errno(&mut self, function: &str) {
        let used = self.names.get("__errno_location").is_some();
        if used && !self.in_model && function != "__errno_location" {
            self.pending_call(TOUCH, &[]);
        }
    }

    /// A library function that may have changed `errno` has returned this. One of `math.h` has met an error only if its result is
    /// infinite, no number, zero or close to it (C11 7.12.1), where the result is a float.
    pub(super) fn touch_errno_after(&mut self, entry: &Entry, value: Val) {
        let float = self.program.exprs.ty(value.e);
        if entry.header != "math.h" || !float.is_float() {
            return self.touch_errno(entry.name);
        }
        let format = float.format();
        let pool = &mut self.program.exprs;
        let [least, most] = [1 << format.fraction, format.infinity() - 1].map(|bits| pool.float(float, bits));
        let minus = pool.unary(UnOp::FNeg, value.e);
        let [above, below] = [value.e, minus].map(|number| {
            let (from, to) = (pool.binary(BinOp::FLe, least, number), pool.binary(BinOp::FLe, number, most));
            pool.binary(BinOp::And, from, to)
        });
        let is_normal = pool.binary(BinOp::Or, above, below);
        let failed = pool.unary(UnOp::Not, is_normal);
        self.touch_errno_if(failed, entry.name);
    }

    /// The same where a condition holds.
    pub(super) fn touch_errno_if(&mut self, failed: ExprId, function: &str) {
        if self.names.get("__errno_location").is_none() || self.in_model {
            return;
        }
        let (touch, end) = (self.location(), self.location());
        self.branch(failed, touch, end);
        self.fun.at = touch;
        self.touch_errno(function);
        self.label_here(end);
    }

    pub(super) fn pending_call(&mut self, name: &str, args: &[ExprId]) {
        let symbol = self.names.intern(name);
        let id = self.declare_implicitly(symbol, robusto_syntax::Span::default());
        if !self.fun.quiet {
            self.pending.functions.insert(self.fun.builder.id);
        }
        self.emit(Op::Call { result: None, callee: Callee::Direct(id), args: args.into() });
    }

    fn pending_function(&self, name: &str) -> Option<FuncId> {
        self.names.get(name).and_then(|symbol| self.linked_functions.get(&symbol)).copied()
    }

    /// Takes the calls out that turned out to be superfluous. To be called when the models are lowered; what is done with the
    /// program next drops the edges that do nothing.
    pub(in crate::lower) fn settle_endings(&mut self) {
        self.settle_variables();
        let lowered = |lower: &Self, id: FuncId| lower.functions[id.index()].lowered;
        let mut gone = Vec::new();
        for name in [EXIT, QUICK_EXIT, TOUCH, READ, FORGET] {
            if let Some(id) = self.pending_function(name) {
                let wanted = lowered(self, id) && (name != TOUCH || self.pending.errno_is_used);
                if !wanted {
                    gone.push(id);
                }
            }
        }
        if !gone.is_empty() {
            let superfluous = |op: &Op| matches!(op, Op::Call { callee: Callee::Direct(id), .. } if gone.contains(id));
            for &function in &self.pending.functions {
                self.program.functions[function].map_ops(|op| {
                    if superfluous(op) {
                        *op = Op::Skip;
                    }
                });
            }
        }
    }
}
