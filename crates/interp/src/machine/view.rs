//! A look at the state of a machine.

use super::fast::get_wide;
use crate::code::Code;
use crate::memory::Memory;
use robusto_cfa::ir::{FuncId, ObjId, Program, VarId};

/// The state of a machine, to read only.
#[derive(Clone, Copy, Debug)]
pub struct View<'m> {
    /// The program.
    pub program: &'m Program,
    /// Its memory.
    pub memory: &'m Memory,
    /// The function that is executing.
    pub function: FuncId,
    /// Number of its callers.
    pub depth: usize,
    /// Number of edges executed.
    pub steps: u64,
    pub(super) code: &'m Code,
    pub(super) slots: &'m [u64],
    pub(super) base: usize,
}

impl View<'_> {
    /// The value of a global variable, or of one of the executing function.
    pub fn var(&self, var: VarId) -> Option<u128> {
        let info = &self.program.vars[var];
        if info.kind.owner().is_some_and(|owner| owner != self.function) {
            return None;
        }
        let at = self.code.vars[var].at(self.base);
        Some(if info.ty.is_wide() { get_wide(self.slots, at) } else { self.slots[at].into() })
    }

    /// The address of a global or constant object, or of one of the executing function.
    pub fn address(&self, object: ObjId) -> Option<u64> {
        self.code.layout.object(object).or_else(|| {
            let own = self.code.functions[self.function].objects.iter().find(|own| own.id == object)?;
            Some(self.slots[own.slot.at(self.base)])
        })
    }

    /// The function at an address.
    pub fn function_at(&self, addr: u64) -> Option<FuncId> {
        self.code.layout.function_at(addr)
    }
}
