//! Where a node of the unrolled program stands: pending calls and iterations of the loops around it.

use robusto_cfa::analysis::loops::{LoopForest, LoopId};
use robusto_cfa::ir::{EdgeId, FuncId, Idx, IdxVec, LocId, Program};
use robusto_cpa::Step;
use robusto_cpa::control::Location;
use rustc_hash::FxHashMap;
use std::ops::Range;

/// What is counted when control comes to the head of a loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Counting {
    /// Iterations of each loop and activations of each recursive function, by themselves.
    Loops,
    /// Heads passed, all together: the number of a block between cut points.
    Blocks,
}

/// A list of pending calls and of loops that control is in; equal lists have equal numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ContextId(u32);

impl ContextId {
    /// No call, no loop.
    pub const EMPTY: Self = Self(0);
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Frame {
    Start,
    /// In this iteration of a loop of the current function.
    Loop(LoopId, u32),
    /// Called from here.
    Call(FuncId, EdgeId),
}

struct Entry {
    below: ContextId,
    frame: Frame,
    /// The common beginning of the keys of all places in this context.
    prefix: Vec<u32>,
}

/// A place in the unrolled program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Place {
    /// Which of several starts the paths to it come from.
    pub origin: u32,
    /// Number of the block, when blocks are counted.
    pub block: u32,
    /// The calls and loops around it.
    pub context: ContextId,
    /// The location.
    pub location: Location,
}

/// Compared lexicographically, a topological order of the unrolled program: within an iteration and within a function,
/// places stand in weak topological order, so that every edge goes forward or to the head of a loop around it, whose
/// count it raises; a called function stands at its call.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Key(Vec<u32>);

impl Key {
    /// The keys of all places with an origin.
    pub fn of_origin(origin: u32) -> Range<Key> {
        Key(vec![origin])..Key(vec![origin + 1])
    }
}

/// All contexts met so far.
pub struct Contexts<'p> {
    program: &'p Program,
    forests: IdxVec<FuncId, LoopForest>,
    counting: Counting,
    entries: Vec<Entry>,
    ids: FxHashMap<(ContextId, Frame, Option<FuncId>), ContextId>,
}

impl<'p> Contexts<'p> {
    /// No context but the empty one.
    pub fn new(program: &'p Program, counting: Counting) -> Self {
        let start = Entry { below: ContextId::EMPTY, frame: Frame::Start, prefix: Vec::new() };
        let forests = program.functions.iter().map(LoopForest::of).collect();
        Self { program, forests, counting, entries: vec![start], ids: FxHashMap::default() }
    }

    /// Whether iterations of loops are counted by themselves.
    pub fn counts_loops(&self) -> bool {
        self.counting == Counting::Loops
    }

    fn entry(&self, id: ContextId) -> &Entry {
        &self.entries[id.0 as usize]
    }

    fn position(&self, function: FuncId, loc: LocId) -> u32 {
        self.forests[function].position(loc).map_or(u32::MAX, |p| p as u32)
    }

    /// Whether a location is the head of a loop.
    pub fn is_head(&self, location: Location) -> bool {
        self.forests[location.function].is_head(location.loc)
    }

    /// The place's rank among all places.
    pub fn key(&self, place: Place) -> Key {
        let prefix = &self.entry(place.context).prefix;
        let mut key = Vec::with_capacity(prefix.len() + 3);
        key.extend([place.origin, place.block]);
        key.extend(prefix);
        key.push(self.position(place.location.function, place.location.loc));
        Key(key)
    }

    /// The pending call on top.
    pub fn pending(&self, mut context: ContextId) -> Option<(FuncId, EdgeId)> {
        loop {
            match self.entry(context).frame {
                Frame::Start => return None,
                Frame::Call(caller, edge) => return Some((caller, edge)),
                Frame::Loop(..) => context = self.entry(context).below,
            }
        }
    }

    /// The pending calls, the oldest first.
    pub fn stack(&self, context: ContextId) -> Vec<(FuncId, EdgeId)> {
        let mut calls: Vec<_> = self.calls(context).collect();
        calls.reverse();
        calls
    }

    /// The functions of the pending calls, and the one that control is in.
    pub fn active(&self, context: ContextId, location: Location) -> Vec<FuncId> {
        self.calls(context).map(|(caller, _)| caller).chain([location.function]).collect()
    }

    /// All pending calls, the youngest first.
    pub fn calls(&self, context: ContextId) -> impl Iterator<Item = (FuncId, EdgeId)> + '_ {
        let all = std::iter::successors(Some(context), |&c| (c != ContextId::EMPTY).then(|| self.entry(c).below));
        all.filter_map(|c| match self.entry(c).frame {
            Frame::Call(caller, edge) => Some((caller, edge)),
            Frame::Start | Frame::Loop(..) => None,
        })
    }

    /// Whether a place is in the loop with this head, or in a function that is called from there. The paths to it start
    /// there, without pending calls.
    pub fn is_inside(&self, head: Location, place: Place) -> bool {
        let forest = &self.forests[head.function];
        let here = self.calls(place.context).last().map(|(caller, edge)| {
            let loc = self.program.functions[caller].edge(edge).src;
            Location { function: caller, loc }
        });
        let here = here.unwrap_or(place.location);
        forest.headed_by(head.loc).is_some_and(|id| forest.contains(id, here.loc))
    }

    /// Where control is at the head of a loop again: the context of the iteration before.
    pub fn iteration_before(&self, place: Place) -> Option<ContextId> {
        let entry = self.entry(place.context);
        match entry.frame {
            Frame::Loop(id, count)
                if count > 1 && self.forests[place.location.function].get(id).head == place.location.loc =>
            {
                self.ids.get(&(entry.below, Frame::Loop(id, count - 1), None)).copied()
            }
            _ => None,
        }
    }

    /// A start at a location without pending calls.
    pub fn start(&mut self, location: Location) -> Place {
        let context = self.enter_loops(ContextId::EMPTY, location);
        Place { origin: 0, block: 0, context, location }
    }

    /// The place that a step leads to, and how often by now its loop was iterated, its function activated, or a head
    /// passed.
    pub fn follow(&mut self, from: Place, step: Step) -> (Place, u32) {
        let location = from.location.transfer(self.program, step);
        let mut context = from.context;
        let mut count = 0;
        match step {
            Step::Edge(..) | Step::Block { .. } => {}
            Step::Enter { caller, edge, callee } => {
                let src = self.program.functions[caller].edge(edge).src;
                let at = self.position(caller, src);
                context = self.push(context, Frame::Call(caller, edge), [at, callee.index() as u32], Some(callee));
                // The frames of a function's callers name its callers; its own activation is the one on top.
                let same = self.calls(context).filter(|&(f, _)| f == callee).count();
                count = 1 + same as u32;
            }
            Step::Leave { .. } => {
                while let Frame::Loop(..) = self.entry(context).frame {
                    context = self.entry(context).below;
                }
                context = self.entry(context).below;
            }
        }
        if self.counting == Counting::Blocks {
            let block = from.block + u32::from(self.is_head(location));
            return (Place { block, context, location, ..from }, block);
        }
        let forest = &self.forests[location.function];
        while let Frame::Loop(id, _) = self.entry(context).frame
            && !forest.contains(id, location.loc)
        {
            context = self.entry(context).below;
        }
        if let Frame::Loop(id, iterations) = self.entry(context).frame
            && forest.get(id).head == location.loc
        {
            // Back at the head.
            let head = self.position(location.function, location.loc);
            let below = self.entry(context).below;
            count = iterations + 1;
            context = self.push(below, Frame::Loop(id, count), [head, count], None);
        }
        let context = self.enter_loops(context, location);
        (Place { context, location, ..from }, count)
    }

    /// Adds the loops around a location that the context is not in yet, in their first iteration.
    fn enter_loops(&mut self, mut context: ContextId, location: Location) -> ContextId {
        if self.counting == Counting::Blocks {
            return context;
        }
        let forest = &self.forests[location.function];
        let inside = match self.entry(context).frame {
            Frame::Loop(id, _) => Some(id),
            Frame::Start | Frame::Call(..) => None,
        };
        let mut missing: Vec<LoopId> = Vec::new();
        let mut next = forest.innermost(location.loc);
        while next != inside {
            let id = next.expect("the loops of a context are around its locations");
            missing.push(id);
            next = forest.get(id).parent;
        }
        for id in missing.into_iter().rev() {
            let head = self.position(location.function, self.forests[location.function].get(id).head);
            context = self.push(context, Frame::Loop(id, 1), [head, 1], None);
        }
        context
    }

    fn push(&mut self, below: ContextId, frame: Frame, suffix: [u32; 2], callee: Option<FuncId>) -> ContextId {
        if let Some(&known) = self.ids.get(&(below, frame, callee)) {
            return known;
        }
        let mut prefix = self.entry(below).prefix.clone();
        prefix.extend(suffix);
        let id = ContextId(u32::try_from(self.entries.len()).expect("fewer than 2^32 contexts"));
        self.entries.push(Entry { below, frame, prefix });
        self.ids.insert((below, frame, callee), id);
        id
    }
}
