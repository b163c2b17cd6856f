//! Closes a program: what leaves its functions becomes steps that every engine understands.
//!
//! - A call through a pointer that may point to a function of the outside, or to none that is known, is not modelled where
//!   the pointer is none of the known functions.
//! - What a function without a body may change (`escape`) becomes havocs of the objects that the pointer may point to, if
//!   points-to analysis knows few of them with their sizes. If not, the step stays as it is; engines then treat it as an
//!   approximation. The step says how many bytes behind the pointer have been followed by their type; if there may be
//!   further pointers in the object, the step is not modelled where the pointer is not null.
//! - An access at an address that is a number of the program is not modelled ([`numbers`]).
//!
//! Soundness: of an indirect call, the engines follow the functions that points-to analysis names; all other values of the
//! pointer come to the step that is not modelled.

mod numbers;

use robusto_cfa::analysis::callgraph::CallGraph;
use robusto_cfa::analysis::points_to::{Base, Offset, PointsTo, Targets};
use robusto_cfa::analysis::uses::Uses;
use robusto_cfa::ir::{
    BinOp, Builtin, Callee, CastOp, Edge, ErrorKind, Expr, ExprId, FuncId, Function, HavocSource, Idx as _, LocId,
    ObjId, ObjectKind, Op, Program, RelocTarget, SrcPos,
};

/// Most objects for which what escapes is told apart.
const FEW: usize = 16;

/// What becomes of a step.
enum Rewrite {
    /// A call through a pointer: these functions are known.
    Call { pointer: ExprId, known: Vec<FuncId> },
    /// A pointer is handed to a function without a body, which may change these objects.
    Escape { pointer: ExprId, source: HavocSource, objects: Vec<Extent> },
    /// A function without a body gets a pointer behind which there are others that have not been followed.
    Follow { pointer: ExprId, function: FuncId },
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
/// the pointer is null, or was never a function's.
pub(crate) fn close(program: &mut Program, checked: bool) {
    if !checked {
        numbers::guard(program);
    }
    let leaves = |op: &Op| match op {
        Op::Call { callee: Callee::Indirect(_), .. } => true,
        Op::Builtin { builtin, .. } => *builtin == Builtin::Escape,
        _ => false,
    };
    if !program.functions.iter().any(|f| f.edges().iter().any(|e| leaves(&e.op))) {
        return;
    }
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
            rebuild(program, id, |builder, edges| builder.rewrite(edges, rewrites, checked));
        }
    }
    robusto_cfa::verify::assert_valid(program, "closing the program");
}

/// What an operation becomes, if it is not to stay as it is.
fn rewrite(program: &Program, points_to: &PointsTo, own: Option<FuncId>, op: &Op, checked: bool) -> Option<Rewrite> {
    match *op {
        Op::Call { callee: Callee::Indirect(pointer), .. } => {
            let callees = points_to.callees(pointer);
            let open = callees.unknown || callees.functions.is_empty();
            (open || checked).then_some(Rewrite::Call { pointer, known: callees.functions })
        }
        Op::Builtin { builtin: Builtin::Escape, ref args, .. } => {
            let &[pointer, function, argument, writes, followed] = &args[..] else { return None };
            let Expr::FuncAddr(function) = program.exprs.get(function) else { return None };
            let source = HavocSource::Written(function, program.exprs.as_const(argument)? as u8);
            if leads_on(program, points_to, pointer, program.exprs.as_const(followed)?) {
                return Some(Rewrite::Follow { pointer, function });
            }
            if program.exprs.as_const(writes)? == 0 {
                return Some(Rewrite::Escape { pointer, source, objects: Vec::new() });
            }
            Some(Rewrite::Escape { pointer, source, objects: extents(program, points_to, own, pointer)? })
        }
        _ => None,
    }
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

/// The objects that a pointer may point to, if they are few, their sizes known, and all of them global or of this
/// function. Memory of the outside has no content that the program could rely on.
fn extents(program: &Program, points_to: &PointsTo, own: Option<FuncId>, pointer: ExprId) -> Option<Vec<Extent>> {
    let mut extents = Vec::new();
    for target in points_to.of_expr(pointer).iter() {
        let extent = match target.base {
            Base::Object(object) => match program.objects[object].kind {
                ObjectKind::Constant(_) => continue,
                ObjectKind::Local(function) if Some(function) != own => return None,
                ObjectKind::Local(_) | ObjectKind::Global(_) => Extent::Object(object),
            },
            Base::Site(site) => {
                let at_start = target.offset == Offset::exact(0);
                Extent::Bytes(points_to.sites()[site].size.filter(|_| at_start)?)
            }
            Base::Function(_) | Base::Unknown | Base::Indeterminate => continue,
        };
        if !extents.contains(&extent) {
            extents.push(extent);
        }
    }
    let heap = extents.iter().filter(|e| matches!(e, Extent::Bytes(_))).count();
    // A pointer may be to the heap or to an object; without a test for the heap, only one of both can be told.
    let clear = heap == 0 || extents.len() == 1;
    (clear && extents.len() <= FEW).then_some(extents)
}

/// Makes the edges of a function anew.
fn rebuild(program: &mut Program, id: FuncId, make: impl FnOnce(&mut Builder<'_>, Vec<Edge>)) {
    let mut header = std::mem::replace(&mut program.functions[id], Function::header("", SrcPos::default()));
    let locations = header.num_locs();
    let old = header.take_edges();
    let mut builder = Builder { program, edges: Vec::with_capacity(old.len()), locations };
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
    fn rewrite(&mut self, edges: Vec<Edge>, rewrites: Vec<Option<Rewrite>>, checked: bool) {
        for (edge, rewrite) in edges.into_iter().zip(rewrites) {
            match rewrite {
                None => self.edges.push(edge),
                Some(Rewrite::Call { pointer, known }) => self.call(edge, pointer, &known, checked),
                Some(Rewrite::Escape { pointer, source, objects }) => self.escape(&edge, pointer, source, &objects),
                Some(Rewrite::Follow { pointer, function }) => self.follow(&edge, pointer, function),
            }
        }
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

    /// The call, if the pointer is one of the functions; else a step that is not modelled, or a violation.
    fn call(&mut self, edge: Edge, pointer: ExprId, known: &[FuncId], checked: bool) {
        let (pos, mut at) = (edge.pos, edge.src);
        let call = self.location();
        for &function in known {
            let address = self.program.exprs.intern(Expr::FuncAddr(function));
            let hit = self.program.exprs.binary(BinOp::Eq, pointer, address);
            at = self.unless(at, hit, call, pos);
        }
        let end = self.location();
        let unknown = Op::Unsupported("call through a pointer to an unknown function".into());
        self.edge(at, end, if checked { Op::Error(ErrorKind::Deref) } else { unknown }, pos);
        if !known.is_empty() {
            self.edges.push(Edge { src: call, ..edge });
        }
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

    /// The objects that the pointer points to take any content.
    fn escape(&mut self, edge: &Edge, pointer: ExprId, source: HavocSource, objects: &[Extent]) {
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
        self.edge(at, edge.dst, Op::Skip, pos);
    }
}
