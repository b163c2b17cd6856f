//! Expressions as terms.

use super::{Cell, Encoder, PathFormula, float};
use robusto_cfa::ir::{BinOp, CastOp, Expr, ExprId, FuncId, ObjId, UnOp, VarId};
use robusto_cpa::Step;
use robusto_limits::Stopped;
use robusto_logic::{BinaryOp, Term};
use rustc_hash::FxHashMap;

/// A state in which expressions are evaluated: the end of a formula's paths, in an activation of a function.
pub(super) struct Scene<'a> {
    f: &'a PathFormula,
    function: FuncId,
    step: Step,
    values: FxHashMap<ExprId, Term>,
    /// The conditions under which accesses so far take place (`outside`).
    pub accesses: Vec<Term>,
}

impl<'a> Scene<'a> {
    pub fn new(f: &'a PathFormula, function: FuncId, step: Step) -> Self {
        Self { f, function, step, values: FxHashMap::default(), accesses: Vec::new() }
    }

    pub fn step(&self) -> Step {
        self.step
    }

    pub fn formula(&self) -> &'a PathFormula {
        self.f
    }

    /// The value of an expression that has been evaluated, or is part of one.
    pub fn known(&self, expr: ExprId) -> Term {
        self.values[&expr]
    }
}

impl Encoder<'_> {
    /// The number of the youngest activation of a function; 0 unless it is recursive.
    pub(crate) fn activation(&self, f: &PathFormula, function: FuncId) -> u32 {
        f.activations.get(&function).map_or(0, |count| count.saturating_sub(1))
    }

    /// The cell of a variable in the youngest activation of its function.
    pub(super) fn var_cell(&self, f: &PathFormula, var: VarId) -> Cell {
        let owner = self.facts.program.vars[var].kind.owner();
        Cell::Var(var, owner.map_or(0, |owner| self.activation(f, owner)))
    }

    pub(super) fn address(&mut self, object: ObjId, activation: u32) -> Result<Term, Stopped> {
        match self.addresses.object(object, activation) {
            Some(address) => Ok(self.pointer(address)),
            None => Err(Stopped::Unsupported(format!("{} activations with local objects", activation + 1))),
        }
    }

    /// A constant address.
    pub(super) fn pointer(&mut self, address: u64) -> Term {
        self.terms.constant(self.facts.program.model.pointer_bits().into(), address.into())
    }

    /// The value of an expression. Long chains of operators are common in generated programs, so there is no recursion.
    pub(super) fn eval(&mut self, scene: &mut Scene<'_>, root: ExprId) -> Result<Term, Stopped> {
        let facts = self.facts;
        let exprs = &facts.program.exprs;
        let mut stack = vec![root];
        while let Some(&id) = stack.last() {
            if scene.values.contains_key(&id) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            stack.extend(exprs.operands(id).filter(|x| !scene.values.contains_key(x)));
            if stack.len() == before {
                stack.pop();
                let value = self.eval_node(scene, id)?;
                scene.values.insert(id, value);
            }
        }
        Ok(scene.values[&root])
    }

    /// A node whose operands have values.
    fn eval_node(&mut self, scene: &mut Scene<'_>, id: ExprId) -> Result<Term, Stopped> {
        let facts = self.facts;
        let (program, model) = (&facts.program, facts.program.model);
        let exprs = &program.exprs;
        let width = exprs.ty(id).bits(model) as u16;
        Ok(match exprs.get(id) {
            Expr::Const(_, bits) => self.terms.constant(width, bits.into()),
            Expr::Var(var) => {
                let cell = self.var_cell(scene.f, var);
                self.value(scene.f, cell)
            }
            Expr::ObjAddr(object) => {
                let activation = self.activation(scene.f, scene.function);
                self.address(object, activation)?
            }
            Expr::FuncAddr(function) => self.pointer(self.addresses.function(function)),
            Expr::Load(ty, addr) => {
                let size = ty.size(model);
                let region = self.regions.of_access(addr, size);
                let bytes = self.load(scene.f, region, scene.values[&addr], size);
                self.terms.extract(bytes, 0, width)
            }
            Expr::Unary(op, x) => {
                let x = scene.values[&x];
                match op {
                    UnOp::Neg => self.terms.neg(x),
                    UnOp::Not => self.terms.not(x),
                    UnOp::FNeg => float::negate(&mut self.terms, x),
                }
            }
            Expr::Binary(op, x, y) => {
                let (x, y) = (scene.values[&x], scene.values[&y]);
                match integer(op) {
                    Some(op) => self.terms.binary(op, x, y),
                    None if op == BinOp::Ne => self.terms.ne(x, y),
                    None if op.is_comparison() => float::compare(&mut self.terms, op, x, y),
                    None => float::arithmetic(&mut self.terms, op, x, y),
                }
            }
            Expr::Holds(claim, x, y) => self.claim(scene, claim, x, [scene.values[&x], scene.values[&y]])?,
            Expr::Cast(op, _, x) => {
                let x = scene.values[&x];
                match op {
                    CastOp::Trunc => self.terms.extract(x, 0, width),
                    CastOp::ZExt => self.terms.zext(x, width),
                    CastOp::SExt => self.terms.sext(x, width),
                    CastOp::PtrToInt | CastOp::IntToPtr => x,
                    CastOp::SToF | CastOp::UToF | CastOp::FToS | CastOp::FToU | CastOp::FToF => {
                        float::convert(&mut self.terms, op, x, width)
                    }
                }
            }
        })
    }
}

/// The operator on bit-vectors, if there is one.
fn integer(op: BinOp) -> Option<BinaryOp> {
    Some(match op {
        BinOp::Add | BinOp::PtrAdd => BinaryOp::Add,
        BinOp::Sub => BinaryOp::Sub,
        BinOp::Mul => BinaryOp::Mul,
        BinOp::UDiv => BinaryOp::UDiv,
        BinOp::SDiv => BinaryOp::SDiv,
        BinOp::URem => BinaryOp::URem,
        BinOp::SRem => BinaryOp::SRem,
        BinOp::And => BinaryOp::And,
        BinOp::Or => BinaryOp::Or,
        BinOp::Xor => BinaryOp::Xor,
        BinOp::Shl => BinaryOp::Shl,
        BinOp::LShr => BinaryOp::LShr,
        BinOp::AShr => BinaryOp::AShr,
        BinOp::Eq => BinaryOp::Eq,
        BinOp::ULt => BinaryOp::ULt,
        BinOp::ULe => BinaryOp::ULe,
        BinOp::SLt => BinaryOp::SLt,
        BinOp::SLe => BinaryOp::SLe,
        BinOp::Ne
        | BinOp::FAdd
        | BinOp::FSub
        | BinOp::FMul
        | BinOp::FDiv
        | BinOp::FEq
        | BinOp::FNe
        | BinOp::FLt
        | BinOp::FLe => return None,
    })
}
