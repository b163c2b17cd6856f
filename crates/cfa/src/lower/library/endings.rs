//! The end of the program, and `errno`: calls of models that are only needed if the program uses something.
//!
//! Whether a program registers handlers for its end, or reads `errno`, is known when all bodies are lowered. Until then
//! every place where it would matter has a call; if nothing of that is used, the calls are taken out again.

use crate::ir::{Callee, Edge, ExprId, FuncId, Function, Idx, LocId, Op, Ty, Var, VarKind};
use crate::lower::Lower;
use crate::lower::Val;
use crate::lower::types::IntKind;
use rustc_hash::FxHashSet;

const EXIT: &str = "__robusto_run_exit_handlers";
const QUICK_EXIT: &str = "__robusto_run_quick_exit_handlers";
const TOUCH: &str = "__robusto_touch_errno";

/// Calls that may have to be taken out.
#[derive(Default)]
pub(in crate::lower) struct Pending {
    /// Functions with such calls.
    functions: FxHashSet<FuncId>,
    /// Whether the program asks for the address of `errno`.
    pub errno_is_used: bool,
}

impl Lower<'_, '_> {
    /// Ends the program as `exit` does: handlers run, then it halts with this status (type `Int(32)`).
    pub(in crate::lower) fn emit_exit(&mut self, status: ExprId) {
        self.end_program(EXIT, status);
    }

    /// Ends the program as `quick_exit` does.
    pub(super) fn emit_quick_exit(&mut self, status: ExprId) {
        self.end_program(QUICK_EXIT, status);
    }

    fn end_program(&mut self, handlers: &str, status: ExprId) {
        let int = self.types.int(IntKind::Int);
        let status = self.capture(Val { e: status, ty: int }).e;
        self.pending_call(handlers, &[status]);
        self.emit_end(Op::Halt { status: Some(status) });
    }

    /// A library function may have changed `errno`.
    pub(super) fn touch_errno(&mut self, function: &str) {
        let used = self.names.get("__errno_location").is_some();
        if used && !self.in_model && function != "__errno_location" {
            self.pending_call(TOUCH, &[]);
        }
    }

    fn pending_call(&mut self, name: &str, args: &[ExprId]) {
        let symbol = self.names.intern(name);
        let id = self.declare_implicitly(symbol, robusto_syntax::Span::default());
        if !self.fun.quiet {
            self.pending.functions.insert(self.fun.builder.id);
        }
        self.emit(Op::Call { result: None, callee: Callee::Direct(id), args: args.into() });
    }

    fn pending_function(&self, name: &str) -> Option<FuncId> {
        self.names.get(name).and_then(|symbol| self.linked_functions.get(&symbol)).copied()
    }

    /// Takes the calls out that turned out to be superfluous, and lets the handlers run when `main` returns. To be called
    /// when the models are lowered.
    pub(in crate::lower) fn settle_endings(&mut self) {
        let lowered = |lower: &Self, id: FuncId| lower.functions[id.index()].lowered;
        let mut gone = Vec::new();
        for name in [EXIT, QUICK_EXIT, TOUCH] {
            if let Some(id) = self.pending_function(name) {
                let wanted = lowered(self, id) && (name != TOUCH || self.pending.errno_is_used);
                if !wanted {
                    gone.push(id);
                }
            }
        }
        if !gone.is_empty() {
            for &function in &self.pending.functions {
                let found =
                    std::mem::replace(&mut self.program.functions[function], Function::header("", Default::default()));
                self.program.functions[function] = without_calls(found, &gone);
            }
        }
        let main = self.names.get("main").and_then(|name| self.linked_functions.get(&name)).copied();
        if let (Some(handlers), Some(main)) = (self.pending_function(EXIT), main)
            && lowered(self, handlers)
            && lowered(self, main)
        {
            self.handlers_after_main(main, handlers);
        }
    }

    fn handlers_after_main(&mut self, main: FuncId, handlers: FuncId) {
        let recursive = self.functions.iter().enumerate().any(|(i, info)| {
            info.lowered
                && self.program.functions[FuncId::new(i)]
                    .edges()
                    .iter()
                    .any(|edge| matches!(edge.op, Op::Call { callee: Callee::Direct(id), .. } if id == main))
        });
        let zero = self.program.exprs.int(32, 0);
        let mut function =
            std::mem::replace(&mut self.program.functions[main], Function::header("", Default::default()));
        let mut locations = function.num_locs();
        let mut edges = Vec::new();
        for edge in function.take_edges() {
            let Op::Return { value } = edge.op else {
                edges.push(edge);
                continue;
            };
            if recursive {
                edges.push(Edge { op: Op::Unsupported("`atexit` with a recursive `main`".into()), ..edge });
                continue;
            }
            // The handlers may change what the value is made of.
            let (kept, between) = (LocId::new(locations), LocId::new(locations + 1));
            locations += 2;
            let (value, keep) = match value {
                Some(value) => {
                    let ty = self.program.exprs.ty(value);
                    let kind = VarKind::Temp(main);
                    let var = Var { name: "status".into(), ty, signed: true, kind, pos: edge.pos };
                    let var = self.program.vars.push(var);
                    self.program.exprs.declare(var, ty);
                    function.locals.push(var);
                    (Some(self.program.exprs.var(var)), Op::Assign { var, value })
                }
                None => (None, Op::Skip),
            };
            let status = value.filter(|&e| self.program.exprs.ty(e) == Ty::Int(32)).unwrap_or(zero);
            let call = Op::Call { result: None, callee: Callee::Direct(handlers), args: [status].into() };
            edges.push(Edge { src: edge.src, dst: kept, op: keep, pos: edge.pos });
            edges.push(Edge { src: kept, dst: between, op: call, pos: edge.pos });
            edges.push(Edge { src: between, op: Op::Return { value }, ..edge });
        }
        self.program.functions[main] = crate::ir::rebuild(function, locations, edges);
    }
}

fn without_calls(mut function: Function, gone: &[FuncId]) -> Function {
    let locations = function.num_locs();
    let mut edges = function.take_edges();
    for edge in &mut edges {
        if matches!(edge.op, Op::Call { callee: Callee::Direct(id), .. } if gone.contains(&id)) {
            edge.op = Op::Skip;
        }
    }
    crate::ir::rebuild(function, locations, edges)
}
