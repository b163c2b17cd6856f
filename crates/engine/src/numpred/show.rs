//! The abstract program as text, as in Figure 2(b).

use super::abstraction::Tau;
use super::numbers::{Test, Update};
use robusto_analyses::symbolic::Encoder;
use robusto_cfa::ir::{Program as Code, VarId};
use robusto_domains::machine::Source;
use robusto_domains::{Constraint, Order};
use robusto_interp::show::expr;
use robusto_logic::Term;
use robusto_numpred::{Choice, Expression, Program, Transformer};
use std::fmt::Write as _;

/// The predicates with their names, and each step in a line.
pub fn text(encoder: &Encoder<'_>, predicates: &[Term], program: &Program<Test, Update>) -> String {
    let code = &encoder.facts().program;
    let mut out = String::new();
    for (i, &predicate) in predicates.iter().enumerate() {
        let _ = writeln!(out, "p{i} is {}", encoder.terms.display(predicate));
    }
    for edge in &program.edges {
        let _ = writeln!(out, "{} -> {}: {}", edge.from.0, edge.to.0, transformer(code, &edge.transformer));
    }
    out
}

fn transformer(code: &Code, tau: &Tau) -> String {
    let nonempty = |parts: Vec<String>| if parts.is_empty() { "skip".to_owned() } else { parts.join(" ∧ ") };
    match tau {
        Transformer::Numeric(update) => nonempty(updates(code, update)),
        Transformer::Assume(condition) => format!("assume({})", expression(code, condition)),
        Transformer::Conditional(condition, update) => {
            format!("{} ? {}", expression(code, condition), nonempty(updates(code, update)))
        }
        Transformer::Predicate(list) => nonempty(list.iter().map(|one| choice(code, one)).collect()),
        Transformer::Both(condition, list, update) => {
            let parts = updates(code, update).into_iter().chain(list.iter().map(|one| choice(code, one)));
            let parts = nonempty(parts.collect());
            match condition {
                Expression::All(all) if all.is_empty() => parts,
                _ => format!("assume({}); {parts}", expression(code, condition)),
            }
        }
        Transformer::Sequence(all) => all.iter().map(|one| transformer(code, one)).collect::<Vec<_>>().join("; "),
        Transformer::Either(all) => {
            all.iter().map(|one| format!("({})", transformer(code, one))).collect::<Vec<_>>().join(" ∨ ")
        }
    }
}

fn updates(code: &Code, update: &Update) -> Vec<String> {
    let assigned = update.assign.iter().map(|(var, source)| match source {
        Source::Value(value) => format!("{} := {}", name(code, *var), expr(code, *value)),
        Source::Within(_) | Source::Anything => format!("{} := *", name(code, *var)),
    });
    let forgotten = update.forget.iter().map(|&var| format!("{} := *", name(code, var)));
    assigned.chain(forgotten).collect()
}

fn choice(code: &Code, choice: &Choice<Test>) -> String {
    let Choice { predicate, yes, no } = choice;
    format!("p{} := choice({}, {})", predicate.0, expression(code, yes), expression(code, no))
}

fn expression(code: &Code, condition: &Expression<Test>) -> String {
    let list = |all: &[Expression<Test>], between: &str, none: &str| match all {
        [] => none.to_owned(),
        [one] => expression(code, one),
        _ => format!("({})", all.iter().map(|one| expression(code, one)).collect::<Vec<_>>().join(between)),
    };
    match condition {
        Expression::Predicate(predicate, true) => format!("p{}", predicate.0),
        Expression::Predicate(predicate, false) => format!("¬p{}", predicate.0),
        Expression::Term(Test::Condition(cond, true)) => expr(code, *cond),
        Expression::Term(Test::Condition(cond, false)) => format!("¬({})", expr(code, *cond)),
        Expression::Term(Test::Linear(constraint)) => linear(code, constraint),
        Expression::All(all) => list(all, " ∧ ", "t"),
        Expression::Any(all) => list(all, " ∨ ", "f"),
    }
}

fn linear(code: &Code, constraint: &Constraint<VarId>) -> String {
    let mut sum: Vec<String> = constraint
        .sum
        .terms()
        .iter()
        .map(|&(x, k)| match k {
            1 => name(code, x).to_owned(),
            -1 => format!("-{}", name(code, x)),
            _ => format!("{k}·{}", name(code, x)),
        })
        .collect();
    if constraint.sum.offset() != 0 {
        sum.push(constraint.sum.offset().to_string());
    }
    let order = match constraint.order {
        Order::AtMost => "≤",
        Order::Equal => "=",
        Order::Different => "≠",
    };
    format!("{} {order} 0", sum.join(" + "))
}

fn name(code: &Code, var: VarId) -> &str {
    &code.vars[var].name
}
