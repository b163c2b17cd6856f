//! Control dependence within a function, for what comes to a target or returns.
//!
//! Ferrante, Ottenstein, Warren: *The program dependence graph and its use in optimization*, TOPLAS 1987: a location depends on a
//! branch if it post-dominates one of the branch's successors and not the branch itself. Post-dominators as dominators of the
//! reversed graph, by Cooper, Harvey, Kennedy: *A simple, fast dominance algorithm*, 2001.
//!
//! What ends (a halt, a loop for ever, a call that never returns) is no way to the end here: only *live* locations count, from which the
//! exit or a target can be reached. So a branch that has one live side only has no dependents; whether it is kept is decided
//! elsewhere (`dependence`, halting branches). A location with a target, or a call that may lead to one, leads to the end itself.

use robusto_cfa::ir::{FuncId, Function, Idx as _, IdxVec, LocId, Op};

/// What a program's functions can do, as far as control goes.
pub(super) struct Reach {
    /// Whether a function may return.
    pub returns: IdxVec<FuncId, bool>,
    /// Whether it, or one that it calls, may come to a target.
    pub targets: IdxVec<FuncId, bool>,
}

/// Control dependence of one function.
pub(super) struct Control {
    /// Whether a location is reached, and leads to the exit or to a target.
    live: IdxVec<LocId, bool>,
    /// The first location that all ways to the end pass; `None` is the end.
    next: IdxVec<LocId, Option<LocId>>,
    /// The branches that a location depends on.
    depends: IdxVec<LocId, Vec<LocId>>,
}

/// What an edge is for control.
pub(super) struct Passage {
    /// Whether control may come to its end.
    pub passes: bool,
    /// Whether it is a target, or may lead to one.
    pub is_sink: bool,
}

impl Control {
    /// Analyses a function; `passage` says what each edge is.
    pub fn of(function: &Function, mut passage: impl FnMut(&Function, usize) -> Passage) -> Self {
        let count = function.num_locs();
        let end = count;
        let mut successors: Vec<Vec<usize>> = vec![Vec::new(); count];
        let mut sinks = vec![false; count];
        sinks[function.exit.index()] = true;
        for (number, edge) in function.edges().iter().enumerate() {
            let Passage { passes, is_sink } = passage(function, number);
            sinks[edge.src.index()] |= is_sink;
            if passes && !matches!(edge.op, Op::Error(_) | Op::Unsupported(_) | Op::Halt { .. }) {
                successors[edge.src.index()].push(edge.dst.index());
            }
        }
        let reached = closure(count, [function.entry.index()], |at| successors[at].clone());
        let mut predecessors: Vec<Vec<usize>> = vec![Vec::new(); count + 1];
        for at in (0..count).filter(|&at| reached[at]) {
            for &to in &successors[at] {
                predecessors[to].push(at);
            }
            if sinks[at] {
                predecessors[end].push(at);
            }
        }
        let leads = closure(count + 1, [end], |at| predecessors[at].clone());
        let live: IdxVec<LocId, bool> = (0..count).map(|at| reached[at] && leads[at]).collect();
        let mut forward: Vec<Vec<usize>> = vec![Vec::new(); count + 1];
        for (to, from) in predecessors.iter().enumerate().filter(|&(to, _)| to == end || live[LocId::new(to)]) {
            for &at in from {
                forward[at].push(to);
            }
        }
        let parents = dominators(&predecessors, &forward, end);
        let next: IdxVec<LocId, Option<LocId>> =
            (0..count).map(|at| parents[at].filter(|&to| to != end).map(LocId::new)).collect();
        let mut depends: IdxVec<LocId, Vec<LocId>> = IdxVec::filled(Vec::new(), count);
        for at in (0..count).filter(|&at| live[LocId::new(at)] && forward[at].len() > 1) {
            for &to in &forward[at] {
                let mut on = to;
                while on != end && Some(on) != parents[at] {
                    let list = &mut depends[LocId::new(on)];
                    if list.last() != Some(&LocId::new(at)) {
                        list.push(LocId::new(at));
                    }
                    match parents[on] {
                        Some(up) => on = up,
                        None => break,
                    }
                }
            }
        }
        Self { live, next, depends }
    }

    /// Whether a location is reached, and leads to the exit or to a target.
    pub fn is_live(&self, loc: LocId) -> bool {
        self.live[loc]
    }

    /// The first location that all ways to the end pass.
    pub fn next(&self, loc: LocId) -> Option<LocId> {
        self.next[loc]
    }

    /// The branches that a location depends on.
    pub fn depends(&self, loc: LocId) -> &[LocId] {
        &self.depends[loc]
    }
}

/// What is reached from some nodes.
fn closure(count: usize, from: impl IntoIterator<Item = usize>, next: impl Fn(usize) -> Vec<usize>) -> Vec<bool> {
    let mut seen = vec![false; count];
    let mut todo: Vec<usize> = from.into_iter().collect();
    todo.iter().for_each(|&at| seen[at] = true);
    while let Some(at) = todo.pop() {
        for to in next(at) {
            if !std::mem::replace(&mut seen[to], true) {
                todo.push(to);
            }
        }
    }
    seen
}

/// Immediate dominators of the graph with these successors and predecessors, from a root.
fn dominators(successors: &[Vec<usize>], predecessors: &[Vec<usize>], root: usize) -> Vec<Option<usize>> {
    let mut number = vec![usize::MAX; successors.len()];
    let mut post = Vec::new();
    let mut stack = vec![(root, 0)];
    let mut seen = vec![false; successors.len()];
    seen[root] = true;
    while let Some((at, child)) = stack.pop() {
        match successors[at].get(child) {
            Some(&to) => {
                stack.push((at, child + 1));
                if !std::mem::replace(&mut seen[to], true) {
                    stack.push((to, 0));
                }
            }
            None => {
                number[at] = post.len();
                post.push(at);
            }
        }
    }
    let mut parent: Vec<Option<usize>> = vec![None; successors.len()];
    parent[root] = Some(root);
    let mut changed = true;
    while changed {
        changed = false;
        for &at in post.iter().rev().filter(|&&at| at != root) {
            let mut new: Option<usize> = None;
            for &from in predecessors[at].iter().filter(|&&from| parent[from].is_some()) {
                new = Some(match new {
                    None => from,
                    Some(other) => meet(&parent, &number, from, other),
                });
            }
            if new != parent[at] {
                parent[at] = new;
                changed = true;
            }
        }
    }
    parent[root] = None;
    parent
}

fn meet(parent: &[Option<usize>], number: &[usize], a: usize, b: usize) -> usize {
    let (mut a, mut b) = (a, b);
    while a != b {
        while number[a] < number[b] {
            a = parent[a].expect("it has been visited");
        }
        while number[b] < number[a] {
            b = parent[b].expect("it has been visited");
        }
    }
    a
}
