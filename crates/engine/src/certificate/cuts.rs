//! Where to state an invariant.
//!
//! Loop heads are enough to cut every cycle (Floyd 1967), but then the check has all paths through a loop body in one
//! formula, which is more than a solver can do for a body of thousands of branches. So paths are cut where they become
//! long, too, as the blocks of adjustable-block encoding are (Beyer, Keremoglu, Wendler, FMCAD 2010): at the location that is
//! a certain number of edges away from the cuts before it by the longest path, where many edges meet, and at the beginning and
//! the end of functions that are cut inside.

use robusto_cfa::analysis::loops::LoopForest;
use robusto_cfa::analysis::order::Order;
use robusto_cfa::facts::Facts;
use robusto_cfa::ir::{Callee, Edge, FuncId, Function, IdxVec, LocId, Op};
use robusto_cpa::control::Location;

/// Longest path between two cut points that is still easy to check, in edges. (Certificates of token_ring.10: 9.9, 5.8, 4.3, 13.5
/// and more than 57 s with 20, 30, 50, 100 and 200; most others hardly depend on it.)
pub(crate) const LONGEST: usize = 50;

/// Cut points of a program.
pub(crate) struct Cuts {
    at: IdxVec<FuncId, IdxVec<LocId, bool>>,
}

impl Cuts {
    /// Chooses the cut points such that no path without one has more than a number of edges, nor more than that many
    /// edges meet between two.
    pub fn of(facts: &Facts, longest: usize) -> Self {
        let functions = &facts.program.functions;
        let mut at: IdxVec<FuncId, IdxVec<LocId, bool>> =
            functions.iter().map(|f| IdxVec::filled(false, f.num_locs())).collect();
        let mut lengths = IdxVec::filled(0, functions.len());
        for &function in facts.calls.bottom_up() {
            lengths[function] = cut(&functions[function], longest, &lengths, &mut at[function]);
        }
        Self { at }
    }

    /// Whether a location is a cut point.
    pub fn contains(&self, at: Location) -> bool {
        self.at[at.function][at.loc]
    }
}

/// Chooses the cut points of a function whose callees add these lengths to a path. Returns what the function adds: nothing
/// if it begins and ends with a cut.
fn cut(function: &Function, longest: usize, callees: &IdxVec<FuncId, usize>, cuts: &mut IdxVec<LocId, bool>) -> usize {
    let forest = LoopForest::of(function);
    let order = Order::of(function);
    let incoming = function.incoming();
    let along = |edge: &Edge| match edge.op {
        Op::Call { callee: Callee::Direct(callee), .. } => 1 + callees[callee],
        _ => 1,
    };
    let mut length: IdxVec<LocId, usize> = IdxVec::filled(0, function.num_locs());
    let mut whole = 0;
    let mut is_cut = false;
    for &loc in order.reverse_post() {
        let before = incoming[loc].iter().map(|&edge| function.edge(edge));
        let forward = before.filter(|edge| order.position(edge.src) < order.position(loc));
        length[loc] = forward.map(|edge| length[edge.src] + along(edge)).max().unwrap_or(0);
        whole = whole.max(length[loc]);
        let is_far = length[loc] >= longest || incoming[loc].len() >= longest;
        is_cut |= is_far;
        if is_far || forest.is_head(loc) {
            cuts[loc] = true;
            length[loc] = 0;
        }
    }
    if !is_cut {
        return whole;
    }
    cuts[function.entry] = true;
    cuts[function.exit] = true;
    0
}

#[cfg(test)]
mod tests {
    use super::*;
    use robusto_cfa::ir::DataModel;
    use robusto_cfa::{Options, compile};
    use robusto_syntax::SourceMap;

    fn cuts(text: &str, longest: usize) -> Vec<(String, usize)> {
        let mut sources = SourceMap::new();
        let file = sources.add("test.c", text.to_owned()).expect("small");
        let (program, _) = compile(&mut sources, &[file], Options::new(DataModel::Lp64)).expect("valid");
        let facts = Facts::of(program);
        let cuts = Cuts::of(&facts, longest);
        let count =
            |f: &Function, id: FuncId| f.locs().filter(|&loc| cuts.contains(Location { function: id, loc })).count();
        facts.program.functions.enumerate().map(|(id, f)| (f.name.to_string(), count(f, id))).collect()
    }

    #[test]
    fn loop_heads_and_long_paths_are_cut() {
        let text = "int g; void step(void) { g = g + 1; g = g + 2; g = g + 3; g = g + 4; }
                    int main() { while (g < 100) { step(); step(); step(); } return 0; }";
        let of = |longest| cuts(text, longest).into_iter().map(|(_, n)| n).collect::<Vec<_>>();
        assert_eq!(of(100), [0, 1], "the loop head");
        assert_eq!(of(8)[0], 0, "step is short");
        assert!(of(8)[1] >= 2, "but not three times");
        assert!(of(2)[0] >= 3, "at the beginning, at the end and inside");
    }
}
