//! Counterexample-guided abstraction refinement with lazy abstraction, for the predicate analysis and for IMPACT.
//!
//! Clarke, Grumberg, Jha, Lu, Veith: *Counterexample-guided abstraction refinement*, J. ACM 2003; Henzinger, Jhala,
//! Majumdar, Sutre: *Lazy abstraction*, POPL 2002; McMillan: *Lazy abstraction with interpolants*, CAV 2006. Blocks as in
//! Beyer, Keremoglu, Wendler, FMCAD 2010.
//!
//! `search` asks the question and reports, `cycle` is the loop. The exploration stops at each error state of the
//! abstraction. `refine` (or `stepwise`, where paths are hard) finds the execution behind it, or predicates that refute the
//! path of blocks; then the graph is cut back:
//!
//! - predicate analysis: at the first block boundary with a new predicate (the pivot), which is abstracted anew;
//! - IMPACT: nowhere, but the boundaries take labels that refute the path, and what stands behind `false` is removed.

mod certificate;
pub(crate) mod craig;
mod cycle;
mod engine;
mod impact;
pub(crate) mod path;
mod refine;
mod samples;
mod search;
mod siblings;
mod stepwise;
pub(crate) mod wp;

pub use engine::{IMPACT, PREDICATE};
pub use refine::Interpolation;

use crate::phases::Phases;
use crate::problem::Problem;
use robusto_analyses::predicate::{Abe, AbstractionKind, BlockOperator, MergeKind, Scope, State};
use robusto_cpa::{Arg, Order};
use robusto_limits::{Limits, Progress};
use robusto_logic::QueryLog;
use robusto_verdict::Report;
use search::Search;
use std::time::Instant;

/// What labels of IMPACT are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Labels {
    /// Abstractions of the path by the predicates that refute it.
    #[default]
    Abstraction,
    /// Craig interpolants of its blocks.
    Interpolants,
}

/// What can be chosen.
#[derive(Clone, Debug)]
pub struct Options {
    /// Where blocks end.
    pub block: BlockOperator,
    /// How abstractions are computed, and what is done with refuted paths.
    pub abstraction: AbstractionKind,
    /// Where predicates are tracked.
    pub scope: Scope,
    /// Which states of a block are merged.
    pub merge: MergeKind,
    /// The order of exploration.
    pub order: Order,
    /// Where new predicates come from first.
    pub interpolation: Interpolation,
    /// What labels of IMPACT are.
    pub labels: Labels,
    /// A file of predicates, in the format of `robusto abstract`; no others are added.
    pub predicates: Option<String>,
    /// Whether to use interval invariants.
    pub invariants: bool,
    /// Whether to write down the steps of counterexamples.
    pub traces: bool,
    /// Who is told every query of the solvers.
    pub smt2: Option<QueryLog>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            block: BlockOperator::Loops,
            abstraction: AbstractionKind::Boolean,
            scope: BlockOperator::Loops.scope(),
            merge: MergeKind::default(),
            order: Order::ReversePostOrder,
            interpolation: Interpolation::default(),
            labels: Labels::default(),
            predicates: None,
            invariants: true,
            traces: true,
            smt2: None,
        }
    }
}

/// Checks a property. The graph goes to `inspect` when the exploration is over.
pub fn check(
    problem: &Problem,
    options: &Options,
    limits: &Limits,
    progress: &Progress,
    inspect: impl FnOnce(&mut Abe<'_>, &Arg<State>),
) -> Report {
    let start = Instant::now();
    let search = Search { problem, options, predicates: &[], limits, progress };
    let (mut report, predicates) = search.run(inspect);
    if options.block.holds_loops() && !problem.targets.is_empty() && Report::proves(&report.verdict, &report.findings) {
        let mut phases = Phases::default();
        report.certificate = certificate::at_heads(problem, options, &report, &predicates, start.elapsed(), limits);
        phases.end("proof at loop heads");
        report.phases.append(&mut phases.list);
    }
    report
}
