//! Builtins of the compiler that are not library functions.
//!
//! | module | builtins |
//! |---|---|
//! | here | hints, variable arguments, questions to the compiler |
//! | `overflow` | arithmetic that reports overflow |
//! | `bits` | counting, turning and swapping bits |
//! | `float` | constants and classes of floats |
//!
//! A name that no module, no library function and no model knows makes the verdict unknown.

mod bits;
mod float;
mod folded;
mod overflow;
pub(super) mod table;

use super::type_of::Question;
use super::types::{CType, IntKind};
use super::{Lower, R, Val};
use crate::ir::{AllocKind, BinOp, Expr as Node, ExprId, Granted, HavocSource, ObjectKind, Op, Ty};
use robusto_syntax::Span;
use robusto_syntax::ast::Expr;

/// Whether the compiler gives a library function its meaning, as it does to the builtin of the same name.
pub(super) fn is_compiled(name: &str) -> bool {
    matches!(name, "nan" | "nanf" | "nanl")
}

impl<'a> Lower<'a, '_> {
    /// Builtins of the compiler that are not library functions; the name is without `__builtin_`.
    pub(super) fn compiler_builtin(&mut self, name: &str, args: &[Expr<'a>], span: Span) -> R<Option<Val>> {
        if let Some(value) = self.overflow_builtin(name, args, span)? {
            return Ok(Some(value));
        }
        if let Some(value) = self.carry_builtin(name, args, span)? {
            return Ok(Some(value));
        }
        if let Some(value) = self.bit_builtin(name, args, span)? {
            return Ok(Some(value));
        }
        if let Some(value) = self.float_builtin(name, args, span)? {
            return Ok(Some(value));
        }
        let void = self.types.void();
        let pointer = self.types.pointer(void);
        Ok(Some(match name {
            "expect" | "expect_with_probability" if !args.is_empty() => {
                let long = self.types.int(IntKind::Long);
                let value = self.rvalue(&args[0])?;
                self.evaluate(&args[1..])?;
                self.convert(value, long, span)?
            }
            "assume_aligned" if !args.is_empty() => {
                let value = self.rvalue(&args[0])?;
                self.evaluate(&args[1..])?;
                self.assume(span, Granted::AssumeAligned);
                self.convert(value, pointer, span)?
            }
            "assume" if args.len() == 1 => {
                let value = self.rvalue(&args[0])?;
                let cond = self.truth(value, span)?;
                self.assume(span, Granted::AssumeHolds);
                self.at_span(span);
                self.emit(Op::Assume { cond, truth: true });
                self.void_value()
            }
            "constant_p" if !args.is_empty() => self.constant_p(&args[0], span)?,
            "unreachable" => {
                self.assume(span, Granted::Unreachable);
                let never = self.program.exprs.bool(false);
                self.emit_end(Op::Assume { cond: never, truth: true });
                self.void_value()
            }
            "prefetch" | "va_end" | "__clear_cache" | "stack_restore" | "cpu_init" => {
                self.evaluate(args)?;
                self.void_value()
            }
            "va_start" | "c23_va_start" => {
                let Some(list) = args.first() else { return self.error(span, "`va_start` needs an argument") };
                let Some(varargs) = self.fun.varargs else {
                    return self.error(span, "`va_start` stands in a function without variable arguments");
                };
                let place = self.va_list_place(list)?;
                let e = self.program.exprs.var(varargs);
                self.write(place, Val { e, ty: place.ty });
                self.void_value()
            }
            "va_copy" => {
                let [to, from] = args else { return self.error(span, "`va_copy` needs two arguments") };
                let place = self.va_list_place(to)?;
                let from_place = self.va_list_place(from)?;
                let value = self.read(from_place, from.span)?;
                self.write(place, value);
                self.void_value()
            }
            "object_size" | "dynamic_object_size" => self.object_size(args, span)?,
            "return_address" | "frame_address" | "extract_return_addr" | "frob_return_addr" | "stack_save" => {
                self.evaluate(args)?;
                if name != "stack_save" {
                    self.assume(span, Granted::AnyAddress { name: name.to_owned() });
                }
                self.havoc_value(pointer, HavocSource::Unmodelled)
            }
            "alloca_with_align" | "alloca_with_align_and_max" if args.len() > 1 => {
                let size_t = self.types.size_t();
                let size = self.rvalue(&args[0])?;
                let size = self.convert(size, size_t, span)?;
                self.evaluate(&args[1..])?;
                self.assume_room(span, AllocKind::Stack);
                self.at_span(span);
                let var = self.temp(Ty::Ptr, false);
                self.emit(Op::Alloc { var, size: size.e, kind: AllocKind::Stack, zeroed: false });
                Val { e: self.program.exprs.var(var), ty: pointer }
            }
            "classify_type" if !args.is_empty() => self.classify_type(&args[0])?,
            "LINE" => {
                let line = self.pos(span).line;
                self.int_value(line.into())
            }
            "FILE" => {
                let file = self.pos(span).file;
                let name = self.sources.names().get(usize::from(file)).cloned().unwrap_or_default();
                self.text_value(&name)
            }
            "FUNCTION" => {
                let name = self.fun.name.map(|name| self.text(name).to_owned()).unwrap_or_default();
                self.text_value(&name)
            }
            _ => return Ok(None),
        }))
    }

    /// `__builtin_constant_p`: of a constant 1; else it depends on how much the compiler finds out. 0 comes first, which
    /// is what gcc says without optimisation.
    fn constant_p(&mut self, arg: &Expr<'a>, span: Span) -> R<Val> {
        let settled = self.is_settled();
        let known = self.known_answer(arg, Question::Value { settled }, |lower| {
            let (value, edges) = lower.unchecked(|lower| lower.in_scratch(|lower| lower.rvalue(arg)));
            let value = value?;
            let text = matches!(arg.kind, robusto_syntax::ast::ExprKind::Str(..));
            let constant = lower.program.exprs.as_const(value.e).is_some() || lower.as_integer(value).is_some() || text;
            // With side effects never; where a constant is needed, not now.
            Ok(if !edges && constant { Some(true) } else { (edges || settled).then_some(false) })
        })?;
        if let Some(known) = known {
            return Ok(self.int_value(known.into()));
        }
        self.assume(span, Granted::ConstantP);
        let bit = self.open_choice();
        Ok(self.truth_value(bit))
    }

    /// Whether a constant is required, so that nothing can be left open.
    pub(super) fn is_settled(&self) -> bool {
        self.fun.settled || self.fun.constant_only && !self.fun.in_function_scratch
    }

    /// A bit that is open; 0 is the usual answer.
    fn open_choice(&mut self) -> ExprId {
        let bit = self.temp(Ty::BOOL, false);
        self.emit(Op::Havoc { var: bit, source: HavocSource::Unmodelled });
        self.program.exprs.var(bit)
    }

    /// `__builtin_object_size(p, type)`: what is left of an object that the argument names. What the compiler knows of other
    /// pointers depends on optimisation, so any size is possible.
    fn object_size(&mut self, args: &[Expr<'a>], span: Span) -> R<Val> {
        let [pointer, which] = args else { return self.error(span, "this call needs two arguments") };
        let which = self.constant(which)?;
        let unknown = if which & 2 == 0 { u64::MAX } else { 0 };
        let unknown = self.size_value(unknown);
        let (value, edges) = self.unchecked(|lower| lower.in_scratch(|lower| lower.rvalue(pointer)));
        let value = value?;
        if edges || self.is_settled() && self.known_rest(value.e).is_none() {
            // gcc does not evaluate the argument, and gives up if it has effects.
            return Ok(unknown);
        }
        // The size of a member is not looked up; of a variable it is that of the object.
        let whole = which & 1 == 0 || matches!(pointer.kind, robusto_syntax::ast::ExprKind::Ident(_));
        if let (Some(rest), true) = (self.known_rest(value.e), whole) {
            return Ok(self.size_value(rest));
        }
        self.assume(span, Granted::ObjectSize);
        let any = self.havoc_value(unknown.ty, HavocSource::Unmodelled);
        // So that 0 stands for what gcc says without optimisation.
        Ok(Val { e: self.program.exprs.binary(BinOp::Xor, any.e, unknown.e), ty: unknown.ty })
    }

    /// The number of bytes from a constant address to the end of its object.
    fn known_rest(&self, e: ExprId) -> Option<u64> {
        let pool = &self.program.exprs;
        let (base, offset) = match pool.get(e) {
            Node::Binary(BinOp::PtrAdd, base, offset) => (base, pool.as_const(offset)?),
            _ => (e, 0),
        };
        let Node::ObjAddr(obj) = pool.get(base) else { return None };
        let object = &self.program.objects[obj];
        let complete = !matches!(object.kind, ObjectKind::Global(_)) || object.size > 0;
        (complete && offset <= object.size).then(|| object.size - offset)
    }

    /// `__builtin_classify_type`: gcc's numbers for kinds of types, after the usual conversions. Nothing is evaluated.
    fn classify_type(&mut self, arg: &Expr<'a>) -> R<Val> {
        let ty = self.decayed_type_of(arg)?;
        let class = match self.types.get(ty) {
            CType::Void => 0,
            CType::Int(_) => 1,
            CType::Pointer(_) | CType::Array(..) | CType::Vla(..) | CType::Function(_) => 5,
            CType::Float(_) | CType::Half { .. } => 8,
            CType::Vector(..) => 19,
            CType::Complex(_) => 9,
            CType::Record(record) if self.types.record(*record).union => 13,
            CType::Record(_) => 12,
        };
        Ok(self.int_value(class))
    }

    /// A string of the compiler's.
    fn text_value(&mut self, text: &str) -> Val {
        let mut bytes = text.as_bytes().to_vec();
        bytes.push(0);
        let char = self.types.int(IntKind::Char);
        let obj = self.constant_object(bytes, char);
        Val { e: self.obj_addr(obj), ty: self.types.pointer(char) }
    }
}
