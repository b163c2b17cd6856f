//! What the steps of a program do to a state.

use super::State;
use super::step;
use super::values::Values;
use robusto_cfa::analysis::uses::defined;
use robusto_cfa::facts::Facts;
use robusto_cfa::ir::{Op, VarKind};
use robusto_cpa::Step;

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
                step::set(self.facts, &mut state, var, Some(value));
            }
        }
        state
    }

    /// The state after a step.
    pub fn step(&self, state: &State, step: Step) -> Option<State> {
        match step {
            Step::Edge(..) => match step.edge(&self.facts.program).op {
                ref op @ Op::Call { .. } => Some(step::skip_unknown(self.facts, state, defined(op))),
                _ => step::edge(self.facts, state, step),
            },
            // Tests change nothing.
            Step::Block { .. } => Some(state.clone()),
            Step::Enter { .. } => Some(step::enter(self.facts, state, step)),
            Step::Leave { .. } => Some(self.back(&State::new(), state, step)),
        }
    }

    /// The state behind a call, from the one before it and the one at the end of the called function.
    pub fn back(&self, before: &State, end: &State, step: Step) -> State {
        step::leave(self.facts, before, end, step)
    }
}
