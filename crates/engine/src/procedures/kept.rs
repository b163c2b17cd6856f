//! Which functions are kept.

use robusto_cfa::facts::Facts;
use robusto_cfa::ir::{Expr, FuncId, IdxVec};
use robusto_limits::Stopped;
use rustc_hash::FxHashSet;

/// Which functions are procedures of their own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Keep {
    /// `main`, and those that are recursive, or would be copied into their callers over and over, or lead to one of these.
    Repeated,
    /// All that may be called.
    All,
}

/// Locations of a function with all that it calls, from which on it is too large to be a part of its callers, if they are
/// [`COPIES`] times as many as without copies. A call tree of depth 16 has 260,000 of them in 70 locations.
const LARGE: u64 = 1_000;
const COPIES: u64 = 4;

/// How many locations each function has when all calls are replaced by copies of what they call; recursive calls by nothing.
pub fn expansions(facts: &Facts) -> IdxVec<FuncId, u64> {
    let mut sizes: IdxVec<FuncId, u64> = IdxVec::filled(0, facts.program.functions.len());
    for &function in facts.calls.bottom_up() {
        let called = facts.calls.sites(function).iter().flat_map(|site| &site.callees);
        let own = facts.program.functions[function].num_locs() as u64;
        sizes[function] = called.fold(own, |sum, &callee| sum.saturating_add(sizes[callee]));
    }
    sizes
}

/// How many locations a function and those that it leads to have, each counted once.
fn locations(facts: &Facts, function: FuncId) -> u64 {
    let mut seen = FxHashSet::from_iter([function]);
    let mut stack = vec![function];
    let mut sum = 0;
    while let Some(at) = stack.pop() {
        sum += facts.program.functions[at].num_locs() as u64;
        stack.extend(facts.calls.callees(at).filter(|&callee| seen.insert(callee)));
    }
    sum
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
    let sizes = expansions(facts);
    let is_large = |f: FuncId| sizes[f] > LARGE && sizes[f] / COPIES > locations(facts, f);
    // Callees come first, but for those in recursion, and these are marked anyway.
    for &function in facts.calls.bottom_up() {
        reaches[function] = facts.calls.is_recursive(function)
            || facts.calls.callees(function).any(|callee| reaches[callee])
            || is_large(function);
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
