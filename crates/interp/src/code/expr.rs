//! Expressions to instructions.

use super::{Element, Instr, Operand, Slot};
use crate::memory::layout::Layout;
use robusto_cfa::ir::{BinOp, CastOp, Expr, ExprId, IdxVec, ObjId, ObjectKind, Program, Ty, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

/// A memory access whose object and offset are known, and inside of the object.
#[derive(Clone, Copy, Debug)]
pub(super) enum Direct {
    /// Offset from the start of the globals.
    Static(u32),
    /// Offset from the start of the frame's memory.
    Frame(u32),
}

/// Translates the expressions of one edge after the other.
pub(super) struct Expressions<'p> {
    pub program: &'p Program,
    pub layout: &'p Layout,
    pub instrs: Vec<Instr>,
    /// Initial values of the static slots.
    pub statics: Vec<u64>,
    constants: FxHashMap<u64, Slot>,
    pub vars: IdxVec<VarId, Slot>,
    /// Slot of each local object's address, and its offset in the frame's memory.
    pub objects: FxHashMap<ObjId, (Slot, u64)>,
    /// First slot of the frame that a temporary can have.
    pub temps: usize,
    /// Number of slots of the frame.
    pub slots: usize,
    /// Of the edge at hand: the values that have been computed.
    done: FxHashMap<ExprId, Slot>,
    next_temp: usize,
    /// Addresses that accesses must find in the program's objects.
    pub own: &'p FxHashSet<ExprId>,
}

impl<'p> Expressions<'p> {
    pub fn new(program: &'p Program, layout: &'p Layout, own: &'p FxHashSet<ExprId>) -> Self {
        Self {
            program,
            layout,
            instrs: Vec::new(),
            statics: Vec::new(),
            constants: FxHashMap::default(),
            vars: IdxVec::new(),
            objects: FxHashMap::default(),
            temps: 0,
            slots: 0,
            done: FxHashMap::default(),
            next_temp: 0,
            own,
        }
    }

    fn ty(&self, id: ExprId) -> Ty {
        self.program.exprs.ty(id)
    }

    fn is_wide(&self, id: ExprId) -> bool {
        self.ty(id).is_wide()
    }

    fn bits(&self, ty: Ty) -> u8 {
        ty.bits(self.program.model) as u8
    }

    /// The slot of a constant.
    pub fn constant(&mut self, bits: u64) -> Slot {
        *self.constants.entry(bits).or_insert_with(|| {
            self.statics.push(bits);
            Slot::fixed(self.statics.len() - 1)
        })
    }

    /// A new slot of the frame, two for a wide value.
    fn temp(&mut self, wide: bool) -> Slot {
        let slot = Slot::frame(self.next_temp);
        self.next_temp += 1 + usize::from(wide);
        self.slots = self.slots.max(self.next_temp);
        slot
    }

    /// Forgets the temporaries of the edge before.
    pub fn start_edge(&mut self) {
        self.done.clear();
        self.next_temp = self.temps;
    }

    /// Without the conversions that leave the bits as they are.
    fn strip(&self, mut id: ExprId) -> ExprId {
        while let Expr::Cast(CastOp::ZExt | CastOp::PtrToInt | CastOp::IntToPtr, to, arg) = self.program.exprs.get(id)
            && !to.is_wide()
        {
            id = arg;
        }
        id
    }

    /// The access at an address, if its object and offset are known and it is valid; `write` asks for a variable.
    pub fn direct(&self, addr: ExprId, ty: Ty, write: bool) -> Option<Direct> {
        let exprs = &self.program.exprs;
        let (object, offset) = match exprs.get(addr) {
            Expr::ObjAddr(object) => (object, 0),
            Expr::Binary(BinOp::PtrAdd, base, offset) => match exprs.get(base) {
                Expr::ObjAddr(object) => (object, exprs.as_const(offset)?),
                _ => return None,
            },
            _ => return None,
        };
        let info = &self.program.objects[object];
        if ty.is_wide() || offset.checked_add(ty.size(self.program.model))? > info.size {
            return None;
        }
        match info.kind {
            ObjectKind::Constant(_) if write => None,
            ObjectKind::Global(_) | ObjectKind::Constant(_) => {
                u32::try_from(self.layout.offset(object)? + offset).ok().map(Direct::Static)
            }
            ObjectKind::Local(_) => {
                let (_, start) = self.objects.get(&object)?;
                u32::try_from(start + offset).ok().map(Direct::Frame)
            }
        }
    }

    /// The array element that an address is, if it has that form: base, index, the index's width, and the scale.
    fn element_of(&self, addr: ExprId) -> Option<(ExprId, ExprId, u8, u8)> {
        let exprs = &self.program.exprs;
        let Expr::Binary(BinOp::PtrAdd, base, offset) = exprs.get(addr) else { return None };
        let (index, scale) = match exprs.get(offset) {
            Expr::Binary(BinOp::Mul, index, scale) => (index, u8::try_from(exprs.as_const(scale)?).ok()?),
            Expr::Const(..) => return None,
            _ => (offset, 1),
        };
        let (index, bits) = match exprs.get(index) {
            Expr::Cast(CastOp::SExt, _, narrow) => (narrow, self.bits(self.ty(narrow))),
            _ => (index, self.bits(Ty::Ptr)),
        };
        // An index beyond 2^63 wraps to the same address whether it is read as signed or not.
        Some((self.strip(base), self.strip(index), bits, scale))
    }

    /// The array element at an address, with its base and index computed.
    pub fn element(&mut self, addr: ExprId) -> Option<Element> {
        let (base, index, bits, scale) = self.element_of(addr)?;
        Some(Element { bits, scale, base: self.value(base).slot, index: self.value(index).slot })
    }

    /// The nodes that an instruction for this one reads.
    fn sources(&self, id: ExprId) -> [Option<ExprId>; 2] {
        let exprs = &self.program.exprs;
        let addr = match exprs.get(id) {
            Expr::Load(ty, addr) if self.direct(addr, ty, false).is_some() => return [None; 2],
            Expr::Load(_, addr) if self.own.contains(&addr) => return [Some(self.strip(addr)), None],
            Expr::Load(ty, addr) if !ty.is_wide() => addr,
            _ => id,
        };
        if let Some((base, index, ..)) = self.element_of(addr) {
            return [Some(base), Some(index)];
        }
        let mut operands = exprs.operands(id).map(|operand| self.strip(operand));
        [operands.next(), operands.next()]
    }

    /// The slot of a value that needs no instruction.
    pub fn leaf(&mut self, id: ExprId) -> Option<Slot> {
        match self.program.exprs.get(self.strip(id)) {
            Expr::Const(_, bits) => Some(self.constant(bits)),
            Expr::Var(var) => Some(self.vars[var]),
            Expr::ObjAddr(object) => match self.layout.object(object) {
                Some(addr) => Some(self.constant(addr)),
                None => self.objects.get(&object).map(|&(slot, _)| slot),
            },
            Expr::FuncAddr(function) => {
                let addr = self.layout.function(function);
                Some(self.constant(addr))
            }
            _ => None,
        }
    }

    /// Computes a value and gives its slot.
    pub fn value(&mut self, id: ExprId) -> Operand {
        let ty = self.ty(id);
        let slot = self.leaf(id).unwrap_or_else(|| self.compute(id, None));
        Operand { slot, ty }
    }

    /// Computes a value that needs instructions; the last one writes to `dst`, if that is given.
    pub fn compute(&mut self, root: ExprId, dst: Option<Slot>) -> Slot {
        let root = self.strip(root);
        // The nodes below the root that are still to be computed. Operands have smaller numbers than the expressions
        // that use them, so the order of the numbers is an order of evaluation.
        let mut nodes = Vec::new();
        let mut seen = FxHashSet::default();
        let mut work = vec![root];
        while let Some(id) = work.pop() {
            if self.leaf(id).is_some() || self.done.contains_key(&id) || !seen.insert(id) {
                continue;
            }
            nodes.push(id);
            work.extend(self.sources(id).into_iter().flatten());
        }
        nodes.sort_unstable();
        for id in nodes {
            let wide = self.is_wide(id);
            let target = dst.filter(|_| id == root).unwrap_or_else(|| self.temp(wide));
            self.emit(id, target);
            self.done.insert(id, target);
        }
        self.done[&root]
    }

    fn slot(&mut self, id: ExprId) -> Slot {
        let id = self.strip(id);
        self.leaf(id).unwrap_or_else(|| self.done[&id])
    }

    /// The array element at an address whose base and index have been computed.
    fn ready_element(&mut self, addr: ExprId) -> Option<Element> {
        let (base, index, bits, scale) = self.element_of(addr)?;
        Some(Element { bits, scale, base: self.slot(base), index: self.slot(index) })
    }

    /// So many bytes at an address must not lie outside of the program's objects, or of the one that the address is computed from.
    pub fn stay_inside(&mut self, id: ExprId, addr: Slot, size: u64) {
        let dst = self.temp(false);
        let instr = match self.last_of_named(id, size) {
            // An index is compared before it is scaled: four times 0x40000000 is 0 with 32 bits.
            Some((object, base, last)) => match self.element_of(id).filter(|element| element.0 == object) {
                Some((_, index, bits, scale)) if scale > 0 => {
                    Instr::Index { index: self.slot(index), bits, last: last / u32::from(scale), dst }
                }
                _ => Instr::Within { addr, base, last, dst },
            },
            None => Instr::Inside { addr, dst },
        };
        self.instrs.push(instr);
    }

    /// If an address is computed from a named object's: that one, its slot, and the last offset where so many bytes lie in the object. An object
    /// of no size is an array whose length another file knows.
    fn last_of_named(&mut self, addr: ExprId, size: u64) -> Option<(ExprId, Slot, u32)> {
        let mut base = addr;
        while let Expr::Binary(BinOp::PtrAdd, pointer, _) = self.program.exprs.get(base) {
            base = pointer;
        }
        let Expr::ObjAddr(object) = self.program.exprs.get(base) else { return None };
        let last = self.program.objects[object].size.checked_sub(size)?;
        Some((base, self.leaf(base)?, u32::try_from(last).ok()?))
    }

    fn emit(&mut self, id: ExprId, dst: Slot) {
        let ty = self.ty(id);
        let instr = match self.program.exprs.get(id) {
            Expr::Load(ty, addr) => match self.direct(addr, ty, false) {
                Some(Direct::Static(offset)) => Instr::LoadStatic { bits: self.bits(ty), dst, offset },
                Some(Direct::Frame(offset)) => Instr::LoadFrame { bits: self.bits(ty), dst, offset },
                None if self.own.contains(&addr) => {
                    let size = ty.size(self.program.model);
                    let slot = self.slot(addr);
                    self.stay_inside(addr, slot, size);
                    let addr = slot;
                    match ty.is_wide() {
                        true => Instr::WideLoad { ty, dst, addr },
                        false => Instr::Load { bits: self.bits(ty), dst, addr },
                    }
                }
                None if ty.is_wide() => Instr::WideLoad { ty, dst, addr: self.slot(addr) },
                None => match self.ready_element(addr) {
                    Some(element) => Instr::LoadElement { bits: self.bits(ty), dst, element },
                    None => Instr::Load { bits: self.bits(ty), dst, addr: self.slot(addr) },
                },
            },
            Expr::Unary(op, a) if self.is_wide(a) => Instr::WideUnary { op, ty, dst, a: self.slot(a) },
            Expr::Unary(op, a) => Instr::Unary { op, ty, bits: self.bits(ty), dst, a: self.slot(a) },
            Expr::Binary(op, a, b) => {
                if let Some(element) = self.ready_element(id) {
                    self.instrs.push(Instr::Element { dst, element });
                    return;
                }
                let ty = self.ty(a);
                let (a, b) = (self.slot(a), self.slot(b));
                match ty {
                    ty if ty.is_wide() => Instr::Wide { op, ty, dst, a, b },
                    Ty::F32 | Ty::F64 | Ty::F80 => Instr::Float { op, ty, dst, a, b },
                    Ty::Int(_) | Ty::Ptr => Instr::Int { op, bits: self.bits(ty), dst, a, b },
                }
            }
            Expr::Cast(op, to, a) => {
                let from = self.ty(a);
                let a = self.slot(a);
                match op {
                    _ if from.is_wide() || to.is_wide() => Instr::WideCast { op, from, to, dst, a },
                    CastOp::Trunc => Instr::Trunc { bits: self.bits(to), dst, a },
                    CastOp::SExt => Instr::SExt { from: self.bits(from), to: self.bits(to), dst, a },
                    _ => Instr::Cast { op, from, to, dst, a },
                }
            }
            Expr::Holds(claim, addr, size) => {
                let own = self.own.contains(&addr);
                Instr::Holds { claim, own, dst, addr: self.slot(addr), size: self.slot(size) }
            }
            leaf @ (Expr::Const(..) | Expr::Var(_) | Expr::ObjAddr(_) | Expr::FuncAddr(_)) => {
                unreachable!("{leaf:?} needs no instruction")
            }
        };
        self.instrs.push(instr);
    }
}
