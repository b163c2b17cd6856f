//! Is a slice an over-approximation of the program?
//!
//! A forward simulation, checked edge by edge (Milner: *An algebraic definition of simulation between programs*, IJCAI 1971). The slicer is
//! not trusted, nor is what it knows of dependence: only its result is looked at, which is for each location of the program one
//! of the slice (or none), for each edge of the slice one of the program, and a set `K` of variables and regions.
//!
//! A state of the program is related to one of the slice if both agree on `K`, and their pending calls are related one by one, where a
//! function that is left out, and all that it calls, belongs to the place of the call. What is checked for each edge of the program:
//!
//! | an edge | what is asked |
//! |---|---|
//! | with an edge of the slice | the same operation from and to the places of its ends; it reads only of `K`; of a call, arguments of parameters in `K` are the same, and so is the result if it is in `K` |
//! | without | it writes nothing of `K`, is no target, and both ends have the same place; what it calls is *harmless* |
//! | from or to a location without place | it leads to one without, is no target, and neither is anything that it calls; it does not return |
//!
//! A function is harmless if its edges, and those of all that it calls, are no targets, and write nothing of `K` where it may still return. So a
//! step of the program is a step of the slice, or none, and targets are steps of the slice: whatever the program reaches, the slice does.
//!
//! What is trusted, as by the encoding of steps itself: which memory an access may touch (points-to analysis, and the regions made of
//! it), and which functions a call may call.

use super::Failure;
use crate::addresses;
use crate::slice::Slice;
use robusto_analyses::symbolic::regions::CopyPlan;
use robusto_analyses::symbolic::{RegionId, Regions};
use robusto_cfa::analysis::points_to::Base;
use robusto_cfa::analysis::uses::{defined, for_each_root, map_roots};
use robusto_cfa::facts::Facts;
use robusto_cfa::ir::{Callee, Edge, EdgeId, Expr, ExprId, FuncId, Idx as _, IdxVec, LocId, ObjectKind, Op, Ty, VarId};
use rustc_hash::FxHashSet;

/// Checks that whatever target the program can reach, the slice can.
pub(crate) fn check(facts: &Facts, slice: &Slice, left: &Facts) -> Result<(), Failure> {
    let regions = Regions::of(facts);
    let [returning, silent] = [(); 2].map(|()| IdxVec::filled(false, facts.program.functions.len()));
    let mut check =
        Check { facts, slice, regions: &regions, every_allocation: addresses::looks(left), returning, silent };
    check.find_returning();
    check.find_silent();
    check.all().map_err(|what| Failure::Refuted(format!("the slice leaves out too much: {what}")))
}

struct Check<'c> {
    facts: &'c Facts,
    slice: &'c Slice,
    regions: &'c Regions,
    /// Whether the slice looks at where objects lie, which every allocation changes.
    every_allocation: bool,
    /// The functions that may return.
    returning: IdxVec<FuncId, bool>,
    /// The functions that come to no target, whatever they call.
    silent: IdxVec<FuncId, bool>,
}

fn is_target(op: &Op) -> bool {
    matches!(op, Op::Error(_) | Op::Unsupported(_))
}

impl Check<'_> {
    fn all(&self) -> Result<(), String> {
        let (program, left) = (&self.facts.program, &self.slice.program);
        if program.main != left.main
            || program.vars.as_slice() != left.vars.as_slice().get(..program.vars.len()).unwrap_or(&[])
            || program.objects != left.objects
            || program.functions.len() != left.functions.len()
        {
            return Err("it is another program".to_owned());
        }
        if program.exprs.ids().any(|id| program.exprs.get(id) != left.exprs.get(id)) {
            return Err("its expressions are others".to_owned());
        }
        if program.exprs.ids().any(|id| matches!(program.exprs.get(id), Expr::Holds(..))) {
            return Err("claims about memory depend on every access".to_owned());
        }
        self.lifted()?;
        let harmless = self.harmless();
        for (id, function) in program.functions.enumerate() {
            if !self.is_entered(id) {
                if program.main == Some(id) && !harmless[id] {
                    return Err("the start of the program".to_owned());
                }
                continue;
            }
            self.function(id, &harmless).map_err(|what| format!("{what} in {}", function.name))?;
        }
        Ok(())
    }

    /// Whether the slice has locations of a function.
    fn is_entered(&self, function: FuncId) -> bool {
        self.place(function, self.facts.program.functions[function].entry).is_some()
    }

    fn place(&self, function: FuncId, loc: LocId) -> Option<LocId> {
        self.slice.origin.places[function].get(loc).copied().flatten()
    }

    /// Finds the functions that may return: the least such set.
    fn find_returning(&mut self) {
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
    fn comes_to(&self, id: FuncId) -> IdxVec<LocId, bool> {
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
    fn passes(&self, id: FuncId, number: EdgeId) -> bool {
        match self.facts.calls.site(id, number) {
            Some(site) => site.unknown || site.callees.iter().any(|&callee| self.returning[callee]),
            None => true,
        }
    }

    /// The functions that come to no target, whatever they call: the greatest such set.
    fn find_silent(&mut self) {
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
    fn harmless(&self) -> IdxVec<FuncId, bool> {
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

    fn may_run(&self, function: FuncId) -> bool {
        self.facts.points_to.reached(function)
    }

    /// Whether an edge writes nothing of `K` and is no target; what it calls is another question.
    fn is_harmless(&self, function: FuncId, number: EdgeId, edge: &Edge) -> bool {
        let is_written = match edge.op {
            ref op if is_target(op) => return false,
            Op::Alloc { .. } if self.every_allocation => return false,
            ref op => defined(op).is_some_and(|var| self.slice.vars[var]),
        };
        let mut regions = self.written(function, number, edge).into_iter();
        !is_written && !regions.any(|region| self.slice.regions[region])
    }

    fn function(&self, id: FuncId, harmless: &IdxVec<FuncId, bool>) -> Result<(), String> {
        let (old, new) = (&self.facts.program.functions[id], &self.slice.program.functions[id]);
        if (&old.params, &old.objects, old.ret, old.external) != (&new.params, &new.objects, new.ret, new.external) {
            return Err("its head is another".to_owned());
        }
        if self.place(id, old.entry) != Some(new.entry) || self.place(id, old.exit).is_some_and(|at| at != new.exit) {
            return Err("entry or exit".to_owned());
        }
        let origins = &self.slice.origin.edges[id];
        let mut of: IdxVec<EdgeId, Vec<EdgeId>> = IdxVec::filled(Vec::new(), old.edges().len());
        for (at, &from) in origins.iter().enumerate() {
            of[from].push(EdgeId::new(at));
        }
        let reached = self.comes_to(id);
        for (number, edge) in old.edges().enumerate().filter(|(_, edge)| reached[edge.src]) {
            let what = || format!("edge {} at line {}", number.index(), edge.pos.line);
            let calls = |all: &IdxVec<FuncId, bool>| {
                let mut callees = self.facts.calls.site(id, number).into_iter().flat_map(|site| &site.callees);
                callees.all(|&callee| all[callee])
            };
            let (src, dst) = (self.place(id, edge.src), self.place(id, edge.dst));
            // Control leaves a function only from the place before its return.
            let stays = matches!(edge.op, Op::Return { .. }) && src.is_some_and(|src| self.returns(id, src));
            let is_kept = match edge.op {
                Op::Alloc { .. } => self.is_allocated(id, number, edge),
                _ => of[number].iter().any(|&at| self.is_same(id, number, edge, at, harmless)),
            };
            // What leads nowhere may write what it likes.
            let is_harmless = match (src, dst) {
                (None, _) | (_, None) => !is_target(&edge.op) && calls(&self.silent),
                _ => self.is_harmless(id, number, edge) && calls(harmless),
            };
            let is_left_out = is_harmless
                && !matches!(edge.op, Op::Return { .. })
                && (dst.is_none() || dst == src || !self.passes(id, number));
            // No target is reached any more, by whatever is called either.
            let is_over = matches!(edge.op, Op::Return { .. }) && src.is_none();
            if is_over || !(stays || is_kept || is_left_out) {
                return Err(what());
            }
        }
        Ok(())
    }

    /// Whether the slice returns from a location as every function does: with its result.
    fn returns(&self, id: FuncId, loc: LocId) -> bool {
        let new = &self.slice.program.functions[id];
        let mut out = new.out(loc);
        let value = |value: Option<ExprId>| match (value, self.facts.results[id]) {
            (Some(value), Some(var)) => self.slice.program.exprs.get(value) == Expr::Var(var),
            (None, None) => true,
            _ => false,
        };
        out.len() == 1 && out.any(|(_, e)| e.dst == new.exit && matches!(e.op, Op::Return { value: v } if value(v)))
    }

    /// Whether an edge of the slice does what an edge of the program does, from and to the places of its ends.
    fn is_same(&self, id: FuncId, number: EdgeId, edge: &Edge, at: EdgeId, harmless: &IdxVec<FuncId, bool>) -> bool {
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
                    (Callee::Indirect(pointer), Callee::Indirect(other)) => self.is_same_value(*pointer, *other),
                    _ => false,
                };
                // The functions that are left out return nothing that is known, and grant that nothing of `K` changes.
                let is_result =
                    |f: &FuncId| self.is_entered(*f) && self.facts.results[*f].is_some_and(|var| self.slice.vars[var]);
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

    /// Whether a function that the slice does not enter does there what the program's does as far as `K` goes: nothing, and
    /// returns.
    fn grants(&self, function: FuncId) -> bool {
        let new = &self.slice.program.functions[function];
        self.slice.origin.places[function].iter().all(Option::is_none) && self.returns(function, new.entry)
    }

    fn region(&self, addr: ExprId, ty: Ty) -> RegionId {
        self.regions.of_access(addr, ty.size(self.facts.program.model))
    }

    /// Whether a load or store is one of the region that a variable stands for.
    fn is_variable(&self, addr: ExprId, ty: Ty, var: VarId) -> bool {
        self.slice.lifted.contains(&(self.region(addr, ty), var))
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

    /// Whether the steps of the slice from the place before an allocation to that behind it are this allocation, if anything of
    /// `K` needs it, and what a new object holds in its lifted regions.
    fn is_allocated(&self, id: FuncId, number: EdgeId, edge: &Edge) -> bool {
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

    /// Whether each lifted region is one cell of an object that is there once, accessed as one type and by loads and stores alone,
    /// and has a variable of its own with its first value.
    fn lifted(&self) -> Result<(), String> {
        let Facts { program, points_to, uses, .. } = self.facts;
        let first_new = program.vars.len();
        let slice = self.slice;
        for (position, &(region, var)) in slice.lifted.iter().enumerate() {
            let wrong = || format!("{region:?} is no variable");
            let is_again = slice.lifted[..position].iter().any(|&(r, v)| r == region || v == var);
            let Some(of) = slice.program.vars.get(var).filter(|_| var.index() >= first_new && !is_again) else {
                return Err(wrong());
            };
            let Some((base, offset)) = self.regions.regions[region].only else { return Err(wrong()) };
            let robusto_cfa::ir::VarKind::Global(initial) = of.kind else { return Err(wrong()) };
            if of.ty.size(program.model) != self.regions.regions[region].width || !slice.regions[region] {
                return Err(wrong());
            }
            let is_once = match base {
                Base::Site(site) => {
                    let site = &points_to.sites()[site];
                    self.is_once(site.function, program.functions[site.function].edge(site.edge).src)
                }
                Base::Object(object) => match (&program.objects[object].kind, slice.program.exprs.get(initial)) {
                    (ObjectKind::Global(image), Expr::Const(ty, value)) if ty == of.ty => {
                        let bytes = &value.to_le_bytes()[..of.ty.size(program.model).min(8) as usize];
                        let end = offset + bytes.len() as u64;
                        let at = |i: usize| image.bytes.get(offset as usize + i).copied().unwrap_or(0);
                        let pointer = u64::from(program.model.pointer_bits()) / 8;
                        bytes.iter().enumerate().all(|(i, &byte)| byte == at(i))
                            && image.relocations.iter().all(|r| r.offset >= end || r.offset + pointer <= offset)
                    }
                    _ => false,
                },
                _ => false,
            };
            if !is_once {
                return Err(wrong());
            }
        }
        let ty =
            |region: RegionId| slice.lifted.iter().find(|(r, _)| *r == region).map(|(_, v)| slice.program.vars[*v].ty);
        for (id, function) in program.functions.enumerate().filter(|(id, _)| self.may_run(*id)) {
            for (number, edge) in function.edges().enumerate() {
                let mut fits = true;
                for_each_root(&edge.op, |root| {
                    for &load in uses.loads(root) {
                        if let Expr::Load(as_type, addr) = program.exprs.get(load) {
                            fits &= ty(self.region(addr, as_type)).is_none_or(|ty| ty == as_type);
                        }
                    }
                });
                fits &= match &edge.op {
                    Op::Store { addr, value } => {
                        let as_type = program.exprs.ty(*value);
                        ty(self.region(*addr, as_type)).is_none_or(|ty| ty == as_type)
                    }
                    Op::Copy { .. } => {
                        self.regions.of_copy(id, number).regions().into_iter().all(|region| ty(region).is_none())
                    }
                    Op::Fill { .. } | Op::HavocMem { .. } => {
                        self.regions.of_range(id, number).iter().all(|part| ty(part.region).is_none())
                    }
                    Op::Builtin { args, .. } => {
                        let pointers = args.iter().filter(|&&arg| program.exprs.ty(arg) == Ty::Ptr);
                        let mut behind = pointers.flat_map(|&arg| self.behind(arg));
                        behind.all(|region| ty(region).is_none())
                            && self.regions.of_range(id, number).iter().all(|part| ty(part.region).is_none())
                    }
                    _ => true,
                };
                if !fits {
                    return Err(format!("an access to lifted memory at line {} in {}", edge.pos.line, function.name));
                }
            }
        }
        Ok(())
    }

    /// Whether control comes to a location at most once: no cycle leads back to it, and so for the one call of its function, up to
    /// `main`.
    fn is_once(&self, function: FuncId, loc: LocId) -> bool {
        let functions = &self.facts.program.functions;
        let (mut function, mut loc) = (function, loc);
        for _ in 0..=functions.len() {
            let mut todo: Vec<LocId> = functions[function].out(loc).map(|(_, edge)| edge.dst).collect();
            let mut seen: FxHashSet<LocId> = todo.iter().copied().collect();
            while let Some(at) = todo.pop() {
                if at == loc {
                    return false;
                }
                todo.extend(functions[function].out(at).map(|(_, edge)| edge.dst).filter(|to| seen.insert(*to)));
            }
            let mut calls = functions.ids().flat_map(|caller| {
                let sites = self.facts.calls.sites(caller).iter();
                sites.filter(|site| site.callees.contains(&function)).map(move |site| (caller, site.edge))
            });
            match (calls.next(), calls.next()) {
                (None, _) => return self.facts.program.main == Some(function),
                (Some((caller, edge)), None) if self.facts.program.main != Some(function) => {
                    (function, loc) = (caller, functions[caller].edge(edge).src);
                }
                _ => return false,
            }
        }
        false
    }

    fn behind(&self, pointer: ExprId) -> Vec<RegionId> {
        let bases = self.facts.points_to.of_expr(pointer).bases();
        bases.into_iter().flat_map(|base| self.regions.of_base(base)).map(|part| part.region).collect()
    }

    /// The regions that an edge may write.
    fn written(&self, function: FuncId, number: EdgeId, edge: &Edge) -> Vec<RegionId> {
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
