//! NDD: numeric decision diagrams, propositional formulas over predicates and numeric terms (Section V.D).
//!
//! A predicate that is a term has one variable with it, so that what contradicts it propositionally is **0** at once. Predicates are
//! above all other terms.
//!
//! Where this differs from the paper's text:
//!
//! - The context of a path comes from terms over the current state only: a primed predicate speaks of the next one.
//! - NDDPost returns toBdd(γ(…)), which is canonical. A predicate over variables that the statement does not change stays; so ¬(x = 3)
//!   survives an assignment to y, though no convex set says it.
//! - ¬v is right for leq, because diagrams are exact formulas of their terms; nowhere else is a negation taken for an
//!   over-approximation.
//! - leq misses inclusions where the numeric domain cannot express a term. Widening does not rest on it: per valuation of
//!   the predicates the numeric values are joined, widened and converted back ([`pairs`]), and these chains are finite.
//! - [`Domain::compact`] replaces convex parts by their hull where the hull adds no point: that is what keeps
//!   `x = 0 ∨ x = 1 ∨ …` small.

// A handle is compared and hashed by its node alone, which does not change.
#![allow(clippy::mutable_key_type)]

use crate::Halt;
use crate::domain::{Base, Disjunct, Domain, Size};
use crate::numbers::{Numbers, complement};
use crate::pairs::{self, Pairs};
use crate::pool::{NumId, Pool};
use crate::space::{Predicate, Side};
use crate::terms::Terms;
use robusto_diagram::{Bdd, VarIndex};
use robusto_domains::{Constraint, Order};
use rustc_hash::FxHashMap;

/// The data structure.
pub struct Ndd<N: Numbers> {
    base: Base<N>,
    terms: Terms<N::Var>,
    contexts: FxHashMap<(NumId, VarIndex, bool), NumId>,
}

/// A node with the context of the path that leads to it: what `ctxApply` computes depends on both.
type Done<T> = FxHashMap<(Bdd, NumId), T>;

/// What is done at a node in a context; `None` to go on below.
type Operation<'o, N> = &'o mut dyn FnMut(&mut Ndd<N>, &Bdd, NumId) -> Result<Option<Bdd>, Halt>;

/// Convex parts of one valuation that [`Domain::compact`] compares with each other, at most: pairs of them are quadratically many.
const MOST_PARTS: usize = 24;

impl<N: Numbers> Ndd<N> {
    /// With nothing computed yet.
    pub fn new(base: Base<N>) -> Self {
        let terms = Terms::sharing(&base.space);
        Self { base, terms, contexts: FxHashMap::default() }
    }

    fn cube(&mut self, number: NumId) -> Result<Bdd, Halt> {
        self.terms.cube(&mut self.base.space.diagrams, &mut self.base.pool, number)
    }

    /// c ⊓ e or c ⊓ ¬e for the term e of a variable, unless it speaks of the next state.
    fn context(&mut self, context: NumId, variable: VarIndex, value: bool) -> NumId {
        if let Some(&known) = self.contexts.get(&(context, variable, value)) {
            return known;
        }
        let result = self.terms.context(&mut self.base.pool, context, variable, value);
        self.contexts.insert((context, variable, value), result);
        result
    }

    /// Figure 7. Recurses once per level.
    fn ctx_apply(
        &mut self,
        u: &Bdd,
        context: NumId,
        eliminated: &dyn Fn(VarIndex) -> bool,
        operation: Operation<'_, N>,
        done: &mut Done<Bdd>,
    ) -> Result<Bdd, Halt> {
        if let Some(known) = done.get(&(u.clone(), context)) {
            return Ok(known.clone());
        }
        self.base.limits.poll()?;
        if context == NumId::BOTTOM || self.base.space.diagrams.is_false(u) {
            return Ok(self.base.space.diagrams.bottom());
        }
        if let Some(result) = operation(self, u, context)? {
            return Ok(result);
        }
        let Some((variable, yes, no)) = self.base.space.diagrams.branches(u) else { return Ok(u.clone()) };
        let (above, below) = (self.context(context, variable, true), self.context(context, variable, false));
        let yes = self.ctx_apply(&yes, above, eliminated, operation, done)?;
        let no = self.ctx_apply(&no, below, eliminated, operation, done)?;
        let diagrams = &self.base.space.diagrams;
        let result = if eliminated(variable) {
            diagrams.or(&yes, &no)?
        } else {
            diagrams.ite(&diagrams.var(variable)?, &yes, &no)?
        };
        done.insert((u.clone(), context), result.clone());
        Ok(result)
    }

    /// αPost_N of a diagram that may have primed predicates; `assigned` lose their old values.
    fn post(&mut self, u: &Bdd, statement: &N::Statement, assigned: &[Predicate]) -> Result<Bdd, Halt> {
        let written = self.base.pool.numbers().written(statement);
        let space = &self.base.space;
        let touches = |p: Predicate| {
            let meaning = space.meaning(p);
            meaning.is_some_and(|c| c.sum.terms().iter().any(|(x, _)| written.contains(x)))
        };
        let lost: Vec<VarIndex> = (0..space.predicates())
            .map(Predicate)
            .filter(|&p| assigned.contains(&p) || touches(p))
            .map(|p| space.variable(p, Side::Now))
            .collect();
        let first_term = 2 * space.predicates() as usize;
        let eliminated = |variable: VarIndex| variable.index() >= first_term || lost.contains(&variable);
        let operation: Operation<'_, N> = &mut |ndd, u, context| {
            if !ndd.base.space.diagrams.is_true(u) {
                return Ok(None);
            }
            let number = ndd.base.pool.post(context, statement);
            ndd.cube(number).map(Some)
        };
        self.ctx_apply(u, NumId::TOP, &eliminated, operation, &mut Done::default())
    }

    /// Per valuation of the predicates, the join of all numeric values.
    fn pairs(&mut self, u: &Bdd, context: NumId, done: &mut Done<Pairs>) -> Result<Pairs, Halt> {
        if let Some(known) = done.get(&(u.clone(), context)) {
            return Ok(known.clone());
        }
        self.base.limits.poll()?;
        let diagrams = &self.base.space.diagrams;
        if context == NumId::BOTTOM || diagrams.is_false(u) {
            return Ok(Vec::new());
        }
        let Some((variable, yes, no)) = diagrams.branches(u) else { return Ok(vec![(diagrams.top(), context)]) };
        let (above, below) = (self.context(context, variable, true), self.context(context, variable, false));
        let sides = [(self.pairs(&yes, above, done)?, true), (self.pairs(&no, below, done)?, false)];
        let diagrams = &self.base.space.diagrams;
        let result = if self.base.space.predicate(variable).is_some() {
            let mut all = Vec::new();
            for (pairs, value) in sides {
                let literal = diagrams.literal(variable, value)?;
                for (p, n) in pairs {
                    all.push((diagrams.and(&p, &literal)?, n));
                }
            }
            pairs::norm(diagrams, all)?
        } else {
            let numbers = sides.iter().flat_map(|(pairs, _)| pairs).map(|(_, n)| *n);
            let joined = numbers.fold(NumId::BOTTOM, |a, b| self.base.pool.join(a, b));
            pairs::norm(diagrams, [(diagrams.top(), joined)])?
        };
        done.insert((u.clone(), context), result.clone());
        Ok(result)
    }

    /// The convex parts of a diagram over numeric terms, in a context; nothing if there are more than so many.
    fn parts(&mut self, u: &Bdd, context: NumId, most: usize) -> Option<Vec<NumId>> {
        let (mut parts, mut stack) = (Vec::new(), vec![(u.clone(), context)]);
        while let Some((u, context)) = stack.pop() {
            if context == NumId::BOTTOM || self.base.space.diagrams.is_false(&u) {
                continue;
            }
            match self.base.space.diagrams.branches(&u) {
                Some((variable, yes, no)) => {
                    stack.push((no, self.context(context, variable, false)));
                    stack.push((yes, self.context(context, variable, true)));
                }
                None if parts.len() == most => return None,
                None => parts.push(context),
            }
        }
        Some(parts)
    }

    /// Whether the context of every path to such a node has all that its terms say: then the parts are the set.
    fn is_exact(&mut self, u: &Bdd) -> bool {
        let variables = self.base.space.diagrams.support(u);
        variables.into_iter().all(|variable| {
            let Some(constraint) = self.terms.constraint(variable).cloned() else { return false };
            constraint.order == Order::AtMost
                && [vec![constraint.clone()], complement(&constraint)].into_iter().all(|sides| {
                    // A domain that can express a term has nothing left where both the term and its complement hold.
                    let [side] = &sides[..] else { return false };
                    let inside = self.base.pool.restrict(NumId::TOP, side);
                    let outside = complement(side);
                    outside.iter().all(|part| self.base.pool.restrict(inside, part) == NumId::BOTTOM)
                })
        })
    }

    fn coalesced(&mut self, mut parts: Vec<NumId>) -> Vec<NumId> {
        parts.sort_unstable();
        parts.dedup();
        let mut i = 0;
        while i < parts.len() {
            match (0..i).find(|&j| self.base.pool.is_union(parts[j], parts[i])) {
                Some(j) => {
                    let hull = self.base.pool.join(parts[j], parts[i]);
                    parts.remove(i);
                    parts.remove(j);
                    // The hull may now be united with an earlier part.
                    parts.push(hull);
                    i = j;
                }
                None => i += 1,
            }
        }
        parts
    }
}

impl<N: Numbers> Domain for Ndd<N> {
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

    /// u ⇒ v if u ∧ ¬v is unsatisfiable.
    fn leq(&mut self, a: &Bdd, b: &Bdd) -> Result<bool, Halt> {
        let outside = self.base.space.diagrams.diff(a, b)?;
        let outside = self.reduce(&outside)?;
        Ok(self.base.space.diagrams.is_false(&outside))
    }

    fn meet(&mut self, a: &Bdd, b: &Bdd) -> Result<Bdd, Halt> {
        Ok(self.base.space.diagrams.and(a, b)?)
    }

    fn join(&mut self, a: &Bdd, b: &Bdd) -> Result<Bdd, Halt> {
        Ok(self.base.space.diagrams.or(a, b)?)
    }

    fn widen(&mut self, a: &Bdd, b: &Bdd) -> Result<Bdd, Halt> {
        let a = self.pairs(a, NumId::TOP, &mut Done::default())?;
        let b = self.pairs(b, NumId::TOP, &mut Done::default())?;
        let pairs = pairs::combine(&mut self.base, &a, &b, Pool::widen)?;
        let mut result = self.base.space.diagrams.bottom();
        for (p, n) in pairs {
            let cube = self.cube(n)?;
            let diagrams = &self.base.space.diagrams;
            result = diagrams.or(&result, &diagrams.and(&p, &cube)?)?;
        }
        Ok(result)
    }

    fn literal(&mut self, a: &Bdd, predicate: Predicate, side: Side, value: bool) -> Result<Bdd, Halt> {
        let literal = self.base.space.literal(predicate, side, value)?;
        Ok(self.base.space.diagrams.and(a, &literal)?)
    }

    fn assume_n(&mut self, a: &Bdd, term: &N::Term) -> Result<Bdd, Halt> {
        if let Some(constraint) = self.base.pool.numbers().constraint(term) {
            let set = self.terms.diagram(&mut self.base.space.diagrams, &constraint)?;
            return Ok(self.base.space.diagrams.and(a, &set)?);
        }
        // What the term means depends on the numbers: in each context it is something else.
        let operation: Operation<'_, N> = &mut |ndd, u, context| {
            if !ndd.base.space.diagrams.is_true(u) {
                return Ok(None);
            }
            let number = ndd.base.pool.assume(context, term);
            ndd.cube(number).map(Some)
        };
        self.ctx_apply(a, NumId::TOP, &|_| false, operation, &mut Done::default())
    }

    fn restrict(&mut self, a: &Bdd, constraint: &Constraint<N::Var>) -> Result<Bdd, Halt> {
        let set = self.terms.diagram(&mut self.base.space.diagrams, constraint)?;
        Ok(self.base.space.diagrams.and(a, &set)?)
    }

    fn post_n(&mut self, a: &Bdd, statement: &N::Statement) -> Result<Bdd, Halt> {
        self.post(a, statement, &[])
    }

    fn exists(&mut self, a: &Bdd, predicates: &[Predicate]) -> Result<Bdd, Halt> {
        let cube = self.base.space.cube(predicates)?;
        Ok(self.base.space.diagrams.exists(a, &cube)?)
    }

    fn unprime(&mut self, a: &Bdd) -> Result<Bdd, Halt> {
        Ok(self.base.space.diagrams.rename(a, self.base.space.unprime())?)
    }

    /// The primed predicates are the shadow variables: the old values are there until the numeric part has used them.
    fn post_both(&mut self, a: &Bdd, predicates: &[Predicate], statement: &N::Statement) -> Result<Bdd, Halt> {
        let new = self.post(a, statement, predicates)?;
        self.unprime(&new)
    }

    /// Paths whose terms contradict each other become **0**.
    fn reduce(&mut self, a: &Bdd) -> Result<Bdd, Halt> {
        let operation: Operation<'_, N> = &mut |ndd, u, _| {
            let diagrams = &ndd.base.space.diagrams;
            Ok(diagrams.is_true(u).then(|| diagrams.top()))
        };
        self.ctx_apply(a, NumId::TOP, &|_| false, operation, &mut Done::default())
    }

    fn compact(&mut self, a: &Bdd) -> Result<Bdd, Halt> {
        let first_term = 2 * self.base.space.predicates() as usize;
        let operation: Operation<'_, N> = &mut |ndd, u, context| {
            let diagrams = &ndd.base.space.diagrams;
            if diagrams.root(u).is_some_and(|variable| variable.index() < first_term) || !ndd.is_exact(u) {
                return Ok(None);
            }
            let Some(parts) = ndd.parts(u, context, MOST_PARTS) else { return Ok(Some(u.clone())) };
            let mut result = ndd.base.space.diagrams.bottom();
            for part in ndd.coalesced(parts) {
                let cube = ndd.cube(part)?;
                result = ndd.base.space.diagrams.or(&result, &cube)?;
            }
            Ok(Some(result))
        };
        self.ctx_apply(a, NumId::TOP, &|_| false, operation, &mut Done::default())
    }

    fn gamma(&mut self, a: &Bdd) -> Result<Vec<Disjunct<N::Var>>, Halt> {
        let diagrams = &self.base.space.diagrams;
        let mut all = Vec::new();
        let mut stack = vec![(a.clone(), diagrams.top(), Vec::new())];
        while let Some((u, predicates, numbers)) = stack.pop() {
            self.base.limits.poll()?;
            let Some((variable, yes, no)) = diagrams.branches(&u) else {
                if diagrams.is_true(&u) {
                    all.push(Disjunct { predicates, numbers, element: None });
                }
                continue;
            };
            for (next, value) in [(no, false), (yes, true)] {
                let (mut predicates, mut numbers) = (predicates.clone(), numbers.clone());
                if self.base.space.predicate(variable).is_some() {
                    predicates = diagrams.and(&predicates, &diagrams.literal(variable, value)?)?;
                } else if let Some(constraint) = self.terms.constraint(variable) {
                    // Terms of their own are inequalities, whose complement is one inequality.
                    numbers.extend(if value { vec![constraint.clone()] } else { complement(constraint) });
                }
                stack.push((next, predicates, numbers));
            }
        }
        Ok(all)
    }

    fn diagram(&self, a: &Bdd) -> Option<Bdd> {
        Some(a.clone())
    }

    fn term(&self, variable: VarIndex) -> Option<&Constraint<N::Var>> {
        self.terms.constraint(variable)
    }

    fn size(&mut self, a: &Bdd) -> Result<Size, Halt> {
        let nodes = self.base.space.diagrams.node_count(a);
        Ok(Size { parts: nodes, nodes })
    }
}
