//! From a path edge with a satisfiable guard back to the start, and so to an execution.
//!
//! The values of the choices are those of a model of the guard. A path edge and the one it comes from speak of the same
//! choices, so the model goes along; for a summary edge it is the model seen through the renaming, and for a path edge
//! in another form a new one is found that has the same values at both ends.

use super::{Choices, Origin, PathEdge, PathId, Symbolic};
use crate::program::{EdgeId, NodeId, Op, ProcId, VarId};
use crate::replay::{Step, Trace};
use robusto_limits::Stopped;
use robusto_logic::{Answer, Evaluator, Model, Term};
use rustc_hash::FxHashSet;

/// A call that the walk came back through: who made it.
struct Caller {
    from: PathId,
    edge: EdgeId,
    choices: Vec<bool>,
    model: Model,
}

impl Symbolic<'_> {
    /// An execution along a path edge, and where it ends.
    pub fn trace(&mut self, last: PathId) -> Result<Option<(Trace, ProcId, NodeId)>, Stopped> {
        let guard = self.edge(last).guard;
        if self.sat.check(&mut self.terms, &[guard])? != Answer::Sat {
            return Ok(None);
        }
        let mut model = self.sat.model(&self.terms);
        let mut steps: Vec<Step> = Vec::new();
        let mut callers: Vec<Caller> = Vec::new();
        let mut end = None;
        // First values of the locals of the procedure that the walk is in.
        let mut locals = Vec::new();
        let mut at = last;
        let start = loop {
            self.limits.look()?;
            let path = self.edge(at).clone();
            if let Origin::Step { .. } | Origin::Locals { .. } | Origin::Enter { .. } | Origin::Start = path.origin {
                end.get_or_insert((path.procedure, path.node));
            }
            match path.origin {
                Origin::Step { from, edge, ref choices } => {
                    let Some(choices) = self.values_of(from, edge, choices, &model) else { return Ok(None) };
                    steps.push(Step { edge, choices, locals: Vec::new() });
                    at = from;
                }
                Origin::Part { from } => at = from,
                Origin::Merge { condition, yes, no } => {
                    at = if self.terms.evaluate(condition, &model) == 1 { yes } else { no };
                }
                Origin::Call { from, edge, ref choices, inside, ref renaming } => {
                    let Some(choices) = self.values_of(from, edge, choices, &model) else { return Ok(None) };
                    let mut values = Evaluator::new(&self.terms, &model);
                    let mut seen = Model::new();
                    renaming.iter().for_each(|&(symbol, term)| seen.set(symbol, values.value(term)));
                    // A callee that does not return has failed, so the end is inside.
                    if self.is_exit(inside) {
                        end.get_or_insert((path.procedure, path.node));
                    }
                    callers.push(Caller { from, edge, choices, model });
                    (model, at) = (seen, inside);
                }
                Origin::Compact { from } => match self.same_ends(&path, from, &model)? {
                    Some(found) => (model, at) = (found, from),
                    None => return Ok(None),
                },
                Origin::Locals { from } => {
                    locals =
                        self.program.locals(path.procedure).map(|var| value(&self.terms, &path, var, &model)).collect();
                    at = from;
                }
                Origin::Enter { .. } | Origin::Start => {
                    let made = match (callers.pop(), &path.origin) {
                        (Some(caller), _) => caller,
                        (None, Origin::Enter { from, edge, choices }) => {
                            let Some(choices) = self.values_of(*from, *edge, choices, &model) else { return Ok(None) };
                            Caller { from: *from, edge: *edge, choices, model }
                        }
                        (None, _) => break self.first_frame(&path, &locals, &model),
                    };
                    steps.push(Step { edge: made.edge, choices: made.choices, locals: std::mem::take(&mut locals) });
                    (at, model) = (made.from, made.model);
                }
            }
        };
        steps.reverse();
        let Some((procedure, node)) = end else { return Ok(None) };
        Ok(Some((Trace { start, steps }, procedure, node)))
    }

    fn is_exit(&self, id: PathId) -> bool {
        let edge = self.edge(id);
        edge.node == self.program.procedure(edge.procedure).exit
    }

    /// The values of the choices of an edge that was taken.
    fn values_of(&self, from: PathId, edge_id: EdgeId, choices: &Choices, model: &Model) -> Option<Vec<bool>> {
        let before = self.edge(from);
        let mut values = Evaluator::new(&self.terms, model);
        if let Choices::Terms(list) = choices {
            return Some(list.iter().map(|&choice| values.value(choice) == 1).collect());
        }
        let edge = self.program.procedure(before.procedure).edge(edge_id);
        let Op::Assume(formula) = &edge.op else { return Some(vec![false; edge.choices as usize]) };
        let vars: FxHashSet<VarId> =
            formula.variables().filter(|var| values.value(before.now[var.index()]) == 1).collect();
        let now = |var: VarId| vars.contains(&var);
        let bits = (0..1u32 << edge.choices).find(|bits| formula.holds(now, now, |i| bits & (1 << i) != 0))?;
        Some((0..edge.choices).map(|i| bits & (1 << i) != 0).collect())
    }

    /// Choices with which another form of a path edge has the same values at both ends.
    fn same_ends(&mut self, path: &PathEdge, from: PathId, model: &Model) -> Result<Option<Model>, Stopped> {
        let other = self.edge(from).clone();
        let mut query = vec![other.guard];
        for (&mine, &yours) in path.entry.iter().chain(path.now.iter()).zip(other.entry.iter().chain(other.now.iter()))
        {
            let holds = self.terms.evaluate(mine, model) == 1;
            let value = self.terms.truth(holds);
            query.push(self.terms.eq(yours, value));
        }
        let answer = self.sat.check(&mut self.terms, &query)?;
        Ok((answer == Answer::Sat).then(|| self.sat.model(&self.terms)))
    }

    fn first_frame(&self, path: &PathEdge, locals: &[bool], model: &Model) -> Vec<bool> {
        let size = self.program.frame_size(path.procedure);
        let mut frame: Vec<bool> = (0..size).map(|i| value(&self.terms, path, VarId(i as u32), model)).collect();
        for (var, &first) in self.program.locals(path.procedure).zip(locals) {
            frame[var.index()] = first;
        }
        frame
    }
}

fn value(terms: &robusto_logic::Terms, path: &PathEdge, var: VarId, model: &Model) -> bool {
    let term: Term = path.now[var.index()];
    terms.evaluate(term, model) == 1
}
