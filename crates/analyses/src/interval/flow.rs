//! What the steps of a program do to a state.

use super::State;
use super::values::{Values, assume, width};
use crate::facts::Facts;
use robusto_cfa::ir::{EdgeId, FuncId, Op, VarId, VarKind};
use robusto_cpa::Step;
use robusto_domains::{Interval, Lattice};

/// An edge of a function.
#[derive(Clone, Copy, Debug)]
struct Link {
    function: FuncId,
    edge: EdgeId,
}

/// The steps.
pub struct Flow<'f> {
    facts: &'f Facts,
}

impl<'f> Flow<'f> {
    /// Of a program.
    pub fn new(facts: &'f Facts) -> Self {
        Self { facts }
    }

    /// The values of the globals when the program starts.
    pub fn start(&self) -> State {
        let program = &self.facts.program;
        let mut state = State::new();
        let Some(main) = program.main else { return state };
        let nothing = State::new();
        let mut values = Values::new(program, &nothing);
        let entry = program.functions[main].entry;
        for (var, info) in program.vars.enumerate() {
            if let VarKind::Global(init) = info.kind
                && self.facts.liveness.at(main, entry).contains(var)
                && let Some(value) = values.value(init)
            {
                self.set(&mut state, var, Some(value));
            }
        }
        state
    }

    /// The state after a step.
    pub fn step(&self, state: &State, step: Step) -> Option<State> {
        let (function, edge) = step.edge_ref();
        let link = Link { function, edge };
        match step {
            Step::Edge(..) => match self.facts.program.functions[function].edge(edge).op {
                Op::Call { .. } => Some(self.unknown(state, link)),
                _ => self.edge(state, link),
            },
            // Tests change nothing.
            Step::Block { .. } => Some(state.clone()),
            Step::Enter { callee, .. } => Some(self.enter(state, link, callee)),
            Step::Leave { .. } => Some(self.back(&State::new(), state, step)),
        }
    }

    /// The state behind a call, from the one before it and the one at the end of the called function.
    pub fn back(&self, before: &State, end: &State, step: Step) -> State {
        let Step::Leave { callee, caller, edge } = step else { unreachable!("a call ends with a return") };
        self.leave(before, end, Link { function: caller, edge }, callee)
    }

    /// After a call of something unknown.
    fn unknown(&self, state: &State, link: Link) -> State {
        let owned = |var: VarId| self.facts.program.vars[var].kind.owner().is_some();
        let mut after: State = state.iter().filter(|(v, _)| owned(**v)).map(|(&v, &i)| (v, i)).collect();
        self.set_result(&mut after, link, None);
        after
    }

    fn set(&self, state: &mut State, var: VarId, value: Option<Interval>) {
        match value.filter(|v| !v.is_top()) {
            Some(value) if width(&self.facts.program, self.facts.program.vars[var].ty) == Some(value.width()) => {
                state.insert(var, value);
            }
            _ => {
                state.remove(&var);
            }
        }
    }

    fn set_result(&self, state: &mut State, link: Link, value: Option<Interval>) {
        if let Op::Call { result: Some(var), .. } = self.facts.program.functions[link.function].edge(link.edge).op {
            self.set(state, var, value);
        }
    }

    fn edge(&self, state: &State, link: Link) -> Option<State> {
        let program = &self.facts.program;
        let edge = program.functions[link.function].edge(link.edge);
        let mut after = match edge.op {
            Op::Assume { cond, truth } => assume(program, state, cond, truth)?,
            Op::Assign { var, value } => {
                let value = Values::new(program, state).value(value);
                let mut after = state.clone();
                self.set(&mut after, var, value);
                after
            }
            Op::Havoc { var, .. } | Op::Builtin { result: Some(var), .. } => {
                let mut after = state.clone();
                after.remove(&var);
                after
            }
            // Never null.
            Op::Alloc { var, .. } => {
                let mut after = state.clone();
                let bits = program.model.pointer_bits().into();
                self.set(&mut after, var, Some(Interval::unsigned(bits, 1, u64::MAX)));
                after
            }
            _ => state.clone(),
        };
        for var in self.facts.liveness.dying(link.function, edge) {
            if self.facts.results[link.function] != Some(var) {
                after.remove(&var);
            }
        }
        Some(after)
    }

    /// The callee sees the globals and its parameters.
    fn enter(&self, state: &State, link: Link, callee: FuncId) -> State {
        let program = &self.facts.program;
        let Op::Call { ref args, .. } = program.functions[link.function].edge(link.edge).op else {
            unreachable!("calls are entered through call edges")
        };
        let mut values = Values::new(program, state);
        let global = |var: VarId| program.vars[var].kind.owner().is_none();
        let mut start: State = state.iter().filter(|(v, _)| global(**v)).map(|(&v, &i)| (v, i)).collect();
        for (&param, &arg) in program.functions[callee].params.iter().zip(args) {
            if program.exprs.ty(arg) == program.vars[param].ty {
                let value = values.value(arg);
                self.set(&mut start, param, value);
            }
        }
        start
    }

    /// The caller's own variables and the globals that the call cannot write are as before.
    fn leave(&self, before: &State, end: &State, link: Link, callee: FuncId) -> State {
        let program = &self.facts.program;
        let mut after = before.clone();
        for (&var, _) in before.iter().filter(|(v, _)| program.vars[**v].kind.owner().is_none()) {
            if self.facts.may_write(callee, var) {
                after.remove(&var);
            }
        }
        let edge = program.functions[link.function].edge(link.edge);
        let live = self.facts.liveness.at(link.function, edge.dst);
        for (&var, &value) in end.iter().filter(|(v, _)| program.vars[**v].kind.owner().is_none()) {
            if live.contains(var) && self.facts.may_write(callee, var) {
                after.insert(var, value);
            }
        }
        let result = self.facts.results[callee].and_then(|var| end.get(&var).copied());
        self.set_result(&mut after, link, result);
        for var in self.facts.liveness.dying(link.function, edge) {
            after.remove(&var);
        }
        after
    }
}
