//! What a statement evaluates first: how a location of the automaton is found again in the text, since the edges that
//! leave it have the positions of what they evaluate.

use crate::walk::each_operand;
use robusto_syntax::Span;
use robusto_syntax::ast::{Declaration, Expr, ExprKind, Init, Stmt, StmtKind};
use std::ops::Range;

/// What comes first, in offsets of all sources.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct First {
    /// Where that stands; none if it cannot be told from the text.
    pub(crate) range: Option<Range<u32>>,
    /// Whether the statement may do nothing, so that the next one comes first too.
    passes: bool,
}

impl First {
    const NOTHING: First = First { range: None, passes: true };
    const UNCLEAR: First = First { range: None, passes: false };

    /// A part of the text in which this expression is all that is evaluated.
    fn evaluation(span: Span, e: &Expr<'_>) -> Self {
        if has_statements(e) { Self::UNCLEAR } else { Self { range: Some(span.lo..span.hi), passes: false } }
    }

    /// What a statement evaluates first.
    pub(crate) fn of(stmt: &Stmt<'_>) -> Self {
        let last = |first: Self| Self { passes: false, ..first };
        match stmt.kind {
            StmtKind::Empty | StmtKind::StaticAssert(_) | StmtKind::LocalLabels(_) => Self::NOTHING,
            StmtKind::Expr(e) | StmtKind::Return(Some(e)) => Self::evaluation(stmt.span, e),
            StmtKind::If(e, ..) | StmtKind::Switch(e, _) => Self::evaluation(e.span, e),
            StmtKind::Declaration(declaration) => Self::of_declaration(stmt.span, declaration),
            StmtKind::Block(block) => Self::of_list(block.stmts),
            StmtKind::While(cond, body) if is_endless(Some(cond)) => last(Self::of(body)),
            StmtKind::While(cond, _) => Self::evaluation(cond.span, cond),
            StmtKind::DoWhile(body, _) => last(Self::of(body)),
            StmtKind::For(f) => match (f.init.kind, f.condition) {
                (StmtKind::Empty, None) => last(Self::of(&f.body)),
                (StmtKind::Empty, Some(cond)) => Self::evaluation(cond.span, cond),
                _ => last(Self::of(&f.init)),
            },
            StmtKind::Label(_, inner)
            | StmtKind::Case(_, inner)
            | StmtKind::CaseRange(_, _, inner)
            | StmtKind::Default(inner) => Self::of(inner),
            _ => Self::UNCLEAR,
        }
    }

    fn of_declaration(span: Span, declaration: &Declaration<'_>) -> Self {
        let mut inits = declaration.declarators.iter().filter_map(|d| d.init.as_ref()).peekable();
        let passes = inits.peek().is_none();
        if inits.any(|init| matches!(init, Init::Expr(e) if has_statements(e))) {
            return Self::UNCLEAR;
        }
        Self { range: Some(span.lo..span.hi), passes }
    }

    fn of_list(stmts: &[Stmt<'_>]) -> Self {
        let mut first = Self::NOTHING;
        for stmt in stmts {
            // Behind a declaration, which may be an edge or not, a place where control comes together is one of its own.
            if first.range.is_some() && is_join(stmt) {
                return Self { passes: false, ..first };
            }
            let next = Self::of(stmt);
            first.range = match (first.range, next.range) {
                (Some(a), Some(b)) => Some(a.start..b.end),
                (a, b) => a.or(b),
            };
            if !next.passes {
                return Self { passes: false, ..first };
            }
        }
        first
    }
}

/// Whether a loop with this condition ends by a jump only, so that no edge tests the condition.
pub(crate) fn is_endless(cond: Option<&Expr<'_>>) -> bool {
    match cond.map(|e| e.kind) {
        None => true,
        Some(ExprKind::Int(value)) => value.value != 0,
        Some(_) => false,
    }
}

fn is_join(stmt: &Stmt<'_>) -> bool {
    match stmt.kind {
        StmtKind::Block(block) => block.stmts.first().is_some_and(is_join),
        StmtKind::While(..)
        | StmtKind::DoWhile(..)
        | StmtKind::For(_)
        | StmtKind::Label(..)
        | StmtKind::Case(..)
        | StmtKind::CaseRange(..)
        | StmtKind::Default(_) => true,
        _ => false,
    }
}

/// Whether there are statements, and so perhaps loops, inside of an expression.
fn has_statements(e: &Expr<'_>) -> bool {
    let mut found = matches!(e.kind, ExprKind::Statement(_));
    each_operand(e, |operand| found |= has_statements(operand));
    found
}
