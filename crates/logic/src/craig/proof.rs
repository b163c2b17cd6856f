//! The SAT solver's refutation as resolution chains.
//!
//! CaDiCaL reports each clause it derives with the ids of the clauses it follows from ("antecedents", the LRAT format
//! of Cruz-Filipe, Heule, Hunt, Kaufmann and Schneider-Kamp, "Efficient Certified RAT Verification", CADE 2017): if all
//! literals of the new clause are false, the antecedents propagate in their order and the last one is in conflict.
//! Going back from the conflict and resolving with each antecedent on the literal it had propagated gives the
//! derivation by resolution. Antecedents whose literal does not occur any more are left out, so a chain may yield a
//! subset of the reported clause.
//!
//! Bounded variable addition is the one technique of CaDiCaL 3.0 whose clauses are not implied by the input (they
//! define new variables, reported with a RAT witness); it is off. Variable elimination, probing, vivification,
//! congruence closure, sweeping and equivalent-literal substitution report clauses with antecedents; they drop clauses
//! that only satisfying assignments need, which concerns no refutation.

use std::cell::RefCell;
use std::rc::Rc;

use cadical_sys::{CaDiCal, ProofTracer, Status};

use super::clauses::{ClauseId, Clauses};
use crate::solver::sat::Watch;
use robusto_limits::{Limits, Stopped};

/// A clause of a proof, numbered in the order of derivation: antecedents come first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct StepId(u32);

impl StepId {
    fn new(index: usize) -> Self {
        StepId(u32::try_from(index).expect("a proof has fewer than 2^32 clauses"))
    }

    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// How the clauses in the cone of the empty clause come about, by their number; the last is the empty clause.
pub(super) type Refutation = Vec<Origin>;

/// Where a clause comes from.
pub(super) enum Origin {
    Input(ClauseId),
    /// Start with the clause `first`, then resolve with each clause of `rest` on the literal that stands beside it,
    /// which occurs in that clause, and negated in what has been derived so far.
    Chain {
        first: StepId,
        rest: Vec<(StepId, i32)>,
    },
}

/// Decides the clauses; `None` if they are satisfiable.
pub(super) fn refute(clauses: &Clauses, limits: &Rc<Limits>) -> Result<Option<Refutation>, Stopped> {
    let recorder = Rc::new(RefCell::new(Recorder::default()));
    let mut solver = CaDiCal::new();
    solver.connect_proof_tracer1(Rc::clone(&recorder), true, false);
    solver.set("factor", 0);
    solver.connect_terminator(Watch(Rc::clone(limits)));
    for clause in clauses.ids() {
        solver.clause6(clauses.literals(clause));
    }
    let status = solver.solve();
    drop(solver);
    let recorder = recorder.borrow();
    match status {
        Status::SATISFIABLE => Ok(None),
        Status::UNKNOWN => Err(limits.why()),
        Status::UNSATISFIABLE => recorder.trim(clauses.variables(), limits).map(Some),
    }
}

/// The proof as it is reported; flat, since most of it will be thrown away.
#[derive(Default)]
struct Recorder {
    literals: Vec<i32>,
    antecedents: Vec<StepId>,
    steps: Vec<Step>,
    /// Position by the solver's clause id; ids grow without large gaps.
    by_id: Vec<Option<StepId>>,
    inputs: u32,
    empty: Option<StepId>,
}

struct Step {
    literals: std::ops::Range<usize>,
    antecedents: std::ops::Range<usize>,
    input: Option<ClauseId>,
}

impl Recorder {
    fn push(&mut self, id: i64, clause: &[i32], antecedents: &[i64], input: Option<ClauseId>) {
        if self.empty.is_some() {
            return;
        }
        let step = StepId::new(self.steps.len());
        let (l, a) = (self.literals.len(), self.antecedents.len());
        self.literals.extend_from_slice(clause);
        for &id in antecedents {
            let antecedent = usize::try_from(id).ok().and_then(|id| *self.by_id.get(id)?);
            self.antecedents.push(antecedent.expect("antecedents are reported before the clause"));
        }
        self.steps.push(Step { literals: l..self.literals.len(), antecedents: a..self.antecedents.len(), input });
        let id = usize::try_from(id).expect("clause ids are positive");
        if id >= self.by_id.len() {
            self.by_id.resize(id + 1, None);
        }
        self.by_id[id] = Some(step);
        if clause.is_empty() {
            self.empty = Some(step);
        }
    }

    fn clause(&self, step: StepId) -> &[i32] {
        &self.literals[self.steps[step.index()].literals.clone()]
    }

    /// Keeps what the empty clause needs: a pass from the back, which replays each needed clause and asks only for
    /// those antecedents that its resolution chain really uses.
    fn trim(&self, variables: usize, limits: &Limits) -> Result<Refutation, Stopped> {
        let empty = self.empty.expect("an unsatisfiable answer comes with the empty clause");
        let mut needed = vec![false; empty.index() + 1];
        needed[empty.index()] = true;
        let mut propagation = Propagation::new(variables);
        let (mut kept, mut origins) = (Vec::new(), Vec::new());
        for index in (0..=empty.index()).rev() {
            if !needed[index] {
                continue;
            }
            if kept.len() % 256 == 255 {
                limits.look()?;
            }
            let step = StepId::new(index);
            let origin = match self.steps[index].input {
                Some(clause) => Origin::Input(clause),
                None => {
                    let (first, rest) = propagation.replay(self, step);
                    needed[first.index()] = true;
                    rest.iter().for_each(|(s, _)| needed[s.index()] = true);
                    Origin::Chain { first, rest }
                }
            };
            kept.push(step);
            origins.push(origin);
        }
        kept.reverse();
        origins.reverse();
        // What is kept is numbered anew.
        let number = |old: StepId| StepId::new(kept.binary_search(&old).expect("antecedents are kept"));
        for origin in &mut origins {
            if let Origin::Chain { first, rest } = origin {
                *first = number(*first);
                rest.iter_mut().for_each(|(step, _)| *step = number(*step));
            }
        }
        Ok(origins)
    }
}

impl ProofTracer for Recorder {
    fn add_original_clause(&mut self, id: i64, _redundant: bool, clause: &[i32], restored: bool) {
        debug_assert!(!restored, "one query never restores clauses");
        self.push(id, clause, &[], Some(ClauseId(self.inputs)));
        self.inputs += 1;
    }

    fn add_derived_clause(&mut self, id: i64, _redundant: bool, witness: i32, clause: &[i32], antecedents: &[i64]) {
        debug_assert_eq!(witness, 0, "no clause that is not implied");
        self.push(id, clause, antecedents, None);
    }

    // Deleted clauses stay: what was derived from them still rests on them.
    fn delete_clause(&mut self, _id: i64, _redundant: bool, _clause: &[i32]) {}
    fn weaken_minus(&mut self, _id: i64, _clause: &[i32]) {}
    fn strengthen(&mut self, _id: i64) {}
    fn finalize_clause(&mut self, _id: i64, _clause: &[i32]) {}
    fn add_assumption(&mut self, _lit: i32) {}
    fn add_constraint(&mut self, _clause: &[i32]) {}
    fn reset_assumptions(&mut self) {}
    fn add_assumption_clause(&mut self, _id: i64, _clause: &[i32], _antecedents: &[i64]) {}
    fn conclude_sat(&mut self, _conclusion_type: i32, _model: &[i32]) {}
    fn conclude_unsat(&mut self, _conclusion_type: i32, _clause_ids: &[i64]) {}
    fn conclude_unknown(&mut self, _trail: &[i32]) {}
}

/// Unit propagation over the antecedents of one clause at a time.
struct Propagation {
    /// 1 true, -1 false, 0 open; by variable.
    value: Vec<i8>,
    /// Whether the variable occurs in the resolvent (with the literal that is false).
    in_resolvent: Vec<bool>,
    touched: Vec<usize>,
}

impl Propagation {
    fn new(variables: usize) -> Self {
        Propagation { value: vec![0; variables + 1], in_resolvent: vec![false; variables + 1], touched: Vec::new() }
    }

    fn value(&self, literal: i32) -> i8 {
        let value = self.value[literal.unsigned_abs() as usize];
        if literal < 0 { -value } else { value }
    }

    fn assign(&mut self, literal: i32) {
        let variable = literal.unsigned_abs() as usize;
        self.value[variable] = if literal < 0 { -1 } else { 1 };
        self.touched.push(variable);
    }

    /// The resolution chain of a derived clause.
    fn replay(&mut self, proof: &Recorder, step: StepId) -> (StepId, Vec<(StepId, i32)>) {
        for &l in proof.clause(step) {
            if self.value(l) == 0 {
                self.assign(-l);
            }
        }
        let mut waiting: Vec<StepId> = proof.antecedents[proof.steps[step.index()].antecedents.clone()].to_vec();
        let mut units: Vec<(StepId, i32)> = Vec::with_capacity(waiting.len());
        // One round in practice; more if antecedents are not in the order of propagation.
        let conflict = 'rounds: loop {
            let before = waiting.len();
            let mut later = Vec::new();
            for antecedent in waiting {
                let mut open = proof.clause(antecedent).iter().copied().filter(|&l| self.value(l) >= 0);
                match (open.next(), open.next()) {
                    (None, _) => break 'rounds antecedent,
                    (Some(l), None) if self.value(l) == 0 => {
                        self.assign(l);
                        units.push((antecedent, l));
                    }
                    (Some(_), None) => {} // satisfied: it adds nothing
                    (Some(_), Some(_)) => later.push(antecedent),
                }
            }
            assert!(later.len() < before, "the antecedents of a derived clause propagate to a conflict");
            waiting = later;
        };
        let mut chain = Vec::new();
        self.add_to_resolvent(proof.clause(conflict));
        while let Some((antecedent, literal)) = units.pop() {
            let variable = literal.unsigned_abs() as usize;
            if self.in_resolvent[variable] {
                self.add_to_resolvent(proof.clause(antecedent));
                self.in_resolvent[variable] = false;
                chain.push((antecedent, literal));
            }
        }
        for variable in self.touched.drain(..) {
            self.value[variable] = 0;
            self.in_resolvent[variable] = false;
        }
        (conflict, chain)
    }

    fn add_to_resolvent(&mut self, clause: &[i32]) {
        for l in clause {
            self.in_resolvent[l.unsigned_abs() as usize] = true;
        }
    }
}
