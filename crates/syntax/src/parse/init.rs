//! Initialisers and designators.

use super::{Parse, Parser};
use crate::ast::{Designator, Init, InitItem};
use crate::lex::{Kind, Punct};

impl<'a> Parser<'a, '_> {
    pub(super) fn initializer(&mut self) -> Parse<Init<'a>> {
        if self.at(Punct::LBrace) {
            return self.nested(Self::initializer_list);
        }
        Ok(Init::Expr(self.assignment()?))
    }

    /// `{ … }`
    pub(super) fn initializer_list(&mut self) -> Parse<Init<'a>> {
        let open = self.expect(Punct::LBrace, "before initialisers")?;
        let mut items = Vec::new();
        while !self.at(Punct::RBrace) {
            let designators = self.designators()?;
            let init = self.initializer()?;
            items.push(InitItem { designators, init });
            if !self.eat(Punct::Comma) {
                break;
            }
        }
        self.expect_close(Punct::RBrace, open)?;
        Ok(Init::List(self.slice(&items), self.span_from(open.lo)))
    }

    /// `.a.b[3] =`, `[1 ... 5] =`, or the old forms `a:` and `[3]` without `=`.
    fn designators(&mut self) -> Parse<&'a [Designator<'a>]> {
        if let Kind::Ident(name) = self.token.kind
            && self.peek_is(Punct::Colon)
        {
            let span = self.bump().span();
            self.bump();
            return Ok(self.slice(&[Designator::Field(name, span)]));
        }
        if !self.at(Punct::Dot) && !self.at(Punct::LBracket) {
            return Ok(&[]);
        }
        self.nested(Self::designator_path)
    }

    fn designator_path(&mut self) -> Parse<&'a [Designator<'a>]> {
        let mut designators = Vec::new();
        loop {
            match self.token.kind {
                Kind::Punct(Punct::Dot) => {
                    self.bump();
                    designators.push(self.field_designator()?);
                }
                Kind::Punct(Punct::LBracket) => designators.push(self.index_designator()?),
                _ => break,
            }
            self.grow()?;
        }
        let arrays_only = designators.iter().all(|d| !matches!(d, Designator::Field(..)));
        if !self.eat(Punct::Eq) && !arrays_only {
            return self.unexpected("`=` after designator");
        }
        Ok(self.slice(&designators))
    }

    pub(super) fn field_designator(&mut self) -> Parse<Designator<'a>> {
        let span = self.token.span();
        let name = self.identifier("a member name")?;
        Ok(Designator::Field(name, span))
    }

    pub(super) fn index_designator(&mut self) -> Parse<Designator<'a>> {
        let open = self.bump();
        let first = self.assignment()?;
        let designator = if self.eat(Punct::Ellipsis) {
            Designator::Range(first, self.assignment()?)
        } else {
            Designator::Index(first)
        };
        self.expect_close(Punct::RBracket, open)?;
        Ok(designator)
    }
}
