//! Bounded model checking: errors within a growing number of loop iterations.
//!
//! Biere, Cimatti, Clarke, Zhu: *Symbolic model checking without BDDs*, TACAS 1999; Clarke, Kroening, Lerda: *A tool for
//! checking ANSI-C programs*, TACAS 2004. The bound limits the iterations of every loop and the activations of every
//! recursive function, each by itself. For each bound, one query asks for a violation that is new; a model of it is an
//! execution, which is replayed.
//!
//! | the papers | here |
//! |---|---|
//! | unwinding | `crate::unroll` |
//! | the formula for bound k | the disjunction of the guards of the violations found since bound k - 1 |
//! | unwinding assertions | the guards of the frontier: if none is satisfiable, longer executions do not exist |
//!
//! Soundness: False is replayed. True is said only when no violation within the bound is satisfiable, nothing reachable
//! lies beyond it, and no reachable path ends at something that is not modelled. An infeasible frontier node is
//! forgotten, which loses no execution.

mod script;
mod search;

pub(crate) use script::{replay_path, script};
pub(crate) use search::Search;

use crate::kind::strengthen;
use crate::numeric::Domain;
use crate::outcome;
use crate::phases::Phases;
use crate::problem::Problem;
use crate::property::place;
use crate::registry::{Call, Engine, INVARIANTS, Job, MAX_BOUND, SMT2, invariants, max_bound};
use robusto_analyses::symbolic::Encoder;
use robusto_limits::{Limits, Progress};
use robusto_logic::{QueryLog, Solver};
use robusto_verdict::{Certificate, Reason, Report};

/// What can be chosen, for [k-induction](crate::kind) as well.
#[derive(Clone, Debug)]
pub struct Options {
    /// Loops are unrolled at most this far: the greatest k.
    pub max_bound: Option<u32>,
    /// Whether to use interval invariants.
    pub invariants: bool,
    /// Where k-induction gets relations between variables from, before it looks for them itself.
    pub strengthen: Option<Domain>,
    /// Whether to write down the steps of counterexamples.
    pub traces: bool,
    /// Who is told every query of the solver, in k-induction that of the base case.
    pub smt2: Option<QueryLog>,
}

impl Default for Options {
    fn default() -> Self {
        Self { max_bound: None, invariants: true, strengthen: None, traces: true, smt2: None }
    }
}

/// The engine.
pub static ENGINE: Engine = Engine {
    name: "bmc",
    about: "Bounded model checking: finds errors, proves what needs no more than the bound",
    help: "\
Bounded model checking: errors within a growing number of loop iterations; `true` where all
loops end. The quickest way to most bugs. (docs/bmc.md)",
    options: &[&INVARIANTS, &MAX_BOUND, &SMT2],
    call: Call::Alone(|job| check(job.problem, &Options::of(job), job.limits, job.progress)),
};

impl Options {
    /// What a job chooses.
    pub(crate) fn of(job: &Job<'_>) -> Self {
        Self {
            max_bound: max_bound(job.values),
            invariants: invariants(job.values),
            strengthen: strengthen(job.values),
            traces: job.traces,
            smt2: job.outputs.queries.clone(),
        }
    }
}

/// Checks a property.
pub fn check(problem: &Problem, options: &Options, limits: &Limits, progress: &Progress) -> Report {
    let mut phases = Phases::default();
    let Problem { facts, .. } = problem;
    if facts.program.main.is_none() {
        return Report::unknown(Reason::NoMain);
    }
    let invariants = options.invariants.then(|| problem.intervals(limits)).flatten();
    phases.end("interval invariants");
    let mut encoder = Encoder::new(facts);
    let mut solver = Solver::new(limits);
    solver.set_log(options.smt2.clone());
    let mut search = Search::new(&mut encoder, problem, options.traces, invariants, limits);
    let open = search.run(&mut encoder, &mut solver, options.max_bound, progress).err();
    phases.end("search");
    phases.split("unrolling", search.unrolling_time);
    phases.split("solver", solver.statistics().time);
    let statistics = solver.statistics();
    let counters = vec![
        ("bound", search.bound.to_string()),
        ("nodes", search.nodes().to_string()),
        ("calls at once", search.calls()),
        ("terms", encoder.terms.len().to_string()),
        ("solver calls", statistics.calls.to_string()),
        ("SAT variables", statistics.variables.to_string()),
        ("SAT clauses", statistics.clauses.to_string()),
    ];
    let findings = search.findings(open.clone());
    let bound = search.bound;
    let report = outcome::report(problem, findings, open, || Some(Certificate::Unrolled { bound }));
    let approximations = encoder.approximations().map(|a| (place(a.pos), a.what)).collect();
    Report { approximations, phases: phases.list, counters, ..report }
}

/// The bound after this one: every one at first, then in growing steps.
pub(crate) fn next_bound(bound: u32) -> u32 {
    if bound < 6 { bound + 1 } else { bound + bound / 3 }
}
