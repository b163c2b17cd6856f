//! One store for all clusters, or one for each with an order of variables of its own (Section 4.2).
//!
//! With a store for each cluster, its relation and its set of states are there. What an image finds for another cluster is copied
//! node by node into the store of that one, where the order is another one. The model's own store has the start, and what is
//! asked in the end.

use super::cluster::Clusters;
use crate::exits::Exits;
use crate::model::WordSet;
use crate::space::{Space, full};
use crate::steps::Steps;
use robusto_diagram::{Bdd, Diagrams, VarIndex};
use robusto_limits::{Limits, Stopped};
use std::time::Instant;

/// How many stores there are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Stores {
    /// One for all clusters.
    #[default]
    One,
    /// One for each cluster; only for searches from the start.
    Each,
}

/// A store for each cluster, given the words that it uses: these are first in its order, each group as in the model's own.
pub(super) fn open<'m>(exits: &Exits<'m>, used: &[WordSet]) -> Result<Vec<Exits<'m>>, Stopped> {
    let Exits { model, circuit, space, .. } = *exits;
    let spaces = space.others(model, circuit, used.len());
    let order = space.diagrams.order();
    let mut all = Vec::with_capacity(spaces.len());
    for (own, words) in spaces.iter().zip(used) {
        let mut is_other = vec![false; order.len()];
        let others = (0..model.words.len()).filter(|&word| !words.contains(word));
        for var in others.flat_map(|word| own.now[word].iter().chain(&own.next[word])) {
            is_other[var.index()] = true;
        }
        let mut order: Vec<VarIndex> = order.clone();
        order.sort_by_key(|var| is_other[var.index()]);
        own.diagrams.set_order(&order).map_err(full)?;
        all.push(Exits::new(model, circuit, own)?);
    }
    Ok(all)
}

impl<'m> Clusters<'m> {
    /// The store of a cluster; without a cluster, the model's own.
    pub fn store(&self, cluster: Option<usize>) -> &Exits<'m> {
        cluster.and_then(|cluster| self.own.get(cluster)).unwrap_or(&self.exits)
    }

    /// A set of one cluster's store as one of another's.
    pub fn bring(
        &self,
        set: &Bdd,
        from: Option<usize>,
        to: Option<usize>,
        steps: &mut Steps<'_>,
        limits: &Limits,
    ) -> Result<Bdd, Stopped> {
        let [source, target] = [from, to].map(|cluster| self.store(cluster).space);
        if std::ptr::eq::<Space>(source, target) {
            return Ok(set.clone());
        }
        let begin = Instant::now();
        let copy = copy(&source.diagrams, &target.diagrams, set, limits)?;
        steps.transfer(source.diagrams.node_count(set), begin.elapsed());
        Ok(copy)
    }
}

/// The same function in another store. With another order it may be much larger there.
fn copy(from: &Diagrams, to: &Diagrams, set: &Bdd, limits: &Limits) -> Result<Bdd, Stopped> {
    from.fold(set, Ok(to.top()), Ok(to.bottom()), |var, high, low| {
        limits.look()?;
        let (var, high, low) = (to.var(var).map_err(full)?, high?, low?);
        to.ite(&var, &high, &low).map_err(full)
    })
}
