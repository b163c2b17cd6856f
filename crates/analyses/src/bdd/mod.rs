//! The BDD-based program analysis 𝔹ℙ𝔸.
//!
//! Beyer and Stahlbauer: *BDD-Based Software Model Checking with CPAchecker*, MEMICS 2012, Section 3.
//!
//! | the paper | here |
//! |---|---|
//! | abstract state 𝔹 | [`Set`]: the union `all`, and `new`, the part not expanded yet |
//! | ⇝ of `assume(p)`: 𝔹 ∧ 𝔹ₚ | `image::Transition::Assume` |
//! | ⇝ of `w := e`: (∃w. 𝔹) ∧ 𝔹₍w=e₎ | `image::Transition::Assign` |
//! | merge: 𝔹 ∨ 𝔹′ | [`Analysis::merge`] |
//! | stop: 𝔹 ⊑ 𝔹′ | [`Analysis::covered`] |
//! | "pre-analyze the program … how it is used" (Section 5) | `encoding` |
//!
//! Where we deviate: variables are encoded by their class instead of 32 bits each; variables that are not live are
//! quantified away at each step; only what is new at a location is propagated. All three keep the set of reachable
//! error locations.
//!
//! Soundness: each transition is exact for the encoded variables, or its result is over-approximated and the place
//! noted in [`Bdd::approximations`]; transitions distribute over union, so propagating the new part alone reaches the
//! same fixed point.

mod encoding;
mod formula;
mod image;
mod order;
mod trace;
mod values;

pub use encoding::Encoding;
pub use order::order;
pub use trace::{Trace, TraceStep};

use crate::facts::Facts;
use image::Transition;
use robusto_cfa::ir::{EdgeId, FuncId, IdxVec, LocId, SrcPos, VarId};
use robusto_cpa::blocks::Blocks;
use robusto_cpa::control::Location;
use robusto_cpa::{Analysis, Merge, Step, Stopped, Taken};
use robusto_diagram::{Bdd as Node, Diagrams, Full, Statistics, StoreSize};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::rc::Rc;

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
    diagrams: Diagrams,
    encoding: Encoding,
    blocks: IdxVec<FuncId, Blocks>,
    /// Conditions of block exits that were computed along with another exit's.
    block_conditions: FxHashMap<(FuncId, LocId, LocId), Node>,
    /// The last merge: what was added, and to what. It need not be asked again whether it is covered.
    merged: Option<(Node, Node)>,
    transitions: FxHashMap<Step, Rc<Transition>>,
    values: values::Cache,
    approximations: BTreeMap<(FuncId, EdgeId), Approximation>,
    /// Called now and then; stops the analysis.
    poll: Box<dyn FnMut() -> Result<(), Stopped> + 'f>,
}

/// An edge that the analysis over-approximates.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Approximation {
    /// Where.
    pub pos: SrcPos,
    /// What is lost.
    pub what: &'static str,
}

impl<'f> Bdd<'f> {
    /// Prepares the analysis; `poll` is asked now and then whether to go on.
    pub fn new(
        facts: &'f Facts,
        size: StoreSize,
        poll: impl FnMut() -> Result<(), Stopped> + 'f,
    ) -> Result<Self, Stopped> {
        let order = order(facts);
        let encoding = Encoding::new(facts, &order);
        let diagrams = Diagrams::new(encoding.num_bits(), size);
        Ok(Self {
            facts,
            diagrams,
            encoding,
            blocks: robusto_cpa::blocks::find(&facts.program),
            block_conditions: FxHashMap::default(),
            merged: None,
            transitions: FxHashMap::default(),
            values: values::Cache::default(),
            approximations: BTreeMap::new(),
            poll: Box::new(poll),
        })
    }

    /// The edges met so far that are not exact.
    pub fn approximations(&self) -> impl Iterator<Item = &Approximation> {
        self.approximations.values()
    }

    /// The blocks of tests that the analysis can take in one step.
    pub fn blocks(&self) -> &IdxVec<FuncId, Blocks> {
        &self.blocks
    }

    /// Counters of the decision diagrams.
    pub fn statistics(&self) -> Statistics {
        self.diagrams.statistics()
    }

    /// How variables are encoded.
    pub fn encoding(&self) -> &Encoding {
        &self.encoding
    }

    /// The states of a set in which a tracked variable has this value.
    pub fn with_value(&self, set: &Node, var: VarId, value: u64) -> Result<Node, Stopped> {
        let code = self.encoding.get(var).expect("only tracked variables are asked for");
        let number = match &code.meaning {
            encoding::Meaning::Bits => value,
            encoding::Meaning::Index { values, .. } => match values.iter().position(|v| *v == Some(value)) {
                Some(index) => index as u64,
                None => return Ok(self.diagrams.bottom()),
            },
        };
        let literals: Vec<_> = code.bits.iter().enumerate().map(|(i, &bit)| (bit, number >> i & 1 == 1)).collect();
        let here = self.diagrams.literals(&literals).map_err(full)?;
        self.diagrams.and(set, &here).map_err(full)
    }

    /// The decision diagrams.
    pub fn diagrams(&self) -> &Diagrams {
        &self.diagrams
    }
}

/// The store of nodes is full.
fn full(_: Full) -> Stopped {
    Stopped::Memory
}

impl Analysis for Bdd<'_> {
    type State = Set;

    fn initial(&mut self) -> Result<Set, Stopped> {
        let all = self.initial_set()?;
        Ok(Set { new: all.clone(), all })
    }

    fn transfer(&mut self, state: &Set, step: Step) -> Result<Option<Set>, Stopped> {
        (self.poll)()?;
        let transition = self.transition(step)?;
        let all = self.image(&state.new, &transition)?;
        Ok((!self.diagrams.is_false(&all)).then(|| Set { new: all.clone(), all }))
    }

    fn merge(&mut self, new: &Set, old: &Set) -> Result<Merge<Set>, Stopped> {
        if new.all == old.all {
            return Ok(Merge::Keep);
        }
        let fresh = self.diagrams.diff(&new.all, &old.all).map_err(full)?;
        if self.diagrams.is_false(&fresh) {
            self.merged = Some((new.all.clone(), old.all.clone()));
            return Ok(Merge::Keep);
        }
        let all = self.diagrams.or(&fresh, &old.all).map_err(full)?;
        self.merged = Some((new.all.clone(), all.clone()));
        let new =
            if self.diagrams.is_false(&old.new) { fresh } else { self.diagrams.or(&old.new, &fresh).map_err(full)? };
        Ok(Merge::Replace(Set { all, new }))
    }

    fn covered(&mut self, new: &Set, old: &Set) -> Result<bool, Stopped> {
        let known = self.merged.as_ref().is_some_and(|(added, to)| *added == new.all && *to == old.all);
        Ok(known || new.all == old.all || self.diagrams.leq(&new.all, &old.all))
    }

    fn take(&mut self, state: &mut Set, _: Location) -> Result<Taken<Set>, Stopped> {
        let part = std::mem::replace(&mut state.new, self.diagrams.bottom());
        Ok(Taken::Expand(Set { all: part.clone(), new: part }))
    }
}
