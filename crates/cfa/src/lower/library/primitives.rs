//! What models in C are made of, beside C.
//!
//! | call | means |
//! |---|---|
//! | `__robusto_any_T()` | any value of a type, from outside of the program |
//! | `__robusto_unmodelled_T()` | a value that is defined in reality but not computed |
//! | `__robusto_any_bytes(p, n)` | any bytes, from outside of the program |
//! | `__robusto_unmodelled_bytes(p, n)` | bytes that are defined in reality but not computed |
//! | `__robusto_reads(p)` | where memory is checked: the byte at `p` is read |
//! | `__robusto_assume(c)` | executions without `c` are not looked at |
//! | `__robusto_assumption("text")` | lists an assumption |
//! | `__robusto_loose()` | lists that the function may give results that it never gives |
//! | `__robusto_ranged()` | lists that the function has a range of values instead of one |
//! | `__robusto_math_f(x)` | what the interpreter computes for `f` of `<math.h>`; engines take any value |
//! | `__robusto_unsupported("text")` | the verdict is unknown if this is reached |
//! | `__robusto_object_size(p)` | bytes from `p` to the end of its object |
//! | `__robusto_checks_memory()` | whether accesses to memory are what is asked about |
//! | `__robusto_is_readable(p, n)` | whether `n` bytes lie in one object; only where memory is checked |
//! | `__robusto_kept(n)`, `__robusto_kept_zeroed(n)` | a new object of the library's |
//! | `__robusto_release(p)` | ends the object at `p`, if it is one of these |
//! | `__robusto_stdin()` | the stream that the program knows as `stdin`; null if it does not use it |
//! | `__robusto_read_pushed(p, n, s)` | puts what was pushed back to the stream `s` before the other bytes that were read |

use super::effects::Touch;
use super::endings::READ;
use super::print::literal;
use crate::ir::{AllocKind, CastOp, Claim, Granted, HavocSource, Idx, Op, Ty};
use crate::lower::types::{FloatKind, IntKind, TypeId};
use crate::lower::{Lower, R, Val};
use robusto_syntax::Span;
use robusto_syntax::ast::Expr;

impl<'a> Lower<'a, '_> {
    /// A primitive by its name; only models may call them.
    pub(super) fn primitive(&mut self, name: &str, args: &[Expr<'a>], span: Span) -> R<Option<Val>> {
        let Some(name) = name.strip_prefix("__robusto_") else { return Ok(None) };
        self.at_span(span);
        // Traces name the library function that the value comes from.
        let outside = HavocSource::External(self.fun.builder.id);
        Ok(Some(match name {
            "any_bytes" => self.any_bytes(args, outside, span)?,
            "unmodelled_bytes" => {
                self.note_unmodelled(span);
                self.any_bytes(args, HavocSource::Unmodelled, span)?
            }
            "reads" => {
                let pointer = self.argument(args, 0, Ty::Ptr, span)?;
                self.touch(pointer, Touch::Always);
                self.void_value()
            }
            "assume" => {
                let [condition] = args else { return self.error(span, "a condition is needed") };
                let value = self.rvalue(condition)?;
                let cond = self.truth(value, span)?;
                self.emit(Op::Assume { cond, truth: true });
                self.void_value()
            }
            "assumption" => {
                let text = self.words(args);
                let Some(kind) = Granted::of_text(&text) else {
                    return self.error(span, format!("`{text}` is no assumption that is known"));
                };
                self.assume(span, kind);
                self.void_value()
            }
            "loose" => {
                let name = self.fun.name.map(|name| self.text(name).to_owned()).unwrap_or_default();
                self.assume(span, Granted::Loose { name });
                self.void_value()
            }
            "ranged" => {
                let name = self.fun.name.map(|name| self.text(name).to_owned()).unwrap_or_default();
                self.assume(span, Granted::Ranged { name });
                self.void_value()
            }
            "checks_memory" => {
                let ty = self.types.int(IntKind::Int);
                Val { e: self.program.exprs.int(32, self.checks.scopes.into()), ty }
            }
            "is_readable" => {
                let (addr, size) = (self.argument(args, 0, Ty::Ptr, span)?, self.size_argument(args, 1, span)?);
                let holds = if self.checks.scopes {
                    self.program.exprs.holds(Claim::Readable, addr, size)
                } else {
                    self.program.exprs.bool(false)
                };
                let e = self.program.exprs.cast(CastOp::ZExt, Ty::Int(32), holds);
                Val { e, ty: self.types.int(IntKind::Int) }
            }
            "kept" | "kept_zeroed" => {
                let size = self.size_argument(args, 0, span)?;
                self.allocate(size, AllocKind::Library, name == "kept_zeroed", span)
            }
            "release" => {
                let ptr = self.argument(args, 0, Ty::Ptr, span)?;
                self.emit(Op::Free { ptr, kind: AllocKind::Library });
                self.void_value()
            }
            "stdin" => self.standard_input(outside),
            "read_pushed" => {
                let to = self.argument(args, 0, Ty::Ptr, span)?;
                let (length, stream) = (self.size_argument(args, 1, span)?, self.argument(args, 2, Ty::Ptr, span)?);
                self.pending_call(READ, &[to, length, stream]);
                self.void_value()
            }
            "unsupported" => {
                let text = self.words(args);
                self.unsupported(&text);
                self.void_value()
            }
            _ => {
                if let Some(ty) = name.strip_prefix("any_").and_then(|ty| self.type_named(ty)) {
                    return Ok(Some(self.havoc_value(ty, outside)));
                }
                let Some(ty) = name.strip_prefix("unmodelled_").and_then(|ty| self.type_named(ty)) else {
                    return Ok(None);
                };
                self.note_unmodelled(span);
                self.havoc_value(ty, HavocSource::Unmodelled)
            }
        }))
    }

    /// The value of `stdin`. Models are lowered when it is known whether the program uses it.
    fn standard_input(&mut self, source: HavocSource) -> Val {
        let void = self.types.void();
        let ty = self.types.pointer(void);
        let declared = ["stdin", "__stdinp"].into_iter().find_map(|name| {
            let symbol = self.names.get(name)?;
            self.linked_objects.get(&symbol).copied()
        });
        let Some(object) = declared else { return self.havoc_value(ty, source) };
        let info = &self.objects[object.index()];
        if !info.used || self.types.value_ty(info.ty) != Some(Ty::Ptr) {
            return Val { e: self.program.exprs.null(), ty };
        }
        let addr = self.obj_addr(object);
        Val { e: self.program.exprs.load(Ty::Ptr, addr), ty }
    }

    fn any_bytes(&mut self, args: &[Expr<'a>], source: HavocSource, span: Span) -> R<Val> {
        let (addr, size) = (self.argument(args, 0, Ty::Ptr, span)?, self.size_argument(args, 1, span)?);
        self.emit(Op::HavocMem { addr, size, source });
        Ok(self.void_value())
    }

    fn note_unmodelled(&mut self, span: Span) {
        let name = self.fun.name.map(|name| self.text(name).to_owned()).unwrap_or_default();
        self.assume(span, Granted::Computed { name });
    }

    fn words(&self, args: &[Expr<'a>]) -> String {
        let text = args.first().and_then(literal).unwrap_or_default();
        String::from_utf8_lossy(&text).into_owned()
    }

    fn type_named(&mut self, name: &str) -> Option<TypeId> {
        let kind = match name {
            "char" => IntKind::Char,
            "uchar" => IntKind::UChar,
            "int" => IntKind::Int,
            "uint" => IntKind::UInt,
            "long" => IntKind::Long,
            "ulong" => IntKind::ULong,
            "llong" => IntKind::LongLong,
            "ullong" => IntKind::ULongLong,
            "size" => return Some(self.types.size_t()),
            "float" => return Some(self.types.float(FloatKind::Float)),
            "double" => return Some(self.types.float(FloatKind::Double)),
            _ => return None,
        };
        Some(self.types.int(kind))
    }
}
