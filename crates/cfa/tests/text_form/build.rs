//! Builds programs by hand.

use robusto_cfa::ir::*;

/// A program under construction.
pub struct Maker {
    pub program: Program,
}

/// A place in file 0.
pub fn at(line: u32, column: u16) -> SrcPos {
    SrcPos { file: 0, line, column }
}

impl Maker {
    pub fn new(model: DataModel) -> Self {
        Self { program: Program::new(model) }
    }

    pub fn var(&mut self, name: &str, ty: Ty, signed: bool, kind: VarKind) -> VarId {
        let pos = at(self.program.vars.len() as u32 + 1, 5);
        let id = self.program.vars.push(Var { name: name.into(), ty, signed, kind, pos });
        self.program.exprs.declare(id, ty);
        id
    }

    pub fn global(&mut self, name: &str, ty: Ty, signed: bool, value: ExprId) -> VarId {
        self.var(name, ty, signed, VarKind::Global(value))
    }

    pub fn object(&mut self, name: &str, size: u64, align: u32, kind: ObjectKind) -> ObjId {
        self.program.objects.push(Object { name: name.into(), size, align, kind, pos: SrcPos::default() })
    }

    pub fn value(&mut self, var: VarId) -> ExprId {
        self.program.exprs.var(var)
    }

    pub fn constant(&mut self, ty: Ty, bits: u64) -> ExprId {
        self.program.exprs.constant(ty, bits)
    }

    pub fn node(&mut self, expr: Expr) -> ExprId {
        self.program.exprs.intern(expr)
    }

    /// The function's number when it is added next.
    pub fn next_function(&self) -> FuncId {
        FuncId::new(self.program.functions.len())
    }

    /// Adds a function whose edges are the operations in sequence; `Assume`, `Error`, `Halt` and `Unsupported` get a second
    /// edge beside them. The last operation must be a `Return`.
    pub fn sequence(&mut self, mut header: Function, ops: Vec<Op>) -> FuncId {
        let mut edges = Vec::new();
        let mut locs = 0;
        let mut fresh = || {
            locs += 1;
            LocId::new(locs - 1)
        };
        let entry = fresh();
        let mut here = entry;
        let last = ops.len() - 1;
        let truth = self.program.exprs.bool(true);
        let mut ends = Vec::new();
        for (i, op) in ops.into_iter().enumerate() {
            let pos = at(10 + i as u32, 3);
            if i == last {
                ends.push(edges.len());
                edges.push(Edge { src: here, dst: here, op, pos });
                continue;
            }
            let next = fresh();
            match op {
                Op::Assume { cond, truth } => {
                    let other = fresh();
                    edges.push(Edge { src: here, dst: next, op: Op::Assume { cond, truth }, pos });
                    edges.push(Edge { src: here, dst: other, op: Op::Assume { cond, truth: !truth }, pos });
                    edges.push(Edge { src: other, dst: next, op: Op::Skip, pos: SrcPos::default() });
                }
                Op::Error(_) | Op::Halt { .. } | Op::Unsupported(_) => {
                    let (bad, dead) = (fresh(), fresh());
                    edges.push(Edge { src: here, dst: bad, op: Op::Assume { cond: truth, truth: true }, pos });
                    edges.push(Edge { src: here, dst: next, op: Op::Assume { cond: truth, truth: false }, pos });
                    edges.push(Edge { src: bad, dst: dead, op, pos });
                }
                op => edges.push(Edge { src: here, dst: next, op, pos }),
            }
            here = next;
        }
        let exit = fresh();
        for end in ends {
            edges[end].dst = exit;
        }
        (header.entry, header.exit) = (entry, exit);
        self.program.functions.push(Function::with_edges(header, locs, edges))
    }
}
