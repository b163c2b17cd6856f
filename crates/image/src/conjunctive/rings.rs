//! The search: frame by frame, each with the states that the last one has found.

use super::bits::{self, BitRelation};
use super::chain::Chain;
use super::part::{Kinds, Part, join_in_order};
use super::{Arrangement, Options, iwls95, mlp, per_variable};
use crate::exits::Exits;
use crate::search::{Reached, Run, Trace};
use crate::space::full;
use crate::steps::Steps;
use crate::trace::Log;
use robusto_diagram::{Bdd, VarIndex};
use robusto_limits::{Limits, Stopped};
use std::collections::BTreeMap;
use std::sync::atomic::Ordering;

/// What has been reached.
pub(crate) struct Rings<'m> {
    exits: Exits<'m>,
    relation: Relation,
    /// Locations that are no sinks.
    blocks: Vec<usize>,
    /// States with their location in the counter.
    set: Bdd,
    /// By location that is a sink, whether it has been reached.
    sinks: Vec<bool>,
    log: Log,
}

/// The transition relation.
enum Relation {
    Chain(Chain),
    Union(Vec<per_variable::Disjunct>),
}

impl Relation {
    fn new(exits: &Exits<'_>, options: &Options, limits: &Limits) -> Result<Self, Stopped> {
        let bits = bits::relations(exits, options.reset_dead, limits)?;
        if options.arrangement == Arrangement::PerVariable {
            return Ok(Self::Union(per_variable::disjuncts(exits, &bits, limits)?));
        }
        let (space, limit) = (exits.space, options.cluster_limit);
        let kinds = Kinds::of(space);
        let part = |BitRelation { relation, .. }| kinds.part(space, relation);
        let parts: Vec<Part> = bits.into_iter().map(part).collect();
        let parts = match options.arrangement {
            Arrangement::Monolithic | Arrangement::PerVariable => {
                join_in_order(space, &kinds, parts, usize::MAX, limits)?
            }
            Arrangement::Iwls95 => {
                let ordered = iwls95::order(&space.diagrams, parts);
                iwls95::order(&space.diagrams, join_in_order(space, &kinds, ordered, limit, limits)?)
            }
            Arrangement::Mlp => {
                let ordered = mlp::order(&kinds, parts);
                mlp::order(&kinds, mlp::cluster(space, &kinds, ordered, limit, limits)?)
            }
        };
        Ok(Self::Chain(Chain::new(space, &parts).map_err(full)?))
    }

    fn image(&self, exits: &Exits<'_>, set: &Bdd, steps: &mut Steps<'_>, limits: &Limits) -> Result<Bdd, Stopped> {
        match self {
            Self::Chain(chain) => chain.image(exits.space, set, steps, limits),
            Self::Union(disjuncts) => per_variable::image(exits, disjuncts, set, steps, limits),
        }
    }
}

/// Explores a model.
pub(crate) fn explore<'m>(exits: Exits<'m>, options: &Options, run: &mut Run<'_, '_>) -> Result<Rings<'m>, Stopped> {
    let (model, diagrams) = (exits.model, &exits.space.diagrams);
    let relation = Relation::new(&exits, options, run.limits)?;
    run.progress.set_activity("reachability");
    let forgotten = if run.forget_dead && !options.reset_dead { forgotten(&exits)? } else { Vec::new() };
    let mut start = diagrams.and(&exits.start(run.limits)?, exits.code(0)).map_err(full)?;
    if options.reset_dead {
        // Dead words may have a value at the start, and lose it.
        let dead = (0..model.words.len()).filter(|&word| !model.live[0].contains(word));
        let dead: Vec<VarIndex> = dead.flat_map(|word| exits.space.now[word].iter().copied()).collect();
        let zero: Vec<_> = dead.iter().map(|&var| (var, false)).collect();
        start = diagrams.exists(&start, &diagrams.cube(&dead).map_err(full)?).map_err(full)?;
        start = diagrams.and(&start, &diagrams.literals(&zero).map_err(full)?).map_err(full)?;
    }
    let blocks = (0..model.places.len()).filter(|&location| !model.exits[location].is_empty()).collect();
    let sinks = vec![false; model.places.len()];
    let mut rings = Rings { exits, relation, blocks, set: start.clone(), sinks, log: Log::default() };
    rings.log.start(start.clone());
    let mut fresh = start;
    while !diagrams.is_false(&fresh) {
        run.steps.begin();
        let image = rings.relation.image(&rings.exits, &fresh, run.steps, run.limits)?;
        let image = forget(&rings.exits, &forgotten, image, run.limits)?;
        let new = diagrams.diff(&image, &rings.set).map_err(full)?;
        rings.set = diagrams.or(&rings.set, &new).map_err(full)?;
        rings.log.fire(0, fresh);
        rings.log.add(None, new.clone());
        run.steps.end(diagrams, [&rings.set]);
        run.progress.expanded.fetch_add(1, Ordering::Relaxed);
        for sink in (0..model.places.len()).filter(|&location| model.exits[location].is_empty()) {
            if !rings.sinks[sink] && !diagrams.disjoint(&new, rings.exits.code(sink)) {
                rings.sinks[sink] = true;
                if (run.is_enough)(sink) {
                    return Ok(rings);
                }
            }
        }
        fresh = new;
    }
    Ok(rings)
}

/// Locations with the same dead words: their codes, and what is dead.
fn forgotten(exits: &Exits<'_>) -> Result<Vec<(Bdd, Bdd)>, Stopped> {
    let (model, space) = (exits.model, exits.space);
    let mut regions: BTreeMap<Vec<usize>, Bdd> = BTreeMap::new();
    for (location, live) in model.live.iter().enumerate() {
        let dead: Vec<usize> = (0..model.words.len()).filter(|&word| !live.contains(word)).collect();
        let region = regions.entry(dead).or_insert_with(|| space.diagrams.bottom());
        *region = space.diagrams.or(region, exits.code(location)).map_err(full)?;
    }
    let cube = |(dead, region): (Vec<usize>, Bdd)| {
        let vars: Vec<VarIndex> = dead.iter().flat_map(|&word| space.now[word].iter().copied()).collect();
        Ok((region, space.diagrams.cube(&vars).map_err(full)?))
    };
    regions.into_iter().map(cube).collect()
}

/// The states with dead words forgotten, by location.
fn forget(exits: &Exits<'_>, forgotten: &[(Bdd, Bdd)], set: Bdd, limits: &Limits) -> Result<Bdd, Stopped> {
    if forgotten.is_empty() {
        return Ok(set);
    }
    let diagrams = &exits.space.diagrams;
    let mut all = diagrams.bottom();
    for (region, dead) in forgotten {
        limits.look()?;
        let part = diagrams.and(&set, region).map_err(full)?;
        if !diagrams.is_false(&part) {
            all = diagrams.or(&all, &diagrams.exists(&part, dead).map_err(full)?).map_err(full)?;
        }
    }
    Ok(all)
}

impl Reached for Rings<'_> {
    fn contains(&self, location: usize) -> bool {
        !self.exits.space.diagrams.disjoint(&self.set, self.exits.code(location))
    }

    fn at(&self, location: usize) -> Result<Bdd, Stopped> {
        let diagrams = &self.exits.space.diagrams;
        if self.exits.model.exits[location].is_empty() {
            return Ok(diagrams.constant(self.contains(location)));
        }
        diagrams.cofactor(&self.set, self.exits.code(location)).map_err(full)
    }

    fn trace(&self, location: usize, limits: &Limits) -> Result<Trace, Stopped> {
        self.log.walk(&self.exits, |_| &self.blocks, location, limits)
    }

    fn relations(&self) -> usize {
        match &self.relation {
            Relation::Chain(chain) => chain.len(),
            Relation::Union(disjuncts) => disjuncts.len(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::circuit::Circuit;
    use crate::model::{self, Model};
    use crate::space::Space;
    use robusto_cfa::facts::Facts;
    use robusto_cfa::ir::DataModel;
    use robusto_diagram::StoreSize;

    /// Table 1 of the paper, read literally, sends all that it does not list to location 0.
    #[test]
    fn sinks_and_unused_codes_stay_where_they_are() {
        let text = "extern unsigned char __VERIFIER_nondet_uchar(void); extern void __VERIFIER_error(void); unsigned char x;
            int main() { while (__VERIFIER_nondet_uchar()) { x++; if (x == 9) __VERIFIER_error(); while (x > 90) x -= 5; } return 0; }";
        let mut sources = robusto_syntax::SourceMap::new();
        let file = sources.add("test.c", text.to_owned()).expect("small");
        let options = robusto_cfa::Options::new(DataModel::Lp64);
        let (program, _) = robusto_cfa::compile(&mut sources, &[file], options).expect("it is C");
        let limits = Limits::none();
        let mut model = Model::of(&Facts::of(program), None, &model::Options::default(), &limits).expect("small");
        let circuit = Circuit::of(&mut model, &limits).expect("small");
        let space = Space::new(&model, &circuit, None, StoreSize::default());
        let exits = Exits::new(&model, &circuit, &space).expect("small");
        let some: Vec<_> = space.now.iter().flatten().map(|&var| (var, var.index().is_multiple_of(3))).collect();
        let codes = 0..1 << space.counter.len();
        let unlisted: Vec<usize> =
            codes.filter(|&code| circuit.exits.get(code).is_none_or(|exits| exits.is_empty())).collect();
        assert!(unlisted.len() > model.exits.iter().filter(|exits| exits.is_empty()).count(), "some are unused");
        for arrangement in [Arrangement::Monolithic, Arrangement::Iwls95, Arrangement::Mlp] {
            for reset_dead in [false, true] {
                let options = Options { arrangement, cluster_limit: 300, reset_dead };
                let relation = Relation::new(&exits, &options, &limits).expect("small");
                for &code in &unlisted {
                    let state = [&some[..], &Space::code(&space.counter, code)].concat();
                    let state = space.diagrams.literals(&state).expect("small");
                    let image = relation.image(&exits, &state, &mut Steps::default(), &limits).expect("small");
                    assert!(image == state, "{code} with {options:?}");
                }
            }
        }
    }
}
