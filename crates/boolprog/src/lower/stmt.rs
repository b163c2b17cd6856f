//! Statements to edges.

use super::Lowerer;
use super::expr::Primes;
use crate::ast::{Name, Stmt, StmtKind, Tree};
use crate::print;
use crate::program::{Formula, NodeId, Op, Role, Term, VarId};
use robusto_syntax::{Diagnostic, Span};

impl<'f> Lowerer<'f, '_> {
    /// Statements from one node to another.
    pub(super) fn list(&mut self, list: &'f [Stmt], from: NodeId, to: NodeId) {
        let Some((last, before)) = list.split_last() else {
            return self.edge(from, to, Op::Skip, 0, Role::Silent, "skip", Span::default());
        };
        let mut at = from;
        for stmt in before {
            let next = self.node();
            self.stmt(stmt, at, next);
            at = next;
        }
        self.stmt(last, at, to);
    }

    /// What is enforced, from the entry on; gives the node behind the first check.
    pub(super) fn enforced(&mut self, conditions: &[Tree], entry: NodeId) -> NodeId {
        let (mut terms, mut roots, mut choices) = (Vec::new(), Vec::new(), 0);
        for &condition in conditions {
            let shift = terms.len() as u32;
            terms.extend(self.formula(condition, &mut choices).0.iter().map(|term| term.with_operands(|i| i + shift)));
            roots.push(terms.len() as u32 - 1);
        }
        let Some(&first) = conditions.first() else { return entry };
        terms.push(Term::And(roots.into()));
        let span = self.names.file.node(first.root).span;
        self.enforce = Some((Formula(terms.into()), choices, span));
        let begin = self.node();
        self.check_enforced(entry, begin);
        begin
    }

    fn check_enforced(&mut self, from: NodeId, to: NodeId) {
        if let Some((formula, choices, span)) = self.enforce.clone() {
            self.edge(from, to, Op::Assume(formula), choices, Role::Silent, "enforce", span);
        }
    }

    /// An edge that changes variables, and the check of what is enforced if it depends on them.
    fn change(&mut self, from: NodeId, to: NodeId, op: Op, choices: u32, text: &str, span: Span) {
        let globals = self.names.file.globals.len();
        let depends = self.enforce.as_ref().is_some_and(|(formula, ..)| {
            formula.variables().any(|var| match &op {
                Op::Assign { targets, .. } => targets.contains(&var),
                Op::Call { targets, .. } => var.index() < globals || targets.contains(&Some(var)),
                Op::Skip | Op::Assume(_) | Op::Return(_) => false,
            })
        });
        if depends {
            let between = self.node();
            self.edge(from, between, op, choices, Role::Statement, text, span);
            self.check_enforced(between, to);
        } else {
            self.edge(from, to, op, choices, Role::Statement, text, span);
        }
    }

    fn stmt(&mut self, stmt: &'f Stmt, from: NodeId, to: NodeId) {
        let span = stmt.span;
        for label in &stmt.labels {
            if let Some((_, first)) = self.labels.insert(&label.text, (from, label.span)) {
                let message = format!("there are two labels `{}` in this procedure", label.text);
                self.errors.push(Diagnostic::error(label.span, message).note(first, "the first one is here"));
            }
        }
        let text = print::statement(self.names.file, &stmt.kind);
        match &stmt.kind {
            StmtKind::Skip => self.edge(from, to, Op::Skip, 0, Role::Statement, &text, span),
            StmtKind::Print(values) => {
                for &value in values {
                    self.formula(value, &mut 0);
                }
                self.edge(from, to, Op::Skip, 0, Role::Statement, &text, span);
            }
            StmtKind::Assign { targets, values, constrain } => {
                self.assign((targets, values, *constrain), from, to, &text, span);
            }
            StmtKind::Call { targets, callee, args } => self.call((targets, callee, args), from, to, &text, span),
            StmtKind::Dead(names) => {
                let targets = self.targets(names).into_iter().flatten().collect::<Vec<_>>();
                let choices = targets.len() as u32;
                let values = (0..choices).map(Formula::choice).collect();
                self.change(from, to, Op::Assign { targets, values, constrain: None }, choices, &text, span);
            }
            StmtKind::Assume(condition) => self.assume(*condition, true, from, to, Role::Statement, &text, span),
            StmtKind::AbortIf(condition) => self.assume(*condition, false, from, to, Role::Statement, &text, span),
            StmtKind::Assert(condition) => {
                let failure = self.node();
                self.assume(*condition, false, from, failure, Role::Failure, &text, span);
                self.assume(*condition, true, from, to, Role::Statement, &text, span);
            }
            StmtKind::Goto(labels) => {
                for label in labels {
                    self.jumps.push((self.edges.len(), label));
                    self.edge(from, from, Op::Skip, 0, Role::Statement, &text, span);
                }
            }
            StmtKind::If { arms, otherwise } => {
                let mut at = from;
                for (i, (condition, body)) in arms.iter().enumerate() {
                    let text = format!("if {}", print::expression(self.names.file, *condition));
                    let span = self.names.file.node(condition.root).span;
                    let then = if body.is_empty() { to } else { self.node() };
                    self.assume(*condition, true, at, then, Role::Branch(true), &text, span);
                    if !body.is_empty() {
                        self.list(body, then, to);
                    }
                    let is_last = i + 1 == arms.len() && otherwise.is_empty();
                    let next = if is_last { to } else { self.node() };
                    self.assume(*condition, false, at, next, Role::Branch(false), &text, span);
                    at = next;
                }
                if !otherwise.is_empty() {
                    self.list(otherwise, at, to);
                }
            }
            StmtKind::While { condition, body } => {
                let span = self.names.file.node(condition.root).span;
                let inside = if body.is_empty() { from } else { self.node() };
                self.assume(*condition, true, from, inside, Role::Loop(true), &text, span);
                if !body.is_empty() {
                    self.list(body, inside, from);
                }
                self.assume(*condition, false, from, to, Role::Loop(false), &text, span);
            }
            StmtKind::Return(values) => {
                if values.len() != self.results as usize {
                    let message = format!(
                        "this returns {}, but the procedure has {}",
                        count(values.len(), "value"),
                        count(self.results as usize, "result")
                    );
                    self.errors.push(Diagnostic::error(span, message));
                }
                let mut choices = 0;
                let values = values.iter().map(|&value| self.formula(value, &mut choices)).collect();
                let exit = self.exit;
                self.edge(from, exit, Op::Return(values), choices, Role::Statement, &text, span);
            }
        }
    }

    #[expect(clippy::too_many_arguments, reason = "an edge has that many parts")]
    fn assume(&mut self, condition: Tree, truth: bool, from: NodeId, to: NodeId, role: Role, text: &str, span: Span) {
        let mut choices = 0;
        let errors = self.errors.len();
        let formula = self.formula(condition, &mut choices);
        // The two ways out of a condition complain once.
        if !truth && matches!(role, Role::Branch(_) | Role::Loop(_) | Role::Failure) {
            self.errors.truncate(errors);
        }
        let formula = if truth { formula } else { formula.negated() };
        self.edge(from, to, Op::Assume(formula), choices, role, text, span);
    }

    fn assign(
        &mut self,
        (names, values, constrain): (&'f [Name], &[Tree], Option<Tree>),
        from: NodeId,
        to: NodeId,
        text: &str,
        span: Span,
    ) {
        if names.len() != values.len() {
            let message = format!("{} for {}", count(values.len(), "value"), count(names.len(), "target"));
            self.errors.push(Diagnostic::error(span, message));
        }
        let found = self.targets(names);
        let (mut targets, mut formulas, mut choices) = (Vec::new(), Vec::new(), 0);
        for (target, &value) in found.into_iter().zip(values) {
            let formula = self.formula(value, &mut choices);
            if let Some(target) = target {
                targets.push(target);
                formulas.push(formula);
            }
        }
        let constrain = constrain.map(|tree| self.formula_with(tree, &mut choices, Primes::Allowed));
        self.change(from, to, Op::Assign { targets, values: formulas, constrain }, choices, text, span);
    }

    fn call(
        &mut self,
        (names, callee, args): (&'f [Name], &Name, &[Tree]),
        from: NodeId,
        to: NodeId,
        text: &str,
        span: Span,
    ) {
        let mut choices = 0;
        let args: Vec<Formula> = args.iter().map(|&arg| self.formula(arg, &mut choices)).collect();
        let mut targets = self.targets(names);
        let Some(&(id, declared)) = self.names.procedures.get(&*callee.text) else {
            let message = format!("there is no procedure `{}`", callee.text);
            return self.errors.push(Diagnostic::error(callee.span, message));
        };
        let tree = &self.names.file.procedures[id.index()];
        let (formals, results) = (tree.formals.len(), tree.results as usize);
        if args.len() != formals {
            let message = format!("`{}` has {}, not {}", callee.text, count(formals, "parameter"), args.len());
            self.errors.push(Diagnostic::error(callee.span, message).note(declared, "it is here"));
        }
        if !targets.is_empty() && targets.len() != results {
            let message = format!("`{}` has {}, not {}", callee.text, count(results, "result"), targets.len());
            self.errors.push(Diagnostic::error(span, message).note(declared, "it is here"));
        }
        // Who names no target wants no result.
        targets.resize(results, None);
        self.change(from, to, Op::Call { callee: id, args, targets }, choices, text, span);
    }

    /// The variables on the left; all different, `None` for `_`.
    fn targets(&mut self, names: &'f [Name]) -> Vec<Option<VarId>> {
        let mut seen: rustc_hash::FxHashSet<&str> = rustc_hash::FxHashSet::default();
        let mut targets = Vec::with_capacity(names.len());
        for name in names {
            if name.is_discard() {
                targets.push(None);
                continue;
            }
            if !seen.insert(&name.text) {
                self.errors.push(Diagnostic::error(name.span, format!("`{}` is assigned twice at once", name.text)));
            }
            targets.push(Some(self.variable(&name.text, name.span)));
        }
        targets
    }
}

fn count(number: usize, what: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {what}{plural}")
}
