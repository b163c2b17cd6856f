//! Places, values, pointers and operations in words.

use crate::memory::{Memory, What};
use crate::outcome::EdgeRef;
use robusto_cfa::ir::{BinOp, Callee, CastOp, DataModel, Expr, ExprId, Op, Program, SrcPos, Ty, UnOp, VarId};
use std::fmt::Write as _;

/// `file:line:column`
pub fn position(program: &Program, pos: SrcPos) -> String {
    let file = program.files.get(usize::from(pos.file)).map_or("<input>", |name| name);
    match pos.line {
        0 => file.to_owned(),
        line => format!("{file}:{line}:{}", pos.column),
    }
}

/// The place of an edge; where it has none, that of its function.
pub fn place(program: &Program, at: EdgeRef) -> String {
    let function = &program.functions[at.function];
    match function.edges().get(at.edge) {
        Some(edge) if edge.pos.line > 0 => position(program, edge.pos),
        _ => format!("{} (in `{}`)", position(program, function.pos), function.name),
    }
}

/// An object in words.
pub fn object(program: &Program, what: What) -> String {
    match what {
        What::Nothing => "nothing".to_owned(),
        What::Object(id) => format!("`{}`", program.objects[id].name),
        What::Heap(at) => format!("the heap block allocated at {}", place(program, at)),
        What::Alloca(at) => format!("the stack block allocated at {}", place(program, at)),
        What::Environment(name) => format!("`{name}`"),
        What::Outside => "memory outside of the program's objects".to_owned(),
    }
}

/// An address: `null`, `&object+offset`, `&function`, or a number.
pub fn pointer(program: &Program, memory: &Memory, addr: u64) -> String {
    if addr == 0 {
        return "null".to_owned();
    }
    if let Some(function) = memory.layout.function_at(addr) {
        return format!("&{}", program.functions[function].name);
    }
    let Some(target) = memory.locate(addr) else { return format!("{addr:#x}") };
    let name = match target.what {
        What::Nothing => return format!("{addr:#x}"),
        What::Object(id) => program.objects[id].name.to_string(),
        What::Heap(at) => format!("heap[{}]", line(program, at)),
        What::Alloca(at) => format!("alloca[{}]", line(program, at)),
        What::Environment(name) => name.to_owned(),
        What::Outside => return format!("{addr:#x}"),
    };
    match target.offset {
        0 => format!("&{name}"),
        offset => format!("&{name}{offset:+}"),
    }
}

fn line(program: &Program, at: EdgeRef) -> u32 {
    program.functions[at.function].edge(at.edge).pos.line
}

/// A value of a type, read as signed or unsigned.
pub fn value(program: &Program, memory: &Memory, ty: Ty, signed: bool, bits: u128) -> String {
    match ty {
        Ty::Ptr => pointer(program, memory, bits as u64),
        Ty::F32 => format!("{:?}", f32::from_bits(bits as u32)),
        Ty::F64 => format!("{:?}", f64::from_bits(bits as u64)),
        Ty::F80 => robusto_cfa::ir::extended::text(bits),
        Ty::Int(width) if signed => {
            let unused = 128 - u32::from(width);
            (((bits << unused) as i128) >> unused).to_string()
        }
        Ty::Int(_) => bits.to_string(),
    }
}

/// What an edge does, in C's notation as far as that goes.
pub fn op(program: &Program, op: &Op) -> String {
    let e = |id: ExprId| expr(program, id);
    let v = |var: VarId| program.vars[var].name.to_string();
    let list = |args: &[ExprId]| args.iter().map(|&arg| e(arg)).collect::<Vec<_>>().join(", ");
    let to = |result: &Option<VarId>| result.map_or(String::new(), |var| format!("{} = ", v(var)));
    match op {
        Op::Skip => "skip".to_owned(),
        Op::Assume { cond, truth: true } => format!("[{}]", e(*cond)),
        Op::Assume { cond, truth: false } => format!("[!({})]", e(*cond)),
        Op::Assign { var, value } => format!("{} = {}", v(*var), e(*value)),
        Op::Store { addr, value } => {
            format!("*({}*){} = {}", program.exprs.ty(*value), operand(program, *addr), e(*value))
        }
        Op::Copy { dst, src, size } => format!("copy({}, {}, {})", e(*dst), e(*src), e(*size)),
        Op::Fill { dst, byte, size } => format!("fill({}, {}, {})", e(*dst), e(*byte), e(*size)),
        Op::Havoc { var, source } => format!("{} = havoc {source:?}", v(*var)),
        Op::HavocMem { addr, size, source } => format!("havoc({}, {}) {source:?}", e(*addr), e(*size)),
        Op::Call { result, callee, args } => {
            let callee = match callee {
                Callee::Direct(function) => program.functions[*function].name.to_string(),
                Callee::Indirect(pointer, _) => format!("(*{})", operand(program, *pointer)),
            };
            format!("{}{callee}({})", to(result), list(args))
        }
        Op::Builtin { result, builtin, args } => format!("{}{}({})", to(result), builtin.name(), list(args)),
        Op::Alloc { var, size, kind, .. } => format!("{} = alloc {kind:?}({})", v(*var), e(*size)),
        Op::Free { ptr, .. } => format!("free({})", e(*ptr)),
        Op::Return { value: Some(value) } => format!("return {}", e(*value)),
        Op::Return { value: None } => "return".to_owned(),
        Op::Error(kind) => format!("error {kind:?}"),
        Op::Halt { status: Some(status) } => format!("exit({})", e(*status)),
        Op::Halt { status: None } => "abort()".to_owned(),
        Op::Unsupported(what) => format!("unsupported: {what}"),
    }
}

/// Longest text of an expression; the rest is cut off.
const LONGEST: usize = 200;

/// An expression in C's notation as far as that goes; a very long one is cut off.
pub fn expr(program: &Program, id: ExprId) -> String {
    let mut out = String::new();
    write_expr(program, id, &mut out, false);
    out
}

fn operand(program: &Program, id: ExprId) -> String {
    let mut out = String::new();
    write_expr(program, id, &mut out, true);
    out
}

fn write_expr(program: &Program, id: ExprId, out: &mut String, nested: bool) {
    if out.len() > LONGEST {
        if !out.ends_with('…') {
            out.push('…');
        }
        return;
    }
    if let Some(bits) = program.exprs.as_extended(id) {
        out.push_str(&robusto_cfa::ir::extended::text(bits));
        return;
    }
    match program.exprs.get(id) {
        Expr::Const(ty, bits) => write_constant(ty, bits, program.model, out),
        Expr::Var(var) => out.push_str(&program.vars[var].name),
        Expr::ObjAddr(object) => {
            out.push('&');
            out.push_str(&program.objects[object].name);
        }
        Expr::FuncAddr(function) => {
            out.push('&');
            out.push_str(&program.functions[function].name);
        }
        Expr::Load(ty, addr) => match program.exprs.get(addr) {
            Expr::ObjAddr(object) => out.push_str(&program.objects[object].name),
            _ => {
                let _ = write!(out, "*({ty}*)");
                write_expr(program, addr, out, true);
            }
        },
        Expr::Unary(op, arg) => {
            out.push_str(match op {
                UnOp::Neg | UnOp::FNeg => "-",
                UnOp::Not if program.exprs.ty(arg) == Ty::BOOL => "!",
                UnOp::Not => "~",
            });
            write_expr(program, arg, out, true);
        }
        Expr::Binary(op, a, b) => {
            if nested {
                out.push('(');
            }
            write_expr(program, a, out, true);
            let _ = write!(out, " {} ", symbol(op));
            write_expr(program, b, out, true);
            if nested {
                out.push(')');
            }
        }
        Expr::Holds(claim, addr, size) => {
            let _ = write!(out, "{}(", claim.name());
            write_expr(program, addr, out, false);
            out.push_str(", ");
            write_expr(program, size, out, false);
            out.push(')');
        }
        Expr::Cast(op, ty, arg) => {
            // Conversions that do not change the number are noise.
            let silent = matches!(op, CastOp::ZExt | CastOp::SExt | CastOp::PtrToInt | CastOp::IntToPtr);
            if !silent {
                let _ = write!(out, "({ty})");
            }
            write_expr(program, arg, out, nested || !silent);
        }
    }
}

fn write_constant(ty: Ty, bits: u64, model: DataModel, out: &mut String) {
    let _ = match ty {
        Ty::F32 => write!(out, "{:?}", f32::from_bits(bits as u32)),
        Ty::F64 => write!(out, "{:?}", f64::from_bits(bits)),
        Ty::F80 => out.write_str("?"),
        Ty::Ptr if bits == 0 => write!(out, "null"),
        Ty::Ptr => write!(out, "{bits:#x}"),
        Ty::Int(_) => {
            // Small negative numbers are meant as such more often than as the large unsigned ones.
            let signed = robusto_cfa::ir::fold::signed(ty.bits(model).min(64), bits);
            if ty != Ty::BOOL && (-65536..0).contains(&signed) {
                write!(out, "{signed}")
            } else {
                write!(out, "{bits}")
            }
        }
    };
}

fn symbol(op: BinOp) -> &'static str {
    use BinOp::*;
    match op {
        Add | FAdd | PtrAdd => "+",
        Sub | FSub => "-",
        Mul | FMul => "*",
        UDiv => "/u",
        SDiv | FDiv => "/",
        URem => "%u",
        SRem => "%",
        And => "&",
        Or => "|",
        Xor => "^",
        Shl => "<<",
        LShr => ">>u",
        AShr => ">>",
        Eq | FEq => "==",
        Ne | FNe => "!=",
        ULt => "<u",
        ULe => "<=u",
        SLt | FLt => "<",
        SLe | FLe => "<=",
    }
}
