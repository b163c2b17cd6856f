//! Memory that becomes variables: regions of one cell, whose object is there once.
//!
//! Scalar replacement, as of locals in `cfa::promote`, for objects whose addresses are handed around: `s->state` is one cell if `s` points
//! to one object, be it through ten functions. A region is *lifted* if all accesses to it are loads and stores of one type at one offset
//! of one object that is a global, or allocated by an edge that is executed at most once. A load becomes a variable, a store an
//! assignment, and where the object is allocated, the variable takes any value (or zero). Where the object lies is not asked any more, so
//! that the pointers to it are often not needed either.
//!
//! Soundness: an access to the region is one to the cell, or invalid, and executions end at invalid accesses. Without them, the slice only
//! has more executions. Decision diagrams, which hold no memory, profit most: of `ssh`, the five tasks that were open are state
//! machines whose state lies on the heap.

use robusto_analyses::symbolic::{RegionId, Regions};
use robusto_cfa::analysis::graph::Graph;
use robusto_cfa::analysis::points_to::Base;
use robusto_cfa::analysis::scc::Sccs;
use robusto_cfa::analysis::uses::for_each_root;
use robusto_cfa::facts::Facts;
use robusto_cfa::ir::{
    Expr, ExprId, ExprPool, FuncId, IdxVec, LocId, ObjectKind, Op, Program, Ty, Var, VarId, VarKind,
};
use rustc_hash::FxHashMap;

/// A region that becomes a variable.
#[derive(Clone, Debug)]
pub(crate) struct Cell {
    /// The object or the allocation site.
    pub base: Base,
    /// Where the cell is in it.
    pub offset: u64,
    /// The type of all accesses.
    pub ty: Ty,
    /// The first value.
    pub initial: u64,
}

/// The regions that become variables.
#[derive(Clone, Debug)]
pub(crate) struct Lifted {
    cells: IdxVec<RegionId, Option<Cell>>,
}

impl Lifted {
    /// Finds them.
    pub fn of(facts: &Facts, regions: &Regions) -> Self {
        let program = &facts.program;
        let once = once(facts);
        let cell = |(_, region): (RegionId, &robusto_analyses::symbolic::regions::Region)| {
            let (base, offset) = region.only.filter(|_| region.read)?;
            let initial = match base {
                Base::Site(site) => {
                    let site = &facts.points_to.sites()[site];
                    let src = program.functions[site.function].edge(site.edge).src;
                    once[site.function].as_ref()?[src].then_some(0)?
                }
                Base::Object(object) => match &program.objects[object].kind {
                    ObjectKind::Global(image) => {
                        let (from, to) = (offset as usize, (offset + region.width) as usize);
                        let wide = |at: u64| at + u64::from(program.model.pointer_bits()) / 8;
                        if image.relocations.iter().any(|r| r.offset < to as u64 && wide(r.offset) > from as u64) {
                            return None;
                        }
                        let byte = |at: usize| u64::from(image.bytes.get(at).copied().unwrap_or(0));
                        (from..to).rev().fold(0, |value, at| value << 8 | byte(at))
                    }
                    ObjectKind::Constant(_) | ObjectKind::Local(_) => return None,
                },
                _ => return None,
            };
            // A constant of 128 bits has no expression of its own.
            (region.width <= 8).then_some(Cell { base, offset, ty: Ty::Ptr, initial })
        };
        let cells = regions.regions.enumerate().map(cell).collect();
        let mut lifted = Self { cells };
        lifted.restrict(facts, regions);
        lifted
    }

    /// None.
    pub fn none(regions: &Regions) -> Self {
        Self { cells: IdxVec::filled(None, regions.regions.len()) }
    }

    /// Whether a region is lifted.
    pub fn has(&self, region: RegionId) -> bool {
        self.cells[region].is_some()
    }

    /// The cell of a region that is lifted.
    pub fn cell(&self, region: RegionId) -> Option<&Cell> {
        self.cells[region].as_ref()
    }

    /// Drops the regions that are accessed in other ways, or as several types.
    fn restrict(&mut self, facts: &Facts, regions: &Regions) {
        let program = &facts.program;
        let mut types: IdxVec<RegionId, Option<Ty>> = IdxVec::filled(None, regions.regions.len());
        let mut dropped: Vec<RegionId> = Vec::new();
        for (id, function) in program.functions.enumerate().filter(|(id, _)| facts.points_to.reached(*id)) {
            for (number, edge) in function.edges().enumerate() {
                let mut access = |addr: ExprId, ty: Ty| {
                    let region = regions.of_access(addr, ty.size(program.model));
                    if types[region].get_or_insert(ty) != &ty {
                        dropped.push(region);
                    }
                };
                for_each_root(&edge.op, |root| {
                    for &load in facts.uses.loads(root) {
                        if let Expr::Load(ty, addr) = program.exprs.get(load) {
                            access(addr, ty);
                        }
                    }
                });
                match &edge.op {
                    Op::Store { addr, value } => access(*addr, program.exprs.ty(*value)),
                    Op::Copy { .. } => dropped.extend(regions.of_copy(id, number).regions()),
                    Op::Fill { .. } | Op::HavocMem { .. } => {
                        dropped.extend(regions.of_range(id, number).iter().map(|part| part.region));
                    }
                    Op::Builtin { args, .. } => {
                        dropped.extend(regions.of_range(id, number).iter().map(|part| part.region));
                        for &arg in args.iter().filter(|&&arg| program.exprs.ty(arg) == Ty::Ptr) {
                            let bases = facts.points_to.of_expr(arg).bases();
                            let parts = bases.into_iter().flat_map(|base| regions.of_base(base));
                            dropped.extend(parts.map(|part| part.region));
                        }
                    }
                    _ => {}
                }
            }
        }
        for (region, ty) in types.enumerate() {
            if let (Some(cell), Some(ty)) = (&mut self.cells[region], ty) {
                cell.ty = *ty;
            }
        }
        dropped.into_iter().for_each(|region| self.cells[region] = None);
    }
}

/// For each function that is entered at most once: whether control comes to each location at most once.
fn once(facts: &Facts) -> IdxVec<FuncId, Option<IdxVec<LocId, bool>>> {
    let program = &facts.program;
    let mut found: IdxVec<FuncId, Option<IdxVec<LocId, bool>>> = IdxVec::filled(None, program.functions.len());
    let mut calls: IdxVec<FuncId, Vec<(FuncId, LocId)>> = IdxVec::filled(Vec::new(), program.functions.len());
    for id in program.functions.ids() {
        for site in facts.calls.sites(id) {
            let src = program.functions[id].edge(site.edge).src;
            site.callees.iter().for_each(|&callee| calls[callee].push((id, src)));
        }
    }
    // Callers first.
    for &id in facts.calls.bottom_up().iter().rev() {
        let is_once = match &calls[id][..] {
            [] => program.main == Some(id),
            [(caller, loc)] => program.main != Some(id) && found[*caller].as_ref().is_some_and(|locs| locs[*loc]),
            _ => false,
        };
        if is_once && !facts.calls.is_recursive(id) {
            let function = &program.functions[id];
            let graph = Graph::of(function);
            let sccs = Sccs::new(&graph);
            let alone =
                |loc: LocId| sccs.members(sccs.component(loc)).len() == 1 && graph.successors(loc).all(|to| to != loc);
            found[id] = Some(function.locs().map(alone).collect());
        }
    }
    found
}

/// The variables of regions, and expressions in which they stand for loads.
pub(super) struct Rewrite<'f> {
    facts: &'f Facts,
    regions: &'f Regions,
    pub vars: FxHashMap<RegionId, VarId>,
    done: FxHashMap<ExprId, ExprId>,
}

impl<'f> Rewrite<'f> {
    /// Makes variables for lifted regions that are needed.
    pub fn new(
        facts: &'f Facts,
        regions: &'f Regions,
        lifted: &Lifted,
        needed: &IdxVec<RegionId, bool>,
        program: &mut Program,
    ) -> Self {
        let mut vars = FxHashMap::default();
        for region in regions.regions.ids().filter(|&region| needed[region]) {
            let Some(cell) = lifted.cell(region) else { continue };
            let (name, pos) = match cell.base {
                Base::Object(object) => (program.objects[object].name.to_string(), program.objects[object].pos),
                Base::Site(site) => {
                    let site = &facts.points_to.sites()[site];
                    let pos = program.functions[site.function].edge(site.edge).pos;
                    (format!("heap.{}", pos.line), pos)
                }
                _ => continue,
            };
            let initial = program.exprs.intern(Expr::Const(cell.ty, cell.initial));
            let kind = VarKind::Global(initial);
            let name = format!("{name}@{}", cell.offset).into();
            let var = program.vars.push(Var { name, ty: cell.ty, signed: true, kind, pos });
            program.exprs.declare(var, cell.ty);
            vars.insert(region, var);
        }
        Self { facts, regions, vars, done: FxHashMap::default() }
    }

    /// The variable of a load or store, if its region is lifted.
    pub fn access(&self, addr: ExprId, ty: Ty) -> Option<VarId> {
        if self.vars.is_empty() {
            return None;
        }
        self.vars.get(&self.regions.of_access(addr, ty.size(self.facts.program.model))).copied()
    }

    /// An expression with variables for loads. Nothing is simplified, so that the check finds the parts again.
    pub fn expr(&mut self, exprs: &mut ExprPool, root: ExprId) -> ExprId {
        if self.vars.is_empty() || self.facts.uses.loads(root).is_empty() {
            return root;
        }
        let mut stack = vec![(root, false)];
        while let Some((id, ready)) = stack.pop() {
            if self.done.contains_key(&id) {
                continue;
            }
            let old = exprs.get(id);
            if let Expr::Load(ty, addr) = old
                && let Some(var) = self.access(addr, ty)
            {
                let new = exprs.intern(Expr::Var(var));
                self.done.insert(id, new);
                continue;
            }
            if !ready {
                stack.push((id, true));
                stack.extend(exprs.operands(id).map(|operand| (operand, false)).collect::<Vec<_>>());
                continue;
            }
            let of = |operand: ExprId| self.done[&operand];
            let new = match old {
                Expr::Const(..) | Expr::Var(_) | Expr::ObjAddr(_) | Expr::FuncAddr(_) => old,
                Expr::Load(ty, addr) => Expr::Load(ty, of(addr)),
                Expr::Unary(op, a) => Expr::Unary(op, of(a)),
                Expr::Binary(op, a, b) => Expr::Binary(op, of(a), of(b)),
                Expr::Cast(op, ty, a) => Expr::Cast(op, ty, of(a)),
                Expr::Holds(claim, a, b) => Expr::Holds(claim, of(a), of(b)),
            };
            let new = if new == old { id } else { exprs.intern(new) };
            self.done.insert(id, new);
        }
        self.done[&root]
    }
}
