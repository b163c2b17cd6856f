//! A program and what is to be found out about it.

use crate::ledger::Ledger;
use crate::memory::{self, Accesses, Instrumented};
use crate::provenance::own_addresses;
use crate::slice::{Left, Origin, Refused, Slice};
use crate::{addresses, border, certify, float_bits, property, uninit, vacuous};
use robusto_analyses::interval::Invariants;
use robusto_cfa::facts::Facts;
use robusto_cfa::ir::{ExprId, Outside, Program, SrcPos};
use robusto_limits::Limits;
use robusto_verdict::{Finding, Property, Reason, Report, Target, Vacuity, Verdict, Violation};
use rustc_hash::FxHashSet;
use std::sync::{Arc, OnceLock};
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
    /// Where the accesses are that were not shown to be valid, if they are looked at.
    pub(crate) unshown: Vec<SrcPos>,
    /// What an invalid access that no property asks about is.
    unasked: Unasked,
    /// The program that this is a slice of.
    whole: Option<Box<Whole>>,
    slice: OnceLock<Result<Box<Problem>, Refused>>,
    intervals: OnceLock<Option<Invariants>>,
    ledger: Ledger,
}

/// What an invalid access, or an invalid `free`, is in the automata where no property asks about it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Unasked {
    /// Nothing: only the replay knows that executions end there.
    Hidden,
    /// An end of the program.
    End,
    /// The only error.
    Error,
    /// An end of the program, and every other end is an error.
    OnlyEnd,
}

/// The program that a slice is a part of.
pub(crate) struct Whole {
    /// The program.
    pub program: Program,
    /// Addresses in it that cannot come from outside of it.
    pub own: FxHashSet<ExprId>,
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
        Self::of(program, property, Unasked::Hidden, &[])
    }

    /// The same, but executions end at their first invalid access in the automata, too, and not only in the replay: for
    /// programs where an error lies behind one.
    pub fn within_rules(program: Program, property: &Property) -> Self {
        Self { accesses: Accesses::default(), ..Self::of(program, property, Unasked::End, &[]) }
    }

    /// The same question about other error edges: those that are there when `aim` is done with the program. Whatever the property,
    /// one violation is enough.
    pub fn aimed(self, aim: impl FnOnce(&mut Program)) -> Self {
        let mut program = self.facts.program;
        aim(&mut program);
        let facts = Facts::of(program);
        let targets = property::targets(&facts.program);
        let (slice, intervals, ledger) = (OnceLock::new(), OnceLock::new(), Ledger::default());
        Self { facts, targets, each: false, whole: None, slice, intervals, ledger, ..self }
    }

    /// Knows from now on what was found of the same program with other rules: every execution was replayed by all of them.
    pub fn inherit(&self, other: &Self) {
        for (found, execution) in other.ledger.known().found {
            let is_same =
                |target: &&Target| (&target.name, target.kind, target.pos) == (&found.name, found.kind, found.pos);
            if let Some(target) = self.targets.iter().find(is_same) {
                self.ledger.found(target, &execution);
            }
        }
    }

    /// Whether an answer asks for [`Problem::within_rules`]: what was found leads through an invalid access, which the replay
    /// noticed and the automata do not know.
    pub fn needs_rules(&self, report: &Report) -> bool {
        let leaves = |verdict: &Verdict| matches!(verdict, Verdict::Unknown(Reason::OutsideRules(_)));
        self.unasked == Unasked::Hidden
            && self.accesses.all() == 0
            && (leaves(&report.verdict) || report.findings.iter().any(|finding| leaves(&finding.verdict)))
    }

    /// Another question about the same executions: what an answer says nothing about.
    pub(crate) fn beside(program: Program, property: &Property, unasked: Unasked) -> Self {
        Self::of(program, property, unasked, &[])
    }

    /// The same question, but executions may go on where an access is invalid, at these places.
    pub(crate) fn passing(program: Program, property: &Property, passed: &[SrcPos]) -> Self {
        Self::of(program, property, Unasked::Hidden, passed)
    }

    fn of(mut program: Program, property: &Property, unasked: Unasked, passed: &[SrcPos]) -> Self {
        // Where accesses are what is asked about, what nobody has allocated is not there.
        let asked = property.counts(Violation::Deref) || property.counts(Violation::Free);
        program.outside = if asked { Outside::Nowhere } else { Outside::Area };
        property::instrument(&mut program, property);
        match unasked {
            Unasked::Hidden | Unasked::End => {}
            Unasked::Error => property::end_at_errors(&mut program),
            Unasked::OnlyEnd => property::ends_are_errors(&mut program),
        }
        let misfits = border::close(&mut program, property.counts(Violation::Deref), unasked);
        if unasked == Unasked::Error {
            border::lead_outside(&mut program);
        }
        uninit::instrument(&mut program, property);
        let Instrumented { accesses, mut unshown } = memory::instrument(&mut program, property, unasked, passed);
        unshown.extend(misfits);
        let mut facts = Facts::of(program);
        let of_addresses = addresses::assumptions(&facts);
        facts.program.assumptions.extend(of_addresses);
        let of_floats = float_bits::assumption(&facts);
        facts.program.assumptions.extend(of_floats);
        let targets = property::targets(&facts.program);
        let each = property.has_many_verdicts() && matches!(unasked, Unasked::Hidden | Unasked::End);
        Self {
            facts,
            targets,
            each,
            accesses,
            unshown,
            unasked,
            whole: None,
            slice: OnceLock::new(),
            intervals: OnceLock::new(),
            ledger: Ledger::default(),
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
        if self.unasked != Unasked::Hidden || self.accesses.all() > 0 {
            return Err(Refused::Accesses);
        }
        let (slice, facts) = Slice::of(&self.facts)?;
        // One that is refuted is a mistake of ours; the program can still be checked.
        certify::slice::check(&self.facts, &slice, &facts).map_err(Refused::Check)?;
        let left = slice.left(&self.facts, &facts);
        let targets = property::targets(&facts.program);
        let whole =
            Whole { program: self.facts.program.clone(), own: own_addresses(&self.facts), origin: slice.origin, left };
        Ok(Self {
            facts,
            targets,
            each: self.each,
            accesses: self.accesses,
            unshown: Vec::new(),
            unasked: Unasked::Hidden,
            whole: Some(Box::new(whole)),
            slice: OnceLock::new(),
            intervals: OnceLock::new(),
            ledger: self.ledger.another(),
        })
    }

    /// What was found out so far.
    pub(crate) fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// The slice, if it was made.
    pub(crate) fn made_slice(&self) -> Option<&Problem> {
        self.slice.get()?.as_deref().ok()
    }

    /// Tells of every violation when it is found, in the thread that finds it.
    pub fn on_violation(&self, tell: impl Fn(&Finding) + Send + Sync + 'static) {
        self.ledger.listen(Arc::new(tell));
    }

    /// Whether a property is violated, as far as is known now.
    pub fn has_violation(&self) -> bool {
        self.ledger.has_violation() || self.made_slice().is_some_and(Self::has_violation)
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
