//! Builds the new program: promoted objects replaced, unused functions, variables, objects and expressions left out.

use super::slots::{Slots, constant_address};
use super::{Shapes, Slot};
use crate::ir::{
    BinOp, Callee, Edge, Expr, ExprId, FuncId, Function, HavocSource, Idx, IdxVec, Image, LocId, ObjId, Object,
    ObjectKind, Op, Program, RelocTarget, Relocation, SrcPos, Ty, Var, VarId, VarKind,
};

pub fn rewrite(old: Program, slots: &Slots, shapes: &dyn Shapes) -> Program {
    let mut functions: IdxVec<FuncId, Option<FuncId>> = IdxVec::filled(None, old.functions.len());
    let mut kept = Vec::new();
    for (id, function) in old.functions.enumerate() {
        let has_body = !function.edges().is_empty();
        if has_body && (!function.external || slots.referenced[id]) {
            functions[id] = Some(FuncId::new(kept.len()));
            kept.push(id);
        }
    }
    let mut new = Program::new(old.model);
    new.exprs.keep_reads(old.exprs.keeps_reads());
    new.files = old.files.clone();
    new.assumptions = old.assumptions.clone();
    new.main = old.main.and_then(|main| functions[main]);
    let mut rewriter = Rewriter {
        exprs: vec![None; old.exprs.len()],
        vars: IdxVec::filled(None, old.vars.len()),
        objects: IdxVec::filled(None, old.objects.len()),
        slot_vars: IdxVec::filled(Vec::new(), old.objects.len()),
        params: IdxVec::filled(None, old.objects.len()),
        pending: Vec::new(),
        functions,
        owner: None,
        old: &old,
        new,
        slots,
        shapes,
        locals: Vec::new(),
        local_objects: Vec::new(),
    };
    for &id in &kept {
        rewriter.function(id);
    }
    rewriter.finish_objects();
    rewriter.new
}

struct Rewriter<'p> {
    old: &'p Program,
    new: Program,
    slots: &'p Slots,
    shapes: &'p dyn Shapes,
    exprs: Vec<Option<ExprId>>,
    vars: IdxVec<VarId, Option<VarId>>,
    objects: IdxVec<ObjId, Option<ObjId>>,
    functions: IdxVec<FuncId, Option<FuncId>>,
    /// For each promoted object its variables in the new program, by slot.
    slot_vars: IdxVec<ObjId, Vec<Option<VarId>>>,
    /// The parameter (of the old program) whose value an object takes at entry.
    params: IdxVec<ObjId, Option<VarId>>,
    /// New global objects whose images are still to be translated.
    pending: Vec<(ObjId, ObjId)>,
    /// The function being rewritten.
    owner: Option<FuncId>,
    locals: Vec<VarId>,
    local_objects: Vec<ObjId>,
}

impl Rewriter<'_> {
    fn function(&mut self, id: FuncId) {
        let old = &self.old.functions[id];
        let new_id = self.functions[id].expect("only kept functions are rewritten");
        self.owner = Some(new_id);
        let params: Vec<VarId> = old.params.iter().map(|&p| self.var(p)).collect();
        self.find_parameters(old);
        let mut header = Function::header(&old.name, old.pos);
        header.ret = old.ret;
        header.entry = old.entry;
        header.exit = old.exit;
        header.external = old.external;
        header.handed_out = old.handed_out;
        header.labels = old.labels.clone();
        header.params = params;
        let mut body = Body { locations: old.num_locs(), edges: Vec::with_capacity(old.edges().len()) };
        for edge in old.edges().iter() {
            let ops = self.op(&edge.op, edge.pos);
            body.chain(edge, ops);
        }
        header.locals = std::mem::take(&mut self.locals);
        header.objects = std::mem::take(&mut self.local_objects);
        let function = crate::ir::rebuild(header, body.locations, body.edges);
        self.new.functions.push(function);
        self.owner = None;
    }

    /// The lowering stores each parameter into an object at entry; if that object is promoted, the parameter itself
    /// serves as its variable. A later store of a parameter (`va_start`) makes no object its home.
    fn find_parameters(&mut self, function: &Function) {
        let mut at = function.entry;
        // Each location once: the body may loop back.
        for _ in function.locs() {
            let Some((_, edge)) = function.out(at).next() else { return };
            match edge.op {
                Op::Store { addr, value } => {
                    let Expr::Var(var) = self.old.exprs.get(value) else { return };
                    let Some((obj, 0)) = constant_address(self.old, addr) else { return };
                    if matches!(self.old.vars[var].kind, VarKind::Param(_))
                        && matches!(self.old.objects[obj].kind, ObjectKind::Local(_))
                        && matches!(&self.slots.of[obj], Some(s) if s.len() == 1 && s[0].ty == self.old.vars[var].ty)
                    {
                        self.params[obj] = Some(var);
                    }
                }
                // In `main`, objects that other files define come first.
                Op::HavocMem { addr, .. }
                    if matches!(constant_address(self.old, addr), Some((obj, _))
                        if matches!(self.old.objects[obj].kind, ObjectKind::Global(_))) => {}
                _ => return,
            }
            at = edge.dst;
        }
    }

    // ---- names ----------------------------------------------------------------------------------------------------

    fn new_var(&mut self, var: Var) -> VarId {
        let (ty, kind) = (var.ty, var.kind);
        let id = self.new.vars.push(var);
        self.new.exprs.declare(id, ty);
        if let VarKind::Local(_) | VarKind::Temp(_) = kind {
            self.locals.push(id);
        }
        id
    }

    fn var(&mut self, var: VarId) -> VarId {
        if let Some(id) = self.vars[var] {
            return id;
        }
        let mut copy = self.old.vars[var].clone();
        let owner = self.owner.expect("variables are used in functions");
        copy.kind = match copy.kind {
            VarKind::Global(_) => unreachable!("globals are objects before promotion"),
            VarKind::Param(_) => VarKind::Param(owner),
            VarKind::Local(_) => VarKind::Local(owner),
            VarKind::Temp(_) => VarKind::Temp(owner),
        };
        let id = self.new_var(copy);
        self.vars[var] = Some(id);
        id
    }

    /// The variable of a slot.
    fn slot_var(&mut self, obj: ObjId, index: usize) -> VarId {
        if let Some(Some(id)) = self.slot_vars[obj].get(index) {
            return *id;
        }
        let slots = self.slots.of[obj].as_ref().expect("the object is promoted");
        let slot = slots[index];
        let id = if let Some(param) = self.params[obj] {
            self.var(param)
        } else {
            let object = &self.old.objects[obj];
            let (suffix, signed) = self.shapes.describe(obj, slot);
            let kind = match &object.kind {
                ObjectKind::Local(_) => VarKind::Local(self.owner.expect("locals are used in functions")),
                ObjectKind::Global(image) => VarKind::Global(self.initial(image, slot)),
                ObjectKind::Constant(_) => unreachable!("constants are not promoted"),
            };
            let name = format!("{}{suffix}", object.name);
            self.new_var(Var { name: name.into(), ty: slot.ty, signed, kind, pos: object.pos })
        };
        let vars = &mut self.slot_vars[obj];
        if vars.len() <= index {
            vars.resize(slots.len(), None);
        }
        vars[index] = Some(id);
        id
    }

    /// The initial value of a slot of a global object.
    fn initial(&mut self, image: &Image, slot: Slot) -> ExprId {
        if let Some(r) = image.relocations.iter().find(|r| r.offset == slot.offset) {
            let base = match r.target {
                RelocTarget::Object(obj) => {
                    let obj = self.object(obj);
                    self.new.exprs.intern(Expr::ObjAddr(obj))
                }
                RelocTarget::Function(func) => {
                    let func = self.functions[func].expect("referenced functions are kept");
                    self.new.exprs.intern(Expr::FuncAddr(func))
                }
            };
            let offset = self.new.exprs.size(r.addend as u64);
            let address = self.new.exprs.binary(BinOp::PtrAdd, base, offset);
            return match slot.ty {
                Ty::Ptr => address,
                ty => self.new.exprs.cast(crate::ir::CastOp::PtrToInt, ty, address),
            };
        }
        let size = slot.ty.size(self.old.model) as usize;
        let start = (slot.offset as usize).min(image.bytes.len());
        let mut bytes = [0; 16];
        let available = &image.bytes[start..(start + size).min(image.bytes.len())];
        bytes[..available.len()].copy_from_slice(available);
        self.constant(slot.ty, u128::from_le_bytes(bytes))
    }

    fn constant(&mut self, ty: Ty, bits: u128) -> ExprId {
        match ty {
            Ty::Int(128) => self.new.exprs.int(128, bits as i128),
            ty => self.new.exprs.constant(ty, bits as u64),
        }
    }

    fn object(&mut self, obj: ObjId) -> ObjId {
        if let Some(id) = self.objects[obj] {
            return id;
        }
        let old = &self.old.objects[obj];
        let kind = match &old.kind {
            ObjectKind::Local(_) => ObjectKind::Local(self.owner.expect("locals are used in functions")),
            ObjectKind::Global(_) => ObjectKind::Global(Image::default()),
            ObjectKind::Constant(_) => ObjectKind::Constant(Image::default()),
        };
        let local = matches!(kind, ObjectKind::Local(_));
        let id = self.new.objects.push(Object { kind, ..old.clone() });
        self.objects[obj] = Some(id);
        if local {
            self.local_objects.push(id);
        } else {
            self.pending.push((obj, id));
        }
        id
    }

    /// Translates the images of the objects that are used; they may name further objects.
    fn finish_objects(&mut self) {
        while let Some((old, new)) = self.pending.pop() {
            let old = &self.old.objects[old];
            let (ObjectKind::Global(image) | ObjectKind::Constant(image)) = &old.kind else { continue };
            let relocations = image
                .relocations
                .iter()
                .map(|r| {
                    let target = match r.target {
                        RelocTarget::Object(obj) => RelocTarget::Object(self.object(obj)),
                        RelocTarget::Function(f) => {
                            RelocTarget::Function(self.functions[f].expect("referenced functions are kept"))
                        }
                    };
                    Relocation { target, ..*r }
                })
                .collect();
            let image = Image { bytes: image.bytes.clone(), relocations };
            self.new.objects[new].kind = match old.kind {
                ObjectKind::Global(_) => ObjectKind::Global(image),
                _ => ObjectKind::Constant(image),
            };
        }
    }

    // ---- expressions ----------------------------------------------------------------------------------------------

    fn expr(&mut self, e: ExprId) -> ExprId {
        if let Some(id) = self.exprs[e.index()] {
            return id;
        }
        let id = match self.old.exprs.get(e) {
            Expr::Const(ty, bits) => self.new.exprs.constant(ty, bits),
            Expr::Var(var) => {
                let var = self.var(var);
                self.new.exprs.var(var)
            }
            Expr::ObjAddr(obj) => {
                let obj = self.object(obj);
                self.new.exprs.intern(Expr::ObjAddr(obj))
            }
            Expr::FuncAddr(func) => {
                let func = self.functions[func].expect("referenced functions are kept");
                self.new.exprs.intern(Expr::FuncAddr(func))
            }
            Expr::Load(ty, addr) => match self.promoted(addr, ty) {
                Some(var) => self.new.exprs.var(var),
                None => {
                    let addr = self.expr(addr);
                    self.new.exprs.load(ty, addr)
                }
            },
            Expr::Unary(op, a) => {
                let a = self.expr(a);
                self.new.exprs.unary(op, a)
            }
            Expr::Binary(op, a, b) => {
                let (a, b) = (self.expr(a), self.expr(b));
                self.new.exprs.binary(op, a, b)
            }
            Expr::Cast(op, ty, a) => {
                let a = self.expr(a);
                self.new.exprs.cast(op, ty, a)
            }
            Expr::Holds(claim, a, b) => {
                let (a, b) = (self.expr(a), self.expr(b));
                self.new.exprs.holds(claim, a, b)
            }
        };
        self.exprs[e.index()] = Some(id);
        id
    }

    /// The variable that stands for memory at an address, if that is a slot.
    fn promoted(&mut self, addr: ExprId, ty: Ty) -> Option<VarId> {
        let (obj, offset) = constant_address(self.old, addr)?;
        let slots = self.slots.of[obj].as_ref()?;
        let index = slots.binary_search(&Slot { offset, ty }).ok()?;
        Some(self.slot_var(obj, index))
    }

    // ---- operations -----------------------------------------------------------------------------------------------

    /// The slots of a promoted object within a range.
    fn slots_in(&mut self, addr: ExprId, size: ExprId) -> Option<Vec<(u64, VarId)>> {
        let (obj, start) = constant_address(self.old, addr)?;
        let size = self.old.exprs.as_const(size)?;
        let slots = self.slots.of[obj].as_ref()?;
        let inside: Vec<(usize, Slot)> =
            slots.iter().copied().enumerate().filter(|(_, s)| s.offset >= start && s.offset < start + size).collect();
        Some(inside.into_iter().map(|(i, s)| (s.offset - start, self.slot_var(obj, i))).collect())
    }

    fn op(&mut self, op: &Op, pos: SrcPos) -> Vec<Op> {
        let one = match op {
            Op::Skip | Op::Error(_) | Op::Unsupported(_) => op.clone(),
            Op::Assume { cond, truth } => return vec![self.assume(*cond, *truth)],
            Op::Assign { var, value } => {
                let value = self.expr(*value);
                Op::Assign { var: self.var(*var), value }
            }
            Op::Store { addr, value } => {
                if let Expr::Var(var) = self.old.exprs.get(*value)
                    && let Some((obj, 0)) = constant_address(self.old, *addr)
                    && self.params[obj] == Some(var)
                {
                    return vec![Op::Skip]; // the parameter is the variable
                }
                match self.promoted(*addr, self.old.exprs.ty(*value)) {
                    Some(var) => Op::Assign { var, value: self.expr(*value) },
                    None => Op::Store { addr: self.expr(*addr), value: self.expr(*value) },
                }
            }
            Op::Copy { dst, src, size } => return self.copy(*dst, *src, *size, pos),
            Op::Fill { dst, byte, size } => match self.slots_in(*dst, *size) {
                Some(slots) => {
                    let byte = self.old.exprs.as_const(*byte).unwrap_or(0) as u8;
                    let bits = u128::from_le_bytes([byte; 16]);
                    return slots
                        .into_iter()
                        .map(|(_, var)| {
                            let ty = self.new.vars[var].ty;
                            Op::Assign { var, value: self.constant(ty, bits) }
                        })
                        .collect();
                }
                None => Op::Fill { dst: self.expr(*dst), byte: self.expr(*byte), size: self.expr(*size) },
            },
            Op::HavocMem { addr, size, source } => {
                let source = self.source(*source);
                match self.slots_in(*addr, *size) {
                    Some(slots) => return slots.into_iter().map(|(_, var)| Op::Havoc { var, source }).collect(),
                    None => Op::HavocMem { addr: self.expr(*addr), size: self.expr(*size), source },
                }
            }
            Op::Havoc { var, source } => Op::Havoc { var: self.var(*var), source: self.source(*source) },
            Op::Call { result, callee, args } => {
                let args = args.iter().map(|&a| self.expr(a)).collect();
                let callee = match *callee {
                    Callee::Direct(f) => Callee::Direct(self.functions[f].expect("called functions are kept")),
                    Callee::Indirect(e, outside) => {
                        let outside = outside.map(|f| self.functions[f].expect("called functions are kept"));
                        Callee::Indirect(self.expr(e), outside)
                    }
                };
                Op::Call { result: result.map(|r| self.var(r)), callee, args }
            }
            Op::Builtin { result, builtin, args } => {
                let args = args.iter().map(|&a| self.expr(a)).collect();
                Op::Builtin { result: result.map(|r| self.var(r)), builtin: *builtin, args }
            }
            Op::Alloc { var, size, kind, zeroed } => {
                let size = self.expr(*size);
                Op::Alloc { var: self.var(*var), size, kind: *kind, zeroed: *zeroed }
            }
            Op::Free { ptr, kind } => Op::Free { ptr: self.expr(*ptr), kind: *kind },
            Op::Return { value } => Op::Return { value: value.map(|v| self.expr(v)) },
            Op::Halt { status } => Op::Halt { status: status.map(|s| self.expr(s)) },
        };
        vec![one]
    }

    /// A condition that simplifies to a constant keeps its two edges; the automaton stays well-formed.
    fn assume(&mut self, cond: ExprId, truth: bool) -> Op {
        Op::Assume { cond: self.expr(cond), truth }
    }

    fn source(&self, source: HavocSource) -> HavocSource {
        match source {
            // A builtin such as `__builtin_memcmp` has no automaton that could be named.
            HavocSource::External(f) => self.functions[f].map_or(HavocSource::Unmodelled, HavocSource::External),
            HavocSource::Written(f, argument) => {
                self.functions[f].map_or(HavocSource::Unmodelled, |f| HavocSource::Written(f, argument))
            }
            other => other,
        }
    }

    fn copy(&mut self, dst: ExprId, src: ExprId, size: ExprId, pos: SrcPos) -> Vec<Op> {
        let (to, from) = (self.slots_in(dst, size), self.slots_in(src, size));
        match (to, from) {
            (None, None) => vec![Op::Copy { dst: self.expr(dst), src: self.expr(src), size: self.expr(size) }],
            (Some(to), Some(from)) => to
                .into_iter()
                .filter_map(|(offset, var)| {
                    let &(_, source) = from.iter().find(|(o, _)| *o == offset)?;
                    Some(Op::Assign { var, value: self.new.exprs.var(source) })
                })
                .collect(),
            (Some(to), None) => {
                let (mut ops, base) = self.held(src, pos);
                for (offset, var) in to {
                    let addr = self.at(base, offset);
                    let value = self.new.exprs.load(self.new.vars[var].ty, addr);
                    ops.push(Op::Assign { var, value });
                }
                ops
            }
            (None, Some(from)) => {
                let (mut ops, base) = self.held(dst, pos);
                for (offset, var) in from {
                    let addr = self.at(base, offset);
                    ops.push(Op::Store { addr, value: self.new.exprs.var(var) });
                }
                ops
            }
        }
    }

    fn at(&mut self, base: ExprId, offset: u64) -> ExprId {
        let offset = self.new.exprs.size(offset);
        self.new.exprs.binary(BinOp::PtrAdd, base, offset)
    }

    /// An address that the copy itself cannot change: held in a temporary unless it is constant.
    fn held(&mut self, addr: ExprId, pos: SrcPos) -> (Vec<Op>, ExprId) {
        let constant = constant_address(self.old, addr).is_some();
        let addr = self.expr(addr);
        if constant || matches!(self.new.exprs.get(addr), Expr::Const(..)) {
            return (Vec::new(), addr);
        }
        let owner = self.owner.expect("operations are in functions");
        let var = self.new_var(Var { name: "t".into(), ty: Ty::Ptr, signed: false, kind: VarKind::Temp(owner), pos });
        (vec![Op::Assign { var, value: addr }], self.new.exprs.var(var))
    }
}

/// The edges of a rewritten function.
struct Body {
    locations: usize,
    edges: Vec<Edge>,
}

impl Body {
    /// Replaces an edge by a chain of edges.
    fn chain(&mut self, edge: &Edge, ops: Vec<Op>) {
        let mut at = edge.src;
        let count = ops.len();
        if count == 0 {
            self.edges.push(Edge { src: at, dst: edge.dst, op: Op::Skip, pos: edge.pos });
        }
        for (i, op) in ops.into_iter().enumerate() {
            let dst = if i + 1 == count {
                edge.dst
            } else {
                self.locations += 1;
                LocId::new(self.locations - 1)
            };
            self.edges.push(Edge { src: at, dst, op, pos: edge.pos });
            at = dst;
        }
    }
}
