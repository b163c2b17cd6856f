//! Algorithm 1 with one state per location, whatever the pending calls: the reached set is a table, and there is no graph of
//! states. For analyses that run before others on whole programs and need no counterexample.
//!
//! Iteration in weak topological order (Bourdoncle: *Efficient chaotic iteration strategies with widenings*, FMPA 1993) over
//! the [`Supergraph`]; a `merge` that widens at its heads makes it finite. Then rounds of narrowing, for analyses that can
//! ([`Descending`]).
//!
//! | Algorithm 1 | here |
//! |---|---|
//! | `reached` | [`States`] |
//! | `waitlist`, `choose` | positions in the order, the least first |
//! | lines 8 to 11 | `merge`; it has all of e′, so that lines 14 and 15 add nothing ([`Joining`]) |
//! | e ⇝ e′ behind a call | [`Joining::combine`], as the called function's end belongs to all of its calls |
//!
//! Soundness: iteration ends only when no link adds to its target, so the states are a post-fixpoint; a narrowing
//! round meets a state with the join of all its incoming links, both of which contain every concrete state.

use crate::analysis::{Analysis, Merge, Prec, Step};
use crate::supergraph::{LinkId, NodeId, Supergraph};
use robusto_cfa::ir::IdxVec;
use robusto_limits::{Limits, Stopped};
use std::collections::BTreeSet;

/// An analysis whose `merge` has all concrete states of both arguments: merge^join, or a widening. So one state per location
/// is enough.
pub trait Joining: Analysis {
    /// The state behind a call, from the one before it and the one at the end of the called function, which stands for the
    /// ends of all its calls (Knoop, Steffen: *The interprocedural coincidence theorem*, CC 1992: return functions). `None`
    /// for bottom.
    fn combine(&mut self, before: &Self::State, end: &Self::State, step: Step) -> Result<Option<Self::State>, Stopped>;
}

/// An analysis whose states can be made smaller again after a widening.
pub trait Descending: Joining {
    /// A state with all concrete states of both.
    fn join(&mut self, a: &Self::State, b: &Self::State) -> Self::State;

    /// A state with at least the concrete states of both arguments in common; `None` if there are none.
    fn narrow(&mut self, wide: &Self::State, newer: &Self::State) -> Option<Self::State>;
}

/// The state of each node; `None` if no execution comes there.
pub type States<S> = IdxVec<NodeId, Option<S>>;

/// A post-fixpoint, from the start of the program.
pub fn ascend<A: Joining>(analysis: &mut A, graph: &Supergraph, limits: &Limits) -> Result<States<A::State>, Stopped> {
    let mut states = IdxVec::filled(None, graph.len());
    let Some(start) = graph.start() else { return Ok(states) };
    states[start] = Some(analysis.initial()?);
    let mut waiting = BTreeSet::from([graph.position(start)]);
    while let Some(position) = waiting.pop_first() {
        limits.poll()?;
        let node = graph.order()[position];
        if let Some(state) = &mut states[node]
            && analysis.prec(state, graph.location(node))? == Prec::Bottom
        {
            continue;
        }
        for &link in graph.outgoing(node) {
            let Some(new) = along(analysis, graph, link, &states)? else { continue };
            let target = graph.get(link).target;
            let grown = match &states[target] {
                None => new,
                Some(old) => match analysis.merge(&new, old, graph.location(target))? {
                    Merge::Keep => {
                        debug_assert!(analysis.stop(&new, old)?, "merge has all of both");
                        continue;
                    }
                    Merge::Replace(merged) => merged,
                },
            };
            states[target] = Some(grown);
            waiting.insert(graph.position(target));
        }
    }
    Ok(states)
}

/// One round of narrowing: meets each state with what its incoming links give.
pub fn descend<A: Descending>(
    analysis: &mut A,
    graph: &Supergraph,
    states: &mut States<A::State>,
    limits: &Limits,
) -> Result<(), Stopped> {
    for &node in graph.order() {
        limits.poll()?;
        if states[node].is_none() {
            continue;
        }
        let mut new = if graph.start() == Some(node) { Some(analysis.initial()?) } else { None };
        for &link in graph.incoming(node) {
            if let Some(state) = along(analysis, graph, link, states)? {
                new = Some(match new {
                    Some(old) => analysis.join(&old, &state),
                    None => state,
                });
            }
        }
        let old = states[node].take();
        states[node] = old.zip(new).and_then(|(old, new)| analysis.narrow(&old, &new));
    }
    Ok(())
}

/// The state that a link gives to its target.
fn along<A: Joining>(
    analysis: &mut A,
    graph: &Supergraph,
    link: LinkId,
    states: &States<A::State>,
) -> Result<Option<A::State>, Stopped> {
    let link = graph.get(link);
    let Some(state) = &states[link.source] else { return Ok(None) };
    match link.end.map(|end| &states[end]) {
        None => analysis.transfer(state, link.step),
        Some(Some(end)) => analysis.combine(state, end, link.step),
        Some(None) => Ok(None),
    }
}
