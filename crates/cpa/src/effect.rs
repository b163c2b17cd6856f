//! What a step does to the data, said once for all analyses.
//!
//! A state has a value for each global variable, for each variable of each pending call (a *frame* per call, the youngest
//! on top), and memory. An [`Effect`] takes a state to the next:
//!
//! 1. All its expressions are evaluated in the state before the step, with the frame on top that was on top then. The step
//!    can be taken where the [`Guard`] holds.
//! 2. Memory changes as [`Memory`] says.
//! 3. A frame is pushed or popped ([`Frame`]).
//! 4. The variables of `assign` take their values, all at once, in the frame that is on top now.
//! 5. The variables of `dying`, which belong to the frame that was on top before or are global, matter no more.
//!
//! A domain says how it evaluates a guard, a value, a memory operation; what belongs to which step is not its business.
//!
//! One that has a single copy of each variable for all activations of a function forgets the variables of `dying` but for
//! those that are assigned, and those of [`Effect::overlaid`] at a return.
//!
//! Only live variables are assigned. So an analysis never evaluates anything for a variable that is not live, as
//! [`robusto_cfa::analysis::liveness`] demands of whoever forgets the others.

use crate::Step;
use robusto_cfa::facts::Facts;
use robusto_cfa::ir::{AllocKind, Builtin, Callee, Edge, Expr, ExprId, FuncId, LocId, Op, Ty, VarId};

/// The meaning of a step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Effect<'p> {
    /// Where it can be taken.
    pub guard: Guard,
    /// What happens to memory.
    pub memory: Memory<'p>,
    /// Which call is on top afterwards.
    pub frame: Frame,
    /// The variables that take new values at once, each of them once and live afterwards.
    pub assign: Vec<(VarId, Value<'p>)>,
    /// The variables that mattered before and do not matter any more. They can be assigned variables only where a frame is
    /// pushed: another activation's.
    pub dying: Vec<VarId>,
}

/// The condition of a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Guard {
    /// It can always be taken.
    Always,
    /// A condition (type `BOOL`) has this truth value.
    Test {
        /// The condition.
        cond: ExprId,
        /// The truth value.
        truth: bool,
    },
    /// Some path of tests through a block leads from one location to the other ([`crate::blocks::Block::follow`]).
    Paths {
        /// The function.
        function: FuncId,
        /// The start of the block.
        from: LocId,
        /// The exit.
        to: LocId,
    },
    /// A pointer is the address of a function.
    Calls {
        /// The pointer.
        pointer: ExprId,
        /// The function.
        callee: FuncId,
    },
}

/// What a variable takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value<'p> {
    /// The value of an expression of the variable's type.
    Expr(ExprId),
    /// Any value of its type: an input, or the garbage in a local variable of a new frame.
    Any,
    /// Any value of its type, since a call through a pointer of another type hands over a value of another type, or none.
    Mismatched,
    /// The address of the object that [`Memory::Alloc`] allocates; never null.
    Allocated,
    /// What a library function returns for arguments.
    Library(Builtin, &'p [ExprId]),
}

/// What a step does to memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Memory<'p> {
    /// Nothing.
    Keep,
    /// Writes a value, little-endian.
    Store {
        /// Where.
        addr: ExprId,
        /// What.
        value: ExprId,
    },
    /// Copies bytes; the ranges may overlap.
    Copy {
        /// To.
        dst: ExprId,
        /// From.
        src: ExprId,
        /// Number of bytes.
        size: ExprId,
    },
    /// Sets bytes.
    Fill {
        /// Where.
        dst: ExprId,
        /// The value of each.
        byte: ExprId,
        /// Number of bytes.
        size: ExprId,
    },
    /// Bytes take any value.
    Havoc {
        /// Where.
        addr: ExprId,
        /// Number of bytes.
        size: ExprId,
    },
    /// A library function writes through those of its arguments that [`Builtin::writes`] names.
    Library(Builtin, &'p [ExprId]),
    /// A new object begins to live.
    Alloc {
        /// Number of bytes.
        size: ExprId,
        /// Where.
        kind: AllocKind,
        /// Whether the bytes are zero; else they are arbitrary.
        zeroed: bool,
    },
    /// An allocated object ends; of a null pointer, nothing happens.
    Free {
        /// Its address.
        ptr: ExprId,
        /// How it was allocated.
        kind: AllocKind,
    },
}

/// What a step does to the stack of calls.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Frame {
    /// Nothing.
    Same,
    /// A function is entered: its variables and objects begin to live. The objects' content is arbitrary, and so is the
    /// value of every variable that is not assigned.
    Push(FuncId),
    /// A function is left: its variables and objects are gone.
    Pop(FuncId),
}

impl<'p> Effect<'p> {
    /// The effect of a step of a program.
    pub fn of(facts: &'p Facts, step: Step) -> Self {
        let edge = step.edge(&facts.program);
        match step {
            Step::Edge(function, _) => of_edge(facts, function, edge),
            Step::Block { function, from, to, .. } => {
                let live = |loc| facts.liveness.at(function, loc);
                let dying = live(from).difference(live(to)).iter().collect();
                Effect { guard: Guard::Paths { function, from, to }, dying, ..Self::nothing() }
            }
            Step::Enter { caller, callee, .. } => of_enter(facts, edge, caller, callee),
            Step::Leave { callee, caller, .. } => of_leave(facts, edge, callee, caller),
        }
    }

    fn nothing() -> Self {
        Effect { guard: Guard::Always, memory: Memory::Keep, frame: Frame::Same, assign: Vec::new(), dying: Vec::new() }
    }

    /// The caller's variables that a recursive call may have overwritten, in a domain that has a single copy of each
    /// variable for all activations. Assigned ones are not among them.
    pub fn overlaid(&self, facts: &Facts, step: Step) -> Vec<VarId> {
        let Step::Leave { callee, caller, .. } = step else { return Vec::new() };
        let calls = &facts.calls;
        if !calls.is_recursive(caller) || calls.component(callee) != calls.component(caller) {
            return Vec::new();
        }
        let body = &facts.program.functions[caller];
        let all = body.params.iter().chain(&body.locals).copied();
        all.filter(|&var| self.assign.iter().all(|&(assigned, _)| assigned != var)).collect()
    }
}

fn of_edge<'p>(facts: &'p Facts, function: FuncId, edge: &'p Edge) -> Effect<'p> {
    let mut effect = Effect::nothing();
    // The caller still takes the returned value.
    let result = facts.results[function];
    let is_live = |var: VarId| result == Some(var) || facts.liveness.at(function, edge.dst).contains(var);
    let mut assign = |var: VarId, value: Value<'p>| {
        if is_live(var) {
            effect.assign.push((var, value));
        }
    };
    match edge.op {
        Op::Skip | Op::Return { .. } | Op::Error(_) | Op::Halt { .. } | Op::Unsupported(_) => {}
        Op::Assume { cond, truth } => effect.guard = Guard::Test { cond, truth },
        Op::Assign { var, value } => assign(var, Value::Expr(value)),
        Op::Havoc { var, .. } => assign(var, Value::Any),
        Op::Store { addr, value } => effect.memory = Memory::Store { addr, value },
        Op::Copy { dst, src, size } => effect.memory = Memory::Copy { dst, src, size },
        Op::Fill { dst, byte, size } => effect.memory = Memory::Fill { dst, byte, size },
        Op::HavocMem { addr, size, .. } => effect.memory = Memory::Havoc { addr, size },
        Op::Builtin { result, builtin, ref args } => {
            if let Some(var) = result {
                assign(var, Value::Library(builtin, args));
            }
            if !builtin.writes().is_empty() {
                effect.memory = Memory::Library(builtin, args);
            }
        }
        Op::Alloc { var, size, kind, zeroed } => {
            assign(var, Value::Allocated);
            effect.memory = Memory::Alloc { size, kind, zeroed };
        }
        Op::Free { ptr, kind } => effect.memory = Memory::Free { ptr, kind },
        Op::Call { .. } => unreachable!("calls are entered and left"),
    }
    effect.dying = facts.liveness.dying(function, edge);
    effect.dying.retain(|&var| result != Some(var));
    effect
}

fn of_enter<'p>(facts: &'p Facts, edge: &'p Edge, caller: FuncId, callee: FuncId) -> Effect<'p> {
    let program = &facts.program;
    let Op::Call { ref args, callee: called, .. } = edge.op else {
        unreachable!("calls are entered through call edges")
    };
    let guard = match called {
        Callee::Direct(_) => Guard::Always,
        Callee::Indirect(pointer, _) => Guard::Calls { pointer, callee },
    };
    let body = &program.functions[callee];
    let live = facts.liveness.at(callee, body.entry);
    let params = body.params.iter().enumerate().map(|(i, &param)| {
        let value = args.get(i).map(|&arg| (program.exprs.ty(arg), arg));
        (param, handed_over(value, program.vars[param].ty))
    });
    let locals = body.locals.iter().map(|&local| (local, Value::Any));
    let assign = params.chain(locals).filter(|(var, _)| live.contains(*var)).collect();
    let after = facts.liveness.at(caller, edge.dst);
    let own = |var: VarId| program.vars[var].kind.owner() == Some(caller);
    let dying = facts.liveness.at(caller, edge.src).iter().filter(|&var| own(var) && !after.contains(var)).collect();
    Effect { guard, frame: Frame::Push(callee), assign, dying, ..Effect::nothing() }
}

fn of_leave<'p>(facts: &'p Facts, edge: &'p Edge, callee: FuncId, caller: FuncId) -> Effect<'p> {
    let program = &facts.program;
    let Op::Call { result, .. } = edge.op else { unreachable!("calls are left through call edges") };
    let after = facts.liveness.at(caller, edge.dst);
    let returned = facts.results[callee];
    let mut assign = Vec::new();
    if let Some(var) = result.filter(|&var| facts.results[caller] == Some(var) || after.contains(var)) {
        let value = returned.and_then(|var| Some((program.vars[var].ty, program.exprs.find(Expr::Var(var))?)));
        assign.push((var, handed_over(value, program.vars[var].ty)));
    }
    let exit = facts.liveness.at(callee, program.functions[callee].exit);
    let dying = exit.iter().filter(|&var| !after.contains(var)).chain(returned).collect();
    Effect { frame: Frame::Pop(callee), assign, dying, ..Effect::nothing() }
}

/// What a variable of a type takes from the other side of a call.
fn handed_over<'p>(value: Option<(Ty, ExprId)>, ty: Ty) -> Value<'p> {
    match value {
        Some((given, expr)) if given == ty => Value::Expr(expr),
        _ => Value::Mismatched,
    }
}
