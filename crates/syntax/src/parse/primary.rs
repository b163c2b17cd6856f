//! Primary and postfix expressions.

use super::{Parse, Parser};
use crate::ast::{Expr, ExprKind, TypeName};
use crate::lex::{Keyword, Kind, Punct};

impl<'a> Parser<'a, '_> {
    #[inline]
    pub(super) fn postfix(&mut self) -> Parse<&'a Expr<'a>> {
        let lo = self.token.lo;
        let first = self.primary()?;
        self.postfix_of(lo, first)
    }

    /// `{…}` after `(type)`, and what follows.
    pub(super) fn compound_literal(&mut self, lo: u32, ty: &'a TypeName<'a>) -> Parse<&'a Expr<'a>> {
        let init = self.nested(Self::initializer_list)?;
        let literal = self.node(lo, ExprKind::CompoundLiteral(ty, self.alloc(init)));
        self.postfix_of(lo, literal)
    }

    /// Indices, calls, members and increments after an operand that begins at `lo`.
    #[inline]
    fn postfix_of(&mut self, lo: u32, first: &'a Expr<'a>) -> Parse<&'a Expr<'a>> {
        let mut expr = first;
        loop {
            let Kind::Punct(punct) = self.token.kind else { return Ok(expr) };
            let kind = match punct {
                Punct::LBracket => {
                    let open = self.bump();
                    let index = self.expr()?;
                    self.expect_close(Punct::RBracket, open)?;
                    ExprKind::Index(expr, index)
                }
                Punct::LParen => {
                    let args = self.arguments()?;
                    ExprKind::Call(expr, args)
                }
                Punct::Dot => {
                    self.bump();
                    let name = self.identifier("a member name")?;
                    ExprKind::Member(expr, name)
                }
                Punct::Arrow => {
                    self.bump();
                    let name = self.identifier("a member name")?;
                    ExprKind::Arrow(expr, name)
                }
                Punct::PlusPlus => {
                    self.bump();
                    ExprKind::PostIncrement(expr)
                }
                Punct::MinusMinus => {
                    self.bump();
                    ExprKind::PostDecrement(expr)
                }
                _ => return Ok(expr),
            };
            expr = self.node(lo, kind);
            self.grow()?;
        }
    }

    fn arguments(&mut self) -> Parse<&'a [Expr<'a>]> {
        let open = self.bump();
        let mut args = Vec::new();
        if !self.at(Punct::RParen) {
            loop {
                args.push(*self.assignment()?);
                if !self.eat(Punct::Comma) {
                    break;
                }
            }
        }
        self.expect_close(Punct::RParen, open)?;
        Ok(self.slice(&args))
    }

    fn primary(&mut self) -> Parse<&'a Expr<'a>> {
        let lo = self.token.lo;
        let kind = match self.token.kind {
            Kind::Ident(name) if !self.scopes.is_type(name) => {
                self.bump();
                ExprKind::Ident(name)
            }
            Kind::Number => self.number()?,
            Kind::Char => self.character()?,
            Kind::Str => self.string()?,
            Kind::Punct(Punct::LParen) => return self.parenthesized(),
            Kind::Keyword(Keyword::Generic) => self.generic()?,
            Kind::Keyword(Keyword::Offsetof) => self.offsetof()?,
            Kind::Keyword(Keyword::VaArg) => self.va_arg()?,
            Kind::Keyword(Keyword::TypesCompatible) => self.types_compatible()?,
            Kind::Keyword(Keyword::ChooseExpr) => self.choose_expr()?,
            _ => return self.unexpected("an expression"),
        };
        Ok(self.node(lo, kind))
    }

    /// `(expression)` or `({ … })`
    fn parenthesized(&mut self) -> Parse<&'a Expr<'a>> {
        let open = self.bump();
        if self.at(Punct::LBrace) {
            let block = self.nested(Self::block)?;
            self.expect_close(Punct::RParen, open)?;
            return Ok(self.node(open.lo, ExprKind::Statement(self.alloc(block))));
        }
        let inner = self.expr()?;
        self.expect_close(Punct::RParen, open)?;
        Ok(inner)
    }
}
