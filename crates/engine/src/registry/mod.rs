//! The engines: name, help, options and call of each, in one list.
//!
//! An engine is an [`Engine`] in a file of its own and a line of [`Registry::standard`]. The command line, its help, the
//! plans of `auto` and the check of options are derived from that. [`run`] is how an engine is called, whoever calls it, and
//! the one place where what it proves is certified.

mod option;
mod shared;

pub use option::{Kind, Misplaced, Opt, Values, readable};
pub use shared::{ARG, INVARIANTS, MAX_BOUND, ORDER, PREDICATES, SMT2, invariants, max_bound, order};

use crate::certify::{Conditions, settle};
use crate::problem::Problem;
use crate::{
    accelerate, arrays, auto, bdd, bmc, cegar, image, kind, numeric, numpred, pdr, product, slam, summaries, test,
};
use robusto_cfa::draw::Graph;
use robusto_limits::{Limits, Progress};
use robusto_logic::QueryLog;
use robusto_verdict::Report;
use std::fmt;
use std::sync::Arc;
use std::time::Instant;

/// An engine.
pub struct Engine {
    /// As on the command line.
    pub name: &'static str,
    /// What it is, in a line.
    pub about: &'static str,
    /// What it does and when to take it, in lines of at most 90 characters.
    pub help: &'static str,
    /// What can be chosen.
    pub options: &'static [&'static Opt],
    /// How it is called.
    pub call: Call,
}

/// How an engine is called.
#[derive(Clone, Copy)]
pub enum Call {
    /// It works alone; what it proves is still to be certified.
    Alone(fn(&Job<'_>) -> Report),
    /// It calls others through [`run`], and passes on what they say.
    Plan(fn(&Job<'_>) -> Report),
}

/// What an engine is given.
#[derive(Clone, Copy)]
pub struct Job<'j> {
    /// What is to be found out.
    pub problem: &'j Problem,
    /// What was chosen.
    pub values: &'j Values,
    /// Whether to write down the steps of counterexamples.
    pub traces: bool,
    /// What it may spend.
    pub limits: &'j Limits,
    /// Who is told how far it is.
    pub progress: &'j Progress,
    /// How what it proves is certified.
    pub certify: Conditions<'j>,
    /// Who takes what it has to show beside its report.
    pub outputs: &'j Outputs,
}

/// Who takes what an engine has to show beside its report.
#[derive(Clone, Default)]
pub struct Outputs {
    /// Takes the queries of solvers.
    pub queries: Option<QueryLog>,
    /// Takes the abstract reachability graph of an engine.
    pub graph: Option<Arc<dyn Fn(&'static str, Graph) + Send + Sync>>,
    /// Takes what each round of a search has cost, as lines of CSV.
    pub rounds: Option<Arc<dyn Fn(&str) + Send + Sync>>,
    /// Takes what was seen and chosen, as text.
    pub explanation: Option<Arc<dyn Fn(&str) + Send + Sync>>,
}

/// Runs an engine, and checks the certificate of what it proves.
pub fn run(engine: &Engine, job: &Job<'_>) -> Report {
    match engine.call {
        Call::Plan(call) => call(job),
        Call::Alone(call) => {
            let start = Instant::now();
            let _running = job.progress.begin(engine.name);
            let mut report = call(job);
            let ledger = job.problem.ledger();
            ledger.complete(job.problem.each, &mut report);
            let spent = start.elapsed();
            let entry = ledger.enter(engine.name, spent, &report);
            settle(engine.name, job.problem, &mut report, &job.certify, spent, job.progress);
            ledger.amend(entry, &report);
            report
        }
    }
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Engine").field(&self.name).finish()
    }
}

impl PartialEq for Engine {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Engine {}

/// A list of engines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Registry(Vec<&'static Engine>);

impl Registry {
    /// Those that there are, the default first.
    pub fn standard() -> Self {
        Self(vec![
            &auto::ENGINE,
            &bdd::ENGINE,
            &product::VALUE,
            &product::PRODUCT,
            &cegar::PREDICATE,
            &cegar::IMPACT,
            &bmc::ENGINE,
            &accelerate::ENGINE,
            &kind::ENGINE,
            &summaries::ENGINE,
            &slam::ENGINE,
            &image::ENGINE,
            &pdr::ENGINE,
            &arrays::ENGINE,
            &numeric::ENGINE,
            &numpred::NEXPOINT,
            &numpred::NEX,
            &numpred::MTNDD,
            &numpred::NDD,
            &test::ENGINE,
        ])
    }

    /// The same with one more.
    pub fn with(mut self, engine: &'static Engine) -> Self {
        self.0.push(engine);
        self
    }

    /// The engines.
    pub fn engines(&self) -> impl Iterator<Item = &'static Engine> {
        self.0.iter().copied()
    }

    /// The engine of this name.
    pub fn named(&self, name: &str) -> Option<&'static Engine> {
        self.engines().find(|engine| engine.name == name)
    }

    /// All options, each once.
    pub fn options(&self) -> Vec<&'static Opt> {
        let mut all: Vec<&'static Opt> = Vec::new();
        for option in self.engines().flat_map(|engine| engine.options) {
            if !all.contains(option) {
                all.push(option);
            }
        }
        all
    }

    /// The engines that have an option.
    pub fn owners(&self, option: &Opt) -> Vec<&'static Engine> {
        self.engines().filter(|engine| engine.options.contains(&option)).collect()
    }

    /// Whether an engine takes an option: it has it, or passes it on to others.
    pub fn takes(&self, engine: &Engine, option: &Opt) -> bool {
        let passes_on = matches!(engine.call, Call::Plan(_)) && option.kind.is_passed_on();
        engine.options.contains(&option) || passes_on
    }

    /// Whether an engine takes all options that were given.
    pub fn check(&self, engine: &Engine, values: &Values) -> Result<(), Misplaced> {
        match values.given().find(|option| !self.takes(engine, option)) {
            None => Ok(()),
            Some(option) => Err(Misplaced {
                option: option.name,
                engine: engine.name,
                owners: self.owners(option).iter().map(|owner| owner.name).collect(),
            }),
        }
    }
}
