//! Attributes (`__attribute__((…))`, `[[…]]`) and assembler names.

use super::{Parse, Parser};
use crate::Symbol;
use crate::ast::{Attribute, Declarator, Expr};
use crate::lex::{Keyword, Kind, Punct};

/// The attributes of the standard.
const STANDARD: &[&str] =
    &["deprecated", "fallthrough", "maybe_unused", "nodiscard", "noreturn", "_Noreturn", "unsequenced", "reproducible"];

impl<'a> Parser<'a, '_> {
    pub(super) fn at_attribute(&mut self) -> bool {
        self.at_keyword(Keyword::Attribute) || (self.at(Punct::LBracket) && self.peek_is(Punct::LBracket))
    }

    /// Reads all attributes that stand here into `out`.
    pub(super) fn attributes(&mut self, out: &mut Vec<Attribute<'a>>) -> Parse<()> {
        loop {
            if self.at_keyword(Keyword::Attribute) {
                self.gnu_attributes(out)?;
            } else if self.at(Punct::LBracket) && self.peek_is(Punct::LBracket) {
                self.standard_attributes(out)?;
            } else {
                return Ok(());
            }
        }
    }

    /// What may follow a declarator: an assembler name and attributes in any order.
    pub(super) fn declarator_suffix(&mut self, declarator: &mut Declarator<'a>) -> Parse<Option<Symbol>> {
        let mut asm_name = None;
        let mut attrs = Vec::new();
        loop {
            if self.at_keyword(Keyword::Asm) {
                self.bump();
                let open = self.expect(Punct::LParen, "after `asm`")?;
                asm_name = Some(self.string_text()?);
                self.expect_close(Punct::RParen, open)?;
            } else if self.at_attribute() {
                self.attributes(&mut attrs)?;
            } else {
                break;
            }
        }
        if !attrs.is_empty() {
            attrs.splice(..0, declarator.attrs.iter().copied());
            declarator.attrs = self.slice(&attrs);
        }
        Ok(asm_name)
    }

    fn gnu_attributes(&mut self, out: &mut Vec<Attribute<'a>>) -> Parse<()> {
        self.bump();
        let outer = self.expect(Punct::LParen, "after `__attribute__`")?;
        let inner = self.expect(Punct::LParen, "after `__attribute__(`")?;
        loop {
            if matches!(self.token.kind, Kind::Ident(_) | Kind::Keyword(_)) {
                let attribute = self.gnu_attribute()?;
                self.note_attribute(attribute);
                out.push(attribute);
            }
            if !self.eat(Punct::Comma) {
                break;
            }
        }
        self.expect_close(Punct::RParen, inner)?;
        self.expect_close(Punct::RParen, outer)?;
        Ok(())
    }

    /// `[[gnu::packed, noreturn]]`: those of GNU mean what they mean in `__attribute__`, and `noreturn` the same as there.
    fn standard_attributes(&mut self, out: &mut Vec<Attribute<'a>>) -> Parse<()> {
        let outer = self.bump();
        let inner = self.bump();
        loop {
            if matches!(self.token.kind, Kind::Ident(_) | Kind::Keyword(_)) {
                let mut attribute = self.gnu_attribute()?;
                let mut known = matches!(self.names.text(attribute.name), "noreturn" | "_Noreturn");
                let mut name = self.names.text(attribute.name).to_owned();
                if !STANDARD.contains(&name.as_str()) && !self.at(Punct::Colon) {
                    name = format!("[[{name}]]");
                }
                if self.eat(Punct::Colon) {
                    self.expect(Punct::Colon, "between the attribute's prefix and its name")?;
                    known = self.names.text(attribute.name) == "gnu";
                    if !matches!(self.token.kind, Kind::Ident(_) | Kind::Keyword(_)) {
                        return self.unexpected("the attribute's name");
                    }
                    attribute = self.gnu_attribute()?;
                    let plain = self.names.text(attribute.name);
                    name = if known { plain.to_owned() } else { format!("{name}::{plain}") };
                }
                let name = self.names.intern(&name);
                self.note_attribute(Attribute { name, ..attribute });
                if known {
                    out.push(attribute);
                }
            }
            if !self.eat(Punct::Comma) {
                break;
            }
        }
        self.expect_close(Punct::RBracket, inner)?;
        self.expect_close(Punct::RBracket, outer)?;
        Ok(())
    }

    /// Remembers an attribute for the list of the file.
    fn note_attribute(&mut self, attribute: Attribute<'a>) {
        if !self.attributes.iter().any(|known| known.name == attribute.name) {
            self.attributes.push(attribute);
        }
    }

    fn gnu_attribute(&mut self) -> Parse<Attribute<'a>> {
        let token = self.bump();
        let spelling = self.lexer.spelling(token);
        let stripped = spelling.strip_prefix("__").and_then(|s| s.strip_suffix("__")).filter(|s| !s.is_empty());
        let name = self.names.intern(stripped.unwrap_or(&spelling));
        let mut args = Vec::new();
        if self.at(Punct::LParen) {
            let open = self.bump();
            while !self.at(Punct::RParen) && self.token.kind != Kind::End {
                if let Some(arg) = self.attribute_argument()? {
                    args.push(arg);
                }
                if !self.eat(Punct::Comma) {
                    break;
                }
            }
            self.expect_close(Punct::RParen, open)?;
        }
        Ok(Attribute { name, args: self.slice(&args), span: self.span_from(token.lo) })
    }

    /// One argument; `None` if it is not an expression (a type, say).
    fn attribute_argument(&mut self) -> Parse<Option<Expr<'a>>> {
        let readable = match self.token.kind {
            Kind::Ident(name) => !self.scopes.is_type(name),
            Kind::Keyword(Keyword::Sizeof | Keyword::Alignof | Keyword::Extension) => true,
            Kind::Number | Kind::Char | Kind::Str => true,
            Kind::Punct(punct) => matches!(
                punct,
                Punct::LParen | Punct::Minus | Punct::Plus | Punct::Tilde | Punct::Bang | Punct::Amp | Punct::Star
            ),
            _ => false,
        };
        let mut arg = if readable { Some(*self.assignment()?) } else { None };
        while !self.at(Punct::Comma) && !self.at(Punct::RParen) {
            self.skip_balanced()?;
            arg = None;
        }
        Ok(arg)
    }

    /// Skips one token, or everything from an opening bracket to its partner.
    pub(super) fn skip_balanced(&mut self) -> Parse<()> {
        let mut closers = Vec::new();
        loop {
            match self.token.kind {
                Kind::End | Kind::Error => return self.unexpected("the end of the attribute"),
                Kind::Punct(Punct::LParen) => closers.push(Punct::RParen),
                Kind::Punct(Punct::LBracket) => closers.push(Punct::RBracket),
                Kind::Punct(Punct::LBrace) => closers.push(Punct::RBrace),
                Kind::Punct(punct @ (Punct::RParen | Punct::RBracket | Punct::RBrace))
                    if closers.last() == Some(&punct) =>
                {
                    closers.pop();
                }
                Kind::Punct(Punct::RParen | Punct::RBracket | Punct::RBrace) => {
                    return self.unexpected("the end of the attribute");
                }
                _ => {}
            }
            self.bump();
            if closers.is_empty() {
                return Ok(());
            }
        }
    }
}
