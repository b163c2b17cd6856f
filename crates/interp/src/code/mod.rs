//! The automata in a form that executes fast.
//!
//! Each location becomes one [`Step`]: a few [`Instr`]s that compute into temporaries, then one [`Action`]. Operands are
//! [`Slot`]s; constants, addresses of globals and functions, and global variables have slots like local variables do, so
//! an instruction has no other kind of operand. An expression that occurs twice in one edge is computed once; the pool
//! shares them, and a walk over the tree could take exponential time.
//!
//! Values are bit patterns, zero-extended to 64 bits; 128-bit values take two slots, the low half first.

mod build;
mod expr;

use crate::memory::layout::Layout;
use robusto_cfa::ir::{
    AllocKind, BinOp, Builtin, CastOp, Claim, DataModel, EdgeId, ExprId, FuncId, Idx, IdxVec, LocId, ObjId, Program,
    Ty, UnOp, VarId,
};
use rustc_hash::FxHashSet;

/// A place for a value: in the current frame, or static.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Slot(i32);

impl Slot {
    /// A slot of the current frame.
    pub fn frame(index: usize) -> Self {
        Self(i32::try_from(index).expect("fewer than 2^31 slots") | i32::MIN)
    }

    /// A slot that all frames share.
    pub fn fixed(index: usize) -> Self {
        Self(i32::try_from(index).expect("fewer than 2^31 slots"))
    }

    /// Position in the slot array when the frame starts at `base`. The sign bit selects the frame without a branch.
    #[inline]
    pub fn at(self, base: usize) -> usize {
        (self.0 & i32::MAX) as usize + (base & (self.0 >> 31) as usize)
    }
}

/// A slot with the type of its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Operand {
    pub slot: Slot,
    pub ty: Ty,
}

/// `base + index * scale`, the address of an array element.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Element {
    /// Width of the index, which is signed.
    pub bits: u8,
    pub scale: u8,
    pub base: Slot,
    pub index: Slot,
}

/// Computes one value.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Instr {
    /// On integers and pointers of up to 64 bits.
    Int {
        op: BinOp,
        bits: u8,
        dst: Slot,
        a: Slot,
        b: Slot,
    },
    Float {
        op: BinOp,
        ty: Ty,
        dst: Slot,
        a: Slot,
        b: Slot,
    },
    Unary {
        op: UnOp,
        ty: Ty,
        bits: u8,
        dst: Slot,
        a: Slot,
    },
    /// Keeps the low bits.
    Trunc {
        bits: u8,
        dst: Slot,
        a: Slot,
    },
    /// From and to at most 64 bits.
    SExt {
        from: u8,
        to: u8,
        dst: Slot,
        a: Slot,
    },
    /// From and to at most 64 bits.
    Cast {
        op: CastOp,
        from: Ty,
        to: Ty,
        dst: Slot,
        a: Slot,
    },
    /// Of 1 to 8 bytes; keeps the low `bits`.
    Load {
        bits: u8,
        dst: Slot,
        addr: Slot,
    },
    Element {
        dst: Slot,
        element: Element,
    },
    /// Loads an array element.
    LoadElement {
        bits: u8,
        dst: Slot,
        element: Element,
    },
    /// Ends the execution if an address lies outside of the program's objects.
    Inside {
        addr: Slot,
        /// Takes what is read instead, where executions go on.
        dst: Slot,
    },
    /// Ends the execution if an address lies farther from an object's than this.
    Within {
        addr: Slot,
        base: Slot,
        last: u32,
        dst: Slot,
    },
    /// Ends the execution if an index is negative or greater than this.
    Index {
        index: Slot,
        bits: u8,
        last: u32,
        dst: Slot,
    },
    /// From a global object, known to be valid.
    LoadStatic {
        bits: u8,
        dst: Slot,
        offset: u32,
    },
    /// From an object of this call, known to be valid.
    LoadFrame {
        bits: u8,
        dst: Slot,
        offset: u32,
    },
    /// A claim about memory.
    Holds {
        claim: Claim,
        /// Whether memory outside of the program's objects does not count.
        own: bool,
        dst: Slot,
        addr: Slot,
        size: Slot,
    },
    /// On 80 or 128 bits; comparisons have a narrow result.
    Wide {
        op: BinOp,
        ty: Ty,
        dst: Slot,
        a: Slot,
        b: Slot,
    },
    WideUnary {
        op: UnOp,
        ty: Ty,
        dst: Slot,
        a: Slot,
    },
    /// From or to 80 or 128 bits.
    WideCast {
        op: CastOp,
        from: Ty,
        to: Ty,
        dst: Slot,
        a: Slot,
    },
    WideLoad {
        ty: Ty,
        dst: Slot,
        addr: Slot,
    },
}

/// What happens at a location after its instructions.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Action {
    /// Goes on; an assignment's last instruction has set the variable.
    Goto {
        next: u32,
    },
    Move {
        dst: Slot,
        src: Slot,
        next: u32,
    },
    WideMove {
        dst: Slot,
        src: Slot,
        next: u32,
    },
    /// A branch on an integer comparison.
    Compare {
        op: BinOp,
        bits: u8,
        a: Slot,
        b: Slot,
        then: u32,
        other: u32,
    },
    Branch {
        cond: Slot,
        then: u32,
        other: u32,
    },
    Store {
        size: u8,
        addr: Slot,
        value: Slot,
        next: u32,
    },
    StoreElement {
        size: u8,
        element: Element,
        value: Slot,
        next: u32,
    },
    StoreStatic {
        size: u8,
        offset: u32,
        value: Slot,
        next: u32,
    },
    StoreFrame {
        size: u8,
        offset: u32,
        value: Slot,
        next: u32,
    },
    /// All others, which leave the fast loop.
    Other(Rare),
}

/// Actions outside of the fast loop.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Rare {
    /// Goes on if the condition has the truth value.
    Assume {
        cond: Slot,
        truth: bool,
        next: u32,
    },
    WideStore {
        size: u8,
        addr: Slot,
        value: Slot,
        next: u32,
    },
    Copy {
        dst: Slot,
        src: Slot,
        size: Slot,
        next: u32,
    },
    Fill {
        dst: Slot,
        byte: Slot,
        size: Slot,
        next: u32,
    },
    Havoc {
        var: VarId,
        next: u32,
    },
    HavocMem {
        addr: Slot,
        size: Slot,
        next: u32,
    },
    /// Index into [`Code::calls`].
    Call {
        call: u32,
        next: u32,
    },
    /// Index into [`Code::builtins`].
    Builtin {
        call: u32,
        next: u32,
    },
    Alloc {
        dst: Slot,
        size: Slot,
        kind: AllocKind,
        next: u32,
    },
    Free {
        ptr: Slot,
        kind: AllocKind,
        next: u32,
    },
    Return {
        value: Option<Operand>,
    },
    Error,
    Halt {
        status: Option<Slot>,
    },
    Unsupported,
    /// No edge leaves the location.
    DeadEnd,
}

/// One location's part of the code.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    /// Its instructions are `Code::instrs[from..to]`.
    pub from: u32,
    pub to: u32,
    pub action: Action,
}

#[derive(Debug)]
pub(crate) struct CallSite {
    pub target: CallTarget,
    pub args: Box<[Operand]>,
    pub result: Option<VarId>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum CallTarget {
    Direct(FuncId),
    Indirect(Slot),
}

#[derive(Debug)]
pub(crate) struct BuiltinSite {
    pub builtin: Builtin,
    pub args: Box<[Operand]>,
    pub result: Option<VarId>,
}

/// A function's part of the code.
#[derive(Debug)]
pub(crate) struct FunctionCode {
    /// Step of location 0; the other locations follow.
    pub first: u32,
    pub entry: u32,
    /// Number of slots of a frame.
    pub slots: usize,
    /// Where the arguments go.
    pub params: Box<[Operand]>,
    /// Where the addresses of the call's objects go.
    pub objects: Box<[FrameObject]>,
    /// Alignment of the objects' memory.
    pub align: u64,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct FrameObject {
    pub id: ObjId,
    pub slot: Slot,
    /// From the start of the frame's memory.
    pub offset: u64,
    pub size: u64,
}

/// A program's automata, ready to execute.
#[derive(Debug)]
pub struct Code {
    pub(crate) model: DataModel,
    pub(crate) layout: Layout,
    pub(crate) steps: Vec<Step>,
    pub(crate) instrs: Vec<Instr>,
    pub(crate) calls: Vec<CallSite>,
    pub(crate) builtins: Vec<BuiltinSite>,
    pub(crate) functions: IdxVec<FuncId, FunctionCode>,
    /// Initial values of the static slots.
    pub(crate) statics: Vec<u64>,
    pub(crate) vars: IdxVec<VarId, Slot>,
}

impl Code {
    /// Translates a program.
    pub fn new(program: &Program) -> Self {
        build::build(program, &FxHashSet::default())
    }

    /// The same; what is accessed at one of these addresses must be the program's own, even where memory outside of it may be accessed.
    pub fn with_own(program: &Program, own: &FxHashSet<ExprId>) -> Self {
        build::build(program, own)
    }

    /// The location of a step of a function.
    pub(crate) fn location(&self, function: FuncId, step: u32) -> LocId {
        LocId::new((step - self.functions[function].first) as usize)
    }

    /// The edge that a step executes; of a branch, the one for the condition's truth.
    pub(crate) fn edge(&self, program: &Program, function: FuncId, step: u32, truth: bool) -> EdgeId {
        let range = program.functions[function].out_range(self.location(function, step));
        EdgeId::new(if range.len() == 2 && !truth { range.start + 1 } else { range.start })
    }
}
