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
//!
//! `functions` says which functions return, come to no target, and are harmless; `steps` which steps of the slice are those of the program;
//! `lifted` whether regions may be variables; `memory` which regions an edge touches.

mod functions;
mod lifted;
mod memory;
mod steps;

use super::Failure;
use crate::addresses;
use crate::slice::Slice;
use robusto_analyses::symbolic::Regions;
use robusto_cfa::facts::Facts;
use robusto_cfa::ir::{EdgeId, Expr, FuncId, Idx as _, IdxVec, LocId, Op};

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

    fn may_run(&self, function: FuncId) -> bool {
        self.facts.points_to.reached(function)
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
}
