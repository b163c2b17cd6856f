//! A slice alone for a while, then the program beside it; the first answer ends the other.
//!
//! Each of the two is checked in a thread of its own, with lanes of its own; the operating system shares the cores among all lanes. What is for all of
//! them together: limits of time, CPU time and memory, which are the run's; and the floor, so that everybody waits while a certificate
//! is checked, whoever has it. What one of them ends with does not harm the other: without an answer the other goes on, and after a panic, too.
//!
//! A *true* of the slice is one of the program, and so is a *false*, which was replayed on the program. So whoever is first is right. That an
//! execution leads through an invalid access, as far as the automata know, ends both as well if it was seen in the program: the program is then
//! checked with all its accesses. If it was seen in the slice, other values for what the slice leaves out may do without.

#[cfg(test)]
mod tests;

use crate::auto::{ANSWERED, STACK, STOPPED, TICK, USUAL_TIME};
use crate::certify::{Conditions, Policy};
use crate::problem::Problem;
use crate::registry::{Job, Outputs, Values};
use robusto_cfa::draw::Graph;
use robusto_limits::{Floor, Limits, Memory, Progress};
use robusto_verdict::{Reason, Report, Turn, Verdict};
use std::any::Any;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, Scope};
use std::time::{Duration, Instant};

/// How long the slice is checked alone: this share of the time, in percent, and at most so long. Of 62 tasks whose slice counts, most that the
/// slice decides take it less than a second (`email_spec*`, `ni_660x`), `ssh/s3_srvr.blast.*` 2 to 4 s; where the program is easier, it takes
/// 0.1 to 3 s (`pals_floodmax.4.1`, `s3_clnt.blast.04`, `ddv_machzwd_*`).
const HEAD_START: (u32, Duration) = (6, Duration::from_secs(4));

/// The share of the memory, in percent, that slice and program may use together; a turn of an engine ends when all is used, so the slice
/// stops before.
const MOST_MEMORY: u64 = 90;

/// The two that are checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Side {
    /// The slice.
    Slice,
    /// The program that it is one of.
    Program,
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Slice => "the slice",
            Self::Program => "the whole program",
        })
    }
}

/// What a side has ended with.
struct Ended {
    side: Side,
    began: Instant,
    report: Result<Report, Box<dyn Any + Send>>,
    graphs: Vec<(&'static str, Graph)>,
}

impl Ended {
    /// Whether nothing more can be found out by the other.
    fn is_final(&self, problem: &Problem) -> bool {
        self.report.as_ref().is_ok_and(|report| match report.verdict {
            Verdict::True | Verdict::False(_) => true,
            Verdict::Unknown(_) => self.side == Side::Program && problem.needs_rules(report),
        })
    }
}

/// Checks the slice of a job's problem and the problem; which of them the report is of.
pub(super) fn check(job: &Job<'_>, slice: &Problem, check: &(impl Fn(&Job<'_>) -> Report + Sync)) -> (Side, Report) {
    let start = Instant::now();
    let floor = Floor::default();
    let [stop_slice, stop_program] = [(); 2].map(|()| Arc::new(AtomicBool::new(false)));
    let stop = |side: Side| if side == Side::Slice { &stop_slice } else { &stop_program };
    let (send, receive) = mpsc::channel();
    let begin = |side: Side| Begin {
        side,
        problem: if side == Side::Slice { slice } else { job.problem },
        values: job.values,
        traces: job.traces,
        policy: job.certify.policy,
        parts: job.certify.parts,
        progress: job.progress,
        outputs: job.outputs.clone(),
        limits: job.limits.cancelled_by(stop(side).clone()),
        floor: floor.another(),
        send: send.clone(),
    };
    let tell = |text: &str| job.outputs.explanation.iter().for_each(|tell| tell(text));
    let (share, most) = HEAD_START;
    let head_start = (job.limits.remaining().unwrap_or(USUAL_TIME) * share / 100).min(most);
    let mut ended: Vec<Ended> = Vec::new();
    std::thread::scope(|scope| {
        let mut running = 1;
        let mut program = Some(begin(Side::Program));
        begin(Side::Slice).start(scope, check);
        while running > 0 {
            match receive.recv_timeout(TICK) {
                Ok(end) => {
                    running -= 1;
                    ended.push(end);
                }
                Err(RecvTimeoutError::Timeout) => {}
                // This thread can send, too.
                Err(RecvTimeoutError::Disconnected) => break,
            }
            let is_over = ended.iter().any(|end| end.is_final(job.problem));
            if is_over || job.limits.cancel.load(Ordering::Relaxed) {
                [&stop_slice, &stop_program].into_iter().for_each(|stop| stop.store(true, Ordering::Relaxed));
                program = None;
            }
            // What is asked about is the program: it has the memory, if that is not enough for both.
            if running == 2 && is_scarce(job.limits) {
                stop_slice.store(true, Ordering::Relaxed);
            }
            let is_due = !ended.is_empty() || start.elapsed() >= head_start;
            if is_due
                && job.limits.reached().is_none()
                && let Some(begin) = program.take()
            {
                tell(&match ended.first().map(|end| &end.report) {
                    Some(Ok(report)) => format!("slice: {}; now the whole program", shown(&report.verdict)),
                    Some(Err(_)) => "slice: internal error; now the whole program".to_owned(),
                    None => format!("slice: no answer in {:.1} s; now the whole program beside it", seconds(start)),
                });
                begin.start(scope, check);
                running += 1;
            }
        }
    });
    finish(job, start, ended)
}

/// Whether most of the memory is in use.
fn is_scarce(limits: &Limits) -> bool {
    let most = |memory: Memory| memory.most / 100 * MOST_MEMORY;
    limits.memory.is_some_and(|memory| Memory { most: most(memory), ..memory }.is_exceeded())
}

fn seconds(start: Instant) -> f64 {
    start.elapsed().as_secs_f64()
}

fn shown(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Unknown(reason) => reason.to_string(),
        Verdict::True => "true".to_owned(),
        Verdict::False(_) => "false".to_owned(),
    }
}

/// The report of the side that has the answer; without one that of the program, if it was begun. Turns are of both.
fn finish(job: &Job<'_>, start: Instant, mut ended: Vec<Ended>) -> (Side, Report) {
    let answer = ended.iter().position(|end| end.is_final(job.problem));
    let broken = ended.iter().position(|end| end.report.is_err());
    let own = answer.or(broken).or_else(|| ended.iter().position(|end| end.side == Side::Program)).unwrap_or(0);
    let Ended { side, began, report, graphs } = ended.swap_remove(own);
    let mut report = report.unwrap_or_else(|panic| resume_unwind(panic));
    if let Some(take) = &job.outputs.graph {
        graphs.into_iter().for_each(|(engine, graph)| take(engine, graph));
    }
    shift(&mut report.turns, began - start);
    for Ended { side: other, began, report: of_other, .. } in ended {
        let Report { mut turns, refuted, .. } = match of_other {
            Ok(report) => report,
            Err(_) => {
                report.counters.push(("internal errors in", other.to_string()));
                continue;
            }
        };
        shift(&mut turns, began - start);
        for turn in &mut turns {
            turn.decided = false;
            if answer.is_some() && turn.outcome == STOPPED {
                ANSWERED.clone_into(&mut turn.outcome);
            }
        }
        let own = std::mem::take(&mut report.turns);
        report.turns = if side == Side::Slice { joined(own, turns) } else { joined(turns, own) };
        report.refuted.extend(refuted);
    }
    (side, report)
}

/// Counts from a beginning that was so much earlier.
fn shift(turns: &mut [Turn], by: Duration) {
    for turn in turns {
        turn.start += by;
        turn.end += by;
    }
}

/// The turns of the slice, and those of the program in the lanes behind its lanes.
fn joined(mut of_slice: Vec<Turn>, mut of_program: Vec<Turn>) -> Vec<Turn> {
    let lanes = of_slice.iter().map(|turn| turn.lane + 1).max().unwrap_or(0);
    of_program.iter_mut().for_each(|turn| turn.lane += lanes);
    of_slice.append(&mut of_program);
    of_slice
}

/// What a side needs to begin. Limits count for themselves and belong to one thread.
struct Begin<'b> {
    side: Side,
    problem: &'b Problem,
    values: &'b Values,
    traces: bool,
    policy: Policy,
    parts: bool,
    progress: &'b Progress,
    outputs: Outputs,
    limits: Limits,
    floor: Floor,
    send: Sender<Ended>,
}

impl<'b> Begin<'b> {
    /// Begins in a thread of its own.
    fn start<'s>(self, scope: &'s Scope<'s, '_>, check: &'b (impl Fn(&Job<'_>) -> Report + Sync))
    where
        'b: 's,
    {
        let (side, send) = (self.side, self.send.clone());
        if Builder::new().stack_size(STACK).spawn_scoped(scope, move || self.run(check)).is_err() {
            // No more threads: the other side may still have one.
            let report = Ok(Report::unknown(Reason::Memory));
            let _ = send.send(Ended { side, began: Instant::now(), report, graphs: Vec::new() });
        }
    }

    fn run(self, check: &impl Fn(&Job<'_>) -> Report) {
        let Self { side, problem, values, traces, policy, parts, progress, outputs, limits, floor, send } = self;
        let began = Instant::now();
        let graphs: Arc<Mutex<Vec<(&'static str, Graph)>>> = Arc::default();
        let drawn = graphs.clone();
        // Only the graphs of the side that answers are shown: the other is about another program.
        let graph = outputs.graph.as_ref().map(|_| -> Arc<dyn Fn(&'static str, Graph) + Send + Sync> {
            Arc::new(move |engine, graph| {
                drawn.lock().unwrap_or_else(PoisonError::into_inner).push((engine, graph));
            })
        });
        let outputs = &Outputs { graph, ..outputs };
        let limits = &limits.sharing(floor.clone());
        let certify = Conditions { policy, parts, limits, floor: Some(&floor) };
        let report = catch_unwind(AssertUnwindSafe(|| {
            // Not while a certificate of the other is checked.
            let _ = limits.look();
            check(&Job { problem, values, traces, limits, progress, certify, outputs })
        }));
        // Whoever broke may still have it.
        floor.give_back();
        let graphs = std::mem::take(&mut *graphs.lock().unwrap_or_else(PoisonError::into_inner));
        let _ = send.send(Ended { side, began, report, graphs });
    }
}
