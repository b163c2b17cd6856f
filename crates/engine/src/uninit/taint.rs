//! What may hold a value that was never set, whatever the order of steps: so that the rest of a program needs no shadows.
//!
//! A fixed point over all edges, with points-to analysis for memory. Sources are local variables and memory without an
//! initial value; a value goes on by assignments, through memory, to parameters and from results.

use robusto_cfa::analysis::points_to::{Base, BaseId};
use robusto_cfa::facts::Facts;
use robusto_cfa::ir::{EdgeId, Expr, ExprId, FuncId, HavocSource, IdxVec, Op, VarId};
use rustc_hash::FxHashSet;

/// Variables, memory and functions that an undefined value may come to.
pub(super) struct Taint {
    /// Variables that may hold one.
    pub vars: FxHashSet<VarId>,
    /// Objects that may hold one.
    bases: FxHashSet<BaseId>,
    /// Functions that may return one.
    pub returns: IdxVec<FuncId, bool>,
}

impl Taint {
    pub fn of(facts: &Facts) -> Self {
        let returns = IdxVec::filled(false, facts.program.functions.len());
        let mut taint = Self { vars: FxHashSet::default(), bases: FxHashSet::default(), returns };
        loop {
            let before = taint.size();
            for (id, function) in facts.program.functions.enumerate().filter(|&(id, _)| facts.calls.is_reachable(id)) {
                for (edge_id, edge) in function.edges().enumerate() {
                    taint.add(facts, id, edge_id, &edge.op);
                }
            }
            if taint.size() == before {
                return taint;
            }
        }
    }

    fn size(&self) -> (usize, usize, usize) {
        (self.vars.len(), self.bases.len(), self.returns.iter().filter(|&&returns| returns).count())
    }

    fn add(&mut self, facts: &Facts, id: FuncId, edge: EdgeId, op: &Op) {
        let bases = |addr: ExprId| facts.points_to.of_expr(addr).base_ids();
        match *op {
            // A variable that is set before it is read is not even declared, so to speak.
            Op::Havoc { var, source: HavocSource::Uninit }
                if facts.liveness.at(id, facts.program.functions[id].edge(edge).dst).contains(var) =>
            {
                self.vars.insert(var);
            }
            Op::HavocMem { addr, source: HavocSource::Uninit, .. } => self.bases.extend(bases(addr)),
            Op::Alloc { zeroed: false, .. } => {
                let site = Base::Site(facts.points_to.site_at(id, edge));
                self.bases.insert(facts.points_to.base_id(site));
            }
            Op::Assign { var, value } if self.may_hold(facts, value) => {
                self.vars.insert(var);
            }
            Op::Store { addr, value } if self.may_hold(facts, value) => self.bases.extend(bases(addr)),
            Op::Fill { dst, byte, .. } if self.may_hold(facts, byte) => self.bases.extend(bases(dst)),
            Op::Copy { dst, src, .. } if self.touches(facts, src) => self.bases.extend(bases(dst)),
            Op::Call { result, ref args, .. } => {
                let Some(site) = facts.calls.site(id, edge) else { return };
                for &callee in &site.callees {
                    for (&param, &arg) in facts.program.functions[callee].params.iter().zip(args) {
                        if self.may_hold(facts, arg) {
                            self.vars.insert(param);
                        }
                    }
                    self.vars.extend(result.filter(|_| self.returns[callee]));
                }
            }
            Op::Return { value: Some(value) } if self.may_hold(facts, value) => self.returns[id] = true,
            _ => {}
        }
    }

    /// Whether an access to this address may be to an undefined value.
    pub fn touches(&self, facts: &Facts, addr: ExprId) -> bool {
        !self.bases.is_empty() && facts.points_to.of_expr(addr).base_ids().any(|base| self.bases.contains(&base))
    }

    /// Whether library functions without a body write to memory that may be undefined.
    pub fn is_written_by_library(&self, facts: &Facts) -> bool {
        let reached = facts.program.functions.enumerate().filter(|&(id, _)| facts.calls.is_reachable(id));
        reached.flat_map(|(_, function)| function.edges().iter()).any(|edge| match &edge.op {
            Op::Builtin { builtin, args, .. } => {
                builtin.writes().iter().filter_map(|&at| args.get(at)).any(|&arg| self.touches(facts, arg))
            }
            _ => false,
        })
    }

    /// Whether an expression may have an undefined value.
    fn may_hold(&self, facts: &Facts, root: ExprId) -> bool {
        let mut seen = FxHashSet::default();
        let mut todo = vec![root];
        while let Some(e) = todo.pop() {
            if !seen.insert(e) {
                continue;
            }
            match facts.program.exprs.get(e) {
                Expr::Var(var) if self.vars.contains(&var) => return true,
                Expr::Load(_, addr) if self.touches(facts, addr) => return true,
                Expr::Holds(..) => continue,
                _ => {}
            }
            todo.extend(facts.program.exprs.operands(e));
        }
        false
    }
}
