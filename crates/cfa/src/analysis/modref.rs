//! What a call may read and write: global variables and memory.
//!
//! Banning: *An efficient way to find the side effects of procedure calls and the aliases of variables*, POPL 1979; the
//! propagation over the components of the call graph as in Cooper, Kennedy: *Interprocedural side-effect analysis in
//! linear time*, PLDI 1988. Memory by the objects that [`PointsTo`] gives for each address.
//!
//! Soundness: an access in a function goes to a global variable that stands in the operation, or to an object that the
//! address may point to; what a call does, its callees do; components are closed under calls. Objects of a function's
//! own activation begin and end with it, so callers do not see them. One pass bottom-up over sparse sets.

use super::callgraph::CallGraph;
use super::points_to::{Base, BaseId, PointsTo, Targets};
use super::scc::SccId;
use super::sparse::SparseSet;
use super::uses::{Uses, defined, for_each_root};
use crate::ir::{Expr, ExprId, FuncId, IdxVec, Op, Program, Ty, VarId, VarKind};

/// Reads and writes. [`PointsTo::base`] names the members of the memory sets.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Effects {
    /// Global variables that may be read.
    pub reads: SparseSet<VarId>,
    /// Global variables that may be written.
    pub writes: SparseSet<VarId>,
    /// Memory that may be read.
    pub loads: SparseSet<BaseId>,
    /// Memory that may be written, allocated or freed.
    pub stores: SparseSet<BaseId>,
    /// Whether something may be called that the points-to analysis knows nothing about; it is not in the sets.
    pub calls_unknown: bool,
}

impl Effects {
    fn union_with(&mut self, other: &Self) {
        self.reads.union_with(&other.reads);
        self.writes.union_with(&other.writes);
        self.loads.union_with(&other.loads);
        self.stores.union_with(&other.stores);
        self.calls_unknown |= other.calls_unknown;
    }
}

/// The effects of all functions.
#[derive(Clone, Debug)]
pub struct ModRef {
    own: IdxVec<FuncId, Effects>,
    component: IdxVec<FuncId, SccId>,
    of_component: IdxVec<SccId, Effects>,
}

impl ModRef {
    /// The effects of all functions, by components bottom-up.
    pub fn of(program: &Program, uses: &Uses, points_to: &PointsTo, calls: &CallGraph) -> Self {
        let mut collect = Collect { program, uses, points_to, bases: vec![None; points_to.num_sets()] };
        let own: IdxVec<FuncId, Effects> = program.functions.ids().map(|f| collect.function(f, calls)).collect();
        let sccs = calls.components();
        let mut of_component: IdxVec<SccId, Effects> = IdxVec::new();
        for id in sccs.ids() {
            let mut effects = Effects::default();
            let mut locals = SparseSet::new();
            for &member in sccs.members(id) {
                effects.union_with(&own[member]);
                for callee in calls.callees(member).map(|f| sccs.component(f)).filter(|&c| c != id) {
                    effects.union_with(&of_component[callee]);
                }
                locals.extend(program.functions[member].objects.iter().map(|&o| points_to.base_id(Base::Object(o))));
            }
            effects.loads = effects.loads.difference(&locals);
            effects.stores = effects.stores.difference(&locals);
            of_component.push(effects);
        }
        let component = program.functions.ids().map(|f| sccs.component(f)).collect();
        Self { own, component, of_component }
    }

    /// What a call of the function may do, as its callers see it: its own activation's objects are left out, and those of
    /// functions that it is mutually recursive with.
    pub fn of_call(&self, function: FuncId) -> &Effects {
        &self.of_component[self.component[function]]
    }

    /// What the function's own edges do, without the functions that it calls.
    pub fn own(&self, function: FuncId) -> &Effects {
        &self.own[function]
    }
}

struct Collect<'p> {
    program: &'p Program,
    uses: &'p Uses,
    points_to: &'p PointsTo,
    /// The objects of each points-to set, once asked for.
    bases: Vec<Option<SparseSet<BaseId>>>,
}

impl Collect<'_> {
    fn function(&mut self, id: FuncId, calls: &CallGraph) -> Effects {
        let mut effects = Effects { calls_unknown: calls.sites(id).iter().any(|s| s.unknown), ..Effects::default() };
        let program = self.program;
        for (edge_id, edge) in program.functions[id].edges().enumerate() {
            for_each_root(&edge.op, |root| {
                effects.reads.extend(self.uses.vars(root).iter().copied().filter(|&v| self.is_global(v)));
                for &load in self.uses.loads(root) {
                    if let Expr::Load(_, addr) = program.exprs.get(load) {
                        effects.loads.union_with(self.bases(addr));
                    }
                }
            });
            effects.writes.extend(defined(&edge.op).filter(|&v| self.is_global(v)));
            match edge.op {
                Op::Store { addr, .. } | Op::HavocMem { addr, .. } => self.store(addr, &mut effects),
                Op::Fill { dst, .. } => self.store(dst, &mut effects),
                Op::Free { ptr, .. } => self.store(ptr, &mut effects),
                Op::Copy { dst, src, .. } => {
                    self.store(dst, &mut effects);
                    effects.loads.union_with(self.bases(src));
                }
                Op::Builtin { builtin, ref args, .. } => {
                    for &position in builtin.writes() {
                        args.get(position).into_iter().for_each(|&arg| self.store(arg, &mut effects));
                    }
                    // `printf("%s", p)` reads what `p` points to.
                    for &arg in args.iter().filter(|&&arg| program.exprs.ty(arg) == Ty::Ptr) {
                        effects.loads.union_with(self.bases(arg));
                    }
                }
                Op::Alloc { .. } if self.points_to.reached(id) => {
                    let site = self.points_to.site_at(id, edge_id);
                    effects.stores.insert(self.points_to.base_id(Base::Site(site)));
                }
                _ => {}
            }
        }
        effects
    }

    fn is_global(&self, var: VarId) -> bool {
        matches!(self.program.vars[var].kind, VarKind::Global(_))
    }

    fn store(&mut self, addr: ExprId, effects: &mut Effects) {
        effects.stores.union_with(self.bases(addr));
    }

    fn bases(&mut self, addr: ExprId) -> &SparseSet<BaseId> {
        let targets: Targets<'_> = self.points_to.of_expr(addr);
        self.bases[targets.set_number()].get_or_insert_with(|| targets.base_ids().collect())
    }
}
