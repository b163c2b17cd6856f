//! Which variables belong side by side in a variable order.
//!
//! Bits of variables that are assigned to or compared with each other should be interleaved (Jeong, Plessier, Hachtel,
//! Somenzi: *Variable ordering and selection for FSM traversal*, ICCAD 1991, order by the variables' dependency; the
//! minimal linear arrangement of such a graph as in Aloul, Markov, Sakallah: *FORCE*, GLSVLSI 2003). This is the graph:
//!
//! | relation | weight |
//! |---|---|
//! | copied, passed as an argument, returned; compared, with no other variable in the condition | 3 |
//! | assigned from an expression with others | 2 |
//! | in the same condition or on the same right-hand side | 1 |
//!
//! Weights add up over the program. An expression with many variables links each with the next only, so the graph is
//! linear in the program. Heuristic: no soundness rests on it.

use super::callgraph::CallGraph;
use super::uses::Uses;
use crate::ir::{Expr, ExprId, FuncId, IdxVec, Op, Program, VarId};

/// How strongly two variables depend on each other.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Dependency {
    /// One of them.
    pub a: VarId,
    /// The other, with a larger number.
    pub b: VarId,
    /// At least 1.
    pub weight: u32,
}

/// The weighted graph of all variables.
#[derive(Clone, Debug)]
pub struct Dependencies {
    /// Sorted by the pair.
    edges: Vec<Dependency>,
}

/// Expressions with more variables than this link neighbours only.
const MAX_CLIQUE: usize = 6;

impl Dependencies {
    /// The graph of the functions that may run.
    pub fn of(program: &Program, uses: &Uses, calls: &CallGraph) -> Self {
        let mut collect = Collect { program, uses, edges: Vec::new() };
        // The variables that take each function's result.
        let mut results: IdxVec<FuncId, Vec<VarId>> = IdxVec::filled(Vec::new(), program.functions.len());
        let running = || program.functions.enumerate().filter(|&(id, _)| calls.is_reachable(id));
        for (id, function) in running() {
            for site in calls.sites(id) {
                if let Op::Call { result, ref args, .. } = function.edge(site.edge).op {
                    for &callee in &site.callees {
                        results[callee].extend(result);
                        for (&param, &arg) in program.functions[callee].params.iter().zip(args) {
                            collect.assign(param, arg);
                        }
                    }
                }
            }
        }
        for (id, function) in running() {
            for edge in function.edges().iter() {
                match edge.op {
                    Op::Assign { var, value } => {
                        collect.assign(var, value);
                        collect.together(uses.vars(value), 1);
                    }
                    // The other edge of the branch has the same condition.
                    Op::Assume { cond, truth: true } => {
                        let vars = uses.vars(cond);
                        collect.together(vars, if vars.len() == 2 { 3 } else { 1 });
                    }
                    Op::Return { value: Some(value) } => {
                        for &var in &results[id] {
                            collect.assign(var, value);
                        }
                    }
                    _ => {}
                }
            }
        }
        Self { edges: sum(collect.edges) }
    }

    /// All pairs with a weight, ascending.
    pub fn edges(&self) -> &[Dependency] {
        &self.edges
    }

    /// The weight of a pair, 0 if there is none.
    pub fn weight(&self, a: VarId, b: VarId) -> u32 {
        let pair = (a.min(b), a.max(b));
        self.edges.binary_search_by_key(&pair, |e| (e.a, e.b)).map_or(0, |at| self.edges[at].weight)
    }
}

struct Collect<'p> {
    program: &'p Program,
    uses: &'p Uses,
    edges: Vec<Dependency>,
}

impl Collect<'_> {
    fn link(&mut self, a: VarId, b: VarId, weight: u32) {
        if a != b {
            self.edges.push(Dependency { a: a.min(b), b: a.max(b), weight });
        }
    }

    fn assign(&mut self, var: VarId, value: ExprId) {
        let mut plain = value;
        while let Expr::Cast(_, _, x) = self.program.exprs.get(plain) {
            plain = x;
        }
        let weight = if matches!(self.program.exprs.get(plain), Expr::Var(_)) { 3 } else { 2 };
        for &other in self.uses.vars(value) {
            self.link(var, other, weight);
        }
    }

    fn together(&mut self, vars: &[VarId], weight: u32) {
        for (i, &a) in vars.iter().enumerate() {
            let reach = if vars.len() > MAX_CLIQUE { 1 } else { vars.len() };
            for &b in vars[i + 1..].iter().take(reach) {
                self.link(a, b, weight);
            }
        }
    }
}

/// Adds up the weights of each pair.
fn sum(mut edges: Vec<Dependency>) -> Vec<Dependency> {
    edges.sort_unstable();
    edges.dedup_by(|next, kept| {
        let same = (next.a, next.b) == (kept.a, kept.b);
        if same {
            kept.weight = kept.weight.saturating_add(next.weight);
        }
        same
    });
    edges
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::testing::{Build, call, graph_of_calls};
    use crate::ir::{BinOp, Idx, Ty};

    #[test]
    fn copies_weigh_more_than_conditions() {
        let mut b = Build::new();
        let main = b.function("main", &[]);
        let id = b.function("id", &[Ty::Int(32)]);
        let [x, y, z, r] = [0; 4].map(|_| b.local(main, Ty::Int(32)));
        let (xe, ye, ze) = (b.read(x), b.read(y), b.read(z));
        let sum = b.pool().binary(BinOp::Add, xe, ye);
        let cond = b.pool().binary(BinOp::SLt, xe, ye);
        b.body(
            main,
            vec![
                Op::Assign { var: z, value: sum },
                Op::Assume { cond, truth: true },
                Op::Assume { cond, truth: false },
                call(id, &[ze], Some(r)),
            ],
        );
        let p = b.program.functions[id].params[0];
        let value = b.read(p);
        b.body(id, vec![Op::Return { value: Some(value) }]);
        let (uses, calls) = graph_of_calls(&b.program);
        let graph = Dependencies::of(&b.program, &uses, &calls);
        assert_eq!(graph.weight(y, x), 3 + 1);
        assert_eq!(graph.weight(x, z), 2);
        assert_eq!(graph.weight(z, p), 3);
        assert_eq!(graph.weight(p, r), 3);
        assert_eq!(graph.weight(z, r), 0);
        assert_eq!(graph.edges().len(), 5);
        assert!(graph.edges().iter().all(|e| e.a.index() < e.b.index()));
    }
}
