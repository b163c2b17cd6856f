//! Which functions are kept.

use robusto_cfa::facts::Facts;
use robusto_cfa::ir::{Expr, FuncId, IdxVec};
use robusto_limits::Stopped;

/// Which functions are procedures of their own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Keep {
    /// `main`, and those that are recursive or lead to recursion.
    Recursion,
    /// All that may be called.
    All,
}

/// The kept functions, `main` first. A recursive one with local objects is not supported: their addresses depend on the
/// activation.
pub fn kept(facts: &Facts, keep: Keep) -> Result<Vec<FuncId>, Stopped> {
    let program = &facts.program;
    let claims = |id| matches!(program.exprs.get(id), Expr::Holds(..));
    if program.exprs.ids().any(claims) {
        return Err(Stopped::Unsupported(
            "claims about memory in functions that are looked at by themselves".to_owned(),
        ));
    }
    let mut reaches: IdxVec<FuncId, bool> = IdxVec::filled(false, program.functions.len());
    // Callees come first, but for those in recursion, and these are marked anyway.
    for &function in facts.calls.bottom_up() {
        reaches[function] =
            facts.calls.is_recursive(function) || facts.calls.callees(function).any(|callee| reaches[callee]);
    }
    let is_kept = |&function: &FuncId| {
        Some(function) != program.main && facts.calls.is_reachable(function) && (keep == Keep::All || reaches[function])
    };
    let others = program.functions.ids().filter(is_kept);
    let kept: Vec<FuncId> = program.main.into_iter().chain(others).collect();
    let escaping = kept.iter().find(|&&f| facts.calls.is_recursive(f) && !program.functions[f].objects.is_empty());
    match escaping {
        None => Ok(kept),
        Some(&f) => {
            let object = &program.objects[program.functions[f].objects[0]].name;
            let function = &program.functions[f].name;
            Err(Stopped::Unsupported(format!(
                "the address of `{object}`, a local of the recursive function `{function}`"
            )))
        }
    }
}
