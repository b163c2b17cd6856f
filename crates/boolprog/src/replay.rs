//! Executes a program along a trace, and writes down what happened. Whatever an engine claims, only what this has executed
//! becomes a counterexample.

use crate::program::{Edge, EdgeId, Formula, NodeId, Op, ProcId, Program, VarId};
use crate::record::Recorder;
use crate::targets::Goal;
use robusto_verdict::{Counterexample, Locals};

/// An execution: the first values, then an edge and its choices at a time.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trace {
    /// The frame of `main`: globals, parameters, locals, results.
    pub start: Vec<bool>,
    /// The steps, those of called procedures included.
    pub steps: Vec<Step>,
}

/// A step of an execution.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// An edge of the procedure that is executed.
    pub edge: EdgeId,
    /// Its choices.
    pub choices: Vec<bool>,
    /// For a call, the first values of the callee's locals.
    pub locals: Vec<bool>,
}

/// Why a trace is no execution.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("step {step}: {what}")]
pub struct Mismatch {
    /// The number of the step, from 0.
    pub step: usize,
    /// What is wrong with it.
    pub what: &'static str,
}

/// Executes the trace, which is to end at the goal.
pub fn replay(program: &Program, trace: &Trace, goal: &Goal) -> Result<Counterexample, Mismatch> {
    let mismatch = |step: usize| move |what| Mismatch { step, what };
    let mut machine = Machine::start(program, &trace.start).map_err(mismatch(0))?;
    let mut recorder = Recorder::new(program);
    for (i, step) in trace.steps.iter().enumerate() {
        let edge = machine.edge(step.edge).ok_or("there is no such edge").map_err(mismatch(i))?;
        recorder.before(&machine, edge, &step.choices);
        machine.step(step).map_err(mismatch(i))?;
        recorder.after(&machine, edge);
    }
    if machine.place() != Some((goal.procedure, goal.node)) {
        return Err(mismatch(trace.steps.len())("the end is not the target"));
    }
    let (inputs, trace) = recorder.finish();
    Ok(Counterexample {
        inputs,
        writes: Vec::new(),
        orders: Vec::new(),
        failures: Vec::new(),
        heap: Vec::new(),
        locals: Locals::default(),
        trace,
    })
}

/// A program in execution.
#[derive(Clone, Debug)]
pub struct Machine<'p> {
    program: &'p Program,
    globals: Vec<bool>,
    /// Procedures that are executed, the current one last. Empty when `main` has returned.
    stack: Vec<Activation>,
}

#[derive(Clone, Debug)]
struct Activation {
    procedure: ProcId,
    node: NodeId,
    /// Parameters, locals, results.
    values: Vec<bool>,
    /// The call that it waits for.
    call: Option<EdgeId>,
}

impl<'p> Machine<'p> {
    /// A program that is about to start with these values in the frame of `main`.
    pub fn start(program: &'p Program, frame: &[bool]) -> Result<Self, &'static str> {
        let main = program.main.ok_or("there is no main")?;
        if frame.len() != program.frame_size(main) {
            return Err("the frame of main has another size");
        }
        let (globals, values) = frame.split_at(program.globals.len());
        let activation =
            Activation { procedure: main, node: program.procedure(main).entry, values: values.to_vec(), call: None };
        Ok(Self { program, globals: globals.to_vec(), stack: vec![activation] })
    }

    /// Where the execution is; `None` when the program has ended.
    pub fn place(&self) -> Option<(ProcId, NodeId)> {
        self.stack.last().map(|top| (top.procedure, top.node))
    }

    /// Number of calls that have not returned.
    pub fn depth(&self) -> usize {
        self.stack.len().saturating_sub(1)
    }

    /// The call that has just returned to the current procedure, if there is one.
    pub fn returned(&self) -> Option<&'p Edge> {
        let top = self.stack.last()?;
        Some(self.program.procedure(top.procedure).edge(top.call?))
    }

    /// An edge of the current procedure.
    pub fn edge(&self, id: EdgeId) -> Option<&'p Edge> {
        let (procedure, _) = self.place()?;
        self.program.procedure(procedure).edges.get(id.index())
    }

    /// The value of a variable of the current frame.
    pub fn value(&self, var: VarId) -> bool {
        match var.index().checked_sub(self.globals.len()) {
            None => self.globals[var.index()],
            Some(local) => self.stack.last().is_some_and(|top| top.values[local]),
        }
    }

    /// The value of a formula without `'x`.
    pub fn evaluate(&self, formula: &Formula, choices: &[bool]) -> bool {
        formula.holds(|var| self.value(var), |var| self.value(var), |i| choices[i as usize])
    }

    /// Executes a step, unless it is not open.
    pub fn step(&mut self, step: &Step) -> Result<(), &'static str> {
        let edge = self.edge(step.edge).ok_or("there is no such edge")?;
        let (_, node) = self.place().ok_or("the program has ended")?;
        if edge.from != node {
            return Err("the edge does not start here");
        }
        let choices = &step.choices;
        if choices.len() != edge.choices as usize {
            return Err("the number of choices is another one");
        }
        match &edge.op {
            Op::Skip => {}
            Op::Assume(formula) => {
                if !self.evaluate(formula, choices) {
                    return Err("the condition does not hold");
                }
            }
            Op::Assign { targets, values, constrain } => {
                let values: Vec<bool> = values.iter().map(|value| self.evaluate(value, choices)).collect();
                let next = |var: VarId| match targets.iter().position(|target| *target == var) {
                    Some(i) => values[i],
                    None => self.value(var),
                };
                let constrained =
                    |formula: &Formula| formula.holds(|var| self.value(var), next, |i| choices[i as usize]);
                if !constrain.as_ref().is_none_or(constrained) {
                    return Err("the constraint does not hold");
                }
                for (&target, value) in targets.iter().zip(values) {
                    self.write(target, value);
                }
            }
            Op::Call { callee, args, .. } => {
                let mut values: Vec<bool> = args.iter().map(|arg| self.evaluate(arg, choices)).collect();
                values.extend(&step.locals);
                let called = self.program.procedure(*callee);
                values.resize(values.len() + called.results as usize, false);
                if values.len() != called.variables.len() {
                    return Err("the number of locals is another one");
                }
                if let Some(top) = self.stack.last_mut() {
                    top.call = Some(step.edge);
                }
                self.stack.push(Activation { procedure: *callee, node: called.entry, values, call: None });
                return Ok(());
            }
            Op::Return(values) => {
                let values: Vec<bool> = values.iter().map(|value| self.evaluate(value, choices)).collect();
                self.leave(&values);
                return Ok(());
            }
        }
        self.go(edge.to);
        Ok(())
    }

    /// Returns to the caller, if there is one; its targets take the results.
    fn leave(&mut self, results: &[bool]) {
        self.stack.pop();
        let Some(top) = self.stack.last() else { return };
        let Some(call) = top.call.map(|id| self.program.procedure(top.procedure).edge(id)) else { return };
        if let Op::Call { targets, .. } = &call.op {
            for (target, &value) in targets.iter().zip(results) {
                if let Some(target) = target {
                    self.write(*target, value);
                }
            }
        }
        self.go(call.to);
    }

    fn go(&mut self, node: NodeId) {
        if let Some(top) = self.stack.last_mut() {
            top.node = node;
        }
    }

    fn write(&mut self, var: VarId, value: bool) {
        match var.index().checked_sub(self.globals.len()) {
            None => self.globals[var.index()] = value,
            Some(local) => {
                if let Some(top) = self.stack.last_mut() {
                    top.values[local] = value;
                }
            }
        }
    }
}
