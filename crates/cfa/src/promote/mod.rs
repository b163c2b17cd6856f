//! Memory objects to plain variables, and the renumbering that drops what is not used.
//!
//! An object becomes variables, one per scalar that the program reads or writes in it (a *slot*), if its address is used
//! for nothing but reading and writing at constant offsets, and if slots do not overlap. This splits structs into
//! fields. Copies between structs become assignments per slot. It is the scalar replacement of aggregates that
//! compilers do; all that differs is that it works on whole programs, globals included.
//!
//! Sound because a slot's bytes are reached by no other expression: every use of the object's address was seen, each is
//! a read, write, copy, fill or havoc of constant range, and each range holds a slot whole or not at all.

mod rewrite;
mod slots;

use crate::ir::{ObjId, Program, Ty};

/// A scalar inside an object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Slot {
    /// Offset in bytes.
    pub offset: u64,
    /// Type of the value.
    pub ty: Ty,
}

/// What is known of objects from their C types.
pub trait Shapes {
    /// How to name a slot after the object (`.x`, `[2]`, nothing), and whether its values are signed.
    fn describe(&self, obj: ObjId, slot: Slot) -> (String, bool);

    /// All scalars of the object; `None` if they overlap or are too many.
    fn leaves(&self, obj: ObjId) -> Option<Vec<Slot>>;
}

/// Promotes what can be promoted and renumbers everything that is used.
pub fn promote(program: Program, shapes: &dyn Shapes) -> Program {
    let slots = slots::Slots::find(&program, shapes);
    rewrite::rewrite(program, &slots, shapes)
}
