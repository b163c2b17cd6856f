//! Writing tokens so that they stay on their lines, and where possible in their columns.

use super::{PpKind, PpToken};
use crate::lex::Punct;

/// The output so far.
pub(super) struct Writer {
    out: String,
    /// Line of the source for which the current line of the output stands.
    line: u32,
    /// Characters on the current line of the output.
    column: u32,
    /// The last token on the current line.
    last: Option<PpKind>,
    /// That token is in its column of the source.
    in_place: bool,
}

impl Writer {
    pub(super) fn new(file: &str) -> Self {
        let out = format!("# 1 \"{}\"\n", super::expand::escaped(file));
        Self { out, line: 1, column: 0, last: None, in_place: false }
    }

    pub(super) fn finish(mut self) -> String {
        self.out.push('\n');
        self.out
    }

    /// Writes a token of the given line (counted from 1) and column (counted from 0).
    pub(super) fn token(&mut self, token: &PpToken, text: &str, line: u32, column: u32) {
        self.advance(line);
        let in_place = token.written && self.column <= column;
        // Two tokens in their columns without space between them stand so in the source; others might be joined.
        let apart = self.last.is_some_and(|last| {
            let source_apart = in_place && (self.in_place || self.column < column);
            !source_apart && (token.spaced || may_join(last, token.kind))
        });
        if in_place {
            while self.column < column {
                self.space();
            }
        }
        if apart {
            self.space();
        }
        self.out.push_str(text);
        self.column += text.chars().count() as u32;
        self.last = Some(token.kind);
        self.in_place = in_place && !apart;
    }

    /// Writes a whole line in place of the given line of the source.
    pub(super) fn line(&mut self, text: &str, line: u32) {
        self.advance(line);
        if self.column > 0 {
            self.newline();
        }
        self.out.push_str(text);
        self.newline();
    }

    fn advance(&mut self, line: u32) {
        while self.line < line {
            self.newline();
        }
    }

    fn newline(&mut self) {
        self.out.push('\n');
        self.line += 1;
        self.column = 0;
        self.last = None;
    }

    fn space(&mut self) {
        self.out.push(' ');
        self.column += 1;
    }
}

/// Whether two tokens without space between them might be read as one. Separators are safe; for the rest a space too
/// many does no harm.
fn may_join(left: PpKind, right: PpKind) -> bool {
    let separates = |kind| {
        use Punct as P;
        matches!(kind, PpKind::Punct(P::LParen | P::RParen | P::LBracket | P::RBracket | P::LBrace | P::RBrace))
            || matches!(kind, PpKind::Punct(P::Semi | P::Comma | P::Question | P::Tilde))
    };
    !separates(left) && !separates(right)
}
