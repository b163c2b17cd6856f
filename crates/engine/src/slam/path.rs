//! The concrete path along an execution of the Boolean program: a path through each link that has the values of the
//! predicates there.

use super::abstraction::{Abstraction, Literal};
use super::formula::Formula;
use super::names::Names;
use super::verify::Event;
use crate::cegar::path::PathStep;
use crate::procedures::{CutId, End, Link};
use robusto_cpa::Step;
use robusto_limits::Stopped;
use robusto_logic::{Answer, Term, Terms};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// A concrete path.
pub struct Path {
    /// Its steps; a block is a link, a call or a return.
    pub steps: Vec<PathStep>,
    /// Where control is behind each block.
    pub boundaries: Vec<Boundary>,
    /// What the last link ends with.
    pub end: End,
}

/// Where control is between two blocks.
#[derive(Clone, Debug)]
pub struct Boundary {
    /// The procedures that are active, by number, and how each but the first was called: a call of the one below.
    pub stack: Vec<(usize, Option<usize>)>,
    /// The cut point of the one on top; `None` right behind a call.
    pub cut: Option<CutId>,
}

/// The path.
pub fn path(abstraction: &mut Abstraction<'_, '_>, names: &Names, events: &[Event]) -> Result<Option<Path>, Stopped> {
    let procedures = abstraction.procedures;
    let mut path = Path { steps: Vec::new(), boundaries: Vec::new(), end: End::Cut(CutId::ENTRY) };
    let mut stack: Vec<(usize, Option<usize>)> = vec![(0, None)];
    for event in events {
        let Some(&(number, called)) = stack.last() else { return Ok(None) };
        let procedure = &procedures.list[number];
        let block = path.boundaries.len();
        let mut push = |step| path.steps.push(PathStep { step, block });
        let cut = match event {
            Event::Link { link, before, behind } => {
                let link = &procedure.links[*link];
                let literals = abstraction.before(names, number, link.from, link.over);
                let ends = abstraction.behind(names, number, link);
                let guard = abstraction.guard(number, link);
                let steps = through(abstraction, (link, guard), &literals, before, &ends, behind)?;
                let Some(steps) = steps else { return Ok(None) };
                steps.into_iter().for_each(&mut push);
                path.end = link.to.clone();
                match link.to {
                    End::Cut(cut) => Some(cut),
                    End::Violation(_) | End::Unmodelled(_) => break,
                }
            }
            &Event::Enter(call) => {
                let made = &procedure.calls[call];
                push(Step::Enter { caller: made.caller, edge: made.edge, callee: made.callee });
                stack.push((procedures.number(made.callee).expect("a kept function"), Some(call)));
                Some(CutId::ENTRY)
            }
            Event::Leave => {
                let Some(call) = called else { return Ok(None) };
                stack.pop();
                let Some(&(caller, _)) = stack.last() else { return Ok(None) };
                let made = &procedures.list[caller].calls[call];
                push(Step::Leave { callee: made.callee, caller: made.caller, edge: made.edge });
                None
            }
        };
        path.boundaries.push(Boundary { stack: stack.clone(), cut });
    }
    Ok(Some(path))
}

/// A path along a link with these values before and behind; if there is none, since the abstraction is not exact, with those
/// before, or any.
fn through(
    abstraction: &mut Abstraction<'_, '_>,
    (link, guard): (&Link, Term),
    literals: &[Literal],
    before: &FxHashMap<Rc<str>, bool>,
    ends: &[(Term, Rc<str>)],
    behind: &FxHashMap<Rc<str>, bool>,
) -> Result<Option<Vec<Step>>, Stopped> {
    let encoder = &mut *abstraction.encoder;
    let mut wanted = vec![guard];
    let mut stages = vec![wanted.clone()];
    let literal = |terms: &mut Terms, term: Term, value: Option<&bool>| match value {
        Some(true) => Some(term),
        Some(false) => Some(terms.not(term)),
        None => None,
    };
    for Literal { term, formula } in literals {
        let Formula::Var(name) = formula else { continue };
        wanted.extend(literal(&mut encoder.terms, *term, before.get(name)));
    }
    stages.push(wanted.clone());
    for (term, name) in ends {
        wanted.extend(literal(&mut encoder.terms, *term, behind.get(name)));
    }
    stages.push(wanted);
    let solver = abstraction.relations.solver();
    for conditions in stages.iter().rev() {
        if solver.check(&mut encoder.terms, conditions)? == Answer::Sat {
            let model = solver.model(&encoder.terms);
            let steps = abstraction.procedures.steps(encoder, link, &model);
            return Ok(Some(steps.into_iter().map(|step| step.step).collect()));
        }
    }
    Ok(None)
}
