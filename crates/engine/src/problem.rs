//! A program and what is to be found out about it.

use crate::memory::{self, Accesses};
use crate::property;
use crate::{addresses, border, float_bits, vacuous};
use robusto_analyses::interval::Invariants;
use robusto_cfa::facts::Facts;
use robusto_cfa::ir::Program;
use robusto_limits::Limits;
use robusto_verdict::{Property, Target, Vacuity, Violation};
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
    intervals: OnceLock<Option<Invariants>>,
}

/// Time for the interval analysis: at most this, and at most this share of what is left.
const INTERVALS: (Duration, u32) = (Duration::from_secs(5), 10);

impl Problem {
    /// Instruments and analyses a program.
    pub fn new(mut program: Program, property: &Property) -> Self {
        property::instrument(&mut program, property);
        border::close(&mut program, property.counts(Violation::Deref));
        let accesses = memory::instrument(&mut program, property);
        let mut facts = Facts::of(program);
        let of_addresses = addresses::assumptions(&facts);
        facts.program.assumptions.extend(of_addresses);
        let of_floats = float_bits::assumption(&facts);
        facts.program.assumptions.extend(of_floats);
        let targets = property::targets(&facts.program);
        Self { facts, targets, each: property.has_many_verdicts(), accesses, intervals: OnceLock::new() }
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
