//! A program and what is to be found out about it.

use crate::memory::{self, Accesses};
use crate::slice::{Left, Origin, Refused, Slice};
use crate::{addresses, border, certify, float_bits, property, uninit, vacuous};
use robusto_analyses::interval::Invariants;
use robusto_cfa::facts::Facts;
use robusto_cfa::ir::{Outside, Program};
use robusto_limits::Limits;
use robusto_verdict::{Property, Reason, Report, Target, Vacuity, Verdict, Violation};
use std::sync::OnceLock;
use std::time::Duration;

/// A program in which the property's violations are the only error edges.
pub struct Problem {
    /// The program and what is known of it.
    pub facts: Facts,
    /// The error edges, and the steps that are not modelled.
    pub targets: Vec<Target>,
    /// Whether each target has a verdict of its own; else the first violation found decides.
    pub each: bool,
    /// How many accesses to memory there are, where these are checked.
    pub accesses: Accesses,
    /// Whether executions end at their first invalid access in the automata, too.
    within_rules: bool,
    /// The program that this is a slice of.
    whole: Option<Box<Whole>>,
    slice: OnceLock<Result<Box<Problem>, Refused>>,
    intervals: OnceLock<Option<Invariants>>,
}

/// The program that a slice is a part of.
pub(crate) struct Whole {
    /// The program.
    pub program: Program,
    /// Where the slice's parts come from.
    pub origin: Origin,
    /// How much is left of it.
    pub left: Left,
}

/// Time for the interval analysis: at most this, and at most this share of what is left.
const INTERVALS: (Duration, u32) = (Duration::from_secs(5), 10);

impl Problem {
    /// Instruments and analyses a program.
    pub fn new(program: Program, property: &Property) -> Self {
        Self::of(program, property, false)
    }

    /// The same, but executions end at their first invalid access in the automata, too, and not only in the replay: for
    /// programs where an error lies behind one.
    pub fn within_rules(program: Program, property: &Property) -> Self {
        Self { accesses: Accesses::default(), ..Self::of(program, property, true) }
    }

    /// The same question about other error edges: those that are there when `aim` is done with the program. Whatever the property,
    /// one violation is enough.
    pub fn aimed(self, aim: impl FnOnce(&mut Program)) -> Self {
        let mut program = self.facts.program;
        aim(&mut program);
        let facts = Facts::of(program);
        let targets = property::targets(&facts.program);
        let (slice, intervals) = (OnceLock::new(), OnceLock::new());
        Self { facts, targets, each: false, whole: None, slice, intervals, ..self }
    }

    /// Whether an answer asks for [`Problem::within_rules`]: what was found leads through an invalid access, which the replay
    /// noticed and the automata do not know.
    pub fn needs_rules(&self, report: &Report) -> bool {
        let leaves = |verdict: &Verdict| matches!(verdict, Verdict::Unknown(Reason::OutsideRules(_)));
        !self.within_rules
            && self.accesses.all() == 0
            && (leaves(&report.verdict) || report.findings.iter().any(|finding| leaves(&finding.verdict)))
    }

    fn of(mut program: Program, property: &Property, within_rules: bool) -> Self {
        // Where accesses are what is asked about, what nobody has allocated is not there.
        let asked = property.counts(Violation::Deref) || property.counts(Violation::Free);
        program.outside = if asked { Outside::Nowhere } else { Outside::Area };
        property::instrument(&mut program, property);
        border::close(&mut program, property.counts(Violation::Deref));
        uninit::instrument(&mut program, property);
        let accesses = memory::instrument(&mut program, property, within_rules);
        let mut facts = Facts::of(program);
        let of_addresses = addresses::assumptions(&facts);
        facts.program.assumptions.extend(of_addresses);
        let of_floats = float_bits::assumption(&facts);
        facts.program.assumptions.extend(of_floats);
        let targets = property::targets(&facts.program);
        let each = property.has_many_verdicts();
        Self {
            facts,
            targets,
            each,
            accesses,
            within_rules,
            whole: None,
            slice: OnceLock::new(),
            intervals: OnceLock::new(),
        }
    }

    /// The part of the program that its targets depend on, if there is one, and it was shown to have all executions to them.
    pub fn slice(&self) -> Result<&Problem, &Refused> {
        self.slice.get_or_init(|| self.make_slice().map(Box::new)).as_deref()
    }

    fn make_slice(&self) -> Result<Self, Refused> {
        if self.whole.is_some() {
            return Err(Refused::IsSlice);
        }
        if self.within_rules || self.accesses.all() > 0 {
            return Err(Refused::Accesses);
        }
        let (slice, facts) = Slice::of(&self.facts)?;
        // One that is refuted is a mistake of ours; the program can still be checked.
        certify::slice::check(&self.facts, &slice, &facts).map_err(Refused::Check)?;
        let left = slice.left(&self.facts, &facts);
        let targets = property::targets(&facts.program);
        let whole = Whole { program: self.facts.program.clone(), origin: slice.origin, left };
        Ok(Self {
            facts,
            targets,
            each: self.each,
            accesses: self.accesses,
            within_rules: false,
            whole: Some(Box::new(whole)),
            slice: OnceLock::new(),
            intervals: OnceLock::new(),
        })
    }

    /// The program that this is a slice of, if it is one.
    pub(crate) fn whole(&self) -> Option<&Whole> {
        self.whole.as_deref()
    }

    /// Why the property holds whatever the program computes, if it does.
    pub fn vacuity(&self) -> Option<Vacuity> {
        vacuous::vacuity(self, self.intervals.get().and_then(Option::as_ref))
    }

    /// Bounds of variables that hold in every execution, computed by whoever asks first; `None` if that took too long.
    pub fn intervals(&self, limits: &Limits) -> Option<&Invariants> {
        let compute = || {
            let (most, share) = INTERVALS;
            let time = limits.remaining().map_or(most, |left| most.min(left / share));
            let own = limits.within(time);
            Invariants::of(&self.facts, &own).ok()
        };
        self.intervals.get_or_init(compute).as_ref()
    }
}
