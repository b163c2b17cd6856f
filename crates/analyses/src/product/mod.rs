//! A domain per variable: constants, intervals, decision diagrams and predicates in one product.
//!
//! Beyer and Stahlbauer, MEMICS 2012, Section 5; Apel, Beyer, Friedberger, Raimondi, von Rhein: *Domain types*, HVC 2013. The
//! pre-analysis ([`Assignment`]) says which domain tracks a variable; the product is [`robusto_cpa::Product`], with what the
//! domains tell each other in [`reduction`].
//!
//! | component | merge |
//! |---|---|
//! | [`crate::value`] | sep: states with different constants are kept apart |
//! | [`ranges`] | join in the same cells |
//! | [`crate::bdd`] | union |
//! | [`predicates`] | sep: states with different truth values are kept apart |
//!
//! So at a location there is one set of states of the few-valued variables for each vector of constants, cells and truth values.
//!
//! Refinement moves variables to finer domains, as far as paths without execution need it: intervals are kept apart by the
//! cells between compared constants, then constants are tracked, then predicates.

pub mod assignment;
pub mod predicates;
pub mod ranges;
pub mod reduction;

pub use assignment::{Assignment, Domain, Domains};
pub use predicates::{Literals, Predicates};
pub use ranges::{Range, Ranges};
pub use reduction::{Constants, Numbers, Told};

use crate::bdd::{Bdd, Set};
use crate::predicate::Scope;
use crate::symbolic::{Cell, Encoder};
use crate::value::{Kept, Precision, Valuation, Value, refute};
use robusto_cfa::facts::Facts;
use robusto_cfa::ir::{IdxVec, VarId};
use robusto_cpa::{Arg, Partition, Product, StateId, Step, Strategy, Unreduced};
use robusto_diagram::StoreSize;
use robusto_limits::{Limits, Stopped};
use robusto_logic::Term;
use rustc_hash::FxHasher;
use std::collections::BTreeSet;
use std::hash::{Hash as _, Hasher as _};

/// Numbers and sets.
pub type Data<'f> = Product<Numbers<'f>, Bdd<'f>, Told>;

/// All domains.
pub type Domainwise<'f> = Product<Data<'f>, Predicates<'f>, Unreduced>;

/// A state of all domains.
pub type State = (((Valuation, Range), Set), Literals);

/// Prepares the product for an assignment. Where value is the only domain of numbers, its variables are tracked as paths need
/// them.
pub fn new<'f>(
    facts: &'f Facts,
    assignment: &Assignment,
    scope: Scope,
    size: StoreSize,
    limits: &Limits,
) -> Domainwise<'f> {
    let of_bdd = assignment.of_domain(Domain::Bdd);
    let value = Value::new(facts, Precision::new(scope), limits);
    let ranges = Ranges::new(facts, assignment.of_domain(Domain::Interval));
    let bdd = Bdd::of_variables(facts, size, |var| of_bdd[var], limits);
    let mut predicates = Predicates::new(facts, limits);
    predicates.encoder.set_blocks(bdd.blocks().clone());
    let numbers = Product { left: value, right: ranges, reduction: Constants };
    let data = Product { left: numbers, right: bdd, reduction: Told };
    Product { left: data, right: predicates, reduction: Unreduced }
}

/// Steps from the start to a node that the sets of the graph have; `None` if over-approximation broke the chain.
pub fn path(product: &mut Domainwise<'_>, arg: &Arg<State>, end: StateId) -> Result<Option<Vec<Step>>, Stopped> {
    let trace = product.left.right.trace_in(arg, end, |state| &state.0.1)?;
    Ok(trace.map(|trace| trace.steps.into_iter().map(|step| step.step).collect()))
}

/// How a path without execution is excluded from now on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Excluded {
    /// Values do not exclude it.
    No,
    /// Values exclude it, and a domain keeps more of them than before.
    Refined,
    /// Values exclude it, but those are kept already.
    Stuck,
}

/// Refines the domains of numbers by a path: intervals by cells, then constants.
pub fn refine(product: &mut Domainwise<'_>, domains: &Domains, path: &[Step]) -> Excluded {
    let Product { left: value, right: ranges, .. } = &mut product.left.left;
    let facts = value.facts();
    let mut excluded = Excluded::No;
    if domains.has(Domain::Interval)
        && let Some(needed) = refute(facts, path, Kept::Intervals, |var| ranges.owns(var))
    {
        let vars: BTreeSet<VarId> = needed.into_iter().flat_map(|at| at.vars).collect();
        excluded = Excluded::Stuck;
        if ranges.split_by(&vars) {
            return Excluded::Refined;
        }
    }
    if domains.has(Domain::Value)
        && let Some(needed) = refute(facts, path, Kept::Constants, |_| true)
    {
        excluded = Excluded::Stuck;
        let mut grown = false;
        for at in &needed {
            at.vars.iter().for_each(|&var| grown |= value.precision.add(at.at, var));
        }
        if grown {
            return Excluded::Refined;
        }
    }
    excluded
}

/// A state as a formula over the inputs of cells. Only variables for which there is a cell are spoken of, but for predicates.
pub fn formula(
    product: &mut Domainwise<'_>,
    (((valuation, range), set), literals): &State,
    cell: impl Fn(&Encoder<'_>, VarId) -> Option<Cell>,
) -> Result<Term, Stopped> {
    let Product { left: Product { right: bdd, .. }, right: predicates, .. } = product;
    let vars = predicates.encoder.facts().program.vars.ids();
    let cells: IdxVec<VarId, Option<Cell>> = vars.map(|var| cell(&predicates.encoder, var)).collect();
    let cell = |var: VarId| cells[var];
    let encoder = &mut predicates.encoder;
    let all = [valuation.formula(encoder, cell), range.formula(encoder, cell), bdd.formula(encoder, &set.all, cell)?];
    let literals = predicates.formula(literals);
    let data = predicates.encoder.terms.and_all(&all);
    Ok(predicates.encoder.terms.and(data, literals))
}

/// States with the same constants, cells and truth values stand together; of their sets, only what is new is propagated, unless
/// a box has grown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Parts;

impl Strategy<Domainwise<'_>> for Parts {
    fn partition(&self, _: &Domainwise<'_>, (((valuation, range), _), literals): &State) -> Partition {
        let mut hasher = FxHasher::default();
        valuation.iter().for_each(|constant| constant.hash(&mut hasher));
        range.cells.hash(&mut hasher);
        literals.known.hash(&mut hasher);
        let hash = hasher.finish();
        (hash as u32, (hash >> 32) as u32)
    }

    fn frontier(&self, product: &mut Domainwise<'_>, state: &mut State) -> Option<State> {
        let (((_, range), set), _) = state;
        let part = std::mem::replace(&mut set.new, product.left.right.diagrams().bottom());
        let part = if std::mem::replace(&mut range.fresh, false) { set.all.clone() } else { part };
        let mut expanded = state.clone();
        expanded.0.1 = Set { all: part.clone(), new: part };
        Some(expanded)
    }
}
