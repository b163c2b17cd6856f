//! What an execution tells while it goes on.

use crate::EdgeRef;
use crate::machine::View;
use robusto_cfa::ir::{FuncId, HavocSource, VarId};

/// What a step has changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Change {
    /// Nothing.
    None,
    /// A variable.
    Var(VarId),
    /// Bytes in memory.
    Memory {
        /// Address of the first.
        addr: u64,
        /// Number.
        size: u64,
    },
}

/// Receives the events of an execution. All methods do nothing unless they are overridden.
pub trait Observer {
    /// Whether there is anything to tell; an execution with a constant `false` here pays nothing for observation.
    const ACTIVE: bool = true;

    /// An edge has been executed, with this effect. `view` shows the state after it; for a call, the callee's.
    fn step(&mut self, view: &View<'_>, at: EdgeRef, change: Change) {
        let _ = (view, at, change);
    }

    /// A function has been entered; its parameters have their values.
    fn call(&mut self, view: &View<'_>, function: FuncId) {
        let _ = (view, function);
    }

    /// A function has been left with this value.
    fn ret(&mut self, view: &View<'_>, function: FuncId, value: Option<u128>) {
        let _ = (view, function, value);
    }

    /// Bytes have been written to the output.
    fn output(&mut self, bytes: &[u8]) {
        let _ = bytes;
    }

    /// A nondeterministic value has been chosen; for memory, after the bytes have been set and without a value.
    fn input(&mut self, at: EdgeRef, source: HavocSource, value: Option<u128>) {
        let _ = (at, source, value);
    }
}

/// Observes nothing.
#[derive(Clone, Copy, Default, Debug)]
pub struct Silent;

impl Observer for Silent {
    const ACTIVE: bool = false;
}

impl<O: Observer + ?Sized> Observer for &mut O {
    const ACTIVE: bool = O::ACTIVE;

    fn step(&mut self, view: &View<'_>, at: EdgeRef, change: Change) {
        (**self).step(view, at, change);
    }

    fn call(&mut self, view: &View<'_>, function: FuncId) {
        (**self).call(view, function);
    }

    fn ret(&mut self, view: &View<'_>, function: FuncId, value: Option<u128>) {
        (**self).ret(view, function, value);
    }

    fn output(&mut self, bytes: &[u8]) {
        (**self).output(bytes);
    }

    fn input(&mut self, at: EdgeRef, source: HavocSource, value: Option<u128>) {
        (**self).input(at, source, value);
    }
}
