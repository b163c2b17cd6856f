//! Acceleration: bounded model checking where loops with closed forms take any number of iterations in one step.
//!
//! Frohn, Giesl: *Integrating loop acceleration into bounded model checking*, FM 2024; closed forms after Frohn: *A calculus for
//! modular loop acceleration*, TACAS 2020, but exact modulo 2^w.
//!
//! | the papers | here |
//! |---|---|
//! | recurrence solving | `recurrence`: polynomials in n, in binomials; what the last iteration has set |
//! | acceleration calculus: conditions that hold n times | `condition`: comparisons of linear functions, differences modulo 2^w; `find`: conditions that go on to hold |
//! | accelerated transitions in the unrolling, blocking clauses | `crate::unroll` |
//! | (certificates) | `crate::certify`: closed forms by induction over n |
//!
//! The search is that of [`crate::bmc`]. Where no loop has a closed form, it ends at once: others unroll.
//!
//! Soundness: errors are replayed by the interpreter, which takes all iterations. Proofs rest on closed forms that are complete,
//! which the check of the certificate shows once more.

mod condition;
mod find;
mod linear;
mod paths;
mod recurrence;

use crate::bmc::{Options, Search};
use crate::certificate::formula;
use crate::outcome;
use crate::phases::Phases;
use crate::problem::Problem;
use crate::property::place;
use crate::registry::{Call, Engine, INVARIANTS, MAX_BOUND, SMT2};
use crate::unroll::Closed;
use robusto_analyses::symbolic::Encoder;
use robusto_cfa::ir::Idx as _;
use robusto_limits::{Limits, Progress};
use robusto_logic::Solver;
use robusto_verdict::certificate::ClosedForm;
use robusto_verdict::{Certificate, Reason, Report};

/// The engine.
pub static ENGINE: Engine = Engine {
    name: "accelerate",
    about: "Bounded model checking with closed forms of loops: errors and proofs behind very long loops",
    help: "\
Bounded model checking that takes loops with a closed form in one step, however often they
iterate. For counting loops, sums, phases. (docs/acceleration.md)",
    options: &[&INVARIANTS, &MAX_BOUND, &SMT2],
    call: Call::Alone(|job| check(job.problem, &Options::of(job), job.limits, job.progress)),
};

/// Checks a property.
pub fn check(problem: &Problem, options: &Options, limits: &Limits, progress: &Progress) -> Report {
    let mut phases = Phases::default();
    let facts = &problem.facts;
    if facts.program.main.is_none() {
        return Report::unknown(Reason::NoMain);
    }
    let invariants = options.invariants.then(|| problem.intervals(limits)).flatten();
    phases.end("interval invariants");
    let mut encoder = Encoder::new(facts);
    let mut solver = Solver::new(limits);
    progress.set_activity("closed forms of loops");
    let closed = match find::closed_forms(&mut encoder, &mut solver, limits) {
        Ok(closed) => closed,
        Err(stopped) => return Report { phases: phases.list, ..Report::unknown(stopped.into()) },
    };
    phases.end("closed forms");
    if closed.is_empty() {
        let reason = Reason::Unsupported("loops without closed forms".to_owned());
        return Report { phases: phases.list, ..Report::unknown(reason) };
    }
    let mut solver = Solver::new(limits);
    solver.set_log(options.smt2.clone());
    let mut search = Search::new(&mut encoder, problem, options.traces, invariants, limits).sliding(&closed);
    let open = search.run(&mut encoder, &mut solver, options.max_bound, progress).err();
    phases.end("search");
    phases.split("unrolling", search.unrolling_time);
    phases.split("solver", solver.statistics().time);
    let complete = closed.iter().filter(|closed| closed.complete).count();
    let counters = vec![
        ("closed forms", closed.len().to_string()),
        ("complete", complete.to_string()),
        ("bound", search.bound.to_string()),
        ("nodes", search.nodes().to_string()),
        ("solver calls", solver.statistics().calls.to_string()),
    ];
    let findings = search.findings(open.clone());
    let bound = search.bound;
    let report = outcome::report(problem, findings, open, || {
        let loops =
            closed.iter().filter(|closed| closed.complete).map(|closed| written(&mut encoder, closed)).collect();
        Some(Certificate::Accelerated { bound, loops })
    });
    let approximations = encoder.approximations().map(|a| (place(a.pos), a.what)).collect();
    Report { approximations, phases: phases.list, counters, ..report }
}

/// A closed form for a certificate.
fn written(encoder: &mut Encoder<'_>, closed: &Closed) -> ClosedForm {
    let values = closed.values.iter().map(|&(cell, value)| {
        let cell = encoder.input(cell);
        (formula::print(encoder, cell), formula::print(encoder, value))
    });
    let values = values.collect();
    ClosedForm {
        function: encoder.facts().program.functions[closed.head.function].name.to_string(),
        location: closed.head.loc.index() as u32,
        width: u32::from(encoder.terms.width(closed.count)),
        when: formula::print(encoder, closed.when),
        valid: formula::print(encoder, closed.valid),
        values,
    }
}
