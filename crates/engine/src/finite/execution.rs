//! An execution along the steps of a path.

use crate::bmc::replay_path;
use crate::problem::Problem;
use crate::property::edge_of;
use crate::replay::Replayer;
use robusto_analyses::symbolic::Encoder;
use robusto_cpa::Step;
use robusto_limits::Limits;
use robusto_logic::Solver;
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
    let mut encoder = Encoder::new(&problem.facts);
    replay_path(&mut encoder, Solver::new(limits), steps, edge_of(target), (replayer, traces), limits)
}
