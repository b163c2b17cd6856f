//! Declarators and type names.
//!
//! The tree lists what a declarator does from the name outwards. Reading recursively gives that order: first what the
//! inner parentheses hold, then the suffixes, then the stars, the last one first.

use super::{Parse, Parser};
use crate::ast::{ArraySize, Attribute, Declarator, DeclaratorPart, Quals, TypeName};
use crate::lex::{Keyword, Kind, Punct};
use crate::{Span, Symbol};

/// Whether a declarator has a name.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Naming {
    /// In declarations.
    Required,
    /// In parameters.
    Optional,
    /// In type names.
    Forbidden,
}

/// A declarator under construction.
struct Builder<'a> {
    naming: Naming,
    name: Option<(Symbol, Span)>,
    parts: Vec<DeclaratorPart<'a>>,
    attrs: Vec<Attribute<'a>>,
}

impl<'a> Parser<'a, '_> {
    pub(super) fn declarator(&mut self, naming: Naming) -> Parse<Declarator<'a>> {
        let here = Span::new(self.token.lo, self.token.lo);
        let mut builder = Builder { naming, name: None, parts: Vec::new(), attrs: Vec::new() };
        self.nested(|p| p.declarator_into(&mut builder))?;
        Ok(Declarator {
            name: builder.name.map(|(name, _)| name),
            parts: self.slice(&builder.parts),
            attrs: self.slice(&builder.attrs),
            span: builder.name.map_or(here, |(_, span)| span),
        })
    }

    pub(super) fn type_name(&mut self) -> Parse<TypeName<'a>> {
        self.nested(|p| {
            let lo = p.token.lo;
            let specs = p.specs_without_storage("a type name")?;
            if specs.span.lo == specs.span.hi {
                return p.unexpected("a type");
            }
            let declarator = p.declarator(Naming::Forbidden)?;
            Ok(TypeName { specs, declarator, span: p.span_from(lo) })
        })
    }

    /// `(type)`
    pub(super) fn parenthesized_type(&mut self, after: &str) -> Parse<&'a TypeName<'a>> {
        let open = self.expect(Punct::LParen, after)?;
        let ty = self.type_name()?;
        self.expect_close(Punct::RParen, open)?;
        Ok(self.alloc(ty))
    }

    fn declarator_into(&mut self, builder: &mut Builder<'a>) -> Parse<()> {
        let mut stars: Vec<Quals> = Vec::new();
        loop {
            let kind = self.token.kind;
            match kind {
                Kind::Punct(Punct::Star) => {
                    self.bump();
                    stars.push(Quals::default());
                    self.grow()?;
                }
                Kind::Keyword(Keyword::Attribute) => self.attributes(&mut builder.attrs)?,
                Kind::Keyword(Keyword::Extension) => {
                    self.bump();
                }
                Kind::Keyword(_) => {
                    if !stars.last_mut().is_some_and(|quals| self.qualifier(quals)) {
                        break;
                    }
                }
                Kind::Punct(Punct::LBracket) if self.peek_is(Punct::LBracket) => self.attributes(&mut builder.attrs)?,
                _ => break,
            }
        }
        self.direct_declarator(builder)?;
        self.suffixes(builder)?;
        builder.parts.extend(stars.into_iter().rev().map(DeclaratorPart::Pointer));
        Ok(())
    }

    /// The name, a declarator in parentheses, or nothing.
    fn direct_declarator(&mut self, builder: &mut Builder<'a>) -> Parse<()> {
        match self.token.kind {
            Kind::Ident(name) if builder.naming != Naming::Forbidden => {
                builder.name = Some((name, self.token.span()));
                self.bump();
                Ok(())
            }
            Kind::Punct(Punct::LParen) => {
                let open = self.bump();
                self.attributes(&mut builder.attrs)?;
                // Without a name, `(` may also open a parameter list; a type or nothing inside says so.
                let list = self.at(Punct::RParen) || self.at(Punct::Ellipsis) || self.at_specs();
                if builder.naming != Naming::Required && list {
                    return self.function_part(builder, open);
                }
                self.nested(|p| p.declarator_into(builder))?;
                self.expect_close(Punct::RParen, open)?;
                Ok(())
            }
            _ if builder.naming == Naming::Required => self.unexpected("a name"),
            _ => Ok(()),
        }
    }

    fn suffixes(&mut self, builder: &mut Builder<'a>) -> Parse<()> {
        loop {
            let kind = self.token.kind;
            match kind {
                Kind::Punct(Punct::LBracket) if self.peek_is(Punct::LBracket) => self.attributes(&mut builder.attrs)?,
                Kind::Punct(Punct::LBracket) => {
                    let size = self.array_size()?;
                    builder.parts.push(DeclaratorPart::Array(size));
                }
                Kind::Punct(Punct::LParen) => {
                    let open = self.bump();
                    self.function_part(builder, open)?;
                }
                _ => return Ok(()),
            }
            self.grow()?;
        }
    }

    fn function_part(&mut self, builder: &mut Builder<'a>, open: crate::lex::Token) -> Parse<()> {
        let params = self.nested(|p| p.params(open))?;
        builder.parts.push(DeclaratorPart::Function(self.alloc(params)));
        Ok(())
    }

    fn array_size(&mut self) -> Parse<ArraySize<'a>> {
        let open = self.bump();
        let mut dropped = Quals::default();
        while self.eat_keyword(Keyword::Static) || self.qualifier(&mut dropped) {}
        self.attributes(&mut Vec::new())?;
        let size = if self.at(Punct::RBracket) {
            ArraySize::Unknown
        } else if self.at(Punct::Star) && self.peek_is(Punct::RBracket) {
            self.bump();
            ArraySize::Star
        } else {
            ArraySize::Expr(self.assignment()?)
        };
        self.expect_close(Punct::RBracket, open)?;
        Ok(size)
    }
}
