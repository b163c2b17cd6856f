//! Blocks of conditions: a whole `a && (b || c)` as one step.
//!
//! The lowering turns a condition into a location per operand. An analysis whose sets can be cut by any Boolean
//! combination at once (decision diagrams) loses time at these locations: each false branch is cut out and merged with
//! the others again. A block is a start location and further locations that hold nothing but tests, are entered from
//! inside the block only, and lie on no cycle within it; all paths through it end at one of two exits. One step leads
//! from the start to each exit, with the disjunction over all paths as its condition.
//!
//! Exact because tests change no state: a path through a block is the conjunction of its tests. On Problem05 of the ECA
//! programs it takes a ninth of the steps.

use robusto_cfa::ir::{EdgeId, ExprId, FuncId, Function, IdxVec, LocId, Op, Program};
use rustc_hash::FxHashMap;

/// A block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Block {
    /// The locations in topological order, the start first.
    pub members: Vec<LocId>,
    /// Where its paths end.
    pub exits: Vec<LocId>,
}

/// Sets of states that tests cut and joins unite, in whatever form an analysis has them.
pub trait Cuts {
    /// A set.
    type Set: Clone;
    /// Why it ends early.
    type Error;

    /// The states of a set in which the condition of a test has this truth value, or more.
    fn cut(&mut self, set: &Self::Set, test: EdgeId, cond: ExprId, truth: bool) -> Result<Self::Set, Self::Error>;

    /// The union of two sets, or more.
    fn unite(&mut self, a: &Self::Set, b: &Self::Set) -> Result<Self::Set, Self::Error>;
}

impl Block {
    /// What arrives at each exit of a set that enters the block: the union over the paths, each cut by all its tests.
    pub fn follow<C: Cuts>(
        &self,
        function: &Function,
        start: C::Set,
        cuts: &mut C,
    ) -> Result<Vec<(LocId, C::Set)>, C::Error> {
        let mut reach: FxHashMap<LocId, C::Set> = FxHashMap::default();
        reach.insert(self.members[0], start);
        for member in &self.members {
            // All its incoming edges come from earlier members.
            let Some(here) = reach.remove(member) else { continue };
            for (id, edge) in function.out(*member) {
                let Op::Assume { cond, truth } = edge.op else { unreachable!("blocks hold tests") };
                let through = cuts.cut(&here, id, cond, truth)?;
                let all = match reach.get(&edge.dst) {
                    Some(known) => cuts.unite(known, &through)?,
                    None => through,
                };
                reach.insert(edge.dst, all);
            }
        }
        Ok(self.exits.iter().filter_map(|&exit| Some((exit, reach.remove(&exit)?))).collect())
    }
}

/// The blocks of a function by their start.
pub type Blocks = IdxVec<LocId, Option<Block>>;

/// Most locations of a block. 16, 64 and 256 give the same time for `token_ring.07`, `s3_srvr_7` and `Problem05_label10`;
/// without blocks, the last takes twice as long. The bound keeps finding blocks linear.
const MAX_MEMBERS: usize = 64;

/// Finds the blocks of all functions.
pub fn find(program: &Program) -> IdxVec<FuncId, Blocks> {
    find_where(program, |_| true)
}

/// Finds the blocks of all functions whose conditions are all of a kind, for analyses that know only these.
pub fn find_where(program: &Program, wanted: impl Fn(ExprId) -> bool) -> IdxVec<FuncId, Blocks> {
    program.functions.iter().map(|function| find_in(function, &wanted)).collect()
}

fn find_in(function: &Function, wanted: &impl Fn(ExprId) -> bool) -> Blocks {
    let mut entering = IdxVec::filled(0u32, function.num_locs());
    for edge in function.edges().iter() {
        entering[edge.dst] += 1;
    }
    function
        .locs()
        .map(|start| {
            let block = grow(function, &entering, start, wanted);
            (block.members.len() > 1).then_some(block)
        })
        .collect()
}

/// Whether a location holds nothing but a test of a wanted condition.
fn is_test(function: &Function, loc: LocId, wanted: &impl Fn(ExprId) -> bool) -> bool {
    let mut out = function.out(loc).map(|(_, edge)| edge).peekable();
    out.peek().is_some() && out.all(|edge| matches!(edge.op, Op::Assume { cond, .. } if wanted(cond)))
}

/// The largest block with at most two exits that begins at a location.
fn grow(function: &Function, entering: &IdxVec<LocId, u32>, start: LocId, wanted: &impl Fn(ExprId) -> bool) -> Block {
    let mut members = vec![start];
    let mut best = Block { members: members.clone(), exits: Vec::new() };
    if !is_test(function, start, wanted) {
        return best;
    }
    // Edges from members to each location outside, as far as they are known.
    let mut frontier: Vec<(LocId, u32)> = Vec::new();
    let extend = |frontier: &mut Vec<(LocId, u32)>, loc: LocId| {
        for (_, edge) in function.out(loc) {
            match frontier.iter_mut().find(|(l, _)| *l == edge.dst) {
                Some((_, count)) => *count += 1,
                None => frontier.push((edge.dst, 1)),
            }
        }
    };
    extend(&mut frontier, start);
    loop {
        if frontier.len() <= 2 {
            let exits = frontier.iter().map(|&(l, _)| l).collect();
            best = Block { members: members.clone(), exits };
        }
        if members.len() >= MAX_MEMBERS {
            return best;
        }
        // A location can join once all its incoming edges come from members: so order is topological, and a loop head
        // never joins.
        let ready = frontier.iter().position(|&(loc, count)| {
            loc != start
                && count == entering[loc]
                && is_test(function, loc, wanted)
                && !function.labels.iter().any(|l| l.loc == loc)
        });
        let Some(at) = ready else { return best };
        let (loc, _) = frontier.remove(at);
        members.push(loc);
        extend(&mut frontier, loc);
    }
}
