//! NEX: numeric explicit sets, functions 2^P → N as sets of pairs (Section V.B).

use crate::Halt;
use crate::domain::{Base, Disjunct, Domain, Size, disjuncts};
use crate::numbers::Numbers;
use crate::pairs::{self, Pairs};
use crate::pool::{NumId, Pool};
use crate::space::{Predicate, Side};
use robusto_domains::Constraint;

/// The data structure.
pub struct Nex<N: Numbers> {
    base: Base<N>,
}

impl<N: Numbers> Nex<N> {
    /// With nothing computed yet.
    pub fn new(base: Base<N>) -> Self {
        Self { base }
    }
}

impl<N: Numbers> Domain for Nex<N> {
    type Numbers = N;
    type Value = Pairs;

    fn base(&mut self) -> &mut Base<N> {
        &mut self.base
    }

    fn top(&mut self) -> Result<Pairs, Halt> {
        Ok(vec![(self.base.space.diagrams.top(), NumId::TOP)])
    }

    fn bottom(&mut self) -> Result<Pairs, Halt> {
        Ok(Vec::new())
    }

    fn leq(&mut self, a: &Pairs, b: &Pairs) -> Result<bool, Halt> {
        pairs::leq(&mut self.base, a, b)
    }

    fn meet(&mut self, a: &Pairs, b: &Pairs) -> Result<Pairs, Halt> {
        pairs::meet(&mut self.base, a, b)
    }

    fn join(&mut self, a: &Pairs, b: &Pairs) -> Result<Pairs, Halt> {
        pairs::combine(&mut self.base, a, b, Pool::join)
    }

    fn widen(&mut self, a: &Pairs, b: &Pairs) -> Result<Pairs, Halt> {
        pairs::combine(&mut self.base, a, b, Pool::widen)
    }

    fn literal(&mut self, a: &Pairs, predicate: Predicate, side: Side, value: bool) -> Result<Pairs, Halt> {
        let literal = self.base.space.literal(predicate, side, value)?;
        pairs::meet(&mut self.base, a, &vec![(literal, NumId::TOP)])
    }

    fn assume_n(&mut self, a: &Pairs, term: &N::Term) -> Result<Pairs, Halt> {
        pairs::map(&mut self.base, a, |pool, n| pool.assume(n, term))
    }

    fn restrict(&mut self, a: &Pairs, constraint: &Constraint<N::Var>) -> Result<Pairs, Halt> {
        pairs::map(&mut self.base, a, |pool, n| pool.restrict(n, constraint))
    }

    fn post_n(&mut self, a: &Pairs, statement: &N::Statement) -> Result<Pairs, Halt> {
        pairs::map(&mut self.base, a, |pool, n| pool.post(n, statement))
    }

    /// Quantified pairs may overlap: they are joined again, so that C3 holds.
    fn exists(&mut self, a: &Pairs, predicates: &[Predicate]) -> Result<Pairs, Halt> {
        let cube = self.base.space.cube(predicates)?;
        let diagrams = &self.base.space.diagrams;
        let quantified: Result<Pairs, Halt> = a.iter().map(|(p, n)| Ok((diagrams.exists(p, &cube)?, *n))).collect();
        pairs::disjoint(&mut self.base, quantified?)
    }

    fn unprime(&mut self, a: &Pairs) -> Result<Pairs, Halt> {
        let space = &self.base.space;
        a.iter().map(|(p, n)| Ok((space.diagrams.rename(p, space.unprime())?, *n))).collect()
    }

    fn reduce(&mut self, a: &Pairs) -> Result<Pairs, Halt> {
        pairs::reduce(&mut self.base, a)
    }

    fn gamma(&mut self, a: &Pairs) -> Result<Vec<Disjunct<N::Var>>, Halt> {
        Ok(disjuncts(&mut self.base, a))
    }

    fn size(&mut self, a: &Pairs) -> Result<Size, Halt> {
        let nodes = a.iter().map(|(p, _)| self.base.space.diagrams.node_count(p)).sum();
        Ok(Size { parts: a.len(), nodes })
    }
}
