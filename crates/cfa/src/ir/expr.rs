//! Expressions: hash-consed, typed, simplified as they are built.
//!
//! Expressions have no side effects and no traps: every operator is total (division by zero and large shifts as in
//! SMT-LIB). Where C leaves the result undefined, the lowering has put a branch with a `Havoc` around it.

use super::{DataModel, FuncId, Idx, IdxVec, ObjId, Ty, VarId};
use super::{ExprId, fold};
use hashbrown::HashTable;
use std::hash::{Hash, Hasher};

/// A node of the pool.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Expr {
    /// A constant: the bits of an integer or float, zero-extended. Of type `Ptr`, an absolute address (0 is null). There
    /// is no constant of 128 bits; such a value is built with casts and shifts.
    Const(Ty, u64),
    /// A variable's value.
    Var(VarId),
    /// An object's address.
    ObjAddr(ObjId),
    /// A function's address.
    FuncAddr(FuncId),
    /// The value in memory at an address (type `Ptr`), little-endian.
    Load(Ty, ExprId),
    /// A unary operator.
    Unary(UnOp, ExprId),
    /// A binary operator.
    Binary(BinOp, ExprId, ExprId),
    /// A conversion to a type.
    Cast(CastOp, Ty, ExprId),
    /// Whether a claim about memory holds now: of so many bytes (type `size_ty`) from an address (type `Ptr`) on.
    Holds(Claim, ExprId, ExprId),
}

/// What is claimed of memory. The meaning of each is the interpreter's: it checks every access.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Claim {
    /// The bytes lie in one live object. No bytes always do.
    Readable,
    /// The bytes lie in one live object that is no constant.
    Writable,
    /// The address is null, or that of a live heap object. The size says nothing.
    Freeable,
    /// Each live heap object can be reached through pointers from the program's variables and static objects. Address and
    /// size say nothing.
    Tracked,
    /// No heap object is live. Address and size say nothing.
    Released,
}

impl Claim {
    /// All of them.
    pub const ALL: [Claim; 5] = [Claim::Readable, Claim::Writable, Claim::Freeable, Claim::Tracked, Claim::Released];

    /// The name in the text form.
    pub fn name(self) -> &'static str {
        match self {
            Claim::Readable => "readable",
            Claim::Writable => "writable",
            Claim::Freeable => "freeable",
            Claim::Tracked => "tracked",
            Claim::Released => "released",
        }
    }
}

/// Unary operators; the result has the operand's type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum UnOp {
    /// Two's complement.
    Neg,
    /// Bitwise complement; on one bit, negation.
    Not,
    /// Sign flip of a float.
    FNeg,
}

/// Binary operators. Operands have the same type (except `PtrAdd`); comparisons give `BOOL`, the others that type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[expect(missing_docs, reason = "U is unsigned, S signed, F float; the rest of the name is the operator")]
pub enum BinOp {
    Add,
    Sub,
    Mul,
    UDiv,
    SDiv,
    URem,
    SRem,
    And,
    Or,
    Xor,
    /// Shift left; the amount is unsigned, and at or beyond the width gives 0.
    Shl,
    /// Logical shift right.
    LShr,
    /// Arithmetic shift right.
    AShr,
    /// Equality of integers or pointers.
    Eq,
    Ne,
    ULt,
    ULe,
    SLt,
    SLe,
    FAdd,
    FSub,
    FMul,
    FDiv,
    FEq,
    FNe,
    FLt,
    FLe,
    /// A pointer plus a number of bytes (type `size_ty`, wraps around).
    PtrAdd,
}

impl BinOp {
    /// Whether the result is a truth value.
    pub fn is_comparison(self) -> bool {
        use BinOp::*;
        matches!(self, Eq | Ne | ULt | ULe | SLt | SLe | FEq | FNe | FLt | FLe)
    }

    /// Whether the operands may be swapped.
    pub fn is_commutative(self) -> bool {
        use BinOp::*;
        matches!(self, Add | Mul | And | Or | Xor | Eq | Ne | FAdd | FMul | FEq | FNe)
    }
}

/// Conversions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum CastOp {
    /// Integer to a narrower integer.
    Trunc,
    /// Integer to a wider integer, with zeros.
    ZExt,
    /// Integer to a wider integer, with the sign.
    SExt,
    /// Signed integer to float, rounded to nearest even.
    SToF,
    /// Unsigned integer to float, rounded to nearest even.
    UToF,
    /// Float to signed integer, toward zero; saturates, NaN gives 0.
    FToS,
    /// Float to unsigned integer, toward zero; saturates, NaN gives 0.
    FToU,
    /// Float to float.
    FToF,
    /// Pointer to the integer as wide as a pointer.
    PtrToInt,
    /// Integer as wide as a pointer to pointer.
    IntToPtr,
}

/// All expressions of a program, each distinct one once.
#[derive(Clone)]
pub struct ExprPool {
    model: DataModel,
    nodes: IdxVec<ExprId, Expr>,
    types: IdxVec<ExprId, Ty>,
    /// Whether variables and memory may hold nothing that is defined, so that reading them means something.
    keeps_reads: bool,
    /// Whether they access memory through a pointer.
    accesses: IdxVec<ExprId, bool>,
    table: HashTable<ExprId>,
    /// Types of the variables, told by [`ExprPool::declare`].
    var_types: IdxVec<VarId, Ty>,
}

impl std::fmt::Debug for ExprPool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.nodes.fmt(f)
    }
}

impl PartialEq for ExprPool {
    fn eq(&self, other: &Self) -> bool {
        self.model == other.model && self.nodes == other.nodes
    }
}

fn hash(expr: &Expr) -> u64 {
    let mut hasher = rustc_hash::FxHasher::default();
    expr.hash(&mut hasher);
    hasher.finish()
}

impl ExprPool {
    /// An empty pool.
    pub fn new(model: DataModel) -> Self {
        Self {
            model,
            nodes: IdxVec::new(),
            types: IdxVec::new(),
            keeps_reads: false,
            accesses: IdxVec::new(),
            table: HashTable::new(),
            var_types: IdxVec::new(),
        }
    }

    /// Whether operations on variables are left as they are where the result is known (`x == x`): the value that is read may be
    /// undefined. To be told before there are expressions.
    pub fn keep_reads(&mut self, keep: bool) {
        self.keeps_reads = keep;
    }

    /// Whether they are left.
    pub fn keeps_reads(&self) -> bool {
        self.keeps_reads
    }

    /// The data model, which says how wide pointers are.
    pub fn model(&self) -> DataModel {
        self.model
    }

    /// Tells the type of the next variable; called once per variable, in the order of their numbers.
    pub fn declare(&mut self, var: VarId, ty: Ty) {
        assert_eq!(self.var_types.len(), var.index(), "variables are declared in order");
        self.var_types.push(ty);
    }

    /// The node of an expression.
    pub fn get(&self, id: ExprId) -> Expr {
        self.nodes[id]
    }

    /// The type of an expression.
    pub fn ty(&self, id: ExprId) -> Ty {
        self.types[id]
    }

    /// Number of distinct expressions.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is no expression.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// All expressions; operands come before the expressions that use them.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = ExprId> + ExactSizeIterator + use<> {
        self.nodes.ids()
    }

    /// The expression with this node, if there is one.
    pub fn find(&self, expr: Expr) -> Option<ExprId> {
        self.table.find(hash(&expr), |&id| self.nodes[id] == expr).copied()
    }

    /// The node as it is, without simplification. Prefer the constructors below.
    pub fn intern(&mut self, expr: Expr) -> ExprId {
        let hash_of = hash(&expr);
        if let Some(&id) = self.table.find(hash_of, |&id| self.nodes[id] == expr) {
            return id;
        }
        let (ty, accesses) = (self.type_of(expr), self.accesses_in(expr));
        let id = self.nodes.push(expr);
        self.types.push(ty);
        self.accesses.push(accesses);
        self.table.insert_unique(hash_of, id, |&id| hash(&self.nodes[id]));
        id
    }

    /// Whether an expression must not be simplified away: it accesses memory through a pointer, which may be invalid, or
    /// reads something that may be undefined ([`ExprPool::keep_reads`]).
    pub fn accesses(&self, e: ExprId) -> bool {
        self.accesses[e]
    }

    fn accesses_in(&self, expr: Expr) -> bool {
        // The verifier tells of operands that are not there.
        let of = |e: ExprId| self.accesses.get(e).is_some_and(|&accesses| accesses);
        let is_object = |e: ExprId| matches!(self.nodes.get(e), Some(Expr::ObjAddr(_)));
        match expr {
            Expr::Var(_) | Expr::Load(..) if self.keeps_reads => true,
            Expr::Const(..) | Expr::Var(_) | Expr::ObjAddr(_) | Expr::FuncAddr(_) | Expr::Holds(..) => false,
            Expr::Load(_, addr) => match self.nodes.get(addr) {
                Some(&Expr::Binary(BinOp::PtrAdd, base, offset)) => {
                    !is_object(base) || !matches!(self.nodes.get(offset), Some(Expr::Const(..)))
                }
                _ => !is_object(addr),
            },
            Expr::Unary(_, arg) | Expr::Cast(_, _, arg) => of(arg),
            Expr::Binary(_, lhs, rhs) => of(lhs) || of(rhs),
        }
    }

    fn type_of(&self, expr: Expr) -> Ty {
        match expr {
            Expr::Const(ty, _) | Expr::Load(ty, _) | Expr::Cast(_, ty, _) => ty,
            Expr::Var(var) => self.var_types[var],
            Expr::ObjAddr(_) | Expr::FuncAddr(_) => Ty::Ptr,
            Expr::Unary(_, arg) => self.types[arg],
            Expr::Holds(..) => Ty::BOOL,
            Expr::Binary(op, ..) if op.is_comparison() => Ty::BOOL,
            Expr::Binary(_, lhs, _) => self.types[lhs],
        }
    }

    /// A constant; bits beyond the type's width are cut off.
    pub fn constant(&mut self, ty: Ty, bits: u64) -> ExprId {
        let bits = fold::mask(ty.bits(self.model).min(64), bits);
        debug_assert!(ty != Ty::Int(128), "no constants of 128 bits");
        self.intern(Expr::Const(ty, bits))
    }

    /// An integer constant of any width, 128 bits included.
    pub fn int(&mut self, bits: u8, value: i128) -> ExprId {
        if bits <= 64 {
            return self.constant(Ty::Int(bits), value as u64);
        }
        let low = self.constant(Ty::Int(64), value as u64);
        if i128::from(value as i64) == value {
            return self.cast(CastOp::SExt, Ty::Int(bits), low);
        }
        if i128::from(value as u64) == value {
            return self.cast(CastOp::ZExt, Ty::Int(bits), low);
        }
        let high = self.constant(Ty::Int(64), (value >> 64) as u64);
        let (low, high) = (self.cast(CastOp::ZExt, Ty::Int(bits), low), self.cast(CastOp::ZExt, Ty::Int(bits), high));
        let shift = self.int(bits, 64);
        let high = self.binary(BinOp::Shl, high, shift);
        self.binary(BinOp::Or, high, low)
    }

    /// A truth value.
    pub fn bool(&mut self, value: bool) -> ExprId {
        self.constant(Ty::BOOL, value.into())
    }

    /// The null pointer.
    pub fn null(&mut self) -> ExprId {
        self.constant(Ty::Ptr, 0)
    }

    /// A byte count.
    pub fn size(&mut self, bytes: u64) -> ExprId {
        self.constant(self.model.size_ty(), bytes)
    }

    /// A variable's value.
    pub fn var(&mut self, var: VarId) -> ExprId {
        self.intern(Expr::Var(var))
    }

    /// The bits of a constant.
    pub fn as_const(&self, id: ExprId) -> Option<u64> {
        match self.nodes[id] {
            Expr::Const(_, bits) => Some(bits),
            _ => None,
        }
    }

    /// The value in memory at an address.
    pub fn load(&mut self, ty: Ty, addr: ExprId) -> ExprId {
        debug_assert_eq!(self.ty(addr), Ty::Ptr);
        self.intern(Expr::Load(ty, addr))
    }

    /// Whether a claim about memory holds.
    pub fn holds(&mut self, claim: Claim, addr: ExprId, size: ExprId) -> ExprId {
        debug_assert_eq!(self.ty(addr), Ty::Ptr);
        self.intern(Expr::Holds(claim, addr, size))
    }

    /// A unary operator.
    pub fn unary(&mut self, op: UnOp, arg: ExprId) -> ExprId {
        let ty = self.ty(arg);
        match self.get(arg) {
            Expr::Const(_, bits) => return self.constant(ty, fold::unary(op, ty, bits)),
            Expr::Unary(inner, x) if inner == op => return x,
            Expr::Binary(cmp, a, b) if op == UnOp::Not && ty == Ty::BOOL => {
                if let Some((cmp, swap)) = negated(cmp) {
                    let (a, b) = if swap { (b, a) } else { (a, b) };
                    return self.binary(cmp, a, b);
                }
            }
            _ => {}
        }
        self.intern(Expr::Unary(op, arg))
    }

    /// A binary operator.
    pub fn binary(&mut self, op: BinOp, mut lhs: ExprId, mut rhs: ExprId) -> ExprId {
        let ty = self.ty(lhs);
        debug_assert!(op == BinOp::PtrAdd || ty == self.ty(rhs), "{op:?} of {ty} and {}", self.ty(rhs));
        let bits = ty.bits(self.model);
        if op.is_commutative() && self.as_const(lhs).is_some() {
            (lhs, rhs) = (rhs, lhs);
        }
        if let (Some(a), Some(b)) = (self.as_const(lhs), self.as_const(rhs)) {
            let value = fold::binary(op, ty, bits, a, b);
            return self.constant(if op.is_comparison() { Ty::BOOL } else { ty }, value);
        }
        if let Some(b) = self.as_const(rhs)
            && let Some(simple) = self.with_constant(op, ty, lhs, b)
        {
            return simple;
        }
        if lhs == rhs && !ty.is_float() {
            use BinOp::*;
            match op {
                And | Or => return lhs,
                _ if self.accesses(lhs) => {}
                Xor | Sub if bits <= 64 => return self.constant(ty, 0),
                Eq | ULe | SLe => return self.bool(true),
                Ne | ULt | SLt => return self.bool(false),
                _ => {}
            }
        }
        self.intern(Expr::Binary(op, lhs, rhs))
    }

    /// Rules for a constant right operand.
    fn with_constant(&mut self, op: BinOp, ty: Ty, lhs: ExprId, b: u64) -> Option<ExprId> {
        use BinOp::*;
        if ty.is_float() {
            return None;
        }
        let bits = ty.bits(self.model);
        let ones = fold::mask(bits.min(64), u64::MAX);
        match (op, b) {
            (Add | Sub | Or | Xor | Shl | LShr | AShr | PtrAdd, 0) => return Some(lhs),
            (Mul | UDiv | SDiv, 1) if bits > 1 => return Some(lhs),
            (Mul | And, 0) | (URem, 1) if !self.accesses(lhs) => return Some(self.constant(ty, 0)),
            (And, b) if b == ones => return Some(lhs),
            (Or, b) if b == ones && !self.accesses(lhs) => return Some(self.constant(ty, ones)),
            (Xor, 1) | (Eq, 0) | (Ne, 1) if ty == Ty::BOOL => return Some(self.unary(UnOp::Not, lhs)),
            (Eq, 1) | (Ne, 0) if ty == Ty::BOOL => return Some(lhs),
            (ULt, 0) if !self.accesses(lhs) => return Some(self.bool(false)),
            _ => {}
        }
        match (op, self.get(lhs)) {
            // (p + c) + b
            (PtrAdd, Expr::Binary(PtrAdd, p, c)) | (Add, Expr::Binary(Add, p, c)) => {
                let c = self.as_const(c)?;
                let sum = self.constant(if op == PtrAdd { self.model.size_ty() } else { ty }, c.wrapping_add(b));
                Some(self.binary(op, p, sum))
            }
            // A widened value against a constant: compare at the narrow width.
            (Eq | Ne, Expr::Cast(cast @ (CastOp::ZExt | CastOp::SExt), _, x)) => {
                let narrow = self.ty(x);
                let back = fold::mask(narrow.bits(self.model), b);
                if fold::cast(cast, narrow, ty, self.model, back) != b {
                    return (!self.accesses(x)).then(|| self.bool(op == Ne));
                }
                let c = self.constant(narrow, back);
                Some(self.binary(op, x, c))
            }
            _ => None,
        }
    }

    /// A conversion.
    pub fn cast(&mut self, op: CastOp, ty: Ty, arg: ExprId) -> ExprId {
        use CastOp::*;
        let from = self.ty(arg);
        if from == ty {
            return arg;
        }
        match self.get(arg) {
            Expr::Const(_, bits) if ty != Ty::Int(128) => {
                let value = fold::cast(op, from, ty, self.model, bits);
                return self.constant(ty, value);
            }
            Expr::Cast(inner, _, x) => {
                let origin = self.ty(x);
                match (op, inner) {
                    (Trunc, Trunc) | (ZExt, ZExt) | (SExt, SExt) => return self.cast(op, ty, x),
                    (SExt, ZExt) => return self.cast(ZExt, ty, x),
                    (Trunc, ZExt | SExt) => {
                        let (wanted, had) = (ty.bits(self.model), origin.bits(self.model));
                        return match wanted.cmp(&had) {
                            std::cmp::Ordering::Less => self.cast(Trunc, ty, x),
                            std::cmp::Ordering::Equal => x,
                            std::cmp::Ordering::Greater => self.cast(inner, ty, x),
                        };
                    }
                    (IntToPtr, PtrToInt) => return x,
                    (PtrToInt, IntToPtr) => return x,
                    _ => {}
                }
            }
            _ => {}
        }
        self.intern(Expr::Cast(op, ty, arg))
    }

    /// Integer to integer of another width.
    pub fn resize(&mut self, arg: ExprId, signed: bool, bits: u8) -> ExprId {
        let from = self.ty(arg).bits(self.model);
        match u32::from(bits).cmp(&from) {
            std::cmp::Ordering::Less => self.cast(CastOp::Trunc, Ty::Int(bits), arg),
            std::cmp::Ordering::Equal => arg,
            std::cmp::Ordering::Greater => {
                self.cast(if signed { CastOp::SExt } else { CastOp::ZExt }, Ty::Int(bits), arg)
            }
        }
    }

    /// The operands of a node.
    pub fn operands(&self, id: ExprId) -> impl Iterator<Item = ExprId> + use<> {
        let (a, b) = match self.nodes[id] {
            Expr::Const(..) | Expr::Var(_) | Expr::ObjAddr(_) | Expr::FuncAddr(_) => (None, None),
            Expr::Load(_, x) | Expr::Unary(_, x) | Expr::Cast(_, _, x) => (Some(x), None),
            Expr::Binary(_, x, y) | Expr::Holds(_, x, y) => (Some(x), Some(y)),
        };
        a.into_iter().chain(b)
    }
}

/// The comparison that holds where this one does not, and whether the operands swap. Floats have none (NaN).
fn negated(op: BinOp) -> Option<(BinOp, bool)> {
    use BinOp::*;
    Some(match op {
        Eq => (Ne, false),
        Ne => (Eq, false),
        ULt => (ULe, true),
        ULe => (ULt, true),
        SLt => (SLe, true),
        SLe => (SLt, true),
        FEq => (FNe, false),
        FNe => (FEq, false),
        _ => return None,
    })
}
