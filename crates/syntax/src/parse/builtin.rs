//! Expressions that look like calls but take types: `_Generic`, `__builtin_offsetof` and relatives.

use super::{Parse, Parser};
use crate::ast::{ExprKind, TypeName};
use crate::lex::{Keyword, Kind, Punct, Token};

impl<'a> Parser<'a, '_> {
    /// `_Generic(e, type: e, default: e)`
    pub(super) fn generic(&mut self) -> Parse<ExprKind<'a>> {
        let open = self.open()?;
        let selector = self.assignment()?;
        let mut branches = Vec::new();
        while self.eat(Punct::Comma) {
            let ty = if self.eat_keyword(Keyword::Default) { None } else { Some(self.type_name()?) };
            self.expect(Punct::Colon, "after the type in `_Generic`")?;
            branches.push((ty, *self.assignment()?));
        }
        self.expect_close(Punct::RParen, open)?;
        Ok(ExprKind::Generic(selector, self.slice(&branches)))
    }

    /// `__builtin_offsetof(type, a.b[3])`
    pub(super) fn offsetof(&mut self) -> Parse<ExprKind<'a>> {
        let open = self.open()?;
        let ty = self.type_argument()?;
        self.comma()?;
        let mut path = vec![self.field_designator()?];
        loop {
            match self.token.kind {
                Kind::Punct(Punct::Dot) => {
                    self.bump();
                    path.push(self.field_designator()?);
                }
                Kind::Punct(Punct::LBracket) => path.push(self.index_designator()?),
                _ => break,
            }
            self.grow()?;
        }
        self.expect_close(Punct::RParen, open)?;
        Ok(ExprKind::Offsetof(ty, self.slice(&path)))
    }

    /// `__builtin_va_arg(e, type)`
    pub(super) fn va_arg(&mut self) -> Parse<ExprKind<'a>> {
        let open = self.open()?;
        let list = self.assignment()?;
        self.comma()?;
        let ty = self.type_argument()?;
        self.expect_close(Punct::RParen, open)?;
        Ok(ExprKind::VaArg(list, ty))
    }

    /// `__builtin_types_compatible_p(type, type)`
    pub(super) fn types_compatible(&mut self) -> Parse<ExprKind<'a>> {
        let open = self.open()?;
        let first = self.type_argument()?;
        self.comma()?;
        let second = self.type_argument()?;
        self.expect_close(Punct::RParen, open)?;
        Ok(ExprKind::TypesCompatible(first, second))
    }

    /// `__builtin_choose_expr(c, a, b)`
    pub(super) fn choose_expr(&mut self) -> Parse<ExprKind<'a>> {
        let open = self.open()?;
        let condition = self.assignment()?;
        self.comma()?;
        let first = self.assignment()?;
        self.comma()?;
        let second = self.assignment()?;
        self.expect_close(Punct::RParen, open)?;
        Ok(ExprKind::ChooseExpr(condition, first, second))
    }

    /// The keyword and its opening parenthesis.
    fn open(&mut self) -> Parse<Token> {
        let token = self.bump();
        let after = format!("after `{}`", self.lexer.spelling(token));
        self.expect(Punct::LParen, &after)
    }

    fn comma(&mut self) -> Parse<Token> {
        self.expect(Punct::Comma, "after argument")
    }

    fn type_argument(&mut self) -> Parse<&'a TypeName<'a>> {
        let argument = self.type_name()?;
        Ok(self.alloc(argument))
    }
}
