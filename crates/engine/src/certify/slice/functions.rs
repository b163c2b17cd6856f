//! Which functions may return, which come to no target, and which are harmless.

use super::{Check, is_target};
use robusto_cfa::analysis::uses::defined;
use robusto_cfa::ir::{Edge, EdgeId, FuncId, IdxVec, LocId, Op};

impl Check<'_> {
    /// Finds the functions that may return: the least such set.
    pub(super) fn find_returning(&mut self) {
        let functions = &self.facts.program.functions;
        let mut changed = true;
        while changed {
            changed = false;
            for &id in self.facts.calls.bottom_up() {
                if !self.returning[id] && self.comes_to(id)[functions[id].exit] {
                    self.returning[id] = true;
                    changed = true;
                }
            }
        }
    }

    /// The locations that control may come to in a function.
    pub(super) fn comes_to(&self, id: FuncId) -> IdxVec<LocId, bool> {
        let function = &self.facts.program.functions[id];
        let mut seen = IdxVec::filled(false, function.num_locs());
        let mut todo = vec![function.entry];
        seen[function.entry] = true;
        while let Some(loc) = todo.pop() {
            for (_, edge) in function.out(loc).filter(|(number, _)| self.passes(id, *number)) {
                if !std::mem::replace(&mut seen[edge.dst], true) {
                    todo.push(edge.dst);
                }
            }
        }
        seen
    }

    /// Whether control may come to the end of an edge.
    pub(super) fn passes(&self, id: FuncId, number: EdgeId) -> bool {
        match self.facts.calls.site(id, number) {
            Some(site) => site.unknown || site.callees.iter().any(|&callee| self.returning[callee]),
            None => true,
        }
    }

    /// The functions that come to no target, whatever they call: the greatest such set.
    pub(super) fn find_silent(&mut self) {
        let program = &self.facts.program;
        for (id, function) in program.functions.enumerate() {
            let reached = self.comes_to(id);
            let mut edges = function.edges().iter().filter(|edge| reached[edge.src]);
            self.silent[id] = !self.may_run(id) || !edges.any(|edge| is_target(&edge.op));
        }
        let mut changed = true;
        while changed {
            changed = false;
            for id in program.functions.ids() {
                let calls = self.facts.calls.sites(id).iter().flat_map(|site| &site.callees);
                if self.may_run(id) && self.silent[id] && calls.into_iter().any(|&callee| !self.silent[callee]) {
                    self.silent[id] = false;
                    changed = true;
                }
            }
        }
    }

    /// The functions that write nothing of `K` before they return, and come to no target, whatever they call: the greatest such
    /// set. Where a function does not return any more, it may write what it likes.
    pub(super) fn harmless(&self) -> IdxVec<FuncId, bool> {
        let program = &self.facts.program;
        let doomed: IdxVec<FuncId, IdxVec<LocId, bool>> = program.functions.ids().map(|id| self.doomed(id)).collect();
        let mut harmless: IdxVec<FuncId, bool> = program
            .functions
            .enumerate()
            .map(|(id, function)| {
                let mut edges = function.edges().enumerate();
                !self.may_run(id)
                    || (self.silent[id]
                        && edges.all(|(number, edge)| doomed[id][edge.src] || self.is_harmless(id, number, edge)))
            })
            .collect();
        let mut changed = true;
        while changed {
            changed = false;
            for (id, function) in program.functions.enumerate().filter(|(id, _)| self.may_run(*id)) {
                let sites = self.facts.calls.sites(id).iter();
                let mut sites = sites.filter(|site| !doomed[id][function.edge(site.edge).src]);
                if harmless[id] && sites.any(|site| site.callees.iter().any(|&callee| !harmless[callee])) {
                    harmless[id] = false;
                    changed = true;
                }
            }
        }
        harmless
    }

    /// The locations of a function from which it does not return, or which it does not come to.
    fn doomed(&self, id: FuncId) -> IdxVec<LocId, bool> {
        let function = &self.facts.program.functions[id];
        let reached = self.comes_to(id);
        let incoming = function.incoming();
        let mut doomed = IdxVec::filled(true, function.num_locs());
        let mut todo = vec![function.exit];
        doomed[function.exit] = false;
        while let Some(loc) = todo.pop() {
            for &number in &incoming[loc] {
                let src = function.edge(number).src;
                if self.passes(id, number) && reached[src] && std::mem::replace(&mut doomed[src], false) {
                    todo.push(src);
                }
            }
        }
        doomed
    }

    /// Whether an edge writes nothing of `K` and is no target; what it calls is another question.
    pub(super) fn is_harmless(&self, function: FuncId, number: EdgeId, edge: &Edge) -> bool {
        let is_written = match edge.op {
            ref op if is_target(op) => return false,
            Op::Alloc { .. } if self.every_allocation => return false,
            ref op => defined(op).is_some_and(|var| self.slice.vars[var]),
        };
        let mut regions = self.written(function, number, edge).into_iter();
        !is_written && !regions.any(|region| self.slice.regions[region])
    }
}
