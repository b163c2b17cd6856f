//! Expressions to formulas.

use super::Lowerer;
use crate::ast::{BinaryOp, Expr, Tree};
use crate::program::{Formula, Term, VarId};
use robusto_syntax::{Diagnostic, Span};

/// Whether `'x` may occur.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Primes {
    Allowed,
    Refused,
}

impl Formula {
    /// The choice of this number.
    pub(crate) fn choice(number: u32) -> Self {
        Self(Box::new([Term::Choice(number)]))
    }
}

impl Lowerer<'_, '_> {
    /// A formula without `'x`. `choices` counts those of the edge.
    pub(super) fn formula(&mut self, tree: Tree, choices: &mut u32) -> Formula {
        self.formula_with(tree, choices, Primes::Refused)
    }

    pub(super) fn formula_with(&mut self, tree: Tree, choices: &mut u32, primes: Primes) -> Formula {
        let file = self.names.file;
        let mut terms: Vec<Term> = Vec::new();
        // The term of each node of the tree.
        let mut of: Vec<u32> = Vec::new();
        for node in file.nodes_of(tree) {
            let at = |child: &crate::ast::NodeRef| of[(child.0 - tree.first) as usize];
            let term = match &node.expr {
                Expr::Const(value) => Term::Const(*value),
                Expr::Choice => {
                    *choices += 1;
                    Term::Choice(*choices - 1)
                }
                Expr::Var(name) => Term::Var(self.variable(name, node.span)),
                Expr::Next(name) => {
                    if primes == Primes::Refused {
                        let message = format!("`'{name}` has a meaning only behind `constrain`");
                        self.errors.push(Diagnostic::error(node.span, message));
                    }
                    Term::Next(self.variable(name, node.span))
                }
                Expr::Not(inner) => Term::Not(at(inner)),
                Expr::Chain(op, members) => {
                    let members = members.iter().map(at).collect();
                    match op {
                        BinaryOp::And => Term::And(members),
                        BinaryOp::Or => Term::Or(members),
                        _ => Term::Xor(members),
                    }
                }
                Expr::Binary(BinaryOp::Implies, left, right) => {
                    let (left, right) = (at(left), at(right));
                    terms.push(Term::Not(left));
                    Term::Or(Box::new([terms.len() as u32 - 1, right]))
                }
                Expr::Binary(BinaryOp::Eq, left, right) => {
                    terms.push(Term::Xor(Box::new([at(left), at(right)])));
                    Term::Not(terms.len() as u32 - 1)
                }
                Expr::Binary(_, left, right) => Term::Xor(Box::new([at(left), at(right)])),
                Expr::Ite(condition, then, otherwise) => Term::Ite(at(condition), at(then), at(otherwise)),
                Expr::Schoose(one, zero) => {
                    let (one, zero, last) = (at(one), at(zero), terms.len() as u32);
                    *choices += 1;
                    terms.push(Term::Choice(*choices - 1));
                    terms.push(Term::Not(zero));
                    terms.push(Term::And(Box::new([last, last + 1])));
                    Term::Or(Box::new([one, last + 2]))
                }
            };
            terms.push(term);
            of.push(terms.len() as u32 - 1);
        }
        Formula(terms.into())
    }

    /// The variable of a name. One that is not declared is an error; then any will do.
    pub(super) fn variable(&mut self, name: &str, span: Span) -> VarId {
        if let Some(var) = self.locals.get(name).or_else(|| self.names.globals.get(name)) {
            return *var;
        }
        let message = match name {
            "_" => "`_` has no value; it stands on the left of `:=` only".to_owned(),
            _ => format!("the variable `{name}` is not declared"),
        };
        self.errors.push(Diagnostic::error(span, message));
        VarId(0)
    }
}
