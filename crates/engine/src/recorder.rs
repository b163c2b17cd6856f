//! Writes down the steps of a replay, and which of them matter.
//!
//! What matters is a dynamic backward slice (Agrawal and Horgan, *Dynamic program slicing*, PLDI 1990) with every branch
//! on the way as a criterion: a step that gives a variable the value that a later branch depends on. Memory counts as
//! one variable that is never overwritten. The slice chooses what a person is shown; no verdict rests on it.

use crate::property::place;
use robusto_cfa::analysis::loops::LoopForest;
use robusto_cfa::ir::{
    Callee, Edge, ErrorKind, Expr, ExprId, FuncId, Function, HavocSource, Idx as _, LocId, Op, Program, VarId, VarKind,
};
use robusto_interp::{Change, EdgeRef, Observer, View, show};
use robusto_verdict::{EdgeNumber, StepKind, Stored, TraceLine};
use std::collections::{BTreeSet, HashMap};

/// Most steps that are kept.
pub(crate) const MAX_LINES: usize = 100_000;

/// Most bytes of one write that are kept.
const MOST_BYTES: usize = 32;

/// What a step defines and uses.
#[derive(Clone, Default)]
struct Flow {
    defines: Vec<VarId>,
    uses: Vec<VarId>,
    reads_memory: bool,
    writes_memory: bool,
    /// The definition is no variable of the source.
    hidden: bool,
}

/// Observes an execution.
pub(crate) struct Recorder<'p> {
    program: &'p Program,
    lines: Vec<TraceLine>,
    flows: Vec<Flow>,
    /// Results of the pending calls.
    results: Vec<Option<VarId>>,
    heads: HashMap<FuncId, Vec<bool>>,
}

impl<'p> Recorder<'p> {
    /// Nothing recorded yet.
    pub(crate) fn new(program: &'p Program) -> Self {
        Self { program, lines: Vec::new(), flows: Vec::new(), results: Vec::new(), heads: HashMap::new() }
    }

    /// The steps.
    pub(crate) fn finish(mut self) -> Vec<TraceLine> {
        let mut wanted: BTreeSet<VarId> = BTreeSet::new();
        let mut memory = false;
        for (line, flow) in self.lines.iter_mut().zip(&self.flows).rev() {
            let needed = flow.defines.iter().any(|var| wanted.contains(var)) || flow.writes_memory && memory;
            let criterion = matches!(line.kind, StepKind::Branch(_) | StepKind::Error);
            line.matters = criterion || needed && (!flow.hidden || line.kind == StepKind::Input);
            if needed || criterion {
                for var in &flow.defines {
                    wanted.remove(var);
                }
                wanted.extend(&flow.uses);
                memory |= flow.reads_memory;
            }
        }
        self.lines
    }

    fn is_head(&mut self, function: FuncId, loc: LocId) -> bool {
        let program = self.program;
        let heads = self.heads.entry(function).or_insert_with(|| {
            let automaton = &program.functions[function];
            let mut heads = vec![false; automaton.num_locs()];
            for head in LoopForest::of(automaton).heads() {
                heads[head.index()] = true;
            }
            heads
        });
        heads[loc.index()]
    }

    fn reads(&self, flow: &mut Flow, e: ExprId) {
        match self.program.exprs.get(e) {
            Expr::Var(var) => flow.uses.push(var),
            Expr::Load(..) | Expr::Holds(..) => flow.reads_memory = true,
            _ => {}
        }
        for operand in self.program.exprs.operands(e) {
            self.reads(flow, operand);
        }
    }

    fn flow(&mut self, op: &Op, callee: FuncId) -> Flow {
        let mut flow = Flow::default();
        let program = self.program;
        match op {
            Op::Assume { cond, .. } => self.reads(&mut flow, *cond),
            Op::Assign { var, value } => {
                flow.defines.push(*var);
                self.reads(&mut flow, *value);
            }
            Op::Store { addr, value } => {
                flow.writes_memory = true;
                self.reads(&mut flow, *addr);
                self.reads(&mut flow, *value);
            }
            Op::Havoc { var, .. } | Op::Alloc { var, .. } => flow.defines.push(*var),
            Op::Call { result, args, .. } => {
                self.results.push(*result);
                flow.defines.extend(&program.functions[callee].params);
                flow.hidden = true;
                for &arg in args {
                    self.reads(&mut flow, arg);
                }
            }
            Op::Return { value } => {
                flow.defines.extend(self.results.pop().flatten());
                flow.hidden = true;
                if let Some(value) = value {
                    self.reads(&mut flow, *value);
                }
            }
            Op::Builtin { result, args, builtin } => {
                flow.defines.extend(*result);
                flow.writes_memory = !builtin.writes().is_empty();
                for &arg in args {
                    self.reads(&mut flow, arg);
                }
            }
            Op::Copy { .. } | Op::Fill { .. } | Op::HavocMem { .. } => flow.writes_memory = true,
            Op::Skip | Op::Free { .. } | Op::Error(_) | Op::Halt { .. } | Op::Unsupported(_) => {}
        }
        flow.hidden |= flow.defines.iter().any(|&var| !self.of_source(var));
        flow
    }

    /// Whether the user knows the variable; function results have made-up names.
    fn of_source(&self, var: VarId) -> bool {
        let info = &self.program.vars[var];
        !matches!(info.kind, VarKind::Temp(_)) && !info.name.contains('$')
    }

    fn value(&self, view: &View<'_>, var: VarId) -> Option<(String, String)> {
        let info = &self.program.vars[var];
        let bits = view.var(var)?;
        Some((info.name.to_string(), show::value(self.program, view.memory, info.ty, info.signed, bits)))
    }
}

impl Recorder<'_> {
    /// What stands in memory now: a value of the type that was stored, or bytes.
    fn stored(&self, view: &View<'_>, op: &Op, address: u64, size: u64) -> Option<Stored> {
        let bytes = view.memory.bytes(address, size)?;
        let value = match op {
            Op::Store { value, .. } if size <= 8 => {
                let mut word = [0; 16];
                word[..bytes.len()].copy_from_slice(bytes);
                show::value(self.program, view.memory, self.program.exprs.ty(*value), true, u128::from_le_bytes(word))
            }
            _ => {
                let shown: Vec<String> = bytes.iter().take(MOST_BYTES).map(|byte| format!("{byte:02x}")).collect();
                shown.join(" ") + if bytes.len() > MOST_BYTES { " …" } else { "" }
            }
        };
        let name = show::pointer(self.program, view.memory, address);
        Some(Stored { address, size, name: name.trim_start_matches('&').to_owned(), value })
    }
}

/// Whether an edge is part of a check of arithmetic, and not the one that finds an error: no branch of the source.
fn is_passed_check(function: &Function, edge: &Edge) -> bool {
    let fails = |loc: LocId| {
        let arithmetic = |op: &Op| matches!(op, Op::Error(kind) if !matches!(kind, ErrorKind::ReachError | ErrorKind::Assert | ErrorKind::Label));
        function.out(loc).any(|(_, e)| arithmetic(&e.op))
    };
    let checks = |loc: LocId| function.out(loc).any(|(_, e)| fails(e.dst) && e.pos == edge.pos);
    // A sum has a check for each sign of one operand.
    !fails(edge.dst) && (checks(edge.src) || function.out(edge.src).all(|(_, e)| checks(e.dst)))
}

impl Observer for Recorder<'_> {
    fn step(&mut self, view: &View<'_>, at: EdgeRef, change: Change) {
        let program = self.program;
        let function = &program.functions[at.function];
        let edge = function.edge(at.edge);
        // After a call the view is the callee's, after a return the caller's.
        let flow = self.flow(&edge.op, view.function);
        if self.lines.len() >= MAX_LINES {
            return;
        }
        let kind = match &edge.op {
            Op::Havoc { source: HavocSource::Input, .. } => StepKind::Input,
            Op::Havoc { source: HavocSource::Uninit, .. } => StepKind::Uninitialised,
            Op::Assume { .. } if is_passed_check(function, edge) => StepKind::Other,
            Op::Assume { truth, .. } => StepKind::Branch(*truth),
            Op::Call { callee: Callee::Direct(_) | Callee::Indirect(_), .. } => StepKind::Call,
            Op::Return { .. } => StepKind::Return,
            Op::Error(_) => StepKind::Error,
            _ => StepKind::Other,
        };
        let mut reads: Vec<(String, String)> = Vec::new();
        if let StepKind::Branch(_) = kind {
            for &var in &flow.uses {
                if self.of_source(var)
                    && let Some(read) = self.value(view, var)
                    && !reads.contains(&read)
                {
                    reads.push(read);
                }
            }
        }
        let memory = match change {
            Change::Memory { addr, size } => self.stored(view, &edge.op, addr, size),
            Change::None | Change::Var(_) => None,
        };
        let temporary = matches!(change, Change::Var(var) if !self.of_source(var));
        let change = match change {
            Change::Var(var) => self.value(view, var),
            Change::None | Change::Memory { .. } => None,
        };
        // The view is the callee's, where the parameters have their values.
        let parameters = match kind {
            StepKind::Call => {
                program.functions[view.function].params.iter().filter_map(|&p| self.value(view, p)).collect()
            }
            _ => Vec::new(),
        };
        let depth = self.results.len() - usize::from(kind == StepKind::Call && !self.results.is_empty());
        let head = self.is_head(at.function, edge.src).then_some(edge.src.index() as u32);
        self.lines.push(TraceLine {
            pos: place(edge.pos),
            at: Some(EdgeNumber { function: at.function.index() as u32, edge: at.edge.index() as u32 }),
            function: function.name.to_string(),
            operation: show::op(program, &edge.op),
            change,
            temporary,
            memory,
            parameters,
            depth: if kind == StepKind::Return { depth + 1 } else { depth },
            kind,
            reads,
            head,
            matters: false,
        });
        self.flows.push(flow);
    }
}
