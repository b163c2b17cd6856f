//! Testing: executions with chosen inputs.
//!
//! Duran, Ntafos: *An evaluation of random testing*, IEEE TSE 10(4), 1984. The interpreter takes some hundred million steps
//! in the time in which an unrolling gets through a few hundred iterations, so this finds errors behind long loops; it
//! proves nothing.
//!
//! Executions come in rounds. A round has a limit on steps, and the next one a larger limit if it was reached: short
//! executions first, so that one endless loop does not keep the others waiting. The first executions of each round get zeros, ones,
//! a one and then zeros, and small numbers only; the others mix these with constants of the program and their neighbours, the ends of the type, and
//! any bits. Memory without a value is zero in every other execution, and in those between a pattern.

use crate::outcome;
use crate::phases::Phases;
use crate::problem::Problem;
use crate::property::edge_of;
use crate::recorder::MAX_LINES;
use crate::registry::{Call, Engine};
use crate::replay::{Replayer, Script};
use robusto_cfa::ir::{CastOp, Expr, HavocSource, Program, Ty, fold};
use robusto_interp::inputs::{Request, Seeded};
use robusto_interp::{Code, Config, EdgeRef, Inputs, Layout, Machine, Outcome, Silent, Stopper, Streams};
use robusto_limits::{Limits, Progress};
use robusto_verdict::{Counterexample, Finding, Locals, Reason, Report, Verdict};
use std::sync::atomic::Ordering;

/// What can be chosen.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Whether to write down the steps of counterexamples.
    pub traces: bool,
}

/// The engine.
pub static ENGINE: Engine = Engine {
    name: "test",
    about: "Executions with many inputs: finds errors behind long loops, proves nothing",
    help: "\
Executions with many inputs, the constants of the program among them. For errors behind loops
that are too long to be unrolled; proves nothing. (docs/test.md)",
    options: &[],
    call: Call::Alone(|job| check(job.problem, &Options { traces: job.traces }, job.limits, job.progress)),
};

/// Steps of an execution in the first round.
const STEPS: u64 = 20_000;

/// Executions of the first round; later rounds have fewer, since each takes longer.
const EXECUTIONS: u64 = 200;
const FEWEST: u64 = 6;

/// How much longer the next round's executions may be.
const FACTOR: u64 = 8;

/// Values that an execution may ask for. Nobody reads a counterexample with more.
const MAX_VALUES: usize = 1 << 20;

/// One of so many allocations fails.
const RARELY: u64 = 16;

/// Bytes of objects that begin with a pattern; what comes later begins with zero.
const MAX_FRESH: usize = 1 << 24;

/// Bytes of memory of the program.
const MAX_MEMORY: u64 = 1 << 30;

/// Checks a property.
pub fn check(problem: &Problem, options: &Options, limits: &Limits, progress: &Progress) -> Report {
    let mut phases = Phases::default();
    let program = &problem.facts.program;
    if program.main.is_none() {
        return Report::unknown(Reason::NoMain);
    }
    let mut tests = Tests::new(problem, options.traces, limits);
    let open = tests.run(progress);
    phases.end("executions");
    let found = tests.is_violated();
    let findings = problem.targets.iter().zip(tests.violated).filter_map(|(target, violated)| {
        let verdict = match violated {
            Some(counterexample) => Verdict::False(counterexample),
            // One violation is enough, unless each target has its own verdict.
            None if found && !problem.each => return None,
            None => Verdict::Unknown(open.clone()),
        };
        Some(Finding { target: target.clone(), verdict })
    });
    let counters = vec![("executions", tests.executions.to_string()), ("steps", tests.steps.to_string())];
    let report = outcome::report(problem, findings.collect(), Some(open.clone()), || None);
    Report { phases: phases.list, counters, ..report }
}

/// What a few executions show.
pub(crate) struct Glance {
    /// An execution that violates a target.
    pub found: Option<Finding>,
    /// Whether one came to an end of the program.
    pub ended: bool,
}

/// Executes a program some times, for so many steps each, until a target is violated, or an execution ends, as is `enough`.
pub(crate) fn glance(problem: &Problem, enough: fn(&Glance) -> bool, limits: &Limits) -> Glance {
    let mut glance = Glance { found: None, ended: false };
    if problem.facts.program.main.is_none() {
        return glance;
    }
    let mut tests = Tests::new(problem, true, limits);
    let outside = Layout::new(&problem.facts.program).outside().start;
    for number in 0..GLANCES {
        let mut inputs = Chosen { pointer: outside, ..Chosen::new(number, number, &tests.constants) };
        let (outcome, taken) = tests.execute(&mut inputs, STEPS);
        let Chosen { asked, unset, script, .. } = inputs;
        match outcome {
            Outcome::ErrorReached { at, .. } if glance.found.is_none() => {
                tests.keep(at, script, taken);
                let found = problem.targets.iter().zip(&mut tests.violated).filter(|(target, _)| target.is_violation());
                glance.found = found
                    .flat_map(|(target, violated)| Some((target, violated.take()?)))
                    .next()
                    .map(|(target, cex)| Finding { target: target.clone(), verdict: Verdict::False(cex) });
            }
            Outcome::Exited(_) | Outcome::Aborted(_) => glance.ended = true,
            _ => {}
        }
        let another = asked || (unset && number == 0);
        if enough(&glance) || !another || limits.reached().is_some() {
            break;
        }
    }
    glance
}

/// Executions of a glance.
const GLANCES: u64 = 40;

struct Tests<'p> {
    problem: &'p Problem,
    code: Code,
    replayer: Replayer<'p>,
    /// Constants of the program, and their neighbours.
    constants: Vec<u64>,
    traces: bool,
    limits: &'p Limits,
    /// The first execution found for each target.
    violated: Vec<Option<Counterexample>>,
    executions: u64,
    steps: u64,
}

impl<'p> Tests<'p> {
    fn new(problem: &'p Problem, traces: bool, limits: &'p Limits) -> Self {
        let program = &problem.facts.program;
        Self {
            problem,
            code: Code::new(program),
            replayer: Replayer::of(problem),
            constants: constants(program),
            traces,
            limits,
            violated: vec![None; problem.targets.len()],
            executions: 0,
            steps: 0,
        }
    }

    /// Executes until all targets are violated or a limit is reached; why the others are open.
    fn run(&mut self, progress: &Progress) -> Reason {
        let (mut steps, mut executions) = (STEPS, EXECUTIONS);
        while !self.is_decided() {
            let mut limited = false;
            for number in 0..executions {
                if let Some(stopped) = self.limits.reached() {
                    return stopped.into();
                }
                let mut inputs = Chosen::new(number, self.executions, &self.constants);
                let (outcome, taken) = self.execute(&mut inputs, steps);
                let Chosen { asked, unset, script, .. } = inputs;
                self.executions += 1;
                self.steps += taken;
                progress.expanded.store(self.steps, Ordering::Relaxed);
                limited |= outcome == Outcome::StepLimit;
                match outcome {
                    Outcome::ErrorReached { at, .. } | Outcome::Unsupported { at, .. } => {
                        self.keep(at, script, taken);
                    }
                    Outcome::Cancelled => continue,
                    _ => {}
                }
                // Without inputs, all executions are the same, but for what memory holds at first.
                let another = asked || (unset && number == 0);
                match (another, limited) {
                    (true, _) if !self.is_decided() => {}
                    (false, true) => break,
                    _ => return Reason::Tested(self.executions),
                }
            }
            if limited {
                steps = steps.saturating_mul(FACTOR);
                executions = (executions / 2).max(FEWEST);
            }
        }
        Reason::Tested(self.executions)
    }

    fn is_decided(&self) -> bool {
        self.violated.iter().all(Option::is_some) || !self.problem.each && self.is_violated()
    }

    /// Whether a property is violated.
    fn is_violated(&self) -> bool {
        self.problem.targets.iter().zip(&self.violated).any(|(target, found)| target.is_violation() && found.is_some())
    }

    /// Executes the program; how that ended, and after how many steps.
    fn execute(&self, inputs: &mut Chosen<'_>, max_steps: u64) -> (Outcome, u64) {
        let (mut out, mut err) = (std::io::sink(), std::io::sink());
        let streams = Streams { out: &mut out, err: &mut err };
        let config = Config {
            max_steps: Some(max_steps),
            max_memory: MAX_MEMORY,
            cancel: Some(&self.limits.cancel),
            stop: Some(Stopper(&|| self.limits.look().is_err())),
            ..Config::default()
        };
        match Machine::new(&self.problem.facts.program, &self.code, config, inputs, Silent, streams) {
            Ok(mut machine) => {
                let outcome = machine.run();
                (outcome, machine.steps())
            }
            // The caller has looked for `main`.
            Err(_) => (Outcome::Blocked(None), 0),
        }
    }

    /// Keeps an execution that violates a target, once it has been replayed.
    fn keep(&mut self, at: EdgeRef, script: Script, steps: u64) {
        let targets = self.problem.targets.iter();
        let Some(target) = targets.clone().position(|t| edge_of(t) == (at.function, at.edge)) else { return };
        if self.violated[target].is_some() || script.values.len() >= MAX_VALUES {
            return;
        }
        let shown = self.traces && steps <= MAX_LINES as u64;
        // A replay that is interrupted says nothing.
        self.violated[target] = self.replayer.replay(script, at, shown, self.limits).ok();
    }
}

/// The constants of a program and their neighbours, ascending.
fn constants(program: &Program) -> Vec<u64> {
    let mut found = Vec::new();
    for id in program.exprs.ids() {
        if let Expr::Const(Ty::Int(_), bits) = program.exprs.get(id) {
            found.extend([bits.wrapping_sub(1), bits, bits.wrapping_add(1)]);
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// The inputs of one execution, written down for the replay.
struct Chosen<'c> {
    random: Seeded,
    mixture: Mixture,
    constants: &'c [u64],
    /// What was chosen.
    script: Script,
    /// Where pointers from outside lead.
    pointer: u64,
    /// Whether anything was asked for.
    asked: bool,
    /// Whether there was memory without a value.
    unset: bool,
    /// What such memory holds.
    memory: u8,
    /// Bytes of it so far.
    bytes: usize,
}

/// Where values come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mixture {
    /// Always this one.
    Same(u64),
    /// One, and then always zero.
    Once,
    /// Small numbers.
    Small,
    /// Anything.
    All,
}

impl<'c> Chosen<'c> {
    /// The inputs of an execution, by its number in its round and by how many there were before.
    fn new(number: u64, before: u64, constants: &'c [u64]) -> Self {
        let mixture = match number {
            0 | 1 => Mixture::Same(number),
            2 => Mixture::Once,
            _ if number.is_multiple_of(4) => Mixture::Small,
            _ => Mixture::All,
        };
        let memory = if number.is_multiple_of(2) { 0 } else { Locals::PATTERN };
        let (random, script) = (Seeded::new(before), Script::default());
        // There is nothing that a pointer from outside could point to.
        let pointer = 0;
        Self { random, mixture, constants, script, pointer, asked: false, unset: false, memory, bytes: 0 }
    }

    /// Gives memory without a value its content; whether that is not zero.
    fn set(&mut self, bytes: &mut [u8]) -> bool {
        self.unset |= !bytes.is_empty();
        self.bytes += bytes.len();
        let is_set = self.memory != 0 && !bytes.is_empty() && self.bytes <= MAX_FRESH;
        if is_set {
            bytes.fill(self.memory);
        }
        is_set
    }

    fn small(&mut self) -> u64 {
        self.random.bits() % 10
    }

    fn integer(&mut self, bits: u32) -> u64 {
        let top = 1u64.checked_shl(bits.saturating_sub(1)).unwrap_or(0);
        match (self.mixture, self.random.bits() % 8) {
            (Mixture::Same(value), _) => value,
            (Mixture::Once, _) => u64::from(self.script.values.is_empty()),
            (Mixture::Small, _) | (Mixture::All, 0 | 1) => self.small(),
            (Mixture::All, 2..=4) if !self.constants.is_empty() => {
                self.constants[(self.random.bits() % self.constants.len() as u64) as usize]
            }
            (Mixture::All, 5) => self.small().wrapping_neg(),
            (Mixture::All, 6) => top.wrapping_sub(self.random.bits() % 2),
            (Mixture::All, _) => self.random.bits(),
        }
    }
}

impl Inputs for Chosen<'_> {
    fn value(&mut self, request: Request) -> u128 {
        self.asked = true;
        let bits = request.ty.bits(request.model);
        let value = match request.ty {
            // Most executions should come further than to the first allocation.
            _ if request.source == HavocSource::Allocation => u128::from(self.random.bits().is_multiple_of(RARELY)),
            Ty::Ptr => self.pointer.into(),
            Ty::F32 => (self.integer(32) as i32 as f32).to_bits().into(),
            Ty::F64 => (self.integer(64) as i64 as f64).to_bits().into(),
            Ty::F80 => fold::cast_wide(CastOp::SToF, Ty::Int(64), Ty::F80, request.model, self.integer(64).into()),
            _ => self.integer(bits).into(),
        };
        let value = value & (u128::MAX >> (128 - bits));
        if self.script.values.len() < MAX_VALUES {
            self.script.values.push_back((request.at, Some(value)));
        }
        value
    }

    fn fill(&mut self, request: Request, bytes: &mut [u8]) {
        bytes.fill(0);
        if request.source != HavocSource::Uninit {
            self.asked = true;
        } else if self.set(bytes) {
            self.script.fills.push_back((request.at, bytes.to_vec()));
        }
    }

    fn fresh(&mut self, bytes: &mut [u8]) {
        if self.set(bytes) {
            self.script.fresh.push_back(bytes.to_vec());
        }
    }
}
