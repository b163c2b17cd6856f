//! The order in which states are expanded.

use crate::arg::StateId;
use crate::composite::Rank;
use std::cmp::Reverse;
use std::collections::{BTreeSet, VecDeque};

/// Which state is chosen next.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Order {
    /// The oldest.
    BreadthFirst,
    /// The newest.
    DepthFirst,
    /// The first in reverse post-order; called functions before their callers go on.
    #[default]
    ReversePostOrder,
}

/// States that wait for expansion. Each is in it at most once.
#[derive(Debug)]
pub struct Waitlist {
    order: Order,
    queue: VecDeque<StateId>,
    ranked: BTreeSet<(Rank, Reverse<StateId>)>,
    waiting: Vec<bool>,
}

impl Waitlist {
    /// An empty waitlist.
    pub fn new(order: Order) -> Self {
        Self { order, queue: VecDeque::new(), ranked: BTreeSet::new(), waiting: Vec::new() }
    }

    /// Adds a state unless it waits already. `rank` is asked for where the order needs it.
    pub fn push(&mut self, state: StateId, rank: impl FnOnce() -> Rank) {
        if self.waiting.len() <= state.index() {
            self.waiting.resize(state.index() + 1, false);
        }
        if std::mem::replace(&mut self.waiting[state.index()], true) {
            return;
        }
        match self.order {
            Order::BreadthFirst | Order::DepthFirst => self.queue.push_back(state),
            Order::ReversePostOrder => {
                self.ranked.insert((rank(), Reverse(state)));
            }
        }
    }

    /// Takes the next state out.
    pub fn pop(&mut self) -> Option<StateId> {
        let state = match self.order {
            Order::BreadthFirst => self.queue.pop_front(),
            Order::DepthFirst => self.queue.pop_back(),
            Order::ReversePostOrder => self.ranked.pop_first().map(|(_, Reverse(state))| state),
        }?;
        self.waiting[state.index()] = false;
        Some(state)
    }

    /// Number of waiting states.
    pub fn len(&self) -> usize {
        self.queue.len() + self.ranked.len()
    }

    /// Whether no state waits.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
