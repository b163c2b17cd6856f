//! One procedure as one formula: its nodes in topological order, cut at the nodes that have a relation.
//!
//! A state is a guard and a term for each variable of the frame, over symbols for the values at the entry, at each cut node,
//! behind each call, and for choices. Where paths meet, a fresh selector says which was taken (trap (c) of *SAT-Based
//! Summarization*: with a disjunction of guards and `ite(guard, …)`, states are lost when both guards hold, as they do at the
//! labels of a `goto`). So every node and every edge is visited once, whatever the number of paths.

use super::order::Order;
use super::prover::{Claim, Prover};
use super::{Failure, Statistics, never_entered};
use crate::certificate::{ProcedureProof, Proof, Relation};
use crate::program::{Edge, Formula, NodeId, Op, ProcId, Procedure, Program, Term as Leaf, VarId};
use robusto_limits::Limits;
use robusto_logic::{Sort, Symbol, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;
use std::convert::Infallible;

/// The check of one procedure.
pub(super) struct Walk<'a> {
    program: &'a Program,
    proof: &'a Proof,
    id: ProcId,
    procedure: &'a Procedure,
    terms: Terms,
    prover: Prover,
    /// The values of globals and parameters at the entry.
    entry: Vec<Term>,
    checks: u64,
    order: &'a Order,
    limits: &'a Limits,
}

/// Where control may be, and with which values.
#[derive(Clone)]
struct State {
    guard: Term,
    values: Vec<Term>,
}

impl<'a> Walk<'a> {
    pub fn new(program: &'a Program, proof: &'a Proof, id: ProcId, order: &'a Order, limits: &'a Limits) -> Self {
        let procedure = program.procedure(id);
        let (terms, prover) = (Terms::new(), Prover::new(limits));
        let mut walk =
            Self { program, proof, id, procedure, terms, prover, entry: Vec::new(), checks: 0, order, limits };
        let inputs = program.globals.len() + procedure.formals as usize;
        walk.entry = (0..inputs).map(|i| walk.value_of("entry", id, VarId(i as u32))).collect();
        walk
    }

    /// Any value of a variable of a procedure.
    fn value_of(&mut self, prefix: &str, id: ProcId, var: VarId) -> Term {
        let value = self.terms.fresh(prefix, Sort::BOOL);
        self.prover.place(&self.terms, value, self.order.place(id, var));
        value
    }

    pub fn statistics(&self) -> Statistics {
        Statistics { checks: self.checks, calls: self.prover.calls }
    }

    /// The program starts here: any values are entries.
    pub fn start(&mut self, entries: &Formula) -> Result<(), Failure> {
        let entry = self.entry.clone();
        let claim = self.claim(entries, &entry, &[]);
        let all = self.terms.yes();
        self.show(all, claim, || format!("the start of the program is no entry of `{}`", self.procedure.name))
    }

    /// Walks from the entry and from all cut nodes. Nothing is to arrive at a target, so nothing goes on from there.
    pub fn run(&mut self, known: &'a ProcedureProof, targets: &[bool]) -> Result<(), Failure> {
        let nodes = self.procedure.outgoing.len();
        let relation = |i: usize| known.heads.get(&NodeId(i as u32)).filter(|_| !targets[i]);
        let cuts: Vec<Option<&Relation>> = (0..nodes).map(relation).collect();
        let order = self.order(&cuts, targets)?;
        let mut arriving: Vec<Vec<State>> = vec![Vec::new(); nodes];
        let entry = self.entry.clone();
        let entries = self.assumption(&known.entries, &entry, &[]);
        let values = self.fresh_frame(|var| entry.get(var.index()).copied());
        let first = State { guard: entries, values };
        match cuts[self.procedure.entry.index()] {
            Some(relation) => self.arrive(relation, &first, "the relation", self.procedure.entry)?,
            None => arriving[self.procedure.entry.index()].push(first),
        }
        for node in order {
            self.limits.look()?;
            let state = match cuts[node.index()] {
                Some(relation) => Some(self.cut(relation, entries)),
                None => self.merge(std::mem::take(&mut arriving[node.index()])),
            };
            let Some(state) = state else { continue };
            if targets[node.index()] {
                let procedure = self.procedure;
                self.exclude(state.guard, || format!("{} can be reached", place(procedure, node)))?;
                continue;
            }
            if node == self.procedure.exit {
                self.arrive(&known.summary, &state, "the summary", node)?;
            }
            for &edge in &self.procedure.outgoing[node.index()] {
                let edge = self.procedure.edge(edge);
                if let Some(behind) = self.step(edge, &state)? {
                    // What arrives at a relation is shown at once, an edge at a time.
                    match cuts[edge.to.index()] {
                        Some(relation) => self.arrive(relation, &behind, "the relation", edge.to)?,
                        None => arriving[edge.to.index()].push(behind),
                    }
                }
            }
        }
        Ok(())
    }

    /// The nodes that the entry leads to, each behind those from which it is reached without passing a cut node.
    fn order(&self, cuts: &[Option<&Relation>], targets: &[bool]) -> Result<Vec<NodeId>, Failure> {
        let procedure = self.procedure;
        let behind = |node: NodeId| {
            let edges = procedure.outgoing[node.index()].iter().filter(move |_| !targets[node.index()]);
            edges.map(|&edge| procedure.edge(edge).to)
        };
        let mut reached = vec![false; cuts.len()];
        let mut incoming = vec![0u32; cuts.len()];
        reached[procedure.entry.index()] = true;
        let mut todo = vec![procedure.entry];
        while let Some(node) = todo.pop() {
            for to in behind(node) {
                incoming[to.index()] += u32::from(cuts[to.index()].is_none());
                if !std::mem::replace(&mut reached[to.index()], true) {
                    todo.push(to);
                }
            }
        }
        let ready = (0..reached.len()).filter(|&i| reached[i] && incoming[i] == 0);
        let mut ready: VecDeque<NodeId> = ready.map(|i| NodeId(i as u32)).collect();
        let mut order = Vec::new();
        while let Some(node) = ready.pop_front() {
            order.push(node);
            for to in behind(node).filter(|to| cuts[to.index()].is_none()) {
                incoming[to.index()] -= 1;
                if incoming[to.index()] == 0 {
                    ready.push_back(to);
                }
            }
        }
        match incoming.iter().position(|&count| count > 0) {
            None => Ok(order),
            Some(i) => {
                let place = place(procedure, NodeId(i as u32));
                Err(Failure::Refuted(format!("a loop through {place} has no relation")))
            }
        }
    }

    /// Any state that a relation allows, in an activation whose entry was one.
    fn cut(&mut self, relation: &Relation, entries: Term) -> State {
        let same: FxHashSet<VarId> = relation.same.iter().copied().collect();
        let entry = self.entry.clone();
        let values = self.fresh_frame(|var| entry.get(var.index()).copied().filter(|_| same.contains(&var)));
        let holds = self.assumption(&relation.formula, &entry, &values);
        State { guard: self.terms.and(entries, holds), values }
    }

    /// A value for each variable of the frame: the one that is known, else any.
    fn fresh_frame(&mut self, known: impl Fn(VarId) -> Option<Term>) -> Vec<Term> {
        let size = self.program.frame_size(self.id);
        let known: Vec<Option<Term>> = (0..size).map(|i| known(VarId(i as u32))).collect();
        let known = known.into_iter().enumerate();
        known.map(|(i, value)| value.unwrap_or_else(|| self.value_of("any", self.id, VarId(i as u32)))).collect()
    }

    /// One of several states.
    fn merge(&mut self, states: Vec<State>) -> Option<State> {
        let mut states = states.into_iter();
        let mut all = states.next()?;
        for one in states {
            let selector = self.terms.fresh("path", Sort::BOOL);
            all.guard = self.terms.ite(selector, one.guard, all.guard);
            for (value, other) in all.values.iter_mut().zip(one.values) {
                *value = self.terms.ite(selector, other, *value);
            }
        }
        Some(all)
    }

    /// The states behind an edge; `None` if there are none.
    fn step(&mut self, edge: &Edge, before: &State) -> Result<Option<State>, Failure> {
        let choices: Vec<Term> = (0..edge.choices).map(|_| self.terms.fresh("choice", Sort::BOOL)).collect();
        let State { mut guard, ref values } = *before;
        let mut after = values.clone();
        match &edge.op {
            Op::Skip => {}
            Op::Assume(formula) => {
                let holds = value(&mut self.terms, formula, values, values, |i| choices[i as usize]);
                guard = self.terms.and(guard, holds);
            }
            Op::Assign { targets, values: new, constrain } => {
                for (target, formula) in targets.iter().zip(new) {
                    after[target.index()] = value(&mut self.terms, formula, values, values, |i| choices[i as usize]);
                }
                if let Some(formula) = constrain {
                    let holds = value(&mut self.terms, formula, values, &after, |i| choices[i as usize]);
                    guard = self.terms.and(guard, holds);
                }
            }
            Op::Return(results) => {
                for (i, formula) in results.iter().enumerate() {
                    after[self.program.result(self.id, i).index()] =
                        value(&mut self.terms, formula, values, values, |i| choices[i as usize]);
                }
            }
            Op::Call { callee, args, targets } => {
                let globals = values[..self.program.globals.len()].iter().copied();
                let args = args.iter().map(|arg| value(&mut self.terms, arg, values, values, |i| choices[i as usize]));
                let actual: Vec<Term> = globals.chain(args).collect();
                let name = &self.program.procedure(*callee).name;
                if never_entered(self.proof, *callee) {
                    let line = edge.place.line;
                    self.exclude(guard, || format!("line {line} calls `{name}`, which is said never to be entered"))?;
                    return Ok(None);
                }
                let known = &self.proof.procedures[callee];
                let claim = self.claim(&known.entries, &actual, &[]);
                self.show(guard, claim, || {
                    format!("line {} calls `{name}` with a state that is none of its entries", edge.place.line)
                })?;
                let (exit, holds) = self.summary(*callee, &known.summary, &actual);
                guard = self.terms.and(guard, holds);
                after[..self.program.globals.len()].copy_from_slice(&exit[..self.program.globals.len()]);
                for (i, target) in targets.iter().enumerate() {
                    if let Some(target) = target {
                        after[target.index()] = exit[self.program.result(*callee, i).index()];
                    }
                }
            }
        }
        Ok((!self.terms.is_false(guard)).then_some(State { guard, values: after }))
    }

    /// The values at the exit of a procedure that was entered with these, and what its summary says of them.
    fn summary(&mut self, callee: ProcId, summary: &Relation, actual: &[Term]) -> (Vec<Term>, Term) {
        let same: FxHashSet<VarId> = summary.same.iter().copied().collect();
        let size = self.program.frame_size(callee);
        let exit: Vec<Term> = (0..size)
            .map(|i| match actual.get(i) {
                Some(&value) if same.contains(&VarId(i as u32)) => value,
                _ => self.value_of("exit", callee, VarId(i as u32)),
            })
            .collect();
        let holds = self.assumption(&summary.formula, actual, &exit);
        (exit, holds)
    }

    /// Shows that what arrives at a node is in its relation.
    fn arrive(&mut self, relation: &Relation, state: &State, what: &str, node: NodeId) -> Result<(), Failure> {
        let entry = self.entry.clone();
        let mut claim = self.claim(&relation.formula, &entry, &state.values);
        for &var in &relation.same {
            let equal = self.terms.eq(entry[var.index()], state.values[var.index()]);
            claim.holds = self.terms.and(claim.holds, equal);
        }
        let procedure = self.procedure;
        let what = || format!("{what} at {} does not hold of all that arrives there", place(procedure, node));
        self.show(state.guard, claim, what)
    }

    fn show(&mut self, guard: Term, claim: Claim, what: impl FnOnce() -> String) -> Result<(), Failure> {
        self.checks += 1;
        if self.prover.implies(&mut self.terms, guard, &claim)? { Ok(()) } else { Err(Failure::Refuted(what())) }
    }

    fn exclude(&mut self, guard: Term, what: impl FnOnce() -> String) -> Result<(), Failure> {
        let never = Claim { holds: self.terms.no(), choices: FxHashSet::default(), selectors: FxHashSet::default() };
        self.show(guard, never, what)
    }

    /// A formula that is known: its choices are made somehow.
    fn assumption(&mut self, formula: &Formula, entry: &[Term], now: &[Term]) -> Term {
        self.claim(formula, entry, now).holds
    }

    /// A formula that is to be shown, for some of its choices.
    fn claim(&mut self, formula: &Formula, entry: &[Term], now: &[Term]) -> Claim {
        let mut made: FxHashMap<u32, Term> = FxHashMap::default();
        for term in &formula.0 {
            if let Leaf::Choice(number) = term {
                made.entry(*number).or_insert_with(|| self.terms.fresh("some", Sort::BOOL));
            }
        }
        let holds = value(&mut self.terms, formula, entry, now, |number| made[&number]);
        let symbol = |t: &Term| self.terms.as_symbol(*t);
        let choices: FxHashSet<Symbol> = made.values().filter_map(symbol).collect();
        let is_condition = |term: &Leaf| match term {
            Leaf::Ite(condition, ..) => match formula.0[*condition as usize] {
                Leaf::Choice(number) => symbol(&made[&number]),
                _ => None,
            },
            _ => None,
        };
        let selectors = formula.0.iter().filter_map(is_condition).collect();
        Claim { holds, choices, selectors }
    }
}

/// A node, for people.
fn place(procedure: &Procedure, node: NodeId) -> String {
    let edges = procedure.outgoing[node.index()].iter().map(|&edge| procedure.edge(edge));
    let into = procedure.edges.iter().filter(|edge| edge.to == node);
    let line = edges.chain(into).map(|edge| edge.place.line).find(|&line| line > 0);
    let line = line.map(|line| format!(" (line {line})")).unwrap_or_default();
    format!("node {} of `{}`{line}", node.0, procedure.name)
}

/// A formula as a term, given the values that its leaves stand for.
fn value(terms: &mut Terms, formula: &Formula, now: &[Term], next: &[Term], choice: impl Fn(u32) -> Term) -> Term {
    let value = formula.fold(|term, values: &[Term]| {
        let at = |i: u32| values[i as usize];
        Ok::<Term, Infallible>(match term {
            Leaf::Const(value) => terms.truth(*value),
            Leaf::Var(var) => now[var.index()],
            Leaf::Next(var) => next[var.index()],
            Leaf::Choice(number) => choice(*number),
            Leaf::Not(inner) => terms.not(at(*inner)),
            Leaf::And(list) => list.iter().fold(terms.yes(), |all, &i| terms.and(all, at(i))),
            Leaf::Or(list) => list.iter().fold(terms.no(), |any, &i| terms.or(any, at(i))),
            Leaf::Xor(list) => list.iter().fold(terms.no(), |odd, &i| terms.xor(odd, at(i))),
            Leaf::Ite(condition, then, otherwise) => terms.ite(at(*condition), at(*then), at(*otherwise)),
        })
    });
    value.unwrap_or_else(|never| match never {})
}
