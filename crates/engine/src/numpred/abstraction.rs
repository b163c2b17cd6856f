//! Steps of a C program as transformers, given predicates and tracked variables.
//!
//! Of each predicate that a step may change the solver says where it is true afterwards and where it is false: t and f are cubes of
//! predicates under which WP(p), or WP(¬p), holds. A predicate that is a constraint over tracked variables is also told by the
//! numbers, after the step, by reduction. A guard is a numeric condition, and excludes cubes of predicates.
//!
//! Memory is the solver's business: a store through a pointer is in WP(p) as the encoder writes it.

use super::numbers::{Test, Tracked, Update, compare};
use super::places::{equation, reads, solved};
use imbl::OrdMap;
use robusto_analyses::numeric::inequality;
use robusto_analyses::symbolic::{Cell, Encoder, PathFormula};
use robusto_cfa::ir::{BinOp, VarId, VarKind};
use robusto_cpa::{Effect, Guard, Step, Value};
use robusto_domains::machine::{Source, Types};
use robusto_domains::{Constraint, Interval, Sum};
use robusto_limits::Stopped;
use robusto_logic::{Answer, BinaryOp, Evaluator, Model, Node, Solver, Term};
use robusto_numpred::{Choice, Expression, Predicate, Transformer};
use rustc_hash::{FxHashMap, FxHashSet};

/// A transformer of C programs.
pub type Tau = Transformer<Test, Update>;

/// Most predicates of which pairs are tried as cubes; of more, single ones only. 8 predicates are 112 pairs.
const PAIRS: usize = 8;

/// Most predicates that are tried at all for one question: the questions of a step take about a millisecond each.
const MOST: usize = 40;

/// Conflicts of one question; what is not decided by then counts as possible. (Figure 2 with an array: without a bound single questions
/// about indices take seconds.)
const CONFLICTS: i32 = 1000;

/// Computes transformers.
pub struct Abstraction<'f> {
    /// The terms.
    pub encoder: Encoder<'f>,
    solver: Solver,
    /// V_P
    pub predicates: Vec<Term>,
    /// Sets of conditions, and whether they exclude each other.
    excluded: FxHashMap<Vec<Term>, bool>,
    /// The model of the last question, if it was asked and has one.
    model: Option<Model>,
    /// Steps as formulas.
    formulas: FxHashMap<Step, Option<PathFormula>>,
}

impl<'f> Abstraction<'f> {
    /// Without predicates.
    pub fn new(encoder: Encoder<'f>, solver: Solver) -> Self {
        let (excluded, formulas) = (FxHashMap::default(), FxHashMap::default());
        Self { encoder, solver, predicates: Vec::new(), excluded, model: None, formulas }
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
        let choices = self.choices(&initial, &[], tracked)?;
        Ok(Transformer::Both(Expression::TRUE, choices, update))
    }

    /// A step; nothing if it is never taken.
    pub fn step(&mut self, tracked: &Tracked<'_>, step: Step) -> Result<Option<Tau>, Stopped> {
        let facts = self.encoder.facts();
        let effect = Effect::of(facts, step);
        let Some(formula) = self.formula(step)? else { return Ok(None) };
        let Some(mut conditions) = self.blocked(formula.guard)? else { return Ok(None) };
        if let Guard::Test { cond, truth } = effect.guard {
            conditions.push(Expression::Term(Test::Condition(cond, truth)));
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
        let choices = self.choices(&formula, &dead, tracked)?;
        let update = Update { assign, forget: dead.into_iter().filter(is_tracked).collect() };
        let condition = Expression::All(conditions);
        Ok(Some(if choices.is_empty() && update == Update::default() {
            Transformer::Assume(condition)
        } else {
            Transformer::Both(condition, choices, update)
        }))
    }

    /// A step by itself; nothing if it is never taken.
    fn formula(&mut self, step: Step) -> Result<Option<PathFormula>, Stopped> {
        if let Some(known) = self.formulas.get(&step) {
            return Ok(known.clone());
        }
        let initial = self.encoder.initial();
        let before = self.encoder.identity(&initial);
        let formula = self.encoder.step(&before, step)?;
        self.formulas.insert(step, formula.clone());
        Ok(formula)
    }

    /// The same, with choices of its own for each number.
    pub fn effect(&mut self, step: Step, number: u32) -> Result<Option<PathFormula>, Stopped> {
        let Some(mut formula) = self.formula(step)? else { return Ok(None) };
        let (encoder, nothing) = (&mut self.encoder, OrdMap::new());
        if encoder.has_choices(formula.guard) {
            formula.guard = encoder.place(&nothing, formula.guard, number);
        }
        let chosen = formula.env.iter().filter(|(_, value)| encoder.has_choices(**value));
        let chosen: Vec<(Cell, Term)> = chosen.map(|(&cell, &value)| (cell, value)).collect();
        for (cell, value) in chosen {
            formula.env.insert(cell, encoder.place(&nothing, value, number));
        }
        Ok(Some(formula))
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
    fn choices(
        &mut self,
        formula: &PathFormula,
        dead: &[VarId],
        tracked: &Tracked<'_>,
    ) -> Result<Vec<Choice<Test>>, Stopped> {
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
            let mut sides = Vec::with_capacity(2);
            for excluded in [opposite, after] {
                let mut cubes = self.implicants(formula.guard, excluded)?;
                cubes.extend(self.at_equal_places(formula.guard, excluded, tracked)?);
                sides.push(Expression::Any(cubes));
            }
            let no = sides.pop().unwrap_or(Expression::FALSE);
            let yes = sides.pop().unwrap_or(Expression::FALSE);
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
    fn implicants(&mut self, guard: Term, something: Term) -> Result<Vec<Expression<Test>>, Stopped> {
        let cubes = self.cubes(guard, something)?;
        let cube = |cube: Vec<(usize, bool)>| {
            Expression::All(cube.into_iter().map(|(i, v)| Expression::Predicate(Predicate(i as u32), v)).collect())
        };
        Ok(cubes.into_iter().map(cube).collect())
    }

    /// Where numbers and a predicate exclude something together: both read the same array, and do so at the same place if a linear
    /// equation holds. (`A[x1 + y2 + 2] = 3` is `A[y1 + y2] = 3` where x1 + 2 = y1.) The solver is asked with the equation at a
    /// width that cannot overflow.
    fn at_equal_places(
        &mut self,
        guard: Term,
        something: Term,
        tracked: &Tracked<'_>,
    ) -> Result<Vec<Expression<Test>>, Stopped> {
        let mut found = Vec::new();
        let here = reads(&self.encoder, something);
        if here.is_empty() {
            return Ok(found);
        }
        for i in 0..self.predicates.len() {
            for (array, other) in reads(&self.encoder, self.predicates[i]) {
                for &(_, index) in here.iter().filter(|(own, _)| *own == array) {
                    let Some(equation) = equation(&self.encoder, tracked, index, other) else { continue };
                    let encoder = &mut self.encoder;
                    let mut values = Vec::new();
                    for &(var, _) in equation.sum.terms() {
                        values.push((var, encoder.input(Cell::Var(var, 0))));
                    }
                    let value = |var: VarId| values.iter().find(|(own, _)| *own == var).map(|(_, term)| *term);
                    let wide = inequality(&mut encoder.terms, tracked, &equation, &mut |_, var| value(var));
                    let Some(wide) = wide else { continue };
                    let mut map = solved(&mut self.encoder, &equation, &values);
                    for truth in [true, false] {
                        let literal = self.literal(i, truth);
                        let question = [guard, something, literal].map(|t| self.encoder.terms.substitute(t, &mut map));
                        let cube = [
                            Expression::Term(Test::Linear(equation.clone())),
                            Expression::Predicate(Predicate(i as u32), truth),
                        ];
                        let cube = Expression::All(cube.into());
                        let [guard, something, literal] = question;
                        if !found.contains(&cube) && self.is_excluded(&[guard, something, wide, literal])? {
                            found.push(cube);
                        }
                    }
                }
            }
        }
        Ok(found)
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

    /// The shortest cubes that exclude a guard together with something. What a model of both satisfies is not asked about.
    fn cubes(&mut self, guard: Term, something: Term) -> Result<Vec<Vec<(usize, bool)>>, Stopped> {
        let terms = &self.encoder.terms;
        if terms.is_false(guard) || terms.is_false(something) {
            return Ok(vec![Vec::new()]);
        }
        if terms.is_true(guard) && terms.is_true(something) {
            return Ok(Vec::new());
        }
        let symbols: FxHashSet<_> = [guard, something].iter().flat_map(|&t| terms.symbols(t)).collect();
        let shares = |&i: &usize| terms.symbols(self.predicates[i]).iter().any(|s| symbols.contains(s));
        let related: Vec<usize> = (0..self.predicates.len()).filter(shares).take(MOST).collect();
        let mut models = Models { related: &related, found: Vec::new() };
        if self.excludes(guard, something, &[], &mut models)? {
            return Ok(vec![Vec::new()]);
        }
        let (mut found, mut open) = (Vec::new(), Vec::new());
        for &i in &related {
            for value in [true, false] {
                if self.excludes(guard, something, &[(i, value)], &mut models)? {
                    found.push(vec![(i, value)]);
                } else {
                    open.push((i, value));
                }
            }
        }
        if related.len() <= PAIRS {
            for (k, &first) in open.iter().enumerate() {
                for &second in open[..k].iter().filter(|second| second.0 != first.0) {
                    if self.excludes(guard, something, &[second, first], &mut models)? {
                        found.push(vec![second, first]);
                    }
                }
            }
        }
        Ok(found)
    }

    /// Whether a cube excludes a guard together with something.
    fn excludes(
        &mut self,
        guard: Term,
        something: Term,
        cube: &[(usize, bool)],
        models: &mut Models<'_>,
    ) -> Result<bool, Stopped> {
        if models.satisfy(cube) {
            return Ok(false);
        }
        let mut question = vec![guard, something];
        for &(i, value) in cube {
            question.push(self.literal(i, value));
        }
        let excluded = self.is_excluded(&question)?;
        if let Some(model) = self.model.take() {
            let mut values = Evaluator::new(&self.encoder.terms, &model);
            models.found.push(models.related.iter().map(|&i| values.value(self.predicates[i]) != 0).collect());
        }
        Ok(excluded)
    }

    fn literal(&mut self, i: usize, value: bool) -> Term {
        let term = self.predicates[i];
        if value { term } else { self.encoder.terms.not(term) }
    }

    fn is_excluded(&mut self, conditions: &[Term]) -> Result<bool, Stopped> {
        let mut key = conditions.to_vec();
        key.sort_unstable();
        key.dedup();
        self.model = None;
        if let Some(&known) = self.excluded.get(&key) {
            return Ok(known);
        }
        let answer = self.solver.check_within(&mut self.encoder.terms, &key, CONFLICTS)?;
        if answer == Some(Answer::Sat) {
            self.model = Some(self.solver.model(&self.encoder.terms));
        }
        let result = answer == Some(Answer::Unsat);
        self.excluded.insert(key, result);
        Ok(result)
    }
}

/// What models of a guard together with something say of the predicates that are related to them.
struct Models<'m> {
    related: &'m [usize],
    found: Vec<Vec<bool>>,
}

impl Models<'_> {
    /// Whether a model satisfies a cube.
    fn satisfy(&self, cube: &[(usize, bool)]) -> bool {
        let holds = |model: &Vec<bool>, &(i, value): &(usize, bool)| {
            self.related.iter().position(|&own| own == i).is_some_and(|k| model[k] == value)
        };
        self.found.iter().any(|model| cube.iter().all(|literal| holds(model, literal)))
    }
}
