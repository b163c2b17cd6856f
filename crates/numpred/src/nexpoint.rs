//! NEXPOINT: numeric explicit points, one pair of a set of valuations and a numeric value (Section V.A).

use crate::Halt;
use crate::domain::{Base, Disjunct, Domain, Size, disjuncts};
use crate::numbers::Numbers;
use crate::pairs;
use crate::pool::NumId;
use crate::space::{Predicate, Side};
use robusto_diagram::Bdd;
use robusto_domains::Constraint;

/// The data structure. A pair with ⊥ on one side has it on both.
pub struct Nexpoint<N: Numbers> {
    base: Base<N>,
}

impl<N: Numbers> Nexpoint<N> {
    /// With nothing computed yet.
    pub fn new(base: Base<N>) -> Self {
        Self { base }
    }

    fn pair(&self, p: Bdd, n: NumId) -> (Bdd, NumId) {
        let diagrams = &self.base.space.diagrams;
        if diagrams.is_false(&p) || n == NumId::BOTTOM { (diagrams.bottom(), NumId::BOTTOM) } else { (p, n) }
    }
}

impl<N: Numbers> Domain for Nexpoint<N> {
    type Numbers = N;
    type Value = (Bdd, NumId);

    fn base(&mut self) -> &mut Base<N> {
        &mut self.base
    }

    fn top(&mut self) -> Result<(Bdd, NumId), Halt> {
        Ok((self.base.space.diagrams.top(), NumId::TOP))
    }

    fn bottom(&mut self) -> Result<(Bdd, NumId), Halt> {
        Ok((self.base.space.diagrams.bottom(), NumId::BOTTOM))
    }

    fn leq(&mut self, a: &(Bdd, NumId), b: &(Bdd, NumId)) -> Result<bool, Halt> {
        Ok(self.base.space.diagrams.leq(&a.0, &b.0) && self.base.pool.leq(a.1, b.1))
    }

    fn meet(&mut self, a: &(Bdd, NumId), b: &(Bdd, NumId)) -> Result<(Bdd, NumId), Halt> {
        let p = self.base.space.diagrams.and(&a.0, &b.0)?;
        let n = self.base.pool.meet(a.1, b.1);
        Ok(self.pair(p, n))
    }

    fn join(&mut self, a: &(Bdd, NumId), b: &(Bdd, NumId)) -> Result<(Bdd, NumId), Halt> {
        Ok((self.base.space.diagrams.or(&a.0, &b.0)?, self.base.pool.join(a.1, b.1)))
    }

    fn widen(&mut self, a: &(Bdd, NumId), b: &(Bdd, NumId)) -> Result<(Bdd, NumId), Halt> {
        Ok((self.base.space.diagrams.or(&a.0, &b.0)?, self.base.pool.widen(a.1, b.1)))
    }

    fn literal(
        &mut self,
        a: &(Bdd, NumId),
        predicate: Predicate,
        side: Side,
        value: bool,
    ) -> Result<(Bdd, NumId), Halt> {
        let literal = self.base.space.literal(predicate, side, value)?;
        let p = self.base.space.diagrams.and(&a.0, &literal)?;
        Ok(self.pair(p, a.1))
    }

    fn assume_n(&mut self, a: &(Bdd, NumId), term: &N::Term) -> Result<(Bdd, NumId), Halt> {
        let n = self.base.pool.assume(a.1, term);
        Ok(self.pair(a.0.clone(), n))
    }

    fn restrict(&mut self, a: &(Bdd, NumId), constraint: &Constraint<N::Var>) -> Result<(Bdd, NumId), Halt> {
        let n = self.base.pool.restrict(a.1, constraint);
        Ok(self.pair(a.0.clone(), n))
    }

    fn post_n(&mut self, a: &(Bdd, NumId), statement: &N::Statement) -> Result<(Bdd, NumId), Halt> {
        let n = self.base.pool.post(a.1, statement);
        Ok(self.pair(a.0.clone(), n))
    }

    fn exists(&mut self, a: &(Bdd, NumId), predicates: &[Predicate]) -> Result<(Bdd, NumId), Halt> {
        let cube = self.base.space.cube(predicates)?;
        Ok((self.base.space.diagrams.exists(&a.0, &cube)?, a.1))
    }

    fn unprime(&mut self, a: &(Bdd, NumId)) -> Result<(Bdd, NumId), Halt> {
        let space = &self.base.space;
        Ok((space.diagrams.rename(&a.0, space.unprime())?, a.1))
    }

    /// The join of what is left of each valuation: reduce(q ∨ r, x = 3 ∧ y ≥ 0) is (¬q ∧ r, x = 3 ∧ y = 0) for q = (x = 0),
    /// r = (y = 0).
    fn reduce(&mut self, a: &(Bdd, NumId)) -> Result<(Bdd, NumId), Halt> {
        let parts = pairs::reduce(&mut self.base, &vec![a.clone()])?;
        let mut result = self.bottom()?;
        for part in parts {
            result = self.join(&result, &part)?;
        }
        Ok(result)
    }

    fn gamma(&mut self, a: &(Bdd, NumId)) -> Result<Vec<Disjunct<N::Var>>, Halt> {
        Ok(disjuncts(&mut self.base, std::slice::from_ref(a)))
    }

    fn size(&mut self, a: &(Bdd, NumId)) -> Result<Size, Halt> {
        Ok(Size { parts: 1, nodes: self.base.space.diagrams.node_count(&a.0) })
    }
}
