//! Visits of loop heads inside of one block.
//!
//! A block that holds loops comes to a location several times. Each visit has states of its own, which makes the states of a
//! block a graph without cycles: every state is merged from all its predecessors before it is expanded, once, and its length
//! is that of its longest path. Merged over visits, a state would be expanded again for each, with all earlier visits in
//! its formula (`test_locks_5` with k = 50 was stopped after 8 s; now it takes 0.1 s).
//!
//! What counts are the loops around the location and around the pending calls. Behind a loop, the paths of all its visits
//! are merged.
//!
//! Soundness: no execution comes to a location with the same visits twice in one block, so that merged paths exclude each
//! other. For a cycle contains the head of a loop that all its locations are in ([`LoopForest`]), and passing it makes
//! another visit.

use robusto_cfa::analysis::loops::LoopForest;
use robusto_cfa::ir::LocId;
use rustc_hash::FxHashMap;

/// Visits made since the start of a block; equal ones have equal numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct VisitsId(u32);

impl VisitsId {
    /// None.
    pub const NONE: VisitsId = VisitsId(0);

    /// Its position.
    pub fn index(self) -> u32 {
        self.0
    }
}

/// An element of a list, the innermost first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Element {
    /// The number of visits of a head.
    Head(LocId, u32),
    /// A call; what is below belongs to the caller.
    Call,
}

/// All visits met so far.
#[derive(Debug, Default)]
pub struct Visits {
    lists: Vec<(Element, VisitsId)>,
    ids: FxHashMap<(Element, VisitsId), VisitsId>,
}

impl Visits {
    fn push(&mut self, element: Element, below: VisitsId) -> VisitsId {
        let next = VisitsId(self.lists.len() as u32 + 1);
        let id = *self.ids.entry((element, below)).or_insert(next);
        if id == next {
            self.lists.push((element, below));
        }
        id
    }

    fn top(&self, visits: VisitsId) -> Option<(Element, VisitsId)> {
        visits.0.checked_sub(1).map(|i| self.lists[i as usize])
    }

    /// After a step to a location of the same function.
    pub fn step(&mut self, mut visits: VisitsId, loops: &LoopForest, to: LocId) -> VisitsId {
        while let Some((Element::Head(head, count), below)) = self.top(visits) {
            if head == to {
                return self.push(Element::Head(head, count + 1), below);
            }
            if loops.headed_by(head).is_some_and(|id| loops.contains(id, to)) {
                break;
            }
            visits = below;
        }
        if loops.is_head(to) { self.push(Element::Head(to, 1), visits) } else { visits }
    }

    /// After a call of a function, at its entry.
    pub fn enter(&mut self, visits: VisitsId, loops: &LoopForest, entry: LocId) -> VisitsId {
        let visits = self.push(Element::Call, visits);
        self.step(visits, loops, entry)
    }

    /// After the return to a location of the caller.
    pub fn leave(&mut self, visits: VisitsId, loops: &LoopForest, to: LocId) -> VisitsId {
        let below = self.below(visits);
        self.step(below, loops, to)
    }

    /// Those of the caller.
    fn below(&self, mut visits: VisitsId) -> VisitsId {
        while let Some((element, below)) = self.top(visits) {
            visits = below;
            if element == Element::Call {
                break;
            }
        }
        visits
    }

    /// The number of visits of a head by the pending call number `frame` from the top, where 0 is the current function.
    pub fn of(&self, mut visits: VisitsId, frame: usize, head: LocId) -> u32 {
        for _ in 0..frame {
            visits = self.below(visits);
        }
        while let Some((Element::Head(here, count), below)) = self.top(visits) {
            if here == head {
                return count;
            }
            visits = below;
        }
        0
    }
}
