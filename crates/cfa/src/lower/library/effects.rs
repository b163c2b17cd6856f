//! Functions of which only is known what they may change and what they may return.

use super::sizes::least_size;
use super::table::{Entry, Give, Write};
use crate::ir::{BinOp, ExprId, FuncId, Granted, HavocSource, Idx, Op, Ty};
use crate::lower::types::{CType, TypeId};
use crate::lower::{Lower, R, Val};
use robusto_syntax::Span;
use robusto_syntax::ast::Expr;

/// When a library function reads the byte at a pointer that it is given.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Touch {
    /// Whatever the pointer is.
    Always,
    /// If it is not null, which the function takes for nothing.
    NotNull,
}

/// Functions of ISO C that take null for an argument which others may not.
const TAKES_NULL: &[&str] = &["perror", "system"];

/// The headers of ISO C, whose functions may be given null only where the standard says so.
const ISO: &[&str] = &["stdio.h", "stdlib.h", "string.h", "time.h", "wchar.h", "wctype.h"];

impl<'a> Lower<'a, '_> {
    /// Where memory is checked: the byte at a pointer is read.
    pub(super) fn touch(&mut self, pointer: ExprId, when: Touch) {
        // Models are written without checks of their own.
        if !self.checks.scopes || self.fun.unchecked {
            return;
        }
        let var = self.temp(Ty::Int(8), false);
        let byte = self.program.exprs.load(Ty::Int(8), pointer);
        if when == Touch::Always {
            return self.assign_var(var, byte);
        }
        let null = self.program.exprs.null();
        let cond = self.program.exprs.binary(BinOp::Ne, pointer, null);
        let (there, done) = (self.location(), self.location());
        self.branch(cond, there, done);
        self.fun.at = there;
        self.assign_var(var, byte);
        self.label_here(done);
    }

    /// What a function that is known by its effects reads through its arguments: at least the first byte. What a stream is made of is
    /// nobody's business, and `stdin` is any pointer.
    fn touch_arguments(&mut self, entry: &Entry, values: &[(Val, TypeId)]) {
        let strict = ISO.contains(&entry.header) && !TAKES_NULL.contains(&entry.name);
        for &(value, _) in values {
            let Some(to) = self.types.pointee(value.ty) else { continue };
            let when = match self.types.get(to) {
                CType::Void | CType::Function(_) => continue,
                _ if self.types.describe(to.unqualified()).contains("_IO_FILE") => continue,
                _ if strict => Touch::Always,
                _ => Touch::NotNull,
            };
            if self.program.exprs.ty(value.e) == Ty::Ptr {
                self.touch(value.e, when);
            }
        }
    }

    /// A call by its effects.
    pub(super) fn effects_call(
        &mut self,
        entry: &Entry,
        writes: &[Write],
        give: Give,
        id: FuncId,
        args: &[Expr<'a>],
        span: Span,
    ) -> R<Val> {
        let CType::Function(function) = self.types.get(self.functions[id.index()].ty).clone() else {
            return self.error(span, "this is not a function");
        };
        if !self.fun.quiet {
            self.functions[id.index()].used = true;
        }
        let mut values = Vec::with_capacity(args.len());
        for (i, arg) in args.iter().enumerate() {
            let value = self.rvalue(arg)?;
            let own = value.ty;
            let value = match function.params.get(i) {
                Some(&ty) if self.types.is_scalar(ty) => self.convert(value, ty, arg.span)?,
                _ => value,
            };
            let value = self.capture(value);
            values.push((value, own));
        }
        self.at_span(span);
        self.touch_arguments(entry, &values);
        for &write in writes {
            if !self.write_effect(entry.name, write, &values, HavocSource::External(id), span)? {
                self.unsupported(&format!("call of `{}`", entry.name));
            }
        }
        if give == Give::Unknown {
            self.assume(span, Granted::Computed { name: entry.name.to_owned() });
        }
        if give == Give::Any && !matches!(self.types.get(function.ret), CType::Void) {
            self.assume(span, Granted::Loose { name: entry.name.to_owned() });
        }
        self.given(entry.name, give, function.ret, &values, id, span)
    }

    /// Writes any bytes through an argument; `false` if its type does not say how many, or fewer than the function writes.
    fn write_effect(
        &mut self,
        name: &str,
        write: Write,
        values: &[(Val, TypeId)],
        source: HavocSource,
        span: Span,
    ) -> R<bool> {
        let (Write::Pointee(at) | Write::Record(at) | Write::Bytes(at, _) | Write::Text(at, _)) = write;
        // An optional argument that is not there.
        let Some(&(pointer, own)) = values.get(usize::from(at)) else { return Ok(true) };
        if self.program.exprs.ty(pointer.e) != Ty::Ptr {
            return Ok(self.program.exprs.as_const(pointer.e) == Some(0));
        }
        if self.program.exprs.as_const(pointer.e) == Some(0) {
            return Ok(true);
        }
        let mut written = None;
        let size = match write {
            Write::Pointee(_) | Write::Record(_) => {
                // The declared type, or that of the argument where the declaration says less.
                let Some(least) = least_size(name, at, self.model()) else { return Ok(false) };
                let enough = |ty| self.typed_size(ty).filter(|&size| size >= least).map(|size| (ty, size));
                let Some((ty, size)) = enough(pointer.ty).or_else(|| enough(own)) else { return Ok(false) };
                written = self.types.pointee(ty);
                self.program.exprs.size(size)
            }
            Write::Bytes(_, count) | Write::Text(_, count) => {
                let Some(&(count, _)) = values.get(usize::from(count)) else { return Ok(false) };
                let size_t = self.types.size_t();
                self.convert(count, size_t, span)?.e
            }
        };
        let (there, done) = (self.location(), self.location());
        let cond = self.truth(pointer, span)?;
        self.branch(cond, there, done);
        self.fun.at = there;
        self.emit(Op::HavocMem { addr: pointer.e, size, source });
        if matches!(write, Write::Text(..)) {
            self.close_text(pointer.e, size, done);
        }
        if let (Write::Record(_), Some(to)) = (write, written)
            && matches!(self.types.get(to), CType::Record(_))
        {
            self.close_texts(pointer.e, to);
        }
        self.label_here(done);
        Ok(true)
    }

    /// The last of `size` bytes is zero; if there is none, goes to `done`.
    fn close_text(&mut self, addr: ExprId, size: ExprId, done: crate::ir::LocId) {
        let pool = &mut self.program.exprs;
        let (none, one) = (pool.size(0), pool.size(1));
        let some = pool.binary(BinOp::Ne, size, none);
        let last = pool.binary(BinOp::Sub, size, one);
        let last = pool.binary(BinOp::PtrAdd, addr, last);
        let zero = pool.int(8, 0);
        let there = self.location();
        self.branch(some, there, done);
        self.fun.at = there;
        self.emit(Op::Store { addr: last, value: zero });
    }

    /// The size of what a pointer type points to, unless that is `void`.
    pub(super) fn typed_size(&self, ty: TypeId) -> Option<u64> {
        let to = self.types.pointee(ty).filter(|&to| !matches!(self.types.get(to), CType::Void))?;
        self.types.size(to).filter(|&size| size > 0)
    }
}
