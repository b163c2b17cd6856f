//! Token pasting: `glue` of Prosser's algorithm.

use super::{Failure, Pp, PpKind, PpToken, Preprocessor, fail};
use crate::lex::scan::Scanner;

impl Preprocessor<'_> {
    /// Joins the last token of `out` with the first of `right`, then appends the rest.
    pub(super) fn paste(&mut self, out: &mut Vec<PpToken>, right: &[PpToken], name: PpToken) -> Pp<()> {
        let (Some(left), Some((first, rest))) = (out.pop(), right.split_first()) else {
            out.extend_from_slice(right);
            return Ok(());
        };
        let joined = match (left.kind, first.kind) {
            (PpKind::Placemarker, _) => PpToken { spaced: left.spaced, ..*first },
            (_, PpKind::Placemarker) => left,
            _ => self.joined(left, *first, name)?,
        };
        out.push(joined);
        out.extend_from_slice(rest);
        Ok(())
    }

    fn joined(&mut self, left: PpToken, right: PpToken, name: PpToken) -> Pp<PpToken> {
        let text = format!("{}{}", self.names.text(left.text), self.names.text(right.text));
        let mut scanner = Scanner { text: &text, at: 0 };
        let kind = scanner.byte().filter(|_| !scanner.at_comment()).map(|byte| PpKind::from(scanner.element(byte)));
        match kind {
            Some(kind) if scanner.at == text.len() && kind != PpKind::Other => {
                let hide = self
                    .hides
                    .intersection(left.hide, right.hide)
                    .ok_or_else(|| Failure { message: "macro expansion too large".to_owned(), offset: name.offset })?;
                Ok(PpToken { kind, text: self.names.intern(&text), hide, ..left })
            }
            _ => {
                let (left, right) = (self.names.text(left.text), self.names.text(right.text));
                let message = format!("pasting `{left:.40}` and `{right:.40}` does not give a token");
                fail(name.offset, message)
            }
        }
    }
}
