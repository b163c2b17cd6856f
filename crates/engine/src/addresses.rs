//! What a verdict takes for granted of addresses.
//!
//! Every object has one address, chosen by us; a pointer from outside points to none of the program's objects. A program that
//! finds out where its objects lie (the number of an address, the order of objects, whether one ends where another begins),
//! or that accesses memory through a pointer from outside, can behave in another way elsewhere. These assumptions are listed for the
//! programs that do such things, and only for them.

use crate::uninit;
use robusto_cfa::analysis::points_to::{Base, Offset, Target};
use robusto_cfa::analysis::uses::for_each_root;
use robusto_cfa::facts::Facts;
use robusto_cfa::ir::{
    AllocKind, Assumption, BinOp, Builtin, CastOp, Edge, Expr, ExprId, Granted, ObjectKind, Op, SrcPos, Ty,
};
use rustc_hash::FxHashSet;

/// The assumptions about addresses that a program needs, each at the first place.
pub(crate) fn assumptions(facts: &Facts) -> Vec<Assumption> {
    let reached = facts.program.functions.enumerate().filter(|&(id, _)| facts.points_to.reached(id));
    let edges: Vec<&Edge> = reached.flat_map(|(_, f)| f.edges().iter()).collect();
    let frees = edges.iter().any(|edge| matches!(edge.op, Op::Free { kind: AllocKind::Heap | AllocKind::Library, .. }));
    let outside = edges.iter().copied().find(|edge| accesses_outside(facts, &edge.op));
    let mut look = Look { facts, seen: FxHashSet::default(), found: Vec::new(), frees, outside: outside.is_some() };
    for edge in edges {
        if Some(edge) == outside {
            look.list(&Granted::OutsidePointer, edge.pos);
        }
        for_each_root(&edge.op, |root| {
            // What is watched is an object's byte, wherever that lies.
            if !uninit::is_of_shadows(&facts.program, root) {
                look.expression(root, edge.pos);
            }
        });
    }
    look.found
}

/// Whether a step may access memory through a pointer from outside.
fn accesses_outside(facts: &Facts, op: &Op) -> bool {
    let is_outside = |addr: ExprId| facts.points_to.of_expr(addr).may_be_unknown();
    let mut found = match *op {
        Op::Store { addr, .. } | Op::Fill { dst: addr, .. } | Op::HavocMem { addr, .. } => is_outside(addr),
        Op::Copy { dst, src, .. } => is_outside(dst) || is_outside(src),
        // Handed over to a function without a body, which may access it.
        Op::Builtin { builtin: Builtin::Escape, ref args, .. } => {
            args.first().is_some_and(|&pointer| is_outside(pointer))
        }
        _ => false,
    };
    for_each_root(op, |root| {
        found |= facts.uses.loads(root).iter().any(|&load| match facts.program.exprs.get(load) {
            Expr::Load(_, addr) => is_outside(addr),
            _ => false,
        });
    });
    found
}

/// Whether what a program does may depend on where its objects lie.
pub(crate) fn looks(facts: &Facts) -> bool {
    let outside = Granted::OutsidePointer.to_string();
    assumptions(facts).iter().any(|assumption| *assumption.text != *outside)
}

struct Look<'f> {
    facts: &'f Facts,
    seen: FxHashSet<ExprId>,
    found: Vec<Assumption>,
    /// Whether memory is freed somewhere.
    frees: bool,
    /// Whether memory outside is accessed, which lies where we put it.
    outside: bool,
}

impl Look<'_> {
    fn list(&mut self, kind: &Granted, pos: SrcPos) {
        let assumption = kind.at(pos);
        if !self.found.iter().any(|a| a.text == assumption.text) {
            self.found.push(assumption);
        }
    }

    fn expression(&mut self, root: ExprId, pos: SrcPos) {
        let exprs = &self.facts.program.exprs;
        let mut todo = vec![root];
        while let Some(id) = todo.pop() {
            if !self.seen.insert(id) {
                continue;
            }
            match exprs.get(id) {
                // Whether it is null is the same everywhere.
                Expr::Binary(BinOp::Eq | BinOp::Ne, a, b)
                    if exprs.as_const(b) == Some(0) && matches!(exprs.get(a), Expr::Cast(CastOp::PtrToInt, ..)) =>
                {
                    todo.extend(exprs.operands(a));
                    continue;
                }
                Expr::Cast(CastOp::PtrToInt, _, pointer) if self.has_address(pointer) || self.is_outside(pointer) => {
                    self.list(&Granted::AddressNumbers, pos);
                }
                Expr::Binary(BinOp::Sub, a, b) => {
                    // The distance of two pointers into one object is the same everywhere.
                    if let (Expr::Cast(CastOp::PtrToInt, _, a), Expr::Cast(CastOp::PtrToInt, _, b)) =
                        (exprs.get(a), exprs.get(b))
                        && self.same_object(a, b)
                    {
                        todo.extend([a, b]);
                        continue;
                    }
                }
                Expr::Binary(BinOp::ULt | BinOp::ULe, a, b)
                    if exprs.ty(a) == Ty::Ptr
                        && (!self.same_object(a, b) || self.is_beside(a, b) || self.is_beside(b, a)) =>
                {
                    self.list(&Granted::AddressOrder, pos);
                }
                Expr::Binary(BinOp::Eq | BinOp::Ne, a, b)
                    if exprs.ty(a) == Ty::Ptr && (self.is_end(a, b) || self.is_end(b, a)) =>
                {
                    self.list(&Granted::AddressEnds, pos);
                }
                Expr::Binary(BinOp::Eq | BinOp::Ne, a, b) if exprs.ty(a) == Ty::Ptr && self.are_literals(a, b) => {
                    self.list(&Granted::LiteralAddresses, pos);
                }
                Expr::Binary(BinOp::Eq | BinOp::Ne, a, b) if exprs.ty(a) == Ty::Ptr && self.are_allocated(a, b) => {
                    self.list(&Granted::HeapReuse, pos);
                }
                _ => {}
            }
            todo.extend(exprs.operands(id));
        }
    }

    fn targets(&self, pointer: ExprId) -> Vec<Target> {
        let is_object = |t: &Target| matches!(t.base, Base::Object(_) | Base::Site(_) | Base::Function(_));
        self.facts.points_to.of_expr(pointer).iter().filter(is_object).collect()
    }

    fn has_address(&self, pointer: ExprId) -> bool {
        !self.targets(pointer).is_empty()
    }

    /// Whether a pointer may lead to memory outside.
    fn is_outside(&self, pointer: ExprId) -> bool {
        self.outside && self.facts.points_to.of_expr(pointer).may_be_unknown()
    }

    /// Whether a pointer may lead outside while the other one has the address of an object.
    fn is_beside(&self, pointer: ExprId, other: ExprId) -> bool {
        self.is_outside(pointer) && self.has_address(other)
    }

    /// Whether two pointers may both point into string literals.
    fn are_literals(&self, a: ExprId, b: ExprId) -> bool {
        let is_literal = |t: &Target| match t.base {
            Base::Object(object) => matches!(self.facts.program.objects[object].kind, ObjectKind::Constant(_)),
            _ => false,
        };
        self.targets(a).iter().any(is_literal) && self.targets(b).iter().any(is_literal)
    }

    /// Whether two pointers may both point into allocated memory, and the program frees some.
    fn are_allocated(&self, a: ExprId, b: ExprId) -> bool {
        let is_site = |t: &Target| matches!(t.base, Base::Site(_));
        self.frees && self.targets(a).iter().any(is_site) && self.targets(b).iter().any(is_site)
    }

    /// Whether two pointers point into one object, if they point into any. An allocation may be executed several times.
    fn same_object(&self, a: ExprId, b: ExprId) -> bool {
        let mut all = self.targets(a);
        all.extend(self.targets(b));
        all.windows(2).all(|pair| pair[0].base == pair[1].base)
    }

    /// Whether a pointer may be to the end of an object while the other one is to another object.
    fn is_end(&self, pointer: ExprId, other: ExprId) -> bool {
        let others = self.targets(other);
        self.targets(pointer).iter().any(|target| {
            let size = match target.base {
                Base::Object(object) => Some(self.facts.program.objects[object].size),
                Base::Site(site) => self.facts.points_to.sites()[site].size,
                _ => None,
            };
            let end = size.and_then(|size| i64::try_from(size).ok()).map(Offset::exact);
            end == Some(target.offset) && others.iter().any(|o| o.base != target.base)
        })
    }
}
