//! The engine that chooses engines: a quick [`Look`] at the program, then a [`Plan`] of engines side by side.
//!
//! Each lane is a thread that takes its turns one after the other; unrolling has a head start. The first decisive answer for the
//! last open target ends all lanes. While the certificate of a proof is checked, the other lanes wait, for a few seconds; then they go on.
//! Engines share nothing but the problem and its interval invariants, which are computed before.
//!
//! A turn that panics ends as if it had said nothing: its lane takes the next turn, and what the others say stands. If
//! nobody says anything, the panic goes on.

mod answers;
mod look;
mod plan;
mod so_far;

pub use look::Look;
pub(crate) use plan::USUAL_TIME;
pub use plan::{Plan, Turn};
pub use so_far::{is_over, so_far};

use crate::bmc;
use crate::certify::{Conditions, Policy};
use crate::problem::Problem;
use crate::registry::{Call, Engine, INVARIANTS, Job, Kind, Opt, Outputs, Values, invariants, run};
use crate::slice::{self, SLICE};
use answers::Answers;
use robusto_limits::{Floor, Limits, Progress, Stopped};
use robusto_verdict::{Finding, Phase, Reason, Report, Turn as Taken, Verdict};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

/// The engine.
pub static ENGINE: Engine = Engine {
    name: "auto",
    about: "A plan of several, chosen by a look at the program",
    help: "\
Looks at the program and runs lanes of the engines below side by side; the first answer
counts. The default. --explain tells what was seen, what was chosen and why. Options of other
engines are passed on to those that have them. (docs/auto.md)",
    options: &[&EXPLAIN, &INVARIANTS, &SLICE],
    call: Call::Plan(call),
};

/// Whether to tell what was seen and chosen.
pub static EXPLAIN: Opt =
    Opt { name: "explain", help: "tell what was seen in the program and which engines were chosen", kind: Kind::Flag };

fn call(job: &Job<'_>) -> Report {
    slice::run(job, choose)
}

/// Looks at a problem, chooses engines, and runs them.
fn choose(job: &Job<'_>) -> Report {
    let look = Look::at(job.problem);
    let plan = Plan::for_program(&look, job.limits.remaining(), cores());
    if let Some(tell) = &job.outputs.explanation {
        let accesses = job.problem.accesses;
        let memory = if accesses.all() > 0 { format!("\nmemory: {accesses}") } else { String::new() };
        tell(&format!("seen: {look}{memory}\nchosen: {plan}\nbecause: {}", plan.why));
    }
    check(job, &plan)
}

/// Stack of a lane. Diagrams and formulas recurse in bounded depth only, but deeper than the default.
pub(crate) const STACK: usize = 256 << 20;

/// How long the lane that unrolls, or a short turn of it if there is no such lane, runs alone: small programs are decided by then, and
/// nobody has to wait until the other lanes notice. A program of 10 lines with `malloc` took 250 ms with decision diagrams beside it,
/// which were in the middle of a multiplication, and 20 ms without.
const HEAD_START: Duration = Duration::from_millis(15);

/// How often limits are looked at while lanes run.
pub(crate) const TICK: Duration = Duration::from_millis(10);

/// With a violation, how much CPU time the other properties get: this much, or twice as much as it took. There is an answer, and
/// somebody waits for it. (`examples/queue.c` has its violation in seconds, and a property that stays open.)
const PATIENCE: Duration = Duration::from_secs(10);

/// Cores that engines can use side by side.
fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// What a turn ended with: a report, or a panic.
type End = Result<Report, Box<dyn Any + Send>>;

/// What a lane tells of a turn.
struct Told {
    lane: usize,
    engine: &'static str,
    began: Instant,
    ended: Instant,
    /// Whether the lanes were told to stop before it ended; then it counts for nothing.
    late: bool,
    end: End,
}

/// Checks a problem by the engines of a plan. A `true` whose certificate is refuted is no answer, and the others go on.
pub fn check(job: &Job<'_>, plan: &Plan) -> Report {
    let start = Instant::now();
    if invariants(job.values) {
        // Before the engines start, so that none of them waits for another.
        let _running = job.progress.begin("interval invariants");
        job.problem.intervals(job.limits);
    }
    let bounds = start.elapsed();
    let cancel = Arc::new(AtomicBool::new(false));
    let (send, receive) = mpsc::channel();
    let mut answers = Answers::new(job.problem);
    let mut broken = None;
    let mut left = None;
    let mut is_enough = false;
    let mut taken = Vec::new();
    let spent = || job.limits.cpu_time().unwrap_or_else(|| start.elapsed());
    let spent_before = spent();
    let is_first = |turns: &[Turn]| turns.first().is_some_and(|turn| *turn.engine == bmc::ENGINE);
    let glance = [Turn { engine: &bmc::ENGINE, time: Some(HEAD_START) }];
    // Where the program is checked beside its slice, one floor is for the lanes of both.
    let floor = job.certify.floor.cloned().unwrap_or_default();
    let plans = plan.lanes.iter().map(|lane| &lane[..]).enumerate();
    let extra = (plan.glance && !plan.lanes.iter().any(|lane| is_first(lane))).then_some((0, &glance[..]));
    let mut lanes = plans
        .chain(extra)
        .map(|(number, turns)| (number, turns, floor.another()))
        .map(|(number, turns, floor)| Lane {
            number,
            turns,
            problem: job.problem,
            values: job.values,
            traces: job.traces,
            policy: job.certify.policy,
            progress: job.progress,
            outputs: job.outputs,
            limits: job.limits.cancelled_by(cancel.clone()).sharing(floor.clone()),
            floor,
            send: send.clone(),
        })
        .collect::<Vec<_>>();
    drop(send);
    // The lane that unrolls comes first.
    lanes.sort_by_key(|lane| !is_first(lane.turns));
    std::thread::scope(|scope| {
        let start_lane = |lane| {
            // Without one of the lanes, the others are still there.
            let _ = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, move || Lane::take_turns(lane));
        };
        let mut waiting = lanes.into_iter();
        waiting.next().into_iter().for_each(start_lane);
        let mut tick = HEAD_START;
        let mut first_violation = None;
        loop {
            match receive.recv_timeout(tick) {
                Ok(told) => {
                    let Told { lane, engine, began, ended, late, end } = told;
                    let (outcome, time) = (outcome(&end, late, job.limits), ended - began);
                    let decided = match end {
                        // When there is an answer, nothing more is asked.
                        _ if late && answers.complete() => false,
                        // Others would find the same, or nothing.
                        Ok(report) if !late && job.problem.needs_rules(&report) => {
                            left.get_or_insert(report);
                            false
                        }
                        Ok(report) => answers.add(engine, time, report),
                        Err(panic) => {
                            answers.add_panic(engine, time);
                            broken.get_or_insert(panic);
                            false
                        }
                    };
                    let (start, end) = (began - start, ended - start);
                    let of_slice = job.problem.whole().is_some();
                    taken.push(Taken { lane, engine, of_slice, start, end, outcome, decided });
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            // An engine has its turn to the end before it reports what it found.
            if first_violation.is_none() && (answers.has_violation() || job.problem.ledger().has_violation()) {
                first_violation = Some(spent() - spent_before);
            }
            is_enough |= first_violation
                .is_some_and(|found| spent().saturating_sub(spent_before) > found + PATIENCE.max(2 * found));
            if answers.complete() || is_enough {
                job.problem.ledger().end();
            }
            if answers.complete() || left.is_some() || is_enough || job.limits.cancel.load(Ordering::Relaxed) {
                cancel.store(true, Ordering::Relaxed);
                waiting.by_ref().for_each(drop);
            }
            waiting.by_ref().for_each(start_lane);
            tick = TICK;
        }
    });
    if let Some(report) = left.filter(|_| !answers.complete()) {
        return report;
    }
    match broken {
        Some(panic) if !answers.has_any() => resume_unwind(panic),
        _ => {}
    }
    let reached = job.limits.reached().map(Reason::from);
    let reached = reached.or(is_enough.then_some(Reason::AfterViolation));
    let mut report = answers.report(start.elapsed(), reached);
    report.phases.insert(0, Phase { name: "interval invariants", time: bounds });
    taken.sort_by_key(|turn| (turn.lane, turn.start));
    report.turns = taken;
    report
}

/// How a turn ends, for people, that was stopped because another one had an answer.
pub(crate) const ANSWERED: &str = "stopped: there was an answer";

/// How one ends that was stopped from outside of its plan.
pub(crate) const STOPPED: &str = "stopped";

/// Why a turn ended, for people.
fn outcome(end: &End, late: bool, limits: &Limits) -> String {
    let report = match end {
        Ok(report) => report,
        Err(_) => return "internal error".to_owned(),
    };
    let is_decided = |finding: &&Finding| !matches!(finding.verdict, Verdict::Unknown(_));
    match &report.verdict {
        _ if late => match limits.reached() {
            None => ANSWERED.to_owned(),
            Some(Stopped::Cancelled) => STOPPED.to_owned(),
            Some(Stopped::Memory) => "stopped: no memory left".to_owned(),
            Some(_) => "stopped: no time left".to_owned(),
        },
        Verdict::True => "true".to_owned(),
        Verdict::False(_) => "false".to_owned(),
        Verdict::Unknown(_) if report.findings.len() > 1 && report.findings.iter().any(|f| is_decided(&f)) => {
            let decided = report.findings.iter().filter(is_decided).count();
            format!("{decided} of {} properties decided", report.findings.len())
        }
        Verdict::Unknown(Reason::Timeout) => "its time was over".to_owned(),
        Verdict::Unknown(reason) => reason.to_string(),
    }
}

/// One lane of a plan: what it has of the job, and limits of its own.
struct Lane<'l> {
    number: usize,
    turns: &'l [Turn],
    problem: &'l Problem,
    values: &'l Values,
    traces: bool,
    policy: Policy,
    progress: &'l Progress,
    outputs: &'l Outputs,
    limits: Limits,
    floor: Floor,
    send: Sender<Told>,
}

impl Lane<'_> {
    /// Takes the turns, until all is said.
    fn take_turns(self) {
        for turn in self.turns {
            let began = Instant::now();
            let end = catch_unwind(AssertUnwindSafe(|| self.take(turn)));
            // A turn that broke may still have it.
            self.floor.give_back();
            let late = self.limits.cancel.load(Ordering::Relaxed);
            let (lane, engine, ended) = (self.number, turn.engine.name, Instant::now());
            if self.send.send(Told { lane, engine, began, ended, late, end }).is_err() || late {
                return;
            }
        }
    }

    fn take(&self, turn: &Turn) -> Report {
        let Self { problem, values, traces, policy, progress, outputs, ref limits, ref floor, .. } = *self;
        let own = turn.time.map_or_else(|| limits.clone(), |time| limits.within(time));
        // Proofs of single targets count: together they may be a proof of all.
        let whole = limits.whole();
        let certify = Conditions { policy, parts: true, limits: &whole, floor: Some(floor) };
        run(turn.engine, &Job { problem, values, traces, limits: &own, progress, certify, outputs })
    }
}
