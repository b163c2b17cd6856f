//! Text to programs.
//!
//! Two passes over the tokens: the first reads all declarations (names may be used before they are declared), the second
//! the values and edges. Expressions are rebuilt node by node without simplification, and type checked.

mod body;
mod decl;
mod expr;
mod lex;
mod op;

use crate::ir::{Program, SrcPos, Ty};
use crate::verify::typing;
use lex::{Token, lex, unquote};

/// Where and why a text is no program.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{line}:{column}: {message}")]
pub struct ParseError {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// What is wrong.
    pub message: String,
}

impl ParseError {
    fn at(text: &str, offset: usize, message: impl Into<String>) -> Self {
        let before = &text[..offset];
        let line_start = before.rfind('\n').map_or(0, |i| i + 1);
        Self {
            line: before.bytes().filter(|&b| b == b'\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
            message: message.into(),
        }
    }
}

/// Reads a program; see [`crate::text`] for the language. The parser checks names and types of expressions, and leaves
/// the other invariants to [`crate::verify`].
pub fn parse(text: &str) -> Result<Program, ParseError> {
    let tokens = lex(text)?;
    let mut cursor = Cursor { text, tokens: &tokens, at: 0 };
    let declarations = decl::declarations(&mut cursor)?;
    body::program(&mut cursor, declarations)
}

/// A position in the tokens.
struct Cursor<'t> {
    text: &'t str,
    tokens: &'t [(Token<'t>, usize)],
    at: usize,
}

type Parsed<T> = Result<T, ParseError>;

/// A name with its number; unique in its scope.
type Key = (Box<str>, u32);

impl<'t> Cursor<'t> {
    fn peek(&self) -> Token<'t> {
        self.peek_at(0)
    }

    fn peek_at(&self, ahead: usize) -> Token<'t> {
        self.tokens.get(self.at + ahead).map_or(Token::End, |t| t.0)
    }

    fn next(&mut self) -> Token<'t> {
        let token = self.peek();
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        token
    }

    /// An error at the current token.
    fn error<T>(&self, message: impl Into<String>) -> Parsed<T> {
        self.error_at(self.at, message)
    }

    /// An error at a token.
    fn error_at<T>(&self, token: usize, message: impl Into<String>) -> Parsed<T> {
        let offset = self.tokens.get(token).map_or(self.text.len(), |t| t.1);
        Err(ParseError::at(self.text, offset, message))
    }

    fn eat(&mut self, token: Token<'_>) -> bool {
        let found = self.peek() == token;
        if found {
            self.next();
        }
        found
    }

    fn eat_symbol(&mut self, symbol: &'static str) -> bool {
        self.eat(Token::Symbol(symbol))
    }

    fn symbol(&mut self, symbol: &'static str) -> Parsed<()> {
        if self.eat_symbol(symbol) { Ok(()) } else { self.error(format!("expected `{symbol}`")) }
    }

    fn eat_word(&mut self, word: &str) -> bool {
        self.eat(Token::Word(word))
    }

    fn word(&mut self, word: &str) -> Parsed<()> {
        if self.eat_word(word) { Ok(()) } else { self.error(format!("expected `{word}`")) }
    }

    fn int(&mut self) -> Parsed<u64> {
        let Token::Int(value) = self.peek() else { return self.error("expected a number") };
        self.next();
        Ok(value)
    }

    fn small<T: TryFrom<u64>>(&mut self) -> Parsed<T> {
        let start = self.at;
        let value = self.int()?;
        T::try_from(value).or_else(|_| self.error_at(start, "this number is too large"))
    }

    fn quoted(&mut self) -> Parsed<Box<str>> {
        let Token::Quoted(inside) = self.peek() else { return self.error("expected a text in quotes") };
        let Ok(text) = String::from_utf8(unquote(inside)) else { return self.error("this text is not UTF-8") };
        self.next();
        Ok(text.into())
    }

    /// A name without number.
    fn name(&mut self) -> Parsed<Box<str>> {
        match self.peek() {
            Token::Word(word) => {
                self.next();
                Ok(word.into())
            }
            Token::Quoted(_) => self.quoted(),
            _ => self.error("expected a name"),
        }
    }

    /// A name with its number, 1 if there is none.
    fn key(&mut self) -> Parsed<Key> {
        let name = self.name()?;
        let Token::Copy(copy) = self.peek() else { return Ok((name, 1)) };
        self.next();
        Ok((name, copy))
    }

    fn place(&mut self) -> Parsed<SrcPos> {
        if !self.eat_symbol("@") {
            return Ok(SrcPos::default());
        }
        let start = self.at;
        let first = self.int()?;
        self.symbol(":")?;
        let second = self.int()?;
        let (file, line, column) = if self.eat_symbol(":") { (first, second, self.int()?) } else { (0, first, second) };
        match (file.try_into(), line.try_into(), column.try_into()) {
            (Ok(file), Ok(line), Ok(column)) => Ok(SrcPos { file, line, column }),
            _ => self.error_at(start, "a number of this place is too large"),
        }
    }

    /// End of the line, with a place before it.
    fn place_and_end(&mut self) -> Parsed<SrcPos> {
        let pos = self.place()?;
        self.end_of_line()?;
        Ok(pos)
    }

    fn end_of_line(&mut self) -> Parsed<()> {
        match self.peek() {
            Token::Newline => {
                self.next();
                Ok(())
            }
            Token::End => Ok(()),
            _ => self.error("expected the end of the line"),
        }
    }

    fn skip_line(&mut self) {
        while !matches!(self.next(), Token::Newline | Token::End) {}
    }

    fn skip_blank_lines(&mut self) {
        while self.eat(Token::Newline) {}
    }

    /// A type without signedness.
    fn ty(&mut self) -> Parsed<Ty> {
        let Token::Word(word) = self.peek() else { return self.error("expected a type") };
        let Some(ty) = type_from_name(word) else { return self.error("expected a type") };
        self.next();
        Ok(ty)
    }

    /// The number of a location. There are not more of them than characters, so that no text asks for much memory.
    fn location(&mut self) -> Parsed<usize> {
        let digits = match self.peek() {
            Token::Word(word) => word.strip_prefix('L').filter(|d| d.bytes().all(|b| b.is_ascii_digit())),
            _ => None,
        };
        let Some(number) = digits.and_then(|d| d.parse::<usize>().ok()) else {
            return self.error("expected a location, such as L0");
        };
        if number >= self.text.len() {
            return self.error("the number of this location is too large");
        }
        self.next();
        Ok(number)
    }
}

/// The type with this name: `i32`, `f64`, `ptr`, `bool`.
fn type_from_name(word: &str) -> Option<Ty> {
    match word {
        "bool" => Some(Ty::BOOL),
        "ptr" => Some(Ty::Ptr),
        "f32" => Some(Ty::F32),
        "f64" => Some(Ty::F64),
        "f80" => Some(Ty::F80),
        _ => int_type(word.strip_prefix('i')?),
    }
}

fn int_type(bits: &str) -> Option<Ty> {
    let ty = Ty::Int(bits.parse().ok()?);
    typing::exists(ty).then_some(ty)
}
