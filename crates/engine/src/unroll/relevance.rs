//! Locations from which something that decides the verdict can be reached.
//!
//! Backward reachability over the automata of all functions, without regard to calling contexts: the end of a function
//! leads to all its calls. What is left out reaches no error edge and nothing that is not modelled, in any context, so
//! paths may end there. Linear.

use robusto_cfa::facts::Facts;
use robusto_cfa::ir::{FuncId, IdxVec, LocId, Op};

/// For each location whether it is relevant.
pub struct Relevance(IdxVec<FuncId, IdxVec<LocId, bool>>);

impl Relevance {
    /// Searches back from the errors and the ends of the model.
    pub fn of(facts: &Facts) -> Self {
        let program = &facts.program;
        let mut search = Search {
            relevant: program.functions.iter().map(|f| IdxVec::filled(false, f.num_locs())).collect(),
            todo: Vec::new(),
        };
        let mut callers: IdxVec<FuncId, Vec<(FuncId, LocId)>> = IdxVec::filled(Vec::new(), program.functions.len());
        let mut incoming: IdxVec<FuncId, IdxVec<LocId, Vec<LocId>>> = IdxVec::new();
        // For each location the functions whose ends lead there.
        let mut returning: IdxVec<FuncId, IdxVec<LocId, Vec<FuncId>>> = IdxVec::new();
        for (function, body) in program.functions.enumerate() {
            let mut sources = IdxVec::filled(Vec::new(), body.num_locs());
            let mut ends = IdxVec::filled(Vec::new(), body.num_locs());
            for (id, edge) in body.edges().enumerate() {
                sources[edge.dst].push(edge.src);
                let site = facts.calls.site(function, id);
                for &callee in site.iter().flat_map(|s| &s.callees) {
                    callers[callee].push((function, edge.src));
                    ends[edge.dst].push(callee);
                }
                if matches!(edge.op, Op::Error(_) | Op::Unsupported(_)) {
                    search.mark(function, edge.src);
                }
            }
            incoming.push(sources);
            returning.push(ends);
        }
        while let Some((function, loc)) = search.todo.pop() {
            for &src in &incoming[function][loc] {
                search.mark(function, src);
            }
            for &callee in &returning[function][loc] {
                search.mark(callee, program.functions[callee].exit);
            }
            if loc == program.functions[function].entry {
                for &(caller, src) in &callers[function] {
                    search.mark(caller, src);
                }
            }
        }
        Self(search.relevant)
    }

    /// Whether something that decides the verdict can be reached from a location.
    pub fn contains(&self, function: FuncId, loc: LocId) -> bool {
        self.0[function][loc]
    }
}

struct Search {
    relevant: IdxVec<FuncId, IdxVec<LocId, bool>>,
    todo: Vec<(FuncId, LocId)>,
}

impl Search {
    fn mark(&mut self, function: FuncId, loc: LocId) {
        if !std::mem::replace(&mut self.relevant[function][loc], true) {
            self.todo.push((function, loc));
        }
    }
}
