//! Operations as text.

use super::expr::{Context, ExprWriter, Type};
use super::names::{Names, write_quoted};
use crate::ir::{AllocKind, Callee, ErrorKind, ExprId, HavocSource, Op, VarId};
use std::fmt::{self, Display, Write};

impl Names<'_> {
    /// An operation in one line; the inside of a very large expression is left out (`…`).
    pub fn op(&self, op: &Op) -> impl Display {
        Shown(move |f: &mut fmt::Formatter<'_>| ExprWriter { names: self, parts: None, out: f }.op(op))
    }

    /// An expression in one line; the inside of a very large one is left out (`…`).
    pub fn expr(&self, id: ExprId) -> impl Display {
        Shown(move |f: &mut fmt::Formatter<'_>| {
            let mut writer = ExprWriter { names: self, parts: None, out: f };
            match self.large.get(id) {
                Some(_) => writer.node(id, Context::NONE),
                None => writer.write(id, Context::NONE),
            }
        })
    }
}

struct Shown<F>(F);

impl<F: Fn(&mut fmt::Formatter<'_>) -> fmt::Result> Display for Shown<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0(f)
    }
}

/// Calls a function with each expression of an operation, in the order of the text.
pub(crate) fn op_exprs(op: &Op, mut each: impl FnMut(ExprId)) {
    match op {
        Op::Skip | Op::Havoc { .. } | Op::Error(_) | Op::Unsupported(_) => {}
        Op::Assume { cond, .. } => each(*cond),
        Op::Assign { value, .. } => each(*value),
        Op::Store { addr, value } => [addr, value].into_iter().for_each(|&x| each(x)),
        Op::Copy { dst, src, size } => [dst, src, size].into_iter().for_each(|&x| each(x)),
        Op::Fill { dst, byte, size } => [dst, byte, size].into_iter().for_each(|&x| each(x)),
        Op::HavocMem { addr, size, .. } => [addr, size].into_iter().for_each(|&x| each(x)),
        Op::Call { callee, args, .. } => {
            if let Callee::Indirect(target, _) = callee {
                each(*target);
            }
            args.iter().for_each(|&x| each(x));
        }
        Op::Builtin { args, .. } => args.iter().for_each(|&x| each(x)),
        Op::Alloc { size, .. } => each(*size),
        Op::Free { ptr, .. } => each(*ptr),
        Op::Return { value } => value.iter().for_each(|&x| each(x)),
        Op::Halt { status } => status.iter().for_each(|&x| each(x)),
    }
}

impl<W: Write> ExprWriter<'_, W> {
    /// Writes an operation.
    pub fn op(&mut self, op: &Op) -> fmt::Result {
        match op {
            Op::Skip => self.out.write_str("skip"),
            Op::Assume { cond, truth: true } => self.with("assume ", *cond, ""),
            Op::Assume { cond, truth: false } => self.with("assume not (", *cond, ")"),
            Op::Assign { var, value } => {
                self.target(Some(*var))?;
                self.write(*value, self.of_var(*var))
            }
            Op::Store { addr, value } => {
                // An expression that does not exist is a mistake that `verify` reports.
                if self.names.large.get(*value).is_some() {
                    write!(self.out, "{}", Type(self.names.program.exprs.ty(*value)))?;
                }
                self.with("[", *addr, "] := ")?;
                self.write(*value, Context::TYPED)
            }
            Op::Copy { dst, src, size } => self.list("copy", &[*dst, *src, *size], |_| Context::TYPED),
            Op::Fill { dst, byte, size } => self.list("fill", &[*dst, *byte, *size], |_| Context::TYPED),
            Op::Havoc { var, source } => {
                write!(self.out, "havoc {} from ", self.names.var(*var))?;
                self.source(*source)
            }
            Op::HavocMem { addr, size, source } => {
                self.list("havoc memory", &[*addr, *size], |_| Context::TYPED)?;
                self.out.write_str(" from ")?;
                self.source(*source)
            }
            Op::Call { result, callee, args } => self.call(*result, *callee, args),
            Op::Builtin { result, builtin, args } => {
                self.target(*result)?;
                self.out.write_str("builtin ")?;
                self.list(builtin.name(), args, |_| Context::NONE)
            }
            Op::Alloc { var, size, kind, zeroed } => {
                self.target(Some(*var))?;
                self.out.write_str(if *zeroed { "alloc zeroed " } else { "alloc " })?;
                self.list(alloc_name(*kind), &[*size], |_| Context::TYPED)
            }
            Op::Free { ptr, kind } => {
                self.out.write_str("free ")?;
                self.list(alloc_name(*kind), &[*ptr], |_| Context::TYPED)
            }
            Op::Return { value: None } => self.out.write_str("return"),
            Op::Return { value: Some(value) } => self.with("return ", *value, ""),
            Op::Error(kind) => write!(self.out, "error {}", kind.name()),
            Op::Halt { status: None } => self.out.write_str("halt"),
            Op::Halt { status: Some(status) } => self.with("halt ", *status, ""),
            Op::Unsupported(what) => {
                self.out.write_str("unsupported ")?;
                write_quoted(&mut self.out, what)
            }
        }
    }

    fn of_var(&self, var: VarId) -> Context {
        Context { signed: self.names.program.vars.get(var).map(|v| v.signed), ..Context::TYPED }
    }

    fn with(&mut self, before: &str, value: ExprId, after: &str) -> fmt::Result {
        self.out.write_str(before)?;
        self.write(value, Context::TYPED)?;
        self.out.write_str(after)
    }

    fn target(&mut self, var: Option<VarId>) -> fmt::Result {
        var.map_or(Ok(()), |var| write!(self.out, "{} := ", self.names.var(var)))
    }

    fn list(&mut self, name: &str, args: &[ExprId], context: impl Fn(usize) -> Context) -> fmt::Result {
        self.out.write_str(name)?;
        self.out.write_char('(')?;
        for (i, &arg) in args.iter().enumerate() {
            if i > 0 {
                self.out.write_str(", ")?;
            }
            self.write(arg, context(i))?;
        }
        self.out.write_char(')')
    }

    fn call(&mut self, result: Option<VarId>, callee: Callee, args: &[ExprId]) -> fmt::Result {
        self.target(result)?;
        self.out.write_str("call ")?;
        match callee {
            Callee::Direct(function) => {
                write!(self.out, "{}", self.names.function(function))?;
                let names = self.names;
                let params = names.program.functions.get(function).map_or(&[][..], |f| &f.params);
                let signed = |i: usize| params.get(i).and_then(|&p| Some(names.program.vars.get(p)?.signed));
                self.list("", args, |i| Context { typed: i < params.len(), signed: signed(i), mask: false })
            }
            Callee::Indirect(target, outside) => {
                self.with("(*", target, ")")?;
                self.list("", args, |_| Context::NONE)?;
                match outside {
                    Some(function) => write!(self.out, " else {}", self.names.function(function)),
                    None => Ok(()),
                }
            }
        }
    }

    fn source(&mut self, source: HavocSource) -> fmt::Result {
        match source {
            HavocSource::External(function) => write!(self.out, "external {}", self.names.function(function)),
            HavocSource::Input => self.out.write_str("input"),
            HavocSource::Uninit => self.out.write_str("uninit"),
            HavocSource::Written(function, argument) => {
                write!(self.out, "written {} {argument}", self.names.function(function))
            }
            HavocSource::Volatile => self.out.write_str("volatile"),
            HavocSource::Precision => self.out.write_str("precision"),
            HavocSource::Violation => self.out.write_str("violation"),
            HavocSource::Undefined => self.out.write_str("undefined"),
            HavocSource::Unmodelled => self.out.write_str("unmodelled"),
            HavocSource::Order => self.out.write_str("order"),
            HavocSource::Allocation => self.out.write_str("allocation"),
            HavocSource::Ended => self.out.write_str("ended"),
        }
    }
}

fn alloc_name(kind: AllocKind) -> &'static str {
    match kind {
        AllocKind::Heap => "heap",
        AllocKind::Stack => "stack",
        AllocKind::Library => "library",
        AllocKind::Caller => "caller",
    }
}

/// The property with this word.
pub(in crate::text) fn error_from_name(name: &str) -> Option<ErrorKind> {
    ErrorKind::ALL.into_iter().find(|kind| kind.name() == name)
}
