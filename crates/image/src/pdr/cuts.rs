//! Where frames are kept: at the heads of loops, and where paths between them become long.

use crate::model::{Model, Place};

/// Longest path between two cut points, in blocks. (Of nine programs from `ssh-simplified`, `systemc`, `psyco` and `locks`, 5, 7, 5 and 4
/// are solved in 10 s with 15, 50, 100 and 200: long paths make slow questions, many cuts make many obligations.)
pub(super) const LONGEST: usize = 50;

/// The locations of a model in an order in which all edges but those to cut points go forward.
pub(super) struct Cuts {
    /// Locations that can be come to, in reverse post-order.
    pub order: Vec<usize>,
    /// By location, its place in the order.
    pub position: Vec<usize>,
    /// By location, whether it is a cut point.
    pub is_cut: Vec<bool>,
    /// By location, whether something can be reached from it that must not be.
    pub is_relevant: Vec<bool>,
}

/// Whether a location must not be reached.
pub(super) fn is_bad(place: &Place) -> bool {
    matches!(place, Place::Target(..) | Place::Gap(_) | Place::Bound(..))
}

impl Cuts {
    pub fn of(model: &Model, longest: usize) -> Self {
        let (order, mut is_cut) = depth_first(model);
        let mut position = vec![usize::MAX; model.places.len()];
        order.iter().enumerate().for_each(|(i, &at)| position[at] = i);
        let mut length = vec![0; model.places.len()];
        for &at in &order {
            if length[at] >= longest && !model.exits[at].is_empty() {
                is_cut[at] = true;
            }
            let from = if is_cut[at] { 0 } else { length[at] };
            for exit in model.exits[at].iter().filter(|exit| position[exit.to] > position[at]) {
                length[exit.to] = length[exit.to].max(from + 1);
            }
        }
        let mut is_relevant: Vec<bool> = model.places.iter().map(is_bad).collect();
        loop {
            let mut changes = false;
            for &at in order.iter().rev() {
                if !is_relevant[at] && model.exits[at].iter().any(|exit| is_relevant[exit.to]) {
                    is_relevant[at] = true;
                    changes = true;
                }
            }
            if !changes {
                break;
            }
        }
        Self { order, position, is_cut, is_relevant }
    }
}

/// Reverse post-order, and which locations an edge leads back to.
fn depth_first(model: &Model) -> (Vec<usize>, Vec<bool>) {
    #[derive(Clone, Copy, PartialEq)]
    enum Seen {
        No,
        Open,
        Done,
    }
    let mut seen = vec![Seen::No; model.places.len()];
    let mut is_head = vec![false; model.places.len()];
    let mut post = Vec::new();
    let mut stack = vec![(0, 0)];
    seen[0] = Seen::Open;
    while let Some((at, next)) = stack.last_mut() {
        let Some(exit) = model.exits[*at].get(*next) else {
            seen[*at] = Seen::Done;
            post.push(*at);
            stack.pop();
            continue;
        };
        *next += 1;
        match seen[exit.to] {
            Seen::No => {
                seen[exit.to] = Seen::Open;
                stack.push((exit.to, 0));
            }
            Seen::Open => is_head[exit.to] = true,
            Seen::Done => {}
        }
    }
    post.reverse();
    (post, is_head)
}
