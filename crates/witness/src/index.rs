//! The places of a C file that witnesses speak of: statements, loops, branches, calls.

use crate::first::{First, is_endless};
use crate::scan::{parenthesised, semicolons};
use robusto_cfa::Checks;
use robusto_cfa::ir::SrcPos;
use robusto_syntax::ast::{
    BinaryOp, Block, Declaration, Declarator, DeclaratorPart, Expr, ExprKind, FunctionDef, Init, Item, Stmt, StmtKind,
    UnaryOp,
};
use robusto_syntax::source::FileId;
use robusto_syntax::{Bump, Interner, SourceMap};
use std::collections::HashMap;
use std::ops::Range;

/// All places of a file.
#[derive(Debug)]
pub struct Index {
    pub(crate) sources: SourceMap,
    pub(crate) file: FileId,
    pub(crate) statements: Vec<Statement>,
    pub(crate) loops: Vec<Loop>,
    pub(crate) branches: Vec<Branch>,
    pub(crate) calls: Vec<Call>,
    /// How often names are declared, by function; at file scope the function is empty.
    declared: HashMap<String, HashMap<String, u32>>,
    /// Where the first declaration starts, behind line markers.
    pub(crate) start: usize,
    /// Whether lines and columns are those of the text, whatever its line markers say.
    physical: bool,
}

/// A statement or declaration in a function.
#[derive(Clone, Debug)]
pub(crate) struct Statement {
    pub(crate) span: Range<usize>,
    /// Where something can be put before it: behind its labels.
    pub(crate) inner: usize,
    /// Whether it is the body of another statement, so that something before it needs braces.
    pub(crate) body: bool,
    pub(crate) declaration: bool,
    pub(crate) function: String,
    /// What it evaluates first; none for a block or a loop, which have other statements for that.
    first: Option<Range<u32>>,
}

/// A loop.
#[derive(Clone, Debug)]
pub(crate) struct Loop {
    pub(crate) keyword: usize,
    /// Where the condition stands; empty for `for (;;)`.
    pub(crate) condition: Range<usize>,
    pub(crate) function: String,
    /// What the body evaluates first, if the condition is always true and nobody tests it.
    first: Option<Range<u32>>,
}

/// An `if`, a loop or a `switch`.
#[derive(Clone, Debug)]
pub(crate) struct Branch {
    pub(crate) keyword: usize,
    pub(crate) condition: Range<usize>,
    pub(crate) shape: Option<Shape>,
    pub(crate) function: String,
}

/// How a condition is decided: its leaves are branches of the automaton.
#[derive(Clone, Debug)]
pub(crate) enum Shape {
    Leaf(SrcPos),
    Not(Box<Shape>),
    And(Box<Shape>, Box<Shape>),
    Or(Box<Shape>, Box<Shape>),
}

/// A call.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub(crate) span: Range<usize>,
    pub(crate) pos: SrcPos,
    /// The called function, if it is named.
    pub(crate) callee: Option<String>,
    pub(crate) function: String,
}

impl Index {
    /// The places of a file that compiles. `physical` says that the text is the user's file, not what a preprocessor
    /// made of it; `checks` are those that the program is compiled with.
    pub fn new(name: &str, text: &str, physical: bool, checks: Checks) -> Option<Self> {
        let mut sources = SourceMap::new();
        let file = sources.add(name, text.to_owned()).ok()?;
        let arena = Bump::new();
        let mut names = Interner::new();
        let unit = robusto_syntax::parse::parse(&arena, &mut sources, file, &mut names).ok()?;
        let mut walk = Walk {
            sources: &sources,
            names: &names,
            text,
            base: sources.base(file),
            function: String::new(),
            checked: checks != Checks::NONE,
            found: Found::default(),
        };
        let start = match unit.items.first() {
            Some(Item::Function(def)) => def.span.lo,
            Some(Item::Declaration(declaration)) => declaration.span.lo,
            Some(Item::StaticAssert(assert)) => assert.span.lo,
            Some(Item::Asm(span)) => span.lo,
            None => walk.base,
        };
        let start = walk.offset(start);
        for item in unit.items {
            match item {
                Item::Function(def) => walk.definition(def),
                Item::Declaration(declaration) => {
                    // Once for any number of declarations of the same thing.
                    declaration.declarators.iter().for_each(|d| walk.declare(&d.declarator, |_| 1));
                }
                _ => {}
            }
        }
        let Found { mut statements, loops, branches, calls, declared } = walk.found;
        statements.sort_by_key(|s| (s.span.start, std::cmp::Reverse(s.span.end)));
        Some(Self { sources, file, statements, loops, branches, calls, declared, start, physical })
    }

    /// The text.
    pub(crate) fn text(&self) -> &str {
        self.sources.text(self.file)
    }

    /// Line and column of an offset, as witnesses name them.
    pub(crate) fn place(&self, offset: usize) -> (u32, u32) {
        if !self.physical {
            let place = self.sources.position(self.sources.base(self.file) + offset as u32);
            return (place.line, place.column);
        }
        let before = &self.text()[..offset];
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        (before.matches('\n').count() as u32 + 1, before[start..].chars().count() as u32 + 1)
    }

    /// The position that edges of the automaton have.
    pub(crate) fn pos(&self, offset: usize) -> SrcPos {
        position(&self.sources, self.sources.base(self.file) + offset as u32)
    }

    /// Number of lines.
    pub(crate) fn num_lines(&self) -> u32 {
        self.text().lines().count() as u32
    }

    /// The loops whose heads are the location of the automaton that edges at this position leave.
    pub(crate) fn loops_at(&self, pos: SrcPos) -> impl Iterator<Item = &Loop> {
        self.loops.iter().filter(move |l| {
            let condition = key(self.pos(l.condition.start))..=key(self.pos(l.condition.end));
            self.pos(l.keyword) == pos || condition.contains(&key(pos)) || self.is_first(l.first.as_ref(), pos)
        })
    }

    /// Whether each name in an expression can mean one thing only, wherever in the function it stands.
    pub(crate) fn is_unambiguous(&self, expression: &str, function: &str) -> bool {
        let declared = |scope: &str, name: &str| self.declared.get(scope).and_then(|d| d.get(name)).map_or(0, |n| *n);
        let mut words = expression.split(|c: char| !c.is_alphanumeric() && c != '_');
        words.all(|name| declared("", name) + declared(function, name) <= 1)
    }

    /// The statement that begins at the location of the automaton that edges at this position leave.
    pub(crate) fn statement_at(&self, pos: SrcPos) -> Option<&Statement> {
        self.statements.iter().find(|s| self.is_first(s.first.as_ref(), pos))
    }

    fn is_first(&self, first: Option<&Range<u32>>, pos: SrcPos) -> bool {
        let place = |offset| key(position(&self.sources, offset));
        first.is_some_and(|range| (place(range.start)..place(range.end)).contains(&key(pos)))
    }

    /// The statement that encloses a position of the automaton most closely.
    pub(crate) fn statement_around(&self, pos: SrcPos) -> Option<&Statement> {
        let contains = |s: &&Statement| (key(self.pos(s.inner))..key(self.pos(s.span.end))).contains(&key(pos));
        let around = self.statements.iter().filter(contains);
        around.min_by_key(|s| s.span.len())
    }
}

/// Orders positions of a file.
fn key(pos: SrcPos) -> (u16, u32, u16) {
    (pos.file, pos.line, pos.column)
}

pub(crate) fn position(sources: &SourceMap, offset: u32) -> SrcPos {
    let place = sources.position(offset);
    SrcPos {
        file: u16::try_from(place.file).unwrap_or(u16::MAX),
        column: u16::try_from(place.column).unwrap_or(u16::MAX),
        line: place.line,
    }
}

#[derive(Default)]
struct Found {
    statements: Vec<Statement>,
    loops: Vec<Loop>,
    branches: Vec<Branch>,
    calls: Vec<Call>,
    declared: HashMap<String, HashMap<String, u32>>,
}

struct Walk<'w> {
    sources: &'w SourceMap,
    names: &'w Interner,
    text: &'w str,
    base: u32,
    function: String,
    /// Arithmetic branches.
    checked: bool,
    found: Found,
}

impl Walk<'_> {
    fn offset(&self, at: u32) -> usize {
        (at - self.base) as usize
    }

    fn definition(&mut self, def: &FunctionDef<'_>) {
        self.declare(&def.declarator, |_| 1);
        self.function = def.declarator.name.map_or(String::new(), |n| self.names.text(n).to_owned());
        if let Some(DeclaratorPart::Function(params)) = def.declarator.parts.first() {
            params.params.iter().for_each(|param| self.declare(&param.declarator, |n| n + 1));
        }
        def.kr_params.iter().for_each(|declaration| self.declaration(declaration));
        self.block(&def.body);
        self.function.clear();
    }

    fn declare(&mut self, declarator: &Declarator<'_>, count: impl Fn(u32) -> u32) {
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
            self.found.calls.push(Call { span, pos, callee: callee_name, function });
            for arg in args {
                self.expr(arg);
            }
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
