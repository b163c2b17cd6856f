//! Numeric terms as variables of decision diagrams.
//!
//! A variable stands for Σ aᵢxᵢ ≤ c with a positive first coefficient and no common divisor; Σ aᵢxᵢ ≥ c + 1 is the other phase of
//! the same variable. An equation is a conjunction of two. Variables are added as terms occur, below all predicates.

use crate::Halt;
use crate::numbers::Numbers;
use crate::pool::{NumId, Pool};
use crate::space::{Predicate, Side, Space};
use robusto_diagram::{Bdd, Diagrams, VarIndex};
use robusto_domains::{Constraint, Order, Sum};
use rustc_hash::FxHashMap;
use std::hash::Hash;

/// Terms and their variables.
pub struct Terms<X> {
    /// The coefficients and the constant of Σ aᵢxᵢ + c ≤ 0, with the phase of the variable.
    variables: FxHashMap<(Vec<(X, i128)>, i128), (VarIndex, bool)>,
    /// What a variable says where it is true.
    constraints: FxHashMap<VarIndex, Constraint<X>>,
    /// toBdd(γ(n))
    cubes: FxHashMap<NumId, Bdd>,
    /// The numeric value of a cube.
    numbers: FxHashMap<Bdd, NumId>,
}

impl<X: Copy + Ord + Hash> Terms<X> {
    /// No terms.
    pub fn new() -> Self {
        Self {
            variables: FxHashMap::default(),
            constraints: FxHashMap::default(),
            cubes: FxHashMap::default(),
            numbers: FxHashMap::default(),
        }
    }

    /// Predicates that are terms share their variable with them.
    pub fn sharing(space: &Space<X>) -> Self {
        let mut terms = Self::new();
        for predicate in (0..space.predicates()).map(Predicate) {
            let Some(meaning) = space.meaning(predicate) else { continue };
            let variable = space.variable(predicate, Side::Now);
            terms.constraints.insert(variable, meaning.clone());
            if meaning.order == Order::AtMost
                && let Some((key, phase)) = canonical(&meaning.sum)
            {
                terms.variables.entry(key).or_insert((variable, phase));
            }
        }
        terms
    }

    /// What a variable says where it is true, if it is a term.
    pub fn constraint(&self, variable: VarIndex) -> Option<&Constraint<X>> {
        self.constraints.get(&variable)
    }

    /// The set of states that satisfy a constraint.
    pub fn diagram(&mut self, diagrams: &mut Diagrams, constraint: &Constraint<X>) -> Result<Bdd, Halt> {
        let constraint = match constraint.clone().tightened() {
            Ok(constraint) => constraint,
            Err(holds) => return Ok(diagrams.constant(holds)),
        };
        let below = self.at_most(diagrams, &constraint.sum)?;
        if constraint.order == Order::AtMost {
            return Ok(below);
        }
        let above = match Sum::constant(0).plus(-1, &constraint.sum) {
            Some(sum) => self.at_most(diagrams, &sum)?,
            None => diagrams.top(),
        };
        let equal = diagrams.and(&below, &above)?;
        Ok(if constraint.order == Order::Equal { equal } else { diagrams.not(&equal)? })
    }

    /// sum ≤ 0; everything where 128 bits are not enough to say so.
    fn at_most(&mut self, diagrams: &mut Diagrams, sum: &Sum<X>) -> Result<Bdd, Halt> {
        let Some((key, phase)) = canonical(sum) else { return Ok(diagrams.top()) };
        if let Some(&(variable, own)) = self.variables.get(&key) {
            return Ok(diagrams.literal(variable, own == phase)?);
        }
        let Some(positive) = Sum::new(key.1, key.0.iter().copied()) else { return Ok(diagrams.top()) };
        let variable = diagrams.add_variables(1);
        self.constraints.insert(variable, Constraint { sum: positive, order: Order::AtMost });
        self.variables.insert(key, (variable, true));
        Ok(diagrams.literal(variable, phase)?)
    }

    /// toBdd(γ(n)): the same for equal values, because equal values have one number.
    pub fn cube<N: Numbers<Var = X>>(
        &mut self,
        diagrams: &mut Diagrams,
        pool: &mut Pool<N>,
        number: NumId,
    ) -> Result<Bdd, Halt> {
        if let Some(known) = self.cubes.get(&number) {
            return Ok(known.clone());
        }
        let mut cube = diagrams.bottom();
        // What the constraints say, which is less than n where n has something that they cannot express.
        let mut described = NumId::BOTTOM;
        if let Some(constraints) = pool.constraints(number) {
            (cube, described) = (diagrams.top(), NumId::TOP);
            for constraint in &constraints {
                let term = self.diagram(diagrams, constraint)?;
                cube = diagrams.and(&cube, &term)?;
                described = pool.restrict(described, constraint);
            }
        }
        self.numbers.entry(cube.clone()).or_insert(described);
        self.cubes.insert(number, cube.clone());
        Ok(cube)
    }

    /// N.α(toExpr(u)) of a cube over numeric terms.
    pub fn number<N: Numbers<Var = X>>(&mut self, diagrams: &Diagrams, pool: &mut Pool<N>, cube: &Bdd) -> NumId {
        if let Some(value) = diagrams.as_constant(cube) {
            return if value { NumId::TOP } else { NumId::BOTTOM };
        }
        if let Some(&known) = self.numbers.get(cube) {
            return known;
        }
        let (mut result, mut rest) = (NumId::TOP, cube.clone());
        while let Some((variable, yes, no)) = diagrams.branches(&rest) {
            let (value, next) = if diagrams.is_false(&no) { (true, yes) } else { (false, no) };
            result = self.context(pool, result, variable, value);
            rest = next;
        }
        self.numbers.insert(cube.clone(), result);
        result
    }

    /// c ⊓ e, or c ⊓ ¬e, for the term e of a variable. Of a negated equation the hull of both sides is taken.
    pub fn context<N: Numbers<Var = X>>(
        &self,
        pool: &mut Pool<N>,
        context: NumId,
        variable: VarIndex,
        value: bool,
    ) -> NumId {
        let Some(constraint) = self.constraint(variable) else { return context };
        if value {
            return pool.restrict(context, constraint);
        }
        crate::numbers::complement(constraint).iter().fold(NumId::BOTTOM, |all, part| {
            let part = pool.restrict(context, part);
            pool.join(all, part)
        })
    }
}

/// The key of sum ≤ 0, and the phase of its variable.
fn canonical<X: Copy + Ord>(sum: &Sum<X>) -> Option<((Vec<(X, i128)>, i128), bool)> {
    let first = sum.terms().first()?;
    if first.1 > 0 {
        return Some(((sum.terms().to_vec(), sum.offset()), true));
    }
    // sum ≤ 0 is ¬(1 - sum ≤ 0).
    let complement = Sum::constant(1).plus(-1, sum)?;
    Some(((complement.terms().to_vec(), complement.offset()), false))
}
