//! Predicate abstraction with adjustable-block encoding (ABE).
//!
//! Beyer, Keremoglu, Wendler: *Predicate Abstraction with Adjustable-Block Encoding*, FMCAD 2010, Section III.
//!
//! | the paper | here |
//! |---|---|
//! | abstract state (l, ψ, l^ψ, φ) | [`State`]: `block` leads to ψ and l^ψ, `formula` is φ; l belongs to the composition |
//! | Boolean predicate abstraction (φ)^π | `abstraction`, which asks its `question`s |
//! | precision Π | [`Precision`] |
//! | blk | [`BlockOperator`] |
//! | SP_op(φ) on SSA formulas (footnote 2) | [`Encoder::step`] |
//! | large blocks made before the analysis (Section IV.A) | `large` |
//! | merge: φ₁ ∨ φ₂ if ψ and l^ψ agree | [`Analysis::merge`] with [`MergeKind::Block`] |
//! | stop | [`Analysis::stop`]: by decision diagrams at abstraction states, by what was merged elsewhere |
//!
//! Where we deviate:
//!
//! - φ is not a formula over indexed variables but a guard and the values of the changed variables as terms over the
//!   block's inputs ([`PathFormula`]). A block built twice gives the same terms, so that what the solver learnt of it and
//!   the abstractions computed for it are found again.
//! - A block's end is abstracted when it is taken from the waitlist ([`Analysis::prec`]), not when the step into it is made. By
//!   then all paths of the block that lead there have been merged: one abstraction instead of one per edge into a loop head.
//! - What another analysis knows at an abstraction state is conjoined to its ψ ([`Block::invariant`]).
//! - In a block that holds loops, states are merged only if their paths have made the same visits of loop heads (`visits`);
//!   where the longest path to a location ends a block, the shorter ones to the same location end with it; and states
//!   behind fewer blocks are taken first. All this is [`MergeKind::Visits`], the default; [`Blockwise`] has the order.
//! - ψ is a conjunction of decision diagrams without common predicates ([`Product`]).
//!
//! Soundness: the encoder is exact or notes an approximation, which only adds behaviour; an abstraction is implied by the
//! formula it abstracts; a state is dropped only if its formula is unsatisfiable, or another state has all its concrete
//! states.

mod abstraction;
mod block;
mod blockwise;
mod finite;
mod impact;
mod known;
mod large;
mod merge;
mod parts;
mod precision;
mod product;
mod question;
mod refinement;
mod visits;

pub use abstraction::Kind as AbstractionKind;
pub use block::{BlockOperator, UnknownOperator};
pub use blockwise::Blockwise;
pub use large::Inside;
pub use merge::Kind as MergeKind;
pub use precision::{Precision, Scope};
pub use product::Product;
pub use refinement::Statistics;

use crate::interval::Invariants;
use crate::symbolic::{Encoder, PathFormula};
use abstraction::{Abstractor, Paths};
use block::Blocks;
use known::{Known, Pending};
use large::Large;
use robusto_cfa::facts::Facts;
use robusto_cpa::control::Location;
use robusto_cpa::{Analysis, Merge, Prec, Step};
use robusto_limits::{Limits, Stopped};
use robusto_logic::{QueryLog, Term};
use std::rc::Rc;
use std::time::{Duration, Instant};
use visits::{Visits, VisitsId};

/// A block: what was reached from one abstraction state on. Its number stands for that state's ψ and l^ψ.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct BlockId(u32);

impl BlockId {
    /// The block that starts with the program.
    pub const FIRST: BlockId = BlockId(0);

    /// Its position.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The start of a block: an abstraction state.
#[derive(Clone, Debug)]
pub struct Block {
    /// l^ψ
    pub location: Option<Location>,
    /// ψ
    pub abstraction: Product,
    /// What other analyses know there, over the inputs of the block.
    pub invariant: Term,
    /// How many predicates Π(l^ψ) had when ψ was computed.
    pub predicates: usize,
    /// Number of blocks before it.
    pub depth: u32,
    /// The state that was abstracted, at the end of the block before; the first block has none.
    pub from: Option<State>,
}

/// The data part of an abstract state.
#[derive(Clone, Debug)]
pub struct State {
    /// The block that it lies in.
    pub block: BlockId,
    /// φ, from the start of the block.
    pub formula: Rc<PathFormula>,
    /// Operations of the longest path of φ.
    pub length: u32,
    /// What it is for the block operator.
    pub role: Role,
    /// What other analyses know of the callers' values.
    pub pending: Pending,
    /// Which visits of loop heads the paths of φ have made, if these are told apart.
    visits: VisitsId,
    /// Whether it is the end of an error edge.
    error: bool,
}

/// What a state is for the block operator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// An abstraction state: the start of its block.
    Start,
    /// Inside of a block.
    Inside,
    /// The end of a block, to be abstracted.
    End,
}

/// What can be chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Where blocks end.
    pub block: BlockOperator,
    /// How abstractions are computed.
    pub abstraction: AbstractionKind,
    /// Where predicates are tracked.
    pub scope: Scope,
    /// Which states of a block are merged.
    pub merge: MergeKind,
}

/// The analysis. `refinement` and `impact` have what it offers to those who refine it.
pub struct Abe<'f> {
    encoder: Encoder<'f>,
    limits: Limits,
    /// Π
    precision: Precision,
    /// (·)^π
    abstractor: Abstractor,
    /// blk
    operator: Blocks,
    /// The summarised automata, if blocks are made before the analysis.
    large: Option<Large>,
    /// Those met so far, if they are told apart.
    visits: Option<Visits>,
    known: Known<'f>,
    blocks: Vec<Block>,
    /// The last merge: what was added, and what came of it.
    last_merge: Option<(Rc<PathFormula>, Rc<PathFormula>)>,
    /// Time spent on abstractions.
    abstraction_time: Duration,
}

impl<'f> Abe<'f> {
    /// Prepares the analysis.
    pub fn new(facts: &'f Facts, options: Options, limits: &Limits) -> Self {
        let by_visits = options.block.holds_loops() && options.merge == MergeKind::Visits;
        Self {
            encoder: Encoder::new(facts),
            limits: limits.clone(),
            precision: Precision::new(options.scope),
            abstractor: Abstractor::new(options.abstraction, limits),
            operator: Blocks::new(options.block, facts),
            large: (options.block == BlockOperator::Preprocessed).then(|| Large::of(facts)),
            visits: by_visits.then(Visits::default),
            known: Known::default(),
            blocks: Vec::new(),
            last_merge: None,
            abstraction_time: Duration::ZERO,
        }
    }

    /// Tells every query of the solvers.
    pub fn set_log(&mut self, log: Option<QueryLog>) {
        self.abstractor.oracle.set_log(log);
    }

    /// Uses what another analysis knows; before the first state is made.
    pub fn set_invariants(&mut self, invariants: Option<&'f Invariants>) {
        self.known = Known::new(invariants);
    }

    /// A block.
    pub fn block(&self, id: BlockId) -> &Block {
        &self.blocks[id.index()]
    }

    /// Whether two states of a location describe paths of one block that may be merged.
    fn may_merge(&self, new: &State, old: &State) -> bool {
        // A location can be the end for the longest paths only. Where visits are told apart these are merged with the
        // others, and end there together.
        let roles = match (new.role, old.role) {
            (Role::Start, _) | (_, Role::Start) => false,
            (new, old) => new == old || self.visits.is_some(),
        };
        roles && new.block == old.block && new.visits == old.visits
    }

    /// Whether a formula has the paths of another one: as it is the same, or was merged with it just now.
    fn has_all(&self, formula: &Rc<PathFormula>, other: &Rc<PathFormula>) -> bool {
        let is_last =
            |(added, to): &(Rc<PathFormula>, Rc<PathFormula>)| Rc::ptr_eq(added, other) && Rc::ptr_eq(to, formula);
        Rc::ptr_eq(formula, other) || self.last_merge.as_ref().is_some_and(is_last) || same(formula, other)
    }

    /// The abstraction of ψ ∧ φ at a location, `None` if it is unsatisfiable.
    fn abstract_at(&mut self, state: &State, at: Location) -> Result<Option<Product>, Stopped> {
        if self.kind() == AbstractionKind::Impact {
            return Ok(Some(Product::top()));
        }
        let start = Instant::now();
        let predicates = self.precision.live_at(&self.encoder, at);
        let Block { abstraction: psi, invariant, .. } = &self.blocks[state.block.index()];
        let paths = Paths { psi, known: *invariant, formula: &state.formula };
        let cartesian = self.abstractor.kind() == AbstractionKind::Cartesian;
        let result = self.abstractor.over(&mut self.encoder, &self.precision, &paths, &predicates, cartesian);
        let time = start.elapsed();
        self.abstraction_time += time;
        self.operator.learn(time);
        result
    }
}

/// Whether two formulas describe the same paths by the same terms.
fn same(a: &PathFormula, b: &PathFormula) -> bool {
    a.guard == b.guard && a.env == b.env
}

impl Analysis for Abe<'_> {
    type State = State;

    fn initial(&mut self) -> Result<State, Stopped> {
        let formula = Rc::new(self.encoder.initial());
        let (abstraction, invariant) = (Product::top(), self.encoder.terms.yes());
        self.blocks = vec![Block { location: None, abstraction, invariant, predicates: 0, depth: 0, from: None }];
        let (pending, visits) = (Pending::default(), VisitsId::NONE);
        Ok(State { block: BlockId::FIRST, formula, length: 0, role: Role::Start, pending, visits, error: false })
    }

    fn transfer(&mut self, state: &State, step: Step) -> Result<Option<State>, Stopped> {
        self.limits.poll()?;
        let Some(formula) = self.post(&state.formula, step)? else { return Ok(None) };
        let program = &self.encoder.facts().program;
        let length = state.length + 1;
        let source = Location { function: step.edge_ref().0, loc: step.edge(program).src };
        let to = source.transfer(program, step);
        let activation = formula.activations.get(&to.function).copied().unwrap_or(0);
        let large = self.large.as_ref().map(|large| large.automaton(to.function));
        let passed = large.is_some_and(|large| large.is_passed(to.loc));
        let error = step.is_error(program) || large.is_some_and(|large| large.is_error(to.loc));
        let ends = error || self.operator.ends(step, to, length, activation, passed, || self.encoder.bytes(&formula));
        let role = if ends { Role::End } else { Role::Inside };
        let pending = self.known.step(&mut self.encoder, &state.pending, &state.formula, step);
        let visits = self.visits_after(state.visits, step, to);
        Ok(Some(State { block: state.block, formula: Rc::new(formula), length, role, pending, visits, error }))
    }

    fn merge(&mut self, new: &State, old: &State, _: Location) -> Result<Merge<State>, Stopped> {
        if !self.may_merge(new, old) {
            return Ok(Merge::Keep);
        }
        if same(&new.formula, &old.formula) && (new.role == old.role || old.role == Role::End) {
            self.last_merge = Some((new.formula.clone(), old.formula.clone()));
            return Ok(Merge::Keep);
        }
        let formula = Rc::new(self.merged(&old.formula, &new.formula));
        self.last_merge = Some((new.formula.clone(), formula.clone()));
        let length = new.length.max(old.length);
        let role = if new.role == Role::End { Role::End } else { old.role };
        Ok(Merge::Replace(State { formula, length, role, ..old.clone() }))
    }

    fn stop(&self, new: &State, old: &State) -> Result<bool, Stopped> {
        match (new.role, old.role) {
            // The block of the program's start begins with the initial values, not with all that satisfy its ψ.
            (Role::Start, Role::Start) if old.block == BlockId::FIRST => Ok(false),
            (Role::Start, Role::Start) => {
                let (now, then) = (self.block(new.block), self.block(old.block));
                self.abstractor.leq(&now.abstraction, &then.abstraction)
            }
            _ => Ok(self.may_merge(new, old) && self.has_all(&old.formula, &new.formula)),
        }
    }

    fn prec(&mut self, state: &mut State, at: Location) -> Result<Prec, Stopped> {
        match state.role {
            Role::Inside => Ok(Prec::Kept),
            Role::Start => Ok(Prec::Adjusted),
            Role::End => {
                let invariant = self.known.at(&mut self.encoder, at, &state.formula, &state.pending);
                if self.encoder.terms.is_false(invariant) {
                    return Ok(Prec::Bottom);
                }
                let Some(abstraction) = self.abstract_at(state, at)? else { return Ok(Prec::Bottom) };
                let block = BlockId(self.blocks.len() as u32);
                let formula = Rc::new(self.encoder.identity(&state.formula));
                let (pending, visits) = (state.pending.clone(), VisitsId::NONE);
                let error = state.error;
                let start = State { block, formula, length: 0, role: Role::Start, pending, visits, error };
                let from = std::mem::replace(state, start);
                let predicates = self.precision.live_at(&self.encoder, at).len();
                let depth = self.block(from.block).depth + 1;
                self.blocks.push(Block {
                    location: Some(at),
                    abstraction,
                    invariant,
                    predicates,
                    depth,
                    from: Some(from),
                });
                Ok(Prec::Adjusted)
            }
        }
    }
}
