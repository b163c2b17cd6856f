//! An order of variables for the diagrams of the check, read off the formulas of the certificate.
//!
//! A set that was a diagram is an if-then-else whose conditions come in the order of that diagram. To see that one such set
//! implies another is a walk over both in this order; in another one both may be exponentially large. No answer depends on it:
//! the order is a hint, and a certificate that gives a bad one is only slower to check. (The certificate of a permutation matrix
//! of 49 bits: 1.2 s; with diagrams in the order of the text 6.6 s.)

use crate::certificate::Proof;
use crate::program::{Formula, ProcId, Program, Term, VarId};
use rustc_hash::FxHashSet;

/// The places of all variables of a program in an order.
pub(super) struct Order {
    globals: u32,
    /// The number of the first local variable of each procedure.
    first: Vec<u32>,
    place: Vec<u32>,
}

impl Order {
    /// The order of the formulas of a proof; where they have none, that of the text.
    pub fn new(program: &Program, proof: &Proof) -> Self {
        let globals = program.globals.len() as u32;
        let mut count = globals;
        let mut first = Vec::with_capacity(program.procedures.len());
        for procedure in &program.procedures {
            first.push(count);
            count += procedure.variables.len() as u32;
        }
        let mut order = Self { globals, first, place: (0..count).collect() };
        let mut pairs: FxHashSet<(u32, u32)> = FxHashSet::default();
        for (&id, known) in &proof.procedures {
            order.collect(id, &known.entries, &mut pairs);
            for relation in known.heads.values().chain([&known.summary]) {
                order.collect(id, &relation.formula, &mut pairs);
            }
        }
        order.arrange(pairs, count);
        order
    }

    /// The place of a variable of a procedure.
    pub fn place(&self, id: ProcId, var: VarId) -> u32 {
        self.place[self.number(id, var)]
    }

    fn number(&self, id: ProcId, var: VarId) -> usize {
        let local = var.0.checked_sub(self.globals);
        local.map_or(var.0, |local| self.first[id.index()] + local) as usize
    }

    /// Pairs of conditions of which one stands directly above the other.
    fn collect(&self, id: ProcId, formula: &Formula, pairs: &mut FxHashSet<(u32, u32)>) {
        let condition = |at: u32| match &formula.0[at as usize] {
            Term::Var(var) | Term::Next(var) => Some(self.number(id, *var) as u32),
            Term::Ite(condition, ..) => match formula.0[*condition as usize] {
                Term::Var(var) | Term::Next(var) => Some(self.number(id, var) as u32),
                _ => None,
            },
            _ => None,
        };
        for (at, term) in formula.0.iter().enumerate() {
            if let Term::Ite(_, then, otherwise) = term
                && let Some(above) = condition(at as u32)
            {
                let below = [*then, *otherwise].into_iter().filter_map(condition);
                pairs.extend(below.filter(|&below| below != above).map(|below| (above, below)));
            }
        }
    }

    /// Puts the variables in an order in which what stands above comes first, cycles aside.
    fn arrange(&mut self, pairs: FxHashSet<(u32, u32)>, count: u32) {
        let mut below: Vec<Vec<u32>> = vec![Vec::new(); count as usize];
        for (above, under) in pairs {
            below[above as usize].push(under);
        }
        below.iter_mut().for_each(|list| list.sort_unstable());
        // A search in depth is done with a variable after all that stand below it.
        let mut seen = vec![false; count as usize];
        let mut last = count;
        for root in (0..count).rev() {
            let mut stack = Vec::new();
            if !std::mem::replace(&mut seen[root as usize], true) {
                stack.push((root, 0));
            }
            while let Some((var, next)) = stack.last_mut() {
                match below[*var as usize].get(*next) {
                    Some(&under) => {
                        *next += 1;
                        if !std::mem::replace(&mut seen[under as usize], true) {
                            stack.push((under, 0));
                        }
                    }
                    None => {
                        last -= 1;
                        self.place[*var as usize] = last;
                        stack.pop();
                    }
                }
            }
        }
    }
}
