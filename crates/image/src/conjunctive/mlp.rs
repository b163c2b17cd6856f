//! The order of Moon, Hachtel and Somenzi (FMCAD 2000): a permutation in which variables live for a short time.
//!
//! The dependence matrix has a row for each part and a column for each variable to be quantified. State variables are in the set
//! whose image is computed, so their columns live from the beginning to the last row, and what is minimised is the sum of the
//! last rows. An input lives from its first row to its last one, so the rows of an input that has begun to live come next: many
//! `y ↔ w` at a time, the inputs all below the words, have exponentially many nodes. Apart from that, the matrix is brought into a lower triangular form with a border: again and again, a column with the fewest rows left is
//! taken (singletons first, as in the paper), and its rows come next. Columns of nearly all rows, such as those of the program
//! counter, are what is left as border at the end. Among columns with equally many rows, the one is taken whose rows have the
//! fewest other columns that are left; among rows, those with few columns come first.

use super::part::{Kinds, Part};
use crate::space::Space;
use robusto_diagram::VarIndex;
use robusto_limits::{Limits, Stopped};
use std::collections::{BTreeMap, BTreeSet};

/// The parts in the order in which they are multiplied.
pub(super) fn order(kinds: &Kinds, parts: Vec<Part>) -> Vec<Part> {
    // The active region: by column, its rows.
    let mut columns: BTreeMap<VarIndex, BTreeSet<usize>> = BTreeMap::new();
    for (row, part) in parts.iter().enumerate() {
        part.old.iter().for_each(|&var| {
            columns.entry(var).or_default().insert(row);
        });
    }
    // By row, how many of its columns are left.
    let mut width: Vec<usize> = parts.iter().map(|part| part.old.len()).collect();
    let mut order: Vec<usize> = Vec::with_capacity(parts.len());
    // Inputs with a row that is placed.
    let mut open: BTreeSet<VarIndex> = BTreeSet::new();
    loop {
        let weight = |rows: &BTreeSet<usize>| (rows.len(), rows.iter().map(|&row| width[row]).sum::<usize>());
        let best =
            columns.iter().min_by_key(|(var, rows)| (!open.contains(var), weight(rows), **var)).map(|(&var, _)| var);
        let Some(rows) = best.and_then(|var| columns.remove(&var)) else { break };
        let mut rows: Vec<usize> = rows.into_iter().collect();
        rows.iter().for_each(|&row| width[row] -= 1);
        rows.sort_by_key(|&row| (width[row], row));
        for &row in &rows {
            for var in &parts[row].old {
                if let Some(column) = columns.get_mut(var) {
                    column.remove(&row);
                    if kinds.is_input(*var) {
                        open.insert(*var);
                    }
                }
            }
        }
        order.extend(rows);
        columns.retain(|_, rows| !rows.is_empty());
    }
    // Parts without such variables only add.
    order.extend((0..parts.len()).filter(|&row| parts[row].old.is_empty()));
    let mut parts: Vec<Option<Part>> = parts.into_iter().map(Some).collect();
    order.into_iter().filter_map(|row| parts[row].take()).collect()
}

/// Joins neighbours, those with most variables in common first, as long as they have at most `limit` nodes.
pub(super) fn cluster(
    space: &Space,
    kinds: &Kinds,
    parts: Vec<Part>,
    limit: usize,
    limits: &Limits,
) -> Result<Vec<Part>, Stopped> {
    let mut parts = parts;
    // By pair of neighbours, the share of variables that both have; none where joining has failed.
    let mut affinities: Vec<Option<f64>> = parts.windows(2).map(|pair| Some(affinity(&pair[0], &pair[1]))).collect();
    loop {
        limits.look()?;
        let best = affinities.iter().enumerate().filter_map(|(pair, affinity)| Some((pair, (*affinity)?)));
        let best = best.reduce(|best, other| if other.1 > best.1 { other } else { best });
        let Some((pair, _)) = best else { return Ok(parts) };
        let others: Vec<&Part> = parts[..pair].iter().chain(&parts[pair + 2..]).collect();
        match kinds.join(space, [&parts[pair], &parts[pair + 1]], &others, limit)? {
            None => affinities[pair] = None,
            Some(both) => {
                parts[pair] = both;
                parts.remove(pair + 1);
                affinities.remove(pair);
                // What has failed before fails with more, too.
                if let Some(Some(left)) = pair.checked_sub(1).map(|left| &mut affinities[left]) {
                    *left = affinity(&parts[pair - 1], &parts[pair]);
                }
                if let Some(Some(right)) = affinities.get_mut(pair) {
                    *right = affinity(&parts[pair], &parts[pair + 1]);
                }
            }
        }
    }
}

/// The share of variables that two parts have in common.
fn affinity(a: &Part, b: &Part) -> f64 {
    let common = a.old.intersection(&b.old).count();
    let all = a.old.len() + b.old.len() - common;
    if all == 0 { 0.0 } else { common as f64 / all as f64 }
}
