//! Closes a program: what leaves its functions becomes steps that every engine understands.
//!
//! - A call through a pointer that is none of the known functions is not modelled, unless the pointer is from outside: then it comes
//!   to a function that the program hands out, or to a stub that does what functions outside do.
//! - What a function without a body may change (`escape`) becomes havocs of the objects that the pointer may point to, if
//!   points-to analysis knows few of them with their sizes. If not, or where the pointer leads outside, the step stays as it is; engines then treat it as an
//!   approximation. The step says how many bytes behind the pointer have been followed by their type; if there may be
//!   further pointers in the object, the step is not modelled where the pointer is not null.
//! - The parameters of `main` get their values ([`arguments`]).
//! - An access at an address that is a number of the program is not modelled ([`numbers`]).
//!
//! Soundness: of an indirect call, the engines follow the functions that points-to analysis names; all other values of the
//! pointer come to the step that is not modelled.

mod arguments;
mod numbers;
mod outside;
mod texts;

pub(crate) use outside::lead_outside;

use crate::problem::Unasked;
use robusto_cfa::analysis::callgraph::CallGraph;
use robusto_cfa::analysis::points_to::{Base, Offset, PointsTo, Targets};
use robusto_cfa::analysis::uses::Uses;
use robusto_cfa::ir::{
    BinOp, Builtin, Callee, CastOp, Edge, ErrorKind, Expr, ExprId, FuncId, Function, Granted, HavocSource, Idx as _,
    LocId, ObjId, ObjectKind, Op, Outside, Program, RelocTarget, SrcPos,
};
use robusto_interp::Layout;
use std::collections::BTreeSet;

/// Most objects for which what escapes is told apart.
const FEW: usize = 16;

/// What becomes of a step.
enum Rewrite {
    /// A call through a pointer: these functions are known, whether there may be others, and one outside of the program does what these
    /// others do. In front of it stand functions of the program that the pointer may have been compared with.
    Call { pointer: ExprId, known: Vec<FuncId>, open: bool, from_outside: bool, outside: Vec<FuncId> },
    /// A pointer is handed to a function without a body, which may change these objects, and memory outside.
    Escape { pointer: ExprId, source: HavocSource, objects: Vec<Extent>, outside: bool },
    /// A device's register is written.
    Register { address: ExprId, size: ExprId },
    /// A function without a body gets a pointer behind which there are others that have not been followed.
    Follow { pointer: ExprId, function: FuncId },
}

/// What happens instead of a call.
struct Instead<'o> {
    /// Where the pointer is none of the functions.
    others: Op,
    /// Where the function does not fit.
    misfit: &'o Op,
}

/// An object that may change.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extent {
    /// An object of the program.
    Object(ObjId),
    /// So many bytes from the pointer on.
    Bytes(u64),
}

/// Closes a program. Where accesses are checked, a call through a pointer that is none of the known functions is a violation:
/// the pointer is null, or was never a function's. A call of a function that takes something else is one as well; elsewhere executions end there, by
/// `unasked`, and its place is given.
pub(crate) fn close(program: &mut Program, checked: bool, unasked: Unasked) -> Vec<SrcPos> {
    arguments::give(program, program.outside == Outside::Nowhere);
    if !checked {
        numbers::guard(program);
    }
    let leaves = |op: &Op| match op {
        Op::Call { callee: Callee::Indirect(..), .. } => true,
        Op::Builtin { builtin, .. } => matches!(builtin, Builtin::Escape | Builtin::Register),
        _ => false,
    };
    if !program.functions.iter().any(|f| f.edges().iter().any(|e| leaves(&e.op))) {
        return Vec::new();
    }
    let misfit = match checked || unasked == Unasked::Error {
        true => Op::Error(ErrorKind::Deref),
        false => Op::Halt { status: None },
    };
    let mut misfits = Vec::new();
    let points_to = PointsTo::of(program, &Uses::of(program));
    let calls = CallGraph::of(program, &points_to);
    for id in program.functions.ids() {
        // In a recursive function, the name of a local object means the youngest of several.
        let own = Some(id).filter(|&id| !calls.is_recursive(id));
        let rewrites: Vec<Option<Rewrite>> = program.functions[id]
            .edges()
            .iter()
            .map(|edge| rewrite(program, &points_to, own, &edge.op, checked))
            .collect();
        if rewrites.iter().any(Option::is_some) {
            rebuild(program, id, |builder, edges| {
                misfits.extend(builder.rewrite(edges, rewrites, checked, &misfit));
            });
        }
    }
    robusto_cfa::verify::assert_valid(program, "closing the program");
    if checked { Vec::new() } else { misfits }
}

/// What an operation becomes, if it is not to stay as it is.
fn rewrite(program: &Program, points_to: &PointsTo, own: Option<FuncId>, op: &Op, checked: bool) -> Option<Rewrite> {
    match *op {
        Op::Call { callee: Callee::Indirect(pointer, _), .. } => {
            let callees = points_to.callees(pointer);
            let open = callees.unknown || callees.functions.is_empty();
            let from_outside = !checked && points_to.of_expr(pointer).may_be_unknown();
            let mut outside = if callees.unknown { program.called_outside(op) } else { Vec::new() };
            // Where nothing of the outside can be called, the pointer may still be one that a comparison tells.
            if !from_outside {
                outside.pop();
            }
            outside.retain(|function| !callees.functions.contains(function));
            let differs = callees.functions.iter().any(|&function| !takes(program, function, op));
            (open || checked || differs).then_some(Rewrite::Call {
                pointer,
                known: callees.functions,
                open,
                from_outside,
                outside,
            })
        }
        Op::Builtin { builtin: Builtin::Escape, ref args, .. } => {
            let &[pointer, function, argument, writes, followed] = &args[..] else { return None };
            let Expr::FuncAddr(function) = program.exprs.get(function) else { return None };
            let source = HavocSource::Written(function, program.exprs.as_const(argument)? as u8);
            if leads_on(program, points_to, pointer, program.exprs.as_const(followed)?) {
                return Some(Rewrite::Follow { pointer, function });
            }
            if program.exprs.as_const(writes)? == 0 {
                return Some(Rewrite::Escape { pointer, source, objects: Vec::new(), outside: false });
            }
            let outside = program.outside != Outside::Nowhere && points_to.of_expr(pointer).may_be_unknown();
            Some(Rewrite::Escape { pointer, source, objects: extents(program, points_to, own, pointer)?, outside })
        }
        Op::Builtin { builtin: Builtin::Register, ref args, .. } => {
            let &[address, size] = &args[..] else { return None };
            Some(Rewrite::Register { address, size })
        }
        _ => None,
    }
}

/// Whether a function takes what a call hands over, and returns what it wants.
fn takes(program: &Program, function: FuncId, op: &Op) -> bool {
    let Op::Call { result, ref args, .. } = *op else { return true };
    let function = &program.functions[function];
    let types = args.iter().map(|&arg| program.exprs.ty(arg));
    function.params.iter().map(|&param| program.vars[param].ty).eq(types)
        && result.is_none_or(|var| function.ret == Some(program.vars[var].ty))
}

/// The same of a function that takes fewer arguments: what machines do is no question then.
fn takes_first(program: &Program, function: FuncId, op: &Op) -> bool {
    let Op::Call { result, callee, ref args, .. } = *op else { return true };
    let few = program.functions[function].params.len();
    few <= args.len() && takes(program, function, &Op::Call { result, callee, args: args[..few].into() })
}

/// Whether there may be pointers behind a pointer, beyond the bytes that have been followed, through which the program's
/// objects can be changed or its functions called. The objects that the pointer itself points to change in any case.
fn leads_on(program: &Program, points_to: &PointsTo, pointer: ExprId, followed: u64) -> bool {
    let targets: Vec<_> = points_to.of_expr(pointer).iter().collect();
    let matters = |base: Base| match base {
        Base::Object(object) => {
            !matches!(program.objects[object].kind, ObjectKind::Constant(_)) && targets.iter().all(|t| t.base != base)
        }
        Base::Site(_) => targets.iter().all(|t| t.base != base),
        Base::Function(function) => !program.functions[function].edges().is_empty(),
        Base::Unknown | Base::Indeterminate => false,
    };
    targets.iter().any(|target| {
        let size = match target.base {
            Base::Function(_) => return matters(target.base),
            Base::Object(object) => Some(program.objects[object].size),
            Base::Site(site) => points_to.sites()[site].size,
            Base::Unknown | Base::Indeterminate => None,
        };
        let start = target.offset.as_exact();
        let whole = start == Some(0) && size.is_some_and(|size| size <= followed);
        let seen = |at: i64| start.is_some_and(|start| start <= at && at < start + followed as i64);
        let initial = match target.base {
            Base::Object(object) => match &program.objects[object].kind {
                ObjectKind::Global(image) | ObjectKind::Constant(image) => &image.relocations[..],
                ObjectKind::Local(_) => &[],
            },
            _ => &[],
        };
        let initially = initial.iter().any(|r| {
            let base = match r.target {
                RelocTarget::Object(object) => Base::Object(object),
                RelocTarget::Function(function) => Base::Function(function),
            };
            !seen(r.offset as i64) && matters(base)
        });
        let later = |(at, held): (Option<i64>, Targets<'_>)| {
            !at.is_some_and(seen) && held.iter().any(|target| matters(target.base))
        };
        !whole && (initially || points_to.held(target.base).any(later))
    })
}

/// The objects that a pointer may point to, if they are few and their sizes known; one that is neither global nor of this function only if
/// the pointer leads to its start.
fn extents(program: &Program, points_to: &PointsTo, own: Option<FuncId>, pointer: ExprId) -> Option<Vec<Extent>> {
    let mut extents = Vec::new();
    for target in points_to.of_expr(pointer).iter() {
        let at_start = target.offset == Offset::exact(0);
        let extent = match target.base {
            Base::Object(object) => match program.objects[object].kind {
                ObjectKind::Constant(_) => continue,
                ObjectKind::Local(function) if Some(function) != own => {
                    Extent::Bytes(Some(program.objects[object].size).filter(|_| at_start)?)
                }
                ObjectKind::Local(_) | ObjectKind::Global(_) => Extent::Object(object),
            },
            Base::Site(site) => Extent::Bytes(points_to.sites()[site].size.filter(|_| at_start)?),
            Base::Function(_) | Base::Unknown | Base::Indeterminate => continue,
        };
        if !extents.contains(&extent) {
            extents.push(extent);
        }
    }
    let nameless = extents.iter().filter(|e| matches!(e, Extent::Bytes(_))).count();
    // A pointer may be to the heap or to an object; without a test for objects without a name, only one of all can be told.
    let clear = nameless == 0 || extents.len() == 1;
    (clear && extents.len() <= FEW).then_some(extents)
}

/// Makes the edges of a function anew.
fn rebuild(program: &mut Program, id: FuncId, make: impl FnOnce(&mut Builder<'_>, Vec<Edge>)) {
    let mut header = std::mem::replace(&mut program.functions[id], Function::header("", SrcPos::default()));
    let locations = header.num_locs();
    let old = header.take_edges();
    let edges = Vec::with_capacity(old.len());
    let mut builder = Builder { program, edges, locations };
    make(&mut builder, old);
    let Builder { edges, locations, .. } = builder;
    program.functions[id] = robusto_cfa::ir::rebuild(header, locations, edges);
}

struct Builder<'p> {
    program: &'p mut Program,
    edges: Vec<Edge>,
    locations: usize,
}

impl Builder<'_> {
    /// Gives the places of calls that do not fit.
    fn rewrite(
        &mut self,
        edges: Vec<Edge>,
        rewrites: Vec<Option<Rewrite>>,
        checked: bool,
        misfit: &Op,
    ) -> BTreeSet<SrcPos> {
        let mut misfits = BTreeSet::new();
        for (edge, rewrite) in edges.into_iter().zip(rewrites) {
            match rewrite {
                None => self.edges.push(edge),
                Some(Rewrite::Call { pointer, known, open, from_outside, outside }) => {
                    let others = match (checked, open) {
                        (true, _) => Op::Error(ErrorKind::Deref),
                        (false, true) => Op::Unsupported("call through a pointer to an unknown function".into()),
                        // Null ends the program.
                        (false, false) => Op::Halt { status: None },
                    };
                    let (all_others, compared) = match outside.split_last() {
                        Some((&last, compared)) if from_outside => (Some(last), compared),
                        _ => (None, &outside[..]),
                    };
                    let pos = edge.pos;
                    if self.call(edge, pointer, &known, compared, all_others, Instead { others, misfit }) {
                        misfits.insert(pos);
                    }
                }
                Some(Rewrite::Escape { pointer, source, objects, outside }) => {
                    self.escape(&edge, pointer, source, &objects, outside);
                }
                Some(Rewrite::Register { address, size }) => self.register(&edge, address, size),
                Some(Rewrite::Follow { pointer, function }) => self.follow(&edge, pointer, function),
            }
        }
        misfits
    }

    fn location(&mut self) -> LocId {
        self.locations += 1;
        LocId::new(self.locations - 1)
    }

    fn edge(&mut self, src: LocId, dst: LocId, op: Op, pos: SrcPos) {
        self.edges.push(Edge { src, dst, op, pos });
    }

    /// Branches; goes on where the condition does not hold.
    fn unless(&mut self, src: LocId, cond: ExprId, yes: LocId, pos: SrcPos) -> LocId {
        if let Some(value) = self.program.exprs.as_const(cond) {
            let next = self.location();
            let (taken, dst) = if value != 0 { (yes, next) } else { (next, next) };
            self.edge(src, taken, Op::Skip, pos);
            return dst;
        }
        let no = self.location();
        self.edge(src, yes, Op::Assume { cond, truth: true }, pos);
        self.edge(src, no, Op::Assume { cond, truth: false }, pos);
        no
    }

    /// The call, if the pointer is one of the functions; else one outside, a step that is not modelled, or a violation. Gives
    /// whether one of the functions does not fit.
    fn call(
        &mut self,
        edge: Edge,
        pointer: ExprId,
        known: &[FuncId],
        compared: &[FuncId],
        outside: Option<FuncId>,
        Instead { others, misfit }: Instead<'_>,
    ) -> bool {
        let (pos, mut at) = (edge.pos, edge.src);
        let Op::Call { result, args, .. } = edge.op else { unreachable!("a call is a call") };
        let to = |callee| Op::Call { result, callee, args: args.clone() };
        let of_call = to(Callee::Indirect(pointer, None));
        let mut fits = true;
        let alike = known.iter().all(|&function| takes(self.program, function, &of_call));
        let call = self.location();
        for &function in known {
            let address = self.program.exprs.intern(Expr::FuncAddr(function));
            let hit = self.program.exprs.binary(BinOp::Eq, pointer, address);
            let own = if alike { call } else { self.location() };
            at = self.unless(at, hit, own, pos);
            if !alike {
                fits &= self.call_one(own, edge.dst, function, &of_call, misfit, pos);
            }
        }
        if alike && !known.is_empty() {
            self.edge(call, edge.dst, of_call.clone(), pos);
        }
        let end = self.location();
        for &function in compared {
            let address = self.program.exprs.intern(Expr::FuncAddr(function));
            let hit = self.program.exprs.binary(BinOp::Eq, pointer, address);
            let call = self.location();
            at = self.unless(at, hit, call, pos);
            fits &= self.call_one(call, edge.dst, function, &of_call, misfit, pos);
        }
        if let Some(all_others) = outside {
            // No function is at null: the program ends there, as at an access.
            let null = self.program.exprs.null();
            let is_null = self.program.exprs.binary(BinOp::Eq, pointer, null);
            let nothing = self.location();
            at = self.unless(at, is_null, nothing, pos);
            self.edge(nothing, end, Op::Halt { status: None }, pos);
            self.edge(at, edge.dst, to(Callee::Direct(all_others)), pos);
            let name = self.program.functions[all_others].name.to_string();
            let granted = Granted::FunctionOutside { name }.at(pos);
            if self.program.assumptions.iter().all(|known| known.text != granted.text) {
                self.program.assumptions.push(granted);
            }
        } else {
            // The pointer is not read. It often lies behind null then, since what would set it is missing; a proof that rests on
            // the end of the program there would say nothing (`virtio_blk` of `ldv-validator-v0.8`).
            self.edge(at, end, others, pos);
        }
        !fits
    }

    /// A call of one function; of one that takes or returns something else, what is done instead: behind it, C says nothing. Gives whether it fits.
    /// More arguments than the function takes are left alone where calls are not what is asked about.
    fn call_one(&mut self, at: LocId, dst: LocId, function: FuncId, call: &Op, misfit: &Op, pos: SrcPos) -> bool {
        let Op::Call { result, ref args, .. } = *call else { unreachable!("a call is a call") };
        let is_asked = matches!(misfit, Op::Error(_));
        let fits = takes(self.program, function, call) || !is_asked && takes_first(self.program, function, call);
        if fits {
            let address = self.program.exprs.intern(Expr::FuncAddr(function));
            let args = args[..self.program.functions[function].params.len()].into();
            self.edge(at, dst, Op::Call { result, callee: Callee::Indirect(address, None), args }, pos);
        } else {
            let end = self.location();
            self.edge(at, end, misfit.clone(), pos);
        }
        fits
    }

    /// A step that is not modelled, if the pointer is not null.
    fn follow(&mut self, edge: &Edge, pointer: ExprId, function: FuncId) {
        let null = self.program.exprs.null();
        let cond = self.program.exprs.binary(BinOp::Eq, pointer, null);
        let at = self.unless(edge.src, cond, edge.dst, edge.pos);
        let name = &self.program.functions[function].name;
        let what =
            format!("external function `{name}` gets a pointer to data with pointers that its type does not show");
        let end = self.location();
        self.edge(at, end, Op::Unsupported(what.into()), edge.pos);
    }

    /// Something is written to a device's register. Where numbers lead to memory, that may be read without `volatile`, too.
    fn register(&mut self, edge: &Edge, addr: ExprId, size: ExprId) {
        let is_memory = Layout::new(self.program).areas().iter().any(|area| {
            let mut base = addr;
            while let Expr::Binary(BinOp::PtrAdd, inner, _) = self.program.exprs.get(base) {
                base = inner;
            }
            self.program.exprs.as_const(base).is_none_or(|number| area.has(number, 1))
        });
        let op = match is_memory && self.program.outside == Outside::Numbers {
            true => Op::HavocMem { addr, size, source: HavocSource::Volatile },
            false => Op::Skip,
        };
        self.edge(edge.src, edge.dst, op, edge.pos);
    }

    /// The objects that the pointer points to take any content. What a function changes outside is not told: the step stays, where
    /// the pointer leads to none of the objects.
    fn escape(&mut self, edge: &Edge, pointer: ExprId, source: HavocSource, objects: &[Extent], outside: bool) {
        let (pos, mut at) = (edge.pos, edge.src);
        for &extent in objects {
            let hit = self.location();
            let exprs = &mut self.program.exprs;
            let (cond, addr, size) = match extent {
                Extent::Object(object) => {
                    let addr = exprs.intern(Expr::ObjAddr(object));
                    let size = exprs.size(self.program.objects[object].size);
                    let cond = if pointer == addr {
                        exprs.bool(true)
                    } else {
                        let ty = self.program.model.size_ty();
                        let (from, to) =
                            (exprs.cast(CastOp::PtrToInt, ty, addr), exprs.cast(CastOp::PtrToInt, ty, pointer));
                        let distance = exprs.binary(BinOp::Sub, to, from);
                        exprs.binary(BinOp::ULe, distance, size)
                    };
                    (cond, addr, size)
                }
                Extent::Bytes(size) => {
                    let null = exprs.null();
                    (exprs.binary(BinOp::Ne, pointer, null), pointer, exprs.size(size))
                }
            };
            let next = self.unless(at, cond, hit, pos);
            self.edge(hit, edge.dst, Op::HavocMem { addr, size, source }, pos);
            at = next;
        }
        if outside {
            let null = self.program.exprs.null();
            let is_null = self.program.exprs.binary(BinOp::Eq, pointer, null);
            at = self.unless(at, is_null, edge.dst, pos);
        }
        self.edge(at, edge.dst, if outside { edge.op.clone() } else { Op::Skip }, pos);
    }
}
