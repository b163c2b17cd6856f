//! Sequences of interpolants from one refutation.
//!
//! McMillan, "Interpolation and SAT-Based Model Checking" (CAV 2003), Definition 2, gives each clause of a refutation
//! of A ∧ B a partial interpolant; McMillan, "Lazy Abstraction with Interpolants" (CAV 2006), takes the interpolants of
//! all cuts of a path from the same refutation, so that they form an inductive sequence.
//!
//! | paper | here |
//! |---|---|
//! | A, B of cut i | partitions `< i`, partitions `≥ i` |
//! | global variable | one that occurs in a needed clause of partition `≥ i` ([`Occurrence::last`]) |
//! | g(c) for a clause c of A | disjunction of the literals whose variable is global |
//! | p(c) | [`Partial::at`] |
//! | p(c) = p(c1) ∨ p(c2) / p(c1) ∧ p(c2) | pivot occurs only in A / else |
//!
//! Deviation: a clause derived from A alone is treated like an input clause of A (p(c) = g(c), no matter how it was
//! derived), and one derived from B alone has p(c) = true. So a partial interpolant exists only for the cuts *inside*
//! the span of partitions that the clause rests on, and learned clauses within one partition cost nothing.
//!
//! Soundness. The invariant of cut i is A ⇒ p(c) ∨ c|A-local and B ∧ p(c) ⇒ c|global; the empty clause then gives the
//! interpolant. A clause implied by A alone satisfies it with g(c) as an input clause does. The sequence: with φ the
//! partition between the cuts i and i + 1, and B behind it, each clause satisfies p_i(c) ∧ φ ⇒ p_{i+1}(c) ∨ c|φ, where
//! c|φ are the literals global at i and not at i + 1. For resolvents this follows by cases over the pivot
//! (D'Silva, Kroening, Purandare and Weissenbacher, "Interpolant Strength", VMCAI 2010, and Gurfinkel, Rollini and
//! Sharygina, "Interpolation Properties and SAT-Based Model Checking", ATVA 2013). For a clause from A ∧ φ alone,
//! p_{i+1}(c) = g_{i+1}(c), and the claim is the second half of the invariant of cut i, with φ for B. In reverse order the
//! sequence J satisfies J_{n-i-1} ∧ φ_i ⇒ J_{n-i}, which is the condition on its complements.

use std::rc::Rc;

use super::absorb::absorb;
use super::clauses::{Clauses, Partition};
use super::dag::Dag;
use super::proof::{Origin, refute};
use crate::blast::aig::Lit;
use robusto_limits::{Limits, Stopped};

/// The interpolants of all cuts.
#[derive(Clone, Debug)]
pub struct Sequence {
    /// The graph that holds them.
    pub dag: Dag,
    /// `interpolants[i - 1]` belongs to the cut between the partitions `i - 1` and `i`.
    pub interpolants: Vec<Lit>,
}

/// Which of the interpolants that a proof yields.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strength {
    /// McMillan's: says as much as it can about the partitions before the cut.
    Strong,
    /// The dual, McMillan's for the partitions in reverse order, complemented: says what the partitions behind the cut
    /// need. Weaker than the strong one of the same proof (Interpolant Strength, Theorem 2).
    Weak,
}

/// For an unsatisfiable set of clauses in the partitions `0..partitions`: one interpolant for each of the
/// `partitions - 1` cuts, such that I_i ∧ partition i ⇒ I_{i+1}, with I_0 = true and I_partitions = false. Each
/// mentions only variables that occur on both sides of its cut. `None` if the clauses are satisfiable.
///
/// The limits are looked at while solving and while the proof is read.
pub fn interpolants(
    clauses: &Clauses,
    partitions: u32,
    strength: Strength,
    limits: &Limits,
) -> Result<Option<Sequence>, Stopped> {
    assert!(clauses.ids().all(|c| clauses.partition(c).0 < partitions), "partitions are numbered from 0");
    let limits = Rc::new(limits.clone());
    let Some(refutation) = refute(clauses, &limits)? else { return Ok(None) };
    // The dual system is McMillan's with the order turned round.
    let turn = |p: Partition| match strength {
        Strength::Strong => p,
        Strength::Weak => Partition(partitions - 1 - p.0),
    };
    let inputs = refutation.iter().filter_map(|origin| match origin {
        Origin::Input(clause) => Some((clauses.literals(*clause), turn(clauses.partition(*clause)))),
        Origin::Chain { .. } => None,
    });
    let last = Occurrence::new(clauses.variables(), inputs);
    let mut builder = Builder { dag: Dag::new(), last, in_clause: vec![0; clauses.variables() + 1] };
    // By number of the step.
    let mut known: Vec<Partial> = Vec::with_capacity(refutation.len());
    for origin in refutation {
        if known.len() % 256 == 255 {
            limits.look()?;
        }
        known.push(match origin {
            Origin::Input(clause) => Partial::input(clauses.literals(clause), turn(clauses.partition(clause))),
            Origin::Chain { first, rest } => {
                builder.chain(&known[first.index()], rest.iter().map(|&(s, pivot)| (&known[s.index()], pivot)))
            }
        });
    }
    let end = known.pop().expect("a refutation has a clause");
    debug_assert!(end.clause.is_empty());
    let mut interpolants: Vec<Lit> = (1..partitions).map(|cut| builder.at(&end, cut)).collect();
    if strength == Strength::Weak {
        interpolants.reverse();
        interpolants.iter_mut().for_each(|i| *i = !*i);
    }
    absorb(&mut builder.dag, &mut interpolants);
    Ok(Some(Sequence { dag: builder.dag, interpolants }))
}

/// The last partition with a needed clause over a variable. A variable of a clause from A is global iff it has an
/// occurrence at or behind the cut.
struct Occurrence(Vec<u32>);

impl Occurrence {
    fn new<'c>(variables: usize, inputs: impl Iterator<Item = (&'c [i32], Partition)>) -> Self {
        let mut last = vec![0; variables + 1];
        for (clause, partition) in inputs {
            for l in clause {
                let slot: &mut u32 = &mut last[l.unsigned_abs() as usize];
                *slot = (*slot).max(partition.0);
            }
        }
        Occurrence(last)
    }

    fn last(&self, literal: i32) -> u32 {
        self.0[literal.unsigned_abs() as usize]
    }
}

/// A clause of the proof with its partial interpolants.
#[derive(Clone)]
struct Partial {
    clause: Vec<i32>,
    /// Span of the partitions that the clause rests on.
    first: u32,
    last: u32,
    /// For the cuts `first + 1 ..= last`; the others follow from the clause alone.
    inside: Vec<Lit>,
}

impl Partial {
    fn input(clause: &[i32], partition: Partition) -> Self {
        Partial { clause: clause.to_vec(), first: partition.0, last: partition.0, inside: Vec::new() }
    }
}

struct Builder {
    dag: Dag,
    last: Occurrence,
    /// Literal of each variable in the clause under construction, 0 if none.
    in_clause: Vec<i32>,
}

impl Builder {
    /// p(c) for a cut.
    fn at(&mut self, partial: &Partial, cut: u32) -> Lit {
        if cut <= partial.first {
            Lit::TRUE
        } else if cut <= partial.last {
            partial.inside[(cut - partial.first - 1) as usize]
        } else {
            let Builder { dag, last, .. } = self;
            let mut global: Vec<i32> = partial.clause.iter().copied().filter(|&l| last.last(l) >= cut).collect();
            global.sort_unstable_by_key(|l| l.unsigned_abs());
            dag.clause(global)
        }
    }

    /// The clause at the end of a chain. Clauses may be subsets of those that the chain was found with: where a pivot
    /// is missing in what was derived so far the step is void, and where it is missing in the other clause that clause
    /// takes over, since all its literals are false in the context of the chain.
    fn chain<'p>(&mut self, first: &Partial, rest: impl Iterator<Item = (&'p Partial, i32)>) -> Partial {
        let mut current = Partial { clause: Vec::new(), ..first.clone() };
        for &l in &first.clause {
            self.in_clause[l.unsigned_abs() as usize] = l;
        }
        // Variables that may have an entry in `in_clause`; may name one twice.
        let mut trail = first.clause.clone();
        for (side, pivot) in rest {
            let variable = pivot.unsigned_abs() as usize;
            if self.in_clause[variable] != -pivot {
                continue;
            }
            if !side.clause.contains(&pivot) {
                for l in trail.drain(..) {
                    self.in_clause[l.unsigned_abs() as usize] = 0;
                }
                current = Partial { clause: Vec::new(), ..side.clone() };
            } else {
                self.resolve(&mut current, &trail, side, pivot);
                self.in_clause[variable] = 0;
            }
            for &l in side.clause.iter().filter(|&&l| l != pivot) {
                let slot = &mut self.in_clause[l.unsigned_abs() as usize];
                if *slot == 0 {
                    *slot = l;
                    trail.push(l);
                }
                debug_assert_eq!(*slot, l, "resolvents of a chain are no tautologies");
            }
        }
        for l in trail {
            let slot = &mut self.in_clause[l.unsigned_abs() as usize];
            if *slot != 0 {
                current.clause.push(*slot);
                *slot = 0;
            }
        }
        current
    }

    /// Widens the span of `current` to that of the resolvent and combines the partial interpolants.
    fn resolve(&mut self, current: &mut Partial, trail: &[i32], side: &Partial, pivot: i32) {
        let (first, last) = (current.first.min(side.first), current.last.max(side.last));
        if last > current.last {
            // Cuts behind the span of `current` need its literals.
            current.clause.extend(trail.iter().map(|l| self.in_clause[l.unsigned_abs() as usize]).filter(|&l| l != 0));
            current.clause.sort_unstable();
            current.clause.dedup();
        }
        let mut inside = Vec::with_capacity((last - first) as usize);
        for cut in first + 1..=last {
            let (p, q) = (self.at(current, cut), self.at(side, cut));
            let local = self.last.last(pivot) < cut;
            inside.push(if local { self.dag.aig.or(p, q) } else { self.dag.aig.and(p, q) });
        }
        current.clause.clear();
        (current.first, current.last, current.inside) = (first, last, inside);
    }
}
