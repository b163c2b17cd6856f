//! What calls of some library functions take for granted, unless their arguments say otherwise.

use super::print::literal;
use crate::ir::Granted;
use crate::lower::Lower;
use robusto_syntax::Span;
use robusto_syntax::ast::Expr;

/// `MAP_ANONYMOUS`
const WITHOUT_FILE: i128 = 0x20;

impl<'a> Lower<'a, '_> {
    /// Lists what a call of a library function takes for granted.
    pub(super) fn take_for_granted(&mut self, name: &str, args: &[Expr<'a>], span: Span) {
        if self.in_model {
            return;
        }
        let kind = match name {
            "setlocale" if !args.get(1).is_some_and(|locale| self.is_c_locale(locale)) => Granted::Locale,
            "gettext" | "dgettext" | "dcgettext" => Granted::Untranslated,
            "mmap" if !args.get(3).is_some_and(|flags| self.is_without_file(flags)) => Granted::SharedMapping,
            _ => return,
        };
        self.assume(span, kind);
    }

    /// Whether an argument of `setlocale` changes nothing: null only asks for the name.
    fn is_c_locale(&mut self, locale: &Expr<'a>) -> bool {
        let named = literal(locale).is_some_and(|text| matches!(&text[..], b"C" | b"POSIX"));
        named || self.is_null_constant(locale)
    }

    fn is_without_file(&mut self, flags: &Expr<'a>) -> bool {
        matches!(self.try_constant(flags), Ok(Some(flags)) if flags & WITHOUT_FILE != 0)
    }
}
