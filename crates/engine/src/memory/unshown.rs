//! Accesses that a `true` takes to be valid.
//!
//! Where accesses are not checked, an execution ends at its first invalid one, and a `true` says nothing of what lies
//! behind. So it tells how many accesses were not shown to be valid: neither by the form of their addresses, nor by an
//! access that dominates them, nor by where pointers point and the bounds of indices.

use crate::property::place;
use robusto_cfa::ir::SrcPos;
use robusto_verdict::{Assumption, Place, Report};

/// So many places are named.
const NAMED: usize = 3;

/// Tells in a report which accesses were not shown to be valid, among the assumptions.
pub(crate) fn tell(open: &[SrcPos], report: &mut Report) {
    let mut places: Vec<Place> = open.iter().map(|&pos| place(pos)).collect();
    places.sort_unstable_by_key(|at| (at.file, at.line, at.column));
    places.dedup();
    for (i, &pos) in places.iter().take(NAMED).enumerate() {
        let text = match (i, open.len()) {
            (0, 1) => {
                "1 access to memory was not shown to be valid; `--property memory` checks it; it is here".to_owned()
            }
            (0, all) => format!(
                "{all} accesses to memory were not shown to be valid; `--property memory` checks them; the first is here"
            ),
            _ => "another access that was not shown to be valid".to_owned(),
        };
        report.assumptions.push(Assumption { text: text.into(), pos });
    }
}
