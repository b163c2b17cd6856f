//! How the predicate analysis is explored: block by block.
//!
//! States of one location are compared only where [`Abe`] could merge them or cover one by the other: abstraction states among
//! themselves, other states within their block and visit. Successors of a state that has grown replace those of before,
//! which they include; else φ would hold a disjunction of a formula with its own parts.

use super::{Abe, AbstractionKind, Role, State};
use robusto_cfa::ir::LocId;
use robusto_cpa::{Analysis as _, Partition, Strategy};
use robusto_limits::Stopped;

/// Block by block.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Blockwise;

impl Strategy<Abe<'_>> for Blockwise {
    fn partition(&self, abe: &Abe<'_>, state: &State) -> Partition {
        let visits = state.visits.index();
        match state.role {
            Role::Start => (0, 0),
            Role::End if abe.visits.is_none() => (2 * state.block.0 + 2, visits),
            Role::Inside | Role::End => (2 * state.block.0 + 1, visits),
        }
    }

    fn replaces(&self) -> bool {
        true
    }

    fn cover(&self, abe: &mut Abe<'_>, state: &State, by: &State) -> Result<bool, Stopped> {
        Ok(abe.stop(state, by)? || (abe.kind() == AbstractionKind::Impact && abe.force(state, by)?))
    }

    fn turn(&self, abe: &Abe<'_>, state: &State) -> u32 {
        // Blocks that end anywhere come to a location again and again, each time with what other conditions they ended
        // under. Those behind fewer blocks know less, and cover the others (`test_locks_5` with k = 300: 289 abstractions
        // instead of 343).
        let waits = abe.operator.hold_loops() && state.role != Role::Inside;
        // A step through a large block comes to all its ends at once. The head of a loop would go before the errors inside of it, until
        // the loop adds nothing more (`s3_srvr_4`: error paths of 50 blocks instead of 10, twice the time).
        if abe.large.is_some() {
            return u32::from(!state.error);
        }
        if waits { 1 + abe.block(state.block).depth } else { 0 }
    }

    fn visit(&self, abe: &Abe<'_>, state: &State, frame: usize, head: LocId) -> Option<u32> {
        abe.visits.as_ref().map(|visits| visits.of(state.visits, frame, head))
    }
}
