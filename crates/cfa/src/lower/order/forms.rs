//! What the form of a piece of C says, without a look at what its names mean.

use super::Operand;
use robusto_syntax::Symbol;
use robusto_syntax::ast::{
    ArraySize, BinaryOp, DeclaratorPart, Expr, ExprKind, Init, Stmt, StmtKind, Storage, TypeName, TypeSpec, UnaryOp,
};

/// Whether a loop with this condition and step counts to a limit.
pub fn counts(cond: &Expr<'_>, step: &Expr<'_>) -> bool {
    let (counter, up) = match step.kind {
        ExprKind::Unary(UnaryOp::PreIncrement, e) | ExprKind::PostIncrement(e) => (e, true),
        ExprKind::Unary(UnaryOp::PreDecrement, e) | ExprKind::PostDecrement(e) => (e, false),
        ExprKind::Assign(Some(op @ (BinaryOp::Add | BinaryOp::Sub)), e, by) => match by.kind {
            ExprKind::Int(lit) if lit.value > 0 => (e, op == BinaryOp::Add),
            _ => return false,
        },
        _ => return false,
    };
    let (ExprKind::Ident(counter), ExprKind::Binary(op, a, b)) = (counter.kind, cond.kind) else { return false };
    let is_counter = |e: &Expr<'_>| matches!(e.kind, ExprKind::Ident(name) if name == counter);
    match op {
        BinaryOp::Lt | BinaryOp::Le => {
            if up {
                is_counter(a)
            } else {
                is_counter(b)
            }
        }
        BinaryOp::Gt | BinaryOp::Ge => {
            if up {
                is_counter(b)
            } else {
                is_counter(a)
            }
        }
        _ => false,
    }
}

/// Lists the variables of an expression; `false` if there is something else than arithmetic in it.
pub fn names_in(e: &Expr<'_>, names: &mut Vec<Symbol>) -> bool {
    match e.kind {
        ExprKind::Ident(name) => {
            names.push(name);
            true
        }
        ExprKind::Int(_) | ExprKind::Char(..) | ExprKind::SizeofExpr(_) | ExprKind::SizeofType(_) => true,
        ExprKind::Binary(_, a, b) => names_in(a, names) && names_in(b, names),
        ExprKind::Cast(_, inner) | ExprKind::Unary(UnaryOp::Minus | UnaryOp::Plus, inner) => names_in(inner, names),
        _ => false,
    }
}

/// Whether a piece can be lowered more than once: no labels, static variables or functions inside.
pub fn repeatable(e: &Expr<'_>) -> bool {
    match e.kind {
        ExprKind::Statement(block) => block.stmts.iter().all(repeatable_stmt),
        ExprKind::Unary(_, inner)
        | ExprKind::PostIncrement(inner)
        | ExprKind::PostDecrement(inner)
        | ExprKind::Cast(_, inner)
        | ExprKind::Member(inner, _)
        | ExprKind::Arrow(inner, _)
        | ExprKind::VaArg(inner, _) => repeatable(inner),
        ExprKind::Binary(_, a, b) | ExprKind::Assign(_, a, b) | ExprKind::Comma(a, b) | ExprKind::Index(a, b) => {
            repeatable(a) && repeatable(b)
        }
        ExprKind::Conditional(c, a, b) => repeatable(c) && a.is_none_or(repeatable) && repeatable(b),
        ExprKind::Call(callee, args) => repeatable(callee) && args.iter().all(repeatable),
        ExprKind::CompoundLiteral(_, init) => repeatable_init(init),
        ExprKind::Generic(_, arms) => arms.iter().all(|(_, arm)| repeatable(arm)),
        ExprKind::ChooseExpr(_, a, b) => repeatable(a) && repeatable(b),
        _ => true,
    }
}

fn repeatable_init(init: &Init<'_>) -> bool {
    match init {
        Init::Expr(e) => repeatable(e),
        Init::List(items, _) => items.iter().all(|item| repeatable_init(&item.init)),
    }
}

fn repeatable_stmt(stmt: &Stmt<'_>) -> bool {
    match stmt.kind {
        StmtKind::Label(..) | StmtKind::Function(_) | StmtKind::LocalLabels(_) => false,
        StmtKind::Declaration(d) => {
            d.specs.storage != Some(Storage::Static)
                && d.declarators.iter().all(|d| d.init.as_ref().is_none_or(repeatable_init))
        }
        StmtKind::Expr(e) | StmtKind::GotoComputed(e) | StmtKind::Return(Some(e)) => repeatable(e),
        StmtKind::Block(block) => block.stmts.iter().all(repeatable_stmt),
        StmtKind::If(c, a, b) => repeatable(c) && repeatable_stmt(a) && b.is_none_or(repeatable_stmt),
        StmtKind::While(c, body) | StmtKind::DoWhile(body, c) | StmtKind::Switch(c, body) => {
            repeatable(c) && repeatable_stmt(body)
        }
        StmtKind::For(f) => {
            repeatable_stmt(&f.init)
                && f.condition.is_none_or(repeatable)
                && f.step.is_none_or(repeatable)
                && repeatable_stmt(&f.body)
        }
        StmtKind::Case(_, body) | StmtKind::CaseRange(_, _, body) | StmtKind::Default(body) => repeatable_stmt(body),
        _ => true,
    }
}

/// Whether evaluating an expression may do more than read: a quick look.
pub fn acts(e: &Expr<'_>) -> bool {
    match e.kind {
        ExprKind::Call(..)
        | ExprKind::Assign(..)
        | ExprKind::PostIncrement(_)
        | ExprKind::PostDecrement(_)
        | ExprKind::Unary(UnaryOp::PreIncrement | UnaryOp::PreDecrement, _)
        | ExprKind::Statement(_)
        | ExprKind::VaArg(..)
        | ExprKind::Generic(..)
        | ExprKind::ChooseExpr(..) => true,
        ExprKind::Cast(name, inner) => acts_type(name) || acts(inner),
        ExprKind::SizeofType(name) => acts_type(name),
        ExprKind::Unary(_, inner)
        | ExprKind::SizeofExpr(inner)
        | ExprKind::Member(inner, _)
        | ExprKind::Arrow(inner, _) => acts(inner),
        ExprKind::Binary(_, a, b) | ExprKind::Comma(a, b) | ExprKind::Index(a, b) => acts(a) || acts(b),
        ExprKind::Conditional(c, a, b) => acts(c) || a.is_some_and(acts) || acts(b),
        ExprKind::CompoundLiteral(name, init) => acts_type(name) || acts_init(init),
        _ => false,
    }
}

/// Whether evaluating the sizes in the name of a type may do more than read.
pub fn acts_type(name: &TypeName<'_>) -> bool {
    let operand = match name.specs.ty {
        TypeSpec::TypeofExpr(e) => acts(e),
        TypeSpec::TypeofType(name) => acts_type(name),
        _ => false,
    };
    let size = |part: &DeclaratorPart<'_>| matches!(part, DeclaratorPart::Array(ArraySize::Expr(size)) if acts(size));
    operand || name.declarator.parts.iter().any(size)
}

/// Whether nothing can come before, after or between what the operands do: at most one of them does something, once, and the
/// others are constants or names of places. Most expressions with a call are so, and need no look at what it calls.
pub fn alone(operands: &[Operand<'_, '_>]) -> bool {
    let mut acting = operands.iter().filter(|operand| !is_constant(operand));
    let first = acting.next().is_none_or(|operand| matches!(operand, Operand::Value(e) if acts_once(e)));
    first && acting.next().is_none()
}

fn is_constant(operand: &Operand<'_, '_>) -> bool {
    match operand {
        Operand::Value(e) | Operand::Whole(e) => is_literal(e),
        Operand::Place(e) => is_name(e),
        Operand::Updated(_) => false,
    }
}

fn is_literal(e: &Expr<'_>) -> bool {
    matches!(e.kind, ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Char(..) | ExprKind::Str(..))
}

fn is_name(e: &Expr<'_>) -> bool {
    match e.kind {
        ExprKind::Ident(_) => true,
        ExprKind::Member(inner, _) => is_name(inner),
        _ => false,
    }
}

fn acts_once(e: &Expr<'_>) -> bool {
    match e.kind {
        ExprKind::Call(callee, arguments) => !acts(callee) && !arguments.iter().any(acts),
        ExprKind::PostIncrement(place)
        | ExprKind::PostDecrement(place)
        | ExprKind::Unary(UnaryOp::PreIncrement | UnaryOp::PreDecrement, place) => !acts(place),
        ExprKind::Assign(_, place, value) => !acts(place) && !acts(value),
        ExprKind::Cast(name, inner) => !acts_type(name) && acts_once(inner),
        ExprKind::Unary(_, inner) => acts_once(inner),
        ExprKind::Binary(op, a, b) if !matches!(op, BinaryOp::And | BinaryOp::Or) => {
            is_literal(a) && acts_once(b) || acts_once(a) && is_literal(b)
        }
        _ => false,
    }
}

/// Whether an initialiser may do more than read.
pub fn acts_init(init: &Init<'_>) -> bool {
    match init {
        Init::Expr(e) => acts(e),
        Init::List(items, _) => items.iter().any(|item| acts_init(&item.init)),
    }
}
