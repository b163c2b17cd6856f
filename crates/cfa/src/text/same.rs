//! Equality of programs whose expressions may be numbered differently.

use crate::ir::{Callee, Expr, ExprId, IdxVec, Op, Program, VarKind};

/// Whether two programs are equal up to the numbers of the expressions. Expressions that nothing uses do not count.
pub fn same(a: &Program, b: &Program) -> bool {
    if a.model != b.model
        || a.files != b.files
        || a.main != b.main
        || a.outside != b.outside
        || a.assumptions != b.assumptions
        || a.objects != b.objects
        || a.vars.len() != b.vars.len()
        || a.functions.len() != b.functions.len()
    {
        return false;
    }
    let map = Map::new(a, b);
    let vars = a.vars.iter().zip(b.vars.iter()).all(|(v, w)| {
        let kinds = match (v.kind, w.kind) {
            (VarKind::Global(x), VarKind::Global(y)) => map.same(x, y),
            (k, l) => k == l,
        };
        kinds && (&v.name, v.ty, v.signed, v.pos) == (&w.name, w.ty, w.signed, w.pos)
    });
    vars && a.functions.iter().zip(b.functions.iter()).all(|(f, g)| {
        (&f.name, &f.params, &f.locals, &f.objects, f.ret) == (&g.name, &g.params, &g.locals, &g.objects, g.ret)
            && (f.entry, f.exit, f.external, f.handed_out) == (g.entry, g.exit, g.external, g.handed_out)
            && (&f.labels, f.pos) == (&g.labels, g.pos)
            && (f.num_locs(), f.edges().len()) == (g.num_locs(), g.edges().len())
            && f.edges()
                .iter()
                .zip(g.edges().iter())
                .all(|(e, h)| (e.src, e.dst, e.pos) == (h.src, h.dst, h.pos) && map.same_op(&e.op, &h.op))
    })
}

/// For each expression of one program its number in the other, or one beyond the other's if it has none.
struct Map {
    numbers: IdxVec<ExprId, ExprId>,
}

impl Map {
    fn new(a: &Program, b: &Program) -> Self {
        let mut pool = b.exprs.clone();
        let mut numbers = IdxVec::<ExprId, ExprId>::new();
        for id in a.exprs.ids() {
            let node = match a.exprs.get(id) {
                leaf @ (Expr::Const(..) | Expr::Var(_) | Expr::ObjAddr(_) | Expr::FuncAddr(_)) => leaf,
                Expr::Load(ty, x) => Expr::Load(ty, numbers[x]),
                Expr::Unary(op, x) => Expr::Unary(op, numbers[x]),
                Expr::Binary(op, x, y) => Expr::Binary(op, numbers[x], numbers[y]),
                Expr::Cast(op, ty, x) => Expr::Cast(op, ty, numbers[x]),
                Expr::Holds(claim, x, y) => Expr::Holds(claim, numbers[x], numbers[y]),
            };
            numbers.push(pool.intern(node));
        }
        Self { numbers }
    }

    fn same(&self, x: ExprId, y: ExprId) -> bool {
        self.numbers[x] == y
    }

    fn same_op(&self, a: &Op, b: &Op) -> bool {
        let mut translated = a.clone();
        for_each_expr(&mut translated, |x| *x = self.numbers[*x]);
        translated == *b
    }
}

fn for_each_expr(op: &mut Op, mut each: impl FnMut(&mut ExprId)) {
    match op {
        Op::Skip | Op::Havoc { .. } | Op::Error(_) | Op::Unsupported(_) => {}
        Op::Assume { cond, .. } => each(cond),
        Op::Assign { value, .. } => each(value),
        Op::Store { addr, value } => [addr, value].into_iter().for_each(each),
        Op::Copy { dst, src, size } => [dst, src, size].into_iter().for_each(each),
        Op::Fill { dst, byte, size } => [dst, byte, size].into_iter().for_each(each),
        Op::HavocMem { addr, size, .. } => [addr, size].into_iter().for_each(each),
        Op::Call { callee, args, .. } => {
            if let Callee::Indirect(target, _) = callee {
                each(target);
            }
            args.iter_mut().for_each(each);
        }
        Op::Builtin { args, .. } => args.iter_mut().for_each(each),
        Op::Alloc { size, .. } => each(size),
        Op::Free { ptr, .. } => each(ptr),
        Op::Return { value } => value.iter_mut().for_each(each),
        Op::Halt { status } => status.iter_mut().for_each(each),
    }
}
