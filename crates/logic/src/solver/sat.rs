//! CaDiCaL behind the few calls that are needed here.

use crate::blast::Blaster;
use crate::blast::aig::{Aig, Lit};
use crate::blast::cnf::Cnf;
use crate::term::{Symbol, Term, Terms};
use cadical_sys::{CaDiCal, Status, Terminator};
use robusto_limits::{Limits, Stopped};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Lets CaDiCaL look at the limits.
pub(crate) struct Watch(pub(crate) Rc<Limits>);

impl Terminator for Watch {
    fn terminated(&mut self) -> bool {
        self.0.look().is_err()
    }
}

/// How a bounded call ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Outcome {
    Sat,
    Unsat,
    /// The limit on conflicts was reached.
    Limit,
}

/// Gates whose clauses are made between two looks at the limits.
const GATES: usize = 10_000;

/// The SAT solver with the clauses of gates.
pub(super) struct Sat {
    cadical: CaDiCal,
    pub(super) cnf: Cnf,
    limits: Rc<Limits>,
}

impl Sat {
    pub(super) fn new(limits: &Limits) -> Self {
        let limits = Rc::new(limits.clone());
        let mut cadical = CaDiCal::new();
        // Bounded variable addition takes variables that we would use next.
        cadical.set("factor", 0);
        cadical.set("factorcheck", 0);
        // Eight propagations of everything before each call pay for one hard query, not for thousands of easy ones:
        // enumerating 305 cubes of 12 predicates takes 80 ms without, 310 to 660 ms with them.
        cadical.set("lucky", 0);
        cadical.connect_terminator(Watch(limits.clone()));
        Self { cadical, cnf: Cnf::default(), limits }
    }

    /// Keeps the part of the trail that the next assumptions share with the last.
    pub(super) fn keep_trail(&mut self) {
        self.cadical.set("ilb", 1);
    }

    /// What may be spent.
    pub(super) fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The literal of a gate.
    pub(super) fn literal(&mut self, aig: &Aig, lit: Lit) -> i32 {
        if let Some(literal) = self.cnf.existing(lit) {
            return literal;
        }
        let cadical = &mut self.cadical;
        self.cnf.literal(aig, lit, &mut |clause| add_clause(cadical, clause))
    }

    /// The same for a gate that may have millions below it; the limits are looked at on the way.
    pub(super) fn literal_within(&mut self, aig: &Aig, lit: Lit) -> Result<i32, Stopped> {
        if let Some(literal) = self.cnf.existing(lit) {
            return Ok(literal);
        }
        let literal = self.cnf.name(aig, lit);
        let cadical = &mut self.cadical;
        while !self.cnf.define(aig, GATES, &mut |clause| add_clause(cadical, clause)) {
            self.limits.look()?;
        }
        Ok(literal)
    }

    pub(super) fn clause(&mut self, clause: &[i32]) {
        add_clause(&mut self.cadical, clause);
    }

    /// Demands one of some literals in the next call only; none demands nothing.
    pub(super) fn constrain(&mut self, one_of: &[i32]) {
        if !one_of.is_empty() {
            one_of.iter().chain(&[0]).for_each(|&literal| self.cadical.constrain(literal));
        }
    }

    /// Solves under assumptions, with at most so many conflicts.
    pub(super) fn solve(&mut self, assumptions: &[i32], conflicts: Option<i32>) -> Result<Outcome, Stopped> {
        self.limits.look()?;
        for &literal in assumptions {
            self.cadical.assume(literal);
        }
        if let Some(conflicts) = conflicts {
            self.cadical.limit("conflicts", conflicts);
        }
        match self.cadical.solve() {
            Status::SATISFIABLE => Ok(Outcome::Sat),
            Status::UNSATISFIABLE => Ok(Outcome::Unsat),
            Status::UNKNOWN if conflicts.is_some() => self.limits.look().map(|()| Outcome::Limit),
            Status::UNKNOWN => Err(self.limits.why()),
        }
    }

    /// Whether an assumption takes part in the contradiction found last.
    pub(super) fn failed(&mut self, literal: i32) -> bool {
        self.cadical.failed(literal)
    }

    /// The value of a literal in the assignment found last.
    pub(super) fn value(&mut self, literal: i32) -> bool {
        self.cadical.val(literal) > 0
    }
}

fn add_clause(cadical: &mut CaDiCal, clause: &[i32]) {
    match *clause {
        [a] => cadical.clause1(a),
        [a, b] => cadical.clause2(a, b),
        [a, b, c] => cadical.clause3(a, b, c),
        _ => cadical.clause6(clause),
    }
}

/// The assignment found last, read at gates. Free bits that no clause mentions are 0, and gates without clauses are
/// computed from their operands.
pub(super) struct View<'a> {
    pub(super) sat: &'a mut Sat,
    pub(super) blaster: &'a Blaster,
    memo: FxHashMap<usize, bool>,
}

impl<'a> View<'a> {
    pub(super) fn new(sat: &'a mut Sat, blaster: &'a Blaster) -> Self {
        Self { sat, blaster, memo: FxHashMap::default() }
    }

    /// The value of a gate.
    pub(super) fn lit(&mut self, lit: Lit) -> bool {
        if let Some(value) = self.known(lit.node()) {
            return value != lit.is_negated();
        }
        let mut stack = vec![lit.node()];
        while let Some(&node) = stack.last() {
            if self.known(node).is_some() {
                stack.pop();
                continue;
            }
            let value = match self.blaster.aig.conjunction(node) {
                None => Some(false),
                Some((x, y)) => match (self.known(x.node()), self.known(y.node())) {
                    (Some(a), Some(b)) => Some((a != x.is_negated()) && (b != y.is_negated())),
                    (a, b) => {
                        if a.is_none() {
                            stack.push(x.node());
                        }
                        if b.is_none() {
                            stack.push(y.node());
                        }
                        None
                    }
                },
            };
            if let Some(value) = value {
                self.memo.insert(node, value);
                stack.pop();
            }
        }
        self.known(lit.node()).expect("just computed") != lit.is_negated()
    }

    fn known(&mut self, node: usize) -> Option<bool> {
        if node == 0 {
            return Some(false);
        }
        match self.sat.cnf.existing(Lit::of_node(node)) {
            Some(literal) => Some(self.sat.value(literal)),
            None => self.memo.get(&node).copied(),
        }
    }

    /// The value of a translated term.
    pub(super) fn word(&mut self, terms: &Terms, t: Term) -> u128 {
        let blaster = self.blaster;
        let mut value = 0;
        for (i, &bit) in blaster.bits(terms, t).iter().enumerate() {
            value |= u128::from(self.lit(bit)) << i;
        }
        value
    }

    /// The value of a bit-vector symbol; 0 if it was never translated.
    pub(super) fn symbol(&mut self, terms: &Terms, symbol: Symbol) -> u128 {
        let t = terms.symbol_term(symbol);
        if self.blaster.has(t) { self.word(terms, t) } else { 0 }
    }
}
