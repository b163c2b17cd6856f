//! Of many clauses about all elements, those that together hold along every link.
//!
//! Flanagan, Leino: *Houdini, an annotation assistant for ESC/Java*, FME 2001, with clauses that hold for all indices: along a
//! link, they are assumed of the index in question and of those at which its paths access memory.

use crate::certificate::instances::{Accesses, any_index, at_index};
use crate::relations::graph::{Asking, Graph, Link};
use robusto_limits::Stopped;
use robusto_logic::{Answer, Term};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Effort for all clauses at once, and for each.
const MAX_CONFLICTS: [i32; 2] = [4_000, 30_000];

/// The clauses at each point, and what was computed of them.
pub(super) struct Clauses {
    pub at: Vec<Vec<Term>>,
    any: Term,
    /// By link, or by violation of a point: the indices at which its paths access memory.
    indices: FxHashMap<Vec<Term>, Vec<Term>>,
    instances: FxHashMap<(Term, Term), Term>,
    /// By link and clause: the clause at its end, in terms of the values at its start.
    after: FxHashMap<(usize, Term), Term>,
    /// All clauses that there were.
    all: Term,
}

impl Clauses {
    /// All that may hold.
    pub fn new(asking: &mut Asking<'_, '_>, at: Vec<Vec<Term>>) -> Self {
        let any = any_index(asking.encoder);
        let every: Vec<Term> = at.iter().flatten().copied().collect();
        let all = asking.encoder.terms.and_all(&every);
        Self {
            at,
            any,
            indices: FxHashMap::default(),
            instances: FxHashMap::default(),
            after: FxHashMap::default(),
            all,
        }
    }

    /// Drops what does not hold, until the rest does.
    pub fn thin_out(&mut self, asking: &mut Asking<'_, '_>, graph: &Graph) -> Result<(), Stopped> {
        let mut todo: BTreeSet<usize> = (0..graph.links.len()).collect();
        while let Some(i) = todo.pop_first() {
            let to = graph.links[i].to;
            let before = self.at[to].len();
            self.hold_along(asking, graph, i)?;
            if self.at[to].len() < before {
                todo.extend(graph.dependents(to));
            }
        }
        Ok(())
    }

    /// What holds at the source of paths, also of the elements that these access: each fact with an instance of it.
    pub fn each_before(
        &mut self,
        asking: &mut Asking<'_, '_>,
        from: Option<usize>,
        paths: &[Term],
    ) -> Vec<(Term, Term)> {
        let Some(from) = from else { return Vec::new() };
        let terms = &mut asking.encoder.terms;
        let (any, all) = (self.any, self.all);
        let indices =
            self.indices.entry(paths.to_vec()).or_insert_with(|| Accesses::of(terms, paths).indices(terms, any, all));
        let mut holds = Vec::new();
        for &clause in &self.at[from] {
            holds.push((clause, clause));
            for &index in indices.iter() {
                let instance = self.instances.entry((clause, index));
                let instance = *instance.or_insert_with(|| at_index(terms, any, index, clause));
                if instance != clause {
                    holds.push((clause, instance));
                }
            }
        }
        holds
    }

    /// All of it, and what is known of scalars.
    pub fn before(&mut self, asking: &mut Asking<'_, '_>, graph: &Graph, from: Option<usize>, paths: &[Term]) -> Term {
        let mut holds: Vec<Term> = from.map(|from| graph.points[from].known).into_iter().collect();
        holds.extend(self.each_before(asking, from, paths).into_iter().map(|(_, instance)| instance));
        asking.encoder.terms.and_all(&holds)
    }

    /// A clause at the end of a link, in terms of the values at its start.
    pub fn after(&mut self, asking: &mut Asking<'_, '_>, graph: &Graph, link: usize, clause: Term) -> Term {
        let paths = &graph.links[link].way.paths;
        *self.after.entry((link, clause)).or_insert_with(|| asking.encoder.apply(paths, clause))
    }

    /// What is known of scalars is a clause like others, from now on.
    pub fn extend(&mut self, asking: &mut Asking<'_, '_>, known: &[Term]) {
        for (clauses, &known) in self.at.iter_mut().zip(known) {
            let mut all = asking.encoder.terms.conjuncts(known);
            all.sort_unstable();
            all.append(clauses);
            *clauses = all;
        }
    }

    fn hold_along(&mut self, asking: &mut Asking<'_, '_>, graph: &Graph, link: usize) -> Result<(), Stopped> {
        let to = graph.links[link].to;
        while !self.at[to].is_empty() {
            let some = self.at[to].clone();
            match self.drop_refuted(asking, graph, link, &some, MAX_CONFLICTS[0])? {
                Some(Answer::Sat) => {}
                Some(Answer::Unsat) => return Ok(()),
                None => break,
            }
        }
        for clause in self.at[to].clone() {
            if !self.at[to].contains(&clause) {
                continue;
            }
            if self.drop_refuted(asking, graph, link, &[clause], MAX_CONFLICTS[1])?.is_none() {
                self.at[to].retain(|&c| c != clause);
            }
        }
        Ok(())
    }

    /// Looks for a path along a link to a state that violates one of some clauses, and drops all that it violates.
    fn drop_refuted(
        &mut self,
        asking: &mut Asking<'_, '_>,
        graph: &Graph,
        link: usize,
        some: &[Term],
        conflicts: i32,
    ) -> Result<Option<Answer>, Stopped> {
        let Link { way, to } = &graph.links[link];
        let looked_at: Vec<Term> = way.paths.env.values().copied().chain([way.paths.guard]).collect();
        let assumed = self.before(asking, graph, way.from, &looked_at);
        let hold: Vec<Term> = some.iter().map(|&clause| self.after(asking, graph, link, clause)).collect();
        let hold = asking.encoder.terms.and_all(&hold);
        let fail = asking.encoder.terms.not(hold);
        let question = [assumed, way.paths.guard, fail];
        let answer = asking.solver.check_within(&mut asking.encoder.terms, &question, conflicts)?;
        if answer == Some(Answer::Sat) {
            let model = asking.solver.model(&asking.encoder.terms);
            let mut kept = std::mem::take(&mut self.at[*to]);
            kept.retain(|&clause| {
                let after = self.after(asking, graph, link, clause);
                asking.encoder.terms.evaluate(after, &model) == 1
            });
            self.at[*to] = kept;
        }
        Ok(answer)
    }

    /// The clauses of a point for the indices at which paths from there access memory, as far as these are values at the point.
    pub fn hints(&mut self, asking: &mut Asking<'_, '_>, graph: &Graph, from: usize, paths: &[Term]) -> Vec<Term> {
        let terms = &mut asking.encoder.terms;
        let indices = Accesses::of(terms, paths).indices(terms, self.any, self.all);
        let indices: Vec<Term> =
            indices.into_iter().filter(|&i| graph.points[from].can_say(asking.encoder, i)).collect();
        let terms = &mut asking.encoder.terms;
        let mut found = Vec::new();
        for &clause in &self.at[from] {
            found.extend(indices.iter().map(|&index| at_index(terms, self.any, index, clause)));
        }
        found
    }
}
