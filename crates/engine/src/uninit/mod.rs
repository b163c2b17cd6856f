//! The property `uninit`: no value that was never set decides a branch.
//!
//! A pass puts shadows into the program, so that every engine, the replay, certificates and witnesses treat a violation as any
//! other error edge. Variables that may hold an undefined value have a shadow variable each, with the bits that are undefined
//! (`shadow`). Memory has none: an execution may choose, wherever memory comes to be without a value, one bit of it to watch; that
//! bit is undefined until something is written over it, and all others count as defined. A branch that depends on some undefined
//! bit depends on one that an execution has chosen, so this finds the same branches as shadows of all memory would.
//!
//! | step | shadow |
//! |---|---|
//! | `T x;` | all bits of `x` are undefined |
//! | memory without a value: local objects, `malloc` | watch one of its bits, or go on |
//! | `x = e` | the undefined bits of `e` |
//! | `*p = e` | the watched bit, if it is there, is that of `e`; or watch an undefined bit of `e` |
//! | copies of memory | the watched bit goes with the copy, or stays behind |
//! | calls | undefined bits of arguments and results go through variables of the functions |
//! | `if (e)` | an error, if a bit of `e` is undefined |
//!
//! Soundness: by induction over the steps of an execution, an undefined bit of a variable is one that was undefined when it was
//! set; the flow of an undefined value from its source to a branch is one path through variables and memory, and the execution that
//! watches memory along this path has the shadow at the branch. How much `sprintf` and its like write is not modelled: a branch by
//! what may have been written so is `unknown`.

mod shadow;
mod steps;
mod taint;

use robusto_cfa::facts::Facts;
use robusto_cfa::ir::{Expr, ExprId, FuncId, Program, SrcPos, Ty, Var, VarId, VarKind};
use robusto_verdict::{Property, Violation};
use rustc_hash::{FxHashMap, FxHashSet};
use shadow::Shadows;
use taint::Taint;

/// The names of shadows begin so; no identifier of C does, and traces leave out names with `$`.
const MARK: &str = "$ ";

/// Whether an expression speaks of shadows.
pub(crate) fn is_of_shadows(program: &Program, root: ExprId) -> bool {
    let mut seen = FxHashSet::default();
    let mut todo = vec![root];
    while let Some(e) = todo.pop() {
        match program.exprs.get(e) {
            Expr::Var(var) if program.vars[var].name.starts_with(MARK) => return true,
            _ if seen.insert(e) => todo.extend(program.exprs.operands(e)),
            _ => {}
        }
    }
    false
}

/// Puts shadows and error edges into a program, if the property asks for it.
pub(crate) fn instrument(program: &mut Program, property: &Property) {
    if !property.counts(Violation::Uninit) {
        return;
    }
    let facts = Facts::of(program.clone());
    *program = facts.program.clone();
    let taint = Taint::of(&facts);
    let mut pass = Pass::new(program, &facts, &taint);
    for id in facts.program.functions.ids().filter(|&id| facts.calls.is_reachable(id)) {
        pass.function(program, id);
    }
    robusto_cfa::verify::assert_valid(program, "instrumenting uninitialised values");
}

/// A new variable.
fn variable(program: &mut Program, name: String, ty: Ty, kind: VarKind) -> VarId {
    let var = program.vars.push(Var { name: name.into(), ty, signed: false, kind, pos: SrcPos::default() });
    program.exprs.declare(var, ty);
    var
}

/// A global variable that is 0 at the start.
fn global(program: &mut Program, name: String, ty: Ty) -> VarId {
    let zero = program.exprs.zero(ty);
    variable(program, name, ty, VarKind::Global(zero))
}

/// An integer type with as many bits as a type has, or the next that there is.
fn shadow_ty(program: &Program, ty: Ty) -> Ty {
    Ty::Int(shadow_bits(program, ty))
}

fn shadow_bits(program: &Program, ty: Ty) -> u8 {
    if ty.is_wide() { 128 } else { ty.bits(program.model) as u8 }
}

struct Pass<'a> {
    facts: &'a Facts,
    taint: &'a Taint,
    shadows: Shadows<'a>,
    /// What callers tell of a parameter.
    given: FxHashMap<VarId, VarId>,
    /// What a function tells of its result.
    returned: FxHashMap<FuncId, VarId>,
    /// Whether a library function may have given the watched bit a value; `None` if there is no such function.
    doubt: Option<VarId>,
}

impl<'a> Pass<'a> {
    fn new(program: &mut Program, facts: &'a Facts, taint: &'a Taint) -> Self {
        let (mut of_var, mut given, mut returned) = (FxHashMap::default(), FxHashMap::default(), FxHashMap::default());
        for (var, info) in facts.program.vars.enumerate().filter(|(var, _)| taint.vars.contains(var)) {
            let ty = shadow_ty(program, info.ty);
            let name = |what: &str| format!("{MARK}{what} {}", info.name);
            let shadow = match info.kind.owner() {
                Some(owner) => {
                    let shadow = variable(program, name("undefined"), ty, VarKind::Temp(owner));
                    program.functions[owner].locals.push(shadow);
                    shadow
                }
                None => global(program, name("undefined"), ty),
            };
            of_var.insert(var, shadow);
            if let VarKind::Param(_) = info.kind {
                given.insert(var, global(program, name("given"), ty));
            }
        }
        for (id, function) in facts.program.functions.enumerate().filter(|&(id, _)| taint.returns[id]) {
            if let Some(ty) = function.ret {
                let ty = shadow_ty(program, ty);
                returned.insert(id, global(program, format!("{MARK}returned {}", function.name), ty));
            }
        }
        let address = program.model.size_ty();
        let watched = global(program, format!("{MARK}watched"), address);
        let bit = global(program, format!("{MARK}bit"), Ty::Int(8));
        let doubt = taint.is_written_by_library(facts).then(|| global(program, format!("{MARK}doubt"), Ty::BOOL));
        let shadows = Shadows::new(facts, taint, of_var, [watched, bit]);
        Self { facts, taint, shadows, given, returned, doubt }
    }
}
