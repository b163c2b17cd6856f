//! Expressions from the comma down to the prefix operators. Binary operators are read by precedence climbing.

use super::{Parse, Parser};
use crate::ast::{BinaryOp, Expr, ExprKind, TypeName, UnaryOp};
use crate::lex::{Keyword, Kind, Punct};

/// Precedence of a binary operator (greater binds tighter) and the operator.
#[inline]
fn binary_operator(kind: Kind) -> Option<(u8, BinaryOp)> {
    let Kind::Punct(punct) = kind else { return None };
    Some(match punct {
        Punct::PipePipe => (1, BinaryOp::Or),
        Punct::AmpAmp => (2, BinaryOp::And),
        Punct::Pipe => (3, BinaryOp::BitOr),
        Punct::Caret => (4, BinaryOp::BitXor),
        Punct::Amp => (5, BinaryOp::BitAnd),
        Punct::EqEq => (6, BinaryOp::Eq),
        Punct::BangEq => (6, BinaryOp::Ne),
        Punct::Lt => (7, BinaryOp::Lt),
        Punct::Gt => (7, BinaryOp::Gt),
        Punct::LtEq => (7, BinaryOp::Le),
        Punct::GtEq => (7, BinaryOp::Ge),
        Punct::Shl => (8, BinaryOp::Shl),
        Punct::Shr => (8, BinaryOp::Shr),
        Punct::Plus => (9, BinaryOp::Add),
        Punct::Minus => (9, BinaryOp::Sub),
        Punct::Star => (10, BinaryOp::Mul),
        Punct::Slash => (10, BinaryOp::Div),
        Punct::Percent => (10, BinaryOp::Rem),
        _ => return None,
    })
}

/// The operator that an assignment applies first; `Some(None)` for the plain assignment.
#[inline]
fn assignment_operator(kind: Kind) -> Option<Option<BinaryOp>> {
    let Kind::Punct(punct) = kind else { return None };
    Some(match punct {
        Punct::Eq => None,
        Punct::StarEq => Some(BinaryOp::Mul),
        Punct::SlashEq => Some(BinaryOp::Div),
        Punct::PercentEq => Some(BinaryOp::Rem),
        Punct::PlusEq => Some(BinaryOp::Add),
        Punct::MinusEq => Some(BinaryOp::Sub),
        Punct::ShlEq => Some(BinaryOp::Shl),
        Punct::ShrEq => Some(BinaryOp::Shr),
        Punct::AmpEq => Some(BinaryOp::BitAnd),
        Punct::CaretEq => Some(BinaryOp::BitXor),
        Punct::PipeEq => Some(BinaryOp::BitOr),
        _ => return None,
    })
}

fn prefix_operator(kind: Kind) -> Option<UnaryOp> {
    Some(match kind {
        Kind::Punct(Punct::Plus) => UnaryOp::Plus,
        Kind::Punct(Punct::Minus) => UnaryOp::Minus,
        Kind::Punct(Punct::Tilde) => UnaryOp::BitNot,
        Kind::Punct(Punct::Bang) => UnaryOp::Not,
        Kind::Punct(Punct::Star) => UnaryOp::Deref,
        Kind::Punct(Punct::Amp) => UnaryOp::AddressOf,
        Kind::Punct(Punct::PlusPlus) => UnaryOp::PreIncrement,
        Kind::Punct(Punct::MinusMinus) => UnaryOp::PreDecrement,
        Kind::Keyword(Keyword::Real) => UnaryOp::Real,
        Kind::Keyword(Keyword::Imag) => UnaryOp::Imag,
        _ => return None,
    })
}

impl<'a> Parser<'a, '_> {
    /// An expression, commas included.
    pub(super) fn expr(&mut self) -> Parse<&'a Expr<'a>> {
        self.nested(|p| {
            let lo = p.token.lo;
            let mut left = p.assignment_here()?;
            while p.eat(Punct::Comma) {
                let right = p.assignment()?;
                left = p.node(lo, ExprKind::Comma(left, right));
                p.grow()?;
            }
            Ok(left)
        })
    }

    /// An expression without commas.
    pub(super) fn assignment(&mut self) -> Parse<&'a Expr<'a>> {
        self.nested(Self::assignment_here)
    }

    #[inline]
    fn assignment_here(&mut self) -> Parse<&'a Expr<'a>> {
        let lo = self.token.lo;
        let left = self.conditional_here()?;
        let Some(op) = assignment_operator(self.token.kind) else { return Ok(left) };
        self.bump();
        let right = self.assignment()?;
        Ok(self.node(lo, ExprKind::Assign(op, left, right)))
    }

    /// A conditional expression: no assignment, no comma.
    pub(super) fn conditional(&mut self) -> Parse<&'a Expr<'a>> {
        self.nested(Self::conditional_here)
    }

    #[inline]
    fn conditional_here(&mut self) -> Parse<&'a Expr<'a>> {
        let lo = self.token.lo;
        let condition = self.binary(1)?;
        if !self.eat(Punct::Question) {
            return Ok(condition);
        }
        let then = if self.at(Punct::Colon) { None } else { Some(self.expr()?) };
        self.expect(Punct::Colon, "in conditional expression")?;
        let otherwise = self.conditional()?;
        self.grow()?;
        Ok(self.node(lo, ExprKind::Conditional(condition, then, otherwise)))
    }

    /// Operands joined by operators of at least precedence `min`.
    fn binary(&mut self, min: u8) -> Parse<&'a Expr<'a>> {
        let lo = self.token.lo;
        let mut left = self.unary()?;
        while let Some((precedence, op)) = binary_operator(self.token.kind) {
            if precedence < min {
                break;
            }
            self.bump();
            let right = self.nested(|p| p.binary(precedence + 1))?;
            left = self.node(lo, ExprKind::Binary(op, left, right));
            self.grow()?;
        }
        Ok(left)
    }

    /// A prefix operator with its operand, a cast, or a postfix expression.
    pub(super) fn unary(&mut self) -> Parse<&'a Expr<'a>> {
        let lo = self.token.lo;
        match self.token.kind {
            Kind::Ident(_) | Kind::Number => self.postfix(),
            Kind::Punct(Punct::LParen) => {
                let inside = self.peek();
                if self.begins_specs(inside) { self.cast_or_literal() } else { self.postfix() }
            }
            Kind::Punct(Punct::AmpAmp) => {
                self.bump();
                let label = self.identifier("a label")?;
                Ok(self.node(lo, ExprKind::LabelAddress(label)))
            }
            Kind::Keyword(Keyword::Extension) => {
                self.bump();
                self.nested(Self::unary)
            }
            Kind::Keyword(Keyword::Sizeof) => self.measure(ExprKind::SizeofType, ExprKind::SizeofExpr),
            Kind::Keyword(Keyword::Alignof) => self.measure(ExprKind::AlignofType, ExprKind::AlignofExpr),
            kind => match prefix_operator(kind) {
                Some(op) => {
                    self.bump();
                    let operand = self.nested(Self::unary)?;
                    Ok(self.node(lo, ExprKind::Unary(op, operand)))
                }
                None => self.postfix(),
            },
        }
    }

    /// `(type)operand`, or `(type){…}` with what follows it.
    fn cast_or_literal(&mut self) -> Parse<&'a Expr<'a>> {
        let lo = self.token.lo;
        let ty = self.parenthesized_type("before type")?;
        if self.at(Punct::LBrace) {
            return self.compound_literal(lo, ty);
        }
        let operand = self.nested(Self::unary)?;
        Ok(self.node(lo, ExprKind::Cast(ty, operand)))
    }

    /// `sizeof` and `_Alignof`, of a type or of an expression.
    fn measure(
        &mut self,
        of_type: impl FnOnce(&'a TypeName<'a>) -> ExprKind<'a>,
        of_expr: impl FnOnce(&'a Expr<'a>) -> ExprKind<'a>,
    ) -> Parse<&'a Expr<'a>> {
        let lo = self.bump().lo;
        while self.eat_keyword(Keyword::Extension) {}
        let inside = self.peek();
        if self.at(Punct::LParen) && self.begins_specs(inside) {
            let start = self.token.lo;
            let ty = self.parenthesized_type("before type")?;
            if !self.at(Punct::LBrace) {
                return Ok(self.node(lo, of_type(ty)));
            }
            let literal = self.compound_literal(start, ty)?;
            return Ok(self.node(lo, of_expr(literal)));
        }
        let operand = self.nested(Self::unary)?;
        Ok(self.node(lo, of_expr(operand)))
    }

    /// A node from offset `lo` to the last accepted token.
    #[inline]
    pub(super) fn node(&self, lo: u32, kind: ExprKind<'a>) -> &'a Expr<'a> {
        self.alloc(Expr { kind, span: self.span_from(lo) })
    }
}
