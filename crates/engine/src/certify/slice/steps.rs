//! Which steps of a slice are steps of the program.

use super::Check;
use robusto_analyses::symbolic::RegionId;
use robusto_analyses::symbolic::regions::CopyPlan;
use robusto_cfa::analysis::points_to::Base;
use robusto_cfa::analysis::uses::{for_each_root, map_roots};
use robusto_cfa::ir::{Callee, Edge, EdgeId, Expr, ExprId, FuncId, Idx as _, IdxVec, LocId, Op, Ty, VarId};
use rustc_hash::FxHashSet;

impl Check<'_> {
    /// Whether an edge of the slice does what an edge of the program does, from and to the places of its ends.
    pub(super) fn is_same(
        &self,
        id: FuncId,
        number: EdgeId,
        edge: &Edge,
        at: EdgeId,
        harmless: &IdxVec<FuncId, bool>,
    ) -> bool {
        let new = self.slice.program.functions[id].edge(at);
        let ends = matches!(edge.op, Op::Error(_) | Op::Unsupported(_));
        if self.place(id, edge.src) != Some(new.src)
            || !(ends || self.place(id, edge.dst).is_none_or(|to| to == new.dst))
        {
            return false;
        }
        match (&edge.op, &new.op) {
            (Op::Call { result, callee, args }, Op::Call { result: left, callee: other, args: others }) => {
                let Some(site) = self.facts.calls.site(id, number) else { return false };
                let is_needed = |position: usize| {
                    let params = site.callees.iter().map(|&f| self.facts.program.functions[f].params.get(position));
                    params.flatten().any(|&param| self.slice.vars[param])
                };
                let mut pairs = args.iter().zip(others).enumerate();
                let same = args.len() == others.len()
                    && pairs.all(|(position, (arg, other))| !is_needed(position) || self.is_same_value(*arg, *other));
                let known = match (callee, other) {
                    (Callee::Direct(f), Callee::Direct(g)) => f == g,
                    (Callee::Indirect(pointer, _), Callee::Indirect(other, _)) => self.is_same_value(*pointer, *other),
                    _ => false,
                };
                // The functions that are left out return nothing that is known, and grant that nothing of `K` changes. One
                // without a result, which a pointer of another type leads to, gives none here either; what does not return gives none.
                let is_result = |f: &FuncId| match self.facts.results[*f] {
                    Some(var) => !self.returning[*f] || (self.is_entered(*f) && self.slice.vars[var]),
                    None => true,
                };
                let results = match (result.filter(|&var| self.slice.vars[var]), left) {
                    (None, None) => true,
                    (Some(var), Some(other)) => var == *other && site.callees.iter().all(is_result),
                    _ => false,
                };
                let empty = site.callees.iter().all(|&f| self.is_entered(f) || (harmless[f] && self.grants(f)));
                same && known && results && empty
            }
            (&Op::Store { addr, value }, &Op::Assign { var, value: other }) => {
                self.is_variable(addr, self.facts.program.exprs.ty(value), var) && self.is_same_value(value, other)
            }
            (Op::Return { .. } | Op::Halt { .. } | Op::Alloc { .. }, _) => false,
            (op, other) => {
                // The same but for the values, and these are the same, too.
                let mut values = Vec::new();
                for_each_root(other, |root| values.push(root));
                let mut pairs = values.into_iter();
                let mut known = true;
                let mut alike = other.clone();
                let mut roots = Vec::new();
                for_each_root(op, |root| roots.push(root));
                for &root in &roots {
                    known &= pairs.next().is_some_and(|value| self.is_same_value(root, value));
                }
                let mut roots = roots.into_iter();
                map_roots(&mut alike, |value| roots.next().unwrap_or(value));
                known &= *op == alike;
                if let &Op::Store { addr, value } = op {
                    let ty = self.facts.program.exprs.ty(value);
                    known &= self.slice.lifted.iter().all(|(region, _)| *region != self.region(addr, ty));
                }
                if let Op::Builtin { args, .. } = op {
                    let pointers = args.iter().filter(|&&arg| self.facts.program.exprs.ty(arg) == Ty::Ptr);
                    known &= pointers.flat_map(|&arg| self.behind(arg)).all(|region| self.slice.regions[region]);
                }
                if let Op::Copy { .. } = op {
                    known &= match self.regions.of_copy(id, number) {
                        CopyPlan::Cells(cells) => {
                            cells.iter().all(|cell| !self.slice.regions[cell.dst] || self.slice.regions[cell.src])
                        }
                        CopyPlan::Range { dst, src } => !self.slice.regions[*dst] || self.slice.regions[*src],
                    };
                }
                known
            }
        }
    }

    /// Whether the steps of the slice from the place before an allocation to that behind it are this allocation, if anything of
    /// `K` needs it, and what a new object holds in its lifted regions.
    pub(super) fn is_allocated(&self, id: FuncId, number: EdgeId, edge: &Edge) -> bool {
        let function = &self.slice.program.functions[id];
        let site = self.facts.points_to.site_at(id, number);
        let parts = self.regions.of_base(Base::Site(site)).iter().map(|part| part.region);
        let needed: Vec<RegionId> = parts.filter(|&region| self.slice.regions[region]).collect();
        let variable =
            |region: RegionId| self.slice.lifted.iter().find(|(other, _)| *other == region).map(|(_, var)| *var);
        let Op::Alloc { var, zeroed, .. } = edge.op else { return false };
        let is_needed =
            self.every_allocation || self.slice.vars[var] || needed.iter().any(|&region| variable(region).is_none());
        let (Some(mut at), end) = (self.place(id, edge.src), self.place(id, edge.dst)) else { return false };
        let (mut allocated, mut set) = (false, Vec::new());
        loop {
            let mut out = function.out(at);
            let (Some((step, new)), None) = (out.next(), out.next()) else { return false };
            if self.slice.origin.edges[id].get(step.index()) != Some(&number) {
                return false;
            }
            match new.op {
                Op::Skip => {}
                Op::Alloc { .. } if !allocated && set.is_empty() => {
                    let mut sizes = Vec::new();
                    for_each_root(&edge.op, |root| sizes.push(root));
                    let mut alike = new.op.clone();
                    let mut same = true;
                    map_roots(&mut alike, |value| {
                        same &= sizes.iter().all(|&size| self.is_same_value(size, value));
                        sizes.first().copied().unwrap_or(value)
                    });
                    if !same || alike != edge.op {
                        return false;
                    }
                    allocated = true;
                }
                Op::Havoc { var, .. } => set.push(var),
                Op::Assign { var, value } if zeroed => match self.slice.program.exprs.get(value) {
                    Expr::Const(_, 0) => set.push(var),
                    _ => return false,
                },
                _ => return false,
            }
            at = new.dst;
            let is_last = self.slice.origin.edges[id]
                .iter()
                .enumerate()
                .all(|(other, from)| *from != number || function.edge(EdgeId::new(other)).src != at);
            if is_last {
                break;
            }
        }
        let is_own =
            |var: &VarId| self.slice.lifted.iter().any(|(region, other)| other == var && needed.contains(region));
        (allocated || !is_needed)
            && set.iter().all(is_own)
            && needed.iter().filter_map(|&region| variable(region)).all(|var| set.contains(&var))
            && end.is_none_or(|end| end == at)
    }

    /// Whether the slice returns from a location as every function does: with its result.
    pub(super) fn returns(&self, id: FuncId, loc: LocId) -> bool {
        let new = &self.slice.program.functions[id];
        let mut out = new.out(loc);
        let value = |value: Option<ExprId>| match (value, self.facts.results[id]) {
            (Some(value), Some(var)) => self.slice.program.exprs.get(value) == Expr::Var(var),
            (None, None) => true,
            _ => false,
        };
        out.len() == 1 && out.any(|(_, e)| e.dst == new.exit && matches!(e.op, Op::Return { value: v } if value(v)))
    }

    /// Whether a function that the slice does not enter does there what the program's does as far as `K` goes: nothing, and
    /// returns.
    fn grants(&self, function: FuncId) -> bool {
        let new = &self.slice.program.functions[function];
        self.slice.origin.places[function].iter().all(Option::is_none) && self.returns(function, new.entry)
    }

    /// Whether an expression of the slice is one of the program that reads only of `K`, with variables for lifted regions.
    fn is_same_value(&self, old: ExprId, new: ExprId) -> bool {
        let (exprs, left) = (&self.facts.program.exprs, &self.slice.program.exprs);
        let mut todo = vec![(old, new)];
        let mut seen = FxHashSet::default();
        while let Some((old, new)) = todo.pop() {
            if !seen.insert((old, new)) {
                continue;
            }
            match (exprs.get(old), left.get(new)) {
                (Expr::Load(ty, addr), Expr::Var(var)) if self.is_variable(addr, ty, var) => {}
                (Expr::Var(a), Expr::Var(b)) if a == b && self.slice.vars[a] => {}
                (Expr::Load(a, x), Expr::Load(b, y)) if a == b => {
                    let region = self.region(x, a);
                    if !self.slice.regions[region] || self.slice.lifted.iter().any(|(other, _)| *other == region) {
                        return false;
                    }
                    todo.push((x, y));
                }
                (a @ (Expr::Const(..) | Expr::ObjAddr(_) | Expr::FuncAddr(_)), b) if a == b => {}
                (Expr::Unary(a, x), Expr::Unary(b, y)) if a == b => todo.push((x, y)),
                (Expr::Cast(a, s, x), Expr::Cast(b, t, y)) if a == b && s == t => todo.push((x, y)),
                (Expr::Binary(a, w, x), Expr::Binary(b, y, z)) if a == b => todo.extend([(w, y), (x, z)]),
                _ => return false,
            }
        }
        true
    }
}
