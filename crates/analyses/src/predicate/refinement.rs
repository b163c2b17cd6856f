//! What refinement wants of the analysis: its terms, its predicates, and what it has computed.
//!
//! Terms and predicates only grow, so nothing that was computed before gets wrong by what is added here.

use super::{Abe, AbstractionKind, BlockId, Precision, Product, Scope};
use crate::symbolic::{Cell, Encoder};
use robusto_cpa::control::Location;
use robusto_limits::Stopped;
use robusto_logic::{Model, Solver, Sort, Term};
use std::time::Duration;

/// What it took so far.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Statistics {
    /// Number of abstractions computed.
    pub abstractions: u64,
    /// Number of abstractions found in the cache.
    pub recalled: u64,
    /// Time spent on them.
    pub time: Duration,
    /// The solver's part of it.
    pub solver: robusto_logic::Statistics,
}

impl<'f> Abe<'f> {
    /// How abstractions are computed.
    pub fn kind(&self) -> AbstractionKind {
        self.abstractor.kind()
    }

    /// Terms and path formulas.
    pub fn encoder(&self) -> &Encoder<'f> {
        &self.encoder
    }

    /// The same, to make new ones.
    pub fn encoder_mut(&mut self) -> &mut Encoder<'f> {
        &mut self.encoder
    }

    /// A solver that knows nothing yet.
    pub fn fresh_solver(&self) -> Solver {
        self.abstractor.oracle.fresh()
    }

    /// The solver for abstractions forgets what it has learnt.
    pub fn restart_solver(&mut self) {
        self.abstractor.oracle.restart();
    }

    /// Π
    pub fn precision(&self) -> &Precision {
        &self.precision
    }

    /// Tracks a predicate found at a location; whether that is new.
    pub fn track(&mut self, at: Location, predicate: Term) -> bool {
        let new = self.precision.add(at, predicate);
        if new && self.precision.scope() == Scope::Shared && self.is_global(predicate) {
            self.track_at_heads(predicate);
        }
        new
    }

    /// Whether a predicate speaks of global variables alone.
    fn is_global(&self, predicate: Term) -> bool {
        let vars = &self.encoder.facts().program.vars;
        self.encoder.terms.symbols(predicate).into_iter().all(|symbol| match self.encoder.cell_of(symbol) {
            Some(Cell::Var(var, _)) => vars[var].kind.owner().is_none(),
            Some(cell) => matches!(cell, Cell::Region(_)) && matches!(self.encoder.sort(cell), Sort::Bits(_)),
            None => false,
        })
    }

    /// Tracks a predicate at all locations.
    pub fn track_everywhere(&mut self, predicate: Term) {
        let program = &self.encoder.facts().program;
        for (function, code) in program.functions.enumerate() {
            for loc in code.locs() {
                self.precision.add(Location { function, loc }, predicate);
            }
        }
    }

    /// Tracks a predicate at all loop heads where its variables belong: those of the head's function that may be read
    /// there, and globals.
    pub fn track_at_heads(&mut self, predicate: Term) {
        let program = &self.encoder.facts().program;
        let symbols = self.encoder.terms.symbols(predicate);
        let cells: Option<Vec<Cell>> = symbols.into_iter().map(|s| self.encoder.cell_of(s)).collect();
        let Some(cells) = cells else { return };
        let belongs = |at: Location, cell: Cell| match cell {
            Cell::Var(var, _) => {
                let owner = program.vars[var].kind.owner();
                owner.is_none_or(|owner| owner == at.function) && self.encoder.may_be_read(at, cell)
            }
            _ => true,
        };
        for at in self.operator.heads() {
            if cells.iter().all(|&cell| belongs(at, cell)) {
                self.precision.add(at, predicate);
            }
        }
    }

    /// The predicates that a state at a location is abstracted with: those of Π(l) with a variable that may still be read.
    pub fn predicates_at(&mut self, at: Location) -> Vec<Term> {
        let live = self.precision.live_at(&self.encoder, at);
        live.iter().map(|&variable| self.precision.predicate(variable)).collect()
    }

    /// A combination of predicates as a term.
    pub fn term_of(&mut self, label: &Product) -> Term {
        self.abstractor.term_of(&mut self.encoder, &self.precision, label)
    }

    /// A model of conditions about one block.
    pub fn solve(&mut self, conditions: &[Term]) -> Result<Option<Model>, Stopped> {
        self.abstractor.oracle.model(&mut self.encoder.terms, conditions)
    }

    /// ψ of a block and what other analyses know there, as a term over the inputs of the block.
    pub fn abstraction_term(&mut self, block: BlockId) -> Term {
        let psi = self.psi(block);
        self.encoder.terms.and(psi, self.blocks[block.index()].invariant)
    }

    /// ψ of a block as text, for people.
    pub fn show(&mut self, block: BlockId) -> String {
        let psi = self.psi(block);
        self.encoder.terms.display(psi).to_string()
    }

    /// ψ of a block as a term over the inputs of the block.
    pub(super) fn psi(&mut self, block: BlockId) -> Term {
        let psi = &self.blocks[block.index()].abstraction;
        self.abstractor.term_of(&mut self.encoder, &self.precision, psi)
    }

    /// What it took so far.
    pub fn statistics(&self) -> Statistics {
        let Self { abstractor, abstraction_time, .. } = self;
        let ((abstractions, recalled), solver) = (abstractor.counts(), abstractor.oracle.statistics());
        Statistics { abstractions, recalled, time: *abstraction_time, solver }
    }
}
