//! Locations and edges.

use super::{Checker, Spot};
use crate::ir::{Edge, FuncId, Function, Idx, LocId, Op};

impl Checker<'_> {
    /// A function's automaton and operations.
    pub(super) fn function(&mut self, id: FuncId) {
        self.function = Some(id);
        let function = &self.program.functions[id];
        let in_range = self.ranges(function);
        for (edge_id, edge) in function.edges().enumerate() {
            self.place = Some(Spot::Edge(edge_id));
            self.pos(edge.pos, || "the edge".into());
            self.op(id, function, edge, in_range);
        }
        self.place = None;
        if in_range {
            self.locations(function);
        }
        self.function = None;
    }

    /// Whether every location that is mentioned exists and edges are stored where they belong.
    fn ranges(&mut self, function: &Function) -> bool {
        let count = function.num_locs();
        let before = self.violations.len();
        let there = |loc: LocId| loc.index() < count;
        let (entry, exit) = (function.entry, function.exit);
        self.check(there(entry), || format!("the entry {entry} does not exist"));
        self.check(there(exit), || format!("the exit {exit} does not exist"));
        for label in &function.labels {
            self.check(there(label.loc), || {
                format!("the label {} marks {}, which does not exist", label.name, label.loc)
            });
            self.pos(label.pos, || format!("the label {}", label.name));
        }
        let mut last = LocId::new(0);
        for (id, edge) in function.edges().enumerate() {
            let (src, dst) = (edge.src, edge.dst);
            self.check(there(src) && there(dst), || {
                format!("{id} goes from {src} to {dst}, one of which does not exist")
            });
            self.check(src >= last, || format!("{id} starts at {src}, the edge before at {last}: they are not sorted"));
            last = src;
            if there(src) {
                let stored = function.out_range(src).contains(&id.index());
                self.check(stored, || format!("{id} starts at {src}, which does not list it"));
            }
        }
        self.violations.len() == before
    }

    fn locations(&mut self, function: &Function) {
        let reached = reachable(function);
        for loc in function.locs() {
            self.place = Some(Spot::Location(loc));
            let special = loc == function.entry || loc == function.exit;
            self.check(special || reached[loc.index()], || "cannot be reached from the entry".into());
            let edges: Vec<&Edge> = function.out(loc).map(|(_, edge)| edge).collect();
            if loc == function.exit {
                self.check(edges.is_empty(), || "the exit has edges".into());
            }
            let fits = match edges[..] {
                [] | [_] => true,
                [yes, no] => match (&yes.op, &no.op) {
                    (&Op::Assume { cond: c, truth: t }, &Op::Assume { cond: d, truth: u }) => c == d && t && !u,
                    _ => false,
                },
                _ => false,
            };
            self.check(fits, || format!("has {} edges that are no branch (true first)", edges.len()));
        }
        self.place = None;
    }
}

fn reachable(function: &Function) -> Vec<bool> {
    let mut reached = vec![false; function.num_locs()];
    let mut stack = vec![function.entry];
    reached[function.entry.index()] = true;
    while let Some(loc) = stack.pop() {
        for (_, edge) in function.out(loc) {
            if !std::mem::replace(&mut reached[edge.dst.index()], true) {
                stack.push(edge.dst);
            }
        }
    }
    reached
}
