//! Numbers of the program as addresses: `*(volatile int *)0x40001000`, or an integer from outside that is cast to a pointer.
//!
//! Engines would end the execution at such an access, as at any to memory that is not there, and what comes behind it would hold for
//! nothing; registers of devices are there, though. So a program that has such accesses gets memory for numbers
//! ([`Outside::Numbers`]): numbers are pointers from outside, and lead to further addresses. What lies beyond these
//! ([`Kinds::FAR`]), or where points-to analysis does not see the number, is not modelled: before the access stands a step that
//! makes the answer unknown, if it can be reached with an address where nothing lies. A null pointer still ends the execution, and so does
//! an error number such as `(void *)-12`.
//!
//! A pointer may be a number if it is a constant or an integer that was cast, a variable that was given such a pointer (in any
//! function, whatever the order), or is read from memory where one was stored, copied, or stands in an initialiser. Integers that are
//! constants are followed in the same way. Where points-to analysis knows objects for a pointer, only constants count that are
//! pointers or were cast: any other integer that was cast, or is read as a pointer, is then taken for the address of one of these.

use super::Builder;
use robusto_cfa::analysis::points_to::{Base, Offset, PointsTo, Target};
use robusto_cfa::analysis::uses::{Uses, for_each_root};
use robusto_cfa::ir::{
    BinOp, Builtin, Callee, CastOp, Claim, Expr, ExprId, FuncId, Granted, LocId, Object, ObjectKind, Op, Outside,
    Program, SrcPos, Ty, VarId, VarKind, fold,
};
use robusto_interp::{Area, Layout};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::ops::BitOr;

/// Lets numbers lead to memory, if something is accessed through one; puts a step that is not modelled before accesses
/// beyond that memory.
pub(super) fn guard(program: &mut Program) {
    let before = std::mem::replace(&mut program.outside, Outside::Numbers);
    let areas = Layout::new(program).areas();
    program.outside = before;
    let addresses = Addresses { bits: program.model.pointer_bits().into(), areas };
    if !addresses.occur_in(program) {
        return;
    }
    let uses = Uses::of(program);
    let points_to = PointsTo::of(program, &uses);
    let numbers = Numbers::of(program, &points_to, &uses, &addresses);
    let found: Vec<(FuncId, Accesses)> =
        program.functions.ids().map(|id| (id, numbers.accesses(id))).filter(|(_, found)| !found.is_empty()).collect();
    if found.is_empty() {
        return;
    }
    program.outside = Outside::Numbers;
    let first = found.iter().flat_map(|(_, accesses)| accesses.values()).map(|(pos, _)| *pos).min();
    program.assumptions.extend(first.map(|pos| Granted::NumberMemory.at(pos)));
    let outside = PointsTo::of(program, &Uses::of(program));
    for (id, mut accesses) in found {
        accesses.retain(|_, (_, at)| {
            at.retain(|&(pointer, far)| far || !outside.of_expr(pointer).may_be_unknown());
            !at.is_empty()
        });
        if accesses.is_empty() {
            continue;
        }
        super::rebuild(program, id, |builder, edges| {
            let moved: BTreeMap<LocId, LocId> =
                accesses.into_iter().map(|(at, (pos, far))| (at, builder.guards(at, pos, &far))).collect();
            for mut edge in edges {
                edge.src = moved.get(&edge.src).copied().unwrap_or(edge.src);
                builder.edges.push(edge);
            }
        });
    }
    robusto_cfa::verify::assert_valid(program, "guarding accesses at numbers");
}

/// Where there are accesses at numbers: the place in the source, and the addresses, each once, with whether they may be
/// beyond the memory for numbers.
type Accesses = BTreeMap<LocId, (SrcPos, Vec<(ExprId, bool)>)>;

/// Integers below are taken for no addresses.
const SMALL: u64 = 1 << 12;

/// The largest error number. No memory lies at their addresses, which end the address space.
const MAX_ERROR: i64 = 4095;

/// How a pointer may be a number.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct Kinds(u8);

impl Kinds {
    /// An integer that was cast.
    const CAST: Kinds = Kinds(1);
    /// A constant.
    const CONSTANT: Kinds = Kinds(2);
    /// A constant beyond the memory for numbers, or a sum with one.
    const FAR: Kinds = Kinds(4);
    /// A constant that is an integer.
    const INTEGER: Kinds = Kinds(8);

    /// The kinds with another one in the place of [`Kinds::INTEGER`].
    fn integer_as(self, other: Kinds) -> Kinds {
        if self.any_of(Kinds::INTEGER) { Kinds(self.0 & !Kinds::INTEGER.0) | other } else { self }
    }

    fn any_of(self, other: Kinds) -> bool {
        self.0 & other.0 != 0
    }
}

impl BitOr for Kinds {
    type Output = Kinds;

    fn bitor(self, other: Kinds) -> Kinds {
        Kinds(self.0 | other.0)
    }
}

/// What numbers lead to.
struct Addresses {
    bits: u32,
    areas: Vec<Area>,
}

impl Addresses {
    /// What a constant is.
    fn constant(&self, number: u64) -> Kinds {
        if (-MAX_ERROR..=0).contains(&fold::signed(self.bits, number)) {
            Kinds::default()
        } else if self.areas.iter().any(|area| area.has(number, 1)) {
            Kinds::CONSTANT
        } else {
            Kinds::CONSTANT | Kinds::FAR
        }
    }

    /// What an integer is that may be read or cast as a pointer, if it is not small.
    fn integer(&self, number: u64) -> Kinds {
        match self.constant(number) {
            kinds if number < SMALL || kinds == Kinds::default() => Kinds::default(),
            kinds if kinds.any_of(Kinds::FAR) => Kinds::INTEGER | Kinds::FAR,
            _ => Kinds::INTEGER,
        }
    }

    /// The words of an object's first content that are numbers, if they are aligned as pointers are.
    fn in_image<'a>(&'a self, object: &'a Object) -> impl Iterator<Item = (u64, Kinds)> + 'a {
        let width = self.bits as usize / 8;
        let image = match &object.kind {
            ObjectKind::Global(image) | ObjectKind::Constant(image) if object.align as usize >= width => Some(image),
            _ => None,
        };
        let words = image.into_iter().flat_map(move |image| {
            image.bytes.chunks(width).zip((0u64..).step_by(width)).filter(move |(_, at)| {
                let relocations = &image.relocations;
                let next = relocations.partition_point(|r| r.offset + width as u64 <= *at);
                relocations.get(next).is_none_or(|r| r.offset >= at + width as u64)
            })
        });
        let kinds = words.map(|(bytes, at)| {
            (
                at,
                self.integer(bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte)))
                    .integer_as(Kinds::CONSTANT),
            )
        });
        kinds.filter(|&(_, kinds)| kinds != Kinds::default())
    }

    /// Whether there are numbers that may become addresses. This is asked of every program, the rest of few.
    fn occur_in(&self, program: &Program) -> bool {
        let exprs = &program.exprs;
        let mut loads = false;
        exprs.ids().any(|id| match exprs.get(id) {
            Expr::Const(Ty::Ptr, number) => self.constant(number) != Kinds::default(),
            Expr::Cast(CastOp::IntToPtr, ..) => true,
            Expr::Load(Ty::Ptr, _) => {
                loads = true;
                false
            }
            _ => false,
        }) || loads && {
            let is_stored = |op: &Op| match *op {
                Op::Store { value, .. } if exprs.ty(value) == program.model.size_ty() => {
                    exprs.as_const(value).is_some_and(|number| self.integer(number) != Kinds::default())
                }
                _ => false,
            };
            program.objects.iter().any(|object| self.in_image(object).next().is_some())
                || program.functions.iter().any(|f| f.edges().iter().any(|edge| is_stored(&edge.op)))
        }
    }
}

impl Builder<'_> {
    /// Steps that are not modelled, where the addresses are none of an object and not null; where it goes on.
    fn guards(&mut self, mut at: LocId, pos: SrcPos, addresses: &[(ExprId, bool)]) -> LocId {
        let size_ty = self.program.model.size_ty();
        for &(address, _) in addresses {
            let exprs = &mut self.program.exprs;
            // Null and error numbers are those of which the negative is at most the largest error number.
            let number = exprs.cast(CastOp::PtrToInt, size_ty, address);
            let zero = exprs.size(0);
            let negative = exprs.binary(BinOp::Sub, zero, number);
            let most = exprs.size(MAX_ERROR as u64);
            let is_error = exprs.binary(BinOp::ULe, negative, most);
            let one = exprs.size(1);
            let is_memory = exprs.intern(Expr::Holds(Claim::Readable, address, one));
            let (next, end) = (self.location(), self.location());
            let at_memory = self.unless(at, is_error, next, pos);
            let number = self.unless(at_memory, is_memory, next, pos);
            let what = "access to memory at an address that is a number of the program";
            self.edge(number, end, Op::Unsupported(what.into()), pos);
            at = next;
        }
        at
    }
}

/// What holds numbers that are pointers.
struct Numbers<'p> {
    program: &'p Program,
    points_to: &'p PointsTo,
    uses: &'p Uses,
    addresses: &'p Addresses,
    vars: FxHashMap<VarId, Kinds>,
    /// Where they were stored.
    stored: FxHashMap<Base, Vec<(Offset, Kinds)>>,
    changed: bool,
}

impl<'p> Numbers<'p> {
    /// Follows numbers through a program.
    fn of(program: &'p Program, points_to: &'p PointsTo, uses: &'p Uses, addresses: &'p Addresses) -> Self {
        let (vars, stored) = (FxHashMap::default(), FxHashMap::default());
        let mut numbers = Self { program, points_to, uses, addresses, vars, stored, changed: true };
        for (var, info) in program.vars.enumerate() {
            if let VarKind::Global(init) = info.kind {
                numbers.give(var, init);
            }
        }
        for (id, object) in program.objects.enumerate() {
            let words: Vec<(u64, Kinds)> = addresses.in_image(object).collect();
            numbers.put_words(Target { base: Base::Object(id), offset: Offset::exact(0) }, &words);
        }
        while std::mem::take(&mut numbers.changed) {
            numbers.round();
        }
        numbers
    }

    /// A variable is given a value.
    fn give(&mut self, var: VarId, value: ExprId) {
        let kinds = self.kinds(value);
        if kinds != Kinds::default() {
            let known = self.vars.entry(var).or_default();
            self.changed |= *known | kinds != *known;
            *known = *known | kinds;
        }
    }

    /// A number comes to a place in memory.
    fn put(&mut self, at: Target, kinds: Kinds) {
        // Executions end at what is no memory; what lies outside is any number already.
        if kinds == Kinds::default() || matches!(at.base, Base::Unknown | Base::Indeterminate) {
            return;
        }
        let known = self.stored.entry(at.base).or_default();
        match known.iter_mut().find(|(offset, _)| *offset == at.offset) {
            Some((_, before)) => {
                self.changed |= *before | kinds != *before;
                *before = *before | kinds;
            }
            None => {
                known.push((at.offset, kinds));
                self.changed = true;
            }
        }
    }

    /// Words with numbers come to a place; of many, it is not told where they are.
    fn put_words(&mut self, at: Target, words: &[(u64, Kinds)]) {
        const MANY: usize = 64;
        match at.offset.as_exact() {
            Some(start) if words.len() <= MANY => {
                for &(distance, kinds) in words {
                    let offset = Offset::exact(start.saturating_add_unsigned(distance));
                    self.put(Target { base: at.base, offset }, kinds);
                }
            }
            _ => {
                let kinds = words.iter().fold(Kinds::default(), |all, &(_, kinds)| all | kinds);
                self.put(Target { base: at.base, offset: Offset::ANY }, kinds);
            }
        }
    }

    /// Looks at every step.
    fn round(&mut self) {
        let program = self.program;
        let width = Ty::Ptr.size(program.model);
        for (id, function) in program.functions.enumerate() {
            for edge in function.edges().iter() {
                match edge.op {
                    Op::Assign { var, value } => self.give(var, value),
                    Op::Store { addr, value } if program.exprs.ty(value).size(program.model) == width => {
                        let kinds = self.kinds(value);
                        if kinds != Kinds::default() {
                            self.points_to.of_expr(addr).iter().for_each(|target| self.put(target, kinds));
                        }
                    }
                    Op::Copy { dst, src, .. } => self.copy(dst, src),
                    Op::Call { callee, ref args, .. } => {
                        let callees = match callee {
                            Callee::Direct(callee) => vec![callee],
                            Callee::Indirect(pointer, _) => self.points_to.callees(pointer).functions,
                        };
                        for callee in callees {
                            for (&param, &arg) in program.functions[callee].params.iter().zip(args) {
                                self.give(param, arg);
                            }
                        }
                    }
                    Op::Return { value: Some(value) } if self.kinds(value) != Kinds::default() => {
                        let calls = program.functions.iter().flat_map(|f| f.edges().iter());
                        let results = calls.filter_map(|e| match e.op {
                            Op::Call { result, callee: Callee::Direct(callee), .. } if callee == id => result,
                            Op::Call { result, callee: Callee::Indirect(..), .. } => result,
                            _ => None,
                        });
                        results.for_each(|result| self.give(result, value));
                    }
                    _ => {}
                }
            }
        }
    }

    /// Numbers come along with what is copied.
    fn copy(&mut self, dst: ExprId, src: ExprId) {
        let points_to = self.points_to;
        for from in points_to.of_expr(src).iter() {
            let Some(known) = self.stored.get(&from.base) else { continue };
            let words: Option<Vec<(u64, Kinds)>> = known
                .iter()
                .map(|&(at, kinds)| at.as_exact().zip(from.offset.as_exact()).map(|(at, start)| (at - start, kinds)))
                .filter(|word| word.is_none_or(|(distance, _)| distance >= 0))
                .map(|word| word.map(|(distance, kinds)| (distance as u64, kinds)))
                .collect();
            let all = known.iter().fold(Kinds::default(), |all, &(_, kinds)| all | kinds);
            for to in points_to.of_expr(dst).iter() {
                match &words {
                    Some(words) => self.put_words(to, words),
                    None => self.put(Target { offset: Offset::ANY, ..to }, all),
                }
            }
        }
    }

    /// How a value may be a number that serves as a pointer. Of integers, constants count: they may be cast to
    /// one, or read as one from a union if they are as wide.
    fn kinds(&self, value: ExprId) -> Kinds {
        let exprs = &self.program.exprs;
        let (ty, width) = (exprs.ty(value), Ty::Ptr.size(self.program.model));
        match exprs.get(value) {
            Expr::Const(Ty::Ptr, number) => self.addresses.constant(number),
            _ if !matches!(ty, Ty::Ptr | Ty::Int(32 | 64)) => Kinds::default(),
            Expr::Cast(CastOp::ZExt | CastOp::SExt, _, number) => self.kinds(number),
            Expr::Const(_, number) => self.addresses.integer(number),
            Expr::Cast(CastOp::IntToPtr, _, number) => {
                let named = self.points_to.of_expr(number).iter().any(|target| target.base != Base::Indeterminate);
                let kinds = if named { self.kinds(number) } else { Kinds::CAST | self.sum(number) };
                kinds.integer_as(Kinds::CONSTANT)
            }
            Expr::Binary(_, base, _) if ty == Ty::Ptr => self.kinds(base),
            Expr::Var(var) => self.vars.get(&var).copied().unwrap_or_default(),
            Expr::Load(..) if ty.size(self.program.model) != width => Kinds::default(),
            Expr::Load(_, address) => {
                let targets = self.points_to.of_expr(address);
                let places = targets.iter().filter_map(|t| Some((t.offset, self.stored.get(&t.base)?)));
                let held = places.flat_map(|(at, known)| {
                    known.iter().filter(move |(offset, _)| offset.may_overlap(width, at, width))
                });
                let all = held.fold(Kinds::default(), |all, &(_, kinds)| all | kinds);
                if ty == Ty::Ptr { all.integer_as(Kinds::CAST) } else { all }
            }
            _ => Kinds::default(),
        }
    }

    /// The constants in a sum. Small ones are offsets.
    fn sum(&self, number: ExprId) -> Kinds {
        match self.program.exprs.get(number) {
            Expr::Const(_, number) => self.addresses.integer(number),
            Expr::Binary(BinOp::Add | BinOp::Or, a, b) => self.sum(a) | self.sum(b),
            Expr::Cast(CastOp::ZExt | CastOp::SExt, _, a) => self.sum(a),
            _ => self.kinds(number),
        }
    }

    /// The accesses of a function at numbers.
    fn accesses(&self, function: FuncId) -> Accesses {
        let mut found = Accesses::new();
        for edge in self.program.functions[function].edges().iter() {
            for access in self.accessed(&edge.op) {
                let (_, addresses) = found.entry(edge.src).or_insert_with(|| (edge.pos, Vec::new()));
                if !addresses.contains(&access) {
                    addresses.push(access);
                }
            }
        }
        found
    }

    /// The addresses of a step's accesses that may be numbers, with whether these may be far.
    fn accessed(&self, op: &Op) -> Vec<(ExprId, bool)> {
        let mut addresses = Vec::new();
        for_each_root(op, |root| {
            for &load in self.uses.loads(root) {
                if let Expr::Load(_, address) = self.program.exprs.get(load) {
                    addresses.push(address);
                }
            }
        });
        match *op {
            Op::Store { addr, .. } | Op::HavocMem { addr, .. } => addresses.push(addr),
            Op::Copy { dst, src, .. } => addresses.extend([dst, src]),
            Op::Fill { dst, .. } => addresses.push(dst),
            // Texts that are printed, and the like.
            Op::Builtin { builtin, ref args, .. } if !matches!(builtin, Builtin::Escape | Builtin::Register) => {
                addresses.extend(args);
            }
            _ => {}
        }
        let number = |address: ExprId| {
            let is_pointer = self.program.exprs.ty(address) == Ty::Ptr;
            let kinds = if is_pointer { self.kinds(address) } else { Kinds::default() };
            let targets = self.points_to.of_expr(address);
            let named = targets.iter().any(|target| target.base != Base::Indeterminate);
            let counts = if named { Kinds::CONSTANT } else { Kinds::CONSTANT | Kinds::CAST };
            // A pointer from outside may be any number, and those where nothing lies are left out.
            let far = kinds.any_of(Kinds::FAR) && !targets.may_be_unknown();
            kinds.any_of(counts).then_some((address, far))
        };
        addresses.into_iter().filter_map(number).collect()
    }
}
