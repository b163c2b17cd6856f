//! Whether regions of memory may be variables in a slice.

use super::Check;
use robusto_analyses::symbolic::RegionId;
use robusto_cfa::analysis::points_to::Base;
use robusto_cfa::analysis::uses::for_each_root;
use robusto_cfa::facts::Facts;
use robusto_cfa::ir::{Expr, FuncId, Idx as _, LocId, ObjectKind, Op, Ty, VarKind};
use rustc_hash::FxHashSet;

impl Check<'_> {
    /// Whether each lifted region is one cell of an object that is there once, accessed as one type and by loads and stores alone,
    /// and has a variable of its own with its first value.
    pub(super) fn lifted(&self) -> Result<(), String> {
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
            let VarKind::Global(initial) = of.kind else { return Err(wrong()) };
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
}
