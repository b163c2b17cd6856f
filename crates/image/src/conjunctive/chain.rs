//! Images by one product after the other: `∃ X, P, W. D ∧ T1 ∧ … ∧ Tn`, each variable quantified behind the last part that has it.

use super::part::Part;
use crate::space::{Space, full};
use crate::steps::Steps;
use robusto_diagram::{Bdd, Full, Renaming, VarIndex};
use robusto_limits::{Limits, Stopped};

/// Parts with what is quantified behind each.
pub(super) struct Chain {
    links: Vec<(Bdd, Bdd)>,
    /// Next to now.
    renaming: Renaming,
}

impl Chain {
    /// The schedule of parts in this order.
    pub fn new(space: &Space, parts: &[Part]) -> Result<Self, Full> {
        let diagrams = &space.diagrams;
        let now = space.now.iter().flatten().chain(&space.counter).copied().chain(space.inputs());
        // What no part has is quantified with the first.
        let last = |var: &VarIndex| parts.iter().rposition(|part| part.old.contains(var)).unwrap_or(0);
        let mut quantified: Vec<Vec<VarIndex>> = vec![Vec::new(); parts.len()];
        now.for_each(|var| quantified[last(&var)].push(var));
        let links = parts.iter().zip(quantified).map(|(part, vars)| Ok((part.relation.clone(), diagrams.cube(&vars)?)));
        let words = space.next.iter().flatten().copied().zip(space.now.iter().flatten().copied());
        let counter = space.next_counter.iter().copied().zip(space.counter.iter().copied());
        let pairs: Vec<(VarIndex, VarIndex)> = words.chain(counter).collect();
        Ok(Self { links: links.collect::<Result<_, Full>>()?, renaming: diagrams.renaming(&pairs)? })
    }

    /// How many parts there are.
    pub fn len(&self) -> usize {
        self.links.len()
    }

    /// The successors of a set.
    pub fn image(&self, space: &Space, set: &Bdd, steps: &mut Steps<'_>, limits: &Limits) -> Result<Bdd, Stopped> {
        let diagrams = &space.diagrams;
        let mut product = set.clone();
        for (relation, quantified) in &self.links {
            limits.look()?;
            product = diagrams.and_exists(&product, relation, quantified).map_err(full)?;
            steps.product(diagrams, &product);
        }
        diagrams.rename(&product, &self.renaming).map_err(full)
    }
}
