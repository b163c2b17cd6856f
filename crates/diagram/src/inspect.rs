//! Questions about functions that build no nodes.

use rustc_hash::FxHashMap;

use crate::kernel::{Edge, Kernel};
use crate::{Bdd, Diagrams, VarIndex};

impl Diagrams {
    /// Whether `f ⊑ g`: every assignment of `f` is one of `g`.
    #[inline]
    pub fn leq(&self, f: &Bdd, g: &Bdd) -> bool {
        self.ask_measured(|kernel| kernel.disjoint(f.edge(), !g.edge()))
    }

    /// Whether `f ∧ g` is empty.
    #[inline]
    pub fn disjoint(&self, f: &Bdd, g: &Bdd) -> bool {
        self.ask_measured(|kernel| kernel.disjoint(f.edge(), g.edge()))
    }

    /// Some satisfying partial assignment, indexed by variable: where it says `None`, both values satisfy `f`.
    pub fn pick(&self, f: &Bdd) -> Option<Vec<Option<bool>>> {
        if self.is_false(f) {
            return None;
        }
        let mut assignment = vec![None; self.variables() as usize];
        self.ask(|kernel| {
            let mut f = f.edge();
            while !f.is_constant() {
                let (high, low) = kernel.branches(f);
                let value = low == Edge::FALSE;
                assignment[kernel.variable(f).index()] = Some(value);
                f = if value { high } else { low };
            }
        });
        Some(assignment)
    }

    /// How many assignments to `vars` satisfy `f`, whose support lies in `vars`.
    pub fn count(&self, f: &Bdd, vars: &[VarIndex]) -> f64 {
        let levels = self.variables() as usize;
        // below[l] = how many of `vars` are at level l or below it
        let mut below = vec![0i32; levels + 1];
        for var in vars {
            below[self.level(*var)] = 1;
        }
        for level in (0..levels).rev() {
            below[level] += below[level + 1];
        }
        self.ask(|kernel| {
            let mut counter = Counter { kernel, below: &below, counts: FxHashMap::default() };
            let (count, level) = counter.count(f.edge());
            scale(count, below[0] - below[level])
        })
    }

    /// How many inner nodes `f` has.
    pub fn node_count(&self, f: &Bdd) -> usize {
        self.node_count_up_to(f, usize::MAX).unwrap_or(usize::MAX)
    }

    /// How many inner nodes `f` has, or `None` if more than `limit`; looks at no more than `limit` nodes.
    pub fn node_count_up_to(&self, f: &Bdd, limit: usize) -> Option<usize> {
        let mut count = 0;
        let within = self.ask(|kernel| {
            kernel.visit(f.edge(), |_| {
                count += 1;
                count <= limit
            })
        });
        within.then_some(count)
    }

    /// The variables that `f` depends on, ascending.
    pub fn support(&self, f: &Bdd) -> Vec<VarIndex> {
        let mut seen = vec![false; self.variables() as usize];
        self.ask(|kernel| {
            kernel.visit(f.edge(), |level| {
                seen[level as usize] = true;
                true
            });
            let levels = kernel.order().variables().iter().zip(seen);
            let mut support: Vec<_> = levels.filter_map(|(&var, seen)| seen.then_some(var)).collect();
            support.sort_unstable();
            support
        })
    }

    /// The topmost variable of `f`; `None` for a constant.
    pub fn root(&self, f: &Bdd) -> Option<VarIndex> {
        (!self.is_constant(f)).then(|| self.ask(|kernel| kernel.variable(f.edge())))
    }

    /// The topmost variable of `f` and what `f` is where it is true and where it is false; `None` for a constant.
    pub fn branches(&self, f: &Bdd) -> Option<(VarIndex, Bdd, Bdd)> {
        if self.is_constant(f) {
            return None;
        }
        let (var, (high, low)) = self.ask(|kernel| (kernel.variable(f.edge()), kernel.branches(f.edge())));
        Some((var, self.handle(high), self.handle(low)))
    }

    /// Rebuilds `f` as something else, from the constants upwards: `branch` is told a variable and what the branches for
    /// true and false became. Called once per function that occurs as a branch.
    pub fn fold<T: Clone>(&self, f: &Bdd, yes: T, no: T, mut branch: impl FnMut(VarIndex, T, T) -> T) -> T {
        let mut done: FxHashMap<Edge, T> = FxHashMap::default();
        done.insert(Edge::TRUE, yes);
        done.insert(Edge::FALSE, no);
        let mut stack = vec![f.edge()];
        self.ask(|kernel| {
            while let Some(&at) = stack.last() {
                if done.contains_key(&at) {
                    stack.pop();
                    continue;
                }
                let (high, low) = kernel.branches(at);
                match (done.get(&high), done.get(&low)) {
                    (Some(high), Some(low)) => {
                        let value = branch(kernel.variable(at), high.clone(), low.clone());
                        done.insert(at, value);
                        stack.pop();
                    }
                    (high_done, low_done) => {
                        if low_done.is_none() {
                            stack.push(low);
                        }
                        if high_done.is_none() {
                            stack.push(high);
                        }
                    }
                }
            }
        });
        done.remove(&f.edge()).expect("the root is done last")
    }

    /// The value of `f` under a total assignment, indexed by variable.
    pub fn evaluate(&self, f: &Bdd, assignment: &[bool]) -> bool {
        self.ask(|kernel| {
            let mut f = f.edge();
            while !f.is_constant() {
                let (high, low) = kernel.branches(f);
                f = if assignment[kernel.variable(f).index()] { high } else { low };
            }
            f == Edge::TRUE
        })
    }
}

/// `count · 2^exponent`, also where the power is infinite and the count zero.
fn scale(count: f64, exponent: i32) -> f64 {
    if count == 0.0 { 0.0 } else { count * 2f64.powi(exponent) }
}

/// Counts satisfying assignments bottom-up.
struct Counter<'a> {
    kernel: &'a Kernel,
    below: &'a [i32],
    counts: FxHashMap<Edge, f64>,
}

impl Counter<'_> {
    /// The number of assignments to the variables at the level of the root of `f` or below it, and this level.
    fn count(&mut self, f: Edge) -> (f64, usize) {
        if f.is_constant() {
            return (if f == Edge::TRUE { 1.0 } else { 0.0 }, self.below.len() - 1);
        }
        let level = self.kernel.level(f) as usize;
        if let Some(&count) = self.counts.get(&f) {
            return (count, level);
        }
        let (high, low) = self.kernel.branches(f);
        let mut sum = 0.0;
        for branch in [high, low] {
            let (count, at) = self.count(branch);
            sum += scale(count, self.below[level + 1] - self.below[at]);
        }
        self.counts.insert(f, sum);
        (sum, level)
    }
}
