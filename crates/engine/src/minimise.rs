//! Small inputs for a counterexample: 0 and 1 instead of −2147483648 where that does the same.
//!
//! One choice after the other is made smaller, and the program executed again; what does not arrive at the same error edge is
//! taken back. First all at once is tried, then each: 0, 1, −1, and then the smallest number by bisection, as if all between
//! did it. That is a guess; the replay decides. Time and number of executions are bounded.

use crate::replay::{Replayer, Script};
use robusto_cfa::ir::{Op, Program, fold};
use robusto_interp::EdgeRef;
use robusto_limits::Limits;
use std::time::{Duration, Instant};

/// Longest time, and most executions. Twenty inputs of 32 bits take 400 executions, which for a small program are 2 ms.
const TIME: Duration = Duration::from_millis(50);
const RUNS: u32 = 1000;

/// Makes the choices of a script smaller; the result arrives at the same error edge.
pub(crate) fn minimise(
    replayer: &Replayer<'_>,
    program: &Program,
    script: Script,
    error: EdgeRef,
    limits: &Limits,
) -> Script {
    let limits = limits.within(TIME);
    let mut search = Search { replayer, error, limits: &limits, end: Instant::now() + TIME, runs: 0, best: script };
    let empty =
        Script { values: search.best.values.iter().map(|&(edge, _)| (edge, None)).collect(), ..Script::default() };
    if search.accepts(empty) {
        return search.best;
    }
    let without_memory = Script { fresh: Default::default(), fills: Default::default(), ..search.best.clone() };
    search.accepts(without_memory);
    let without_outside = Script { outside: Vec::new(), ..search.best.clone() };
    search.accepts(without_outside);
    for at in 0..search.best.values.len() {
        let (edge, Some(value)) = search.best.values[at] else { continue };
        let Op::Havoc { var, .. } = program.functions[edge.function].edge(edge.edge).op else { continue };
        let info = &program.vars[var];
        if !matches!(info.ty, robusto_cfa::ir::Ty::Int(1..=64)) {
            search.accepts_value(at, 0);
            continue;
        }
        let bits = info.ty.bits(program.model);
        search.shrink(at, fold::mask(bits, value as u64), bits, info.signed);
        if search.is_over() {
            break;
        }
    }
    search.best
}

struct Search<'s, 'p> {
    replayer: &'s Replayer<'p>,
    error: EdgeRef,
    limits: &'s Limits,
    end: Instant,
    runs: u32,
    best: Script,
}

impl Search<'_, '_> {
    fn is_over(&self) -> bool {
        self.runs >= RUNS || Instant::now() >= self.end
    }

    /// Whether a script arrives; then it is the best one.
    fn accepts(&mut self, script: Script) -> bool {
        if self.is_over() {
            return false;
        }
        self.runs += 1;
        let arrives = self.replayer.arrives(script.clone(), self.error, self.limits);
        if arrives {
            self.best = script;
        }
        arrives
    }

    fn accepts_value(&mut self, at: usize, value: u64) -> bool {
        let value = u128::from(value);
        if self.best.values[at].1 == Some(value) {
            return true;
        }
        let mut script = self.best.clone();
        script.values[at].1 = Some(value);
        self.accepts(script)
    }

    /// The value nearest to 0 that still arrives, on the side of 0 where it is.
    fn shrink(&mut self, at: usize, value: u64, bits: u32, signed: bool) {
        let number = if signed { i128::from(fold::signed(bits, value)) } else { i128::from(value) };
        let coded = |number: i128| fold::mask(bits, number as u64);
        if [0, 1, -1].into_iter().filter(|n| signed || *n >= 0).any(|n| self.accepts_value(at, coded(n))) {
            return;
        }
        // The other sign may do as well, and reads better.
        let number = if number < -1 && self.accepts_value(at, coded(-number)) { -number } else { number };
        let sign = number.signum();
        let (mut fails, mut arrives) = (1, number.abs());
        while arrives - fails > 1 && !self.is_over() {
            let middle = fails + (arrives - fails) / 2;
            if self.accepts_value(at, coded(sign * middle)) {
                arrives = middle;
            } else {
                fails = middle;
            }
        }
    }
}
