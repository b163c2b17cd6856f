//! Addresses of functions and named objects.

use robusto_cfa::ir::{FuncId, IdxVec, ObjId, ObjectKind, Program};
use robusto_interp::{Area, Layout};
use std::ops::Range;

/// Bytes without an object between two local objects.
const GAP: u64 = 16;

/// Where everything with a fixed address is. Statics and functions lie where the interpreter has them; all local objects
/// of the program together make up a frame, and the n-th activation of any function uses the n-th frame.
pub(super) struct Addresses {
    layout: Layout,
    /// Offset in the frame.
    locals: IdxVec<ObjId, u64>,
    frame: u64,
}

impl Addresses {
    pub fn new(program: &Program) -> Self {
        let mut end = GAP;
        let locals = program
            .objects
            .iter()
            .map(|object| {
                let start = end.next_multiple_of(u64::from(object.align).max(GAP));
                if matches!(object.kind, ObjectKind::Local(_)) {
                    end = start.saturating_add(object.size).saturating_add(GAP);
                }
                start
            })
            .collect();
        let align = program.objects.iter().map(|o| o.align).max().unwrap_or(1);
        Self { layout: Layout::new(program), locals, frame: end.next_multiple_of(u64::from(align).max(GAP)) }
    }

    pub fn function(&self, function: FuncId) -> u64 {
        self.layout.function(function)
    }

    /// The address of an object in an activation of its function; `None` if there is no room for so many.
    pub fn object(&self, object: ObjId, activation: u32) -> Option<u64> {
        self.layout.object(object).or_else(|| {
            let stack = self.layout.stack();
            let frames = self.frame.checked_mul(u64::from(activation) + 1).filter(|&f| f <= stack.end - stack.start)?;
            Some(stack.start + frames - self.frame + self.locals[object])
        })
    }

    /// Where local objects are.
    pub fn stack(&self) -> Range<u64> {
        self.layout.stack()
    }

    /// Where memory outside of the program's objects is.
    pub fn areas(&self) -> Vec<Area> {
        self.layout.areas()
    }

    /// Where heap objects are.
    pub fn heap(&self) -> Range<u64> {
        self.layout.heap()
    }
}
