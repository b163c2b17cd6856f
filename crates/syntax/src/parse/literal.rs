//! Literals: reading their values from the tokens' text.

use super::{Parse, Parser};
use crate::ast::{Encoding, ExprKind, IntLit};
use crate::lex::{Kind, number, quoted};
use crate::{Diagnostic, Span, Symbol};

impl<'a> Parser<'a, '_> {
    pub(super) fn number(&mut self) -> Parse<ExprKind<'a>> {
        let token = self.bump();
        match number::read(&self.lexer.spelling(token)) {
            Ok(number::Number::Int(literal)) => Ok(ExprKind::Int(self.shared(literal))),
            Ok(number::Number::Float(literal)) => Ok(ExprKind::Float(self.alloc(literal))),
            Err(message) => self.bad_literal(token.span(), message),
        }
    }

    /// A literal in the arena; equal small ones share a place, since tables of numbers are common.
    fn shared(&mut self, literal: IntLit) -> &'a IntLit {
        let index = usize::try_from(literal.value).unwrap_or(usize::MAX);
        match self.small.get_mut(index) {
            Some(Some(known)) if **known == literal => known,
            Some(slot) => slot.insert(self.arena.alloc(literal)),
            None => self.arena.alloc(literal),
        }
    }

    pub(super) fn character(&mut self) -> Parse<ExprKind<'a>> {
        let token = self.bump();
        let (encoding, body) = quoted::split(self.lexer.raw(token));
        match quoted::character(body, encoding) {
            Ok(value) => Ok(ExprKind::Char(value, encoding)),
            Err(message) => self.bad_literal(token.span(), message),
        }
    }

    /// Adjacent string literals, joined. A wide one makes the whole wide.
    pub(super) fn string(&mut self) -> Parse<ExprKind<'a>> {
        let mut bodies = Vec::new();
        let mut joined = Encoding::Plain;
        while self.token.kind == Kind::Str {
            let token = self.bump();
            let (encoding, body) = quoted::split(self.lexer.raw(token));
            if joined != Encoding::Plain && encoding != Encoding::Plain && joined != encoding {
                return self.bad_literal(token.span(), "strings of different encodings cannot be joined".to_owned());
            }
            if encoding != Encoding::Plain {
                joined = encoding;
            }
            bodies.push((body, token.span()));
        }
        let mut units = Vec::new();
        for (body, span) in bodies {
            if let Err(message) = quoted::string(body, joined, &mut units) {
                return self.bad_literal(span, message);
            }
        }
        Ok(ExprKind::Str(self.slice(&units), joined))
    }

    /// A plain string as a name: an assembler name, a constraint, a message.
    pub(super) fn string_text(&mut self) -> Parse<Symbol> {
        if self.token.kind != Kind::Str {
            return self.unexpected("a string");
        }
        let ExprKind::Str(units, _) = self.string()? else { return self.unexpected("a string") };
        let bytes: Vec<u8> = units.iter().map(|&unit| unit as u8).collect();
        Ok(self.names.intern(&String::from_utf8_lossy(&bytes)))
    }

    fn bad_literal<T>(&mut self, span: Span, message: String) -> Parse<T> {
        self.errors.push(Diagnostic::error(span, message));
        Err(super::Reported)
    }
}
