//! Which regions of memory an edge touches.

use super::Check;
use robusto_analyses::symbolic::RegionId;
use robusto_analyses::symbolic::regions::CopyPlan;
use robusto_cfa::analysis::points_to::Base;
use robusto_cfa::ir::{Edge, EdgeId, ExprId, FuncId, Op, Ty, VarId};

impl Check<'_> {
    pub(super) fn region(&self, addr: ExprId, ty: Ty) -> RegionId {
        self.regions.of_access(addr, ty.size(self.facts.program.model))
    }

    /// Whether a load or store is one of the region that a variable stands for.
    pub(super) fn is_variable(&self, addr: ExprId, ty: Ty, var: VarId) -> bool {
        self.slice.lifted.contains(&(self.region(addr, ty), var))
    }

    pub(super) fn behind(&self, pointer: ExprId) -> Vec<RegionId> {
        let bases = self.facts.points_to.of_expr(pointer).bases();
        bases.into_iter().flat_map(|base| self.regions.of_base(base)).map(|part| part.region).collect()
    }

    /// The regions that an edge may write.
    pub(super) fn written(&self, function: FuncId, number: EdgeId, edge: &Edge) -> Vec<RegionId> {
        let program = &self.facts.program;
        match edge.op {
            Op::Store { addr, value } => {
                vec![self.regions.of_access(addr, program.exprs.ty(value).size(program.model))]
            }
            Op::Copy { .. } => match self.regions.of_copy(function, number) {
                CopyPlan::Cells(cells) => cells.iter().map(|cell| cell.dst).collect(),
                CopyPlan::Range { dst, .. } => vec![*dst],
            },
            Op::Fill { .. } | Op::HavocMem { .. } | Op::Builtin { .. } => {
                self.regions.of_range(function, number).iter().map(|part| part.region).collect()
            }
            Op::Alloc { .. } => {
                let site = self.facts.points_to.site_at(function, number);
                self.regions.of_base(Base::Site(site)).iter().map(|part| part.region).collect()
            }
            _ => Vec::new(),
        }
    }
}
