//! Functions that the interpreter executes, and the formats of those that print.

use crate::ir::{BinOp, Builtin, ExprId, FuncId, Granted, Idx, Op, Ty};
use crate::lower::types::CType;
use crate::lower::{Lower, R, Val};
use crate::printf;
use robusto_syntax::Span;
use robusto_syntax::ast::{Expr, ExprKind};

impl<'a> Lower<'a, '_> {
    /// A function that the interpreter executes.
    pub(super) fn builtin(&mut self, builtin: Builtin, id: FuncId, args: &[Expr<'a>], span: Span) -> R<Val> {
        let ty = self.functions[id.index()].ty;
        let CType::Function(function) = self.types.get(ty).clone() else { return Ok(self.void_value()) };
        let mut values = Vec::with_capacity(args.len());
        for (i, arg) in args.iter().enumerate() {
            let value = self.rvalue(arg)?;
            let value = match function.params.get(i) {
                Some(&ty) => self.convert(value, ty, arg.span)?,
                None => self.promote_argument(value, arg.span)?,
            };
            values.push(self.cursor_of(value));
        }
        self.at_span(span);
        let result = self.result_var(function.ret);
        if !self.library_in_mode(builtin, result, &values) {
            self.emit(Op::Builtin { result, builtin, args: values.clone().into() });
        }
        let value = self.var_value(result, function.ret);
        self.bound_length(builtin, &values, value);
        Ok(value)
    }

    /// The result of `sprintf` is the length of the text, which its format may bound.
    fn bound_length(&mut self, builtin: Builtin, args: &[ExprId], length: Val) {
        let format = match builtin {
            Builtin::Sprintf => 1,
            Builtin::Snprintf => 2,
            _ => return,
        };
        let bounds = args.get(format).and_then(|&arg| {
            let text = printf::constant_text(&self.program, arg)?;
            printf::lengths(&self.program, &text, &args[format + 1..])
        });
        let (Some((least, most)), Ty::Int(32)) = (bounds, self.program.exprs.ty(length.e)) else { return };
        let pool = &mut self.program.exprs;
        let [least, most] = [least, most].map(|bound| pool.int(32, bound.into()));
        for cond in [pool.binary(BinOp::SLe, least, length.e), pool.binary(BinOp::SLe, length.e, most)] {
            self.emit(Op::Assume { cond, truth: true });
        }
    }

    /// Whether a format of a function that prints has `%n`, which writes to memory; then the call is unsupported.
    pub(super) fn writes_count(&mut self, name: &str, args: &[Expr<'a>], span: Span) -> bool {
        let format = match name {
            "printf" | "vprintf" | "wprintf" | "vwprintf" | "warn" | "warnx" => 0,
            "fprintf" | "vfprintf" | "sprintf" | "vsprintf" | "dprintf" | "vdprintf" | "asprintf" | "vasprintf"
            | "fwprintf" | "vfwprintf" | "syslog" | "vsyslog" | "err" | "errx" => 1,
            "snprintf" | "vsnprintf" | "error" => 2,
            _ => return false,
        };
        let Some(format) = args.get(format) else { return false };
        match literal(format) {
            Some(text) => has_count(&text),
            None => {
                self.assume(span, Granted::Format { name: name.to_owned() });
                false
            }
        }
    }
}

/// The bytes of a string literal.
pub(super) fn literal(e: &Expr<'_>) -> Option<Vec<u8>> {
    match e.kind {
        ExprKind::Str(units, _) => Some(units.iter().map(|&unit| u8::try_from(unit).unwrap_or(b'?')).collect()),
        ExprKind::Cast(_, inner) => literal(inner),
        _ => None,
    }
}

/// Whether a format of `printf` has a conversion `%n`.
fn has_count(format: &[u8]) -> bool {
    let mut rest = format.iter();
    while rest.by_ref().any(|&b| b == b'%') {
        let conversion = rest.by_ref().find(|b| b.is_ascii_alphabetic() && !b"hlLqjzt".contains(b) || **b == b'%');
        if conversion == Some(&b'n') {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::has_count;

    #[test]
    fn counts_in_formats() {
        assert!(has_count(b"a%n"));
        assert!(has_count(b"%5d%hhn"));
        assert!(has_count(b"%%%ln"));
        assert!(!has_count(b"%d\n"));
        assert!(!has_count(b"%%n"));
        assert!(!has_count(b"100%"));
    }
}
