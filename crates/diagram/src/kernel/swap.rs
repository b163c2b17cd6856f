//! The exchange of two adjacent levels in place, the step that every reordering is made of.
//!
//! After R. Rudell, "Dynamic variable ordering for ordered binary decision diagrams" (ICCAD 1993). Let `x` be above `y`. A
//! node of `x` with a branch that tests `y` is `x ? (y ? f11 : f10) : (y ? f01 : f00)`; it is overwritten by
//! `y ? (x ? f11 : f01) : (x ? f10 : f00)`, which is the same function at the same place. So every edge, and every
//! handle of the user, keeps its meaning. All other nodes stay as they are.
//!
//! The store has no reference counts, so a [`Session`] of exchanges begins with a garbage collection and counts them.
//! While it lasts, the field `level` of a node holds the level of its variable at the beginning, its *name*: an exchange then
//! changes only the nodes that it must.
//!
//! Soundness: canonicity needs that no two nodes are equal. The new nodes of `x` are looked up before they are made; an
//! overwritten node tests `y` and `x`, so it differs from the nodes of `y` that were there before, none of which tests `x`,
//! and from every other overwritten node, since their functions differ.

use super::{END, Edge, FREE, Kernel, Level, Node, TERMINAL};
use crate::Full;

/// A series of exchanges.
pub(super) struct Session<'k> {
    kernel: &'k mut Kernel,
    /// How many nodes and roots refer to each place.
    references: Vec<u32>,
    /// The name of the variable at each level.
    names: Vec<Level>,
    interaction: Interaction,
    /// The nodes to overwrite in one exchange.
    dependent: Vec<u32>,
    swaps: u64,
}

impl<'k> Session<'k> {
    /// Begins a session. The `roots` reach all nodes there are.
    pub fn new(kernel: &'k mut Kernel, roots: &[usize]) -> Self {
        let mut references = vec![0; kernel.nodes.len()];
        for node in kernel.nodes.iter().filter(|node| node.level < FREE) {
            references[node.high.index()] += 1;
            references[node.low.index()] += 1;
        }
        let interaction = Interaction::new(kernel, roots.iter().copied().filter(|&root| references[root] == 0));
        for &root in roots {
            references[root] += 1;
        }
        let names = (0..kernel.order.len() as Level).collect();
        Self { kernel, references, names, interaction, dependent: Vec::new(), swaps: 0 }
    }

    /// How many nodes there are.
    pub fn size(&self) -> usize {
        self.kernel.used
    }

    /// How many nodes a level has.
    pub fn size_at(&self, level: usize) -> usize {
        self.kernel.tables[level].len()
    }

    pub fn swaps(&self) -> u64 {
        self.swaps
    }

    pub fn kernel(&self) -> &Kernel {
        self.kernel
    }

    /// Whether some function depends on the variables at both levels, or may do so.
    pub fn interact(&self, a: usize, b: usize) -> bool {
        self.interaction.get(self.names[a], self.names[b])
    }

    /// Exchanges the variables at `level` and below it. `Full` if there might not be enough room for this exchange or
    /// for going back; then nothing has changed.
    pub fn swap(&mut self, level: usize) -> Result<(), Full> {
        if self.interact(level, level + 1) {
            self.reserve(level)?;
        }
        self.swap_again(level);
        Ok(())
    }

    /// Exchanges the variables at `level` and below it, between two orders that the session has seen one after the other.
    pub fn swap_again(&mut self, level: usize) {
        let (x, y) = (self.names[level], self.names[level + 1]);
        self.swaps += 1;
        self.names.swap(level, level + 1);
        self.kernel.order.swap(level as Level);
        self.kernel.tables.swap(level, level + 1);
        if !self.interaction.get(x, y) {
            return;
        }
        let mut dependent = std::mem::take(&mut self.dependent);
        let tests_y =
            |nodes: &[Node], node: &Node| nodes[node.high.index()].level == y || nodes[node.low.index()].level == y;
        self.kernel.tables[level + 1].take(&mut self.kernel.nodes, tests_y, &mut dependent);
        self.kernel.tables[level].reserve(&mut self.kernel.nodes, dependent.len());
        self.kernel.tables[level + 1].reserve(&mut self.kernel.nodes, dependent.len());
        for place in dependent.drain(..) {
            let node = self.kernel.nodes[place as usize];
            let (f11, f10) = self.split(node.high, y);
            let (f01, f00) = self.split(node.low, y);
            let high = self.make(level + 1, x, f11, f01);
            let low = self.make(level + 1, x, f10, f00);
            // `high` is regular: it begins with the branches for true of regular edges.
            self.kernel.nodes[place as usize] = Node { level: y, high, low, next: END };
            self.kernel.tables[level].insert(&mut self.kernel.nodes, place);
            self.release(level, node.high);
            self.release(level, node.low);
        }
        self.dependent = dependent;
        self.kernel.tables[level].shrink(&mut self.kernel.nodes);
        self.kernel.tables[level + 1].shrink(&mut self.kernel.nodes);
        self.kernel.peak = self.kernel.peak.max(self.kernel.used);
    }

    /// Makes sure that an exchange finds room for what it may build, before it frees anything, and so does its reversal.
    fn reserve(&mut self, level: usize) -> Result<(), Full> {
        let (upper, lower) = (self.size_at(level), self.size_at(level + 1));
        let room = 4 * upper + 2 * lower;
        if self.kernel.used + room > self.kernel.limit {
            return Err(Full);
        }
        let more = room.saturating_sub(self.kernel.nodes.len() - 1 - self.kernel.used);
        self.kernel.nodes.try_reserve(more).map_err(|_| Full)?;
        self.references.try_reserve(more).map_err(|_| Full)
    }

    #[inline]
    fn split(&self, f: Edge, name: Level) -> (Edge, Edge) {
        Kernel::split(f, &self.kernel.nodes[f.index()], name)
    }

    /// The function "if the variable then `high` else `low`", with one more reference.
    fn make(&mut self, level: usize, name: Level, high: Edge, low: Edge) -> Edge {
        if high == low {
            self.references[high.index()] += 1;
            return high;
        }
        let mark = high.mark();
        let (high, low) = (high.xor_mark(mark), low.xor_mark(mark));
        let place = match self.kernel.tables[level].find(&self.kernel.nodes, high, low) {
            Some(place) => place,
            None => {
                let node = Node { level: name, high, low, next: END };
                let place = self.kernel.allocate(node).expect("room has been reserved");
                self.kernel.tables[level].insert(&mut self.kernel.nodes, place);
                self.references[high.index()] += 1;
                self.references[low.index()] += 1;
                if self.references.len() <= place as usize {
                    self.references.push(0);
                }
                place
            }
        };
        self.references[place as usize] += 1;
        Edge(place << 1).xor_mark(mark)
    }

    /// Takes a reference away from a branch of an overwritten node. If it was the last one, the branch is a node of `y`, now
    /// at `level`, whose own branches live on in the new nodes.
    fn release(&mut self, level: usize, f: Edge) {
        let place = f.index();
        self.references[place] -= 1;
        if self.references[place] == 0 && place != Edge::TRUE.index() {
            self.kernel.tables[level].remove(&mut self.kernel.nodes, place as u32);
            let Node { high, low, .. } = self.kernel.nodes[place];
            self.references[high.index()] -= 1;
            self.references[low.index()] -= 1;
            debug_assert!(self.references[high.index()] > 0 && self.references[low.index()] > 0);
            let next = std::mem::replace(&mut self.kernel.free, place as u32);
            self.kernel.nodes[place] = Node { level: FREE, high: Edge::TRUE, low: Edge::TRUE, next };
            self.kernel.used -= 1;
        }
    }
}

impl Drop for Session<'_> {
    /// Ends the session: nodes say their level again, and results about places that have changed hands are forgotten.
    fn drop(&mut self) {
        let mut levels = vec![0; self.names.len()];
        for (level, &name) in self.names.iter().enumerate() {
            levels[name as usize] = level as Level;
        }
        for node in self.kernel.nodes.iter_mut().filter(|node| node.level < FREE) {
            node.level = levels[node.level as usize];
        }
        self.kernel.cache.clear();
    }
}

/// Which variables occur together in a function: the exchange of two that do not changes no node.
struct Interaction {
    /// A row of bits for each name; empty if it would take too long to find out.
    rows: Vec<u64>,
    width: usize,
}

/// How often a node may be visited on average until all variables are taken to interact.
const VISITS: usize = 16;

impl Interaction {
    /// From the functions that no other contains.
    fn new(kernel: &mut Kernel, roots: impl Iterator<Item = usize>) -> Self {
        let variables = kernel.order.len();
        let width = variables.div_ceil(64);
        let mut rows = vec![0u64; variables * width];
        let mut budget = VISITS * (kernel.used + variables);
        let mut support = vec![0u64; width];
        for root in roots {
            support.fill(0);
            let mut count = 0;
            let finished = kernel.visit(Edge((root as u32) << 1), |level| {
                if level < TERMINAL {
                    let (word, bit) = (&mut support[level as usize / 64], 1 << (level % 64));
                    count += usize::from(*word & bit == 0);
                    *word |= bit;
                }
                budget = budget.saturating_sub(1);
                budget > 0
            });
            budget = budget.saturating_sub(count * width);
            if !finished || budget == 0 {
                return Self { rows: Vec::new(), width };
            }
            for (name, row) in rows.chunks_mut(width).enumerate() {
                if support[name / 64] >> (name % 64) & 1 == 1 {
                    row.iter_mut().zip(&support).for_each(|(row, support)| *row |= support);
                }
            }
        }
        Self { rows, width }
    }

    fn get(&self, a: Level, b: Level) -> bool {
        let word = self.rows.get(a as usize * self.width + b as usize / 64);
        word.is_none_or(|word| word >> (b % 64) & 1 == 1)
    }
}
