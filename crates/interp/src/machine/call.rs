//! Calls and returns.

use super::{Cursor, Machine, Stop};
use crate::code::{CallTarget, FunctionCode, Operand};
use crate::memory::layout::{GRANULE, after};
use crate::memory::{StackMark, What};
use crate::observer::{Change, Observer};
use crate::outcome::{Outcome, Undefined};
use crate::show;
use robusto_cfa::ir::{FuncId, HavocSource, VarId};

/// A caller that waits for a function to return.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    function: FuncId,
    cursor: Cursor,
    /// Takes the returned value.
    result: Option<VarId>,
    /// The stack before the callee's objects.
    mark: StackMark,
}

/// Bytes that a frame costs beside its slots and objects.
const FRAME_COST: u64 = size_of::<Frame>() as u64;

impl<O: Observer> Machine<'_, O> {
    pub(super) fn call(&mut self, call: u32, next: u32) -> Result<(), Stop> {
        let code = self.code;
        let site = &code.calls[call as usize];
        let callee = match site.target {
            CallTarget::Direct(callee) => callee,
            CallTarget::Indirect(pointer) => {
                let addr = self.get(pointer);
                let Some(callee) = code.layout.function_at(addr) else {
                    let what = show::pointer(self.program, &self.memory, addr).into();
                    return Err(self.undefined(Undefined::NotAFunction(what)));
                };
                let params = &code.functions[callee].params;
                let fits = params.len() == site.args.len()
                    && params.iter().zip(&site.args).all(|(param, arg)| param.ty == arg.ty);
                if !fits {
                    let name = self.program.functions[callee].name.clone();
                    return Err(self.undefined(Undefined::WrongArguments(name)));
                }
                callee
            }
        };
        let function = &code.functions[callee];
        // The new frame follows the caller's slots; the arguments are read from there.
        let caller = self.cursor.base;
        let base = self.slots.len();
        let mark = self.memory.stack_mark();
        self.reserve(function)?;
        for (param, arg) in function.params.iter().zip(&site.args) {
            let (to, from) = (param.slot.at(base), arg.slot.at(caller));
            self.slots[to] = self.slots[from];
            if param.ty.is_wide() {
                self.slots[to + 1] = self.slots[from + 1];
            }
        }
        let cursor = Cursor { pc: next, ..self.cursor };
        self.frames.push(Frame { function: self.function, cursor, result: site.result, mark });
        self.enter(callee, base)
    }

    /// Makes room for a frame's slots.
    pub(super) fn reserve(&mut self, function: &FunctionCode) -> Result<(), Stop> {
        let used = self.slots.len() as u64 * 8 + self.frames.len() as u64 * FRAME_COST + self.memory.stack_size();
        let objects = function.objects.last().map_or(0, |last| after(last.offset, last.size));
        if used.saturating_add(function.slots as u64 * 8).saturating_add(objects) > self.config.max_stack {
            return Err(Outcome::StackOverflow(self.here()).into());
        }
        self.slots.resize(self.slots.len() + function.slots, 0);
        Ok(())
    }

    /// Starts a function whose arguments are in its slots.
    pub(super) fn enter(&mut self, callee: FuncId, base: usize) -> Result<(), Stop> {
        let function = &self.code.functions[callee];
        let start = self.memory.stack_size().next_multiple_of(function.align.max(GRANULE));
        for object in &function.objects {
            let what = What::Object(object.id);
            let Ok(addr) = self.memory.push_stack_at(start + object.offset, object.size, what) else {
                return Err(Outcome::StackOverflow(self.here()).into());
            };
            if let Some(bytes) = self.memory.bytes_mut(addr, object.size) {
                self.inputs.fresh_local(callee, bytes);
            }
            self.slots[object.slot.at(base)] = addr;
        }
        self.function = callee;
        self.cursor = Cursor { pc: function.entry, done: 0, base, frame_memory: start, taken: true };
        if O::ACTIVE {
            let view = view!(self);
            self.observer.call(&view, callee);
        }
        Ok(())
    }

    pub(super) fn ret(&mut self, value: Option<Operand>) -> Result<Change, Stop> {
        let value = value.map(|value| self.get_operand(value));
        if O::ACTIVE {
            let view = view!(self);
            self.observer.ret(&view, self.function, value);
        }
        let Some(frame) = self.frames.pop() else {
            return Err(Outcome::Exited(value.unwrap_or(0) as u32 as i32).into());
        };
        self.memory.pop_stack(frame.mark);
        self.slots.truncate(self.cursor.base);
        let Some(result) = frame.result else {
            (self.function, self.cursor) = (frame.function, frame.cursor);
            return Ok(Change::None);
        };
        let operand = self.var(result);
        // Asked before the frame changes, so that the request names the edge of the `return`.
        let value = value.unwrap_or_else(|| self.ask(HavocSource::Undefined, operand.ty));
        (self.function, self.cursor) = (frame.function, frame.cursor);
        self.set_operand(operand, value);
        Ok(Change::Var(result))
    }
}
