//! The order of Ranjan, Aziz, Brayton, Plessier and Pixley (IWLS 1995): always the part of highest benefit next.
//!
//! For a part, let `v` be how many variables can be quantified behind it, because no other part that is left has them; `w` its
//! variables to be quantified; `x` all that are left; `y` its next variables, `z` all of those that are left; `m` the lowest
//! level of its variables to be quantified, `M` that of all parts. The benefit is `6 v/w + w/x - y/z + 2 m/M`: quantify much; take
//! what is needed for quantifying more; bring in few new variables; begin near the leaves.

use super::part::Part;
use robusto_diagram::{Diagrams, VarIndex};
use rustc_hash::FxHashMap;

/// What the four terms weigh.
const WEIGHTS: [f64; 4] = [6.0, 1.0, -1.0, 2.0];

/// The parts in the order in which they are multiplied.
pub(super) fn order(diagrams: &Diagrams, parts: Vec<Part>) -> Vec<Part> {
    // By variable, how many of the parts that are left have it.
    let mut users: FxHashMap<VarIndex, usize> = FxHashMap::default();
    parts.iter().flat_map(|part| &part.old).for_each(|&var| *users.entry(var).or_default() += 1);
    let lowest = |part: &Part| part.old.iter().map(|&var| diagrams.level(var) + 1).max().unwrap_or(0);
    let mut left: Vec<(usize, Part)> = parts.into_iter().map(|part| (lowest(&part), part)).collect();
    let mut ordered = Vec::with_capacity(left.len());
    while !left.is_empty() {
        let next: usize = left.iter().map(|(_, part)| part.next).sum();
        let deepest = left.iter().map(|(lowest, _)| *lowest).max().unwrap_or(0);
        let ratio = |a: usize, b: usize| if b == 0 { 0.0 } else { a as f64 / b as f64 };
        let benefit = |(lowest, part): &(usize, Part)| -> f64 {
            let done = part.old.iter().filter(|var| users[var] == 1).count();
            let terms = [
                ratio(done, part.old.len()),
                ratio(part.old.len(), users.len()),
                ratio(part.next, next),
                ratio(*lowest, deepest),
            ];
            terms.iter().zip(WEIGHTS).map(|(term, weight)| term * weight).sum()
        };
        // The first of those that are best.
        let mut best = (0, f64::NEG_INFINITY);
        for (number, candidate) in left.iter().enumerate() {
            let benefit = benefit(candidate);
            if benefit > best.1 {
                best = (number, benefit);
            }
        }
        let (_, part) = left.remove(best.0);
        for var in &part.old {
            if let Some(count) = users.get_mut(var) {
                *count -= 1;
                if *count == 0 {
                    users.remove(var);
                }
            }
        }
        ordered.push(part);
    }
    ordered
}
