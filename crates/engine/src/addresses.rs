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
use robusto_cfa::ir::{AllocKind, Assumption, BinOp, CastOp, Expr, ExprId, Granted, ObjectKind, Op, SrcPos, Ty};
use rustc_hash::FxHashSet;

/// The assumptions about addresses that a program needs, each at the first place.
pub(crate) fn assumptions(facts: &Facts) -> Vec<Assumption> {
    let frees = |op: &Op| matches!(op, Op::Free { kind: AllocKind::Heap, .. });
    let reached = facts.program.functions.enumerate().filter(|&(id, _)| facts.points_to.reached(id));
    let frees = reached.flat_map(|(_, f)| f.edges().iter()).any(|edge| frees(&edge.op));
    let mut look = Look { facts, seen: FxHashSet::default(), found: Vec::new(), frees };
    for (id, function) in facts.program.functions.enumerate() {
        if !facts.points_to.reached(id) {
            continue;
        }
        for edge in function.edges().iter() {
            if let Op::Store { addr, .. }
            | Op::Copy { dst: addr, .. }
            | Op::Fill { dst: addr, .. }
            | Op::HavocMem { addr, .. } = edge.op
                && facts.points_to.of_expr(addr).may_be_unknown()
            {
                look.list(&Granted::OutsidePointer, edge.pos);
            }
            if let Op::Copy { src, .. } = edge.op
                && facts.points_to.of_expr(src).may_be_unknown()
            {
                look.list(&Granted::OutsidePointer, edge.pos);
            }
            for_each_root(&edge.op, |root| {
                for &load in facts.uses.loads(root) {
                    if let Expr::Load(_, addr) = facts.program.exprs.get(load)
                        && facts.points_to.of_expr(addr).may_be_unknown()
                    {
                        look.list(&Granted::OutsidePointer, edge.pos);
                    }
                }
                // What is watched is an object's byte, wherever that lies.
                if !uninit::is_of_shadows(&facts.program, root) {
                    look.expression(root, edge.pos);
                }
            });
        }
    }
    look.found
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
                Expr::Cast(CastOp::PtrToInt, _, pointer) if self.has_address(pointer) => {
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
                Expr::Binary(BinOp::ULt | BinOp::ULe, a, b) if exprs.ty(a) == Ty::Ptr && !self.same_object(a, b) => {
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
