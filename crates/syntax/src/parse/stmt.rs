//! Statements and blocks.
//!
//! Labels before a statement and `else if` after one are read in a loop, since generated programs have thousands of
//! them in a row; the tree is nested all the same.

use super::item::External;
use super::{Parse, Parser};
use crate::ast::{Block, Expr, ExprKind, For, Stmt, StmtKind};
use crate::lex::{Keyword, Kind, Punct};
use crate::{Span, Symbol};

/// What stands before a colon.
enum Label<'a> {
    Name(Symbol),
    Case(&'a Expr<'a>),
    Range(&'a Expr<'a>, &'a Expr<'a>),
    Default,
}

impl<'a> Parser<'a, '_> {
    /// `{ … }` in a scope of its own.
    pub(super) fn block(&mut self) -> Parse<Block<'a>> {
        let open = self.expect(Punct::LBrace, "before block")?;
        self.scopes.enter();
        let mut stmts = Vec::new();
        while !self.at(Punct::RBrace) && self.token.kind != Kind::End {
            stmts.push(self.nested(Self::block_item)?);
        }
        self.expect_close(Punct::RBrace, open)?;
        self.scopes.leave();
        Ok(Block { stmts: self.slice(&stmts), span: self.span_from(open.lo) })
    }

    fn block_item(&mut self) -> Parse<Stmt<'a>> {
        let lo = self.token.lo;
        // `__extension__` may begin a declaration or an expression.
        if self.at_keyword(Keyword::Extension) {
            self.bump();
            return self.nested(Self::block_item);
        }
        if self.at_keyword(Keyword::Label) {
            let names = self.local_labels()?;
            return Ok(self.stmt(lo, StmtKind::LocalLabels(names)));
        }
        if self.at_attribute() {
            return self.attributed();
        }
        if self.at_declaration() {
            return self.declaration_statement(Vec::new());
        }
        self.statement_here(true)
    }

    /// Whether a declaration begins here (and not a label that is named like a type).
    fn at_declaration(&mut self) -> bool {
        match self.token.kind {
            Kind::Keyword(Keyword::StaticAssert) => true,
            Kind::Ident(name) => self.scopes.is_type(name) && !self.peek_is(Punct::Colon),
            _ => self.at_specs(),
        }
    }

    fn declaration_statement(&mut self, attrs: Vec<crate::ast::Attribute<'a>>) -> Parse<Stmt<'a>> {
        let lo = attrs.first().map_or(self.token.lo, |attr| attr.span.lo);
        if self.at_keyword(Keyword::StaticAssert) {
            let assertion = self.static_assert()?;
            return Ok(self.stmt(lo, StmtKind::StaticAssert(self.alloc(assertion))));
        }
        let kind = match self.external(attrs)? {
            External::Function(function) => StmtKind::Function(self.alloc(function)),
            External::Declaration(declaration) => StmtKind::Declaration(self.alloc(declaration)),
        };
        Ok(self.stmt(lo, kind))
    }

    /// After attributes: the empty statement, a declaration, or any other statement.
    fn attributed(&mut self) -> Parse<Stmt<'a>> {
        let mut attrs = Vec::new();
        self.attributes(&mut attrs)?;
        if self.at_declaration() { self.declaration_statement(attrs) } else { self.statement_here(true) }
    }

    /// `__label__ a, b;`
    fn local_labels(&mut self) -> Parse<&'a [Symbol]> {
        self.bump();
        let mut names = Vec::new();
        loop {
            names.push(self.identifier("a label")?);
            if !self.eat(Punct::Comma) {
                break;
            }
        }
        self.expect(Punct::Semi, "after `__label__`")?;
        Ok(self.slice(&names))
    }

    fn statement(&mut self) -> Parse<Stmt<'a>> {
        self.nested(|p| {
            p.attributes(&mut Vec::new())?;
            p.statement_here(false)
        })
    }

    /// A statement with its labels. In a block, labels may also precede a declaration or the closing brace; they then
    /// label an empty statement.
    fn statement_here(&mut self, in_block: bool) -> Parse<Stmt<'a>> {
        let mut labels = Vec::new();
        while let Some(label) = self.label()? {
            labels.push(label);
            self.attributes(&mut Vec::new())?;
        }
        let bare = self.at(Punct::RBrace) || (in_block && self.at_declaration());
        let mut stmt = if !labels.is_empty() && bare {
            Stmt { kind: StmtKind::Empty, span: Span::new(self.last_hi, self.last_hi) }
        } else {
            self.unlabelled()?
        };
        for (label, lo) in labels.into_iter().rev() {
            let inner = self.alloc(stmt);
            let kind = match label {
                Label::Name(name) => StmtKind::Label(name, inner),
                Label::Case(value) => StmtKind::Case(value, inner),
                Label::Range(first, last) => StmtKind::CaseRange(first, last, inner),
                Label::Default => StmtKind::Default(inner),
            };
            stmt = Stmt { kind, span: Span::new(lo, stmt.span.hi) };
            self.grow()?;
        }
        Ok(stmt)
    }

    /// A label with its colon and where it begins.
    fn label(&mut self) -> Parse<Option<(Label<'a>, u32)>> {
        let lo = self.token.lo;
        let kind = self.token.kind;
        let label = match kind {
            Kind::Ident(name) if self.peek_is(Punct::Colon) => {
                self.bump();
                Label::Name(name)
            }
            Kind::Keyword(Keyword::Case) => {
                self.bump();
                let first = self.conditional()?;
                if self.eat(Punct::Ellipsis) { Label::Range(first, self.conditional()?) } else { Label::Case(first) }
            }
            Kind::Keyword(Keyword::Default) => {
                self.bump();
                Label::Default
            }
            _ => return Ok(None),
        };
        self.expect(Punct::Colon, "after label")?;
        Ok(Some((label, lo)))
    }

    fn unlabelled(&mut self) -> Parse<Stmt<'a>> {
        let lo = self.token.lo;
        let kind = match self.token.kind {
            Kind::Punct(Punct::LBrace) => {
                let block = self.nested(Self::block)?;
                StmtKind::Block(self.alloc(block))
            }
            Kind::Punct(Punct::Semi) => {
                self.bump();
                StmtKind::Empty
            }
            Kind::Keyword(keyword) => return self.keyword_statement(keyword, lo),
            _ => return self.expression_statement(),
        };
        Ok(self.stmt(lo, kind))
    }

    fn keyword_statement(&mut self, keyword: Keyword, lo: u32) -> Parse<Stmt<'a>> {
        let kind = match keyword {
            Keyword::If => return self.if_statement(),
            Keyword::While => {
                self.bump();
                let condition = self.condition("after `while`")?;
                let body = self.statement()?;
                StmtKind::While(condition, self.alloc(body))
            }
            Keyword::Do => self.do_statement()?,
            Keyword::For => self.for_statement()?,
            Keyword::Switch => {
                self.bump();
                let value = self.condition("after `switch`")?;
                let body = self.statement()?;
                StmtKind::Switch(value, self.alloc(body))
            }
            Keyword::Goto => self.goto_statement()?,
            Keyword::Continue | Keyword::Break => {
                self.bump();
                let after = if keyword == Keyword::Break { "after `break`" } else { "after `continue`" };
                self.expect(Punct::Semi, after)?;
                if keyword == Keyword::Break { StmtKind::Break } else { StmtKind::Continue }
            }
            Keyword::Return => {
                self.bump();
                let value = self.expr_unless(Punct::Semi)?;
                self.expect(Punct::Semi, "after `return`")?;
                StmtKind::Return(value)
            }
            Keyword::Asm => {
                let asm = self.asm_statement()?;
                StmtKind::Asm(self.alloc(asm))
            }
            _ => return self.expression_statement(),
        };
        Ok(self.stmt(lo, kind))
    }

    fn expression_statement(&mut self) -> Parse<Stmt<'a>> {
        let first = self.token;
        let expr = self.expr()?;
        // `foo x;` with a `foo` that is no type.
        if let (ExprKind::Ident(name), Kind::Ident(_)) = (expr.kind, self.token.kind)
            && expr.span == first.span()
        {
            self.token = first;
            return self.unknown_type(name);
        }
        self.expect(Punct::Semi, "after expression")?;
        Ok(self.stmt(first.lo, StmtKind::Expr(expr)))
    }

    /// `if` with all its `else if`.
    fn if_statement(&mut self) -> Parse<Stmt<'a>> {
        let mut branches = Vec::new();
        let mut otherwise = None;
        loop {
            let lo = self.bump().lo;
            let condition = self.condition("after `if`")?;
            let then = self.statement()?;
            branches.push((lo, condition, self.alloc(then)));
            if !self.eat_keyword(Keyword::Else) {
                break;
            }
            if !self.at_keyword(Keyword::If) {
                let last = self.statement()?;
                otherwise = Some(self.alloc(last));
                break;
            }
        }
        let hi = self.last_hi;
        let mut chain = None;
        for (lo, condition, then) in branches.into_iter().rev() {
            let kind = StmtKind::If(condition, then, otherwise);
            let stmt = Stmt { kind, span: Span::new(lo, hi) };
            otherwise = Some(self.alloc(stmt));
            chain = Some(stmt);
            self.grow()?;
        }
        match chain {
            Some(stmt) => Ok(stmt),
            None => self.unexpected("`if`"),
        }
    }

    fn do_statement(&mut self) -> Parse<StmtKind<'a>> {
        self.bump();
        let body = self.statement()?;
        if !self.eat_keyword(Keyword::While) {
            return self.unexpected("`while` after the body of `do`");
        }
        let condition = self.condition("after `while`")?;
        self.expect(Punct::Semi, "after `do … while`")?;
        Ok(StmtKind::DoWhile(self.alloc(body), condition))
    }

    fn for_statement(&mut self) -> Parse<StmtKind<'a>> {
        self.bump();
        let open = self.expect(Punct::LParen, "after `for`")?;
        self.scopes.enter();
        let lo = self.token.lo;
        while self.eat_keyword(Keyword::Extension) {}
        let init = if self.at_specs() {
            self.declaration_statement(Vec::new())?
        } else {
            let first = self.expr_unless(Punct::Semi)?;
            self.expect(Punct::Semi, "after the first clause of `for`")?;
            self.stmt(lo, first.map_or(StmtKind::Empty, StmtKind::Expr))
        };
        let condition = self.expr_unless(Punct::Semi)?;
        self.expect(Punct::Semi, "after the condition of `for`")?;
        let step = self.expr_unless(Punct::RParen)?;
        self.expect_close(Punct::RParen, open)?;
        let body = self.statement()?;
        self.scopes.leave();
        Ok(StmtKind::For(self.alloc(For { init, condition, step, body })))
    }

    fn goto_statement(&mut self) -> Parse<StmtKind<'a>> {
        self.bump();
        let kind = if self.eat(Punct::Star) {
            StmtKind::GotoComputed(self.expr()?)
        } else {
            StmtKind::Goto(self.identifier("a label")?)
        };
        self.expect(Punct::Semi, "after `goto`")?;
        Ok(kind)
    }

    /// `(expression)`
    fn condition(&mut self, after: &str) -> Parse<&'a Expr<'a>> {
        let open = self.expect(Punct::LParen, after)?;
        let condition = self.expr()?;
        self.expect_close(Punct::RParen, open)?;
        Ok(condition)
    }

    /// An expression, or nothing before `end`.
    fn expr_unless(&mut self, end: Punct) -> Parse<Option<&'a Expr<'a>>> {
        if self.at(end) { Ok(None) } else { self.expr().map(Some) }
    }

    fn stmt(&self, lo: u32, kind: StmtKind<'a>) -> Stmt<'a> {
        Stmt { kind, span: self.span_from(lo) }
    }
}
