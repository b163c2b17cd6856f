//! What engines on the finite-state model ([`robusto_image::model`]) share: verdicts by the locations that are reached,
//! executions along paths, sets of states as certificates.

pub(crate) mod execution;
pub(crate) mod invariant;

use crate::problem::Problem;
use crate::property::edge_of;
use robusto_image::model::{Model, Place};
use robusto_verdict::Reason;

/// The location behind each target of a problem, if there is one: a target that no step of the model takes has none.
pub(crate) fn targets(problem: &Problem, model: &Model) -> Vec<Option<usize>> {
    let at = |target| {
        let (function, edge) = edge_of(target);
        model.places.iter().position(|place| *place == Place::Target(function, edge))
    };
    problem.targets.iter().map(at).collect()
}

/// Why a model in which some location is reached does not tell everything.
pub(crate) fn incomplete(model: &Model, is_reached: impl Fn(usize) -> bool) -> Option<Reason> {
    let reason = |place: &Place| match place {
        Place::Gap(what) => Some(Reason::Unsupported(what.clone())),
        Place::Bound(_, bound) => Some(Reason::Bound(*bound)),
        Place::Control(..) | Place::End | Place::Target(..) => None,
    };
    let mut reached = model.places.iter().enumerate().filter(|&(location, _)| is_reached(location));
    reached.find_map(|(_, place)| reason(place))
}
