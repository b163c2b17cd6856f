//! The machine: frames, steps, and how an execution ends.

/// The state of a machine, while its observer is borrowed.
macro_rules! view {
    ($machine:expr) => {
        $crate::machine::View {
            program: $machine.program,
            code: $machine.code,
            memory: &$machine.memory,
            slots: &$machine.slots,
            base: $machine.cursor.base,
            function: $machine.function,
            depth: $machine.frames.len(),
            steps: $machine.steps,
        }
    };
}

mod builtin;
mod call;
mod effects;
mod fast;
mod start;
mod view;

pub use start::NoMain;
pub use view::View;

use crate::code::{Action, Code, Element, Operand, Slot};
use crate::inputs::{Inputs, Request};
use crate::memory::{Access, Memory};
use crate::observer::{Change, Observer};
use crate::outcome::{EdgeRef, Outcome, Undefined};
use call::Frame;
use fast::{Cursor, Exit};
use robusto_cfa::ir::{FuncId, HavocSource, Idx, Op, Program, Ty, VarId, fold};
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Limits and choices.
#[derive(Clone, Debug)]
pub struct Config<'m> {
    /// Number of edges after which the execution ends.
    pub max_steps: Option<u64>,
    /// Bytes of memory, the stack included.
    pub max_memory: u64,
    /// Bytes of stack.
    pub max_stack: u64,
    /// What an invalid access to memory does.
    pub invalid: InvalidPolicy,
    /// Ends the execution soon after it is set.
    pub cancel: Option<&'m AtomicBool>,
    /// Ends the execution soon after that time, as if it were cancelled.
    pub deadline: Option<Instant>,
    /// Whether `stdin`, `stdout` and `stderr`, where other files define them, are streams; else they are inputs.
    pub streams: bool,
    /// The program's arguments; its own name is the first.
    pub args: Vec<Vec<u8>>,
}

impl Default for Config<'_> {
    fn default() -> Self {
        Self {
            max_steps: None,
            max_memory: 4 << 30,
            max_stack: 256 << 20,
            invalid: InvalidPolicy::Stop,
            cancel: None,
            deadline: None,
            streams: false,
            args: vec![b"a.out".to_vec()],
        }
    }
}

/// What an invalid access to memory does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InvalidPolicy {
    /// Ends the execution with [`Outcome::Undefined`].
    Stop,
    /// A read gives an input with source `Undefined`, a write or `free` does nothing.
    Havoc,
}

/// Where output goes.
pub struct Streams<'m> {
    /// Standard output.
    pub out: &'m mut dyn Write,
    /// Standard error.
    pub err: &'m mut dyn Write,
}

impl std::fmt::Debug for Streams<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Streams")
    }
}

/// Number of steps between two looks at the cancel flag and the clock.
const SLICE: u64 = 1 << 14;

/// The end of an execution; boxed because results travel on the fast path.
type Stop = Box<Outcome>;

/// Executes a program.
pub struct Machine<'m, O> {
    program: &'m Program,
    code: &'m Code,
    config: Config<'m>,
    inputs: &'m mut dyn Inputs,
    observer: O,
    streams: Streams<'m>,
    memory: Memory,
    /// The static slots, then the frames' slots.
    slots: Vec<u64>,
    cursor: Cursor,
    function: FuncId,
    /// The callers.
    frames: Vec<Frame>,
    steps: u64,
}

impl<O> std::fmt::Debug for Machine<'_, O> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Machine").field("cursor", &self.cursor).field("steps", &self.steps).finish_non_exhaustive()
    }
}

impl<O: Observer> Machine<'_, O> {
    /// Number of edges executed.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// The state, to look at.
    pub fn view(&self) -> View<'_> {
        view!(self)
    }

    /// Executes to the end.
    pub fn run(&mut self) -> Outcome {
        let outcome = loop {
            if let Err(outcome) = self.slice() {
                break *outcome;
            }
        };
        let flushed = self.streams.out.flush().and_then(|()| self.streams.err.flush());
        match flushed {
            Ok(()) => outcome,
            Err(error) => Outcome::OutputFailed(error.kind()),
        }
    }

    /// Executes some steps.
    fn slice(&mut self) -> Result<(), Stop> {
        if self.config.cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed))
            || self.config.deadline.is_some_and(|deadline| Instant::now() >= deadline)
        {
            return Err(Outcome::Cancelled.into());
        }
        let left = self.config.max_steps.map_or(u64::MAX, |max| max.saturating_sub(self.steps));
        if left == 0 {
            return Err(Outcome::StepLimit.into());
        }
        let slice = left.min(SLICE);
        let mut budget = slice;
        let result = if O::ACTIVE { self.observed(&mut budget) } else { self.unobserved(&mut budget) };
        if !O::ACTIVE {
            self.steps += slice - budget;
        }
        result
    }

    fn unobserved(&mut self, budget: &mut u64) -> Result<(), Stop> {
        while *budget > 0 {
            match fast::run(self.code, &mut self.slots, &mut self.memory, &mut self.cursor, budget) {
                Exit::Budget => {}
                Exit::Rare(rare) => {
                    *budget -= 1;
                    self.rare(rare)?;
                }
                Exit::Invalid { access, addr, size, dst } => self.invalid(access, addr, size, dst)?,
            }
        }
        Ok(())
    }

    /// One step at a time, each with its event.
    fn observed(&mut self, budget: &mut u64) -> Result<(), Stop> {
        while *budget > 0 {
            *budget -= 1;
            self.steps += 1;
            let (function, pc) = (self.function, self.cursor.pc);
            let stored = loop {
                let mut one = 1;
                match fast::run(self.code, &mut self.slots, &mut self.memory, &mut self.cursor, &mut one) {
                    Exit::Budget => break None,
                    Exit::Rare(rare) => break Some(self.rare(rare)?),
                    Exit::Invalid { access, addr, size, dst } => {
                        self.invalid(access, addr, size, dst)?;
                        if access == Access::Write {
                            break Some(Change::None);
                        }
                    }
                }
            };
            let edge = self.code.edge(self.program, function, pc, self.cursor.taken);
            let at = EdgeRef { function, edge };
            let change = stored.unwrap_or_else(|| self.fast_change(at, pc));
            let view = view!(self);
            self.observer.step(&view, at, change);
        }
        Ok(())
    }

    /// What a step of the fast loop has changed.
    fn fast_change(&self, at: EdgeRef, pc: u32) -> Change {
        match self.program.functions[at.function].edge(at.edge).op {
            Op::Assign { var, .. } => Change::Var(var),
            Op::Store { .. } => match self.code.steps[pc as usize].action {
                Action::Store { size, addr, .. } => Change::Memory { addr: self.get(addr), size: size.into() },
                Action::StoreElement { size, element, .. } => {
                    Change::Memory { addr: self.element(element), size: size.into() }
                }
                Action::StoreStatic { size, offset, .. } => {
                    Change::Memory { addr: self.code.layout.statics + u64::from(offset), size: size.into() }
                }
                Action::StoreFrame { size, offset, .. } => {
                    let addr = self.memory.stack_address(self.cursor.frame_memory + u64::from(offset));
                    Change::Memory { addr, size: size.into() }
                }
                _ => Change::None,
            },
            _ => Change::None,
        }
    }

    fn get(&self, slot: Slot) -> u64 {
        self.slots[slot.at(self.cursor.base)]
    }

    /// The address of an array element.
    fn element(&self, element: Element) -> u64 {
        let offset = fold::signed(element.bits.into(), self.get(element.index)).wrapping_mul(element.scale.into());
        fold::mask(self.program.model.pointer_bits().into(), self.get(element.base).wrapping_add(offset as u64))
    }

    fn set(&mut self, slot: Slot, value: u64) {
        let at = slot.at(self.cursor.base);
        self.slots[at] = value;
    }

    /// A variable as an operand.
    fn var(&self, var: VarId) -> Operand {
        Operand { slot: self.code.vars[var], ty: self.program.vars[var].ty }
    }

    fn get_operand(&self, operand: Operand) -> u128 {
        let at = operand.slot.at(self.cursor.base);
        if operand.ty == Ty::Int(128) { fast::get_wide(&self.slots, at) } else { self.slots[at].into() }
    }

    fn set_operand(&mut self, operand: Operand, value: u128) {
        let at = operand.slot.at(self.cursor.base);
        if operand.ty == Ty::Int(128) {
            fast::set_wide(&mut self.slots, at, value);
        } else {
            self.slots[at] = crate::eval::mask(operand.ty, self.program.model, value) as u64;
        }
    }

    /// The edge that the cursor is at.
    fn here(&self) -> EdgeRef {
        let edge = self.code.edge(self.program, self.function, self.cursor.pc, true);
        EdgeRef { function: self.function, edge }
    }

    fn op(&self) -> &Op {
        let at = self.here();
        &self.program.functions[at.function].edge(at.edge).op
    }

    fn undefined(&self, what: Undefined) -> Stop {
        Outcome::Undefined { what, at: self.here() }.into()
    }

    /// Whether an access that did not take place is valid: there was no memory for it.
    fn is_allowed(&self, access: Access, addr: u64, size: u64) -> bool {
        access == Access::Write && self.memory.is_writable(addr, size)
    }

    fn bad_access(&self, access: Access, addr: u64, size: u64) -> Stop {
        if self.is_allowed(access, addr, size) {
            return Outcome::MemoryLimit(self.here()).into();
        }
        self.undefined(self.memory.explain(self.program, access, addr, size).into())
    }

    /// An invalid access on the fast path.
    fn invalid(&mut self, access: Access, addr: u64, size: u8, dst: Option<(Slot, Ty)>) -> Result<(), Stop> {
        if self.config.invalid == InvalidPolicy::Stop || self.is_allowed(access, addr, size.into()) {
            return Err(self.bad_access(access, addr, size.into()));
        }
        match dst {
            Some((slot, ty)) => {
                let value = self.ask(HavocSource::Undefined, ty);
                self.set_operand(Operand { slot, ty }, value);
            }
            None => {
                let edge = self.here();
                let dst = self.program.functions[edge.function].edge(edge.edge).dst;
                self.goto(self.code.functions[self.function].first + dst.index() as u32);
            }
        }
        Ok(())
    }

    /// A nondeterministic value for the edge at hand.
    fn ask(&mut self, source: HavocSource, ty: Ty) -> u128 {
        let at = self.here();
        let model = self.program.model;
        let value = crate::eval::mask(ty, model, self.inputs.value(Request { at, source, ty, model }));
        if O::ACTIVE {
            self.observer.input(at, source, Some(value));
        }
        value
    }

    fn goto(&mut self, next: u32) {
        self.cursor.pc = next;
    }
}
