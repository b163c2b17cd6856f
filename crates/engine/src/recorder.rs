//! Writes down the steps of a replay, and which of them matter.
//!
//! What matters is a dynamic backward slice (Agrawal and Horgan, *Dynamic program slicing*, PLDI 1990) with every branch
//! on the way as a criterion: a step that gives a variable the value that a later branch depends on. Bytes of memory count as
//! variables where the address that is read is known after the step, else all of memory is read. The slice chooses what a person is shown; no verdict rests on it.

use crate::property::place;
use robusto_cfa::analysis::loops::LoopForest;
use robusto_cfa::ir::{
    BinOp, Callee, Edge, ErrorKind, Expr, ExprId, FuncId, Function, HavocSource, Idx as _, LocId, Op, Program, Ty,
    VarId, VarKind, fold,
};
use robusto_interp::{Change, EdgeRef, Observer, View, What, show};
use robusto_verdict::{EdgeNumber, StepKind, Stored, TraceLine};
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

/// Most steps that are kept.
pub(crate) const MAX_LINES: usize = 100_000;

/// Most bytes of one write that are kept.
const MOST_BYTES: usize = 32;

/// What a step defines and uses.
#[derive(Clone, Default)]
struct Flow {
    defines: Vec<VarId>,
    uses: Vec<VarId>,
    /// Bytes of memory that it reads; whether there may be others.
    read: Vec<Range<u64>>,
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
        let mut bytes: Vec<Range<u64>> = Vec::new();
        for (line, flow) in self.lines.iter_mut().zip(&self.flows).rev() {
            let written = line.memory.as_ref().map(|stored| stored.address..stored.address + stored.size);
            let meets =
                |range: &Range<u64>| written.as_ref().is_none_or(|w| w.start < range.end && range.start < w.end);
            let writes = flow.writes_memory && (memory || bytes.iter().any(meets));
            let needed = flow.defines.iter().any(|var| wanted.contains(var)) || writes;
            let criterion = matches!(line.kind, StepKind::Branch(_) | StepKind::Error | StepKind::Undefined);
            line.matters = criterion || needed && (!flow.hidden || line.kind == StepKind::Input);
            if needed || criterion {
                for var in &flow.defines {
                    wanted.remove(var);
                }
                if let Some(written) = written {
                    bytes.retain(|range| range.start < written.start || written.end < range.end);
                }
                wanted.extend(&flow.uses);
                bytes.extend(flow.read.iter().filter(|range| !bytes.contains(range)).cloned().collect::<Vec<_>>());
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
        let name = self.place_name(view, address, size)?;
        Some(Stored { address, size, name, value })
    }

    /// Bytes of memory in C's notation, as far as that goes without types: `x`, `buf[3]`, `heap[7]+4`.
    fn place_name(&self, view: &View<'_>, address: u64, size: u64) -> Option<String> {
        let name = show::pointer(self.program, view.memory, address).trim_start_matches('&').to_owned();
        let target = view.memory.locate(address)?;
        let (What::Object(id), Ok(offset)) = (target.what, u64::try_from(target.offset)) else { return Some(name) };
        let is_element = size > 0 && target.size > size && offset % size == 0 && target.size % size == 0;
        Some(if is_element { format!("{}[{}]", self.program.objects[id].name, offset / size) } else { name })
    }

    fn at_address(&self, view: &View<'_>, ty: Ty, address: u64, size: u64) -> Option<String> {
        let mut word = [0; 16];
        word.get_mut(..size as usize)?.copy_from_slice(view.memory.bytes(address, size)?);
        Some(show::value(self.program, view.memory, ty, true, u128::from_le_bytes(word)))
    }

    /// What a step reads from memory: types, addresses and sizes; `None` if that cannot be told after it.
    fn loads(&self, view: &View<'_>, op: &Op, flow: &Flow) -> Option<Vec<(Ty, u64, u64)>> {
        let roots: Vec<ExprId> = match op {
            Op::Assume { cond, .. } => vec![*cond],
            Op::Assign { value, .. } => vec![*value],
            Op::Store { addr, value } => vec![*addr, *value],
            _ => return None,
        };
        let overwritten = flow.defines.iter().any(|var| flow.uses.contains(var));
        let mut found = Vec::new();
        let mut open = if overwritten || flow.writes_memory && flow.reads_memory { return None } else { roots };
        while let Some(e) = open.pop() {
            match self.program.exprs.get(e) {
                Expr::Load(ty, at) => {
                    found.push((ty, self.evaluate(view, at)?, u64::from(ty.bits(self.program.model)).div_ceil(8)))
                }
                Expr::Holds(..) => return None,
                _ => {}
            }
            open.extend(self.program.exprs.operands(e));
        }
        Some(found)
    }

    /// The value of an expression of up to 64 bits, if the view shows what it is made of.
    fn evaluate(&self, view: &View<'_>, e: ExprId) -> Option<u64> {
        let exprs = &self.program.exprs;
        let ty = exprs.ty(e);
        let bits = |e: ExprId| exprs.ty(e).bits(self.program.model);
        if bits(e) > 64 {
            return None;
        }
        Some(match exprs.get(e) {
            Expr::Const(_, value) => value,
            Expr::Var(var) => view.var(var)? as u64,
            Expr::ObjAddr(object) => view.address(object)?,
            Expr::Load(_, at) => {
                let mut word = [0; 8];
                let bytes = view.memory.bytes(self.evaluate(view, at)?, u64::from(bits(e).div_ceil(8)))?;
                word[..bytes.len()].copy_from_slice(bytes);
                u64::from_le_bytes(word)
            }
            Expr::Unary(op, a) => fold::unary(op, ty, self.evaluate(view, a)?),
            Expr::Binary(op, a, b) if bits(a) <= 64 => {
                fold::binary(op, exprs.ty(a), bits(a), self.evaluate(view, a)?, self.evaluate(view, b)?)
            }
            Expr::Cast(op, to, a) if bits(a) <= 64 => {
                fold::cast(op, exprs.ty(a), to, self.program.model, self.evaluate(view, a)?)
            }
            _ => return None,
        })
    }
}

/// What C leaves undefined where a value is made up: the condition before it tells.
fn undefined(program: &Program, function: &Function, edge: &Edge) -> &'static str {
    let before = function.edges().iter().find(|e| e.dst == edge.src).map(|e| &e.op);
    let Some(Op::Assume { cond, .. }) = before else { return "there is no value" };
    match program.exprs.get(*cond) {
        Expr::Binary(BinOp::Eq | BinOp::Ne, ..) => "division by zero",
        _ => "the operation is undefined for these values",
    }
}

/// Whether an edge is part of a check of arithmetic, and not the one that finds an error: no branch of the source.
fn is_passed_check(function: &Function, edge: &Edge) -> bool {
    let fails = |loc: LocId| {
        let arithmetic = |op: &Op| matches!(op, Op::Error(kind) if !matches!(kind, ErrorKind::ReachError | ErrorKind::Assert | ErrorKind::Label));
        // What is not asked for ends the program in the place of the check itself, not where the program says so.
        let ends = |e: &Edge| matches!(e.op, Op::Halt { status: None }) && e.pos == edge.pos;
        function.out(loc).any(|(_, e)| arithmetic(&e.op) || ends(e))
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
        let mut flow = self.flow(&edge.op, view.function);
        let loads = self.loads(view, &edge.op, &flow);
        if let Some(loads) = &loads {
            flow.reads_memory = false;
            flow.read = loads.iter().map(|&(_, address, size)| address..address + size).collect();
        }
        if self.lines.len() >= MAX_LINES {
            return;
        }
        let kind = match &edge.op {
            Op::Havoc { source: HavocSource::Input, .. } => StepKind::Input,
            Op::Havoc { source: HavocSource::Uninit, .. } => StepKind::Uninitialised,
            Op::Havoc { source: HavocSource::Undefined, .. } => StepKind::Undefined,
            Op::Assume { .. } if is_passed_check(function, edge) => StepKind::Other,
            Op::Assume { truth, .. } => StepKind::Branch(*truth),
            Op::Call { callee: Callee::Direct(_) | Callee::Indirect(..), .. } => StepKind::Call,
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
            for (ty, address, size) in loads.into_iter().flatten() {
                let read = self.place_name(view, address, size).zip(self.at_address(view, ty, address, size));
                if let Some(read) = read.filter(|read| !reads.contains(read)) {
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
            operation: match kind {
                StepKind::Undefined => undefined(program, function, edge).to_owned(),
                _ => show::op(program, &edge.op),
            },
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
