//! Types of expressions that are not evaluated: operands of `sizeof` and `typeof`, what `__auto_type` and `_Generic` look at.
//!
//! A type is found by lowering the expression and dropping the result. Where such expressions are nested, each level would do
//! that once more for all levels below it, which doubles the time per level; so what was found is kept. An expression stands
//! in one scope, so its type is the same whenever it is asked for. Two kinds are not kept: types with sizes that are computed
//! anew each time, and those of expressions that stand in no file.

use super::place::Place;
use super::scope::Sym;
use super::types::{CType, RecordId, TypeId};
use super::{Lower, R};
use robusto_syntax::Span;
use robusto_syntax::ast::{Expr, ExprKind, UnaryOp};
use rustc_hash::FxHashMap;

/// What is known of expressions, by their places in the arena.
#[derive(Debug, Default)]
pub struct KnownExprs {
    /// Types; of values, arrays and functions have become pointers.
    types: FxHashMap<(usize, Wanted), TypeId>,
    /// Answers to questions about constants.
    constants: FxHashMap<(usize, Question), Option<bool>>,
    /// Structs and unions, by the places of the specifiers that define them.
    pub records: FxHashMap<usize, (RecordId, TypeId)>,
}

/// What is asked about an expression that may be constant.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Question {
    /// Whether it is a null pointer constant.
    Null,
    /// Whether it is constant, and true; where undefined arithmetic is checked or not, and a constant is required or not.
    Truth { unchecked: bool, settled: bool },
    /// Whether the compiler knows its value (`None`: that depends), where a constant is required or not.
    Value { settled: bool },
}

/// Which type of an expression.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Wanted {
    /// That of what it names.
    Place,
    /// That of its value.
    Value,
}

fn key(e: &Expr<'_>) -> Option<usize> {
    (e.span != Span::default()).then_some(std::ptr::from_ref(e) as usize)
}

impl<'a> Lower<'a, '_> {
    /// The type of an expression, which is not evaluated. Arrays stay arrays.
    pub(super) fn type_of(&mut self, e: &Expr<'a>) -> R<TypeId> {
        self.known_type(e, Wanted::Place, |lower| {
            if let ExprKind::Ident(name) = e.kind
                && let Some(Sym::Constant(_, ty)) = lower.scopes.lookup(name)
            {
                return Ok(ty);
            }
            if let Some(ty) = lower.bit_field_type(e) {
                return Ok(ty);
            }
            if !is_place(e) {
                return lower.decayed_type_of(e);
            }
            lower.in_scratch(|lower| lower.place(e).map(|place| place.ty)).0
        })
    }

    /// The type of an expression's value: arrays and functions become pointers.
    pub(super) fn decayed_type_of(&mut self, e: &Expr<'a>) -> R<TypeId> {
        self.known_type(e, Wanted::Value, |lower| lower.in_scratch(|lower| lower.rvalue(e).map(|value| value.ty)).0)
    }

    fn known_type(&mut self, e: &Expr<'a>, wanted: Wanted, find: impl FnOnce(&mut Self) -> R<TypeId>) -> R<TypeId> {
        let Some(key) = key(e) else { return find(self) };
        if let Some(&ty) = self.known.types.get(&(key, wanted)) {
            return Ok(ty);
        }
        let ty = find(self)?;
        if !self.mentions_variable_size(ty) {
            self.known.types.insert((key, wanted), ty);
        }
        Ok(ty)
    }

    /// Whether a type has a size in it that is computed where it is written.
    fn mentions_variable_size(&self, ty: TypeId) -> bool {
        match self.types.get(ty) {
            CType::Vla(..) => true,
            CType::Array(of, _) | CType::Pointer(of) => self.mentions_variable_size(*of),
            CType::Function(function) => {
                function.params.iter().chain([&function.ret]).any(|&part| self.mentions_variable_size(part))
            }
            _ => false,
        }
    }

    /// The answer to a question about an expression, found once.
    pub(super) fn known_answer(
        &mut self,
        e: &Expr<'a>,
        question: Question,
        find: impl FnOnce(&mut Self) -> R<Option<bool>>,
    ) -> R<Option<bool>> {
        let Some(key) = key(e) else { return find(self) };
        if let Some(&known) = self.known.constants.get(&(key, question)) {
            return Ok(known);
        }
        let answer = find(self)?;
        self.known.constants.insert((key, question), answer);
        Ok(answer)
    }

    /// The declared type of the bit-field whose value an assignment, `++`, `--` or comma has. Only operators promote it.
    pub(super) fn bit_field_type(&mut self, e: &Expr<'a>) -> Option<TypeId> {
        let field = member_of_value(e)?;
        match self.in_scratch(|lower| lower.place(field)).0 {
            Ok(Place { bits: Some(_), ty, .. }) => Some(ty.unqualified()),
            _ => None,
        }
    }
}

fn is_place(e: &Expr<'_>) -> bool {
    matches!(
        e.kind,
        ExprKind::Ident(_)
            | ExprKind::Index(..)
            | ExprKind::Member(..)
            | ExprKind::Arrow(..)
            | ExprKind::Str(..)
            | ExprKind::CompoundLiteral(..)
            | ExprKind::Unary(UnaryOp::Deref, _)
    )
}

/// The member whose value an assignment, `++`, `--` or comma has.
fn member_of_value<'e, 'a>(mut e: &'e Expr<'a>) -> Option<&'e Expr<'a>> {
    loop {
        e = match e.kind {
            ExprKind::Assign(_, inner, _)
            | ExprKind::Comma(_, inner)
            | ExprKind::PostIncrement(inner)
            | ExprKind::PostDecrement(inner)
            | ExprKind::Unary(UnaryOp::PreIncrement | UnaryOp::PreDecrement, inner) => inner,
            _ => return None,
        };
        if matches!(e.kind, ExprKind::Member(..) | ExprKind::Arrow(..)) {
            return Some(e);
        }
    }
}
