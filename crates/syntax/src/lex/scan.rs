//! Scanning: where the next lexical element of a text ends.
//!
//! The scanner knows neither keywords nor directives, so the tokenizer of preprocessed text and the preprocessor share
//! it. Line splices (a backslash at the end of a line) may stand anywhere, even inside a token. They are so rare that
//! everything has a fast path without them.

use super::{Punct, punct, quoted};
use std::borrow::Cow;

/// What the scanner found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Raw {
    /// An identifier of ASCII letters and digits.
    Word,
    /// An identifier with line splices, universal character names or other letters; [`extended_identifier`] tells its
    /// name.
    ExtendedWord,
    /// A preprocessing number; whether it is a number is seen when it is read.
    Number,
    /// A string literal.
    Str,
    /// A character constant.
    Char,
    /// A string literal or character constant without its closing quote.
    Unclosed,
    /// An operator or a separator.
    Punct(Punct),
    /// Anything else, one character long.
    Stray,
}

/// A position in a text.
#[derive(Clone, Debug)]
pub(crate) struct Scanner<'s> {
    pub(crate) text: &'s str,
    pub(crate) at: usize,
}

impl Scanner<'_> {
    /// The byte at the position.
    #[inline]
    pub(crate) fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Skips the line splices at the position.
    pub(crate) fn skip_splices(&mut self) -> bool {
        let length = splice(self.text.as_bytes(), self.at);
        self.at += length;
        length > 0
    }

    /// Whether a comment begins at the position.
    #[inline]
    pub(crate) fn at_comment(&self) -> bool {
        self.byte() == Some(b'/') && matches!(self.window(self.at).0[1], b'/' | b'*')
    }

    /// Skips a comment; false if it does not end.
    pub(crate) fn skip_comment(&mut self) -> bool {
        let bytes = self.text.as_bytes();
        let (window, ends) = self.window(self.at);
        self.at = ends[1];
        if window[1] == b'/' {
            self.at = end_of_line(bytes, self.at);
            return true;
        }
        while let Some(&byte) = bytes.get(self.at) {
            if byte == b'*' {
                let (window, ends) = self.window(self.at);
                if window[1] == b'/' {
                    self.at = ends[1];
                    return true;
                }
            }
            self.at += 1;
        }
        false
    }

    /// Moves past the element that begins with `byte` at the position, which is not white space.
    #[inline]
    pub(crate) fn element(&mut self, byte: u8) -> Raw {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' => self.word(),
            b'0'..=b'9' => self.number(),
            b'(' => self.single(Punct::LParen),
            b')' => self.single(Punct::RParen),
            b';' => self.single(Punct::Semi),
            b',' => self.single(Punct::Comma),
            b'{' => self.single(Punct::LBrace),
            b'}' => self.single(Punct::RBrace),
            b'"' | b'\'' => self.quoted(),
            b'.' if self.window(self.at).0[1].is_ascii_digit() => self.number(),
            b'\\' | 0x80.. => self.extended_word(self.at),
            _ => self.punctuator(),
        }
    }

    #[inline]
    fn word(&mut self) -> Raw {
        let bytes = self.text.as_bytes();
        let lo = self.at;
        while bytes.get(self.at).is_some_and(|&b| is_word(b)) {
            self.at += 1;
        }
        match bytes.get(self.at) {
            Some(b'"' | b'\'') if quoted::is_prefix(&bytes[lo..self.at]) => self.quoted(),
            Some(b'\\' | 0x80..) => self.extended_word(lo),
            _ => Raw::Word,
        }
    }

    fn extended_word(&mut self, lo: usize) -> Raw {
        let (name, end) = extended_identifier(self.text, lo);
        if name.is_empty() {
            self.at = lo + self.text[lo..].chars().next().map_or(1, char::len_utf8);
            return Raw::Stray;
        }
        self.at = end;
        Raw::ExtendedWord
    }

    fn number(&mut self) -> Raw {
        let bytes = self.text.as_bytes();
        loop {
            match bytes.get(self.at) {
                Some(b'e' | b'E' | b'p' | b'P') if matches!(bytes.get(self.at + 1), Some(b'+' | b'-')) => self.at += 2,
                Some(&b) if is_word(b) || b == b'.' => self.at += 1,
                Some(b'\\') if splice(bytes, self.at) > 0 => self.at += splice(bytes, self.at),
                _ => return Raw::Number,
            }
        }
    }

    /// A character constant or string literal whose quote is at the position.
    fn quoted(&mut self) -> Raw {
        let bytes = self.text.as_bytes();
        let quote = bytes[self.at];
        self.at += 1;
        loop {
            match bytes.get(self.at) {
                None | Some(b'\n') => return Raw::Unclosed,
                Some(b'\\') => self.at += splice(bytes, self.at).max(if self.at + 1 < bytes.len() { 2 } else { 1 }),
                Some(&b) => {
                    self.at += 1;
                    if b == quote {
                        return if quote == b'"' { Raw::Str } else { Raw::Char };
                    }
                }
            }
        }
    }

    /// A punctuator that is never part of a longer one.
    #[inline]
    fn single(&mut self, punct: Punct) -> Raw {
        self.at += 1;
        Raw::Punct(punct)
    }

    pub(crate) fn punctuator(&mut self) -> Raw {
        let (window, ends) = self.window(self.at);
        match punct::punctuator(window) {
            Some((punct, len)) => {
                self.at = ends[len - 1];
                Raw::Punct(punct)
            }
            None => {
                self.at += 1;
                Raw::Stray
            }
        }
    }

    /// The four bytes at `at` without line splices (zero beyond the end), and for each the offset after it.
    #[inline]
    fn window(&self, at: usize) -> ([u8; 4], [usize; 4]) {
        if let Some(&[a, b, c, d]) = self.text.as_bytes().get(at..at + 4)
            && b != b'\\'
            && c != b'\\'
            && d != b'\\'
        {
            return ([a, b, c, d], [at + 1, at + 2, at + 3, at + 4]);
        }
        self.spliced_window(at)
    }

    fn spliced_window(&self, mut at: usize) -> ([u8; 4], [usize; 4]) {
        let bytes = self.text.as_bytes();
        let (mut window, mut ends) = ([0; 4], [0; 4]);
        for (byte, end) in window.iter_mut().zip(&mut ends) {
            at += splice(bytes, at);
            *byte = bytes.get(at).copied().unwrap_or(0);
            at = (at + 1).min(bytes.len());
            *end = at;
        }
        (window, ends)
    }
}

/// Whether a byte may stand in an identifier (ASCII only).
#[inline]
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
pub(super) fn end_of_line(bytes: &[u8], mut at: usize) -> usize {
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
