//! The tokenizer: preprocessed C text to tokens, one at a time.
//!
//! The lexer streams: it holds a position, no list of tokens, so lexing costs no memory beyond the interned names.
//! A token is 16 bytes and carries no value; literals are read from the token's text when the parser accepts one
//! ([`number`], [`quoted`]). Text that is no token becomes [`Kind::Error`], which the grammar never accepts;
//! [`Lexer::explain`] then says what is wrong with it.
//!
//! Line splices (a backslash at the end of a line) may stand anywhere, even inside a token. They are so rare that every
//! scanner has a fast path without them and falls back to [`Lexer::spelling`].

mod directive;
pub mod number;
pub(crate) mod punct;
pub mod quoted;
mod token;

pub use token::{Keyword, Kind, Punct, Token};

use crate::{Diagnostic, Interner, Span, Symbol};
use rustc_hash::FxHashMap;
use std::borrow::Cow;

/// A line marker that the lexer met: what follows offset `at` is line `line` of file `name`.
#[derive(Clone, Copy, Debug)]
pub struct Marker {
    /// Offset of the end of the marker's line.
    pub at: u32,
    /// Number of the following line.
    pub line: u32,
    /// File of the following line; `None` keeps the current one.
    pub name: Option<Symbol>,
}

/// A stream of tokens over one text.
pub struct Lexer<'s> {
    text: &'s str,
    /// Offset of the text's first byte in the source map.
    base: u32,
    at: usize,
    /// Nothing but white space and comments precedes `at` on its line.
    line_start: bool,
    keywords: FxHashMap<Symbol, Keyword>,
    /// Greatest symbol of a keyword: most identifiers are beyond it and need no look into `keywords`.
    last_keyword: Option<Symbol>,
    pragma: Symbol,
    markers: Vec<Marker>,
}

impl<'s> Lexer<'s> {
    /// A lexer at the beginning of `text`, whose first byte has offset `base`.
    pub fn new(text: &'s str, base: u32, names: &mut Interner) -> Self {
        let keywords: FxHashMap<Symbol, Keyword> =
            token::KEYWORDS.iter().map(|&(text, keyword)| (names.intern(text), keyword)).collect();
        let last_keyword = keywords.keys().max().copied();
        let at = if text.starts_with('\u{FEFF}') { 3 } else { 0 };
        let pragma = names.intern("_Pragma");
        Self { text, base, at, line_start: true, keywords, last_keyword, pragma, markers: Vec::new() }
    }

    /// Line markers met so far, in ascending order.
    pub fn into_markers(self) -> Vec<Marker> {
        self.markers
    }

    /// The next token; [`Kind::End`] at the end, again and again.
    pub fn next_token(&mut self, names: &mut Interner) -> Token {
        let bytes = self.text.as_bytes();
        loop {
            let Some(&byte) = bytes.get(self.at) else { return self.token(Kind::End, self.at) };
            match byte {
                b' ' | b'\t' | b'\r' | 0x0B | 0x0C => {
                    self.at += 1;
                    self.at += bytes[self.at..].iter().take_while(|&&b| b == b' ').count();
                }
                b'\n' => {
                    self.at += 1;
                    self.line_start = true;
                }
                b'\\' if splice(bytes, self.at) > 0 => self.at += splice(bytes, self.at),
                b'/' if matches!(self.window(self.at).0[1], b'/' | b'*') => {
                    if let Some(error) = self.comment() {
                        return error;
                    }
                }
                b'#' | b'%' if self.line_start && (byte == b'#' || bytes[self.at..].starts_with(b"%:")) => {
                    if let Some(error) = self.directive(names) {
                        return error;
                    }
                }
                _ => {
                    self.line_start = false;
                    if let Some(token) = self.scan(byte, names) {
                        return token;
                    }
                }
            }
        }
    }

    /// Why `token`, of kind [`Kind::Error`], is none.
    pub fn explain(&self, token: Token) -> Diagnostic {
        let raw = self.raw(token);
        let span = token.span();
        if raw.starts_with("/*") {
            return Diagnostic::error(Span::new(token.lo, token.lo + 2), "unterminated comment");
        }
        if raw.starts_with('#') || raw.starts_with("%:") {
            let name: String =
                raw.chars().skip_while(|c| !c.is_alphabetic()).take_while(|c| c.is_alphabetic()).collect();
            return Diagnostic::error(span, format!("directive `#{name}` in preprocessed text"))
                .help("run the C preprocessor on the file first");
        }
        if raw.starts_with("_Pragma") {
            return Diagnostic::error(span, "expected a string in parentheses after `_Pragma`");
        }
        for quote in ['"', '\''] {
            if raw.trim_start_matches(['L', 'u', 'U', '8']).starts_with(quote) {
                return Diagnostic::error(span, format!("missing closing `{quote}`"));
            }
        }
        match raw.chars().next() {
            Some(c) if c.is_control() || c == '\u{FFFD}' => {
                Diagnostic::error(span, format!("stray character U+{:04X}", u32::from(c)))
                    .help("is this a text file in UTF-8?")
            }
            Some(c) => Diagnostic::error(span, format!("stray character `{c}`")),
            None => Diagnostic::error(span, "stray character"),
        }
    }

    /// The text of a token as it stands.
    pub fn raw(&self, token: Token) -> &'s str {
        self.text_of(token.span())
    }

    /// The text that a span covers.
    pub fn text_of(&self, span: Span) -> &'s str {
        let range = (span.lo - self.base) as usize..(span.hi - self.base) as usize;
        self.text.get(range).unwrap_or("")
    }

    /// The text of a token without line splices.
    pub fn spelling(&self, token: Token) -> Cow<'s, str> {
        unspliced(self.raw(token))
    }

    /// Whether a token is the first on its line, without indentation.
    pub fn in_first_column(&self, token: Token) -> bool {
        let at = (token.lo - self.base) as usize;
        at == 0 || self.text.as_bytes()[at - 1] == b'\n'
    }

    /// Whether the line ends somewhere between two offsets.
    pub fn line_break_between(&self, lo: u32, hi: u32) -> bool {
        let range = (lo - self.base) as usize..(hi - self.base) as usize;
        self.text.as_bytes().get(range).is_some_and(|bytes| bytes.contains(&b'\n'))
    }

    fn token(&self, kind: Kind, lo: usize) -> Token {
        Token { kind, lo: self.base + lo as u32, hi: self.base + self.at as u32 }
    }

    /// The token that begins with `byte`; `None` for a `_Pragma`, which is skipped.
    fn scan(&mut self, byte: u8, names: &mut Interner) -> Option<Token> {
        let bytes = self.text.as_bytes();
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' => self.identifier(names),
            b'0'..=b'9' => Some(self.number()),
            b'.' if self.window(self.at).0[1].is_ascii_digit() => Some(self.number()),
            b'(' => Some(self.single(Punct::LParen)),
            b')' => Some(self.single(Punct::RParen)),
            b';' => Some(self.single(Punct::Semi)),
            b',' => Some(self.single(Punct::Comma)),
            b'{' => Some(self.single(Punct::LBrace)),
            b'}' => Some(self.single(Punct::RBrace)),
            b'"' | b'\'' => Some(self.quoted(self.at)),
            b'\\' if matches!(bytes.get(self.at + 1), Some(b'u' | b'U')) => self.identifier(names),
            0x80.. => self.identifier(names),
            _ => Some(self.punctuator()),
        }
    }

    fn identifier(&mut self, names: &mut Interner) -> Option<Token> {
        let bytes = self.text.as_bytes();
        let lo = self.at;
        let mut end = lo;
        while bytes.get(end).is_some_and(|&b| is_word(b)) {
            end += 1;
        }
        let name = match bytes.get(end) {
            Some(b'"' | b'\'') if quoted::is_prefix(&bytes[lo..end]) => {
                self.at = end;
                return Some(self.quoted(lo));
            }
            Some(b'\\' | 0x80..) => {
                let (name, end) = extended_identifier(self.text, lo);
                if name.is_empty() {
                    self.at = lo + self.text[lo..].chars().next().map_or(1, char::len_utf8);
                    return Some(self.token(Kind::Error, lo));
                }
                self.at = end;
                names.intern(&name)
            }
            _ => {
                self.at = end;
                names.intern(&self.text[lo..end])
            }
        };
        if name == self.pragma {
            return self.skip_pragma_operator(lo);
        }
        let keyword = if Some(name) <= self.last_keyword { self.keywords.get(&name) } else { None };
        Some(self.token(keyword.map_or(Kind::Ident(name), |&k| Kind::Keyword(k)), lo))
    }

    /// Skips `("…")` after the `_Pragma` that begins at `lo`; an error token if it is not there.
    fn skip_pragma_operator(&mut self, lo: usize) -> Option<Token> {
        let end = self.at;
        for expected in [Kind::Punct(Punct::LParen), Kind::Str, Kind::Punct(Punct::RParen)] {
            self.at += self.text.as_bytes()[self.at..].iter().take_while(|b| b.is_ascii_whitespace()).count();
            let found = match self.text.as_bytes().get(self.at) {
                Some(b'"') => self.quoted(self.at),
                Some(_) => self.punctuator(),
                None => self.token(Kind::End, self.at),
            };
            if found.kind != expected {
                self.at = end;
                return Some(self.token(Kind::Error, lo));
            }
        }
        None
    }

    /// A preprocessing number; whether it is a number is seen when it is read.
    fn number(&mut self) -> Token {
        let bytes = self.text.as_bytes();
        let lo = self.at;
        loop {
            match bytes.get(self.at) {
                Some(b'e' | b'E' | b'p' | b'P') if matches!(bytes.get(self.at + 1), Some(b'+' | b'-')) => self.at += 2,
                Some(&b) if is_word(b) || b == b'.' => self.at += 1,
                Some(b'\\') if splice(bytes, self.at) > 0 => self.at += splice(bytes, self.at),
                _ => return self.token(Kind::Number, lo),
            }
        }
    }

    /// A character constant or string literal whose prefix begins at `lo` and whose quote is at the position.
    fn quoted(&mut self, lo: usize) -> Token {
        let bytes = self.text.as_bytes();
        let quote = bytes[self.at];
        self.at += 1;
        loop {
            match bytes.get(self.at) {
                None | Some(b'\n') => return self.token(Kind::Error, lo),
                Some(b'\\') => self.at += splice(bytes, self.at).max(if self.at + 1 < bytes.len() { 2 } else { 1 }),
                Some(&b) => {
                    self.at += 1;
                    if b == quote {
                        return self.token(if quote == b'"' { Kind::Str } else { Kind::Char }, lo);
                    }
                }
            }
        }
    }

    /// A punctuator that is never part of a longer one.
    fn single(&mut self, punct: Punct) -> Token {
        self.at += 1;
        self.token(Kind::Punct(punct), self.at - 1)
    }

    fn punctuator(&mut self) -> Token {
        let lo = self.at;
        let (window, ends) = self.window(lo);
        match punct::punctuator(window) {
            Some((punct, len)) => {
                self.at = ends[len - 1];
                self.token(Kind::Punct(punct), lo)
            }
            None => {
                self.at += 1;
                self.token(Kind::Error, lo)
            }
        }
    }

    /// The four bytes at `at` without line splices (zero beyond the end), and for each the offset after it.
    fn window(&self, at: usize) -> ([u8; 4], [usize; 4]) {
        let bytes = self.text.as_bytes();
        if let Some(&[a, b, c, d]) = bytes.get(at..at + 4)
            && b != b'\\'
            && c != b'\\'
            && d != b'\\'
        {
            return ([a, b, c, d], [at + 1, at + 2, at + 3, at + 4]);
        }
        let (mut window, mut ends, mut at) = ([0; 4], [0; 4], at);
        for (byte, end) in window.iter_mut().zip(&mut ends) {
            at += splice(bytes, at);
            *byte = bytes.get(at).copied().unwrap_or(0);
            at = (at + 1).min(bytes.len());
            *end = at;
        }
        (window, ends)
    }

    /// Skips a comment; an error token if it does not end.
    fn comment(&mut self) -> Option<Token> {
        let bytes = self.text.as_bytes();
        let lo = self.at;
        let (window, ends) = self.window(lo);
        self.at = ends[1];
        if window[1] == b'/' {
            self.at = end_of_line(bytes, self.at);
            return None;
        }
        loop {
            match bytes.get(self.at) {
                None => return Some(self.token(Kind::Error, lo)),
                Some(b'*') => {
                    let (window, ends) = self.window(self.at);
                    if window[1] == b'/' {
                        self.at = ends[1];
                        return None;
                    }
                    self.at += 1;
                }
                Some(_) => self.at += 1,
            }
        }
    }

    /// Reads a directive that begins at the position; an error token if preprocessed text cannot have it.
    fn directive(&mut self, names: &mut Interner) -> Option<Token> {
        let lo = self.at;
        self.at = end_of_line(self.text.as_bytes(), lo);
        let known = directive::read(&unspliced(&self.text[lo..self.at]))?;
        match known {
            directive::Directive::Marker { line, name } => {
                let name = name.map(|name| names.intern(&name));
                self.markers.push(Marker { at: self.base + self.at as u32, line, name });
                None
            }
            directive::Directive::Unknown => Some(self.token(Kind::Error, lo)),
        }
    }
}

/// Whether a byte may stand in an identifier (ASCII only).
pub(crate) fn is_word(byte: u8) -> bool {
    const WORD: [bool; 256] = {
        let mut table = [false; 256];
        let mut byte = 0;
        while byte < 256 {
            let b = byte as u8;
            table[byte] = b.is_ascii_alphanumeric() || b == b'_' || b == b'$';
            byte += 1;
        }
        table
    };
    WORD[byte as usize]
}

/// Length of the line splice at `at`, zero if there is none. As in GCC, white space may precede the line's end.
pub(crate) fn splice(bytes: &[u8], at: usize) -> usize {
    let mut total = 0;
    while bytes.get(at + total) == Some(&b'\\') {
        let blank = bytes[at + total + 1..].iter().take_while(|b| matches!(b, b' ' | b'\t' | b'\r')).count();
        if bytes.get(at + total + 1 + blank) != Some(&b'\n') {
            break;
        }
        total += blank + 2;
    }
    total
}

/// Text without line splices.
pub(crate) fn unspliced(text: &str) -> Cow<'_, str> {
    if !text.contains('\\') {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        match splice(text.as_bytes(), at) {
            0 => {
                out.push(c);
                at += c.len_utf8();
            }
            length => at += length,
        }
    }
    Cow::Owned(out)
}

/// Offset of the end of the logical line that holds `at`.
fn end_of_line(bytes: &[u8], mut at: usize) -> usize {
    loop {
        match bytes.get(at) {
            None | Some(b'\n') => return at,
            Some(b'\\') => at += splice(bytes, at).max(1),
            Some(_) => at += 1,
        }
    }
}

/// Reads an identifier with line splices, universal character names or letters beyond ASCII; with the offset after it.
pub(crate) fn extended_identifier(text: &str, mut at: usize) -> (String, usize) {
    let bytes = text.as_bytes();
    let mut name = String::new();
    loop {
        let start = at + splice(bytes, at);
        let Some(c) = text[start..].chars().next() else { break };
        let (c, next) = match c {
            '\\' => match quoted::universal(&text[start + 1..]) {
                Some((c, length)) => (c, start + 1 + length),
                None => break,
            },
            _ => (c, start + c.len_utf8()),
        };
        let digit = c.is_ascii_digit() && name.is_empty();
        if digit || !(c == '_' || c == '$' || c.is_alphanumeric()) {
            break;
        }
        name.push(c);
        at = next;
    }
    (name, at)
}

#[cfg(test)]
mod tests;
