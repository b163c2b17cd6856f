//! Parameter lists: prototypes and the identifier lists of K&R.

use super::declarator::Naming;
use super::{Parse, Parser};
use crate::ast::{Param, Params, TypeSpec};
use crate::lex::{Keyword, Kind, Punct, Token};

impl<'a> Parser<'a, '_> {
    /// The parameters after the parenthesis `open`, which was accepted.
    pub(super) fn params(&mut self, open: Token) -> Parse<Params<'a>> {
        let empty = Params { params: &[], variadic: false, prototype: false, kr_names: &[] };
        if self.eat(Punct::RParen) {
            return Ok(empty);
        }
        if let Kind::Ident(name) = self.token.kind
            && !self.scopes.is_type(name)
        {
            return match self.peek() {
                Kind::Punct(Punct::Comma | Punct::RParen) => self.identifier_list(open),
                _ => self.unknown_type(name),
            };
        }
        self.scopes.enter();
        let mut params = Vec::new();
        let mut variadic = false;
        loop {
            if self.eat(Punct::Ellipsis) {
                variadic = true;
                break;
            }
            params.push(self.nested(Self::param)?);
            // GNU: what precedes a semicolon only declares names for the sizes of later parameters.
            if self.eat(Punct::Semi) {
                params.clear();
                if self.at(Punct::RParen) {
                    break;
                }
            } else if !self.eat(Punct::Comma) {
                break;
            }
        }
        self.expect_close(Punct::RParen, open)?;
        self.scopes.leave();
        if let [only] = params.as_slice()
            && !variadic
            && is_void(only)
        {
            params.clear();
        }
        Ok(Params { params: self.slice(&params), variadic, prototype: true, kr_names: &[] })
    }

    fn param(&mut self) -> Parse<Param<'a>> {
        while self.eat_keyword(Keyword::Extension) {}
        if let Kind::Ident(name) = self.token.kind
            && !self.scopes.is_type(name)
        {
            return self.unknown_type(name);
        }
        let specs = self.specs(Vec::new())?;
        if specs.span.lo == specs.span.hi {
            return self.unexpected("a parameter");
        }
        let mut declarator = self.declarator(Naming::Optional)?;
        self.declarator_suffix(&mut declarator)?;
        if let Some(name) = declarator.name {
            self.scopes.declare(name);
        }
        Ok(Param { specs, declarator })
    }

    fn identifier_list(&mut self, open: Token) -> Parse<Params<'a>> {
        let mut names = Vec::new();
        loop {
            names.push(self.identifier("a parameter name")?);
            if !self.eat(Punct::Comma) {
                break;
            }
        }
        self.expect_close(Punct::RParen, open)?;
        Ok(Params { params: &[], variadic: false, prototype: false, kr_names: self.slice(&names) })
    }
}

/// Whether a lone parameter is the `void` of `(void)`.
fn is_void(param: &Param<'_>) -> bool {
    matches!(param.specs.ty, TypeSpec::Void) && param.declarator.name.is_none() && param.declarator.parts.is_empty()
}
