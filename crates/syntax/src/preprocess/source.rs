//! Reading preprocessing tokens from the text.

use super::hide::HideSet;
use super::{Failure, Pp, PpKind, PpToken, PreprocessError, fail};
use crate::Interner;
use crate::lex::Punct;
use crate::lex::scan::{Raw, Scanner, extended_identifier, unspliced};

/// The text and a position in it.
pub(super) struct Source<'t> {
    scanner: Scanner<'t>,
    /// No token precedes the position on its line.
    line_start: bool,
    /// Offsets of line starts.
    lines: Vec<u32>,
    /// An offset whose column is known, with the column: the way to the next token is short from there.
    known: (u32, u32),
}

impl<'t> Source<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        let mut lines = vec![0];
        lines.extend(text.bytes().enumerate().filter(|&(_, b)| b == b'\n').map(|(i, _)| i as u32 + 1));
        let at = if text.starts_with('\u{FEFF}') { 3 } else { 0 };
        Self { scanner: Scanner { text, at }, line_start: true, lines, known: (0, 0) }
    }

    /// The next token, and whether it is the first on its line.
    pub(super) fn next(&mut self, names: &mut Interner) -> Pp<Option<(PpToken, bool)>> {
        self.read(names, true)
    }

    /// Accepts the next token if it is the given punctuator.
    pub(super) fn eat(&mut self, punct: Punct, names: &mut Interner) -> Pp<bool> {
        let before = (self.scanner.at, self.line_start);
        let found = self.next(names)?.is_some_and(|(token, _)| is(&token, punct));
        if !found {
            (self.scanner.at, self.line_start) = before;
        }
        Ok(found)
    }

    /// The next token on the current line.
    pub(super) fn next_in_line(&mut self, names: &mut Interner) -> Pp<Option<PpToken>> {
        Ok(self.read(names, false)?.map(|(token, _)| token))
    }

    /// The remaining tokens of the current line.
    pub(super) fn rest_of_line(&mut self, names: &mut Interner) -> Pp<Vec<PpToken>> {
        let mut tokens = Vec::new();
        while let Some(token) = self.next_in_line(names)? {
            tokens.push(token);
        }
        Ok(tokens)
    }

    /// The tokens of a text that is not the source, such as a definition on the command line.
    pub(super) fn tokens_of(text: &str, names: &mut Interner) -> Pp<Vec<PpToken>> {
        let mut tokens = Source::new(text).rest_of_line(names)?;
        for token in &mut tokens {
            (token.offset, token.written) = (0, false);
        }
        Ok(tokens)
    }

    fn read(&mut self, names: &mut Interner, cross_lines: bool) -> Pp<Option<(PpToken, bool)>> {
        let mut spaced = false;
        while let Some(byte) = self.scanner.byte() {
            let lo = self.scanner.at;
            match byte {
                b'\n' if !cross_lines => return Ok(None),
                b'\n' => {
                    self.scanner.at += 1;
                    self.line_start = true;
                }
                _ if byte.is_ascii_whitespace() || byte == 0x0B => self.scanner.at += 1,
                b'\\' if self.scanner.skip_splices() => continue,
                b'/' if self.scanner.at_comment() => {
                    if !self.scanner.skip_comment() {
                        return fail(lo as u32, "unterminated comment");
                    }
                }
                _ => {
                    let raw = self.scanner.element(byte);
                    let text = match raw {
                        Raw::ExtendedWord => names.intern(&extended_identifier(self.scanner.text, lo).0),
                        _ => names.intern(&unspliced(&self.scanner.text[lo..self.scanner.at])),
                    };
                    let offset = lo as u32;
                    let kind = PpKind::from(raw);
                    let token = PpToken { kind, text, offset, spaced, written: true, hide: HideSet::default() };
                    return Ok(Some((token, std::mem::take(&mut self.line_start))));
                }
            }
            spaced = true;
        }
        Ok(None)
    }

    /// Line of an offset, counted from 1.
    pub(super) fn line(&self, offset: u32) -> u32 {
        self.lines.partition_point(|&start| start <= offset) as u32
    }

    /// Line, counted from 1, and column, counted from 0, of an offset.
    pub(super) fn place(&mut self, offset: u32) -> (u32, u32) {
        let line = self.line(offset);
        let start = self.lines[line as usize - 1];
        let (from, column) = if (start..=offset).contains(&self.known.0) { self.known } else { (start, 0) };
        let between = &self.scanner.text.as_bytes()[from as usize..offset as usize];
        let column = column + between.iter().filter(|&&b| b & 0xC0 != 0x80).count() as u32;
        self.known = (offset, column);
        (line, column)
    }

    /// The error as the user sees it.
    pub(super) fn error(&mut self, failure: Failure) -> PreprocessError {
        let (line, column) = self.place(failure.offset);
        let offset = failure.offset as usize;
        let mut scanner = Scanner { text: self.scanner.text, at: offset };
        if let Some(byte) = scanner.byte().filter(|byte| !byte.is_ascii_whitespace()) {
            scanner.element(byte);
        }
        PreprocessError { message: failure.message, offset, length: scanner.at - offset, line, column: column + 1 }
    }
}

/// Whether a token is a given punctuator.
pub(super) fn is(token: &PpToken, punct: Punct) -> bool {
    token.kind == PpKind::Punct(punct)
}
