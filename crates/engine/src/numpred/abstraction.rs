//! Steps of a C program as transformers, given predicates and tracked variables.
//!
//! Of each predicate that a step may change the solver says where it is true afterwards and where it is false: t and f are cubes of
//! predicates under which WP(p), or WP(¬p), holds. A predicate that is a constraint over tracked variables is also told by the
//! numbers, after the step, by reduction. A guard is a numeric condition, and excludes cubes of predicates.
//!
//! Memory is the solver's business: a store through a pointer is in WP(p) as the encoder writes it.

use super::numbers::{Test, Tracked, Update, compare};
use robusto_analyses::symbolic::{Cell, Encoder, PathFormula};
use robusto_cfa::ir::{BinOp, VarId, VarKind};
use robusto_cpa::{Effect, Guard, Step, Value};
use robusto_domains::machine::{Source, Types};
use robusto_domains::{Constraint, Interval, Sum};
use robusto_limits::Stopped;
use robusto_logic::{Answer, BinaryOp, Node, Solver, Term};
use robusto_numpred::{Choice, Expression, Predicate, Transformer};
use rustc_hash::{FxHashMap, FxHashSet};

/// A transformer of C programs.
pub type Tau = Transformer<Test, Update>;

/// Most predicates of which pairs are tried as cubes; of more, single ones only. 8 predicates are 112 pairs.
const PAIRS: usize = 8;

/// Most predicates that are tried at all for one question: the questions of a step take about a millisecond each.
const MOST: usize = 40;

/// Computes transformers.
pub struct Abstraction<'f> {
    /// The terms.
    pub encoder: Encoder<'f>,
    solver: Solver,
    /// V_P
    pub predicates: Vec<Term>,
    /// Sets of conditions, and whether they exclude each other.
    excluded: FxHashMap<Vec<Term>, bool>,
}

impl<'f> Abstraction<'f> {
    /// Without predicates.
    pub fn new(encoder: Encoder<'f>, solver: Solver) -> Self {
        Self { encoder, solver, predicates: Vec::new(), excluded: FxHashMap::default() }
    }

    /// The start of the program.
    pub fn start(&mut self, tracked: &Tracked<'_>) -> Result<Tau, Stopped> {
        let facts = self.encoder.facts();
        let program = &facts.program;
        let initial = self.encoder.initial();
        let live = program.main.map(|main| facts.liveness.at(main, program.functions[main].entry));
        let globals = program.vars.enumerate().filter_map(|(var, info)| match info.kind {
            VarKind::Global(init) if live.is_none_or(|live| live.contains(var)) => Some((var, Source::Value(init))),
            _ => None,
        });
        let assign = globals.filter(|(var, _)| tracked.set.contains(var)).collect();
        let update = Update { assign, forget: Vec::new() };
        let choices = self.choices(&initial, &[])?;
        Ok(Transformer::Both(Expression::TRUE, choices, update))
    }

    /// A step; nothing if it is never taken.
    pub fn step(&mut self, tracked: &Tracked<'_>, step: Step) -> Result<Option<Tau>, Stopped> {
        let facts = self.encoder.facts();
        let effect = Effect::of(facts, step);
        let initial = self.encoder.initial();
        let before = self.encoder.identity(&initial);
        let Some(formula) = self.encoder.step(&before, step)? else { return Ok(None) };
        let Some(mut conditions) = self.blocked(formula.guard)? else { return Ok(None) };
        if let Guard::Test { cond, truth } = effect.guard {
            conditions.push(Expression::Term(Test { cond, truth }));
        }
        let source = |value: Value<'_>| match value {
            Value::Expr(e) => Source::Value(e),
            // Never null.
            Value::Allocated => {
                Source::Within(Interval::unsigned(facts.program.model.pointer_bits().into(), 1, u64::MAX))
            }
            Value::Any | Value::Mismatched | Value::Library(..) => Source::Anything,
        };
        let is_tracked = |var: &VarId| tracked.set.contains(var);
        let assign: Vec<(VarId, Source)> =
            effect.assign.iter().filter(|(var, _)| is_tracked(var)).map(|&(var, value)| (var, source(value))).collect();
        let is_assigned = |var: &VarId| effect.assign.iter().any(|(assigned, _)| assigned == var);
        let dead: Vec<VarId> = effect.dying.iter().copied().filter(|var| !is_assigned(var)).collect();
        let choices = self.choices(&formula, &dead)?;
        let update = Update { assign, forget: dead.into_iter().filter(is_tracked).collect() };
        let condition = Expression::All(conditions);
        Ok(Some(if choices.is_empty() && update == Update::default() {
            Transformer::Assume(condition)
        } else {
            Transformer::Both(condition, choices, update)
        }))
    }

    /// The constraint that a predicate is, if all its variables are tracked.
    pub fn meaning(&self, tracked: &Tracked<'_>, predicate: Term) -> Option<Constraint<VarId>> {
        let terms = &self.encoder.terms;
        let Node::Binary(op, left, right) = terms.node(predicate) else { return None };
        let op = match op {
            BinaryOp::Eq => BinOp::Eq,
            BinaryOp::ULt => BinOp::ULt,
            BinaryOp::ULe => BinOp::ULe,
            BinaryOp::SLt => BinOp::SLt,
            BinaryOp::SLe => BinOp::SLe,
            _ => return None,
        };
        let variable = |t: Term| match self.encoder.cell_of(terms.as_symbol(t)?) {
            Some(Cell::Var(var, 0)) => tracked.integer(var).map(|ty| (var, ty)),
            _ => None,
        };
        let (_, ty) = variable(left).or(variable(right))?;
        let side = |t: Term| match (variable(t), terms.as_const(t)) {
            (Some((var, own)), _) if own == ty => Some(Sum::variable(var)),
            (None, Some(bits)) => Some(Sum::constant(ty.of_bits(u64::try_from(bits).ok()?))),
            _ => None,
        };
        compare(op, side(left)?, &side(right)?, ty.signed, true)
    }

    /// What becomes of the predicates.
    fn choices(&mut self, formula: &PathFormula, dead: &[VarId]) -> Result<Vec<Choice<Test>>, Stopped> {
        let mut choices = Vec::new();
        for i in 0..self.predicates.len() {
            let (predicate, term) = (Predicate(i as u32), self.predicates[i]);
            if self.mentions(term, dead) {
                choices.push(Choice { predicate, yes: Expression::FALSE, no: Expression::FALSE });
                continue;
            }
            let after = self.encoder.apply(formula, term);
            if after == term {
                continue;
            }
            let opposite = self.encoder.terms.not(after);
            let yes = self.implicants(formula.guard, opposite)?;
            let no = self.implicants(formula.guard, after)?;
            choices.push(Choice { predicate, yes, no });
        }
        Ok(choices)
    }

    fn mentions(&self, term: Term, variables: &[VarId]) -> bool {
        let of = |symbol| match self.encoder.cell_of(symbol) {
            Some(Cell::Var(var, _)) => variables.contains(&var),
            _ => false,
        };
        !variables.is_empty() && self.encoder.terms.symbols(term).into_iter().any(of)
    }

    /// Where the guard excludes something: cubes of predicates.
    fn implicants(&mut self, guard: Term, something: Term) -> Result<Expression<Test>, Stopped> {
        let cubes = self.cubes(guard, something)?;
        let cube = |cube: Vec<(usize, bool)>| {
            Expression::All(cube.into_iter().map(|(i, v)| Expression::Predicate(Predicate(i as u32), v)).collect())
        };
        Ok(Expression::Any(cubes.into_iter().map(cube).collect()))
    }

    /// What holds of the predicates where the guard does; nothing if it never does.
    fn blocked(&mut self, guard: Term) -> Result<Option<Vec<Expression<Test>>>, Stopped> {
        if self.encoder.terms.is_true(guard) {
            return Ok(Some(Vec::new()));
        }
        let yes = self.encoder.terms.yes();
        let mut clauses = Vec::new();
        for cube in self.cubes(guard, yes)? {
            if cube.is_empty() {
                return Ok(None);
            }
            let literal = |(i, value): (usize, bool)| Expression::Predicate(Predicate(i as u32), !value);
            clauses.push(Expression::Any(cube.into_iter().map(literal).collect()));
        }
        Ok(Some(clauses))
    }

    /// The shortest cubes that exclude a guard together with something.
    fn cubes(&mut self, guard: Term, something: Term) -> Result<Vec<Vec<(usize, bool)>>, Stopped> {
        if self.is_excluded(&[guard, something])? {
            return Ok(vec![Vec::new()]);
        }
        let symbols: FxHashSet<_> = [guard, something].iter().flat_map(|&t| self.encoder.terms.symbols(t)).collect();
        let shares = |&i: &usize| self.encoder.terms.symbols(self.predicates[i]).iter().any(|s| symbols.contains(s));
        let related: Vec<usize> = (0..self.predicates.len()).filter(shares).take(MOST).collect();
        let (mut found, mut open) = (Vec::new(), Vec::new());
        for &i in &related {
            for value in [true, false] {
                let literal = self.literal(i, value);
                if self.is_excluded(&[guard, something, literal])? {
                    found.push(vec![(i, value)]);
                } else {
                    open.push((i, value));
                }
            }
        }
        if related.len() <= PAIRS {
            for (k, &first) in open.iter().enumerate() {
                for &second in open[..k].iter().filter(|second| second.0 != first.0) {
                    let (a, b) = (self.literal(first.0, first.1), self.literal(second.0, second.1));
                    if self.is_excluded(&[guard, something, a, b])? {
                        found.push(vec![second, first]);
                    }
                }
            }
        }
        Ok(found)
    }

    fn literal(&mut self, i: usize, value: bool) -> Term {
        let term = self.predicates[i];
        if value { term } else { self.encoder.terms.not(term) }
    }

    fn is_excluded(&mut self, conditions: &[Term]) -> Result<bool, Stopped> {
        let mut key = conditions.to_vec();
        key.sort_unstable();
        key.dedup();
        if let Some(&known) = self.excluded.get(&key) {
            return Ok(known);
        }
        let result = self.solver.check(&mut self.encoder.terms, &key)? == Answer::Unsat;
        self.excluded.insert(key, result);
        Ok(result)
    }
}
