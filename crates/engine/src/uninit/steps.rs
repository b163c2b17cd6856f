//! The shadows of single steps, as edges before and after them.

use super::shadow::{all, any};
use super::{Pass, variable};
use crate::memory::Building;
use robusto_cfa::ir::{
    BinOp, CastOp, Edge, EdgeId, ErrorKind, Expr, ExprId, FuncId, Function, HavocSource, Idx as _, LocId, Op, Program,
    SrcPos, Ty, UnOp, VarId, VarKind,
};
use rustc_hash::FxHashMap;

/// Writes edges one after the other.
struct Writer<'p> {
    program: &'p mut Program,
    header: Function,
    id: FuncId,
    building: Building,
    at: LocId,
    pos: SrcPos,
}

impl Writer<'_> {
    fn put(&mut self, op: Op) {
        let next = self.building.location();
        self.building.edge(self.at, next, op, self.pos);
        self.at = next;
    }

    fn assign(&mut self, var: VarId, value: ExprId) {
        self.put(Op::Assign { var, value });
    }

    fn assume(&mut self, cond: ExprId) {
        self.put(Op::Assume { cond, truth: true });
    }

    /// A temporary that takes any value.
    fn any(&mut self, name: &str, ty: Ty) -> ExprId {
        let var = self.temporary(name, ty);
        self.put(Op::Havoc { var, source: HavocSource::Violation });
        self.program.exprs.var(var)
    }

    fn temporary(&mut self, name: &str, ty: Ty) -> VarId {
        let var = variable(self.program, format!("{}{name}", super::MARK), ty, VarKind::Temp(self.id));
        self.header.locals.push(var);
        var
    }

    /// Sets the bits of a shadow; `None` for all defined.
    fn set(&mut self, shadow: VarId, mask: Option<ExprId>) {
        let ty = self.program.vars[shadow].ty;
        let Ty::Int(bits) = ty else { unreachable!("shadows are integers") };
        let value = match mask {
            Some(mask) => self.program.exprs.resize(mask, false, bits),
            None => self.program.exprs.zero(ty),
        };
        self.assign(shadow, value);
    }
}

impl Pass<'_> {
    /// Puts shadows and checks into a function.
    pub(super) fn function(&mut self, program: &mut Program, id: FuncId) {
        let mut header = std::mem::replace(&mut program.functions[id], Function::header("", SrcPos::default()));
        let building = Building { locations: header.num_locs(), edges: Vec::new() };
        let edges = header.take_edges();
        let (at, pos) = (header.entry, header.pos);
        let mut writer = Writer { program, header, id, building, at, pos };
        // Where the edges of a branch start now.
        let mut moved: FxHashMap<LocId, LocId> = FxHashMap::default();
        for (number, edge) in edges.into_iter().enumerate() {
            (writer.at, writer.pos) = (edge.src, edge.pos);
            if let Op::Assume { cond, .. } = edge.op {
                let src = match moved.get(&edge.src) {
                    Some(&src) => src,
                    None => self.check(&mut writer, edge.src, cond),
                };
                moved.insert(edge.src, src);
                writer.building.edges.push(Edge { src, ..edge });
                continue;
            }
            self.before(&mut writer, EdgeId::new(number), &edge.op);
            if self.has_more_after(&edge.op) {
                writer.put(edge.op.clone());
                self.after(&mut writer, EdgeId::new(number), &edge.op);
                writer.building.edge(writer.at, edge.dst, Op::Skip, edge.pos);
            } else {
                writer.building.edge(writer.at, edge.dst, edge.op, edge.pos);
            }
        }
        self.enter(&mut writer);
        let Writer { header, building, .. } = writer;
        program.functions[id] = robusto_cfa::ir::rebuild(header, building.locations, building.edges);
    }

    /// What is known of the parameters when a function starts.
    fn enter(&self, w: &mut Writer<'_>) {
        let entry = w.header.entry;
        (w.at, w.pos) = (w.building.location(), w.header.pos);
        w.header.entry = w.at;
        for param in w.header.params.clone() {
            if let (Some(&given), Some(&shadow)) = (self.given.get(&param), self.shadows.of_var.get(&param)) {
                let value = w.program.exprs.var(given);
                w.assign(shadow, value);
            }
        }
        w.building.edge(w.at, entry, Op::Skip, w.pos);
    }

    /// Puts an error edge before a branch, if its condition may be undefined. Returns where the branch is then.
    fn check(&mut self, w: &mut Writer<'_>, loc: LocId, cond: ExprId) -> LocId {
        if is_made_up(&self.facts.program.functions[w.id], loc) {
            return loc;
        }
        let Some(mask) = self.shadows.of(w.program, cond) else { return loc };
        let bad = any(w.program, mask);
        let [behind, found] = std::array::from_fn(|_| w.building.location());
        w.building.edge(loc, found, Op::Assume { cond: bad, truth: true }, w.pos);
        w.building.edge(loc, behind, Op::Assume { cond: bad, truth: false }, w.pos);
        let (mut sure, end) = (found, w.building.location());
        if let Some(doubt) = self.doubt {
            let doubt = w.program.exprs.var(doubt);
            let [open, over, other] = std::array::from_fn(|_| w.building.location());
            w.building.edge(found, open, Op::Assume { cond: doubt, truth: true }, w.pos);
            w.building.edge(found, other, Op::Assume { cond: doubt, truth: false }, w.pos);
            w.building.edge(open, over, Op::Unsupported("which memory a library function initialises".into()), w.pos);
            sure = other;
        }
        w.building.edge(sure, end, Op::Error(ErrorKind::Uninit), w.pos);
        behind
    }

    fn before(&mut self, w: &mut Writer<'_>, edge: EdgeId, op: &Op) {
        let shadow = |pass: &Self, var: VarId| pass.shadows.of_var.get(&var).copied();
        match *op {
            Op::Assign { var, value } => {
                if let Some(shadow) = shadow(self, var) {
                    let mask = self.shadows.of(w.program, value);
                    w.set(shadow, mask);
                }
            }
            Op::Havoc { var, source } => {
                if let Some(shadow) = shadow(self, var) {
                    let Ty::Int(bits) = w.program.vars[shadow].ty else { unreachable!("shadows are integers") };
                    let yes = w.program.exprs.bool(true);
                    let undefined = (source == HavocSource::Uninit).then(|| all(w.program, yes, bits));
                    w.set(shadow, undefined);
                }
            }
            Op::Alloc { var, .. } => {
                if let Some(shadow) = shadow(self, var) {
                    w.set(shadow, None);
                }
            }
            Op::Store { addr, value } => self.store(w, addr, value),
            Op::Fill { dst, byte, size } if self.taint.touches(self.facts, dst) => {
                let mask = self.shadows.of(w.program, byte);
                self.clear(w, dst, size);
                if let Some(mask) = mask {
                    self.pick(w, dst, size, Source::Byte(mask));
                }
            }
            Op::HavocMem { addr, size, source } => {
                let is_written = !matches!(source, HavocSource::Uninit | HavocSource::Ended);
                if is_written && self.taint.touches(self.facts, addr) {
                    self.clear(w, addr, size);
                }
            }
            Op::Copy { dst, src, size } => self.copy(w, dst, src, size),
            Op::Call { ref args, .. } => self.call(w, edge, args),
            Op::Builtin { result, builtin, ref args } => {
                if let Some(shadow) = result.and_then(|var| shadow(self, var)) {
                    w.set(shadow, None);
                }
                for &position in builtin.writes() {
                    if let Some(&arg) = args.get(position)
                        && self.taint.touches(self.facts, arg)
                    {
                        self.written_by_library(w, arg);
                    }
                }
            }
            Op::Return { value: Some(value) } => {
                if let Some(&returned) = self.returned.get(&w.id) {
                    let mask = self.shadows.of(w.program, value);
                    w.set(returned, mask);
                }
            }
            _ => {}
        }
    }

    /// Whether a step has shadows behind it.
    fn has_more_after(&self, op: &Op) -> bool {
        match *op {
            Op::Alloc { zeroed, .. } => !zeroed,
            Op::HavocMem { source, .. } => source == HavocSource::Uninit,
            Op::Call { result: Some(var), .. } => self.shadows.of_var.contains_key(&var),
            _ => false,
        }
    }

    fn after(&mut self, w: &mut Writer<'_>, edge: EdgeId, op: &Op) {
        match *op {
            Op::Alloc { var, size, .. } => {
                let addr = w.program.exprs.var(var);
                self.pick(w, addr, size, Source::New);
            }
            Op::HavocMem { addr, size, .. } => self.pick(w, addr, size, Source::New),
            Op::Call { result: Some(var), .. } => {
                let shadow = self.shadows.of_var[&var];
                let callees = self.facts.calls.site(w.id, edge).map(|site| site.callees.clone()).unwrap_or_default();
                let Ty::Int(bits) = w.program.vars[shadow].ty else { unreachable!("shadows are integers") };
                let mut mask = None;
                for returned in callees.iter().filter_map(|callee| self.returned.get(callee)) {
                    let value = w.program.exprs.var(*returned);
                    let value = w.program.exprs.resize(value, false, bits);
                    mask = Some(mask.map_or(value, |mask| w.program.exprs.binary(BinOp::Or, mask, value)));
                }
                w.set(shadow, mask);
            }
            _ => {}
        }
    }

    /// The watched bit is that of the value, if it is written over; or an undefined bit of the value is watched.
    fn store(&mut self, w: &mut Writer<'_>, addr: ExprId, value: ExprId) {
        if !self.taint.touches(self.facts, addr) {
            return;
        }
        let ty = w.program.exprs.ty(value);
        let size = w.program.exprs.size(ty.size(w.program.model));
        let Some(mask) = self.shadows.of(w.program, value) else { return self.clear(w, addr, size) };
        let undefined = w.temporary("stored", super::shadow_ty(w.program, ty));
        w.set(undefined, Some(mask));
        let undefined = w.program.exprs.var(undefined);
        let here = self.shadows.watched_in(w.program, addr, ty);
        let stays = w.program.exprs.binary(BinOp::And, undefined, here);
        let stays = any(w.program, stays);
        let inside = self.shadows.is_inside(w.program, addr, size);
        let gone = w.program.exprs.unary(UnOp::Not, stays);
        let gone = w.program.exprs.binary(BinOp::And, inside, gone);
        self.forget_where(w, gone);
        self.pick(w, addr, size, Source::Value(undefined));
    }

    /// What is written whole is watched no more.
    fn clear(&mut self, w: &mut Writer<'_>, addr: ExprId, size: ExprId) {
        let inside = self.shadows.is_inside(w.program, addr, size);
        self.forget_where(w, inside);
    }

    /// Watches nothing where a condition holds.
    fn forget_where(&mut self, w: &mut Writer<'_>, cond: ExprId) {
        let mask = all(w.program, cond, w.program.model.pointer_bits());
        let exprs = &mut w.program.exprs;
        let (watched, others) = (exprs.var(self.shadows.watched), exprs.unary(UnOp::Not, mask));
        let value = exprs.binary(BinOp::And, watched, others);
        w.assign(self.shadows.watched, value);
    }

    /// The watched bit goes with a copy, or stays where it is if nothing is copied there.
    fn copy(&mut self, w: &mut Writer<'_>, dst: ExprId, src: ExprId, size: ExprId) {
        if !self.taint.touches(self.facts, dst) {
            return;
        }
        let goes = w.any("goes", Ty::BOOL);
        let [with, stays, join] = std::array::from_fn(|_| w.building.location());
        w.building.edge(w.at, with, Op::Assume { cond: goes, truth: true }, w.pos);
        w.building.edge(w.at, stays, Op::Assume { cond: goes, truth: false }, w.pos);
        w.at = with;
        let copied = self.shadows.is_inside(w.program, src, size);
        w.assume(copied);
        let distance = self.shadows.distance(w.program, src);
        let size_ty = w.program.model.size_ty();
        let to = w.program.exprs.cast(CastOp::PtrToInt, size_ty, dst);
        let moved = w.program.exprs.binary(BinOp::Add, to, distance);
        w.assign(self.shadows.watched, moved);
        w.building.edge(w.at, join, Op::Skip, w.pos);
        w.at = stays;
        self.clear(w, dst, size);
        w.building.edge(w.at, join, Op::Skip, w.pos);
        w.at = join;
    }

    /// Tells the functions that may be called of their arguments.
    fn call(&mut self, w: &mut Writer<'_>, edge: EdgeId, args: &[ExprId]) {
        let callees = self.facts.calls.site(w.id, edge).map(|site| site.callees.clone()).unwrap_or_default();
        for &callee in &callees {
            for (param, &arg) in self.facts.program.functions[callee].params.iter().zip(args) {
                if let Some(&given) = self.given.get(param) {
                    let mask = self.shadows.of(w.program, arg);
                    w.set(given, mask);
                }
            }
            // Of several only one is called; the others have nothing to tell.
            if let Some(&returned) = self.returned.get(&callee).filter(|_| callees.len() > 1) {
                w.set(returned, None);
            }
        }
    }

    /// A library function writes to an address, nobody knows how many bytes: if a bit is watched there, it may have a value now.
    fn written_by_library(&mut self, w: &mut Writer<'_>, addr: ExprId) {
        let (base, offset) = crate::memory::split(&w.program.exprs, addr);
        let rest = match w.program.exprs.get(base) {
            Expr::ObjAddr(object) => {
                u64::try_from(offset).ok().and_then(|at| w.program.objects[object].size.checked_sub(at))
            }
            _ => None,
        };
        let written = match rest {
            Some(rest) => {
                let size = w.program.exprs.size(rest);
                self.shadows.is_inside(w.program, addr, size)
            }
            None => self.is_watching(w.program),
        };
        if let Some(var) = self.doubt {
            let doubt = w.program.exprs.var(var);
            let doubt = w.program.exprs.binary(BinOp::Or, doubt, written);
            w.assign(var, doubt);
        }
    }

    /// Whether a bit is watched.
    fn is_watching(&self, program: &mut Program) -> ExprId {
        let (zero, watched) = (program.exprs.size(0), program.exprs.var(self.shadows.watched));
        program.exprs.binary(BinOp::Ne, watched, zero)
    }

    /// An execution may watch one undefined bit of so many bytes from an address on, or go on as it is.
    fn pick(&mut self, w: &mut Writer<'_>, addr: ExprId, size: ExprId, source: Source) {
        let size_ty = w.program.model.size_ty();
        let picks = w.any("picks", Ty::BOOL);
        let [chosen, join] = std::array::from_fn(|_| w.building.location());
        w.building.edge(w.at, chosen, Op::Assume { cond: picks, truth: true }, w.pos);
        w.building.edge(w.at, join, Op::Assume { cond: picks, truth: false }, w.pos);
        w.at = chosen;
        if source == Source::New {
            // What was watched before could have been left out.
            let watching = self.is_watching(w.program);
            let none = w.program.exprs.unary(UnOp::Not, watching);
            w.assume(none);
            if let Some(doubt) = self.doubt {
                let sure = w.program.exprs.bool(false);
                w.assign(doubt, sure);
            }
        }
        let offset = w.any("offset", size_ty);
        let inside = w.program.exprs.binary(BinOp::ULt, offset, size);
        w.assume(inside);
        let bit = w.any("which", Ty::Int(8));
        let eight = w.program.exprs.int(8, 8);
        let is_bit = w.program.exprs.binary(BinOp::ULt, bit, eight);
        w.assume(is_bit);
        let (mask, position) = match source {
            Source::New => (None, bit),
            Source::Byte(mask) => (Some(mask), bit),
            Source::Value(mask) => (Some(mask), self.shadows.position(w.program, offset, Some(bit))),
        };
        if let Some(mask) = mask {
            let bits = w.program.exprs.ty(mask).bits(w.program.model) as u8;
            let position = w.program.exprs.resize(position, false, bits);
            let shifted = w.program.exprs.binary(BinOp::LShr, mask, position);
            let undefined = w.program.exprs.resize(shifted, false, 1);
            w.assume(undefined);
        }
        let start = w.program.exprs.cast(CastOp::PtrToInt, size_ty, addr);
        let byte = w.program.exprs.binary(BinOp::Add, start, offset);
        w.assign(self.shadows.watched, byte);
        w.assign(self.shadows.bit, bit);
        w.building.edge(w.at, join, Op::Skip, w.pos);
        w.at = join;
    }
}

/// Where undefined bits come from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Source {
    /// Memory that has no value yet.
    New,
    /// A value with these undefined bits.
    Value(ExprId),
    /// A byte with these undefined bits, over and over.
    Byte(ExprId),
}

/// Whether a branch is not one of the source: the lowering asks whether an operation is defined, and behind it, in the same
/// place, makes up a value or finds an error. An execution that may go on behind the error has a choice first.
fn is_made_up(function: &Function, loc: LocId) -> bool {
    let is_error = |op: &Op| match op {
        Op::Error(kind) => !matches!(kind, ErrorKind::ReachError | ErrorKind::Assert | ErrorKind::Label),
        _ => false,
    };
    let chooses =
        |from: LocId| function.out(from).any(|(_, e)| function.out(e.dst).any(|(_, next)| is_error(&next.op)));
    let is_check = |next: &Edge| match next.op {
        Op::Havoc { source: HavocSource::Undefined | HavocSource::Precision, .. } => true,
        Op::Havoc { source: HavocSource::Violation, .. } => chooses(next.dst),
        ref op => is_error(op),
    };
    function.out(loc).any(|(_, e)| function.out(e.dst).any(|(_, next)| next.pos == e.pos && is_check(next)))
}
