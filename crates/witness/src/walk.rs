//! The walk over a syntax tree that finds the places of an [`Index`](crate::Index).

use crate::first::{First, is_endless};
use crate::index::{Body, Branch, Call, Loop, Return, Shape, Statement, position};
use crate::scan::{parenthesised, semicolons};
use robusto_syntax::ast::{
    BinaryOp, Block, Declaration, Declarator, DeclaratorPart, Expr, ExprKind, FunctionDef, Init, Param, Stmt, StmtKind,
    UnaryOp,
};
use robusto_syntax::{Interner, SourceMap};
use std::collections::HashMap;
use std::ops::Range;

#[derive(Default)]
pub(crate) struct Found {
    pub(crate) statements: Vec<Statement>,
    pub(crate) loops: Vec<Loop>,
    pub(crate) branches: Vec<Branch>,
    pub(crate) calls: Vec<Call>,
    pub(crate) bodies: Vec<Body>,
    /// Of the function that is walked.
    pub(crate) returns: Vec<Return>,
    pub(crate) declared: HashMap<String, HashMap<String, u32>>,
}

pub(crate) struct Walk<'w> {
    pub(crate) sources: &'w SourceMap,
    pub(crate) names: &'w Interner,
    pub(crate) text: &'w str,
    pub(crate) base: u32,
    pub(crate) function: String,
    /// Sums, differences and products branch.
    pub(crate) checked: bool,
    pub(crate) found: Found,
}

impl Walk<'_> {
    pub(crate) fn offset(&self, at: u32) -> usize {
        (at - self.base) as usize
    }

    pub(crate) fn definition(&mut self, def: &FunctionDef<'_>) {
        self.declare(&def.declarator, |_| 1);
        self.function = def.declarator.name.map_or(String::new(), |n| self.names.text(n).to_owned());
        if let Some(DeclaratorPart::Function(params)) = def.declarator.parts.first() {
            params.params.iter().for_each(|param| self.declare(&param.declarator, |n| n + 1));
        }
        def.kr_params.iter().for_each(|declaration| self.declaration(declaration));
        self.block(&def.body);
        let of_param = |param: &Param<'_>| param.declarator.name.map(|name| self.names.text(name).to_owned());
        let parameters = match def.declarator.parts.first() {
            Some(DeclaratorPart::Function(params)) if params.kr_names.is_empty() => {
                params.params.iter().map(of_param).collect()
            }
            _ => None,
        };
        let body = Body {
            function: std::mem::take(&mut self.function),
            start: self.offset(def.span.lo),
            name: self.offset(def.declarator.span.lo),
            parameters,
            open: self.offset(def.body.span.lo) + 1,
            brace: self.offset(def.body.span.hi) - 1,
            last: def.body.stmts.last().map(|last| self.offset(last.span.lo)),
            returns: std::mem::take(&mut self.found.returns),
        };
        self.found.bodies.push(body);
    }

    pub(crate) fn declare(&mut self, declarator: &Declarator<'_>, count: impl Fn(u32) -> u32) {
        if let Some(name) = declarator.name {
            let scope = self.found.declared.entry(self.function.clone()).or_default();
            let known = scope.entry(self.names.text(name).to_owned()).or_default();
            *known = count(*known);
        }
    }

    fn block(&mut self, block: &Block<'_>) {
        for stmt in block.stmts {
            self.stmt(stmt, false);
        }
    }

    fn stmt(&mut self, stmt: &Stmt<'_>, body: bool) {
        let span = self.offset(stmt.span.lo)..self.offset(stmt.span.hi);
        let mut inner = stmt;
        while let StmtKind::Label(_, next)
        | StmtKind::Case(_, next)
        | StmtKind::CaseRange(_, _, next)
        | StmtKind::Default(next) = inner.kind
        {
            inner = next;
        }
        let has_parts =
            matches!(inner.kind, StmtKind::Block(_) | StmtKind::While(..) | StmtKind::DoWhile(..) | StmtKind::For(_));
        let inner = self.offset(inner.span.lo);
        let declaration = matches!(stmt.kind, StmtKind::Declaration(_));
        let function = self.function.clone();
        let first = if has_parts { None } else { First::of(stmt).range };
        self.found.statements.push(Statement { span: span.clone(), inner, body, declaration, function, first });
        if let StmtKind::Return(value) = stmt.kind {
            let value = value.map(|e| self.offset(e.span.lo)..self.offset(e.span.hi));
            self.found.returns.push(Return { span: span.clone(), value });
        }
        match stmt.kind {
            StmtKind::Expr(e) | StmtKind::Return(Some(e)) | StmtKind::GotoComputed(e) => self.expr(e),
            StmtKind::Declaration(declaration) => self.declaration(declaration),
            StmtKind::Block(block) => self.block(block),
            StmtKind::If(cond, then, otherwise) => {
                self.branch(span.start, "if", cond);
                self.expr(cond);
                self.stmt(then, true);
                if let Some(otherwise) = otherwise {
                    self.stmt(otherwise, true);
                }
            }
            StmtKind::While(cond, inner) => {
                let first = if is_endless(Some(cond)) { First::of(inner).range } else { None };
                self.looped(span.start, "while", span.start, cond, first);
                self.expr(cond);
                self.stmt(inner, true);
            }
            StmtKind::DoWhile(inner, cond) => {
                let end = self.offset(inner.span.hi);
                let at = self.text[end..].find("while").map_or(end, |found| end + found);
                self.looped(span.start, "while", at, cond, None);
                self.stmt(inner, true);
                self.expr(cond);
            }
            StmtKind::For(f) => {
                let first = if is_endless(f.condition) { First::of(&f.body).range } else { None };
                self.for_loop(span.start, f.condition, first);
                if let StmtKind::Declaration(declaration) = f.init.kind {
                    self.declaration(declaration);
                } else if let StmtKind::Expr(e) = f.init.kind {
                    self.expr(e);
                }
                for e in f.condition.into_iter().chain(f.step) {
                    self.expr(e);
                }
                self.stmt(&f.body, true);
            }
            StmtKind::Switch(e, inner) => {
                if let Some(condition) = parenthesised(self.text, span.start + "switch".len()) {
                    let function = self.function.clone();
                    self.found.branches.push(Branch { keyword: span.start, condition, shape: None, function });
                }
                self.expr(e);
                self.stmt(inner, true);
            }
            StmtKind::Case(_, inner)
            | StmtKind::CaseRange(_, _, inner)
            | StmtKind::Default(inner)
            | StmtKind::Label(_, inner) => self.stmt(inner, body),
            _ => {}
        }
    }

    fn declaration(&mut self, declaration: &Declaration<'_>) {
        for declarator in declaration.declarators {
            self.declare(&declarator.declarator, |n| n + 1);
            if let Some(init) = &declarator.init {
                self.init(init);
            }
        }
    }

    fn init(&mut self, init: &Init<'_>) {
        match init {
            Init::Expr(e) => self.expr(e),
            Init::List(items, _) => {
                for item in *items {
                    self.init(&item.init);
                }
            }
        }
    }

    fn branch(&mut self, keyword: usize, word: &str, cond: &Expr<'_>) {
        if let Some(condition) = parenthesised(self.text, keyword + word.len()) {
            let (shape, function) = (self.shape(cond), self.function.clone());
            self.found.branches.push(Branch { keyword, condition, shape, function });
        }
    }

    fn looped(&mut self, keyword: usize, word: &str, at: usize, cond: &Expr<'_>, first: Option<Range<u32>>) {
        if let Some(condition) = parenthesised(self.text, at + word.len()) {
            let (shape, function) = (self.shape(cond), self.function.clone());
            self.found.loops.push(Loop { keyword, condition: condition.clone(), function: function.clone(), first });
            self.found.branches.push(Branch { keyword, condition, shape, function });
        }
    }

    fn for_loop(&mut self, keyword: usize, cond: Option<&Expr<'_>>, first: Option<Range<u32>>) {
        let Some(inside) = parenthesised(self.text, keyword + "for".len()) else { return };
        let Some([one, two]) = semicolons(self.text, inside) else { return };
        let condition = one + 1..two;
        let function = self.function.clone();
        self.found.loops.push(Loop { keyword, condition: condition.clone(), function: function.clone(), first });
        if let Some(cond) = cond {
            let shape = self.shape(cond);
            self.found.branches.push(Branch { keyword, condition, shape, function });
        }
    }

    fn shape(&self, e: &Expr<'_>) -> Option<Shape> {
        match e.kind {
            ExprKind::Unary(UnaryOp::Not, inner) => Some(Shape::Not(Box::new(self.shape(inner)?))),
            ExprKind::Binary(BinaryOp::And, a, b) => {
                Some(Shape::And(Box::new(self.shape(a)?), Box::new(self.shape(b)?)))
            }
            ExprKind::Binary(BinaryOp::Or, a, b) => Some(Shape::Or(Box::new(self.shape(a)?), Box::new(self.shape(b)?))),
            ExprKind::Int(_) => None,
            _ if branches_inside(e, self.checked) => None,
            _ => Some(Shape::Leaf(position(self.sources, e.span.lo))),
        }
    }

    fn expr(&mut self, e: &Expr<'_>) {
        if let ExprKind::Call(callee, args) = e.kind {
            let span = self.offset(e.span.lo)..self.offset(e.span.hi);
            let callee_name = match callee.kind {
                ExprKind::Ident(name) => Some(self.names.text(name).to_owned()),
                _ => None,
            };
            let pos = position(self.sources, e.span.lo);
            let function = self.function.clone();
            let last = args.last().map(|arg| self.offset(arg.span.lo)..self.offset(arg.span.hi));
            let at = self.found.calls.len();
            self.found.calls.push(Call { span, pos, callee: callee_name, last, has_calls: false, function });
            for arg in args {
                self.expr(arg);
            }
            self.found.calls[at].has_calls = self.found.calls.len() > at + 1;
            return;
        }
        if let ExprKind::Statement(block) = e.kind {
            return self.block(block);
        }
        each_operand(e, |operand| self.expr(operand));
    }
}

/// Calls `f` for each operand that is evaluated.
pub(crate) fn each_operand(e: &Expr<'_>, mut f: impl FnMut(&Expr<'_>)) {
    match e.kind {
        ExprKind::Unary(_, a)
        | ExprKind::PostIncrement(a)
        | ExprKind::PostDecrement(a)
        | ExprKind::Cast(_, a)
        | ExprKind::Member(a, _)
        | ExprKind::Arrow(a, _) => f(a),
        ExprKind::Binary(_, a, b) | ExprKind::Assign(_, a, b) | ExprKind::Comma(a, b) | ExprKind::Index(a, b) => {
            f(a);
            f(b);
        }
        ExprKind::Conditional(a, b, c) => {
            f(a);
            if let Some(b) = b {
                f(b);
            }
            f(c);
        }
        ExprKind::Call(callee, args) => {
            f(callee);
            for arg in args {
                f(arg);
            }
        }
        _ => {}
    }
}

/// Whether evaluating an expression may branch by itself.
fn branches_inside(e: &Expr<'_>, checked: bool) -> bool {
    use BinaryOp::{Add, And, Div, Mul, Or, Rem, Shl, Shr, Sub};
    match e.kind {
        ExprKind::Binary(And | Or | Div | Rem | Shl | Shr, ..)
        | ExprKind::Assign(Some(Div | Rem | Shl | Shr), ..)
        | ExprKind::Conditional(..)
        | ExprKind::Statement(_)
        | ExprKind::Comma(..)
        | ExprKind::Generic(..)
        | ExprKind::ChooseExpr(..) => true,
        ExprKind::Binary(Add | Sub | Mul, ..)
        | ExprKind::Assign(Some(_), ..)
        | ExprKind::Unary(UnaryOp::Minus | UnaryOp::PreIncrement | UnaryOp::PreDecrement, _)
        | ExprKind::PostIncrement(_)
        | ExprKind::PostDecrement(_)
            if checked =>
        {
            true
        }
        _ => {
            let mut found = false;
            each_operand(e, |operand| found |= branches_inside(operand, checked));
            found
        }
    }
}
