//! What comes out of a run.

use crate::certificate::Certificate;
use crate::place::Place;
use crate::target::Target;
use crate::verdict::{Reason, Verdict};
use std::time::Duration;

/// A property and its answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// The property.
    pub target: Target,
    /// The answer.
    pub verdict: Verdict,
}

impl Finding {
    /// Whether it is a violation that was found only where an allocation fails.
    pub fn needs_failure(&self) -> bool {
        matches!(&self.verdict, Verdict::False(cex) if !cex.failures.is_empty())
    }
}

/// A phase of the work and the time it took.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Phase {
    /// Its name.
    pub name: &'static str,
    /// Its time.
    pub time: Duration,
}

/// A turn of an engine in a plan of several engines side by side.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Turn {
    /// The number of the lane; turns of one lane follow each other.
    pub lane: usize,
    /// The engine.
    pub engine: &'static str,
    /// Whether it worked on the part of the program that matters to the property.
    pub of_slice: bool,
    /// When it began, since the start of the run.
    pub start: Duration,
    /// When it ended.
    pub end: Duration,
    /// What it ended with, or why it stopped.
    pub outcome: String,
    /// Whether the answer is its answer, or a part of it.
    pub decided: bool,
}

/// Something that holds whenever an execution comes to a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invariant {
    /// The place: the start of a statement; for a loop, of the loop or a place in its condition.
    pub pos: Place,
    /// Whether it is a loop, and the invariant holds before each test of its condition.
    pub of_loop: bool,
    /// The function.
    pub function: String,
    /// A C expression over the variables in scope, without side effects.
    pub expression: String,
    /// The same for people: without the casts that only say what a reader takes for granted.
    pub readable: String,
}

/// What a function asks of its callers and gives them, as C expressions without side effects over its parameters and global
/// variables.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Contract {
    /// The function.
    pub function: String,
    /// Holds whenever it is entered.
    pub requires: Option<String>,
    /// Holds whenever it returns `\result`; `\at(x, Old)` is the value of a parameter when it was entered, `\at(x, Pre)` that of
    /// a global variable.
    pub ensures: Option<String>,
}

/// Something that a verdict takes for granted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assumption {
    /// One sentence.
    pub text: Box<str>,
    /// Where it arises first.
    pub pos: Place,
}

/// Why a property holds whatever the program computes: a `true` that says little.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Vacuity {
    /// Nothing in the program could violate it.
    Nothing,
    /// What could violate it stands in functions that nothing calls.
    NotCalled,
    /// No execution comes there, whichever branches it takes: all end before, or run for ever.
    Ended,
    /// Every execution ends at an access to memory that is not there; the place of one.
    Undefined(Place),
}

/// A certificate that is wrong: the engine said `true` for a reason that does not hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refuted {
    /// The engine.
    pub engine: String,
    /// What does not hold.
    pub what: String,
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
    /// Accesses to memory that were shown to be valid before an engine ran; they are no targets.
    pub valid_accesses: usize,
    /// Why the property holds whatever the program computes, if it does.
    pub vacuous: Option<Vacuity>,
    /// An execution that leaves the rules of C, which nothing was asked about; no `true` is said beside it.
    pub undefined: Option<Finding>,
    /// Without a verdict: no execution with at most so many iterations of every loop, and as many activations of every
    /// recursive function, violates the property.
    pub cleared: Option<u64>,
    /// Why those targets hold whose verdict is true, if there are any.
    pub certificate: Option<Certificate>,
    /// Whether that was checked.
    pub certification: Certification,
    /// Certificates that are wrong, whatever was said in the end.
    pub refuted: Vec<Refuted>,
    /// What holds at some places, for the reader and for correctness witnesses.
    pub invariants: Vec<Invariant>,
    /// What functions ask and give, for correctness witnesses.
    pub contracts: Vec<Contract>,
    /// Where the engine over-approximates, and what.
    pub approximations: Vec<(Place, &'static str)>,
    /// Time per phase.
    pub phases: Vec<Phase>,
    /// Which engine ran when, if there were several.
    pub turns: Vec<Turn>,
    /// Counters, by name.
    pub counters: Vec<(&'static str, String)>,
}

impl Report {
    /// A report without findings that there is no answer.
    pub fn unknown(reason: Reason) -> Self {
        Self::new(Verdict::Unknown(reason))
    }

    /// A report of nothing but an answer.
    pub fn new(verdict: Verdict) -> Self {
        Self {
            verdict,
            findings: Vec::new(),
            assumptions: Vec::new(),
            valid_accesses: 0,
            vacuous: None,
            undefined: None,
            cleared: None,
            certificate: None,
            certification: Certification::None,
            refuted: Vec::new(),
            invariants: Vec::new(),
            contracts: Vec::new(),
            approximations: Vec::new(),
            phases: Vec::new(),
            turns: Vec::new(),
            counters: Vec::new(),
        }
    }

    /// Changes every place.
    pub fn map_places(&mut self, mut f: impl FnMut(&mut Place)) {
        let of_verdict = |verdict: &mut Verdict, f: &mut dyn FnMut(&mut Place)| {
            let Verdict::False(cex) = verdict else { return };
            cex.inputs.iter_mut().for_each(|input| f(&mut input.pos));
            cex.writes.iter_mut().for_each(|write| f(&mut write.pos));
            cex.orders.iter_mut().for_each(&mut *f);
            cex.failures.iter_mut().for_each(&mut *f);
            cex.trace.iter_mut().for_each(|line| f(&mut line.pos));
        };
        of_verdict(&mut self.verdict, &mut f);
        if let Some(Vacuity::Undefined(pos)) = &mut self.vacuous {
            f(pos);
        }
        for finding in self.findings.iter_mut().chain(&mut self.undefined) {
            f(&mut finding.target.pos);
            of_verdict(&mut finding.verdict, &mut f);
        }
        self.assumptions.iter_mut().for_each(|assumption| f(&mut assumption.pos));
        self.invariants.iter_mut().for_each(|invariant| f(&mut invariant.pos));
        self.approximations.iter_mut().for_each(|(pos, _)| f(pos));
    }

    /// Whether there is something to be certified: the whole is true, or one of the targets.
    pub fn proves(verdict: &Verdict, findings: &[Finding]) -> bool {
        *verdict == Verdict::True || findings.iter().any(|f| f.verdict == Verdict::True)
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

    /// If a property is violated, the others were not interrupted by the user: the run was to end then.
    pub fn stopped_at_first(&mut self) {
        if matches!(self.verdict, Verdict::False(_)) {
            for finding in self.findings.iter_mut().filter(|f| f.verdict == Verdict::Unknown(Reason::Interrupted)) {
                finding.verdict = Verdict::Unknown(Reason::AfterViolation);
            }
        }
    }

    /// What is said in the end: if a step that is not modelled may be reached, no property is true. The findings are then
    /// those of the properties alone.
    pub fn conclude(mut self) -> Self {
        let (violations, unmodelled): (Vec<Finding>, Vec<Finding>) =
            self.findings.into_iter().partition(|f| f.target.is_violation());
        self.findings = violations;
        // What happens only if an allocation fails comes last.
        self.findings.sort_by_key(|finding| finding.needs_failure());
        if matches!(&self.verdict, Verdict::False(cex) if !cex.failures.is_empty()) && !self.findings.is_empty() {
            self.verdict = Self::overall(&self.findings);
        }
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
