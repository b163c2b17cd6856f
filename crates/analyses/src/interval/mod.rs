//! Interval analysis of whole programs: for each location and variable, bounds that hold in every execution.
//!
//! Cousot, Cousot: *Abstract interpretation: a unified lattice model*, POPL 1977, on the intervals of
//! [`robusto_domains`]. Flow-sensitive, not context-sensitive: one state per location; a called function starts with the
//! join over its calls, and its end flows back to all of them, where the caller's own variables and the globals that the
//! call cannot write keep the values they had. As a CPA ([`Intervals`]) it is run by [`locationwise`]: iteration over the
//! supergraph of all functions, then two rounds of narrowing. Calls make cycles of that graph (out of one call into the next),
//! which are widened as well.
//!
//! | CPA | here |
//! |---|---|
//! | E | [`State`]: an interval per variable |
//! | ⇝ | `step`, on the expressions of [`robusto_domains::machine`] |
//! | merge | merge^join; at the heads of cycles widening after a few joins, to thresholds at first |
//! | stop | ⊑ |
//! | prec | nothing: all variables are tracked everywhere |
//!
//! `formula` has the bounds as formulas.
//!
//! Memory is not tracked: a load gives any value of its type. Neither are variables that are not live: liveness does not
//! tell calling contexts apart, so a global can be dead at a call and live in the called function, for another call's sake;
//! formulas may have dropped its value at the call, and then nothing can be said of it inside.
//!
//! Soundness: each step over-approximates the concrete one, and [`locationwise`] argues the rest. The result is inductive: from
//! any state that satisfies it, every step leads to a state that satisfies it.

mod formula;
mod step;

pub use formula::within;

use robusto_cfa::facts::Facts;
use robusto_cfa::ir::{Expr, FuncId, IdxVec, LocId, Ty, VarId, fold};
use robusto_cpa::control::Location;
use robusto_cpa::locationwise::{self, Descending, Joining};
use robusto_cpa::{Analysis, Merge, NodeId, Step, Supergraph};
use robusto_domains::{Boxes, Interval, Lattice, Thresholds};
use robusto_ieee::Format;
use robusto_limits::{Limits, Stopped};

/// Values of variables; one that is not listed can have any value.
pub type State = Boxes<VarId>;

/// Times that a head joins before it widens.
const DELAY: u32 = 2;

/// Times that a head joins or widens to thresholds before it gives up bounds altogether.
const LAST_THRESHOLDS: u32 = DELAY + 16;

/// Rounds of narrowing.
const NARROWING: usize = 2;

/// What holds at each location.
pub struct Invariants {
    /// By function and location; `None` if no execution comes there.
    states: IdxVec<FuncId, IdxVec<LocId, Option<State>>>,
}

impl Invariants {
    /// Analyses the program.
    pub fn of(facts: &Facts, limits: &Limits) -> Result<Self, Stopped> {
        let graph = Supergraph::new(&facts.program, &facts.calls);
        let mut intervals = Intervals::new(facts, &graph);
        let mut states = locationwise::ascend(&mut intervals, &graph, limits)?;
        for _ in 0..NARROWING {
            locationwise::descend(&mut intervals, &graph, &mut states, limits)?;
        }
        let functions = &facts.program.functions;
        let states = functions
            .enumerate()
            .map(|(id, f)| f.locs().map(|loc| states[graph.node(id, loc)].take()).collect())
            .collect();
        Ok(Self { states })
    }

    /// Whether an execution may come to a location.
    pub fn is_reachable(&self, function: FuncId, loc: LocId) -> bool {
        self.states[function][loc].is_some()
    }

    /// The bounds at a location; `None` if no execution comes there.
    pub fn state(&self, function: FuncId, loc: LocId) -> Option<&State> {
        self.states[function][loc].as_ref()
    }

    /// The variables with bounds at a location.
    pub fn at(&self, function: FuncId, loc: LocId) -> impl Iterator<Item = (VarId, Interval)> + '_ {
        self.states[function][loc].iter().flat_map(State::iter).map(|(&var, &interval)| (var, interval))
    }
}

/// The analysis.
pub struct Intervals<'f> {
    facts: &'f Facts,
    graph: &'f Supergraph,
    thresholds: Thresholds,
    /// How often a node's state has grown.
    grown: IdxVec<NodeId, u32>,
}

impl<'f> Intervals<'f> {
    /// Prepares the analysis; it widens at the heads of the supergraph.
    pub fn new(facts: &'f Facts, graph: &'f Supergraph) -> Self {
        let grown = IdxVec::filled(0, graph.len());
        Self { facts, graph, thresholds: thresholds(facts), grown }
    }
}

impl Analysis for Intervals<'_> {
    type State = State;

    fn initial(&mut self) -> Result<State, Stopped> {
        Ok(step::start(self.facts))
    }

    fn transfer(&mut self, state: &State, step: Step) -> Result<Option<State>, Stopped> {
        Ok(step::after(self.facts, state, step))
    }

    fn merge(&mut self, new: &State, old: &State, at: Location) -> Result<Merge<State>, Stopped> {
        let node = self.graph.node(at.function, at.loc);
        let thresholds = match self.grown[node] {
            0..DELAY => None,
            _ if !self.graph.is_head(node) => None,
            DELAY..LAST_THRESHOLDS => Some(&self.thresholds),
            LAST_THRESHOLDS.. => Some(&Thresholds::NONE),
        };
        Ok(match old.grown(new, thresholds) {
            Some(grown) => {
                self.grown[node] += 1;
                Merge::Replace(grown)
            }
            None => Merge::Keep,
        })
    }

    fn stop(&self, new: &State, old: &State) -> Result<bool, Stopped> {
        Ok(new.leq(old))
    }
}

impl Joining for Intervals<'_> {
    fn combine(&mut self, before: &State, end: &State, step: Step) -> Result<Option<State>, Stopped> {
        Ok(Some(step::leave(self.facts, before, end, step)))
    }
}

impl Descending for Intervals<'_> {
    fn join(&mut self, a: &State, b: &State) -> State {
        a.join(b)
    }

    fn narrow(&mut self, wide: &State, newer: &State) -> Option<State> {
        Some(wide.narrow(newer)).filter(|state| !state.is_bottom())
    }
}

/// The constants of the program and their neighbours: where widening stops. Floats have further ones: the opposite number, and
/// the greatest number with infinity behind it.
pub fn thresholds(facts: &Facts) -> Thresholds {
    let exprs = &facts.program.exprs;
    let constants = exprs.ids().flat_map(|id| match exprs.get(id) {
        Expr::Const(Ty::Int(width @ 2..=64), bits) => vec![(u32::from(width), bits)],
        Expr::Const(ty @ (Ty::F32 | Ty::F64), bits) => {
            let width = ty.bits(exprs.model());
            let (sign, infinity) = (1 << (width - 1), Format::of(width as u16).infinity() as u64);
            [bits, infinity].into_iter().flat_map(|bits| [(width, bits), (width, bits ^ sign)]).collect()
        }
        _ => Vec::new(),
    });
    let near = |(width, bits): (u32, u64)| {
        [bits.wrapping_sub(1), bits, bits.wrapping_add(1)].map(|bits| (width, fold::mask(width, bits)))
    };
    constants.flat_map(near).collect()
}
