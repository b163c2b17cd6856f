//! Interpolants of terms.
//!
//! Each group of the conjunction is bit-blasted on its own: the gates of a subterm that occurs in two groups are two
//! copies, and only the bits of symbols are variables of both. So whatever variable the proof's interpolants mention is
//! a bit of a symbol that occurs on both sides of the cut.
//!
//! Reads of arrays that bit-blasting does not expand are free bits in each group. That
//! makes the conjunction weaker: a refutation of it, and the interpolants, are still right; a model of it says nothing
//! ([`Error::Uninterpreted`]). Who wants interpolants over memory eliminates the reads before.

use rustc_hash::FxHashMap;

use super::clauses::{Clauses, Partition};
use super::lift::{Bits, Lifter};
use super::mcmillan::{Strength, interpolants};
use crate::blast::Blaster;
use crate::blast::cnf::Cnf;
use crate::{Answer, Solver, Term, Terms};
use robusto_limits::{Limits, Stopped};

/// Conflicts while one condition is checked in debug builds; about a second.
const VALIDATION_EFFORT: i32 = 20_000;

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Error {
    /// A limit was reached.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// Not refuted without axioms about array reads.
    #[error("the refutation needs axioms of arrays")]
    Uninterpreted,
}

/// For truth values whose conjunction is unsatisfiable: one interpolant for each cut between neighbours. With I_0 = true
/// and I_n = false, I_i ∧ group i ⇒ I_{i+1}; and I_i mentions only symbols that occur both before and behind its cut.
/// `None` if the conjunction is satisfiable.
///
/// The limits are looked at throughout. Debug builds check the result with a fresh solver.
pub fn sequence(terms: &mut Terms, groups: &[Term], limits: &Limits) -> Result<Option<Vec<Term>>, Error> {
    sequence_of(terms, groups, Strength::Strong, limits)
}

/// [`sequence`] with a choice of the interpolants' strength.
pub fn sequence_of(
    terms: &mut Terms,
    groups: &[Term],
    strength: Strength,
    limits: &Limits,
) -> Result<Option<Vec<Term>>, Error> {
    let mut partitioned = Partitioned::default();
    for (i, &group) in (0u32..).zip(groups) {
        partitioned.add(terms, Partition(i), group, limits)?;
    }
    let Some(found) = interpolants(&partitioned.clauses, groups.len() as u32, strength, limits)? else {
        return if partitioned.lazy { Err(Error::Uninterpreted) } else { Ok(None) };
    };
    let mut lifter = Lifter::new(terms, found.dag, partitioned.bits, limits);
    let lifted = found.interpolants.iter().map(|&i| lifter.lift(i)).collect::<Result<Vec<Term>, _>>()?;
    if cfg!(debug_assertions) {
        validate(terms, groups, &lifted, limits)?;
    }
    Ok(Some(lifted))
}

/// The groups as clauses.
#[derive(Default)]
struct Partitioned {
    clauses: Clauses,
    bits: Bits,
    next: i32,
    lazy: bool,
}

impl Partitioned {
    fn add(&mut self, terms: &mut Terms, partition: Partition, group: Term, limits: &Limits) -> Result<(), Stopped> {
        let mut blaster = Blaster::default();
        blaster.blast(terms, group, limits)?;
        self.lazy |= blaster.is_lazy(group);
        let mut cnf = Cnf::default();
        let mut local: Vec<Vec<i32>> = Vec::new();
        let root = cnf.literal(&blaster.aig, blaster.bits(terms, group)[0], &mut |clause| local.push(clause.to_vec()));
        local.push(vec![root]);
        let mut global: FxHashMap<i32, i32> = FxHashMap::default();
        for &symbol in blaster.symbols() {
            let width = terms.width(symbol);
            let base = self.bits.base(symbol).unwrap_or_else(|| {
                let base = self.next + 1;
                self.next += i32::from(width);
                self.bits.insert(symbol, base, width);
                base
            });
            for (variable, &bit) in (base..).zip(blaster.bits(terms, symbol)) {
                if let Some(own) = cnf.existing(bit) {
                    global.insert(own, variable);
                }
            }
        }
        for clause in &mut local {
            for literal in clause.iter_mut() {
                let variable = *global.entry(literal.abs()).or_insert_with(|| {
                    self.next += 1;
                    self.next
                });
                *literal = variable * literal.signum();
            }
            self.clauses.add(partition, clause);
        }
        Ok(())
    }
}

/// Panics if the terms are not a sequence of interpolants. A condition that is harder than the refutation was (copies of
/// multipliers are) stays unchecked.
fn validate(terms: &mut Terms, groups: &[Term], interpolants: &[Term], limits: &Limits) -> Result<(), Stopped> {
    for (i, &group) in groups.iter().enumerate() {
        let before = if i == 0 { terms.yes() } else { interpolants[i - 1] };
        let after = interpolants.get(i).copied().unwrap_or(terms.no());
        let not_after = terms.not(after);
        let answer = Solver::new(limits).check_within(terms, &[before, group, not_after], VALIDATION_EFFORT)?;
        assert_ne!(answer, Some(Answer::Sat), "I_{i} and group {i} imply I_{}", i + 1);
        let (left, right) = groups.split_at(i + 1);
        for symbol in terms.symbols(after) {
            let occurs = |side: &[Term]| side.iter().any(|&t| terms.symbols(t).contains(&symbol));
            assert!(occurs(left) && occurs(right), "{} is shared", terms.symbol_name(symbol));
        }
    }
    Ok(())
}
