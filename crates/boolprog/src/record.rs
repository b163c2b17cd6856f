//! The lines of a trace, as an execution goes on.

use crate::program::{Edge, Op, ProcId, Program, Role, Term, VarId};
use crate::replay::Machine;
use crate::varset::VarSet;
use robusto_verdict::{Assignment, Place, StepKind, TraceLine, ValueKind};

/// Watches an execution.
pub(crate) struct Recorder<'p> {
    program: &'p Program,
    inputs: Vec<Assignment>,
    lines: Vec<TraceLine>,
    /// Globals that have been written, or whose first value has been told.
    globals: VarSet,
    /// The same for the locals of each activation.
    locals: Vec<VarSet>,
}

impl<'p> Recorder<'p> {
    /// Nothing has happened yet.
    pub fn new(program: &'p Program) -> Self {
        let locals = vec![VarSet::default()];
        Self { program, inputs: Vec::new(), lines: Vec::new(), globals: VarSet::default(), locals }
    }

    /// The choices and the lines.
    pub fn finish(self) -> (Vec<Assignment>, Vec<TraceLine>) {
        (self.inputs, self.lines)
    }

    /// A step is about to be executed.
    pub fn before(&mut self, machine: &Machine<'_>, edge: &Edge, choices: &[bool]) {
        let Some((procedure, _)) = machine.place() else { return };
        let function = self.program.procedure(procedure).name.to_string();
        if edge.role != Role::Silent {
            for &choice in choices {
                self.inputs.push(Assignment {
                    name: "*".to_owned(),
                    value: truth(choice),
                    bits: u128::from(choice),
                    kind: ValueKind::Int(1),
                    pos: edge.place,
                    function: function.clone(),
                    external: None,
                    unmodelled: false,
                });
            }
        }
        let reads = read(edge);
        for &var in &reads {
            self.tell_first(machine, procedure, var);
        }
        let named = |var: &VarId| (self.program.variable(procedure, *var).name.to_string(), truth(machine.value(*var)));
        let (kind, matters) = match (&edge.op, edge.role) {
            (_, Role::Silent) => return,
            (_, Role::Branch(truth) | Role::Loop(truth)) => (StepKind::Branch(truth), true),
            (_, Role::Failure) => (StepKind::Error, true),
            (Op::Call { .. }, _) => (StepKind::Call, true),
            (Op::Return(values), _) => (StepKind::Return, !values.is_empty()),
            (Op::Assume(_), _) => (StepKind::Other, true),
            (Op::Assign { targets, .. }, _) if !targets.is_empty() => return,
            (Op::Assign { .. } | Op::Skip, _) => (StepKind::Other, false),
        };
        let reads = if matches!(edge.op, Op::Assume(_)) { reads.iter().map(named).collect() } else { Vec::new() };
        let mut line = self.line(machine.depth(), function, &edge.text, edge.place, kind);
        (line.reads, line.matters) = (reads, matters);
        line.head = (edge.role == Role::Loop(true)).then_some(edge.from.0);
        self.lines.push(line);
    }

    /// The step has been executed.
    pub fn after(&mut self, machine: &Machine<'_>, edge: &Edge) {
        let Some((procedure, _)) = machine.place() else { return };
        match &edge.op {
            Op::Assign { targets, .. } => {
                for &target in targets {
                    self.known(target).insert(target);
                    let function = self.program.procedure(procedure).name.to_string();
                    let mut line = self.line(machine.depth(), function, &edge.text, edge.place, StepKind::Other);
                    let name = self.program.variable(procedure, target).name.to_string();
                    line.change = Some((name, truth(machine.value(target))));
                    self.lines.push(line);
                }
            }
            Op::Call { args, .. } => {
                let formals = (0..args.len()).map(|i| self.program.formal(i));
                self.locals.push(VarSet::of(formals.clone()));
                for formal in formals {
                    let variable = self.program.variable(procedure, formal);
                    let function = self.program.procedure(procedure).name.to_string();
                    let text = format!("{} := argument", variable.name);
                    let mut line = self.line(machine.depth(), function, &text, variable.place, StepKind::Other);
                    line.change = Some((variable.name.to_string(), truth(machine.value(formal))));
                    self.lines.push(line);
                }
            }
            Op::Return(_) => {
                self.locals.pop();
                if let Some(call) = machine.returned() {
                    let Op::Call { targets, .. } = &call.op else { return };
                    for &target in targets.iter().flatten() {
                        self.known(target).insert(target);
                        let function = self.program.procedure(procedure).name.to_string();
                        let mut line = self.line(machine.depth(), function, &call.text, call.place, StepKind::Other);
                        let name = self.program.variable(procedure, target).name.to_string();
                        line.change = Some((name, truth(machine.value(target))));
                        self.lines.push(line);
                    }
                }
            }
            Op::Skip | Op::Assume(_) => {}
        }
    }

    /// Tells the first value of a variable, which nobody has written, before it is read for the first time.
    fn tell_first(&mut self, machine: &Machine<'_>, procedure: ProcId, var: VarId) {
        if self.known(var).insert(var) {
            let variable = self.program.variable(procedure, var);
            let function = self.program.procedure(procedure).name.to_string();
            let text = format!("decl {}", variable.name);
            let mut line = self.line(machine.depth(), function, &text, variable.place, StepKind::Uninitialised);
            line.change = Some((variable.name.to_string(), truth(machine.value(var))));
            self.lines.push(line);
        }
    }

    fn known(&mut self, var: VarId) -> &mut VarSet {
        match self.locals.last_mut() {
            Some(locals) if !self.program.is_global(var) => locals,
            _ => &mut self.globals,
        }
    }

    fn line(&self, depth: usize, function: String, operation: &str, pos: Place, kind: StepKind) -> TraceLine {
        let operation = operation.to_owned();
        TraceLine {
            pos,
            at: None,
            function,
            operation,
            change: None,
            temporary: false,
            memory: None,
            parameters: Vec::new(),
            depth,
            kind,
            reads: Vec::new(),
            head: None,
            matters: true,
        }
    }
}

/// The variables that an edge reads, each once.
fn read(edge: &Edge) -> Vec<VarId> {
    let formulas = match &edge.op {
        Op::Skip => Vec::new(),
        Op::Assume(formula) => vec![formula],
        Op::Assign { values, constrain, .. } => values.iter().chain(constrain).collect(),
        Op::Call { args, .. } => args.iter().collect(),
        Op::Return(values) => values.iter().collect(),
    };
    let terms = formulas.into_iter().flat_map(|formula| formula.0.iter());
    let set = VarSet::of(terms.filter_map(|term| if let Term::Var(var) = term { Some(*var) } else { None }));
    set.iter().collect()
}

fn truth(value: bool) -> String {
    if value { "T" } else { "F" }.to_owned()
}
