//! Which engines run when.

use super::Look;
use crate::limits::{Limits, Progress};
use crate::problem::Problem;
use crate::verdict::Report;
use crate::{bdd, bmc, cegar, kind};
use robusto_analyses::predicate::AbstractionKind;
use robusto_cpa::Order;
use std::fmt;
use std::time::Duration;

/// An engine with the options that suit most programs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Engine {
    /// Sets of states as decision diagrams.
    Bdd,
    /// Predicate abstraction.
    Predicate,
    /// Lazy abstraction with interpolants.
    Impact,
    /// Bounded model checking.
    Bmc,
    /// k-induction.
    Kind,
}

impl Engine {
    /// As on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Engine::Bdd => "bdd",
            Engine::Predicate => "predicate",
            Engine::Impact => "impact",
            Engine::Bmc => "bmc",
            Engine::Kind => "kind",
        }
    }

    /// Checks a problem.
    pub fn check(self, problem: &Problem, traces: bool, limits: &Limits, progress: &Progress) -> Report {
        match self {
            Engine::Bdd => {
                let order = Order::ReversePostOrder;
                let options = bdd::Options { order, blocks: true, store: Default::default(), traces, timing: false };
                bdd::check(problem, &options, limits, progress, |_, _| {})
            }
            Engine::Predicate | Engine::Impact => {
                let abstraction =
                    if self == Engine::Impact { AbstractionKind::Impact } else { AbstractionKind::Boolean };
                let options = cegar::Options { traces, abstraction, ..cegar::Options::default() };
                cegar::check(problem, &options, limits, progress, |_, _| {})
            }
            Engine::Bmc => bmc::check(problem, &bmc::Options { traces, ..Default::default() }, limits, progress),
            Engine::Kind => kind::check(problem, &kind::Options { traces, ..Default::default() }, limits, progress),
        }
    }
}

/// An engine and how long it may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Turn {
    /// The engine.
    pub engine: Engine,
    /// Its time; `None` for all that is left.
    pub time: Option<Duration>,
}

/// Engines side by side.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plan {
    /// Each lane's engines run one after the other.
    pub lanes: Vec<Vec<Turn>>,
    /// Why these, for people.
    pub why: &'static str,
}

impl Plan {
    /// The plan for what was seen. Times are shares of a minute if there is no limit, else of the limit.
    pub fn for_program(look: &Look, timeout: Option<Duration>) -> Self {
        use Engine::*;
        let (why, lanes): (_, [&[(Engine, u32)]; 2]) = if look.floats || look.recursive {
            let why = "recursion or floats: unrolling first, on both sides";
            (why, [&[(Predicate, 50), (Kind, 30), (Impact, 0)], &[(Bmc, 0)]])
        } else if look.is_finite_control() {
            let why = "nearly all variables have few values: decision diagrams, and unrolling for short executions";
            (why, [&[(Bdd, 60), (Impact, 0)], &[(Bmc, 10), (Predicate, 50), (Kind, 0)]])
        } else if look.loops == 0 {
            let why = "no loops: unrolling decides";
            (why, [&[(Bmc, 0)], &[(Predicate, 0)]])
        } else {
            let why = "arithmetic: predicates and induction for proofs, unrolling for errors";
            (why, [&[(Predicate, 50), (Impact, 0)], &[(Bmc, 10), (Kind, 30), (Bdd, 20), (Bmc, 0)]])
        };
        let whole = timeout.unwrap_or(Duration::from_secs(60));
        let turns = |lane: &[(Engine, u32)]| {
            let time = |percent: u32| (percent > 0).then(|| whole * percent / 100);
            lane.iter().map(|&(engine, percent)| Turn { engine, time: time(percent) }).collect()
        };
        Plan { lanes: lanes.into_iter().map(turns).collect(), why }
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, lane) in self.lanes.iter().enumerate() {
            if i > 0 {
                f.write_str("; beside it ")?;
            }
            for (j, turn) in lane.iter().enumerate() {
                f.write_str(if j > 0 { ", then " } else { "" })?;
                f.write_str(turn.engine.name())?;
                if let Some(time) = turn.time {
                    write!(f, " ({} s)", (time.as_secs_f64() * 10.0).round() / 10.0)?;
                }
            }
        }
        Ok(())
    }
}
