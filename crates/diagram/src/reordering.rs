//! Changes of the order of the variables.

use std::time::Instant;

use crate::kernel::Kernel;
use crate::{Diagrams, Full, VarIndex};

/// When the order of variables is improved by sifting, and how hard it is tried.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reordering {
    /// The first reordering happens when this many nodes are alive.
    pub first: usize,
    /// The next one when the live nodes are this many times what the last one left.
    pub factor: f64,
    /// A group moves on in one direction as long as the nodes are at most this many times the fewest seen on its way.
    pub growth: f64,
    /// No group is moved any more after this many exchanges of levels in one reordering.
    pub swaps: u64,
}

impl Default for Reordering {
    /// As in CUDD 3.0, so that figures can be compared.
    fn default() -> Self {
        Self { first: 4000, factor: 2.0, growth: 1.2, swaps: 2_000_000 }
    }
}

impl Diagrams {
    /// Switches reordering between operations on or, by `None`, off, which it is at first.
    pub fn set_reordering(&self, reordering: Option<Reordering>) {
        self.reordering.set(reordering);
        self.ask(|kernel| kernel.reorder_at(reordering.map_or(usize::MAX, |options| options.first)));
    }

    /// Makes variables a group: from the next reordering on they stay together, in the order in which they are then. A
    /// variable is in one group at a time, the last it was put in.
    pub fn group(&self, vars: &[VarIndex]) {
        self.ask(|kernel| kernel.group(vars));
    }

    /// Improves the order of the variables now. All functions stay what they are.
    pub fn sift(&self, options: &Reordering) {
        self.ask(|kernel| {
            self.collect(kernel);
            self.sift_collected(kernel, options);
        });
    }

    /// Improves the order if it is time to; after a collection.
    pub(crate) fn sift_if_due(&self, kernel: &mut Kernel) {
        if let Some(options) = self.reordering.get().filter(|_| kernel.wants_reordering()) {
            self.sift_collected(kernel, &options);
            let next = (kernel.used() as f64 * options.factor) as usize;
            kernel.reorder_at(next.max(options.first));
        }
    }

    fn sift_collected(&self, kernel: &mut Kernel, options: &Reordering) {
        let start = Instant::now();
        let swaps = kernel.sift(&self.roots(), options);
        self.meter.reordered(swaps, start.elapsed());
    }

    /// Brings the variables into an order, from the top; groups are not respected. All functions stay what they are.
    /// `Full` if there is no room on the way; then the order is somewhere between the two.
    pub fn set_order(&self, order: &[VarIndex]) -> Result<(), Full> {
        let mut sorted: Vec<_> = order.iter().map(|var| var.index()).collect();
        sorted.sort_unstable();
        assert!(sorted.into_iter().eq(0..self.variables() as usize), "an order names each variable once");
        self.ask(|kernel| {
            let start = Instant::now();
            self.collect(kernel);
            let (swaps, result) = kernel.reorder(&self.roots(), order);
            self.meter.reordered(swaps, start.elapsed());
            result
        })
    }
}
