//! The solver: satisfiability of terms under assumptions, models, unsatisfiable cores, all satisfying assignments.
//!
//! Incremental: gates and clauses of a term are made once, when a query first needs them, and learned clauses stay.
//! Assertions are for ever; everything that varies is an assumption. A query that brings no new terms costs one hash-free
//! look-up per assumption beside the SAT call itself.

mod all_sat;
mod gates;
mod lazy;
mod log;
mod minimize;
mod prune;
pub(crate) mod sat;

use crate::blast::Blaster;
use crate::smt2;
use crate::term::{Model, Term, Terms};
pub use gates::Gates;
pub use log::QueryLog;

use lazy::{Refined, Relevant, Tables};
use prune::Turns;
use robusto_limits::{Limits, Stopped};
use rustc_hash::{FxHashMap, FxHashSet};
use sat::{Outcome, Sat, View};
use std::time::{Duration, Instant};

/// What a query says.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Answer {
    /// There is a model.
    Sat,
    /// There is none.
    Unsat,
}

/// What a solver has done so far.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Statistics {
    /// Queries, those inside core minimisation and enumeration included.
    pub calls: u64,
    /// Queries with a model.
    pub satisfiable: u64,
    /// Time in queries.
    pub time: Duration,
    /// Variables of the SAT solver.
    pub variables: u64,
    /// Clauses of gates given to it.
    pub clauses: u64,
    /// Nodes of the and-inverter graph.
    pub gates: u64,
    /// Circuits of operators on floats that a query needed.
    pub float_circuits: u64,
    /// Queries with floats that bounds refuted.
    pub pruned: u64,
    /// Lemmas about arrays.
    pub array_lemmas: u64,
}

/// An incremental solver for the terms of one pool.
pub struct Solver {
    sat: Sat,
    blaster: Blaster,
    /// For the log.
    assertions: Vec<Term>,
    /// Those whose reads must be checked in every model.
    lazy_assertions: Vec<Term>,
    /// Reads that lemmas have defined, and their meanings.
    definitions: FxHashMap<Term, Term>,
    relevant: Relevant,
    tables: Tables,
    core: Vec<Term>,
    answer: Option<Answer>,
    statistics: Statistics,
    log: Option<QueryLog>,
    /// Assertions whose translation was cut short; they come first in the next query.
    pending: Vec<Term>,
    /// How often bounds knew nothing of a query, less how often they refuted one.
    in_vain: i32,
}

/// A question to the solver.
#[derive(Clone, Copy)]
struct Query<'a> {
    assumptions: &'a [Term],
    /// Further assumptions, as SAT literals.
    extra: &'a [i32],
    /// Further terms whose reads must be right in the model.
    watched: &'a [Term],
    /// Where to give up.
    conflicts: Option<i32>,
}

impl Solver {
    /// A solver that gives up soon after a limit is reached. It looks often: inside SAT solving, between calls, and while
    /// large terms are translated.
    pub fn new(limits: &Limits) -> Self {
        Self::with(Sat::new(limits))
    }

    /// A solver for questions that each add a little to the last one, as in enumerations. (Predicate analysis of ECA
    /// Problem03_label38 and label56: 14 and 32 s of CPU time, otherwise 25 and more than 107 s. But the check of the
    /// certificate of token_ring.07 takes 7 instead of 6 s with it.)
    pub fn for_enumeration(limits: &Limits) -> Self {
        let mut sat = Sat::new(limits);
        sat.keep_trail();
        Self::with(sat)
    }

    fn with(sat: Sat) -> Self {
        Self {
            sat,
            blaster: Blaster::with_postponed_floats(),
            assertions: Vec::new(),
            lazy_assertions: Vec::new(),
            definitions: FxHashMap::default(),
            relevant: Relevant::default(),
            tables: Tables::default(),
            core: Vec::new(),
            answer: None,
            statistics: Statistics::default(),
            log: None,
            pending: Vec::new(),
            in_vain: 0,
        }
    }

    /// Tells every query, with its answer. Only what enumeration asks about single clauses is left out, which has no form
    /// in terms.
    pub fn set_log(&mut self, log: Option<QueryLog>) {
        self.log = log;
    }

    /// Expands reads of arrays through at most so many operations at once, instead of the default
    /// ([`EXPAND`](crate::blast::EXPAND)); with 0, all goes through lemmas. For terms not seen so far.
    pub fn set_eager_reads(&mut self, operations: usize) {
        self.blaster.expand = operations;
    }

    /// What the solver has done so far.
    pub fn statistics(&self) -> Statistics {
        Statistics {
            variables: self.sat.cnf.variables(),
            clauses: self.sat.cnf.clauses(),
            gates: self.blaster.aig.len() as u64,
            ..self.statistics
        }
    }

    /// Demands a truth value for ever.
    pub fn assert(&mut self, terms: &mut Terms, t: Term) {
        self.answer = None;
        self.assertions.push(t);
        self.pending.extend(terms.conjuncts(t));
    }

    /// Translates the assertions that were made since the last query.
    fn flush(&mut self, terms: &mut Terms) -> Result<(), Stopped> {
        while let Some(&t) = self.pending.last() {
            let literal = self.literal(terms, t)?;
            self.sat.clause(&[literal]);
            if self.blaster.is_lazy(t) {
                self.lazy_assertions.push(t);
            }
            self.pending.pop();
        }
        Ok(())
    }

    /// The SAT literal of a truth value.
    fn literal(&mut self, terms: &mut Terms, t: Term) -> Result<i32, Stopped> {
        if !self.blaster.has(t) {
            self.blaster.blast(terms, t, self.sat.limits())?;
        }
        let bit = self.blaster.bits(terms, t)[0];
        self.sat.literal_within(&self.blaster.aig, bit)
    }

    fn literals(&mut self, terms: &mut Terms, all: &[Term]) -> Result<Vec<i32>, Stopped> {
        all.iter().map(|&t| self.literal(terms, t)).collect()
    }

    /// Whether the assertions and the assumptions have a common model.
    pub fn check(&mut self, terms: &mut Terms, assumptions: &[Term]) -> Result<Answer, Stopped> {
        match self.query(terms, Query { assumptions, extra: &[], watched: &[], conflicts: None })? {
            Some(answer) => Ok(answer),
            None => unreachable!("no limit was set"),
        }
    }

    /// The same with limited effort; `None` if that many conflicts did not suffice.
    pub fn check_within(
        &mut self,
        terms: &mut Terms,
        assumptions: &[Term],
        conflicts: i32,
    ) -> Result<Option<Answer>, Stopped> {
        self.query(terms, Query { assumptions, extra: &[], watched: &[], conflicts: Some(conflicts) })
    }

    /// The answer, or `None` if the limit on conflicts was reached.
    fn query(&mut self, terms: &mut Terms, query: Query<'_>) -> Result<Option<Answer>, Stopped> {
        let start = Instant::now();
        self.statistics.calls += 1;
        self.answer = None;
        let answer = self.search(terms, query);
        self.statistics.time += start.elapsed();
        let answer = answer?;
        self.statistics.satisfiable += u64::from(answer == Some(Answer::Sat));
        self.answer = answer;
        if let (Some(log), Some(answer), []) = (&self.log, answer, query.extra) {
            log.tell(&smt2::script(terms, &self.assertions, query.assumptions, Some(answer)));
        }
        Ok(answer)
    }

    fn search(&mut self, terms: &mut Terms, query: Query<'_>) -> Result<Option<Answer>, Stopped> {
        self.flush(terms)?;
        let mut literals = self.literals(terms, query.assumptions)?;
        literals.extend(query.extra);
        let mut turns = Turns::default();
        loop {
            match self.sat.solve(&literals, turns.conflicts(query.conflicts))? {
                Outcome::Limit if query.conflicts.is_some() => return Ok(None),
                Outcome::Limit => {
                    if self.prune(terms, query, &mut turns)? {
                        return Ok(Some(self.refuted(query)));
                    }
                }
                Outcome::Unsat => {
                    self.read_core(query.assumptions, &literals);
                    return Ok(Some(Answer::Unsat));
                }
                Outcome::Sat => match self.refine(terms, query, &mut turns)? {
                    Refined::Nothing => return Ok(Some(Answer::Sat)),
                    Refined::Lemmas => {}
                    Refined::Refuted => return Ok(Some(self.refuted(query))),
                },
            }
        }
    }

    /// There is no model; bounds do not tell which assumptions they used.
    fn refuted(&mut self, query: Query<'_>) -> Answer {
        self.core.clear();
        let mut used = FxHashSet::default();
        self.core.extend(query.assumptions.iter().filter(|&&t| used.insert(t)));
        Answer::Unsat
    }

    fn read_core(&mut self, assumptions: &[Term], literals: &[i32]) {
        self.core.clear();
        let mut used = FxHashSet::default();
        for (&t, &literal) in assumptions.iter().zip(literals) {
            if self.sat.failed(literal) && used.insert(literal) {
                self.core.push(t);
            }
        }
    }

    /// The model found by the last query.
    ///
    /// # Panics
    /// If the last query was not satisfiable, or something was asserted since.
    pub fn model(&mut self, terms: &Terms) -> Model {
        assert_eq!(self.answer, Some(Answer::Sat), "a model needs a satisfiable query");
        let mut model = Model::new();
        let mut view = View::new(&mut self.sat, &self.blaster);
        for &t in self.blaster.symbols() {
            let symbol = terms.as_symbol(t).expect("a symbol");
            model.set(symbol, view.word(terms, t));
        }
        for (&(symbol, index), &(value, _)) in &self.tables.elements {
            model.arrays.entry(symbol).or_default().elements.insert(index, value);
        }
        model
    }

    /// Assumptions of the last query that contradict the assertions together, in the order of the query.
    ///
    /// # Panics
    /// If the last query was satisfiable.
    pub fn core(&mut self) -> &[Term] {
        assert_eq!(self.answer, Some(Answer::Unsat), "a core needs an unsatisfiable query");
        &self.core
    }
}
