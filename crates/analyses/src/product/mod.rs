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
//! cells between compared constants, then by the modes that the path sets, then the constants of numbers are tracked, then
//! predicates; in the end numbers go to the diagrams, bit by bit.

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
use robusto_cfa::analysis::loops::LoopForest;
use robusto_cfa::facts::Facts;
use robusto_cfa::ir::{FuncId, IdxVec, LocId, Op, VarId};
use robusto_cpa::control::Location;
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
    predicates.set_blocks(bdd.blocks().clone());
    let numbers = Product { left: value, right: ranges, reduction: Constants };
    let data = Product { left: numbers, right: bdd, reduction: Told };
    Product { left: data, right: predicates, reduction: Unreduced }
}

/// Steps from the start to a node that the sets of the graph have; `None` if over-approximation broke the chain.
pub fn path(product: &mut Domainwise<'_>, arg: &Arg<State>, end: StateId) -> Result<Option<Vec<Step>>, Stopped> {
    let trace = product.left.right.trace_in(arg, end, |state| &state.0.1)?;
    Ok(trace.map(|trace| trace.steps.into_iter().map(|step| step.step).collect()))
}

/// The same for another assignment, with all that paths have needed so far.
pub fn reassign<'f>(product: &mut Domainwise<'f>, assignment: &Assignment, size: StoreSize, limits: &Limits) {
    let Product { left: value, right: ranges, .. } = &mut product.left.left;
    let facts = value.facts();
    let precision = std::mem::take(&mut value.precision);
    let split: BTreeSet<VarId> = ranges.split().collect();
    let mut new = self::new(facts, assignment, Scope::Global, size, limits);
    new.left.left.left.precision = precision;
    new.left.left.right.split_by(&split);
    std::mem::swap(&mut new.right, &mut product.right);
    new.right.set_blocks(new.left.right.blocks().clone());
    *product = new;
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

/// Refines the domains of numbers by a path: intervals by cells, then by modes, then constants.
pub fn refine(product: &mut Domainwise<'_>, domains: &Domains, path: &[Step]) -> Excluded {
    let Product { left: Product { left: value, right: ranges, .. }, right: bdd, .. } = &mut product.left;
    let facts = value.facts();
    let mut excluded = Excluded::No;
    if domains.has(Domain::Interval)
        && let Some(needed) = refute(facts, path, Kept::Intervals, |var| ranges.owns(var))
    {
        let vars: BTreeSet<VarId> = needed.into_iter().flat_map(|at| at.vars).collect();
        excluded = Excluded::Stuck;
        let by_modes = |value: &mut Value<'_>| {
            let mut grown = false;
            for (at, var) in modes(facts, path, |var| bdd.encoding().get(var).is_some()) {
                grown |= value.precision.add(at, var);
            }
            grown
        };
        if ranges.split_by(&vars) || domains.has(Domain::Value) && by_modes(value) {
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

/// The few-valued variables that a path sets to constants and that live from one round of a loop to the next, where they do. The
/// range of a number often depends on them: with constants for them, there is a box for each vector of modes.
fn modes(facts: &Facts, path: &[Step], is_few_valued: impl Fn(VarId) -> bool) -> Vec<(Location, VarId)> {
    let program = &facts.program;
    let mut heads: Vec<Location> = Vec::new();
    for (function, body) in program.functions.enumerate() {
        heads.extend(LoopForest::of(body).heads().map(|loc| Location { function, loc }));
    }
    let lives_on = |var: VarId| heads.iter().any(|at| facts.liveness.at(at.function, at.loc).contains(var));
    let set = path.iter().filter_map(|step| match step.edge(program).op {
        Op::Assign { var, .. } if facts.classes.group(var).values.is_some() => Some(var),
        _ => None,
    });
    let vars: BTreeSet<VarId> = set.filter(|&var| is_few_valued(var) && lives_on(var)).collect();
    let locations = path.iter().map(|step| Location { function: step.edge_ref().0, loc: step.edge(program).src });
    let locations: BTreeSet<(FuncId, LocId)> = locations.map(|at| (at.function, at.loc)).collect();
    let pairs = locations
        .into_iter()
        .flat_map(|(function, loc)| vars.iter().map(move |&var| (Location { function, loc }, var)));
    pairs.collect()
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

/// What a state says, in lines for people.
pub fn show(product: &Domainwise<'_>, (((valuation, range), set), literals): &State) -> Vec<String> {
    let Product { left: Product { right: bdd, .. }, right: predicates, .. } = product;
    let vars = &predicates.encoder.facts().program.vars;
    let constants: Vec<String> =
        valuation.iter().map(|(var, value)| format!("{} == {value}", vars[var].name)).collect();
    let bounds = range.boxes.iter().filter_map(|(&var, values)| {
        let (lo, hi) = values.signed_bounds()?;
        Some(format!("{lo} <= {} <= {hi}", vars[var].name))
    });
    let bounds: Vec<String> = bounds.collect();
    // A store that is full has no room for pictures.
    let set = bdd.show(&set.all).unwrap_or_default();
    let known = literals.known.iter().map(|&(predicate, truth)| {
        format!("{}{}", if truth { "" } else { "not " }, predicates.encoder.terms.display(predicate))
    });
    let known: Vec<String> = known.collect();
    let lines = [constants.join(" && "), bounds.join(" && "), set, known.join(" && ")];
    lines.into_iter().filter(|line| !line.is_empty() && line != "true").collect()
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

    fn parts(
        &self,
        product: &mut Domainwise<'_>,
        (((valuation, range), set), literals): State,
        at: Location,
    ) -> Vec<State> {
        let pieces = product.left.left.right.parts(range, at);
        pieces.into_iter().map(|range| (((valuation.clone(), range), set.clone()), literals.clone())).collect()
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
