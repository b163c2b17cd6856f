//! An execution along the steps of a path.

use crate::bmc::script;
use crate::problem::Problem;
use crate::property::edge_of;
use crate::replay::Replayer;
use crate::unroll::PathStep;
use robusto_analyses::symbolic::Encoder;
use robusto_cpa::Step;
use robusto_interp::EdgeRef;
use robusto_limits::Limits;
use robusto_logic::{Answer, Solver};
use robusto_verdict::{Reason, Target, Verdict};

/// Executes a path from the start of the program to a target: the encoder says under which choices it is taken, a solver finds
/// some, the interpreter replays them.
pub(crate) fn execute(
    problem: &Problem,
    replayer: &Replayer<'_>,
    steps: &[Step],
    target: &Target,
    traces: bool,
    limits: &Limits,
) -> Result<Verdict, Reason> {
    let program = &problem.facts.program;
    let mut encoder = Encoder::new(&problem.facts);
    let mut formula = encoder.initial();
    let mut path = Vec::with_capacity(steps.len());
    for &step in steps {
        path.push(PathStep { step, choices: formula.choices });
        match encoder.step(&formula, step)? {
            Some(after) => formula = after,
            None => return Ok(spurious(&encoder, "the path has no execution")),
        }
    }
    let mut solver = Solver::new(limits);
    if solver.check(&mut encoder.terms, &[formula.guard])? == Answer::Unsat {
        return Ok(spurious(&encoder, "the path has no execution"));
    }
    let model = solver.model(&encoder.terms);
    let script = script(&mut encoder, program, &path, &model)?;
    let (function, edge) = edge_of(target);
    let verdict = match replayer.replay(script, EdgeRef { function, edge }, traces, limits) {
        Ok(counterexample) => Verdict::False(counterexample),
        Err(instead) => spurious(&encoder, &format!("spurious counterexample: {instead}")),
    };
    // A replay that the user interrupts says nothing.
    limits.poll()?;
    Ok(verdict)
}

/// Why a path is no execution: the first approximation, if there is any.
fn spurious(encoder: &Encoder<'_>, otherwise: &str) -> Verdict {
    Verdict::Unknown(Reason::Imprecise(match encoder.approximations().next() {
        Some(a) => format!("{} at line {} is over-approximated", a.what, a.pos.line),
        None => otherwise.to_owned(),
    }))
}
