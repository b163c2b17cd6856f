//! MTNDD as the paper simulates it: a Boolean diagram with predicates above numeric terms, where what is below the predicates is a
//! cube of terms (Section V.C).
//!
//! Figure 6 has two slips: where one operand is **0**, the *other* one is the join (lines 3 and 4).

// A handle is compared and hashed by its node alone, which does not change.
#![allow(clippy::mutable_key_type)]

use crate::Halt;
use crate::domain::{Base, Disjunct, Domain, Size, disjuncts};
use crate::numbers::Numbers;
use crate::pairs::{self, Pairs};
use crate::pool::{NumId, Pool};
use crate::space::{Predicate, Side};
use crate::terms::Terms;
use robusto_diagram::{Bdd, VarIndex};
use robusto_domains::Constraint;
use rustc_hash::FxHashMap;

/// The data structure.
pub struct Simulated<N: Numbers> {
    base: Base<N>,
    terms: Terms<N::Var>,
}

impl<N: Numbers> Simulated<N> {
    /// With nothing computed yet. A predicate that is a numeric term has another variable than the term.
    pub fn new(base: Base<N>) -> Self {
        Self { base, terms: Terms::new() }
    }

    /// isNum, which holds of the constants too.
    fn is_numeric(&self, u: &Bdd) -> bool {
        self.base.space.diagrams.root(u).is_none_or(|variable| self.base.space.predicate(variable).is_none())
    }

    fn number(&mut self, u: &Bdd) -> NumId {
        self.terms.number(&self.base.space.diagrams, &mut self.base.pool, u)
    }

    fn cube(&mut self, number: NumId) -> Result<Bdd, Halt> {
        self.terms.cube(&mut self.base.space.diagrams, &mut self.base.pool, number)
    }

    fn ite(&self, variable: VarIndex, yes: &Bdd, no: &Bdd) -> Result<Bdd, Halt> {
        let diagrams = &self.base.space.diagrams;
        Ok(diagrams.ite(&diagrams.var(variable)?, yes, no)?)
    }

    /// Both operands at the upper one of their topmost variables, which are not both numeric.
    fn split(&self, u: &Bdd, v: &Bdd) -> (VarIndex, [(Bdd, Bdd); 2]) {
        let diagrams = &self.base.space.diagrams;
        let level = |f: &Bdd| diagrams.root(f).map_or(usize::MAX, |variable| diagrams.level(variable));
        let top = level(u).min(level(v));
        let sides = |f: &Bdd| match diagrams.branches(f) {
            Some((variable, yes, no)) if diagrams.level(variable) == top => (variable, yes, no),
            _ => (VarIndex::new(0), f.clone(), f.clone()),
        };
        let (left, right) = (sides(u), sides(v));
        let variable = if level(u) == top { left.0 } else { right.0 };
        (variable, [(left.1, right.1), (left.2, right.2)])
    }

    /// bddApply with an operation on numeric values.
    fn apply(
        &mut self,
        u: &Bdd,
        v: &Bdd,
        operation: fn(&mut Pool<N>, NumId, NumId) -> NumId,
        done: &mut FxHashMap<(Bdd, Bdd), Bdd>,
    ) -> Result<Bdd, Halt> {
        if let Some(known) = done.get(&(u.clone(), v.clone())) {
            return Ok(known.clone());
        }
        self.base.limits.poll()?;
        let result = if self.is_numeric(u) && self.is_numeric(v) {
            let (a, b) = (self.number(u), self.number(v));
            let number = operation(&mut self.base.pool, a, b);
            self.cube(number)?
        } else {
            let (variable, [yes, no]) = self.split(u, v);
            let yes = self.apply(&yes.0, &yes.1, operation, done)?;
            let no = self.apply(&no.0, &no.1, operation, done)?;
            self.ite(variable, &yes, &no)?
        };
        done.insert((u.clone(), v.clone()), result.clone());
        Ok(result)
    }

    fn map(
        &mut self,
        u: &Bdd,
        change: &mut dyn FnMut(&mut Pool<N>, NumId) -> NumId,
        done: &mut FxHashMap<Bdd, Bdd>,
    ) -> Result<Bdd, Halt> {
        if let Some(known) = done.get(u) {
            return Ok(known.clone());
        }
        self.base.limits.poll()?;
        let branches = if self.is_numeric(u) { None } else { self.base.space.diagrams.branches(u) };
        let result = match branches {
            Some((variable, yes, no)) => {
                let yes = self.map(&yes, change, done)?;
                let no = self.map(&no, change, done)?;
                self.ite(variable, &yes, &no)?
            }
            None => {
                let number = self.number(u);
                let number = change(&mut self.base.pool, number);
                self.cube(number)?
            }
        };
        done.insert(u.clone(), result.clone());
        Ok(result)
    }

    /// bddExists with the join in place of the disjunction.
    fn quantify(&mut self, u: &Bdd, variables: &[VarIndex], done: &mut FxHashMap<Bdd, Bdd>) -> Result<Bdd, Halt> {
        if let Some(known) = done.get(u) {
            return Ok(known.clone());
        }
        let branches = if self.is_numeric(u) { None } else { self.base.space.diagrams.branches(u) };
        let result = match branches {
            Some((variable, yes, no)) => {
                let yes = self.quantify(&yes, variables, done)?;
                let no = self.quantify(&no, variables, done)?;
                if variables.contains(&variable) { self.join(&yes, &no)? } else { self.ite(variable, &yes, &no)? }
            }
            None => u.clone(),
        };
        done.insert(u.clone(), result.clone());
        Ok(result)
    }

    fn pairs(&mut self, u: &Bdd, done: &mut FxHashMap<Bdd, Pairs>) -> Result<Pairs, Halt> {
        if let Some(known) = done.get(u) {
            return Ok(known.clone());
        }
        let branches = if self.is_numeric(u) { None } else { self.base.space.diagrams.branches(u) };
        let result = match branches {
            Some((variable, yes, no)) => {
                let sides = [(self.pairs(&yes, done)?, true), (self.pairs(&no, done)?, false)];
                let diagrams = &self.base.space.diagrams;
                let mut all = Vec::new();
                for (pairs, value) in sides {
                    let literal = diagrams.literal(variable, value)?;
                    for (p, n) in pairs {
                        all.push((diagrams.and(&p, &literal)?, n));
                    }
                }
                pairs::norm(diagrams, all)?
            }
            None => {
                let number = self.number(u);
                pairs::norm(&self.base.space.diagrams, [(self.base.space.diagrams.top(), number)])?
            }
        };
        done.insert(u.clone(), result.clone());
        Ok(result)
    }
}

impl<N: Numbers> Domain for Simulated<N> {
    type Numbers = N;
    type Value = Bdd;

    fn base(&mut self) -> &mut Base<N> {
        &mut self.base
    }

    fn top(&mut self) -> Result<Bdd, Halt> {
        Ok(self.base.space.diagrams.top())
    }

    fn bottom(&mut self) -> Result<Bdd, Halt> {
        Ok(self.base.space.diagrams.bottom())
    }

    fn leq(&mut self, a: &Bdd, b: &Bdd) -> Result<bool, Halt> {
        let outside = |pool: &mut Pool<N>, a, b| if pool.leq(a, b) { NumId::BOTTOM } else { NumId::TOP };
        let outside = self.apply(a, b, outside, &mut FxHashMap::default())?;
        Ok(self.base.space.diagrams.is_false(&outside))
    }

    fn meet(&mut self, a: &Bdd, b: &Bdd) -> Result<Bdd, Halt> {
        self.apply(a, b, Pool::meet, &mut FxHashMap::default())
    }

    fn join(&mut self, a: &Bdd, b: &Bdd) -> Result<Bdd, Halt> {
        self.apply(a, b, Pool::join, &mut FxHashMap::default())
    }

    fn widen(&mut self, a: &Bdd, b: &Bdd) -> Result<Bdd, Halt> {
        self.apply(a, b, Pool::widen, &mut FxHashMap::default())
    }

    fn literal(&mut self, a: &Bdd, predicate: Predicate, side: Side, value: bool) -> Result<Bdd, Halt> {
        let literal = self.base.space.literal(predicate, side, value)?;
        Ok(self.base.space.diagrams.and(a, &literal)?)
    }

    fn assume_n(&mut self, a: &Bdd, term: &N::Term) -> Result<Bdd, Halt> {
        self.map(a, &mut |pool, n| pool.assume(n, term), &mut FxHashMap::default())
    }

    fn restrict(&mut self, a: &Bdd, constraint: &Constraint<N::Var>) -> Result<Bdd, Halt> {
        self.map(a, &mut |pool, n| pool.restrict(n, constraint), &mut FxHashMap::default())
    }

    fn post_n(&mut self, a: &Bdd, statement: &N::Statement) -> Result<Bdd, Halt> {
        self.map(a, &mut |pool, n| pool.post(n, statement), &mut FxHashMap::default())
    }

    fn exists(&mut self, a: &Bdd, predicates: &[Predicate]) -> Result<Bdd, Halt> {
        let variables: Vec<_> = predicates.iter().map(|&p| self.base.space.variable(p, Side::Now)).collect();
        self.quantify(a, &variables, &mut FxHashMap::default())
    }

    fn unprime(&mut self, a: &Bdd) -> Result<Bdd, Halt> {
        Ok(self.base.space.diagrams.rename(a, self.base.space.unprime())?)
    }

    fn reduce(&mut self, a: &Bdd) -> Result<Bdd, Halt> {
        let mut result = a.clone();
        for predicate in self.base.space.interpreted() {
            let mut sides = Vec::with_capacity(2);
            for value in [true, false] {
                let within = self.literal(&result, predicate, Side::Now, value)?;
                let parts = self.base.space.numeric(predicate, value).unwrap_or_default();
                let mut restrict = |pool: &mut Pool<N>, n| {
                    parts.iter().fold(NumId::BOTTOM, |all, part| {
                        let part = pool.restrict(n, part);
                        pool.join(all, part)
                    })
                };
                sides.push(self.map(&within, &mut restrict, &mut FxHashMap::default())?);
            }
            result = self.join(&sides[0], &sides[1])?;
        }
        Ok(result)
    }

    fn gamma(&mut self, a: &Bdd) -> Result<Vec<Disjunct<N::Var>>, Halt> {
        let pairs = self.pairs(a, &mut FxHashMap::default())?;
        Ok(disjuncts(&mut self.base, &pairs))
    }

    fn size(&mut self, a: &Bdd) -> Result<Size, Halt> {
        let parts = self.pairs(a, &mut FxHashMap::default())?.len();
        Ok(Size { parts, nodes: self.base.space.diagrams.node_count(a) })
    }
}
