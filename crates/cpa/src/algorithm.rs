//! Algorithm 1 of Beyer and Stahlbauer (from Beyer, Henzinger, Théoduloz): the reachability algorithm of a CPA.
//!
//! The numbers in comments are the algorithm's lines. The one deviation is how line 5 is read: an analysis may hand out
//! only the part of `e` that is new since its last expansion ([`Analysis::take`]). Transfers of the BDD analysis
//! distribute over union, so the result is the same, with less work.

use crate::analysis::{Analysis, Merge, Step, Stopped};
use crate::arg::{Arg, Contribution, StateId};
use crate::composite::{Composite, State};
use crate::waitlist::{Order, Waitlist};
use robusto_cfa::ir::FuncId;
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
pub fn explore<A: Analysis>(
    cpa: &mut Composite<'_, A>,
    start: FuncId,
    order: Order,
    mut observer: impl FnMut(Event<'_, A::State>) -> ControlFlow<()>,
) -> (Exploration<A::State>, Run) {
    let mut exploration = Exploration { arg: Arg::default(), waitlist: Waitlist::new(order) };
    let run = match run(cpa, start, &mut exploration, &mut observer) {
        Ok(ControlFlow::Continue(())) => Run::Complete,
        Ok(ControlFlow::Break(())) => Run::Interrupted,
        Err(stopped) => Run::Stopped(stopped),
    };
    (exploration, run)
}

fn run<A: Analysis>(
    cpa: &mut Composite<'_, A>,
    start: FuncId,
    Exploration { arg, waitlist }: &mut Exploration<A::State>,
    observer: &mut impl FnMut(Event<'_, A::State>) -> ControlFlow<()>,
) -> Result<ControlFlow<()>, Stopped> {
    // 1, 2: both sets hold the initial state.
    let initial = cpa.initial(start)?;
    let first = Contribution { origin: None, data: initial.data.clone() };
    let rank = cpa.rank(initial.location, initial.stack);
    let id = arg.add(initial, first);
    waitlist.push(id, || rank);
    let mut successors = Vec::new();
    // 3, 4
    while let Some(id) = waitlist.pop() {
        if observer(Event::Expanding { reached: arg.len(), waiting: waitlist.len() }).is_break() {
            waitlist.push(id, || cpa.rank(arg.node(id).state.location, arg.node(id).state.stack));
            return Ok(ControlFlow::Break(()));
        }
        let state = &mut arg.node_mut(id).state;
        let data = cpa.data.take(&mut state.data);
        let part = State { location: state.location, stack: state.stack, data };
        // 5
        cpa.successors(&part, &mut successors)?;
        let expansion = arg.expand(id, part.data);
        for (step, new) in successors.drain(..) {
            // 6: only states at the same control state can merge or cover.
            let mut grown = None;
            let mut covered = false;
            for i in 0..arg.at(new.location, new.stack).len() {
                let existing = arg.at(new.location, new.stack)[i];
                // 8, 9: the replacement keeps the number of e″, so it takes its place in both sets (10, 11).
                match cpa.data.merge(&new.data, &arg.node(existing).state.data)? {
                    Merge::Keep => {}
                    Merge::Replace(data) => {
                        let node = arg.node_mut(existing);
                        node.state.data = data;
                        node.contributions
                            .push(Contribution { origin: Some((expansion, step)), data: new.data.clone() });
                        waitlist.push(existing, || cpa.rank(new.location, new.stack));
                        grown = Some(existing);
                    }
                }
                // 13
                if cpa.data.covered(&new.data, &arg.node(existing).state.data)? {
                    covered = true;
                    arg.connect(id, step, existing);
                }
            }
            // 14, 15
            if !covered {
                let rank = cpa.rank(new.location, new.stack);
                let first = Contribution { origin: Some((expansion, step)), data: new.data.clone() };
                let added = arg.add(new, first);
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
