//! An execution along given steps: one formula for the path, a model of it, and its replay.

use crate::bmc::script;
use crate::property::edge_of;
use crate::replay::Replayer;
use crate::unroll::PathStep;
use robusto_analyses::symbolic::Encoder;
use robusto_cfa::facts::Facts;
use robusto_cpa::Step;
use robusto_interp::EdgeRef;
use robusto_limits::{Limits, Stopped};
use robusto_logic::{Answer, Solver};
use robusto_verdict::{Reason, Target, Verdict};

/// Executes steps that lead to a target: false with the execution, else unknown with the reason.
pub(crate) fn execute(
    facts: &Facts,
    target: &Target,
    steps: &[Step],
    traces: bool,
    limits: &Limits,
) -> Result<Verdict, Reason> {
    let program = &facts.program;
    let mut encoder = Encoder::new(facts);
    let mut at = encoder.initial();
    let mut path = Vec::with_capacity(steps.len());
    let mut is_possible = true;
    for &step in steps {
        limits.look()?;
        path.push(PathStep { step, choices: at.choices });
        match encoder.step(&at, step) {
            Ok(Some(after)) => at = after,
            Ok(None) => is_possible = false,
            // A path that ends at something that is not modelled cannot be executed.
            Err(Stopped::Unsupported(what)) => return Ok(Verdict::Unknown(Reason::Unsupported(what))),
            Err(stopped) => return Err(stopped.into()),
        }
        if !is_possible {
            break;
        }
    }
    let mut solver = Solver::new(limits);
    let instead = if !is_possible || solver.check(&mut encoder.terms, &[at.guard])? == Answer::Unsat {
        "no execution takes this path".to_owned()
    } else {
        let model = solver.model(&encoder.terms);
        let script = script(&mut encoder, program, &path, &model)?;
        let (function, edge) = edge_of(target);
        let replayed = Replayer::new(program).replay(script, EdgeRef { function, edge }, traces, limits);
        // A replay that the user interrupts says nothing.
        limits.poll()?;
        match replayed {
            Ok(counterexample) => return Ok(Verdict::False(counterexample)),
            Err(instead) => instead,
        }
    };
    Ok(Verdict::Unknown(Reason::Imprecise(match encoder.approximations().next() {
        Some(a) => format!("{} at line {} is over-approximated", a.what, a.pos.line),
        None => format!("spurious counterexample: {instead}"),
    })))
}
