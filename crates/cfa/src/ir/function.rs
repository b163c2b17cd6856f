//! Functions: locations and edges.

use super::{EdgeId, FuncId, Idx, IdxVec, LocId, ObjId, Op, SrcPos, Ty, VarId};
use rustc_hash::FxHashSet;
use std::ops::Range;

/// A function as a control-flow automaton.
///
/// Edges are sorted by source, so that a location's edges are a range. A location has no edge (exit, dead end), one
/// edge, or two `Assume` edges with the same condition and opposite truth, the true one first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Function {
    /// Name; a `static` function whose name occurs in several files has the file number appended.
    pub name: Box<str>,
    /// Parameters. A struct is passed as a pointer to the caller's copy, a struct result through a pointer that comes
    /// first, the variable arguments through a pointer to an array of slots that comes last.
    pub params: Vec<VarId>,
    /// Locals and temporaries.
    pub locals: Vec<VarId>,
    /// Memory objects of each call.
    pub objects: Vec<ObjId>,
    /// Type of the returned value.
    pub ret: Option<Ty>,
    /// Where it starts.
    pub entry: LocId,
    /// Where it ends; the target of the `Return` edges.
    pub exit: LocId,
    /// Whether the source has no body, and the automaton is a stub.
    pub external: bool,
    /// Whether the program takes its address and calls through pointers: one from outside may lead to it.
    pub handed_out: bool,
    /// Labels of the source.
    pub labels: Vec<Label>,
    /// Definition, or first declaration.
    pub pos: SrcPos,
    edges: IdxVec<EdgeId, Edge>,
    /// For each location its first edge, and one more entry for the end.
    first: Vec<EdgeId>,
}

/// A label of the source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Label {
    /// Its name.
    pub name: Box<str>,
    /// The location that it marks.
    pub loc: LocId,
    /// Where it stands.
    pub pos: SrcPos,
}

/// An edge.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edge {
    /// From.
    pub src: LocId,
    /// To.
    pub dst: LocId,
    /// What it does.
    pub op: Op,
    /// The statement or expression it comes from.
    pub pos: SrcPos,
}

impl Function {
    /// A function with these locations and edges, sorted as the invariant asks. The other fields are as in `header`,
    /// whose own edges are dropped.
    pub fn with_edges(header: Function, locations: usize, mut edges: Vec<Edge>) -> Self {
        edges.sort_by_key(|e| (e.src, matches!(e.op, Op::Assume { truth: false, .. })));
        edges.shrink_to_fit();
        let mut first = Vec::with_capacity(locations + 1);
        let mut next = 0;
        for loc in 0..locations {
            first.push(EdgeId::new(next));
            while next < edges.len() && edges[next].src.index() == loc {
                next += 1;
            }
        }
        first.push(EdgeId::new(next));
        assert_eq!(next, edges.len(), "an edge starts at a location that does not exist");
        Self { edges: edges.into(), first, ..header }
    }

    /// A function without edges: entry and exit are the two locations.
    pub fn header(name: &str, pos: SrcPos) -> Self {
        Self {
            name: name.into(),
            params: Vec::new(),
            locals: Vec::new(),
            objects: Vec::new(),
            ret: None,
            entry: LocId::new(0),
            exit: LocId::new(1),
            external: false,
            handed_out: false,
            labels: Vec::new(),
            pos,
            edges: IdxVec::new(),
            first: vec![EdgeId::new(0); 3],
        }
    }

    /// Number of locations.
    pub fn num_locs(&self) -> usize {
        self.first.len() - 1
    }

    /// All locations.
    pub fn locs(&self) -> impl DoubleEndedIterator<Item = LocId> + ExactSizeIterator + use<> {
        (0..self.num_locs()).map(LocId::new)
    }

    /// All edges, sorted by source.
    pub fn edges(&self) -> &IdxVec<EdgeId, Edge> {
        &self.edges
    }

    /// An edge.
    pub fn edge(&self, id: EdgeId) -> &Edge {
        &self.edges[id]
    }

    /// The edges that leave a location, as positions in [`Function::edges`].
    pub fn out_range(&self, loc: LocId) -> Range<usize> {
        self.first[loc.index()].index()..self.first[loc.index() + 1].index()
    }

    /// The edges that leave a location.
    pub fn out(&self, loc: LocId) -> impl DoubleEndedIterator<Item = (EdgeId, &Edge)> + ExactSizeIterator {
        let range = self.out_range(loc);
        let start = range.start;
        self.edges.as_slice()[range].iter().enumerate().map(move |(i, e)| (EdgeId::new(start + i), e))
    }

    /// For each location the edges that enter it.
    pub fn incoming(&self) -> IdxVec<LocId, Vec<EdgeId>> {
        let mut incoming = IdxVec::filled(Vec::new(), self.num_locs());
        for (id, edge) in self.edges.enumerate() {
            incoming[edge.dst].push(id);
        }
        incoming
    }

    /// Rewrites the operation of every edge in place; sources and targets stay.
    pub fn map_ops(&mut self, mut rewrite: impl FnMut(&mut Op)) {
        for edge in self.edges.iter_mut() {
            rewrite(&mut edge.op);
        }
    }

    /// Takes the edges out, to rebuild the function with [`Function::with_edges`].
    pub fn take_edges(&mut self) -> Vec<Edge> {
        self.first = vec![EdgeId::new(0); self.first.len()];
        std::mem::take(&mut self.edges).iter().cloned().collect()
    }
}

/// Collects locations and edges in any order; [`FunctionBuilder::finish`] tidies them.
#[derive(Debug)]
pub struct FunctionBuilder {
    /// All but the edges.
    pub header: Function,
    /// The function's number, for its variables.
    pub id: FuncId,
    edges: Vec<Edge>,
    locations: usize,
}

impl FunctionBuilder {
    /// A builder with entry and exit.
    pub fn new(id: FuncId, name: &str, pos: SrcPos) -> Self {
        Self { header: Function::header(name, pos), id, edges: Vec::new(), locations: 2 }
    }

    /// A new location.
    pub fn location(&mut self) -> LocId {
        self.locations += 1;
        LocId::new(self.locations - 1)
    }

    /// Adds an edge.
    pub fn edge(&mut self, src: LocId, dst: LocId, op: Op, pos: SrcPos) {
        self.edges.push(Edge { src, dst, op, pos });
    }

    /// Takes the edges out that return.
    pub fn take_returns(&mut self) -> Vec<Edge> {
        self.edges.extract_if(.., |e| matches!(e.op, Op::Return { .. })).collect()
    }

    /// Number of edges so far.
    pub fn num_edges(&self) -> usize {
        self.edges.len()
    }

    /// Builds the function: drops what cannot be reached from the entry, contracts `Skip` edges, numbers the locations
    /// in reverse post-order (entry first) with the exit last.
    pub fn finish(self) -> Function {
        rebuild(self.header, self.locations, self.edges)
    }
}

/// Builds a function from edges in any order, as [`FunctionBuilder::finish`] does; for transformations that leave `Skip`
/// edges or unreachable locations.
pub fn rebuild(mut header: Function, locations: usize, edges: Vec<Edge>) -> Function {
    let none = u32::MAX;
    // The edges of each location, as linked lists in the order of insertion.
    let mut head = vec![none; locations];
    let mut next = vec![none; edges.len()];
    for (i, e) in edges.iter().enumerate().rev() {
        next[i] = head[e.src.index()];
        head[e.src.index()] = i as u32;
    }
    // Where a location leads when its only edge is a `Skip`; loops of `Skip`s stay. A label stays where it is: in
    // `if (c) { L: ; }`, what comes after the branch is reached without it.
    let labelled: FxHashSet<LocId> = header.labels.iter().map(|label| label.loc).collect();
    let mut target: Vec<u32> = vec![none; locations];
    for start in 0..locations {
        let mut path = Vec::new();
        let mut at = start;
        while target[at] == none {
            target[at] = at as u32;
            path.push(at);
            let first = head[at];
            if first == none || at == header.exit.index() {
                break;
            }
            let e = &edges[first as usize];
            if e.op != Op::Skip || next[first as usize] != none || labelled.contains(&e.src) {
                break;
            }
            at = e.dst.index();
        }
        let end = target[at];
        for p in path {
            target[p] = end;
        }
    }
    let entry = target[header.entry.index()] as usize;
    // Post-order by an explicit stack.
    let mut number = vec![none; locations];
    let mut post = Vec::new();
    let mut stack: Vec<(usize, u32)> = vec![(entry, head[entry])];
    number[entry] = 0;
    while let Some((at, edge)) = stack.pop() {
        if edge == none {
            post.push(at);
            continue;
        }
        stack.push((at, next[edge as usize]));
        let dst = target[edges[edge as usize].dst.index()] as usize;
        if number[dst] == none {
            number[dst] = 0;
            stack.push((dst, head[dst]));
        }
    }
    let exit = header.exit.index();
    let mut count = 0;
    for &at in post.iter().rev().filter(|&&at| at != exit) {
        number[at] = count;
        count += 1;
    }
    number[exit] = count;
    count += 1;
    let renumber = |loc: LocId| number[target[loc.index()] as usize];
    let kept = edges
        .into_iter()
        .filter(|e| number[e.src.index()] != none && target[e.src.index()] == e.src.index() as u32)
        .map(|e| Edge {
            src: LocId::new(number[e.src.index()] as usize),
            dst: LocId::new(renumber(e.dst) as usize),
            ..e
        })
        .collect();
    header.labels.retain_mut(|label| {
        let to = renumber(label.loc);
        label.loc = LocId::new(if to == none { 0 } else { to as usize });
        to != none
    });
    header.entry = LocId::new(renumber(header.entry) as usize);
    header.exit = LocId::new(number[exit] as usize);
    Function::with_edges(header, count as usize, kept)
}
