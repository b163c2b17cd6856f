//! Expressions as vectors of Boolean functions over the encoding's bits.
//!
//! An expression over one indexed variable is tabulated: each representative is put in and the expression computed
//! with plain arithmetic, which is exact by the encoding's promise whatever the operators are. Everything else is
//! built as a circuit, for which an indexed variable is first turned into bits; that is possible where its values are
//! all known. What cannot be built (loads, floats, pointers, untracked variables, circuits that grow too large) has no
//! value, and the transition that needs it is over-approximated.

use crate::encoding::{Code, Meaning};
use crate::{Model, full};
use robusto_cfa::ir::{BinOp, CastOp, Expr, ExprId, Ty, UnOp, VarId, fold};
use robusto_diagram::Bdd as Node;
use robusto_diagram::bits::{Bits, CircuitError};
use robusto_limits::Stopped;
use rustc_hash::FxHashMap;

/// Values computed before; `None` for an expression that has no value.
#[derive(Default)]
pub struct Cache {
    values: FxHashMap<ExprId, Option<Bits>>,
    supports: FxHashMap<ExprId, Support>,
}

/// What an expression depends on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Support {
    /// Nothing.
    Constant,
    /// One variable.
    One(VarId),
    /// Several variables.
    Several,
    /// Memory or addresses.
    Memory,
}

impl Support {
    fn join(self, other: Support) -> Support {
        match (self, other) {
            (Support::Memory, _) | (_, Support::Memory) => Support::Memory,
            (Support::Constant, x) | (x, Support::Constant) => x,
            (x, y) if x == y => x,
            _ => Support::Several,
        }
    }
}

/// Most nodes of one bit of a circuit. A tenth and ten times as many make no difference to `token_ring.07`, `s3_srvr_7`,
/// `s3_srvr_8`, `Problem01_label10` and `Problem05_label10`: circuits are small, or out of reach (multiplication).
const CIRCUIT_NODES: usize = 20_000;

/// A value, or none, or the analysis stops.
pub type Value = Result<Option<Bits>, Stopped>;

impl Model<'_> {
    /// A condition (type `BOOL`) as a set; `None` if it cannot be expressed.
    pub fn condition(&mut self, e: ExprId) -> Result<Option<Node>, Stopped> {
        Ok(self.value(e)?.map(|bits| bits[0].clone()))
    }

    /// The bits of an expression.
    pub fn value(&mut self, e: ExprId) -> Value {
        if let Some(known) = self.values.values.get(&e) {
            return Ok(known.clone());
        }
        let value = self.compute(e)?;
        self.values.values.insert(e, value.clone());
        Ok(value)
    }

    fn compute(&mut self, e: ExprId) -> Value {
        let facts = self.facts;
        let pool = &facts.program.exprs;
        let width = match pool.ty(e) {
            Ty::Int(width) if width <= 64 => usize::from(width),
            _ => return Ok(None),
        };
        let support = self.support(e);
        if support == Support::Memory {
            return Ok(None);
        }
        if let Support::One(var) = support
            && let Some(Code { meaning: Meaning::Index { values, .. }, .. }) = self.encoding.get(var)
        {
            let values = values.clone();
            if let Some(bits) = self.tabulate(e, width, var, &values)? {
                return Ok(Some(bits));
            }
        }
        match pool.get(e) {
            Expr::Const(_, bits) => self.circuit(|c| Ok(c.constant(width, bits.into()))),
            Expr::Var(var) => self.variable(var),
            Expr::Unary(op, a) => {
                let Some(a) = self.value(a)? else { return Ok(None) };
                match op {
                    UnOp::Neg => self.circuit(|c| c.neg(&a)),
                    UnOp::Not => self.circuit(|c| c.not(&a)),
                    UnOp::FNeg => Ok(None),
                }
            }
            Expr::Binary(op, a, b) => self.binary(op, a, b),
            Expr::Cast(op, _, a) => {
                let Some(a) = self.value(a)? else { return Ok(None) };
                match op {
                    CastOp::Trunc => self.circuit(|c| Ok(c.trunc(&a, width))),
                    CastOp::ZExt => self.circuit(|c| Ok(c.zext(&a, width))),
                    CastOp::SExt => self.circuit(|c| Ok(c.sext(&a, width))),
                    _ => Ok(None),
                }
            }
            Expr::ObjAddr(_) | Expr::FuncAddr(_) | Expr::Load(..) | Expr::Holds(..) => Ok(None),
        }
    }

    /// What an expression depends on.
    pub(crate) fn support(&mut self, e: ExprId) -> Support {
        if let Some(&known) = self.values.supports.get(&e) {
            return known;
        }
        let support = match self.facts.program.exprs.get(e) {
            Expr::Const(..) => Support::Constant,
            Expr::Var(var) => Support::One(var),
            Expr::ObjAddr(_) | Expr::FuncAddr(_) | Expr::Load(..) | Expr::Holds(..) => Support::Memory,
            Expr::Unary(_, a) | Expr::Cast(_, _, a) => self.support(a),
            Expr::Binary(_, a, b) => self.support(a).join(self.support(b)),
        };
        self.values.supports.insert(e, support);
        support
    }

    fn binary(&mut self, op: BinOp, a: ExprId, b: ExprId) -> Value {
        if let Some(equal) = self.index_equality(op, a, b)? {
            return Ok(Some(equal));
        }
        let (Some(a), Some(b)) = (self.value(a)?, self.value(b)?) else { return Ok(None) };
        use BinOp::*;
        self.circuit(|c| {
            let one = |bit: Node| Bits::new(vec![bit]);
            Ok(match op {
                Add => c.add(&a, &b)?,
                Sub => c.sub(&a, &b)?,
                Mul => c.mul(&a, &b)?,
                UDiv => c.udiv(&a, &b)?,
                SDiv => c.sdiv(&a, &b)?,
                URem => c.urem(&a, &b)?,
                SRem => c.srem(&a, &b)?,
                And => c.and(&a, &b)?,
                Or => c.or(&a, &b)?,
                Xor => c.xor(&a, &b)?,
                Shl => c.shl(&a, &b)?,
                LShr => c.lshr(&a, &b)?,
                AShr => c.ashr(&a, &b)?,
                Eq => one(c.eq(&a, &b)?),
                Ne => one(c.ne(&a, &b)?),
                ULt => one(c.ult(&a, &b)?),
                ULe => one(c.ule(&a, &b)?),
                SLt => one(c.slt(&a, &b)?),
                SLe => one(c.sle(&a, &b)?),
                FAdd | FSub | FMul | FDiv | FEq | FNe | FLt | FLe | PtrAdd => {
                    unreachable!("operands have integer values")
                }
            })
        })
    }

    /// Builds a circuit; one that grows too large has no value.
    fn circuit(
        &self,
        build: impl FnOnce(&robusto_diagram::bits::Circuits<'_>) -> robusto_diagram::bits::Result<Bits>,
    ) -> Value {
        match build(&self.diagrams.circuits(CIRCUIT_NODES)) {
            Ok(bits) => Ok(Some(bits)),
            Err(CircuitError::TooLarge) => Ok(None),
            Err(CircuitError::Full(_)) => Err(Stopped::Memory),
        }
    }

    /// `x == y` of two variables with the same index and the same representatives: equality of the indices. Only exact
    /// where each index stands for one value; the encoding gives plain bits to groups where that fails and members
    /// are compared.
    fn index_equality(&mut self, op: BinOp, a: ExprId, b: ExprId) -> Value {
        let pool = &self.facts.program.exprs;
        let (BinOp::Eq | BinOp::Ne, Expr::Var(x), Expr::Var(y)) = (op, pool.get(a), pool.get(b)) else {
            return Ok(None);
        };
        let (Some(p), Some(q)) = (self.encoding.get(x), self.encoding.get(y)) else { return Ok(None) };
        if !matches!(p.meaning, Meaning::Index { exact: true, .. }) || p.meaning != q.meaning {
            return Ok(None);
        }
        let (p, q) = (p.bits.clone(), q.bits.clone());
        self.circuit(|c| {
            let (p, q) = (c.variables(&p)?, c.variables(&q)?);
            Ok(Bits::new(vec![if op == BinOp::Eq { c.eq(&p, &q)? } else { c.ne(&p, &q)? }]))
        })
    }

    fn variable(&mut self, var: VarId) -> Value {
        match self.encoding.get(var) {
            Some(Code { meaning: Meaning::Bits, bits, .. }) => {
                let bits = bits.clone();
                self.circuit(|c| c.variables(&bits))
            }
            // Reached for an index only where the table did not work out.
            _ => Ok(None),
        }
    }

    /// Puts each representative in.
    fn tabulate(&mut self, e: ExprId, width: usize, var: VarId, values: &[Option<u64>]) -> Value {
        let exact = matches!(self.encoding.get(var), Some(Code { meaning: Meaning::Index { exact: true, .. }, .. }));
        // A representative may only be looked at through conditions; as a number it stands for others too.
        if !exact && width > 1 {
            return Ok(None);
        }
        let mut rows = Vec::with_capacity(values.len());
        for (index, value) in values.iter().enumerate() {
            let Some(value) = value else { continue };
            let Some(result) = self.evaluate(e, var, *value) else { return Ok(None) };
            rows.push((index, result));
        }
        let mut bits = Vec::with_capacity(width);
        for bit in 0..width {
            let mut set = self.diagrams.bottom();
            for &(index, result) in &rows {
                if result >> bit & 1 == 1 {
                    let here = self.index_is(var, index)?;
                    set = self.diagrams.or(&set, &here).map_err(full)?;
                }
            }
            bits.push(set);
        }
        Ok(Some(Bits::new(bits)))
    }

    /// The set where an indexed variable has this index.
    pub(crate) fn index_is(&self, var: VarId, index: usize) -> Result<Node, Stopped> {
        let code = self.encoding.get(var).expect("only tracked variables are asked for");
        self.number_is(&code.bits, index as u64)
    }

    /// The expression with a value for its only variable, if all intermediate results have at most 64 bits.
    pub(crate) fn evaluate(&self, e: ExprId, var: VarId, value: u64) -> Option<u64> {
        let program = &self.facts.program;
        let (pool, model) = (&program.exprs, program.model);
        let ty = pool.ty(e);
        if ty.bits(model) > 64 {
            return None;
        }
        let bits = ty.bits(model);
        Some(match pool.get(e) {
            Expr::Const(_, bits) => bits,
            Expr::Var(v) if v == var => value,
            Expr::Unary(op, a) => fold::mask(bits, fold::unary(op, ty, self.evaluate(a, var, value)?)),
            Expr::Binary(op, a, b) => {
                let of = pool.ty(a);
                let (a, b) = (self.evaluate(a, var, value)?, self.evaluate(b, var, value)?);
                fold::binary(op, of, of.bits(model), a, b)
            }
            Expr::Cast(op, to, a) => fold::cast(op, pool.ty(a), to, model, self.evaluate(a, var, value)?),
            Expr::Var(_) | Expr::ObjAddr(_) | Expr::FuncAddr(_) | Expr::Load(..) | Expr::Holds(..) => return None,
        })
    }
}
