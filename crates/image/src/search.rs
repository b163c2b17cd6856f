//! Searches for all reachable states: what can be chosen, and what all of them tell.

use crate::circuit::Circuit;
use crate::disjunctive;
use crate::exits::Exits;
use crate::model::Model;
use crate::space::Space;
use crate::steps::Steps;
use robusto_diagram::{Bdd, Reordering, StoreSize};
use robusto_limits::{Limits, Progress, Stopped};

pub use crate::trace::Trace;

/// What can be chosen. All methods share what is not their own, so that they can be compared.
#[derive(Clone, Debug)]
pub struct Options {
    /// How images are computed.
    pub method: Method,
    /// Whether dead words are forgotten.
    pub forget_dead: bool,
    /// Whether the order of variables is improved, and when.
    pub reordering: Option<Reordering>,
    /// Room for nodes.
    pub store: StoreSize,
}

impl Default for Options {
    fn default() -> Self {
        Self { method: Method::default(), forget_dead: true, reordering: None, store: StoreSize::default() }
    }
}

/// How images are computed.
#[derive(Clone, Debug)]
pub enum Method {
    /// A union of relations, by blocks (Sections 4 to 6 of the paper).
    Disjunctive(disjunctive::Options),
}

impl Default for Method {
    fn default() -> Self {
        Self::Disjunctive(disjunctive::Options::default())
    }
}

/// What a search has reached. Sets are exact on the words that are live at a location.
pub trait Reached {
    /// Whether a location has been reached.
    fn contains(&self, location: usize) -> bool;

    /// The states that have been reached at a location, over the variables now.
    fn at(&self, location: usize) -> Result<Bdd, Stopped>;

    /// An execution from the start to a location that has been reached.
    fn trace(&self, location: usize, limits: &Limits) -> Result<Trace, Stopped>;

    /// How many relations there are.
    fn relations(&self) -> usize;
}

/// Explores a model to the end, or until a sink is reached that `is_enough` is told of and says so.
#[expect(clippy::too_many_arguments, reason = "what is searched, how, and who is told")]
pub fn explore<'m>(
    model: &'m Model,
    circuit: &'m Circuit,
    space: &'m Space,
    options: &Options,
    limits: &Limits,
    progress: &Progress,
    steps: &mut Steps<'_>,
    is_enough: &mut dyn FnMut(usize) -> bool,
) -> Result<Box<dyn Reached + 'm>, Stopped> {
    let exits = Exits::new(model, circuit, space)?;
    progress.set_activity("relations");
    let mut run = Run { forget_dead: options.forget_dead, limits, progress, steps, is_enough };
    Ok(match &options.method {
        Method::Disjunctive(options) => Box::new(disjunctive::explore(exits, options, &mut run)?),
    })
}

/// What all methods are given.
pub(crate) struct Run<'r, 'o> {
    pub forget_dead: bool,
    pub limits: &'r Limits,
    pub progress: &'r Progress,
    pub steps: &'r mut Steps<'o>,
    pub is_enough: &'r mut dyn FnMut(usize) -> bool,
}
