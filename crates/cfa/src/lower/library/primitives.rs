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
//! | `__robusto_ranged()` | lists that the function has a range of values instead of one |
//! | `__robusto_math_f(x)` | what the interpreter computes for `f` of `<math.h>`; engines take any value |
//! | `__robusto_unsupported("text")` | the verdict is unknown if this is reached |
//! | `__robusto_object_size(p)` | bytes from `p` to the end of its object |

use super::effects::Touch;
use super::print::literal;
use crate::ir::{Granted, HavocSource, Op, Ty};
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
            "ranged" => {
                let name = self.fun.name.map(|name| self.text(name).to_owned()).unwrap_or_default();
                self.assume(span, Granted::Ranged { name });
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
