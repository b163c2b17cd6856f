//! The Boolean program of a program and predicates.
//!
//! One procedure per kept function, with the same cut points. A cut point is a label `N…` with a jump to the links that leave
//! it; a link is a label `L…` with an assignment to the predicates that are tracked at its end, related to those at its start
//! as the solver says; a call is a label `C…`. Labels name the line of the C program.
//!
//! A link to an error is an assertion that fails. What is not modelled is one, too: only a proof that it is not reached
//! makes it harmless.
//!
//! Soundness: an execution of the program has an execution of the Boolean program in which each variable, wherever it is
//! tracked, says whether its predicate holds; by induction over the links, since each relation has the values before
//! and behind every path of its link.

use super::formula::Formula;
use super::known::Known;
use super::names::Names;
use super::precision::{Argument, Precision, at_entry};
use super::relation::{self, Question, Relations};
use crate::procedures::{Call, CutId, End, Link, Procedure, Procedures};
use robusto_analyses::symbolic::Encoder;
use robusto_boolprog::ast::{self, File, Name, Stmt, StmtKind};
use robusto_limits::Stopped;
use robusto_logic::Term;
use std::rc::Rc;

/// Computes abstractions.
pub struct Abstraction<'a, 'f> {
    /// The terms.
    pub encoder: &'a mut Encoder<'f>,
    /// What is abstracted.
    pub procedures: &'a Procedures<'f>,
    /// The solver.
    pub relations: &'a mut Relations,
    /// The predicates.
    pub precision: &'a Precision,
    /// What the callees' entry predicates are at the calls.
    pub arguments: &'a [Vec<Vec<Argument>>],
    /// By procedure and cut point, what is known to hold there.
    pub known: &'a Known,
}

/// A literal of the abstraction: a predicate over the values at the start of a link, and its formula.
pub struct Literal {
    /// The predicate.
    pub term: Term,
    /// The variable that tells its value.
    pub formula: Formula,
}

/// The Boolean program.
pub fn program(abstraction: &mut Abstraction<'_, '_>) -> Result<File, Stopped> {
    let names = Names::of(abstraction.encoder, abstraction.procedures, abstraction.precision);
    let mut file = File::default();
    if let Some(start) = abstraction.start(&names, &mut file)? {
        file.procedures.push(start);
    }
    for number in 0..abstraction.procedures.list.len() {
        let procedure = abstraction.procedure(&names, number, &mut file)?;
        file.procedures.push(procedure);
    }
    Ok(file)
}

impl<'f> Abstraction<'_, 'f> {
    /// Where the program starts, if somebody calls the C program's `main`: with the predicates of the initial values.
    fn start(&mut self, names: &Names, file: &mut File) -> Result<Option<ast::Procedure>, Stopped> {
        let main = &self.procedures.list[0];
        if main.is_start {
            return Ok(None);
        }
        let initial = self.encoder.initial();
        let entry = &self.precision.of[0].entry;
        let behind = entry.iter().map(|&t| self.encoder.apply(&initial, t)).collect();
        let question = Question { guard: initial.guard, before: Vec::new(), behind };
        let relation = self.relations.of(&mut self.encoder.terms, question)?;
        let locals = names.of[0].entry.clone();
        let mut body = Vec::new();
        push_step(file, &mut body, relation.step(&[], &locals), &locals);
        let args = locals.iter().map(|local| Formula::Var(local.clone()).tree(file)).collect();
        body.push(stmt(StmtKind::Call { targets: Vec::new(), callee: name(&names.procedures[0]), args }));
        let locals = locals.iter().map(|n| name(n)).collect();
        Ok(Some(made("main", 0, Vec::new(), locals, Vec::new(), body)))
    }

    fn procedure(&mut self, names: &Names, number: usize, file: &mut File) -> Result<ast::Procedure, Stopped> {
        let procedures = self.procedures;
        let procedure = &procedures.list[number];
        let own = &names.of[number];
        let mut body = Vec::new();
        for (cut, _) in procedure.numbered() {
            if cut == CutId::EXIT {
                continue;
            }
            let mut ways: Vec<Rc<str>> = Vec::new();
            let mut parts: Vec<Vec<Stmt>> = Vec::new();
            for (i, link) in procedure.links.iter().enumerate().filter(|(_, l)| l.from == cut && l.over.is_none()) {
                let part = self.link(names, (number, i), link, file)?;
                if let Some(part) = part {
                    ways.push(own.links[i].clone());
                    parts.push(part);
                }
            }
            for (i, call) in procedure.calls.iter().enumerate().filter(|(_, c)| c.at == cut) {
                let part = self.call(names, (number, i), call, file)?;
                if let Some(part) = part {
                    ways.push(own.calls[i].clone());
                    parts.push(part);
                }
            }
            body.push(labelled(&own.cuts[cut.index()], jump(file, &ways)));
            body.extend(parts.into_iter().flatten());
        }
        let entry: Vec<Term> = self.precision.of[number].entry.clone();
        let excluded = self.relations.exclusions(&mut self.encoder.terms, &entry)?;
        let enforce = excluded
            .into_iter()
            .map(|pair| {
                let both = pair.map(|(k, value)| Formula::Var(own.entry[k].clone()).literal(value));
                Formula::all(both.to_vec()).literal(false).tree(file)
            })
            .collect();
        let list = |names: &[Rc<str>]| names.iter().map(|n| name(n)).collect::<Vec<_>>();
        let locals: Vec<Name> = [&own.local, &own.exit, &own.returned].into_iter().flat_map(|l| list(l)).collect();
        let results = own.exit.len() as u32;
        Ok(made(&names.procedures[number], results, list(&own.entry), locals, enforce, body))
    }

    /// The predicates at the start of a link.
    pub fn before(&mut self, names: &Names, number: usize, from: CutId, over: Option<usize>) -> Vec<Literal> {
        let procedures = self.procedures;
        let (scopes, own) = (&self.precision.of[number], &names.of[number]);
        let mut literals = Vec::new();
        for (&term, name) in scopes.entry.iter().zip(&own.entry) {
            let term = at_entry(self.encoder, term);
            literals.push(Literal { term, formula: Formula::Var(name.clone()) });
        }
        for &i in &scopes.tracked[from.index()] {
            literals.push(Literal { term: scopes.local[i], formula: Formula::Var(own.local[i].clone()) });
        }
        if let Some(over) = over {
            let call = &procedures.list[number].calls[over];
            let callee = procedures.number(call.callee).expect("calls are of kept functions");
            for (i, &exit) in self.precision.of[callee].exit.iter().enumerate() {
                let term = call.behind(self.encoder, exit);
                literals.push(Literal { term, formula: Formula::Var(own.returned[i].clone()) });
            }
        }
        literals
    }

    /// The predicates at the end of a link, over the values at its start, with the variables that take their values.
    pub fn behind(&mut self, names: &Names, number: usize, link: &Link) -> Vec<(Term, Rc<str>)> {
        let (scopes, own) = (&self.precision.of[number], &names.of[number]);
        let at_end: Vec<(Term, Rc<str>)> = match link.to {
            End::Cut(CutId::EXIT) => scopes.exit.iter().copied().zip(own.exit.iter().cloned()).collect(),
            End::Cut(cut) => {
                scopes.tracked[cut.index()].iter().map(|&i| (scopes.local[i], own.local[i].clone())).collect()
            }
            End::Violation(_) | End::Unmodelled(_) => Vec::new(),
        };
        at_end.into_iter().map(|(term, name)| (self.encoder.apply(&link.formula, term), name)).collect()
    }

    /// When a path along a link is taken, given what is known at its start and of the call that it is behind.
    pub fn guard(&mut self, number: usize, link: &Link) -> Term {
        let procedures = self.procedures;
        let at_start = self.known.at_start(self.encoder, number, link.from);
        let mut all = vec![link.formula.guard, at_start];
        if let Some(over) = link.over {
            let call = &procedures.list[number].calls[over];
            let callee = procedures.number(call.callee).expect("calls are of kept functions");
            let at_exit = self.known.at(callee, CutId::EXIT);
            all.push(call.behind(self.encoder, at_exit));
        }
        self.encoder.terms.and_all(&all)
    }

    /// The statements of a link; `None` if no path takes it.
    fn link(
        &mut self,
        names: &Names,
        (number, i): (usize, usize),
        link: &Link,
        file: &mut File,
    ) -> Result<Option<Vec<Stmt>>, Stopped> {
        let before = self.before(names, number, link.from, link.over);
        let (behind, targets): (Vec<Term>, Vec<Rc<str>>) = self.behind(names, number, link).into_iter().unzip();
        let guard = self.guard(number, link);
        let question = Question { guard, before: before.iter().map(|l| l.term).collect(), behind };
        let relation = self.relations.of(&mut self.encoder.terms, question)?;
        let formulas: Vec<Formula> = before.into_iter().map(|l| l.formula).collect();
        let step = relation.step(&formulas, &targets);
        if step.is_none() {
            return Ok(None);
        }
        let own = &names.of[number];
        let mut body = Vec::new();
        push_step(file, &mut body, step, &targets);
        body.push(stmt(match link.to {
            End::Cut(CutId::EXIT) => {
                StmtKind::Return(own.exit.iter().map(|n| Formula::Var(n.clone()).tree(file)).collect())
            }
            End::Cut(cut) => StmtKind::Goto(vec![name(&own.cuts[cut.index()])]),
            End::Violation(_) | End::Unmodelled(_) => StmtKind::Assert(Formula::Const(false).tree(file)),
        }));
        body[0].labels.push(name(&own.links[i]));
        Ok(Some(body))
    }

    /// The statements of a call and of what is behind it; `None` if it is never made.
    fn call(
        &mut self,
        names: &Names,
        (number, i): (usize, usize),
        call: &Call,
        file: &mut File,
    ) -> Result<Option<Vec<Stmt>>, Stopped> {
        let procedures = self.procedures;
        let procedure: &Procedure = &procedures.list[number];
        let own = &names.of[number];
        let callee = procedures.number(call.callee).expect("calls are of kept functions");
        // A call through a pointer is made where that is the function.
        let before = self.before(names, number, call.at, None);
        let question =
            Question { guard: call.inside.guard, before: before.iter().map(|l| l.term).collect(), behind: Vec::new() };
        let relation = self.relations.of(&mut self.encoder.terms, question)?;
        let formulas: Vec<Formula> = before.into_iter().map(|l| l.formula).collect();
        let step = relation.step(&formulas, &[]);
        if step.is_none() {
            return Ok(None);
        }
        let mut body = Vec::new();
        push_step(file, &mut body, step, &[]);
        let argument = |argument: &Argument| match *argument {
            Argument::Const(value) => Formula::Const(value),
            Argument::Local(local, positive) => Formula::Var(own.local[local].clone()).literal(positive),
        };
        let args = self.arguments[number][i].iter().map(|a| argument(a).tree(file)).collect();
        let returned = &own.returned[..self.precision.of[callee].exit.len()];
        let targets = returned.iter().map(|n| name(n)).collect();
        body.push(stmt(StmtKind::Call { targets, callee: name(&names.procedures[callee]), args }));
        body[0].labels.push(name(&own.calls[i]));
        let mut ways = Vec::new();
        let mut parts = Vec::new();
        for (k, link) in procedure.links.iter().enumerate().filter(|(_, l)| l.over == Some(i)) {
            if let Some(part) = self.link(names, (number, k), link, file)? {
                ways.push(own.links[k].clone());
                parts.extend(part);
            }
        }
        body.push(jump(file, &ways));
        body.extend(parts);
        Ok(Some(body))
    }
}

fn made(
    text: &str,
    results: u32,
    formals: Vec<Name>,
    locals: Vec<Name>,
    enforce: Vec<ast::Tree>,
    body: Vec<Stmt>,
) -> ast::Procedure {
    let name = name(text);
    ast::Procedure { name, results, formals, locals, enforce, dfs: false, body, end: Default::default() }
}

fn name(text: &str) -> Name {
    Name { text: text.into(), span: Default::default() }
}

fn stmt(kind: StmtKind) -> Stmt {
    Stmt { labels: Vec::new(), kind, span: Default::default() }
}

fn labelled(label: &str, mut stmt: Stmt) -> Stmt {
    stmt.labels.push(name(label));
    stmt
}

/// A jump to one of several labels; if there are none, the end.
fn jump(file: &mut File, labels: &[Rc<str>]) -> Stmt {
    stmt(match labels {
        [] => StmtKind::Assume(Formula::Const(false).tree(file)),
        _ => StmtKind::Goto(labels.iter().map(|l| name(l)).collect()),
    })
}

/// The statements of a relation; at least one if there is something behind it to do.
fn push_step(file: &mut File, body: &mut Vec<Stmt>, step: Option<relation::Assignment>, targets: &[Rc<str>]) {
    let Some(step) = step else { return };
    if step.assume != Formula::Const(true) {
        body.push(stmt(StmtKind::Assume(step.assume.tree(file))));
    }
    if !targets.is_empty() {
        let values = step.values.iter().map(|value| value.tree(file)).collect();
        let constrain = (step.constrain != Formula::Const(true)).then(|| step.constrain.tree(file));
        let targets = targets.iter().map(|n| name(n)).collect();
        body.push(stmt(StmtKind::Assign { targets, values, constrain }));
    }
}
