//! The actions that the fast loop leaves to the machine.

use super::{InvalidPolicy, Machine, Stop};
use crate::code::{Rare, Slot};
use crate::inputs::Request;
use crate::memory::{Access, What};
use crate::observer::{Change, Observer};
use crate::outcome::Outcome;
use robusto_cfa::ir::{AllocKind, HavocSource, Op, Ty};

/// Most bytes of a new object whose content is asked for; as many as a model of a formula says (`Contents` of the symbolic encoding).
const MOST_CHOSEN: u64 = 16 << 20;

impl<O: Observer> Machine<'_, O> {
    /// Executes an action; gives what it has changed.
    pub(super) fn rare(&mut self, rare: Rare) -> Result<Change, Stop> {
        match rare {
            Rare::Call { call, next } => self.call(call, next).map(|()| Change::None),
            Rare::Return { value } => self.ret(value),
            Rare::Builtin { call, next } => {
                let change = self.builtin(call)?;
                self.goto(next);
                Ok(change)
            }
            Rare::Assume { cond, truth, next } => {
                if (self.get(cond) != 0) != truth {
                    return Err(Outcome::Blocked(Some(self.here())).into());
                }
                self.goto(next);
                Ok(Change::None)
            }
            Rare::WideStore { addr, value, next } => {
                let bytes: Vec<u8> = [value.at(self.cursor.base), value.at(self.cursor.base) + 1]
                    .into_iter()
                    .flat_map(|at| self.slots[at].to_le_bytes())
                    .collect();
                self.set_bytes(addr, 16, next, |_, to| to.copy_from_slice(&bytes))
            }
            Rare::Copy { dst, src, size, next } => self.copy(dst, src, size, next),
            Rare::Fill { dst, byte, size, next } => {
                let (byte, size) = (self.get(byte) as u8, self.get(size));
                self.set_bytes(dst, size, next, |_, to| to.fill(byte))
            }
            Rare::Havoc { var, next } => {
                let Op::Havoc { source, .. } = *self.op() else { unreachable!("compiled from a havoc") };
                let operand = self.var(var);
                let value = match self.provide_stream(source, &self.program.vars[var].name, operand.ty) {
                    Some(addr) => addr.into(),
                    None => self.ask(source, operand.ty),
                };
                self.set_operand(operand, value);
                self.goto(next);
                Ok(Change::Var(var))
            }
            Rare::HavocMem { addr, size, next } => {
                let Op::HavocMem { source, .. } = *self.op() else { unreachable!("compiled from a havoc") };
                self.havoc_memory(addr, size, source, next)
            }
            Rare::Alloc { dst, size, kind, next } => self.alloc(dst, self.get(size), kind, next),
            Rare::Free { ptr, kind, next } => self.free(ptr, kind, next),
            Rare::Error => {
                let Op::Error(kind) = *self.op() else { unreachable!("compiled from an error") };
                Err(Outcome::ErrorReached { kind, at: self.here() }.into())
            }
            Rare::Halt { status: Some(status) } => Err(Outcome::Exited(self.get(status) as u32 as i32).into()),
            Rare::Halt { status: None } => Err(Outcome::Aborted(self.here()).into()),
            Rare::Unsupported => {
                let Op::Unsupported(what) = self.op() else { unreachable!("compiled from an unsupported construct") };
                Err(Outcome::Unsupported { what: what.clone(), at: self.here() }.into())
            }
            Rare::DeadEnd => Err(Outcome::Blocked(None).into()),
        }
    }

    /// Stops at an invalid access, or goes on without it; ends an execution that has no memory left for what it writes.
    fn refuse(&mut self, access: Access, addr: u64, size: u64, next: u32) -> Result<Change, Stop> {
        if self.config.invalid == InvalidPolicy::Stop || self.is_allowed(access, addr, size) {
            return Err(self.bad_access(access, addr, size));
        }
        self.goto(next);
        Ok(Change::None)
    }

    /// Lets `set` write bytes at an address.
    fn set_bytes(
        &mut self,
        addr: Slot,
        size: u64,
        next: u32,
        set: impl FnOnce(&mut dyn crate::Inputs, &mut [u8]),
    ) -> Result<Change, Stop> {
        let addr = self.get(addr);
        let inputs = &mut *self.inputs;
        if self.memory.update(addr, size, |bytes| set(inputs, bytes)).is_none() {
            return self.refuse(Access::Write, addr, size, next);
        }
        self.goto(next);
        Ok(Change::Memory { addr, size })
    }

    fn copy(&mut self, dst: Slot, src: Slot, size: Slot, next: u32) -> Result<Change, Stop> {
        let (dst, src, size) = (self.get(dst), self.get(src), self.get(size));
        match self.memory.copy(dst, src, size) {
            Ok(()) => {
                self.goto(next);
                Ok(Change::Memory { addr: dst, size })
            }
            Err(access) => self.refuse(access, if access == Access::Read { src } else { dst }, size, next),
        }
    }

    /// The stream that a global variable of another file stands for: the address of an object with the same name.
    fn provide_stream(&mut self, source: HavocSource, name: &str, ty: Ty) -> Option<u64> {
        if !self.config.streams || source != HavocSource::Unmodelled || ty != Ty::Ptr {
            return None;
        }
        let name = ["stdin", "stdout", "stderr"].into_iter().find(|&stream| stream == name)?;
        Some(self.memory.push_static(1, name))
    }

    fn havoc_memory(&mut self, addr: Slot, size: Slot, source: HavocSource, next: u32) -> Result<Change, Stop> {
        let width = u64::from(self.program.model.pointer_bits() / 8);
        if self.get(size) == width
            && let Some(What::Object(object)) = self.memory.locate(self.get(addr)).map(|target| target.what)
            && let Some(stream) = self.provide_stream(source, &self.program.objects[object].name, Ty::Ptr)
        {
            return self.set_bytes(addr, width, next, |_, to| to.copy_from_slice(&stream.to_le_bytes()[..to.len()]));
        }
        let at = self.here();
        let request = Request { at, source, ty: Ty::Int(8), model: self.program.model };
        let change = self.set_bytes(addr, self.get(size), next, |inputs, bytes| inputs.fill(request, bytes))?;
        if O::ACTIVE {
            self.observer.input(at, source, None);
        }
        Ok(change)
    }

    fn alloc(&mut self, dst: Slot, size: u64, kind: AllocKind, next: u32) -> Result<Change, Stop> {
        let at = self.here();
        let Op::Alloc { zeroed, var, .. } = *self.op() else { unreachable!("compiled from an allocation") };
        let addr = match kind {
            AllocKind::Heap | AllocKind::Library | AllocKind::Caller => {
                self.memory.alloc_heap(size, at, kind).map_err(|_| Outcome::MemoryLimit(at))?
            }
            AllocKind::Stack => {
                let used = self.memory.stack_size().saturating_add(self.memory.large_arrays_size());
                if size > self.config.max_stack.saturating_sub(used) {
                    return Err(Outcome::StackOverflow(at).into());
                }
                self.memory.push_array(size, at).map_err(|_| Outcome::StackOverflow(at))?
            }
        };
        if kind == AllocKind::Heap {
            self.inputs.allocated(at);
        }
        if !zeroed {
            let inputs = &mut *self.inputs;
            let content = |bytes: &mut [u8]| match kind {
                AllocKind::Heap | AllocKind::Library | AllocKind::Caller => inputs.fresh_heap(at, bytes),
                AllocKind::Stack => inputs.fresh(bytes),
            };
            // Of a very large object only its beginning is chosen.
            self.memory.update(addr, size.min(MOST_CHOSEN), content);
        }
        self.set(dst, addr);
        self.goto(next);
        Ok(Change::Var(var))
    }

    fn free(&mut self, ptr: Slot, kind: AllocKind, next: u32) -> Result<Change, Stop> {
        let addr = self.get(ptr);
        let freed = addr == 0
            || match kind {
                // What is outside stays there.
                AllocKind::Heap | AllocKind::Caller => {
                    self.memory.free_heap(addr, kind).is_some() || self.memory.is_outside(addr, 1)
                }
                AllocKind::Stack => self.memory.free_stack(addr).is_some(),
                AllocKind::Library => {
                    self.memory.free_heap(addr, kind);
                    true
                }
            };
        if !freed {
            return self.refuse(Access::Free, addr, 1, next);
        }
        self.goto(next);
        Ok(Change::None)
    }
}
