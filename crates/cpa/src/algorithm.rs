//! Algorithm 1 of Beyer and Stahlbauer (from Beyer, Henzinger, Théoduloz): the reachability algorithm of a CPA.
//!
//! The numbers in comments are the algorithm's lines. Precisions are adjusted as in CPA+ (Beyer, Henzinger, Théoduloz:
//! *Program Analysis with Dynamic Precision Adjustment*, ASE 2008), when a state is taken from the waitlist. The adjusted
//! state takes the place of e; if it is covered, e needs no successors. What a [`Strategy`] may change:
//!
//! - Only the part of e that is new since its last expansion is expanded. Transfers of the BDD analysis distribute over
//!   union, so the result is the same, with less work.
//! - Where e is always expanded as a whole, a successor takes the place of the one that an earlier, smaller e had along the
//!   same edge, which it includes.
//!
//! Lazy abstraction goes on with a graph that was cut back ([`crate::lazy`]).

use crate::analysis::{Analysis, Merge, Prec, Step};
use crate::arg::{Arg, Contribution, StateId, Status};
use crate::composite::{Composite, State};
use crate::strategy::Strategy;
use crate::waitlist::{Order, Waitlist};
use robusto_cfa::ir::FuncId;
use robusto_limits::Stopped;
use std::ops::ControlFlow;

/// What the algorithm tells while it runs.
#[derive(Debug)]
pub enum Event<'e, D> {
    /// A state was added to the reached set, or grew.
    Reached {
        /// The node.
        id: StateId,
        /// The step that led there.
        step: Step,
        /// The state.
        state: &'e State<D>,
    },
    /// A state is about to be expanded.
    Expanding {
        /// The node.
        id: StateId,
        /// The state.
        state: &'e State<D>,
        /// Number of reached states.
        reached: usize,
        /// Number of waiting states.
        waiting: usize,
    },
}

/// How an exploration ended.
#[derive(Debug)]
pub enum Run {
    /// The waitlist is empty: the reached set is a fixed point.
    Complete,
    /// The observer asked to stop.
    Interrupted,
    /// The analysis could not go on.
    Stopped(Stopped),
}

/// An exploration: the graph so far and the states that wait.
#[derive(Debug)]
pub struct Exploration<D> {
    /// The reached set.
    pub arg: Arg<D>,
    /// What remains to be expanded.
    pub waitlist: Waitlist,
}

/// Explores from the start of a function until nothing is left, the observer breaks, or the analysis stops.
pub fn explore<A: Analysis, S: Strategy<A>>(
    cpa: &mut Composite<'_, A, S>,
    start: FuncId,
    order: Order,
    observer: impl FnMut(Event<'_, A::State>) -> ControlFlow<()>,
) -> (Exploration<A::State>, Run) {
    match Exploration::start(cpa, start, order) {
        Ok(mut exploration) => {
            let run = exploration.run(cpa, observer);
            (exploration, run)
        }
        Err(stopped) => {
            let empty = Exploration { arg: Arg::default(), waitlist: Waitlist::new(order) };
            (empty, Run::Stopped(stopped))
        }
    }
}

impl<D: Clone> Exploration<D> {
    /// Lines 1 and 2: both sets hold the initial state.
    pub fn start<A: Analysis<State = D>, S: Strategy<A>>(
        cpa: &mut Composite<'_, A, S>,
        start: FuncId,
        order: Order,
    ) -> Result<Self, Stopped> {
        let (mut arg, mut waitlist) = (Arg::default(), Waitlist::new(order));
        let initial = cpa.initial(start)?;
        let first = Contribution { origin: None, data: initial.data.clone() };
        let rank = cpa.rank(initial.location, initial.stack, &initial.data);
        let partition = cpa.partition(&initial.data);
        let id = arg.add(initial, partition, first);
        waitlist.push(id, || rank);
        Ok(Self { arg, waitlist })
    }

    /// Goes on until nothing is left, the observer breaks, or the analysis stops. A state whose expansion the observer
    /// prevents goes back to the waitlist.
    pub fn run<A: Analysis<State = D>, S: Strategy<A>>(
        &mut self,
        cpa: &mut Composite<'_, A, S>,
        mut observer: impl FnMut(Event<'_, D>) -> ControlFlow<()>,
    ) -> Run {
        match self.main_loop(cpa, &mut observer) {
            Ok(ControlFlow::Continue(())) => Run::Complete,
            Ok(ControlFlow::Break(())) => Run::Interrupted,
            Err(stopped) => Run::Stopped(stopped),
        }
    }

    fn main_loop<A: Analysis<State = D>, S: Strategy<A>>(
        &mut self,
        cpa: &mut Composite<'_, A, S>,
        observer: &mut impl FnMut(Event<'_, D>) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, Stopped> {
        let mut successors = Vec::new();
        // 3, 4
        while let Some(id) = self.waitlist.pop() {
            let Some(part) = self.take(cpa, id)? else { continue };
            let Self { arg, waitlist } = self;
            let (reached, waiting) = (arg.len(), waitlist.len());
            if observer(Event::Expanding { id, state: &arg.node(id).state, reached, waiting }).is_break() {
                waitlist.push(id, || cpa.rank(part.location, part.stack, &part.data));
                return Ok(ControlFlow::Break(()));
            }
            // 5
            cpa.successors(&part, &mut successors)?;
            let expansion = arg.expand(id, part.data);
            for (step, new) in successors.drain(..) {
                // 6: only states at the same control state and in the same partition can merge or cover.
                let partition = cpa.partition(&new.data);
                let key = (new.location, new.stack, partition);
                let mut grown = None;
                let mut covered = false;
                for i in 0..arg.at(key).len() {
                    let existing = arg.at(key)[i];
                    let previous = if cpa.replaces() { arg.previous(existing, id, step) } else { None };
                    let again = previous.is_some();
                    let old = previous.map_or(&arg.node(existing).state.data, |previous| &previous.data);
                    // 8, 9: the replacement keeps the number of e″, so it takes its place in both sets (10, 11).
                    let stopped = match cpa.data.merge(&new.data, old, new.location)? {
                        // 13: what is no more than an earlier successor is in the node as that is.
                        Merge::Keep => cpa.data.stop(&new.data, old)?,
                        Merge::Replace(data) => {
                            let contribution = Contribution { origin: Some((expansion, step)), data: new.data.clone() };
                            arg.node_mut(existing).contributions.push(contribution);
                            arg.node_mut(existing).state.data = if again { rebuilt(cpa, arg, existing)? } else { data };
                            waitlist.push(existing, || cpa.rank(new.location, new.stack, &new.data));
                            grown = Some(existing);
                            // 13
                            cpa.data.stop(&new.data, &arg.node(existing).state.data)?
                        }
                    };
                    if stopped {
                        covered = true;
                        arg.connect(id, step, existing);
                    }
                }
                // 14, 15
                if !covered {
                    let rank = cpa.rank(new.location, new.stack, &new.data);
                    let first = Contribution { origin: Some((expansion, step)), data: new.data.clone() };
                    let added = arg.add(new, partition, first);
                    arg.connect(id, step, added);
                    waitlist.push(added, || rank);
                    grown = Some(added);
                }
                if let Some(grown) = grown
                    && observer(Event::Reached { id: grown, step, state: &arg.node(grown).state }).is_break()
                {
                    return Ok(ControlFlow::Break(()));
                }
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// What of a node from the waitlist is to be expanded, if anything.
    fn take<A: Analysis<State = D>, S: Strategy<A>>(
        &mut self,
        cpa: &mut Composite<'_, A, S>,
        id: StateId,
    ) -> Result<Option<State<D>>, Stopped> {
        let arg = &mut self.arg;
        if arg.node(id).status != Status::Live {
            return Ok(None);
        }
        let state = &mut arg.node_mut(id).state;
        let (location, stack) = (state.location, state.stack);
        match cpa.data.prec(&mut state.data, location)? {
            Prec::Kept => {}
            Prec::Bottom => {
                arg.set_status(id, Status::Bottom);
                return Ok(None);
            }
            Prec::Adjusted => {
                let data = arg.node(id).state.data.clone();
                let partition = cpa.partition(&data);
                arg.set_partition(id, partition);
                for i in 0..arg.at((location, stack, partition)).len() {
                    let other = arg.at((location, stack, partition))[i];
                    if other != id && cpa.cover(&data, &arg.node(other).state.data)? {
                        arg.set_status(id, Status::Covered(other));
                        // It may have lost concrete states that it held for others.
                        if arg.may_cover(id) {
                            self.wait_again(cpa, Vec::new(), &[id]);
                        }
                        return Ok(None);
                    }
                }
            }
        }
        let whole = &mut self.arg.node_mut(id).state.data;
        let data = cpa.frontier(whole).unwrap_or_else(|| whole.clone());
        Ok(Some(State { location, stack, data }))
    }
}

/// A node's data from what it is made of.
fn rebuilt<A: Analysis, S>(
    cpa: &mut Composite<'_, A, S>,
    arg: &Arg<A::State>,
    node: StateId,
) -> Result<A::State, Stopped> {
    let at = arg.node(node).state.location;
    let mut parts = arg.latest(node, None).into_iter();
    let mut data = parts.next().expect("a node has contributions").data.clone();
    for part in parts {
        if let Merge::Replace(merged) = cpa.data.merge(&part.data, &data, at)? {
            data = merged;
        }
    }
    Ok(data)
}
