//! Declarations that a jump passes.
//!
//! A variable begins with each entry of its block, however that is entered, and is indeterminate then (C11 6.2.4 paragraph 6).
//! Where the block is entered from above, its declaration says so when it is reached. A jump into the block, by `goto` or to a
//! `case`, passes the declarations before its target: such variables would keep what they held when the block was left last. So
//! the jump itself makes them indeterminate, with an initialiser or without. A jump within the block passes nothing, as its
//! variables live on.

use super::Lower;
use super::function::Entrance;
use super::scope::{LevelId, ScopeVariables};
use crate::ir::{HavocSource, Idx, LocId, ObjId, Op};

impl Lower<'_, '_> {
    /// The variable holds no value.
    pub(super) fn make_indeterminate(&mut self, object: ObjId) {
        let size = self.types.size(self.objects[object.index()].ty).unwrap_or(0);
        if size > 0 {
            let addr = self.obj_addr(object);
            let size = self.program.exprs.size(size);
            self.emit(Op::HavocMem { addr, size, source: HavocSource::Uninit });
        }
    }

    /// The variables that the `switch` around this place passes on its way here.
    pub(super) fn passed_by_switch(&self) -> Vec<ObjId> {
        let depth = self.fun.switches.last().map_or(0, |switch| switch.depth);
        self.scopes.variables_beyond(depth).into_iter().flat_map(|(_, variables)| variables).collect()
    }

    /// Where a `switch` jumps to come to a place of its body.
    pub(super) fn entrance(&mut self, entrance: &Entrance) -> LocId {
        if entrance.passed.is_empty() {
            return entrance.loc;
        }
        let (at, first) = (self.fun.at, self.location());
        self.fun.at = first;
        self.enter(&entrance.passed, entrance.loc);
        self.fun.at = at;
        first
    }

    /// Comes to a place behind the declarations of these variables.
    pub(super) fn enter(&mut self, passed: &[ObjId], target: LocId) {
        passed.iter().for_each(|&object| self.make_indeterminate(object));
        self.jump(target);
    }
}

/// The variables that a jump passes on its way into scopes.
pub(super) fn passed(around_target: &[ScopeVariables], around_jump: &[LevelId]) -> Vec<ObjId> {
    let entered = around_target.iter().filter(|(scope, _)| !around_jump.contains(scope));
    entered.flat_map(|(_, variables)| variables.iter().copied()).collect()
}
