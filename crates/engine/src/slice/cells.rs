//! What edges read and write, in variables and regions of memory.

use super::lift::Lifted;
use robusto_analyses::symbolic::regions::CopyPlan;
use robusto_analyses::symbolic::{RegionId, Regions};
use robusto_cfa::analysis::points_to::Base;
use robusto_cfa::facts::Facts;
use robusto_cfa::ir::{EdgeId, Expr, ExprId, FuncId, Op, Ty, VarId};
use rustc_hash::FxHashSet;

/// A variable, or a region of memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) enum Cell {
    Var(VarId),
    Region(RegionId),
}

/// What a program's edges access.
pub(super) struct Access<'f> {
    pub facts: &'f Facts,
    pub regions: &'f Regions,
    /// Regions that become variables: where they are does not matter.
    pub lifted: &'f Lifted,
}

impl Access<'_> {
    /// Calls `visit` with what an expression of an edge reads.
    pub fn for_each_read(&self, root: ExprId, mut visit: impl FnMut(Cell)) {
        let program = &self.facts.program;
        let region = |load: ExprId| match program.exprs.get(load) {
            Expr::Load(ty, addr) => Some(self.regions.of_access(addr, ty.size(program.model))),
            _ => None,
        };
        let is_lifted = |load: ExprId| region(load).is_some_and(|region| self.lifted.has(region));
        if self.facts.uses.loads(root).iter().any(|&load| is_lifted(load)) {
            // Nobody asks where a lifted region is.
            let mut todo = vec![root];
            let mut seen = FxHashSet::default();
            while let Some(id) = todo.pop() {
                if !seen.insert(id) {
                    continue;
                }
                match program.exprs.get(id) {
                    Expr::Var(var) => visit(Cell::Var(var)),
                    Expr::Load(..) => region(id).into_iter().for_each(|region| visit(Cell::Region(region))),
                    _ => {}
                }
                if !is_lifted(id) {
                    todo.extend(program.exprs.operands(id));
                }
            }
            return;
        }
        self.facts.uses.vars(root).iter().for_each(|&var| visit(Cell::Var(var)));
        for &load in self.facts.uses.loads(root) {
            if let Expr::Load(ty, addr) = program.exprs.get(load) {
                visit(Cell::Region(self.regions.of_access(addr, ty.size(program.model))));
            }
        }
    }

    /// What the memory behind a pointer may be.
    pub fn behind(&self, pointer: ExprId) -> Vec<RegionId> {
        let mut found: Vec<RegionId> = Vec::new();
        for base in self.facts.points_to.of_expr(pointer).bases() {
            found.extend(self.regions.of_base(base).iter().map(|part| part.region));
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The regions behind the pointers that a builtin is given, which it may read.
    pub fn given(&self, args: &[ExprId]) -> Vec<RegionId> {
        let pointers = args.iter().filter(|&&arg| self.facts.program.exprs.ty(arg) == Ty::Ptr);
        pointers.flat_map(|&arg| self.behind(arg)).collect()
    }

    /// The regions that an edge may write.
    pub fn written(&self, function: FuncId, edge: EdgeId, op: &Op) -> Vec<RegionId> {
        let program = &self.facts.program;
        let mut found: Vec<RegionId> = match *op {
            Op::Store { addr, value } => {
                vec![self.regions.of_access(addr, program.exprs.ty(value).size(program.model))]
            }
            Op::Copy { .. } => match self.regions.of_copy(function, edge) {
                CopyPlan::Cells(cells) => cells.iter().map(|cell| cell.dst).collect(),
                CopyPlan::Range { dst, .. } => vec![*dst],
            },
            Op::Fill { .. } | Op::HavocMem { .. } | Op::Builtin { .. } => {
                self.regions.of_range(function, edge).iter().map(|part| part.region).collect()
            }
            Op::Alloc { .. } => {
                let site = self.facts.points_to.site_at(function, edge);
                self.regions.of_base(Base::Site(site)).iter().map(|part| part.region).collect()
            }
            Op::Free { ptr, .. } => self.behind(ptr),
            _ => Vec::new(),
        };
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The regions that a copy reads for what it writes to a region.
    pub fn copied(&self, function: FuncId, edge: EdgeId, to: RegionId) -> Vec<RegionId> {
        match self.regions.of_copy(function, edge) {
            CopyPlan::Cells(cells) => cells.iter().filter(|cell| cell.dst == to).map(|cell| cell.src).collect(),
            CopyPlan::Range { src, .. } => vec![*src],
        }
    }
}
