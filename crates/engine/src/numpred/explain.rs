//! Why the abstraction reaches an error: backwards from the error, with the solver.
//!
//! What leads to the error along the steps behind a node is a weakest precondition, a list of conditions. A step before the node is
//! followed if the value of its start has states that take it to such a state. If the start of the program is reached, the way has
//! an execution. A node that no step before leads on from is a *pivot*: its value has states that lead to the error, but
//! no step brings them there from the values before it, so that a join, a widening or an abstract transformer has added them. An
//! unsatisfiable core says which conditions tell so; their atoms, at the pivot and behind it, are what refinement learns from
//! (the UNSAT core of the WP of Section VI, for a suffix of the way).
//!
//! The search is depth first, steps of lower rank first, so loops are left by their entry where that is possible. Ways that pass a node
//! once are tried before those that pass nodes twice, and so on: if a loop is all that leads on, the conditions at its head are
//! worth learning before it is unrolled.

use super::abstraction::Abstraction;
use super::graph::Graph;
use robusto_cpa::Step;
use robusto_limits::Limits;
use robusto_logic::{Answer, Solver, Term};
use robusto_numpred::Halt;
use rustc_hash::FxHashSet;

/// What the search comes to.
#[derive(Debug)]
pub enum Cause {
    /// A way from the start of the program that has an execution.
    Way(Vec<Step>),
    /// Atoms that exclude a way at a pivot.
    Atoms(Vec<Term>),
}

/// How often a way may pass a node, one limit after the other. Longer ways are left to engines that search for executions.
static VISITS: [usize; 5] = [1, 2, 4, 8, 16];

/// Most questions of one search for each limit; a question takes about a millisecond.
const MOST_QUESTIONS: usize = 300;

/// Conflicts of one question; what is not decided by then counts as possible.
const CONFLICTS: i32 = 10_000;

/// A node of the way, with what leads from there to the error.
struct Frame {
    node: usize,
    /// The step from here towards the error.
    step: Step,
    /// Conditions on the state here, each with the number of the step that it is the guard of, counted from the error.
    behind: Vec<(usize, Term)>,
    /// The steps before that are still to be tried.
    before: Vec<usize>,
    /// Whether a step before was followed, or could not be because of the limit.
    followed: bool,
    /// Steps whose conditions contradict the values before.
    core: Vec<usize>,
}

/// A search, which gives one cause after the other.
pub struct Search<'s> {
    graph: &'s Graph,
    solver: Solver,
    way: Vec<Frame>,
    tried: FxHashSet<(usize, Vec<Term>)>,
    questions: usize,
    /// Of the first way that was too long: atoms of what led to the error from its last node.
    long: Option<Vec<Term>>,
    /// Whether the limits that are left are worth trying: some way was too long, or there were too many.
    more: bool,
    /// Where the limits begin that were not tried.
    limits: std::slice::Iter<'static, usize>,
    /// The limit on visits of a node.
    most: usize,
    error: usize,
}

impl<'s> Search<'s> {
    /// From an error of the graph.
    pub fn new(graph: &'s Graph, error: usize, limits: &Limits) -> Self {
        Self {
            graph,
            solver: Solver::new(limits),
            way: Vec::new(),
            tried: FxHashSet::default(),
            questions: 0,
            long: None,
            more: true,
            limits: VISITS.iter(),
            most: 0,
            error,
        }
    }

    /// The next cause. `inside` is what the values of the abstraction say at a node.
    pub fn next(
        &mut self,
        abstraction: &mut Abstraction<'_>,
        inside: &mut dyn FnMut(&mut Abstraction<'_>, usize) -> Result<Term, Halt>,
    ) -> Result<Option<Cause>, Halt> {
        loop {
            if let Some(cause) = self.next_within(abstraction, inside)? {
                return Ok(Some(cause));
            }
            if let Some(atoms) = self.long.take() {
                return Ok(Some(Cause::Atoms(atoms)));
            }
            let Some(&most) = self.limits.next().filter(|_| self.more) else { return Ok(None) };
            (self.most, self.more, self.questions) = (most, false, 0);
            self.tried.clear();
            let (node, step) = self.graph.errors[self.error];
            let Some(effect) = abstraction.effect(step, 0)? else { return Ok(None) };
            let behind = vec![(0, effect.guard)];
            if !self.push(abstraction, inside, node, step, behind)? {
                return Ok(Some(Cause::Atoms(atoms(abstraction, &[effect.guard]))));
            }
        }
    }

    /// The next cause with the limit on visits that holds now.
    fn next_within(
        &mut self,
        abstraction: &mut Abstraction<'_>,
        inside: &mut dyn FnMut(&mut Abstraction<'_>, usize) -> Result<Term, Halt>,
    ) -> Result<Option<Cause>, Halt> {
        while let Some(frame) = self.way.last_mut() {
            if self.questions > MOST_QUESTIONS {
                self.more = true;
                self.way.clear();
                break;
            }
            let Some(link) = frame.before.pop() else {
                let pivot = !frame.followed && !frame.core.is_empty();
                let atoms = pivot.then(|| self.atoms(abstraction));
                self.way.pop();
                match atoms {
                    Some(atoms) if !atoms.is_empty() => return Ok(Some(Cause::Atoms(atoms))),
                    _ => continue,
                }
            };
            if link == usize::MAX {
                if self.is_start(abstraction)? {
                    return Ok(Some(Cause::Way(self.way.iter().rev().map(|frame| frame.step).collect())));
                }
                continue;
            }
            let (from, _, step) = self.graph.links[link];
            if self.way.iter().filter(|frame| frame.node == from).count() >= self.most {
                self.too_long(abstraction, from);
                continue;
            }
            self.follow(abstraction, inside, from, step)?;
        }
        Ok(None)
    }

    /// Tries a step before the last node of the way.
    fn follow(
        &mut self,
        abstraction: &mut Abstraction<'_>,
        inside: &mut dyn FnMut(&mut Abstraction<'_>, usize) -> Result<Term, Halt>,
        from: usize,
        step: Step,
    ) -> Result<(), Halt> {
        let number = self.way.len();
        let Some(effect) = abstraction.effect(step, number as u32)? else { return Ok(()) };
        let last = self.way.last().map_or(&[][..], |frame| &frame.behind);
        let encoder = &mut abstraction.encoder;
        let mut behind: Vec<(usize, Term)> = Vec::with_capacity(last.len() + 1);
        for &(origin, condition) in last {
            behind.push((origin, encoder.apply(&effect, condition)));
        }
        if !encoder.terms.is_true(effect.guard) {
            behind.push((number, effect.guard));
        }
        behind.retain(|&(_, condition)| !encoder.terms.is_true(condition));
        if self.push(abstraction, inside, from, step, behind)?
            && let [.., before, _] = &mut self.way[..]
        {
            before.followed = true;
        }
        Ok(())
    }

    /// Goes to a node, if its value has states that lead to the error; if not, the last node remembers why.
    fn push(
        &mut self,
        abstraction: &mut Abstraction<'_>,
        inside: &mut dyn FnMut(&mut Abstraction<'_>, usize) -> Result<Term, Halt>,
        node: usize,
        step: Step,
        behind: Vec<(usize, Term)>,
    ) -> Result<bool, Halt> {
        let value = inside(abstraction, node)?;
        let mut key: Vec<Term> = behind.iter().map(|&(_, condition)| condition).collect();
        key.sort_unstable();
        key.dedup();
        if !self.is_possible(abstraction, &behind, value)? {
            return Ok(false);
        }
        if !self.tried.insert((node, key)) {
            // Seen before, on another way: there was nothing to learn.
            if let Some(last) = self.way.last_mut() {
                last.followed = true;
            }
            return Ok(false);
        }
        let mut before = self.graph.before(node);
        if node == 0 {
            before.push(usize::MAX);
        }
        self.way.push(Frame { node, step, behind, before, followed: false, core: Vec::new() });
        Ok(true)
    }

    /// Whether the conditions have a state of the value; if not, the core goes to the last node of the way.
    fn is_possible(
        &mut self,
        abstraction: &mut Abstraction<'_>,
        behind: &[(usize, Term)],
        value: Term,
    ) -> Result<bool, Halt> {
        self.questions += 1;
        let terms = &mut abstraction.encoder.terms;
        let mut question: Vec<Term> = behind.iter().map(|&(_, condition)| condition).collect();
        question.push(value);
        if self.solver.check_within(terms, &question, CONFLICTS)? != Some(Answer::Unsat) {
            return Ok(true);
        }
        let core = self.solver.core().to_vec();
        let core = self.solver.minimize_core(terms, &core)?;
        if let Some(last) = self.way.last_mut() {
            let needed = behind.iter().filter(|(_, condition)| core.contains(condition)).map(|&(origin, _)| origin);
            last.core.extend(needed);
        }
        Ok(false)
    }

    /// Whether the way has an execution from the start of the program.
    fn is_start(&mut self, abstraction: &mut Abstraction<'_>) -> Result<bool, Halt> {
        let encoder = &mut abstraction.encoder;
        let initial = encoder.initial();
        let last = self.way.last().map_or(&[][..], |frame| &frame.behind);
        let behind: Vec<_> =
            last.iter().map(|&(origin, condition)| (origin, encoder.apply(&initial, condition))).collect();
        self.is_possible(abstraction, &behind, initial.guard)
    }

    /// The atoms of the needed conditions at the last node of the way, and behind it as far as they are conditions there.
    fn atoms(&self, abstraction: &mut Abstraction<'_>) -> Vec<Term> {
        let core = self.way.last().map_or(&[][..], |frame| &frame.core);
        let needed = self.way.iter().flat_map(|frame| &frame.behind).filter(|(origin, _)| core.contains(origin));
        let conditions: Vec<Term> = needed.map(|&(_, condition)| condition).collect();
        atoms(abstraction, &conditions)
    }

    fn too_long(&mut self, abstraction: &mut Abstraction<'_>, node: usize) {
        self.more = true;
        if let Some(last) = self.way.last_mut() {
            last.followed = true;
        }
        if self.long.is_none() {
            let first = self.way.iter().position(|frame| frame.node == node).unwrap_or(0);
            let conditions = self.way[..=first].iter().flat_map(|frame| &frame.behind);
            let conditions: Vec<Term> = conditions.map(|&(_, condition)| condition).collect();
            self.long = Some(atoms(abstraction, &conditions));
        }
    }
}

/// The atoms of conditions, without those that depend on choices.
fn atoms(abstraction: &mut Abstraction<'_>, conditions: &[Term]) -> Vec<Term> {
    let encoder = &mut abstraction.encoder;
    let mut atoms: Vec<Term> = conditions.iter().flat_map(|&condition| encoder.terms.atoms(condition)).collect();
    atoms.sort_unstable();
    atoms.dedup();
    atoms.retain(|&atom| encoder.terms.as_const(atom).is_none() && !encoder.has_choices(atom));
    atoms
}
