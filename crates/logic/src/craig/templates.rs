//! Word-level templates for functions of one or two symbols, decided by SAT.
//!
//! | symbols | templates |
//! |---|---|
//! | x | x lies in an interval, unsigned or signed |
//! | x, y | x = y, x < y, y < x (unsigned, signed), x - y = c, x + y = c |
//!
//! and their complements. A model of the function and one of its complement discard most templates, or give the
//! constant; the ends of an interval are found bit by bit; one more query decides the equivalence.

use cadical_sys::{CaDiCal, Status};

use super::dag::Dag;
use crate::blast::aig::Lit;
use crate::blast::cnf::Cnf;
use crate::blast::word;
use crate::term::fold::{self, mask, ones, sign_bit};
use crate::{BinaryOp, Term, Terms};
use robusto_limits::{Limits, Stopped};

/// Conflicts per query; a template that is not decided within them does not match.
const CONFLICTS: i32 = 1_000;
/// Gates of all functions that are compared for one sequence. Functions beyond have not been seen to match.
const BUDGET: usize = 50_000;
/// Comparisons, and whether their operands are swapped.
const COMPARISONS: [(BinaryOp, bool); 5] = [
    (BinaryOp::Eq, false),
    (BinaryOp::ULt, false),
    (BinaryOp::ULt, true),
    (BinaryOp::SLt, false),
    (BinaryOp::SLt, true),
];

/// The solver that compares.
pub(super) struct Templates {
    solver: CaDiCal,
    cnf: Cnf,
    budget: usize,
    limits: Limits,
}

impl Templates {
    pub(super) fn new(limits: &Limits) -> Self {
        Templates { solver: CaDiCal::new(), cnf: Cnf::default(), budget: BUDGET, limits: limits.clone() }
    }

    /// A solver without clauses: each model assigns all gates, so those of earlier functions would cost.
    fn reset(&mut self) {
        self.solver = CaDiCal::new();
        // Queries are small and many; simplifying them costs more than it saves.
        self.solver.configure("plain");
        self.solver.set("lucky", 0);
        self.cnf = Cnf::default();
    }

    /// A term over the symbols (with their words) that is equivalent to the function.
    pub(super) fn find(
        &mut self,
        terms: &mut Terms,
        dag: &mut Dag,
        function: Lit,
        symbols: &[(Term, Vec<Lit>)],
    ) -> Result<Option<Term>, Stopped> {
        self.limits.look()?;
        let cost = dag.size(&[function]);
        if cost > self.budget {
            return Ok(None);
        }
        self.budget -= cost;
        self.reset();
        let mut samples = [Vec::new(), Vec::new()];
        for (sample, side) in samples.iter_mut().zip([function, !function]) {
            match self.satisfiable(dag, &[side]) {
                None => return Ok(None),
                Some(false) => return Ok(Some(terms.truth(side != function))),
                Some(true) => *sample = symbols.iter().map(|(_, word)| self.value(word)).collect(),
            }
        }
        match symbols {
            [(x, word)] => Ok(self.one(terms, dag, function, *x, word)),
            [x, y] if x.1.len() == y.1.len() => {
                let [yes, no] = samples;
                Ok(self.two(terms, dag, function, [x, y], [(yes[0], yes[1]), (no[0], no[1])]))
            }
            _ => Ok(None),
        }
    }

    /// Intervals: of the function or its complement, in unsigned or signed order (the sign bit turned round).
    fn one(&mut self, terms: &mut Terms, dag: &mut Dag, function: Lit, x: Term, bits: &[Lit]) -> Option<Term> {
        let width = bits.len() as u16;
        let mut found = None;
        for is_signed in [false, true] {
            let mut order = bits.to_vec();
            let top = order.last_mut().expect("no word is empty");
            *top = top.negate_if(is_signed);
            for side in [function, !function] {
                let low = self.extreme(dag, side, &order, false)?;
                let high = self.extreme(dag, side, &order, true)?;
                let (below, above) = (word::of_constant(bits.len(), low), word::of_constant(bits.len(), high));
                let (under, over) = (dag.aig.ult(&order, &below), dag.aig.ult(&above, &order));
                let inside = dag.aig.and(!under, !over);
                if !self.equivalent(dag, side, inside) {
                    continue;
                }
                let flip = if is_signed { sign_bit(width) } else { 0 };
                let (l, h) = (terms.constant(width, low ^ flip), terms.constant(width, high ^ flip));
                let term = if low == high {
                    terms.eq(x, l)
                } else {
                    let (from, to) =
                        if is_signed { (terms.sle(l, x), terms.sle(x, h)) } else { (terms.ule(l, x), terms.ule(x, h)) };
                    terms.and(from, to)
                };
                let term = if side == function { term } else { terms.not(term) };
                // One bound is better than two: x <s 5 is also an unsigned interval and its complement.
                if low == high || low == 0 || high == ones(width) {
                    return Some(term);
                }
                found = found.or(Some(term));
            }
        }
        found
    }

    /// Comparisons of two symbols. `samples` are their values where the function is true and where it is false.
    fn two(
        &mut self,
        terms: &mut Terms,
        dag: &mut Dag,
        function: Lit,
        symbols: [&(Term, Vec<Lit>); 2],
        samples: [(u128, u128); 2],
    ) -> Option<Term> {
        let [(x, a), (y, b)] = symbols;
        let width = a.len() as u16;
        // A linear template has its constant from a sample.
        let differences = samples.map(|(l, r)| mask(width, l.wrapping_sub(r)));
        let sums = samples.map(|(l, r)| mask(width, l.wrapping_add(r)));
        for (wanted, side) in [(0, function), (1, !function)] {
            for (op, swap) in COMPARISONS {
                let values =
                    samples.map(|(l, r)| fold::binary(op, width, if swap { r } else { l }, if swap { l } else { r }));
                if values[wanted] != 1 || values[1 - wanted] != 0 {
                    continue;
                }
                let (l, r, s, t) = if swap { (b, a, y, x) } else { (a, b, x, y) };
                let gates = match op {
                    BinaryOp::Eq => dag.aig.eq(l, r),
                    BinaryOp::ULt => dag.aig.ult(l, r),
                    _ => dag.aig.slt(l, r),
                };
                if self.equivalent(dag, side, gates) {
                    let term = terms.binary(op, *s, *t);
                    return Some(if wanted == 0 { term } else { terms.not(term) });
                }
            }
            for (constants, is_sum) in [(differences, false), (sums, true)] {
                let c = constants[wanted];
                if c == constants[1 - wanted] {
                    continue;
                }
                let constant = word::of_constant(a.len(), c);
                let value = if is_sum { dag.aig.add(a, b, Lit::FALSE) } else { dag.aig.sub(a, b) };
                let gates = dag.aig.eq(&value, &constant);
                if self.equivalent(dag, side, gates) {
                    let value = if is_sum { terms.add(*x, *y) } else { terms.sub(*x, *y) };
                    let constant = terms.constant(width, c);
                    let term = terms.eq(value, constant);
                    return Some(if wanted == 0 { term } else { terms.not(term) });
                }
            }
        }
        None
    }

    /// The least or greatest value of a word where the function is true.
    fn extreme(&mut self, dag: &Dag, function: Lit, bits: &[Lit], greatest: bool) -> Option<u128> {
        let mut assumptions = vec![function];
        if !self.satisfiable(dag, &assumptions)? {
            return None;
        }
        let mut model = self.value(bits);
        for (i, &bit) in bits.iter().enumerate().rev() {
            let wanted = bit.negate_if(!greatest);
            assumptions.push(wanted);
            // The last model may have the bit as wanted already.
            if (model >> i & 1 == 1) != greatest {
                if self.satisfiable(dag, &assumptions)? {
                    model = self.value(bits);
                } else {
                    assumptions.pop();
                    assumptions.push(!wanted);
                }
            }
        }
        debug_assert!(model <= ones(bits.len() as u16));
        Some(model)
    }

    fn equivalent(&mut self, dag: &mut Dag, a: Lit, b: Lit) -> bool {
        let differ = dag.aig.xor(a, b);
        self.satisfiable(dag, &[differ]) == Some(false)
    }

    fn satisfiable(&mut self, dag: &Dag, assumptions: &[Lit]) -> Option<bool> {
        for &lit in assumptions {
            let Templates { solver, cnf, .. } = self;
            let literal = cnf.literal(&dag.aig, lit, &mut |clause| solver.clause6(clause));
            self.solver.assume(literal);
        }
        self.solver.limit("conflicts", CONFLICTS);
        match self.solver.solve() {
            Status::SATISFIABLE => Some(true),
            Status::UNSATISFIABLE => Some(false),
            Status::UNKNOWN => None,
        }
    }

    /// The value of a word in the last model; bits that it does not constrain are 0.
    fn value(&mut self, bits: &[Lit]) -> u128 {
        bits.iter().enumerate().fold(0, |all, (i, &bit)| {
            let value = match self.cnf.existing(bit) {
                Some(literal) => self.solver.val(literal) == literal,
                None => bit.is_negated(),
            };
            all | u128::from(value) << i
        })
    }
}
