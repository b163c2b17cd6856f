//! What a proof rests on: of all that holds at the points, what is needed for the error edges and for itself.
//!
//! From the cores of the questions about violations, over the links backwards: what a core has is needed at the source, and
//! has to be shown in turn. A certificate with a tenth of the facts is checked in a tenth of the time, or at all.

use super::inductive::Clauses;
use crate::relations::graph::{Asking, Graph};
use robusto_limits::Stopped;
use robusto_logic::{Answer, Term};
use rustc_hash::FxHashSet;

/// Effort for each question.
const MAX_CONFLICTS: i32 = 50_000;

/// What is needed.
pub(super) enum Needed {
    /// These facts at each point, each of which was shown.
    Facts(Vec<Vec<Term>>),
    /// A question was too hard.
    TooHard,
    /// Something does not follow from what is known where paths start. (What is known of scalars may rest on elements that
    /// other paths access.)
    NotShown,
}

/// The needed ones of the facts at each point, which hold along all links. Paths have the constants at their source built in, so
/// that no core has them: these are needed anyway.
pub(super) fn needed(
    asking: &mut Asking<'_, '_>,
    graph: &Graph,
    constants: &[Vec<Term>],
    clauses: &mut Clauses,
) -> Result<Needed, Stopped> {
    let mut slice = Slice { found: vec![Vec::new(); graph.points.len()], seen: FxHashSet::default(), todo: Vec::new() };
    for (point, facts) in constants.iter().enumerate() {
        facts.iter().for_each(|&fact| slice.need(point, fact));
    }
    for from in 0..=graph.points.len() {
        let source = (from < graph.points.len()).then_some(from);
        for &guard in graph.violations[from].iter().chain(&graph.unmodelled[from]) {
            if let Some(open) = slice.show(asking, clauses, source, &[guard], &[guard])? {
                return Ok(open);
            }
        }
    }
    while let Some((point, fact)) = slice.todo.pop() {
        for (number, link) in graph.links.iter().enumerate().filter(|(_, link)| link.to == point) {
            let paths = &link.way.paths;
            let after = clauses.after(asking, graph, number, fact);
            let fails = asking.encoder.terms.not(after);
            let looked_at: Vec<Term> = paths.env.values().copied().chain([paths.guard]).collect();
            if let Some(open) = slice.show(asking, clauses, link.way.from, &looked_at, &[paths.guard, fails])? {
                return Ok(open);
            }
        }
    }
    Ok(Needed::Facts(slice.found))
}

struct Slice {
    found: Vec<Vec<Term>>,
    seen: FxHashSet<(usize, Term)>,
    /// What is needed, and still to be shown.
    todo: Vec<(usize, Term)>,
}

impl Slice {
    /// A fact is needed at a point.
    fn need(&mut self, point: usize, fact: Term) {
        if self.seen.insert((point, fact)) {
            self.found[point].push(fact);
            self.todo.push((point, fact));
        }
    }

    /// Shows that something is excluded by what holds at a source; what that takes is needed there. Else why it is not.
    fn show(
        &mut self,
        asking: &mut Asking<'_, '_>,
        clauses: &mut Clauses,
        from: Option<usize>,
        paths: &[Term],
        bad: &[Term],
    ) -> Result<Option<Needed>, Stopped> {
        // What was needed already comes first, so that cores have it.
        let mut holds = clauses.each_before(asking, from, paths);
        holds.sort_by_key(|(fact, _)| from.is_some_and(|from| !self.seen.contains(&(from, *fact))));
        let kept = holds.iter().filter(|(fact, _)| from.is_some_and(|from| self.seen.contains(&(from, *fact))));
        let known: Vec<Term> = kept.map(|&(_, instance)| instance).chain(bad.iter().copied()).collect();
        let terms = &mut asking.encoder.terms;
        if asking.solver.check_within(terms, &known, MAX_CONFLICTS / 10)? == Some(Answer::Unsat) {
            return Ok(None);
        }
        let all: Vec<Term> = holds.iter().map(|&(_, instance)| instance).chain(bad.iter().copied()).collect();
        match asking.solver.check_within(terms, &all, MAX_CONFLICTS)? {
            Some(Answer::Unsat) => {}
            Some(Answer::Sat) => return Ok(Some(Needed::NotShown)),
            None => return Ok(Some(Needed::TooHard)),
        }
        let core: FxHashSet<Term> = asking.solver.core().iter().copied().collect();
        holds.retain(|(_, instance)| core.contains(instance));
        // Cores are not minimal: without what goes easily. What is new goes first.
        let mut i = holds.len();
        while i > 0 {
            i -= 1;
            let others = holds.iter().enumerate().filter(|&(j, _)| j != i).map(|(_, &(_, instance))| instance);
            let question: Vec<Term> = others.chain(bad.iter().copied()).collect();
            if asking.solver.check_within(terms, &question, MAX_CONFLICTS / 50)? == Some(Answer::Unsat) {
                holds.remove(i);
            }
        }
        for (fact, _) in holds {
            from.into_iter().for_each(|from| self.need(from, fact));
        }
        Ok(None)
    }
}
