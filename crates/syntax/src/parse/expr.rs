//! Expressions from the comma down to the prefix operators. Binary operators are read by precedence climbing.

use super::{Parse, Parser};
use crate::Symbol;
use crate::ast::{BinaryOp, Expr, ExprKind, UnaryOp};
use crate::lex::{Keyword, Kind, Punct};

/// Precedence of a binary operator (greater binds tighter) and the operator.
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
    pub(super) fn expr(&mut self) -> Parse<Expr<'a>> {
        self.nested(|p| {
            let mut left = p.assignment()?;
            while p.eat(Punct::Comma) {
                let right = p.assignment()?;
                left = Expr { kind: ExprKind::Comma(p.alloc(left), p.alloc(right)), span: left.span.to(right.span) };
                p.grow(left.span)?;
            }
            Ok(left)
        })
    }

    /// An expression without commas.
    pub(super) fn assignment(&mut self) -> Parse<Expr<'a>> {
        self.nested(|p| {
            let left = p.conditional_here()?;
            let Some(op) = assignment_operator(p.token.kind) else { return Ok(left) };
            p.bump();
            let right = p.assignment()?;
            Ok(Expr { kind: ExprKind::Assign(op, p.alloc(left), p.alloc(right)), span: left.span.to(right.span) })
        })
    }

    /// A conditional expression: no assignment, no comma.
    pub(super) fn conditional(&mut self) -> Parse<Expr<'a>> {
        self.nested(Self::conditional_here)
    }

    fn conditional_here(&mut self) -> Parse<Expr<'a>> {
        let condition = self.binary(1)?;
        if !self.eat(Punct::Question) {
            return Ok(condition);
        }
        let then = if self.at(Punct::Colon) {
            None
        } else {
            let then = self.expr()?;
            Some(self.alloc(then))
        };
        self.expect(Punct::Colon, "in conditional expression")?;
        let otherwise = self.conditional()?;
        let span = condition.span.to(otherwise.span);
        let kind = ExprKind::Conditional(self.alloc(condition), then, self.alloc(otherwise));
        self.grow(span)?;
        Ok(Expr { kind, span })
    }

    /// Operands joined by operators of at least precedence `min`.
    fn binary(&mut self, min: u8) -> Parse<Expr<'a>> {
        let mut left = self.unary()?;
        while let Some((precedence, op)) = binary_operator(self.token.kind) {
            if precedence < min {
                break;
            }
            self.bump();
            let right = self.nested(|p| p.binary(precedence + 1))?;
            let span = left.span.to(right.span);
            left = Expr { kind: ExprKind::Binary(op, self.alloc(left), self.alloc(right)), span };
            self.grow(span)?;
        }
        Ok(left)
    }

    /// A prefix operator with its operand, a cast, or a postfix expression.
    pub(super) fn unary(&mut self) -> Parse<Expr<'a>> {
        let lo = self.token.lo;
        if let Some(op) = prefix_operator(self.token.kind) {
            self.bump();
            let operand = self.nested(Self::unary)?;
            return Ok(self.node(lo, ExprKind::Unary(op, self.alloc(operand))));
        }
        match self.token.kind {
            Kind::Keyword(Keyword::Extension) => {
                self.bump();
                self.nested(Self::unary)
            }
            Kind::Keyword(Keyword::Sizeof) => self.measure(ExprKind::SizeofType, ExprKind::SizeofExpr),
            Kind::Keyword(Keyword::Alignof) => self.measure(ExprKind::AlignofType, ExprKind::AlignofExpr),
            Kind::Punct(Punct::AmpAmp) => {
                self.bump();
                let label: Symbol = self.identifier("a label")?;
                Ok(self.node(lo, ExprKind::LabelAddress(label)))
            }
            Kind::Punct(Punct::LParen) => {
                let inside = self.peek();
                if self.begins_type_name(inside) { self.cast_or_literal() } else { self.postfix() }
            }
            _ => self.postfix(),
        }
    }

    /// Whether a type name begins with this token (after an opening parenthesis).
    fn begins_type_name(&self, kind: Kind) -> bool {
        self.begins_specs(kind)
    }

    /// `(type)operand`, or `(type){…}` with what follows it.
    fn cast_or_literal(&mut self) -> Parse<Expr<'a>> {
        let lo = self.token.lo;
        let ty = self.parenthesized_type("before type")?;
        let ty = self.alloc(ty);
        if self.at(Punct::LBrace) {
            return self.compound_literal(lo, ty);
        }
        let operand = self.nested(Self::unary)?;
        Ok(self.node(lo, ExprKind::Cast(ty, self.alloc(operand))))
    }

    /// `sizeof` and `_Alignof`, of a type or of an expression.
    fn measure(
        &mut self,
        of_type: impl FnOnce(&'a crate::ast::TypeName<'a>) -> ExprKind<'a>,
        of_expr: impl FnOnce(&'a Expr<'a>) -> ExprKind<'a>,
    ) -> Parse<Expr<'a>> {
        let lo = self.bump().lo;
        while self.eat_keyword(Keyword::Extension) {}
        let inside = self.peek();
        if self.at(Punct::LParen) && self.begins_type_name(inside) {
            let start = self.token.lo;
            let ty = self.parenthesized_type("before type")?;
            let ty = self.alloc(ty);
            if !self.at(Punct::LBrace) {
                return Ok(self.node(lo, of_type(ty)));
            }
            let literal = self.compound_literal(start, ty)?;
            return Ok(self.node(lo, of_expr(self.alloc(literal))));
        }
        let operand = self.nested(Self::unary)?;
        Ok(self.node(lo, of_expr(self.alloc(operand))))
    }

    /// A node from offset `lo` to the last accepted token.
    pub(super) fn node(&self, lo: u32, kind: ExprKind<'a>) -> Expr<'a> {
        Expr { kind, span: self.span_from(lo) }
    }
}
