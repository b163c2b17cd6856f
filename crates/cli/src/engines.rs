//! Which engine checks, and how: the arguments and the dispatch.

use crate::draw_arg::{self, Appearance};
use anyhow::{Context as _, Result, bail};
use clap::{Args, ValueEnum};
use robusto_analyses::predicate::{AbstractionKind, BlockOperator, MergeKind, Role, Scope};
use robusto_cpa::Order;
use robusto_engine::auto::{self, Look, Plan};
use robusto_engine::certify::Policy;
use robusto_engine::{Problem, bdd, bmc, cegar, kind, test};
use robusto_limits::{Limits, Progress};
use robusto_logic::QueryLog;
use robusto_verdict::Report;
use std::path::{Path, PathBuf};

/// The analyses.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum AnalysisArg {
    /// A plan of several, chosen by a look at the program
    #[default]
    Auto,
    /// Sets of states as decision diagrams
    Bdd,
    /// Predicate abstraction, refined by counterexamples
    Predicate,
    /// Lazy abstraction with interpolants
    Impact,
    /// Bounded model checking: finds errors, proves what needs no more than the bound
    Bmc,
    /// k-induction with interval invariants and relations between variables
    Kind,
    /// Executions with many inputs: finds errors behind long loops, proves nothing
    Test,
}

/// [`Order`] as an argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum OrderArg {
    /// Breadth first
    Bfs,
    /// Depth first
    Dfs,
    /// Reverse post-order, called functions first
    #[default]
    Rpo,
}

/// [`AbstractionKind`] as an argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum AbstractionArg {
    /// The strongest Boolean combination of the predicates
    #[default]
    Boolean,
    /// The strongest conjunction of the predicates
    Cartesian,
}

/// [`MergeKind`] as an argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum MergeArg {
    /// All paths to a place that start together
    Block,
    /// Paths that have gone round the same loops equally often
    #[default]
    Visits,
}

/// Where invariants come from that engines start with.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum InvariantsArg {
    /// Engines start with nothing
    None,
    /// Bounds of variables by interval analysis
    #[default]
    Intervals,
}

/// Arguments that choose and tune an engine.
#[derive(Args, Debug)]
#[command(next_help_heading = "Engines")]
pub struct EngineArgs {
    /// The analysis
    #[arg(long, value_enum, default_value_t)]
    pub analysis: AnalysisArg,

    /// bdd, predicate, impact: order of exploration
    #[arg(long, value_enum, default_value_t)]
    pub order: OrderArg,

    /// predicate, impact: where blocks end: sbe, lbe, loops, k:N, lbe-k:N, structure:N, dynamic:MS
    #[arg(long, value_name = "OPERATOR", default_value = "loops")]
    pub block: BlockOperator,

    /// predicate: how abstractions are computed
    #[arg(long, value_enum, default_value_t, value_name = "KIND")]
    pub abstraction: AbstractionArg,

    /// predicate: where a predicate is tracked: location (where it was found), function, global; by default function for
    /// blocks k:N and location for the others
    #[arg(long, value_name = "SCOPE")]
    pub precision: Option<Scope>,

    /// predicate, impact: which paths become one, in blocks that hold loops (k:N, structure:N, dynamic:MS)
    #[arg(long, value_enum, default_value_t, value_name = "PATHS")]
    pub merge: MergeArg,

    /// auto, predicate, impact, bmc, kind: invariants to start with
    #[arg(long, value_enum, default_value_t, value_name = "SOURCE")]
    pub invariants: InvariantsArg,

    /// bmc, kind: unroll loops at most this far
    #[arg(long, value_name = "N")]
    pub max_bound: Option<u32>,

    /// auto: tell what was seen in the program and which engines were chosen
    #[arg(long)]
    pub explain: bool,

    /// Write the queries of the solver to this folder, in SMT-LIB 2
    #[arg(long, value_name = "DIR")]
    pub smt2: Option<PathBuf>,

    /// bdd, predicate, impact: draw the abstract reachability graph to a file (.svg or .dot)
    #[arg(long, value_name = "FILE")]
    pub arg: Option<PathBuf>,

    /// bdd: measure also the time inside decision diagrams
    #[arg(long)]
    pub statistics: bool,
}

impl EngineArgs {
    /// Checks a program; draws the graph if asked to. `traces` tells whether steps of counterexamples are
    /// wanted, `policy` when a plan of several engines certifies what one says.
    pub fn check(
        &self,
        problem: &Problem,
        traces: bool,
        policy: Policy,
        limits: &Limits,
        progress: &Progress,
    ) -> Result<Report> {
        let drawn = matches!(self.analysis, AnalysisArg::Bdd | AnalysisArg::Predicate | AnalysisArg::Impact);
        if self.arg.is_some() && !drawn {
            bail!("--arg needs `--analysis bdd`, `predicate` or `impact`: the others have no graph of abstract states");
        }
        if self.smt2.is_some() && matches!(self.analysis, AnalysisArg::Auto | AnalysisArg::Bdd | AnalysisArg::Test) {
            bail!("--smt2 needs `--analysis predicate`, `impact`, `bmc` or `kind`");
        }
        let order = match self.order {
            OrderArg::Bfs => Order::BreadthFirst,
            OrderArg::Dfs => Order::DepthFirst,
            OrderArg::Rpo => Order::ReversePostOrder,
        };
        let smt2 = match &self.smt2 {
            Some(dir) => Some(query_log(dir)?),
            None => None,
        };
        let invariants = self.invariants == InvariantsArg::Intervals;
        let mut drawing = None;
        let report = match self.analysis {
            AnalysisArg::Auto => {
                let look = Look::at(problem);
                let plan = Plan::for_program(&look, limits.remaining(), auto::cores());
                if self.explain {
                    eprintln!("seen: {look}\nchosen: {plan}\nbecause: {}", plan.why);
                }
                auto::check(problem, &plan, auto::Options { traces, invariants, policy }, limits, progress)
            }
            AnalysisArg::Bmc | AnalysisArg::Kind => {
                let options = bmc::Options { max_bound: self.max_bound, invariants, traces, smt2 };
                let check = if self.analysis == AnalysisArg::Kind { kind::check } else { bmc::check };
                check(problem, &options, limits, progress)
            }
            AnalysisArg::Test => test::check(problem, &test::Options { traces }, limits, progress),
            AnalysisArg::Bdd => {
                let options = bdd::Options { order, traces, timing: self.statistics, ..Default::default() };
                bdd::check(problem, &options, limits, progress, |program, arg| {
                    let path = self.arg.as_ref();
                    drawing = path.map(|path| draw_arg::draw(program, arg, path, |_| Appearance::default()));
                })
            }
            AnalysisArg::Predicate | AnalysisArg::Impact => {
                let abstraction = match (self.analysis, self.abstraction) {
                    (AnalysisArg::Impact, _) => AbstractionKind::Impact,
                    (_, AbstractionArg::Boolean) => AbstractionKind::Boolean,
                    (_, AbstractionArg::Cartesian) => AbstractionKind::Cartesian,
                };
                let (block, scope) = (self.block, self.precision.unwrap_or(self.block.scope()));
                let merge = match self.merge {
                    MergeArg::Block => MergeKind::Block,
                    MergeArg::Visits => MergeKind::Visits,
                };
                let options = cegar::Options { block, abstraction, scope, merge, order, invariants, traces, smt2 };
                cegar::check(problem, &options, limits, progress, |abe, arg| {
                    let Some(path) = &self.arg else { return };
                    let program = &abe.facts.program;
                    drawing = Some(draw_arg::draw(program, arg, path, |state| {
                        let shaded = state.role == Role::Start;
                        let text = if shaded {
                            vec![abe.show(&abe.block(state.block).abstraction.clone())]
                        } else {
                            Vec::new()
                        };
                        Appearance { text, shaded }
                    }));
                })
            }
        };
        if let (Some(text), Some(path)) = (drawing, &self.arg) {
            std::fs::write(path, text).with_context(|| format!("cannot write `{}`", path.display()))?;
        }
        Ok(report)
    }
}

/// Writes queries to a folder.
fn query_log(dir: &Path) -> Result<QueryLog> {
    std::fs::create_dir_all(dir).with_context(|| format!("cannot create `{}`", dir.display()))?;
    let dir = dir.to_owned();
    Ok(QueryLog::new(move |number, script| {
        // A log is a debugging aid: a full disk must not change a verdict.
        let _ = std::fs::write(dir.join(format!("query-{number:06}.smt2")), script);
    }))
}
