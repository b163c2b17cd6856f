//! What an engine says of a property.

use crate::certificate::Certificate;
use crate::problem::Problem;
use crate::property::Target;
use robusto_cfa::ir::{Assumption, LocId, SrcPos, Ty};
use robusto_cpa::Stopped;
use std::fmt;
use std::time::Duration;

/// The answer for one property.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It holds in all executions.
    True,
    /// It does not, and this execution, which was replayed, shows it.
    False(Counterexample),
    /// No answer, for this reason.
    Unknown(Reason),
}

/// Why there is no answer: a closed list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The time limit.
    Timeout,
    /// The memory limit.
    Memory,
    /// The user stopped it.
    Interrupted,
    /// Something in the program that is not modelled.
    Unsupported(String),
    /// An error is reachable in the abstraction, but the execution found does not exist; the abstraction is too coarse.
    Imprecise(String),
    /// An abstract error path that has no execution could not be refuted.
    NoProgress,
    /// Executions longer than the bound were not looked at.
    Bound(u64),
    /// So many executions violate nothing; there are others.
    Tested(u64),
    /// The program has no `main`.
    NoMain,
    /// The engine said true, but its certificate is wrong.
    CertificationFailed(String),
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Timeout => f.write_str("timeout"),
            Reason::Memory => f.write_str("out of memory"),
            Reason::Interrupted => f.write_str("interrupted"),
            Reason::Unsupported(what) => write!(f, "unsupported: {what}"),
            Reason::Imprecise(what) => write!(f, "imprecise: {what}"),
            Reason::NoProgress => f.write_str("no progress"),
            Reason::Bound(bound) => write!(f, "bound {bound} reached"),
            Reason::Tested(1) => f.write_str("no violation in 1 execution"),
            Reason::Tested(count) => write!(f, "no violation in {count} executions"),
            Reason::NoMain => f.write_str("no main"),
            Reason::CertificationFailed(what) => write!(f, "certification failed: {what}"),
        }
    }
}

impl From<Stopped> for Reason {
    fn from(stopped: Stopped) -> Self {
        match stopped {
            Stopped::Cancelled => Reason::Interrupted,
            Stopped::Timeout => Reason::Timeout,
            Stopped::Memory => Reason::Memory,
            Stopped::Unsupported(what) => Reason::Unsupported(what),
        }
    }
}

/// An execution that violates a property, as the interpreter saw it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Counterexample {
    /// The inputs in the order in which the program reads them.
    pub inputs: Vec<Assignment>,
    /// What functions without a body wrote to memory, in order.
    pub writes: Vec<Write>,
    /// Where operands are evaluated in another order than the usual one.
    pub orders: Vec<SrcPos>,
    /// The steps.
    pub trace: Vec<TraceLine>,
}

/// A variable with the value that it takes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assignment {
    /// The variable.
    pub name: String,
    /// The value as text.
    pub value: String,
    /// Its bits.
    pub bits: u64,
    /// Its type.
    pub ty: Ty,
    /// Where it takes it.
    pub pos: SrcPos,
    /// The function that reads it.
    pub function: String,
    /// The function without a body that returns it; `None` for `__VERIFIER_nondet_*`.
    pub external: Option<String>,
    /// Whether it is no input, but something that is not modelled: in reality it has a value of its own.
    pub unmodelled: bool,
}

/// What a function without a body wrote.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Write {
    /// The function.
    pub function: String,
    /// The position of the argument through which it wrote, from 1; 0 if it is none of them.
    pub argument: u8,
    /// Where it wrote, readable.
    pub to: String,
    /// What it wrote.
    pub bytes: Vec<u8>,
    /// Where it is called.
    pub pos: SrcPos,
}

/// One step of an execution.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TraceLine {
    /// Where.
    pub pos: SrcPos,
    /// The function.
    pub function: String,
    /// The operation, readable.
    pub operation: String,
    /// What changed: a variable and its new value.
    pub change: Option<(String, String)>,
    /// Number of pending calls.
    pub depth: usize,
    /// What sort of step it is.
    pub kind: StepKind,
    /// The variables of the source in a condition, with their values.
    pub reads: Vec<(String, String)>,
    /// Starts an iteration of the loop with this head (a location of the function).
    pub head: Option<LocId>,
    /// Whether it is a branch, or has an influence on a later one.
    pub matters: bool,
}

/// Sorts of steps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StepKind {
    /// Reads an input.
    Input,
    /// A local variable begins to live without a value; it takes any.
    Uninitialised,
    /// A condition that had this truth value.
    Branch(bool),
    /// Enters a function.
    Call,
    /// Leaves a function.
    Return,
    /// Violates the property.
    Error,
    /// Anything else.
    Other,
}

/// A property and its answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// The property.
    pub target: Target,
    /// The answer.
    pub verdict: Verdict,
}

/// A phase of the work and the time it took.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Phase {
    /// Its name.
    pub name: &'static str,
    /// Its time.
    pub time: Duration,
}

/// Something that holds whenever an execution comes to a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invariant {
    /// The place: the start of a statement; for a loop, of the loop or a place in its condition.
    pub pos: SrcPos,
    /// Whether it is a loop, and the invariant holds before each test of its condition.
    pub of_loop: bool,
    /// The function.
    pub function: String,
    /// A C expression over the variables in scope, without side effects.
    pub expression: String,
}

/// What became of the certificate of a `true`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Certification {
    /// There is nothing to certify.
    #[default]
    None,
    /// It was checked.
    Yes {
        /// Number of implications shown.
        checks: u64,
        /// How long that took.
        time: Duration,
    },
    /// It was not, for this reason.
    No(String),
}

impl Certification {
    /// What became of two certificates together: checked if both are.
    pub fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::None, one) | (one, Self::None) => one,
            (Self::Yes { checks: a, time: s }, Self::Yes { checks: b, time: t }) => {
                Self::Yes { checks: a + b, time: s + t }
            }
            (Self::No(why), _) | (_, Self::No(why)) => Self::No(why),
        }
    }
}

/// What an engine found out in one run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// The answer for the property as a whole: false if any target is, true if all are.
    pub verdict: Verdict,
    /// The answer for each target.
    pub findings: Vec<Finding>,
    /// What the verdict rests on.
    pub assumptions: Vec<Assumption>,
    /// Whether nothing that `main` can reach could violate the property.
    pub vacuous: bool,
    /// Why those targets hold whose verdict is true, if there are any.
    pub certificate: Option<Certificate>,
    /// Whether that was checked.
    pub certification: Certification,
    /// What holds at some places, for the reader and for correctness witnesses.
    pub invariants: Vec<Invariant>,
    /// Where the engine over-approximates, and what.
    pub approximations: Vec<(SrcPos, &'static str)>,
    /// Time per phase.
    pub phases: Vec<Phase>,
    /// Counters, by name.
    pub counters: Vec<(&'static str, String)>,
}

impl Report {
    /// A report without findings.
    pub fn unknown(reason: Reason) -> Self {
        Self {
            verdict: Verdict::Unknown(reason),
            findings: Vec::new(),
            assumptions: Vec::new(),
            vacuous: false,
            certificate: None,
            certification: Certification::None,
            invariants: Vec::new(),
            approximations: Vec::new(),
            phases: Vec::new(),
            counters: Vec::new(),
        }
    }

    /// Whether there is something to be certified: the whole is true, or one of the targets.
    pub fn proves(verdict: &Verdict, findings: &[Finding]) -> bool {
        *verdict == Verdict::True || findings.iter().any(|f| f.verdict == Verdict::True)
    }

    /// The report of an engine that ended with these findings, and with this reason for what it left open; what is
    /// true is so because of this certificate.
    pub(crate) fn of_run(
        problem: &Problem,
        findings: Vec<Finding>,
        open: Option<Reason>,
        certificate: impl FnOnce() -> Option<Certificate>,
    ) -> Self {
        let vacuous = problem.targets.is_empty();
        let verdict = match (Self::overall(&findings), open) {
            // Without targets there is nothing to violate, however the search ended.
            (Verdict::True, Some(reason)) if !vacuous => Verdict::Unknown(reason),
            (verdict, _) => verdict,
        };
        let certificate = match Self::proves(&verdict, &findings) {
            true if vacuous => Some(Certificate::Vacuous),
            true => certificate(),
            false => None,
        };
        let assumptions = problem.facts.program.assumptions.clone();
        Self {
            verdict,
            findings,
            assumptions,
            vacuous: problem.is_vacuous(),
            certificate,
            certification: Certification::None,
            invariants: Vec::new(),
            approximations: Vec::new(),
            phases: Vec::new(),
            counters: Vec::new(),
        }
    }

    /// The answer for the property as a whole from those for its targets: false if any is violated; not true if a step
    /// that is not modelled is reached, for there may be anything behind it.
    pub fn overall(findings: &[Finding]) -> Verdict {
        let mut unknown = None;
        for Finding { target, verdict } in findings {
            match verdict {
                Verdict::True => {}
                Verdict::False(_) if target.is_violation() => return verdict.clone(),
                Verdict::False(_) => unknown = Some(Self::unmodelled(target)),
                Verdict::Unknown(reason) => {
                    unknown.get_or_insert_with(|| reason.clone());
                }
            }
        }
        unknown.map_or(Verdict::True, Verdict::Unknown)
    }

    fn unmodelled(target: &Target) -> Reason {
        Reason::Unsupported(format!("{}, line {}", target.name, target.pos.line))
    }

    /// What is said in the end: if a step that is not modelled may be reached, no property is true. The findings are then
    /// those of the properties alone.
    pub fn conclude(mut self) -> Self {
        let (violations, unmodelled): (Vec<Finding>, Vec<Finding>) =
            self.findings.into_iter().partition(|f| f.target.is_violation());
        self.findings = violations;
        if let Verdict::Unknown(reason) = Self::overall(&unmodelled) {
            for finding in self.findings.iter_mut().filter(|f| f.verdict == Verdict::True) {
                finding.verdict = Verdict::Unknown(reason.clone());
            }
            if self.verdict == Verdict::True {
                self.verdict = Verdict::Unknown(reason);
            }
        }
        if !Self::proves(&self.verdict, &self.findings) {
            self.certificate = None;
            self.certification = Certification::None;
            self.invariants.clear();
        }
        self
    }
}
