//! How variables are read as integers, and which of them are related.

use robusto_cfa::facts::Facts;
use robusto_cfa::ir::{BinOp, CastOp, Expr, ExprId, ExprPool, Idx, Op, Ty, VarId};
use robusto_domains::machine::{Integer, Types, variables_of};
use std::collections::BTreeSet;

/// The variables of a program as integers.
pub struct Variables {
    /// By variable; `None` if it is no integer.
    integers: Vec<Option<Integer>>,
    /// By variable.
    related: Vec<bool>,
}

impl Variables {
    /// Looks at how the program uses its variables; relations are kept for at most so many of them.
    pub fn of(facts: &Facts, most_related: usize) -> Self {
        let program = &facts.program;
        let mut votes = vec![0i32; program.vars.len()];
        let mut important = vec![0u32; program.vars.len()];
        let mut seen: BTreeSet<ExprId> = BTreeSet::new();
        for (_, body) in program.functions.enumerate().filter(|&(f, _)| facts.calls.is_reachable(f)) {
            for (_, edge) in body.edges().enumerate() {
                match edge.op {
                    Op::Assign { var, value } => {
                        vote(&program.exprs, value, &mut votes, &mut seen);
                        rate(&program.exprs, value, Some(var), &mut important);
                    }
                    Op::Assume { cond, .. } => {
                        vote(&program.exprs, cond, &mut votes, &mut seen);
                        rate(&program.exprs, cond, None, &mut important);
                    }
                    Op::Call { ref args, .. } => {
                        args.iter().for_each(|&arg| vote(&program.exprs, arg, &mut votes, &mut seen));
                    }
                    _ => {}
                }
            }
        }
        let integer = |(var, info): (VarId, &robusto_cfa::ir::Var)| match info.ty {
            Ty::Int(width @ 2..=64) => Some(Integer { width: width.into(), signed: votes[var.index()] >= 0 }),
            _ => None,
        };
        let integers: Vec<Option<Integer>> = program.vars.enumerate().map(integer).collect();
        let mut ranked: Vec<usize> = (0..integers.len()).filter(|&i| integers[i].is_some()).collect();
        ranked.sort_by_key(|&i| std::cmp::Reverse(important[i]));
        let mut related = vec![false; integers.len()];
        ranked.into_iter().filter(|&i| important[i] > 0).take(most_related).for_each(|i| related[i] = true);
        Self { integers, related }
    }

    /// Whether relations are kept for any.
    pub fn are_related(&self) -> bool {
        self.related.contains(&true)
    }

    /// How a variable is an integer, related or not.
    pub fn any_integer(&self, var: VarId) -> Option<Integer> {
        self.integers.get(var.index()).copied().flatten()
    }
}

impl Types for Variables {
    fn integer(&self, var: VarId) -> Option<Integer> {
        let is_related = self.related.get(var.index()).copied().unwrap_or(false);
        if is_related { self.any_integer(var) } else { None }
    }

    fn spare(&self, number: usize) -> VarId {
        VarId::new(self.integers.len() + number)
    }
}

/// Who compares or divides signed numbers wants them signed.
fn vote(pool: &ExprPool, root: ExprId, votes: &mut [i32], seen: &mut BTreeSet<ExprId>) {
    use BinOp::*;
    let mut todo = vec![root];
    while let Some(id) = todo.pop() {
        if !seen.insert(id) {
            continue;
        }
        let weight = match pool.get(id) {
            // What is widened is then compared at the wider type, which says nothing of its own sign.
            Expr::Cast(CastOp::SExt, ..) => 4,
            Expr::Cast(CastOp::ZExt, ..) => -4,
            Expr::Binary(SLt | SLe | SDiv | SRem | AShr, ..) => 1,
            Expr::Binary(ULt | ULe | UDiv | URem | LShr, ..) => -1,
            _ => 0,
        };
        if weight != 0 {
            for var in variables_of(pool, [id].into_iter()) {
                votes[var.index()] += weight;
            }
        }
        todo.extend(pool.operands(id));
    }
}

/// Variables that meet others in an expression are worth relating most, then those that are counted.
fn rate(pool: &ExprPool, root: ExprId, assigned: Option<VarId>, important: &mut [u32]) {
    let found = variables_of(pool, [root].into_iter());
    let all: BTreeSet<VarId> = found.iter().copied().chain(assigned).collect();
    let weight = if all.len() > 1 { 16 } else { 1 };
    all.into_iter().for_each(|var| important[var.index()] += weight);
}
