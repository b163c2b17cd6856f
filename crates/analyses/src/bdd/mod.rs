//! The BDD-based program analysis 𝔹ℙ𝔸.
//!
//! Beyer and Stahlbauer: *BDD-Based Software Model Checking with CPAchecker*, MEMICS 2012, Section 3.
//!
//! | the paper | here |
//! |---|---|
//! | abstract state 𝔹 | [`Set`]: the union `all`, and `new`, the part not expanded yet |
//! | ⇝ of `assume(p)`: 𝔹 ∧ 𝔹ₚ, ⇝ of `w := e`: (∃w. 𝔹) ∧ 𝔹₍w=e₎ | [`robusto_finite::Model::image`] |
//! | merge: 𝔹 ∨ 𝔹′ | [`Analysis::merge`] |
//! | stop: 𝔹 ⊑ 𝔹′ | [`Analysis::stop`] |
//! | "pre-analyze the program … how it is used" (Section 5) | [`robusto_finite::encoding`] |
//!
//! Where we deviate: variables are encoded by their class instead of 32 bits each; variables that are not live are
//! quantified away at each step; only what is new at a location is propagated ([`Frontier`]). All three keep the set of reachable
//! error locations.
//!
//! Soundness: each transition is exact for the encoded variables, or its result is over-approximated and the place
//! noted in [`Bdd::approximations`]; transitions distribute over union, so propagating the new part alone reaches the
//! same fixed point.

mod formula;
mod show;
mod trace;

pub use trace::{Trace, TraceStep};

use robusto_cfa::facts::Facts;
use robusto_cfa::ir::{FuncId, IdxVec, VarId};
use robusto_cpa::blocks::Blocks;
use robusto_cpa::control::Location;
use robusto_cpa::{Analysis, Approximation, Merge, Step, Strategy};
use robusto_diagram::{Bdd as Node, Diagrams, Full, Statistics, StoreSize};
use robusto_finite::{Encoding, Model};
use robusto_limits::{Limits, Stopped};

/// A set of data states.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Set {
    /// All of them.
    pub all: Node,
    /// Those that have not been expanded.
    pub new: Node,
}

/// The analysis.
pub struct Bdd<'f> {
    facts: &'f Facts,
    model: Model<'f>,
    /// The last merge: what was added, and to what. It need not be asked again whether it is covered.
    merged: Option<(Node, Node)>,
    limits: Limits,
}

impl<'f> Bdd<'f> {
    /// Prepares the analysis.
    pub fn new(facts: &'f Facts, size: StoreSize, limits: &Limits) -> Result<Self, Stopped> {
        Ok(Self { facts, model: Model::new(facts, size), merged: None, limits: limits.clone() })
    }

    /// The same for some variables; what depends on others is over-approximated.
    pub fn of_variables(facts: &'f Facts, size: StoreSize, wanted: impl Fn(VarId) -> bool, limits: &Limits) -> Self {
        Self { facts, model: Model::of_variables(facts, size, wanted), merged: None, limits: limits.clone() }
    }

    /// The edges met so far that are not exact.
    pub fn approximations(&self) -> impl Iterator<Item = &Approximation> {
        self.model.approximations().iter()
    }

    /// The blocks of tests that the analysis can take in one step.
    pub fn blocks(&self) -> &IdxVec<FuncId, Blocks> {
        self.model.blocks()
    }

    /// Counters of the decision diagrams.
    pub fn statistics(&self) -> Statistics {
        self.diagrams().statistics()
    }

    /// How variables are encoded.
    pub fn encoding(&self) -> &Encoding {
        self.model.encoding()
    }

    /// The states of a set in which a tracked variable has this value.
    pub fn with_value(&self, set: &Node, var: VarId, value: u64) -> Result<Node, Stopped> {
        self.model.with_value(set, var, value)
    }

    /// The decision diagrams.
    pub fn diagrams(&self) -> &Diagrams {
        self.model.diagrams()
    }
}

/// The store of nodes is full.
fn full(_: Full) -> Stopped {
    Stopped::Memory
}

impl Analysis for Bdd<'_> {
    type State = Set;

    fn initial(&mut self) -> Result<Set, Stopped> {
        let all = self.model.initial()?;
        Ok(Set { new: all.clone(), all })
    }

    fn transfer(&mut self, state: &Set, step: Step) -> Result<Option<Set>, Stopped> {
        self.limits.poll()?;
        let transition = self.model.transition(step)?;
        let all = self.model.image(&state.new, &transition)?;
        Ok((!self.diagrams().is_false(&all)).then(|| Set { new: all.clone(), all }))
    }

    fn merge(&mut self, new: &Set, old: &Set, _: Location) -> Result<Merge<Set>, Stopped> {
        if new.all == old.all {
            return Ok(Merge::Keep);
        }
        let fresh = self.diagrams().diff(&new.all, &old.all).map_err(full)?;
        if self.diagrams().is_false(&fresh) {
            self.merged = Some((new.all.clone(), old.all.clone()));
            return Ok(Merge::Keep);
        }
        let all = self.diagrams().or(&fresh, &old.all).map_err(full)?;
        self.merged = Some((new.all.clone(), all.clone()));
        let new = if self.diagrams().is_false(&old.new) {
            fresh
        } else {
            self.diagrams().or(&old.new, &fresh).map_err(full)?
        };
        Ok(Merge::Replace(Set { all, new }))
    }

    fn stop(&self, new: &Set, old: &Set) -> Result<bool, Stopped> {
        let known = self.merged.as_ref().is_some_and(|(added, to)| *added == new.all && *to == old.all);
        Ok(known || new.all == old.all || self.diagrams().leq(&new.all, &old.all))
    }
}

/// Only what is new at a location is propagated, since transitions distribute over union.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Frontier;

impl Strategy<Bdd<'_>> for Frontier {
    fn frontier(&self, bdd: &mut Bdd<'_>, state: &mut Set) -> Option<Set> {
        let part = std::mem::replace(&mut state.new, bdd.diagrams().bottom());
        Some(Set { all: part.clone(), new: part })
    }
}
