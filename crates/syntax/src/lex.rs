//! The tokenizer: preprocessed C text to tokens, one at a time.
//!
//! The lexer streams: it holds a position, no list of tokens, so lexing costs no memory beyond the interned names.
//! A token is 16 bytes and carries no value; literals are read from the token's text when the parser accepts one
//! ([`number`], [`quoted`]). Text that is no token becomes [`Kind::Error`], which the grammar never accepts;
//! [`Lexer::explain`] then says what is wrong with it.

mod directive;
mod extended;
pub mod number;
pub(crate) mod punct;
pub mod quoted;
pub(crate) mod scan;
mod token;

pub use token::{Keyword, Kind, Punct, Token};

use crate::ast::{LayoutPragmas, SymbolPragma};
use crate::{Diagnostic, Interner, Span, Symbol};
use rustc_hash::FxHashMap;
use scan::{Raw, Scanner};
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
    scanner: Scanner<'s>,
    /// Offset of the text's first byte in the source map.
    base: u32,
    /// Nothing but white space and comments precedes the position on its line.
    line_start: bool,
    keywords: FxHashMap<Symbol, Keyword>,
    /// Greatest symbol of a keyword: most identifiers are beyond it and need no look into `keywords`.
    last_keyword: Option<Symbol>,
    pragma: Symbol,
    markers: Vec<Marker>,
    layout: LayoutPragmas,
    /// Alignments that `#pragma pack(push)` put aside, with their names.
    packs: Vec<(Option<String>, Option<u32>)>,
    symbol_pragmas: Vec<SymbolPragma>,
}

impl<'s> Lexer<'s> {
    /// A lexer at the beginning of `text`, whose first byte has offset `base`.
    pub fn new(text: &'s str, base: u32, names: &mut Interner) -> Self {
        let keywords: FxHashMap<Symbol, Keyword> =
            token::KEYWORDS.iter().map(|&(text, keyword)| (names.intern(text), keyword)).collect();
        let last_keyword = keywords.keys().max().copied();
        let scanner = Scanner { text, at: if text.starts_with('\u{FEFF}') { 3 } else { 0 } };
        let pragma = names.intern("_Pragma");
        Self {
            scanner,
            base,
            line_start: true,
            keywords,
            last_keyword,
            pragma,
            markers: Vec::new(),
            layout: LayoutPragmas::default(),
            packs: Vec::new(),
            symbol_pragmas: Vec::new(),
        }
    }

    /// Line markers met so far, in ascending order.
    pub fn into_markers(self) -> Vec<Marker> {
        self.markers
    }

    /// The next token; [`Kind::End`] at the end, again and again.
    pub fn next_token(&mut self, names: &mut Interner) -> Token {
        let bytes = self.scanner.text.as_bytes();
        loop {
            let lo = self.scanner.at;
            let Some(&byte) = bytes.get(lo) else { return self.token(Kind::End, lo) };
            match byte {
                b' ' | b'\t' | b'\r' | 0x0B | 0x0C => {
                    self.scanner.at += 1 + bytes[lo + 1..].iter().take_while(|&&b| b == b' ').count();
                }
                b'\n' => {
                    self.scanner.at += 1;
                    self.line_start = true;
                }
                b'\\' if self.scanner.skip_splices() => {}
                b'/' if self.scanner.at_comment() => {
                    if !self.scanner.skip_comment() {
                        return self.token(Kind::Error, lo);
                    }
                }
                b'#' | b'%' if self.line_start && (byte == b'#' || bytes[lo..].starts_with(b"%:")) => {
                    if !self.directive(names) {
                        return self.token(Kind::Error, lo);
                    }
                }
                _ => {
                    self.line_start = false;
                    let kind = match self.scanner.element(byte) {
                        Raw::Word => self.word(names.intern(&self.scanner.text[lo..self.scanner.at])),
                        Raw::ExtendedWord => {
                            self.word(names.intern(&scan::extended_identifier(self.scanner.text, lo).0))
                        }
                        Raw::Number => Kind::Number,
                        Raw::Str => Kind::Str,
                        Raw::Char => Kind::Char,
                        Raw::Punct(punct) => Kind::Punct(punct),
                        Raw::Unclosed | Raw::Stray => Kind::Error,
                    };
                    if kind != Kind::Ident(self.pragma) {
                        return self.token(kind, lo);
                    }
                    if !self.pragma_operator(names) {
                        return self.token(Kind::Error, lo);
                    }
                }
            }
        }
    }

    fn token(&self, kind: Kind, lo: usize) -> Token {
        Token { kind, lo: self.base + lo as u32, hi: self.base + self.scanner.at as u32 }
    }

    fn word(&self, name: Symbol) -> Kind {
        let keyword = if Some(name) <= self.last_keyword { self.keywords.get(&name) } else { None };
        keyword.map_or(Kind::Ident(name), |&keyword| Kind::Keyword(keyword))
    }

    /// Reads `("…")` after `_Pragma`, which does what `#pragma …` does; false, and nothing read, if it is not there.
    fn pragma_operator(&mut self, names: &mut Interner) -> bool {
        let mut ahead = self.scanner.clone();
        let mut text = String::new();
        for expected in [b'(', b'"', b')'] {
            ahead.at += ahead.text.as_bytes()[ahead.at..].iter().take_while(|b| b.is_ascii_whitespace()).count();
            let lo = ahead.at;
            if ahead.byte() != Some(expected) || ahead.element(expected) == Raw::Unclosed {
                return false;
            }
            if expected == b'"' {
                let quoted = scan::unspliced(&ahead.text[lo..ahead.at]);
                text = quoted.trim_matches('"').replace("\\\"", "\"").replace("\\\\", "\\");
            }
        }
        self.scanner = ahead;
        self.obey(directive::read(&format!("#pragma {text}")), names)
    }

    /// Reads the directive at the position; false if preprocessed text cannot have it.
    fn directive(&mut self, names: &mut Interner) -> bool {
        let lo = self.scanner.at;
        self.scanner.at = scan::end_of_line(self.scanner.text.as_bytes(), lo);
        let directive = directive::read(&scan::unspliced(&self.scanner.text[lo..self.scanner.at]));
        self.obey(directive, names)
    }

    fn obey(&mut self, directive: Option<directive::Directive>, names: &mut Interner) -> bool {
        match directive {
            Some(directive::Directive::Marker { line, name }) => {
                let name = name.map(|name| names.intern(&name));
                self.markers.push(Marker { at: self.base + self.scanner.at as u32, line, name });
                true
            }
            Some(directive::Directive::Layout(layout)) => {
                self.set_layout(layout);
                true
            }
            Some(directive::Directive::Weak(name, target)) => {
                let name = names.intern(&name);
                let target = target.map(|target| names.intern(&target));
                self.symbol_pragmas
                    .push(target.map_or(SymbolPragma::Weak(name), |target| SymbolPragma::WeakAlias(name, target)));
                true
            }
            Some(directive::Directive::Rename(name, symbol)) => {
                let (name, symbol) = (names.intern(&name), names.intern(&symbol));
                self.symbol_pragmas.push(SymbolPragma::Rename(name, symbol));
                true
            }
            Some(directive::Directive::Unknown) => false,
            None => true,
        }
    }

    /// What pragmas said of symbols so far.
    pub fn take_symbol_pragmas(&mut self) -> Vec<SymbolPragma> {
        std::mem::take(&mut self.symbol_pragmas)
    }

    fn set_layout(&mut self, layout: directive::Layout) {
        use directive::Layout;
        match layout {
            Layout::Set(limit) => self.layout.pack = limit,
            Layout::Push(name, limit) => {
                self.packs.push((name, self.layout.pack));
                if let Some(limit) = limit {
                    self.layout.pack = Some(limit).filter(|n| *n > 0);
                }
            }
            // As in GCC, a `pop` without its `push` changes nothing.
            Layout::Pop(None) => {
                if let Some((_, pack)) = self.packs.pop() {
                    self.layout.pack = pack;
                }
            }
            Layout::Pop(name) => {
                if let Some(at) = self.packs.iter().rposition(|(pushed, _)| *pushed == name) {
                    self.layout.pack = self.packs[at].1;
                    self.packs.truncate(at);
                }
            }
            Layout::BigEndian(on) => self.layout.big_endian = on,
            Layout::MsStruct(on) => self.layout.ms_struct = on,
        }
    }

    /// What pragmas say of the layout of structs at this point.
    pub fn layout(&self) -> LayoutPragmas {
        self.layout
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
        self.scanner.text.get(range).unwrap_or("")
    }

    /// The text of a token without line splices.
    pub fn spelling(&self, token: Token) -> Cow<'s, str> {
        scan::unspliced(self.raw(token))
    }

    /// Whether a token is the first on its line, without indentation.
    pub fn in_first_column(&self, token: Token) -> bool {
        let at = (token.lo - self.base) as usize;
        at == 0 || self.scanner.text.as_bytes()[at - 1] == b'\n'
    }

    /// Whether the line ends somewhere between two offsets.
    pub fn line_break_between(&self, lo: u32, hi: u32) -> bool {
        let range = (lo - self.base) as usize..(hi - self.base) as usize;
        self.scanner.text.as_bytes().get(range).is_some_and(|bytes| bytes.contains(&b'\n'))
    }
}

#[cfg(test)]
mod tests;
