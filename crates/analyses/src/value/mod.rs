//! The explicit-value analysis: constants of variables, states with different ones kept apart.
//!
//! Beyer, Löwe: *Explicit-state software model checking based on CEGAR and interpolation*, FASE 2013; Beyer and Stahlbauer
//! (MEMICS 2012, Section 5) name it as the domain of variables that are nothing for decision diagrams.
//!
//! | the paper | here |
//! |---|---|
//! | abstract variable assignment v | [`Valuation`]; a variable that is not listed can have any value |
//! | ⇝ | `step`, on the expressions of [`robusto_domains::machine`]; what is no constant is dropped |
//! | merge^sep, stop^sep | [`Analysis::merge`], [`Analysis::stop`] |
//! | precision π | [`Precision`]: the variables that are tracked where |
//! | interpolant of a path | [`refute`]: the constants that the path needs, by a slice backwards from the first contradiction |
//!
//! Where we deviate: an interpolant of the paper is found by dropping variables one by one, each with a pass over the rest of
//! the path; the slice takes one pass. It is an interpolant as well: the constants that it names at a position follow from
//! those that it names before, and contradict what lies behind.
//!
//! Memory is not tracked: a load gives any value. All activations of a function share one copy of its variables; what a
//! recursive call may have overwritten is forgotten when it returns.
//!
//! Soundness: each step over-approximates the concrete one, and dropping a constant loses no state.

mod formula;
mod precision;
mod refute;
pub(crate) mod step;

pub use precision::Precision;
pub use refute::{Kept, Needed, dependencies, refute};

use robusto_cfa::facts::Facts;
use robusto_cfa::ir::VarId;
use robusto_cpa::control::Location;
use robusto_cpa::{Analysis, Merge, Step};
use robusto_domains::{Boxes, Interval, Lattice as _};
use robusto_limits::{Limits, Stopped};
use step::Steps;

/// Constants of variables.
#[derive(Clone, Debug)]
pub struct Valuation {
    /// Single values only.
    values: Boxes<VarId>,
    /// What the last step gave to variables that are not tracked, for whoever tracks them. No part of the state.
    pub(crate) told: Vec<(VarId, u64)>,
}

impl Valuation {
    /// The constants.
    pub fn iter(&self) -> impl Iterator<Item = (VarId, u64)> + '_ {
        self.values.iter().filter_map(|(&var, value)| Some((var, value.as_constant()?)))
    }

    /// The constant of a variable.
    pub fn get(&self, var: VarId) -> Option<u64> {
        self.values.get(&var)?.as_constant()
    }

    /// Learns a constant; whether the variable can have it.
    pub(crate) fn learn(&mut self, var: VarId, value: Interval) -> bool {
        match self.values.get(&var) {
            Some(known) => *known == value,
            None => {
                self.values.insert(var, value);
                true
            }
        }
    }
}

/// The analysis.
pub struct Value<'f> {
    facts: &'f Facts,
    steps: Steps<'f>,
    /// π
    pub precision: Precision,
    limits: Limits,
}

impl<'f> Value<'f> {
    /// Prepares the analysis.
    pub fn new(facts: &'f Facts, precision: Precision, limits: &Limits) -> Self {
        Self { facts, steps: Steps::new(facts), precision, limits: limits.clone() }
    }

    /// What is known of the program.
    pub fn facts(&self) -> &'f Facts {
        self.facts
    }
}

impl Analysis for Value<'_> {
    type State = Valuation;

    fn initial(&mut self) -> Result<Valuation, Stopped> {
        let program = &self.facts.program;
        let main = program.main.expect("there is something to explore");
        let at = Location { function: main, loc: program.functions[main].entry };
        let values = step::start(self.facts, |var| self.precision.tracks(at, var));
        Ok(Valuation { values: constants(values), told: Vec::new() })
    }

    fn transfer(&mut self, state: &Valuation, step: Step) -> Result<Option<Valuation>, Stopped> {
        self.limits.poll()?;
        let prepared = self.steps.get(step);
        let Self { facts, precision, .. } = self;
        let tracks = |var| precision.tracks(prepared.to, var);
        let Some((mut values, told)) = prepared.apply(&facts.program.exprs, &state.values, tracks) else {
            return Ok(None);
        };
        if !precision.is_same(prepared.from, prepared.to) {
            let lost: Vec<VarId> = values.iter().map(|(&var, _)| var).filter(|&var| !tracks(var)).collect();
            lost.iter().for_each(|var| values.remove(var));
        }
        Ok(Some(Valuation { values: prepared.only_constants(values), told }))
    }

    fn merge(&mut self, _: &Valuation, _: &Valuation, _: Location) -> Result<Merge<Valuation>, Stopped> {
        Ok(Merge::Keep)
    }

    fn stop(&self, new: &Valuation, old: &Valuation) -> Result<bool, Stopped> {
        Ok(new.values.leq(&old.values))
    }
}

/// Only variables with a single value.
fn constants(mut values: Boxes<VarId>) -> Boxes<VarId> {
    let open = |value: &Interval| value.as_constant().is_none();
    let others: Vec<VarId> = values.iter().filter(|(_, value)| open(value)).map(|(&var, _)| var).collect();
    others.iter().for_each(|var| values.remove(var));
    values
}
