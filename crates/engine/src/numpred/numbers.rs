//! The numeric part for C: machine integers over a domain of ideal integers, for the tracked variables.

use robusto_analyses::numeric::Variables;
use robusto_cfa::facts::Facts;
use robusto_cfa::ir::{BinOp, Expr, ExprId, ExprPool, UnOp, VarId};
use robusto_domains::machine::{Integer, Source, Types};
use robusto_domains::{Constraint, Ideal, Machine, Order, Sum};
use robusto_numpred::Numbers;
use robusto_numpred::numbers::complement;
use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::marker::PhantomData;

/// The tracked variables, V_N.
pub struct Tracked<'f> {
    variables: &'f Variables,
    /// V_N
    pub set: BTreeSet<VarId>,
}

impl<'f> Tracked<'f> {
    /// These variables; what is no integer is left out.
    pub fn new(variables: &'f Variables, set: impl IntoIterator<Item = VarId>) -> Self {
        Self { variables, set: set.into_iter().filter(|&var| variables.any_integer(var).is_some()).collect() }
    }
}

impl Types for Tracked<'_> {
    fn integer(&self, var: VarId) -> Option<Integer> {
        if self.set.contains(&var) { self.variables.any_integer(var) } else { None }
    }

    fn spare(&self, number: usize) -> VarId {
        self.variables.spare(number)
    }
}

/// A condition on tracked variables.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Test {
    /// A condition of the program, of type `BOOL`, and its truth value.
    Condition(ExprId, bool),
    /// A constraint on the integers of variables.
    Linear(Constraint<VarId>),
}

/// An assignment of the program to tracked variables, all at once, and what is forgotten.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Update {
    /// The variables with their sources.
    pub assign: Vec<(VarId, Source)>,
    /// Variables that matter no more.
    pub forget: Vec<VarId>,
}

/// The numeric domain.
pub struct Words<'f, D> {
    facts: &'f Facts,
    tracked: Tracked<'f>,
    domain: PhantomData<D>,
}

impl<'f, D> Words<'f, D> {
    /// For a program and its tracked variables.
    pub fn new(facts: &'f Facts, tracked: Tracked<'f>) -> Self {
        Self { facts, tracked, domain: PhantomData }
    }

    fn pool(&self) -> &'f ExprPool {
        &self.facts.program.exprs
    }
}

impl<D: Ideal<Var = VarId>> Words<'_, D> {
    /// Without what a condition says of variables that are not tracked: nobody would notice that they change.
    fn without_others(&self, element: Machine<D>) -> Machine<D> {
        let others: Vec<VarId> =
            element.boxes().iter().map(|(&var, _)| var).filter(|var| !self.tracked.set.contains(var)).collect();
        if others.is_empty() { element } else { element.forget(&others) }
    }
}

impl<D: Ideal<Var = VarId>> Numbers for Words<'_, D> {
    type Element = Machine<D>;
    type Var = VarId;
    type Term = Test;
    type Statement = Update;

    fn top(&self) -> Machine<D> {
        Machine::top()
    }

    fn bottom(&self) -> Machine<D> {
        Machine::bottom()
    }

    fn assume(&self, element: &Machine<D>, test: &Test) -> Machine<D> {
        match test {
            Test::Condition(cond, truth) => {
                self.without_others(element.assume(self.pool(), &self.tracked, *cond, *truth))
            }
            Test::Linear(constraint) => element.constrain(&self.tracked, constraint),
        }
    }

    fn complement(&self, test: &Test) -> Vec<Test> {
        match test {
            Test::Condition(cond, truth) => vec![Test::Condition(*cond, !truth)],
            Test::Linear(constraint) => complement(constraint).into_iter().map(Test::Linear).collect(),
        }
    }

    fn constraint(&self, test: &Test) -> Option<Constraint<VarId>> {
        match test {
            Test::Condition(cond, truth) => linear(self.pool(), &self.tracked, *cond, *truth),
            Test::Linear(constraint) => Some(constraint.clone()),
        }
    }

    fn post(&self, element: &Machine<D>, update: &Update) -> Machine<D> {
        let after = element.assign(self.pool(), &self.tracked, &update.assign);
        self.without_others(after.forget(&update.forget))
    }

    fn written(&self, update: &Update) -> Vec<VarId> {
        update.assign.iter().map(|(var, _)| *var).chain(update.forget.iter().copied()).collect()
    }

    fn restrict(&self, element: &Machine<D>, constraint: &Constraint<VarId>) -> Machine<D> {
        element.constrain(&self.tracked, constraint)
    }

    fn constraints(&self, element: &Machine<D>) -> Option<Vec<Constraint<VarId>>> {
        element.constraints(&self.tracked)
    }

    fn signature(&self, element: &Machine<D>) -> u64 {
        let mut hasher = DefaultHasher::new();
        for &var in &self.tracked.set {
            element.ideal().range(&Sum::variable(var)).map(|range| (range.lo, range.hi)).hash(&mut hasher);
            element.boxes().get(&var).and_then(|values| values.signed_bounds()).hash(&mut hasher);
        }
        hasher.finish()
    }
}

/// A test as a constraint, where it is a comparison of a tracked variable with a constant or another one that no overflow
/// can change: both sides are read with the sign that the comparison has.
fn linear(pool: &ExprPool, tracked: &Tracked<'_>, mut cond: ExprId, mut truth: bool) -> Option<Constraint<VarId>> {
    while let Expr::Unary(UnOp::Not, inner) = pool.get(cond) {
        (cond, truth) = (inner, !truth);
    }
    let Expr::Binary(op, left, right) = pool.get(cond) else { return None };
    let integer = |id: ExprId| match pool.get(id) {
        Expr::Var(var) => tracked.integer(var),
        _ => None,
    };
    let ty = integer(left).or(integer(right))?;
    let side = |id: ExprId| match (pool.get(id), pool.as_const(id)) {
        (Expr::Var(var), _) if tracked.integer(var) == Some(ty) => Some(Sum::variable(var)),
        (_, Some(bits)) => Some(Sum::constant(ty.of_bits(bits))),
        _ => None,
    };
    compare(op, side(left)?, &side(right)?, ty.signed, truth)
}

/// left ⋈ right, or its negation, as a constraint; nothing if the order is of the other signedness.
pub fn compare(
    op: BinOp,
    left: Sum<VarId>,
    right: &Sum<VarId>,
    signed: bool,
    truth: bool,
) -> Option<Constraint<VarId>> {
    let difference = left.plus(-1, right)?;
    let one = Sum::constant(1);
    // ¬(a ≤ b) is b + 1 ≤ a.
    let (sum, order) = match (op, truth) {
        (BinOp::Eq, true) | (BinOp::Ne, false) => (difference, Order::Equal),
        (BinOp::Ne, true) | (BinOp::Eq, false) => (difference, Order::Different),
        (BinOp::SLe, _) | (BinOp::SLt, _) if !signed => return None,
        (BinOp::ULe, _) | (BinOp::ULt, _) if signed => return None,
        (BinOp::SLe | BinOp::ULe, true) => (difference, Order::AtMost),
        (BinOp::SLt | BinOp::ULt, true) => (difference.plus(1, &one)?, Order::AtMost),
        (BinOp::SLe | BinOp::ULe, false) => (one.plus(-1, &difference)?, Order::AtMost),
        (BinOp::SLt | BinOp::ULt, false) => (Sum::constant(0).plus(-1, &difference)?, Order::AtMost),
        _ => return None,
    };
    Some(Constraint { sum, order })
}
