//! The intermediate representation: typed expressions over variables and memory, and edges between locations.

pub mod directed;
mod expr;
pub mod extended;
pub mod fold;
mod function;
mod granted;
mod ids;
mod op;
mod program;
mod ty;

pub use expr::{BinOp, CastOp, Claim, Expr, ExprPool, UnOp};
pub use function::{Edge, Function, FunctionBuilder, Label, rebuild};
pub use granted::Granted;
pub use ids::{EdgeId, ExprId, FuncId, Idx, IdxVec, LocId, ObjId, VarId};
pub use op::{AllocKind, Builtin, Callee, ErrorKind, HavocSource, Op};
pub use program::{
    Assumption, Image, Object, ObjectKind, Outside, Program, RelocTarget, Relocation, SrcPos, Var, VarKind,
};
pub use ty::{DataModel, Ty};
