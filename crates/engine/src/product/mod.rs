//! A domain per variable ([`robusto_analyses::product`]) and the explicit-value analysis as engines.
//!
//! `cycle` is the loop of exploration and refinement, `certificate` writes down what it proves. The explicit-value analysis is the
//! product with one domain.

mod certificate;
mod cycle;

use crate::auto::EXPLAIN;
use crate::draw::{self, Appearance};
use crate::outcome;
use crate::phases::Phases;
use crate::problem::Problem;
use crate::property::place;
use crate::registry::{ARG, Call, Engine, Job, Kind, ORDER, Opt, order, readable};
use cycle::Cycle;
use robusto_analyses::predicate::Scope;
use robusto_analyses::product::{self, Assignment, Domain, Domains, Domainwise, State};
use robusto_cpa::{Arg, Order};
use robusto_diagram::StoreSize;
use robusto_limits::{Limits, Progress};
use robusto_verdict::{Reason, Report};

/// What can be chosen.
#[derive(Clone, Debug)]
pub struct Options {
    /// The domains.
    pub domains: Domains,
    /// Where a constant that was needed is tracked.
    pub scope: Scope,
    /// The order of exploration.
    pub order: Order,
    /// Size of the node store of decision diagrams.
    pub store: StoreSize,
    /// Whether to write down the steps of counterexamples.
    pub traces: bool,
}

impl Default for Options {
    fn default() -> Self {
        let domains = Domains::new(&[Domain::Value, Domain::Bdd, Domain::Interval]);
        let (scope, order, store) = (Scope::Global, Order::default(), StoreSize::default());
        Self { domains, scope, order, store, traces: false }
    }
}

/// A domain per variable.
pub static PRODUCT: Engine = Engine {
    name: "product",
    about: "A domain per variable: diagrams, intervals, constants, predicates",
    help: "\
Hands each variable to a domain by how the program uses it: few values to decision diagrams,
numbers to intervals; what a path without execution needs moves on to intervals kept apart by
the compared constants, to explicit constants and, if asked for, to predicates. For state
machines with counters and arithmetic. --explain tells the assignment. (docs/product.md)",
    options: &[&DOMAINS, &EXPLICIT, &EXPLAIN, &ORDER, &ARG],
    call: Call::Alone(|job| {
        let domains = job.values.parsed(&DOMAINS).unwrap_or(Options::default().domains);
        call(job, PRODUCT.name, domains)
    }),
};

/// Constants alone.
pub static VALUE: Engine = Engine {
    name: "value",
    about: "Explicit values of variables, refined by counterexamples",
    help: "\
Constants of variables, with all states that differ kept apart; only variables are tracked that
some path without execution has needed. For programs with long deterministic runs and few
inputs. Memory behind pointers is over-approximated. (docs/product.md)",
    options: &[&EXPLICIT, &EXPLAIN, &ORDER, &ARG],
    call: Call::Alone(|job| call(job, VALUE.name, Domains::new(&[Domain::Value]))),
};

static DOMAINS: Opt = Opt {
    name: "domains",
    help: "domains of the product, of value, bdd, interval and predicate",
    kind: Kind::Text { value: "LIST", default: Some("value,bdd,interval"), check: readable::<Domains> },
};

static EXPLICIT: Opt = Opt {
    name: "explicit",
    help: "where a constant that a path needs is tracked: global, function, location (where it is needed)",
    kind: Kind::Text { value: "SCOPE", default: Some("global"), check: readable::<Scope> },
};

fn call(job: &Job<'_>, engine: &'static str, domains: Domains) -> Report {
    let scope = job.values.parsed(&EXPLICIT).unwrap_or(Scope::Global);
    let options = Options { domains, scope, order: order(job.values), traces: job.traces, ..Options::default() };
    if let Some(tell) = &job.outputs.explanation {
        let facts = &job.problem.facts;
        tell(&Assignment::of(facts, &options.domains).show(facts).to_string());
    }
    check(job.problem, &options, job.limits, job.progress, |product, arg| {
        let Some(take) = &job.outputs.graph else { return };
        take(
            engine,
            draw::graph(&job.problem.facts.program, arg, draw::condition, |state| {
                let text = product::show(product, state);
                Appearance { text, shaded: false }
            }),
        );
    })
}

/// Checks a property. The graph goes to `inspect` when the exploration is over.
pub fn check(
    problem: &Problem,
    options: &Options,
    limits: &Limits,
    progress: &Progress,
    inspect: impl FnOnce(&Domainwise<'_>, &Arg<State>),
) -> Report {
    let mut phases = Phases::default();
    let Some(main) = problem.facts.program.main else { return Report::unknown(Reason::NoMain) };
    progress.set_activity("exploration");
    let mut cycle = match Cycle::start(problem, options, main, limits, progress) {
        Ok(cycle) => cycle,
        Err(stopped) => return Report::unknown(stopped.into()),
    };
    let open = cycle.run().err();
    phases.end("exploration");
    phases.split("refinement", cycle.refinement_time);
    inspect(&cycle.cpa.data, &cycle.exploration.arg);
    let findings = cycle.findings(open.as_ref());
    // A proof that is found at the end of a turn would be lost without its certificate (`token_ring.13`).
    let report = outcome::report(problem, findings, open, || certificate::make(&mut cycle, &limits.whole()));
    phases.end("certificate");
    let counters = cycle.counters();
    let approximations = cycle.cpa.data.left.right.approximations().map(|a| (place(a.pos), a.what)).collect();
    Report { approximations, phases: phases.list, counters, ..report }
}
