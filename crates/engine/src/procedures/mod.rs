//! A program as procedures: the functions that are *kept* each by itself, without the stacks below them.
//!
//! What is not kept is part of its callers. A kept function is cut at *cut points*: its entry, the heads of its loops (those
//! of functions that are part of it too, one per list of pending calls within the activation), the places where a kept
//! function is called, its exit. Between them are *links*, each with the formula of all paths from one cut point to the
//! next that pass no other.
//!
//! | place | values |
//! |---|---|
//! | start of a link | inputs of cells, [`Encoder::input`]; for those that never change, and at the entry, [`Encoder::old`] |
//! | start of `main`, unless it is recursive | the initial values of the program |
//! | behind a call | what the call may change has any value, [`Encoder::step_over`] |
//!
//! A link that starts behind a call ([`Link::over`]) speaks of the values before the call and of those that the call leaves;
//! what is known of the callee relates them ([`Call::before`], [`Call::behind`]).
//!
//! A function that calls a kept one is kept. So the pending calls within an activation are calls of functions that call no
//! kept one, and each variable has one activation there: number 0.
//!
//! Soundness: each execution of a kept function follows the links, by the soundness of the encoder and of
//! [`Encoder::step_over`]. Paths are left out only where nothing that decides the verdict can be reached. Addresses of local
//! objects depend on the activation, so a recursive function that has some is refused.

mod calls;
mod cuts;
mod kept;

pub use calls::Call;
pub use cuts::{Cut, CutId, CutKind, End, Link};
pub use kept::{Keep, expansions, kept};

use crate::unroll::{Counting, PathStep, Relevance, Unroller};
use cuts::Walk;
use robusto_analyses::symbolic::{Cell, Encoder};
use robusto_cfa::ir::FuncId;
use robusto_cpa::Step;
use robusto_limits::{Limits, Stopped};
use robusto_logic::{Model, Term};
use rustc_hash::FxHashMap;

/// A kept function.
#[derive(Debug)]
pub struct Procedure {
    /// The function.
    pub function: FuncId,
    /// Whether the program starts here, and nothing calls it again: then there is one entry, the start.
    pub is_start: bool,
    /// Cells that keep the value of the entry: where a link starts, they have it as [`Encoder::old`] names it.
    pub constant: Vec<Cell>,
    /// The cut points; the first is the entry, the second the exit.
    pub cuts: Vec<Cut>,
    /// The ways between them.
    pub links: Vec<Link>,
    /// The calls of kept functions.
    pub calls: Vec<Call>,
}

/// The kept functions of a program.
pub struct Procedures<'f> {
    /// `main` first.
    pub list: Vec<Procedure>,
    numbers: FxHashMap<FuncId, usize>,
    unroller: Unroller<'f>,
}

impl<'f> Procedures<'f> {
    /// Cuts a program that has a `main`.
    pub fn of(encoder: &mut Encoder<'f>, keep: Keep, limits: &Limits) -> Result<Self, Stopped> {
        let facts = encoder.facts();
        let kept = kept(facts, keep)?;
        let unroller = Unroller::new(facts, Counting::Blocks).keeping(&kept);
        let mut walk = Walk { encoder, unroller, limits, origin: 0, relevance: Relevance::of(facts) };
        let list = kept.iter().map(|&function| walk.procedure(function)).collect::<Result<Vec<_>, _>>()?;
        let numbers = kept.iter().enumerate().map(|(i, &function)| (function, i)).collect();
        Ok(Self { list, numbers, unroller: walk.unroller })
    }

    /// The procedure of a function, as a number of the list.
    pub fn number(&self, function: FuncId) -> Option<usize> {
        self.numbers.get(&function).copied()
    }

    /// Forgets the links that end with a step along an error edge, which has been decided.
    pub fn forget(&mut self, step: Step) {
        for procedure in &mut self.list {
            procedure.links.retain(|link| link.to != End::Violation(step));
        }
    }

    /// The steps of the path along a link that a model of its formula takes. Those of a call that it starts behind are not
    /// among them.
    pub fn steps(&self, encoder: &Encoder<'_>, link: &Link, model: &Model) -> Vec<PathStep> {
        let Some(node) = link.node else { return Vec::new() };
        let mut path = self.unroller.path_to(encoder, node, model);
        path.extend(link.last.map(|step| PathStep::new(step, 0)));
        path
    }
}

impl Procedure {
    /// The cells that may still be read when control is at a cut point; of all others nothing must be said there.
    pub fn is_readable(&self, encoder: &Encoder<'_>, cut: CutId, cell: Cell) -> bool {
        let cut = &self.cuts[cut.index()];
        crate::certificate::may_be_read(encoder, &cut.calls, cut.location, cell)
    }

    /// That what never changes has the value that it had at the entry, as far as both may be read.
    pub fn unchanged(&self, encoder: &mut Encoder<'_>, cut: CutId) -> Term {
        let mut equal = Vec::new();
        for &cell in &self.constant {
            if self.is_readable(encoder, cut, cell) && self.is_readable(encoder, CutId::ENTRY, cell) {
                let (now, old) = (encoder.input(cell), encoder.old(cell));
                equal.push(encoder.terms.eq(now, old));
            }
        }
        encoder.terms.and_all(&equal)
    }

    /// The cut points with their numbers.
    pub fn numbered(&self) -> impl Iterator<Item = (CutId, &Cut)> {
        self.cuts.iter().enumerate().map(|(i, cut)| (CutId::new(i), cut))
    }

    /// A cut point.
    pub fn cut(&self, id: CutId) -> &Cut {
        &self.cuts[id.index()]
    }
}
