//! Executes programs without memory.

use super::eval;
use crate::ir::*;

/// An activation.
struct Frame {
    function: FuncId,
    loc: LocId,
    /// The callee's variables as they were before the call, to be restored.
    saved: Vec<(VarId, u64)>,
    result: Option<VarId>,
}

/// The state of an execution.
pub struct Machine<'p> {
    program: &'p Program,
    /// The values of globals and of the innermost activations' variables.
    pub values: IdxVec<VarId, u64>,
    frames: Vec<Frame>,
}

impl<'p> Machine<'p> {
    /// At the entry of `main`. Locals start with inputs.
    pub fn new(program: &'p Program, input: &mut dyn FnMut(VarId) -> u64) -> Self {
        let value = |v: &Var| match v.kind {
            VarKind::Global(init) => program.exprs.as_const(init).expect("plain"),
            _ => 0,
        };
        let function = program.main.expect("built first");
        let start = Frame { function, loc: program.functions[function].entry, saved: Vec::new(), result: None };
        let mut values: IdxVec<VarId, u64> = program.vars.iter().map(value).collect();
        program.functions[function].locals.iter().for_each(|&v| values[v] = input(v));
        Self { program, values, frames: vec![start] }
    }

    /// Where control is; `None` at the end.
    pub fn at(&self) -> Option<(FuncId, LocId)> {
        self.frames.last().map(|f| (f.function, f.loc))
    }

    /// Takes a step; `input` gives the values of havocs. Returns the edge.
    pub fn step(&mut self, input: &mut dyn FnMut(VarId) -> u64) -> Option<EdgeId> {
        let frame = self.frames.last_mut()?;
        let function = &self.program.functions[frame.function];
        let exprs = &self.program.exprs;
        let values = &mut self.values;
        let value = |values: &IdxVec<VarId, u64>, e| eval(exprs, e, &|v| values[v]);
        let taken = function.out(frame.loc).find(|(_, e)| match e.op {
            Op::Assume { cond, truth } => (value(values, cond) == 1) == truth,
            _ => true,
        });
        let Some((id, edge)) = taken else {
            self.frames.clear();
            return None;
        };
        frame.loc = edge.dst;
        match edge.op {
            Op::Skip | Op::Assume { .. } => {}
            Op::Assign { var, value: e } => values[var] = value(values, e),
            Op::Havoc { var, .. } => values[var] = input(var),
            Op::Call { result, callee: Callee::Direct(callee), ref args } => {
                let called = &self.program.functions[callee];
                let args: Vec<_> = args.iter().map(|&arg| value(values, arg)).collect();
                let own = called.params.iter().chain(&called.locals);
                let saved = own.map(|&v| (v, values[v])).collect();
                called.params.iter().zip(args).for_each(|(&p, arg)| values[p] = arg);
                called.locals.iter().for_each(|&v| values[v] = input(v));
                self.frames.push(Frame { function: callee, loc: called.entry, saved, result });
            }
            Op::Return { value: e } => {
                let returned = e.map(|e| value(values, e));
                let frame = self.frames.pop().expect("there is one");
                frame.saved.iter().for_each(|&(v, old)| values[v] = old);
                if let (Some(var), Some(returned)) = (frame.result, returned) {
                    values[var] = returned;
                }
            }
            Op::Halt { .. } | Op::Error(_) => self.frames.clear(),
            ref op => panic!("{op:?} in a program without memory"),
        }
        Some(id)
    }
}
