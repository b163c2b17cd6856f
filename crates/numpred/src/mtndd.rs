//! MTNDD: functions 2^P → N as multi-terminal diagrams with numeric values as terminals (Section V.C).
//!
//! The paper simulates them by diagrams over numeric terms; that is [`Simulated`](crate::Simulated). Here terminals are real. Conditions
//! C1 to C3 hold by construction.

use crate::Halt;
use crate::domain::{Base, Disjunct, Domain, Size, disjuncts};
use crate::numbers::Numbers;
use crate::pairs::Pairs;
use crate::pool::{NumId, Pool};
use crate::space::{Predicate, Side};
use robusto_diagram::Bdd;
use robusto_diagram::multi::{Mtbdd, Operation};
use robusto_domains::Constraint;

/// The data structure.
pub struct Mtndd<N: Numbers> {
    base: Base<N>,
    join: Operation,
    meet: Operation,
    widen: Operation,
    leq: Operation,
}

impl<N: Numbers> Mtndd<N> {
    /// With nothing computed yet.
    pub fn new(base: Base<N>) -> Result<Self, Halt> {
        let multi = base.space.diagrams.multi();
        let (bottom, top) = (NumId::BOTTOM.0, NumId::TOP.0);
        let join = multi.operation()?.commutative().idempotent().neutral(bottom).absorbing(top);
        let meet = multi.operation()?.commutative().idempotent().neutral(top).absorbing(bottom);
        let widen = multi.operation()?.idempotent().neutral(bottom);
        let leq = multi.operation()?;
        Ok(Self { base, join, meet, widen, leq })
    }

    fn apply(
        &mut self,
        operation: Operation,
        a: &Mtbdd,
        b: &Mtbdd,
        combine: impl Fn(&mut Pool<N>, NumId, NumId) -> NumId,
    ) -> Result<Mtbdd, Halt> {
        self.base.limits.poll()?;
        let Base { space, pool, .. } = &mut self.base;
        let combine = |a, b| combine(pool, NumId(a), NumId(b)).0;
        Ok(space.diagrams.multi().apply(&operation, a, b, combine)?)
    }

    fn map(&mut self, a: &Mtbdd, change: impl Fn(&mut Pool<N>, NumId) -> NumId) -> Result<Mtbdd, Halt> {
        self.base.limits.poll()?;
        let Base { space, pool, .. } = &mut self.base;
        let multi = space.diagrams.multi();
        let operation = multi.operation()?;
        Ok(multi.map(&operation, a, |n| change(pool, NumId(n)).0)?)
    }

    fn within(&self, condition: &Bdd, a: &Mtbdd) -> Result<Mtbdd, Halt> {
        let multi = self.base.space.diagrams.multi();
        Ok(multi.ite(condition, a, &multi.terminal(NumId::BOTTOM.0)?)?)
    }

    fn pairs(&self, a: &Mtbdd) -> Result<Pairs, Halt> {
        let multi = self.base.space.diagrams.multi();
        let mut pairs = Vec::new();
        for number in multi.terminals(a).into_iter().filter(|&number| number != NumId::BOTTOM.0) {
            let operation = multi.operation()?;
            pairs.push((multi.test(&operation, a, |n| n == number)?, NumId(number)));
        }
        Ok(pairs)
    }
}

impl<N: Numbers> Domain for Mtndd<N> {
    type Numbers = N;
    type Value = Mtbdd;

    fn base(&mut self) -> &mut Base<N> {
        &mut self.base
    }

    fn top(&mut self) -> Result<Mtbdd, Halt> {
        Ok(self.base.space.diagrams.multi().terminal(NumId::TOP.0)?)
    }

    fn bottom(&mut self) -> Result<Mtbdd, Halt> {
        Ok(self.base.space.diagrams.multi().terminal(NumId::BOTTOM.0)?)
    }

    fn leq(&mut self, a: &Mtbdd, b: &Mtbdd) -> Result<bool, Halt> {
        let outside = |pool: &mut Pool<N>, a, b| if pool.leq(a, b) { NumId::BOTTOM } else { NumId::TOP };
        let outside = self.apply(self.leq, a, b, outside)?;
        self.is_bottom(&outside)
    }

    fn meet(&mut self, a: &Mtbdd, b: &Mtbdd) -> Result<Mtbdd, Halt> {
        self.apply(self.meet, a, b, Pool::meet)
    }

    fn join(&mut self, a: &Mtbdd, b: &Mtbdd) -> Result<Mtbdd, Halt> {
        self.apply(self.join, a, b, Pool::join)
    }

    fn widen(&mut self, a: &Mtbdd, b: &Mtbdd) -> Result<Mtbdd, Halt> {
        self.apply(self.widen, a, b, Pool::widen)
    }

    fn literal(&mut self, a: &Mtbdd, predicate: Predicate, side: Side, value: bool) -> Result<Mtbdd, Halt> {
        let literal = self.base.space.literal(predicate, side, value)?;
        self.within(&literal, a)
    }

    fn assume_n(&mut self, a: &Mtbdd, term: &N::Term) -> Result<Mtbdd, Halt> {
        self.map(a, |pool, n| pool.assume(n, term))
    }

    fn restrict(&mut self, a: &Mtbdd, constraint: &Constraint<N::Var>) -> Result<Mtbdd, Halt> {
        self.map(a, |pool, n| pool.restrict(n, constraint))
    }

    fn post_n(&mut self, a: &Mtbdd, statement: &N::Statement) -> Result<Mtbdd, Halt> {
        self.map(a, |pool, n| pool.post(n, statement))
    }

    /// The join of both branches, in place of their disjunction.
    fn exists(&mut self, a: &Mtbdd, predicates: &[Predicate]) -> Result<Mtbdd, Halt> {
        let cube = self.base.space.cube(predicates)?;
        let Base { space, pool, .. } = &mut self.base;
        let join = |a, b| pool.join(NumId(a), NumId(b)).0;
        Ok(space.diagrams.multi().exists(&self.join, a, &cube, join)?)
    }

    fn unprime(&mut self, a: &Mtbdd) -> Result<Mtbdd, Halt> {
        let space = &self.base.space;
        Ok(space.diagrams.multi().rename(a, space.unprime())?)
    }

    fn reduce(&mut self, a: &Mtbdd) -> Result<Mtbdd, Halt> {
        let mut result = a.clone();
        for predicate in self.base.space.interpreted() {
            let mut sides = Vec::with_capacity(2);
            for value in [true, false] {
                let literal = self.base.space.literal(predicate, Side::Now, value)?;
                let within = self.within(&literal, &result)?;
                let parts = self.base.space.numeric(predicate, value).unwrap_or_default();
                sides.push(self.map(&within, |pool, n| {
                    parts.iter().fold(NumId::BOTTOM, |all, part| {
                        let part = pool.restrict(n, part);
                        pool.join(all, part)
                    })
                })?);
            }
            result = self.join(&sides[0], &sides[1])?;
        }
        Ok(result)
    }

    fn gamma(&mut self, a: &Mtbdd) -> Result<Vec<Disjunct<N::Var>>, Halt> {
        let pairs = self.pairs(a)?;
        Ok(disjuncts(&mut self.base, &pairs))
    }

    fn size(&mut self, a: &Mtbdd) -> Result<Size, Halt> {
        let multi = self.base.space.diagrams.multi();
        let (nodes, _) = multi.node_count(a);
        let parts = multi.terminals(a).into_iter().filter(|&number| number != NumId::BOTTOM.0).count();
        Ok(Size { parts, nodes })
    }
}
