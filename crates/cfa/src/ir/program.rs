//! The whole program.

use super::{Callee, DataModel, ExprId, ExprPool, FuncId, Function, IdxVec, ObjId, Op, Ty, VarId};

/// A program: functions, variables, memory objects, and the expressions that they share.
///
/// Invariants (checked by [`crate::verify`]): see there.
#[derive(Clone, PartialEq, Debug)]
pub struct Program {
    /// Sizes of C's types.
    pub model: DataModel,
    /// Names of the source files; [`SrcPos::file`] indexes it.
    pub files: Vec<Box<str>>,
    /// All functions. One without a body in the source has a stub that returns any value.
    pub functions: IdxVec<FuncId, Function>,
    /// All variables.
    pub vars: IdxVec<VarId, Var>,
    /// All memory objects with a name: variables that are not plain, string literals.
    pub objects: IdxVec<ObjId, Object>,
    /// All expressions.
    pub exprs: ExprPool,
    /// The function where execution starts.
    pub main: Option<FuncId>,
    /// What the automata approximate or take for granted; each verdict lists it.
    pub assumptions: Vec<Assumption>,
    /// Memory outside of the program's objects.
    pub outside: Outside,
}

/// Memory outside of the program's objects, with any content.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Outside {
    /// There is none: no access there is valid.
    #[default]
    Nowhere,
    /// Pointers from outside may lead to it: an area of addresses of its own.
    Area,
    /// That, and numbers of the program may: further addresses, which the program's objects do not have.
    Numbers,
}

impl Program {
    /// The functions that a call through a pointer from outside may come to: those that the program hands out and that fit, and the one
    /// that stands for all of the outside.
    pub fn called_outside(&self, op: &Op) -> Vec<FuncId> {
        let Op::Call { result, callee: Callee::Indirect(_, Some(outside)), ref args } = *op else { return Vec::new() };
        let fits = |function: &Function| {
            let params = function.params.iter().map(|&param| self.vars[param].ty);
            // Without a prototype, a call has no arguments here.
            (args.is_empty() || params.eq(args.iter().map(|&arg| self.exprs.ty(arg))))
                && result.is_none_or(|var| function.ret == Some(self.vars[var].ty))
        };
        let handed_out = self.functions.enumerate().filter(|(_, f)| f.handed_out && fits(f)).map(|(id, _)| id);
        handed_out.chain([outside]).collect()
    }

    /// An empty program.
    pub fn new(model: DataModel) -> Self {
        Self {
            model,
            files: Vec::new(),
            functions: IdxVec::new(),
            vars: IdxVec::new(),
            objects: IdxVec::new(),
            exprs: ExprPool::new(model),
            main: None,
            assumptions: Vec::new(),
            outside: Outside::Nowhere,
        }
    }

    /// The function with this name.
    pub fn function_named(&self, name: &str) -> Option<FuncId> {
        self.functions.enumerate().find(|(_, f)| &*f.name == name).map(|(id, _)| id)
    }
}

/// A place in the source: line and column from 1. Line 0 means that there is no place.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct SrcPos {
    /// Index into [`Program::files`].
    pub file: u16,
    /// Column, `u16::MAX` for any beyond that.
    pub column: u16,
    /// Line.
    pub line: u32,
}

/// A variable: a register that holds one value and has no address.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Var {
    /// Name as in the source (`x`, `point.x`); temporaries are numbered.
    pub name: Box<str>,
    /// Type.
    pub ty: Ty,
    /// Whether the C type is signed; for printing values.
    pub signed: bool,
    /// Role.
    pub kind: VarKind,
    /// Declaration.
    pub pos: SrcPos,
}

/// Role of a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VarKind {
    /// A global or `static` variable with its initial value: a constant, an address, or an address plus a constant.
    Global(ExprId),
    /// A parameter.
    Param(FuncId),
    /// A local variable of the source. Recursive calls have their own copy.
    Local(FuncId),
    /// A temporary made by the lowering.
    Temp(FuncId),
}

impl VarKind {
    /// The function that owns a parameter, local or temporary.
    pub fn owner(self) -> Option<FuncId> {
        match self {
            VarKind::Global(_) => None,
            VarKind::Param(f) | VarKind::Local(f) | VarKind::Temp(f) => Some(f),
        }
    }
}

/// A memory object: a number of bytes with an address.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Object {
    /// Name as in the source; literals are numbered.
    pub name: Box<str>,
    /// Size in bytes.
    pub size: u64,
    /// Alignment in bytes, a power of two.
    pub align: u32,
    /// Role.
    pub kind: ObjectKind,
    /// Declaration.
    pub pos: SrcPos,
}

/// Role of a memory object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ObjectKind {
    /// A global or `static` variable. Bytes beyond the image are zero.
    Global(Image),
    /// A string literal or another constant; writing to it is undefined.
    Constant(Image),
    /// A local variable; each call has its own.
    Local(FuncId),
}

/// Initial content of a global object.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Image {
    /// The bytes, trailing zeros left out.
    pub bytes: Vec<u8>,
    /// Addresses, in ascending order of offset. They count more than the bytes.
    pub relocations: Vec<Relocation>,
}

/// An address in an image, as wide as a pointer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Relocation {
    /// Where it stands in the image.
    pub offset: u64,
    /// What it points to.
    pub target: RelocTarget,
    /// Bytes to add.
    pub addend: i64,
}

/// Target of a relocation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RelocTarget {
    /// An object.
    Object(ObjId),
    /// A function.
    Function(FuncId),
}

/// Something that the automata approximate or take for granted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assumption {
    /// One sentence.
    pub text: Box<str>,
    /// Where it arises first.
    pub pos: SrcPos,
}
