//! Questions about functions that build no nodes.

use oxidd::{BooleanFunction, Function};
use oxidd_core::util::{EdgeDropGuard, Ref};
use oxidd_core::{Manager, Node};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::diagrams::Raw;
use crate::edges::{Key, Nodes, key};
use crate::{Bdd, Diagrams, VarIndex};

impl Diagrams {
    /// Whether `f ⊑ g`: every assignment of `f` is one of `g`.
    pub fn leq(&self, f: &Bdd, g: &Bdd) -> bool {
        if self.is_false(f) || self.is_true(g) || f == g {
            return true;
        }
        if self.is_true(f) || self.is_false(g) {
            return false;
        }
        self.meter.measure(|| {
            f.0.with_manager_shared(|manager, f| {
                let bottom = EdgeDropGuard::new(manager, Raw::f_edge(manager));
                let top = EdgeDropGuard::new(manager, Raw::t_edge(manager));
                let mut inclusion =
                    Inclusion { manager, bottom: bottom.borrowed(), top: top.borrowed(), proven: FxHashSet::default() };
                inclusion.holds(f, g.0.as_edge(manager))
            })
        })
    }

    /// Some satisfying partial assignment, indexed by variable: where it says `None`, both values satisfy `f`.
    pub fn pick(&self, f: &Bdd) -> Option<Vec<Option<bool>>> {
        if self.is_false(f) {
            return None;
        }
        let mut assignment = vec![None; self.variables() as usize];
        f.0.with_manager_shared(|manager, f| {
            let mut f = f;
            let bottom = EdgeDropGuard::new(manager, Raw::f_edge(manager));
            while !manager.is_terminal(f) {
                let level = manager.root_level(f);
                let (high, low) = manager.branches(f, level);
                let value = low == bottom.borrowed();
                assignment[manager.level_to_var(level) as usize] = Some(value);
                f = if value { high } else { low };
            }
        });
        Some(assignment)
    }

    /// How many assignments to `vars` satisfy `f`, whose support lies in `vars`.
    pub fn count(&self, f: &Bdd, vars: &[VarIndex]) -> f64 {
        f.0.with_manager_shared(|manager, f| {
            let levels = manager.num_levels() as usize;
            // below[l] = how many of `vars` are at level l or below it
            let mut below = vec![0i32; levels + 1];
            for var in vars {
                below[manager.var_to_level(var.0) as usize] = 1;
            }
            for level in (0..levels).rev() {
                below[level] += below[level + 1];
            }
            let top = EdgeDropGuard::new(manager, Raw::t_edge(manager));
            let mut counter = Counter { manager, top: top.borrowed(), below: &below, counts: FxHashMap::default() };
            let (count, level) = counter.count(f);
            scale(count, below[0] - below[level])
        })
    }

    /// How many inner nodes `f` has.
    pub fn node_count(&self, f: &Bdd) -> usize {
        self.node_count_up_to(f, usize::MAX).unwrap_or(usize::MAX)
    }

    /// How many inner nodes `f` has, or `None` if more than `limit`; looks at no more than `limit` nodes.
    pub fn node_count_up_to(&self, f: &Bdd, limit: usize) -> Option<usize> {
        if self.is_constant(f) {
            return Some(0);
        }
        let mut count = 0;
        self.visit(f, |_| {
            count += 1;
            count <= limit
        })
        .then_some(count)
    }

    /// The variables that `f` depends on, ascending.
    pub fn support(&self, f: &Bdd) -> Vec<VarIndex> {
        let mut seen = vec![false; self.variables() as usize];
        self.visit(f, |var| {
            seen[var.0 as usize] = true;
            true
        });
        (0..).map(VarIndex).zip(seen).filter_map(|(var, seen)| seen.then_some(var)).collect()
    }

    /// The topmost variable of `f`; `None` for a constant.
    pub fn root(&self, f: &Bdd) -> Option<VarIndex> {
        f.0.with_manager_shared(|manager, f| {
            (!manager.is_terminal(f)).then(|| VarIndex(manager.level_to_var(manager.root_level(f))))
        })
    }

    /// The value of `f` under a total assignment, indexed by variable.
    pub fn evaluate(&self, f: &Bdd, assignment: &[bool]) -> bool {
        f.0.with_manager_shared(|manager, f| {
            let mut f = f;
            while !manager.is_terminal(f) {
                let level = manager.root_level(f);
                let (high, low) = manager.branches(f, level);
                f = if assignment[manager.level_to_var(level) as usize] { high } else { low };
            }
            let top = EdgeDropGuard::new(manager, Raw::t_edge(manager));
            f == top.borrowed()
        })
    }

    /// Calls `node` with the variable of each inner node until it returns false; returns whether it never did.
    fn visit(&self, f: &Bdd, mut node: impl FnMut(VarIndex) -> bool) -> bool {
        f.0.with_manager_shared(|manager, f| {
            let mut seen = FxHashSet::default();
            let mut stack = vec![f];
            while let Some(f) = stack.pop() {
                if let Node::Inner(_) = manager.get_node(f)
                    && seen.insert(f.node_id())
                {
                    let level = manager.root_level(f);
                    if !node(VarIndex(manager.level_to_var(level))) {
                        return false;
                    }
                    let (high, low) = manager.branches(f, level);
                    stack.push(high);
                    stack.push(low);
                }
            }
            true
        })
    }
}

/// The search for an assignment of the left function that is none of the right one.
struct Inclusion<'a, M: Manager> {
    manager: &'a M,
    bottom: Ref<'a, M::Edge>,
    top: Ref<'a, M::Edge>,
    /// Pairs known to be included. A pair that is not ends the search, so it need not be remembered.
    proven: FxHashSet<(Key, Key)>,
}

impl<M: Nodes> Inclusion<'_, M> {
    fn holds(&mut self, f: Ref<'_, M::Edge>, g: Ref<'_, M::Edge>) -> bool {
        if f == self.bottom || g == self.top || f == g {
            return true;
        }
        if f == self.top || g == self.bottom {
            return false;
        }
        // f ⊑ ¬f only for the empty f, which is dealt with.
        if f.node_id() == g.node_id() && f.tag() != g.tag() {
            return false;
        }
        let pair = (key(f), key(g));
        if self.proven.contains(&pair) {
            return true;
        }
        let manager = self.manager;
        let level = manager.root_level(f).min(manager.root_level(g));
        let (f1, f0) = manager.branches(f, level);
        let (g1, g0) = manager.branches(g, level);
        let holds = self.holds(f1, g1) && self.holds(f0, g0);
        if holds {
            self.proven.insert(pair);
        }
        holds
    }
}

/// `count · 2^exponent`, also where the power is infinite and the count zero.
fn scale(count: f64, exponent: i32) -> f64 {
    if count == 0.0 { 0.0 } else { count * 2f64.powi(exponent) }
}

/// Counts satisfying assignments bottom-up.
struct Counter<'a, M: Manager> {
    manager: &'a M,
    top: Ref<'a, M::Edge>,
    below: &'a [i32],
    counts: FxHashMap<Key, f64>,
}

impl<M: Nodes> Counter<'_, M> {
    /// The number of assignments to the variables at the level of the root of `f` or below it, and this level.
    fn count(&mut self, f: Ref<'_, M::Edge>) -> (f64, usize) {
        let manager = self.manager;
        if manager.is_terminal(f) {
            return (if f == self.top { 1.0 } else { 0.0 }, self.below.len() - 1);
        }
        let level = manager.root_level(f);
        if let Some(&count) = self.counts.get(&key(f)) {
            return (count, level as usize);
        }
        let (high, low) = manager.branches(f, level);
        let mut sum = 0.0;
        for branch in [high, low] {
            let (count, at) = self.count(branch);
            sum += scale(count, self.below[level as usize + 1] - self.below[at]);
        }
        self.counts.insert(key(f), sum);
        (sum, level as usize)
    }
}
