//! What steps do to a state.

use robusto_cfa::facts::Facts;
use robusto_cfa::ir::{BinOp, Expr, ExprId, ExprPool, VarId, VarKind};
use robusto_cpa::{Effect, Guard, Step, Value};
use robusto_domains::machine::{Source, Types};
use robusto_domains::{Ideal, Interval, Lattice, Machine};

/// The effect of a step, ready to be applied many times.
pub(super) struct Prepared {
    guard: Option<(ExprId, bool)>,
    assign: Vec<(VarId, Source)>,
    forget: Vec<VarId>,
    /// Whether it computes products or quotients.
    pub is_arithmetic: bool,
}

impl Prepared {
    /// The effect of a step. Memory is not tracked: a load gives any value. Nor is it known where functions lie.
    pub fn of(facts: &Facts, step: Step) -> Self {
        let effect = Effect::of(facts, step);
        let pool = &facts.program.exprs;
        let guard = match effect.guard {
            Guard::Test { cond, truth } => Some((cond, truth)),
            Guard::Always | Guard::Paths { .. } | Guard::Calls { .. } => None,
        };
        let source = |value: Value<'_>| match value {
            Value::Expr(e) => Source::Value(e),
            // Never null.
            Value::Allocated => {
                Source::Within(Interval::unsigned(facts.program.model.pointer_bits().into(), 1, u64::MAX))
            }
            Value::Any | Value::Mismatched | Value::Library(..) => Source::Anything,
        };
        let assign: Vec<(VarId, Source)> = effect.assign.iter().map(|&(var, value)| (var, source(value))).collect();
        let forget: Vec<VarId> =
            effect.dying.iter().copied().filter(|var| assign.iter().all(|(assigned, _)| assigned != var)).collect();
        let is_arithmetic = assign.iter().any(|&(_, source)| matches!(source, Source::Value(e) if is_hard(pool, e)));
        Self { guard, assign, forget, is_arithmetic }
    }

    /// The state after the step; `None` if it cannot be taken.
    pub fn apply<D: Ideal<Var = VarId>>(
        &self,
        pool: &ExprPool,
        types: &impl Types,
        state: &Machine<D>,
    ) -> Option<Machine<D>> {
        let mut after = match self.guard {
            None => state.clone(),
            Some((cond, truth)) => match state.decides(pool, cond) {
                Some(value) if value != truth => return None,
                Some(_) => state.clone(),
                None => state.assume(pool, types, cond, truth),
            },
        };
        if !self.assign.is_empty() && !after.is_bottom() {
            after = after.assign(pool, types, &self.assign);
        }
        (!after.is_bottom()).then(|| after.forget(&self.forget))
    }
}

/// Whether an expression has products or quotients in it.
fn is_hard(pool: &ExprPool, root: ExprId) -> bool {
    use BinOp::{Mul, SDiv, SRem, UDiv, URem};
    let mut todo = vec![root];
    while let Some(id) = todo.pop() {
        if matches!(pool.get(id), Expr::Binary(Mul | SDiv | SRem | UDiv | URem, ..)) {
            return true;
        }
        todo.extend(pool.operands(id));
    }
    false
}

/// The state when the program starts.
pub(super) fn start<D: Ideal<Var = VarId>>(facts: &Facts, types: &impl Types) -> Machine<D> {
    let program = &facts.program;
    let Some(main) = program.main else { return Machine::top() };
    let live = facts.liveness.at(main, program.functions[main].entry);
    let globals = program.vars.enumerate().filter_map(|(var, info)| match info.kind {
        VarKind::Global(init) if live.contains(var) => Some((var, Source::Value(init))),
        _ => None,
    });
    let globals: Vec<(VarId, Source)> = globals.collect();
    Machine::top().assign(&program.exprs, types, &globals)
}
