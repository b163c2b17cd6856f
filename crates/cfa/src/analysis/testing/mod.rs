//! Small graphs and programs for the tests of the analyses.

mod machine;
mod random;

pub use machine::Machine;
pub use random::{Style, random_program};

use super::callgraph::CallGraph;
use super::graph::Graph;
use super::points_to::PointsTo;
use super::uses::Uses;
use crate::ir::*;
use robusto_testing::Random;

/// A graph from pairs.
pub fn graph(nodes: usize, edges: &[(usize, usize)]) -> Graph<LocId> {
    Graph::new(nodes, edges.iter().map(|&(a, b)| (LocId::new(a), LocId::new(b))))
}

/// A graph with up to two successors per node, as automata have.
pub fn random_graph(random: &mut Random, nodes: usize) -> Graph<LocId> {
    let mut edges = Vec::new();
    for node in 0..nodes {
        for _ in 0..random.pick(&[0, 1, 1, 2, 2, 2]) {
            edges.push((node, random.below(nodes)));
        }
    }
    graph(nodes, &edges)
}

/// What the roots reach in the graph without one node.
pub fn reachable_without(graph: &Graph<LocId>, roots: &[LocId], removed: Option<LocId>) -> IdxVec<LocId, bool> {
    let mut seen = IdxVec::filled(false, graph.len());
    let mut stack: Vec<_> = roots.to_vec();
    while let Some(node) = stack.pop() {
        if Some(node) != removed && !std::mem::replace(&mut seen[node], true) {
            stack.extend(graph.successors(node));
        }
    }
    seen
}

/// The value of an expression without loads and addresses.
pub fn eval(pool: &ExprPool, id: ExprId, vars: &dyn Fn(VarId) -> u64) -> u64 {
    let model = DataModel::Lp64;
    let ty = |id| pool.ty(id);
    match pool.get(id) {
        Expr::Const(_, bits) => bits,
        Expr::Var(var) => vars(var),
        Expr::Unary(op, x) => fold::mask(ty(x).bits(model), fold::unary(op, ty(x), eval(pool, x, vars))),
        Expr::Binary(op, x, y) => fold::binary(op, ty(x), ty(x).bits(model), eval(pool, x, vars), eval(pool, y, vars)),
        Expr::Cast(op, to, x) => fold::cast(op, ty(x), to, model, eval(pool, x, vars)),
        Expr::ObjAddr(_) | Expr::FuncAddr(_) | Expr::Load(..) | Expr::Holds(..) => panic!("not a plain expression"),
    }
}

/// Builds programs by hand. The first function is `main`.
pub struct Build {
    /// What has been built so far.
    pub program: Program,
}

const POS: SrcPos = SrcPos { file: 0, column: 0, line: 0 };

impl Build {
    /// An empty program with 64-bit pointers.
    pub fn new() -> Self {
        Self { program: Program::new(DataModel::Lp64) }
    }

    /// The pool.
    pub fn pool(&mut self) -> &mut ExprPool {
        &mut self.program.exprs
    }

    fn var(&mut self, ty: Ty, kind: VarKind) -> VarId {
        let name = format!("v{}", self.program.vars.len()).into();
        let id = self.program.vars.push(Var { name, ty, signed: true, kind, pos: POS });
        self.program.exprs.declare(id, ty);
        id
    }

    /// A global variable that is 0 at first.
    pub fn global(&mut self, ty: Ty) -> VarId {
        let zero = self.pool().constant(ty, 0);
        self.var(ty, VarKind::Global(zero))
    }

    /// A function with parameters, without edges.
    pub fn function(&mut self, name: &str, params: &[Ty]) -> FuncId {
        let id = self.program.functions.push(Function::header(name, POS));
        self.program.main.get_or_insert(id);
        for &ty in params {
            let param = self.var(ty, VarKind::Param(id));
            self.program.functions[id].params.push(param);
        }
        id
    }

    /// A local variable.
    pub fn local(&mut self, function: FuncId, ty: Ty) -> VarId {
        let var = self.var(ty, VarKind::Local(function));
        self.program.functions[function].locals.push(var);
        var
    }

    /// A memory object.
    pub fn object(&mut self, size: u64, kind: ObjectKind) -> ObjId {
        if let ObjectKind::Local(function) = kind {
            self.program.functions[function].objects.push(ObjId::new(self.program.objects.len()));
        }
        let name = format!("o{}", self.program.objects.len()).into();
        self.program.objects.push(Object { name, size, align: 8, kind, pos: POS })
    }

    /// A global object full of zeros.
    pub fn global_object(&mut self, size: u64) -> ObjId {
        self.object(size, ObjectKind::Global(Image::default()))
    }

    /// An object's address plus a constant.
    pub fn addr(&mut self, object: ObjId, offset: i64) -> ExprId {
        let base = self.pool().intern(Expr::ObjAddr(object));
        self.plus(base, offset)
    }

    /// A pointer plus a constant.
    pub fn plus(&mut self, pointer: ExprId, offset: i64) -> ExprId {
        let offset = self.pool().size(offset as u64);
        self.pool().binary(BinOp::PtrAdd, pointer, offset)
    }

    /// A variable's value.
    pub fn read(&mut self, var: VarId) -> ExprId {
        self.pool().var(var)
    }

    /// The pointer in memory at an address.
    pub fn load(&mut self, addr: ExprId) -> ExprId {
        self.pool().load(Ty::Ptr, addr)
    }

    /// Gives a function its edges; location 0 is the entry, the last one the exit.
    pub fn edges(&mut self, function: FuncId, locations: usize, edges: Vec<(usize, usize, Op)>) {
        let mut header = self.program.functions[function].clone();
        header.entry = LocId::new(0);
        header.exit = LocId::new(locations - 1);
        let edges =
            edges.into_iter().map(|(src, dst, op)| Edge { src: LocId::new(src), dst: LocId::new(dst), op, pos: POS });
        self.program.functions[function] = Function::with_edges(header, locations, edges.collect());
    }

    /// Gives a function operations in a row, with a plain `Return` at the end unless there is one.
    pub fn body(&mut self, function: FuncId, mut ops: Vec<Op>) {
        if !matches!(ops.last(), Some(Op::Return { .. })) {
            ops.push(Op::Return { value: None });
        }
        self.program.functions[function].ret = match ops.last() {
            Some(&Op::Return { value: Some(value) }) => Some(self.program.exprs.ty(value)),
            _ => None,
        };
        let n = ops.len();
        self.edges(function, n + 1, ops.into_iter().enumerate().map(|(i, op)| (i, i + 1, op)).collect());
    }
}

/// A direct call.
pub fn call(callee: FuncId, args: &[ExprId], result: Option<VarId>) -> Op {
    Op::Call { result, callee: Callee::Direct(callee), args: args.into() }
}

/// The call graph of a program, and what it is made from.
pub fn graph_of_calls(program: &Program) -> (Uses, CallGraph) {
    let uses = Uses::of(program);
    let points_to = PointsTo::of(program, &uses);
    let calls = CallGraph::of(program, &points_to);
    (uses, calls)
}
