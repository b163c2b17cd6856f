//! What programs say to verifiers: assertions, assumptions and inputs of CBMC, ESBMC, KLEE and SV-COMP.
//!
//! They mean what they mean there, unless the program defines them. Any other name of these families is an error: as a function
//! outside of the program, an assertion could not fail and an assumption would not hold.
//!
//! A failing `__CPROVER_assert` or `__ESBMC_assert` does not end the execution, one of KLEE or SV-COMP does. All count as
//! assertions.

use super::table::{By, Row, exact, over};
use crate::ir::{AllocKind, BinOp, CastOp, Claim, ErrorKind, ExprId, FuncId, HavocSource, Idx, Op, Ty};
use crate::lower::types::{CType, IntKind, TypeId};
use crate::lower::{Lower, R, Val};
use robusto_syntax::Span;
use robusto_syntax::ast::Expr;

/// The beginnings of the names, and whose they are.
const FAMILIES: [(&str, &str); 4] =
    [("__CPROVER_", "CBMC"), ("__ESBMC_", "ESBMC"), ("klee_", "KLEE"), ("__VERIFIER_", "SV-COMP")];

pub(super) const ROWS: &[Row] = &[
    exact(
        "cbmc",
        By::Lowering,
        "__CPROVER_assert/1 __CPROVER_assume/1 __CPROVER_precondition/1 __CPROVER_postcondition/1 __CPROVER_allocate/2 \
         __CPROVER_havoc_slice/2 __CPROVER_cover __CPROVER_input __CPROVER_output __CPROVER_atomic_begin \
         __CPROVER_atomic_end",
    ),
    over(
        "cbmc",
        By::Lowering,
        "of no bytes, or where memory is not checked: not supported",
        "__CPROVER_r_ok/1 __CPROVER_w_ok/1 __CPROVER_rw_ok/1",
    ),
    exact(
        "esbmc",
        By::Lowering,
        "__ESBMC_assert/1 __ESBMC_assume/1 __ESBMC_atomic_begin __ESBMC_atomic_end __ESBMC_yield \
         __ESBMC_is_little_endian",
    ),
    exact(
        "klee",
        By::Lowering,
        "klee_assume/1 klee_assert/1 klee_make_symbolic/2 klee_int klee_range/2 klee_choose/1 klee_silent_exit/1 klee_abort \
         klee_report_error klee_get_valuef/1 klee_get_valued/1 klee_get_valuel/1 klee_get_valuell/1 klee_get_value_i32/1 \
         klee_get_value_i64/1 klee_prefer_cex klee_posix_prefer_cex klee_open_merge klee_close_merge klee_merge \
         klee_warning klee_warning_once klee_print_expr klee_print_range klee_stack_trace klee_set_forking klee_mark_global",
    ),
    exact(
        "sv-comp",
        By::Lowering,
        "__VERIFIER_assert/1 __VERIFIER_assume/1 __VERIFIER_error __VERIFIER_atomic_begin __VERIFIER_atomic_end",
    ),
    over("sv-comp", By::Lowering, "any bytes", "__VERIFIER_nondet_memory/2"),
];

/// Whether a function without a body that has this name and no arguments gives an input: `nondet_int`.
pub(in crate::lower) fn is_input(name: &str) -> bool {
    name.starts_with("__VERIFIER_nondet_") || name.starts_with("nondet_")
}

impl<'a> Lower<'a, '_> {
    /// A call of a function of one of the families; `None` for other functions.
    pub(super) fn verifier_call(&mut self, name: &str, id: FuncId, args: &[Expr<'a>], span: Span) -> R<Option<Val>> {
        if is_input(name) && args.is_empty() {
            self.at_span(span);
            return Ok(Some(self.nondet(name, id)));
        }
        let Some((family, tool)) = FAMILIES.iter().find(|(family, _)| name.starts_with(family)) else {
            return Ok(None);
        };
        if super::table::entry(name).is_some_and(|entry| args.len() >= entry.arity) {
            return self.known_verifier_call(name, id, args, span).map(Some);
        }
        // Their arguments say that these are the program's own.
        if is_input(name) || self.in_model {
            return Ok(None);
        }
        // Called through a pointer, it has no place.
        if span == Span::default() {
            self.unsupported(&format!("call of `{name}`"));
            let ret = self.return_type(id);
            return Ok(Some(self.any_of(ret)));
        }
        let known: Vec<&str> =
            ROWS.iter().flat_map(|row| row.names.split_ascii_whitespace()).filter(|n| n.starts_with(family)).collect();
        let is_known = known.iter().any(|entry| entry.split('/').next() == Some(name));
        let what = if is_known { "takes more arguments" } else { "is not known" };
        let error = robusto_syntax::Diagnostic::error(span, format!("`{name}` of {tool} {what}"));
        self.report(error.help("define it in the program; `robusto help library` has the functions that are known"))
    }

    fn known_verifier_call(&mut self, name: &str, id: FuncId, args: &[Expr<'a>], span: Span) -> R<Val> {
        match name {
            "__CPROVER_assert" | "__CPROVER_precondition" | "__CPROVER_postcondition" | "__ESBMC_assert" => {
                self.verifier_assert(id, args, span, true)
            }
            "__VERIFIER_assert" | "klee_assert" => self.verifier_assert(id, args, span, false),
            "__CPROVER_assume" | "__ESBMC_assume" | "klee_assume" | "__VERIFIER_assume" => {
                let holds = self.condition_argument(name, id, &args[0])?;
                self.evaluate(&args[1..])?;
                self.at_span(span);
                self.emit(Op::Assume { cond: holds, truth: true });
                Ok(self.void_value())
            }
            "__CPROVER_havoc_slice" | "klee_make_symbolic" | "__VERIFIER_nondet_memory" => {
                let (addr, size) = (self.argument(args, 0, Ty::Ptr, span)?, self.size_argument(args, 1, span)?);
                self.evaluate(&args[2..])?;
                self.at_span(span);
                self.emit(Op::HavocMem { addr, size, source: HavocSource::Input });
                Ok(self.void_value())
            }
            "__CPROVER_allocate" => self.verifier_allocate(args, span),
            "__CPROVER_r_ok" | "__CPROVER_w_ok" | "__CPROVER_rw_ok" => self.is_valid_memory(name, args, span),
            "__ESBMC_is_little_endian" => Ok(self.int_value(1)),
            "klee_int" | "klee_range" | "klee_choose" => self.klee_input(name, args, span),
            "klee_silent_exit" => {
                let status = self.argument(args, 0, Ty::Int(32), span)?;
                self.at_span(span);
                self.emit_end(Op::Halt { status: Some(status) });
                Ok(self.void_value())
            }
            "klee_abort" => {
                self.at_span(span);
                self.emit_end(Op::Halt { status: None });
                Ok(self.void_value())
            }
            "klee_report_error" => {
                self.evaluate(args)?;
                self.at_span(span);
                self.emit_end(Op::Error(ErrorKind::Assert));
                Ok(self.void_value())
            }
            _ if name.starts_with("klee_get_value") => {
                let (value, ret) = (self.rvalue(&args[0])?, self.return_type(id));
                self.convert(value, ret, span)
            }
            _ => {
                self.evaluate(args)?;
                Ok(self.void_value())
            }
        }
    }

    /// An error where the condition does not hold.
    fn verifier_assert(&mut self, id: FuncId, args: &[Expr<'a>], span: Span, goes_on: bool) -> R<Val> {
        let (fine, bad) = (self.location(), self.location());
        if self.narrows(id) {
            let holds = self.condition_argument("", id, &args[0])?;
            self.at_span(span);
            self.branch(holds, fine, bad);
        } else {
            self.condition(&args[0], fine, bad)?;
        }
        self.fun.at = bad;
        self.at_span(span);
        if goes_on {
            self.error_or_go_on(ErrorKind::Assert);
            self.jump(fine);
        } else {
            self.emit_end(Op::Error(ErrorKind::Assert));
        }
        self.fun.at = fine;
        self.evaluate(&args[1..])?;
        Ok(self.void_value())
    }

    /// Whether the first parameter is declared to be an integer that cannot hold every condition.
    fn narrows(&self, id: FuncId) -> bool {
        self.first_parameter(id).and_then(|ty| self.types.as_int(ty)).is_some_and(|kind| kind != IntKind::Bool)
    }

    fn first_parameter(&self, id: FuncId) -> Option<TypeId> {
        match self.types.get(self.functions[id.index()].ty) {
            CType::Function(f) if f.prototype => f.params.first().copied(),
            _ => None,
        }
    }

    /// Whether a condition holds that is an argument: as its declared parameter says; without a prototype, an `int` in SV-COMP.
    fn condition_argument(&mut self, name: &str, id: FuncId, arg: &Expr<'a>) -> R<ExprId> {
        let value = self.rvalue(arg)?;
        let wanted = match self.first_parameter(id) {
            None if name == "__VERIFIER_assume" => Some(self.types.int(IntKind::Int)),
            wanted => wanted,
        };
        let value = match wanted {
            Some(wanted) => self.convert(value, wanted, arg.span)?,
            None => value,
        };
        self.truth(value, arg.span)
    }

    /// `__CPROVER_allocate(size, zeroed)`
    fn verifier_allocate(&mut self, args: &[Expr<'a>], span: Span) -> R<Val> {
        let size = self.size_argument(args, 0, span)?;
        let zeroed = self.rvalue(&args[1])?;
        let zeroed = self.truth(zeroed, span)?;
        if let Some(zeroed) = self.program.exprs.as_const(zeroed) {
            return Ok(self.allocate(size, AllocKind::Heap, zeroed != 0, span));
        }
        self.unsupported("`__CPROVER_allocate` with a second argument that is computed");
        let void = self.types.void();
        Ok(Val { e: self.program.exprs.null(), ty: self.types.pointer(void) })
    }

    /// `__CPROVER_r_ok(p, n)`: the same condition as that of an access. What it says of no bytes is left open.
    fn is_valid_memory(&mut self, name: &str, args: &[Expr<'a>], span: Span) -> R<Val> {
        let pointer = self.rvalue(&args[0])?;
        let pointer = self.capture(pointer);
        let CType::Pointer(to) = *self.types.get(pointer.ty) else {
            return self.error(args[0].span, format!("`{name}` takes a pointer"));
        };
        let size = match args.get(1) {
            Some(_) => self.size_argument(args, 1, span)?,
            None => {
                let bytes = self.types.size(to).unwrap_or(0);
                self.program.exprs.size(bytes)
            }
        };
        self.at_span(span);
        if !self.checks.scopes {
            self.unsupported(&format!(
                "`{name}` where accesses to memory are not checked (ask for `valid-deref`, too)"
            ));
            return Ok(self.int_value(0));
        }
        let zero = self.program.exprs.size(0);
        let is_empty = self.program.exprs.binary(BinOp::Eq, size, zero);
        if self.program.exprs.as_const(is_empty) != Some(0) {
            let (empty, filled) = (self.location(), self.location());
            self.branch(is_empty, empty, filled);
            self.fun.at = empty;
            self.unsupported(&format!("`{name}` of no bytes"));
            self.fun.at = filled;
        }
        let claim = if name == "__CPROVER_r_ok" { Claim::Readable } else { Claim::Writable };
        let holds = self.program.exprs.holds(claim, pointer.e, size);
        // What the memory is like now, not where the value is used.
        let holds = self.program.exprs.cast(CastOp::ZExt, Ty::Int(32), holds);
        let ty = self.types.int(IntKind::Int);
        Ok(self.capture(Val { e: holds, ty }))
    }

    /// `klee_int("name")`, `klee_range(first, end, "name")`, `klee_choose(end)`
    fn klee_input(&mut self, name: &str, args: &[Expr<'a>], span: Span) -> R<Val> {
        let kind = if name == "klee_choose" { IntKind::ULong } else { IntKind::Int };
        let ty = self.types.int(kind);
        let mut bounds = Vec::new();
        let count = match name {
            "klee_range" => 2,
            "klee_choose" => 1,
            _ => 0,
        };
        for arg in &args[..count] {
            let value = self.rvalue(arg)?;
            let value = self.convert(value, ty, arg.span)?;
            bounds.push(self.capture(value).e);
        }
        self.evaluate(&args[count..])?;
        self.at_span(span);
        let value = self.havoc_value(ty, HavocSource::Input);
        let pool = &mut self.program.exprs;
        let conditions = match bounds[..] {
            [first, end] => {
                vec![pool.binary(BinOp::SLe, first, value.e), pool.binary(BinOp::SLt, value.e, end)]
            }
            [end] => vec![pool.binary(BinOp::ULt, value.e, end)],
            _ => Vec::new(),
        };
        for cond in conditions {
            self.emit(Op::Assume { cond, truth: true });
        }
        Ok(value)
    }
}
