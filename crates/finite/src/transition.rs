//! The effect of a step on sets of states: images and preimages.
//!
//! | effect | image of `S` |
//! |---|---|
//! | guard `g` | `S ∧ g` |
//! | variables `x` take values that do not depend on `x` | `(∃x. S) ∧ (x = e)` |
//! | variables `x` take values that depend on `x` | `(∃x. S ∧ (x′ = e))[x′ ↦ x]` |
//! | variables `d` die | `∃d. S` |

use crate::relation::Side;
use crate::{Code, Model, full};
use robusto_cfa::ir::{EdgeId, Expr, ExprId, FuncId, LocId, VarId};
use robusto_cpa::blocks::Cuts;
use robusto_cpa::{Effect, Guard, Step, Value};
use robusto_diagram::{Bdd as Node, Renaming, VarIndex};
use robusto_limits::Stopped;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// A step, ready to be applied to sets.
pub struct Transition {
    guard: Option<Node>,
    update: Option<Update>,
    /// Cube of what is quantified away in the end.
    forget: Option<Node>,
}

impl Transition {
    /// Whether a state may have several predecessors that differ in variables which the state does not mention.
    pub fn loses(&self) -> bool {
        self.update.is_some() || self.forget.is_some()
    }
}

/// Several variables take values at once.
struct Update {
    /// Cube of the variables' bits.
    target: Node,
    /// The relation between old values and the new ones.
    relation: Node,
    /// Where the new ones are in the variables' next bits.
    rename: Option<Renames>,
    /// Cube of the targets and of what is forgotten, if both can be quantified before the relation is applied: it mentions
    /// nothing that is forgotten.
    both: Option<Node>,
}

/// From next bits to current ones, and back.
struct Renames {
    to_current: Renaming,
    to_next: Renaming,
    next: Node,
}

/// What has been built before.
#[derive(Default)]
pub(crate) struct Cache {
    transitions: FxHashMap<Step, Rc<Transition>>,
    /// Conditions of block exits that were computed along with another exit's.
    exits: FxHashMap<(FuncId, LocId, LocId), Node>,
}

impl Model<'_> {
    /// The transition of a step.
    pub fn transition(&mut self, step: Step) -> Result<Rc<Transition>, Stopped> {
        if let Some(known) = self.transitions.transitions.get(&step) {
            return Ok(known.clone());
        }
        let transition = Rc::new(self.build(step)?);
        self.transitions.transitions.insert(step, transition.clone());
        Ok(transition)
    }

    /// The states after a step from one of these.
    pub fn image(&self, set: &Node, transition: &Transition) -> Result<Node, Stopped> {
        let d = &self.diagrams;
        let Transition { guard, update, forget } = transition;
        let result = match (guard, update, forget) {
            (None, None, None) => Ok(set.clone()),
            (None, None, Some(cube)) => d.exists(set, cube),
            (Some(guard), None, None) => d.and(set, guard),
            (Some(guard), None, Some(cube)) => d.and_exists(set, guard, cube),
            (guard, Some(update), forget) => {
                let cut = match guard {
                    Some(guard) => d.and(set, guard).map_err(full)?,
                    None => set.clone(),
                };
                return self.update(&cut, update, forget.as_ref());
            }
        };
        result.map_err(full)
    }

    fn update(&self, set: &Node, update: &Update, forget: Option<&Node>) -> Result<Node, Stopped> {
        let d = &self.diagrams;
        let Update { target, relation, rename, both } = update;
        let result = match (rename, both, forget) {
            (None, Some(both), _) => d.exists_and(set, both, relation),
            (None, None, Some(cube)) => d.and_exists(&d.exists(set, target).map_err(full)?, relation, cube),
            (None, None, None) => d.exists_and(set, target, relation),
            (Some(renames), _, forget) => {
                let new = d.and_exists(set, relation, target).map_err(full)?;
                let new = d.rename(&new, &renames.to_current).map_err(full)?;
                match forget {
                    Some(cube) => d.exists(&new, cube),
                    None => Ok(new),
                }
            }
        };
        result.map_err(full)
    }

    /// The states from which a step leads to one of these, which do not constrain forgotten variables.
    pub fn preimage(&self, set: &Node, transition: &Transition) -> Result<Node, Stopped> {
        let d = &self.diagrams;
        let before = match &transition.update {
            None => set.clone(),
            Some(Update { target, relation, rename: None, .. }) => d.and_exists(set, relation, target).map_err(full)?,
            Some(Update { relation, rename: Some(renames), .. }) => {
                let primed = d.rename(set, &renames.to_next).map_err(full)?;
                d.and_exists(&primed, relation, &renames.next).map_err(full)?
            }
        };
        match &transition.guard {
            None => Ok(before),
            Some(guard) => d.and(&before, guard).map_err(full),
        }
    }

    fn build(&mut self, step: Step) -> Result<Transition, Stopped> {
        let effect = Effect::of(self.facts, step);
        let guard = self.guard(step, effect.guard)?;
        let mut forgotten = effect.dying.clone();
        forgotten.retain(|var| effect.assign.iter().all(|(assigned, _)| assigned != var));
        let overlaid = effect.overlaid(self.facts, step);
        if !overlaid.is_empty() {
            self.note(step, "the caller's variables across a recursive call");
        }
        forgotten.extend(overlaid);
        forgotten.sort_unstable();
        forgotten.dedup();
        let forget = self.bits_of(&forgotten);
        let update = self.build_update(step, &effect.assign, &forget)?;
        let forget = if forget.is_empty() { None } else { Some(self.diagrams.cube(&forget).map_err(full)?) };
        Ok(Transition { guard, update, forget })
    }

    /// Where a step can be taken; `None` if it is not known, or everywhere.
    fn guard(&mut self, step: Step, guard: Guard) -> Result<Option<Node>, Stopped> {
        match guard {
            Guard::Always => Ok(None),
            Guard::Test { cond, truth } => self.test(step, cond, truth),
            Guard::Paths { function, from, to } => self.paths(function, from, to).map(Some),
            Guard::Calls { .. } => {
                self.note(step, "which function an indirect call calls");
                Ok(None)
            }
        }
    }

    fn test(&mut self, step: Step, cond: ExprId, truth: bool) -> Result<Option<Node>, Stopped> {
        match self.condition(cond)? {
            Some(set) if truth => Ok(Some(set)),
            Some(set) => self.diagrams.not(&set).map_err(full).map(Some),
            None => {
                self.note(step, "a condition");
                Ok(None)
            }
        }
    }

    /// The disjunction over the paths of a block from its start to an exit.
    fn paths(&mut self, function: FuncId, from: LocId, to: LocId) -> Result<Node, Stopped> {
        if let Some(known) = self.transitions.exits.remove(&(function, from, to)) {
            return Ok(known);
        }
        let automaton = &self.facts.program.functions[function];
        let block = self.blocks[function][from].clone().expect("a block step starts at a block");
        let everything = self.diagrams.top();
        let mut found = self.diagrams.bottom();
        for (exit, set) in block.follow(automaton, everything, &mut Tests { model: self, function })? {
            if exit == to {
                found = set;
            } else {
                // The other exit will be asked for next.
                self.transitions.exits.insert((function, from, exit), set);
            }
        }
        Ok(found)
    }

    /// The update of an assignment; `None` if no variable of it is tracked.
    fn build_update(
        &mut self,
        step: Step,
        assign: &[(VarId, Value<'_>)],
        forget: &[VarIndex],
    ) -> Result<Option<Update>, Stopped> {
        let tracked = |(var, _): &&(VarId, Value<'_>)| self.encoding.get(*var).is_some();
        let writes: Vec<(VarId, Value<'_>)> = assign.iter().filter(tracked).copied().collect();
        if writes.is_empty() {
            return Ok(None);
        }
        let targets: FxHashSet<VarId> = assign.iter().map(|&(var, _)| var).collect();
        let reads_target = writes.iter().any(|&(_, value)| match value {
            Value::Expr(e) => self.mentions(e, &targets),
            _ => false,
        });
        let primed = reads_target && writes.iter().all(|&(var, _)| self.has_next(var));
        let side = if primed { Side::Next } else { Side::Current };
        let mut relation = self.diagrams.top();
        for &(var, value) in &writes {
            let part = match value {
                Value::Expr(e) if primed || !reads_target => self.relation(var, e, side)?,
                _ => None,
            };
            let part = match (part, value) {
                (Some(part), _) => part,
                (None, value) => {
                    match value {
                        Value::Any => {}
                        Value::Library(..) => self.note(step, "the result of a library function"),
                        Value::Expr(_) | Value::Mismatched | Value::Allocated => self.note(step, "a value"),
                    }
                    self.domain(var, side)?
                }
            };
            relation = self.diagrams.and(&relation, &part).map_err(full)?;
        }
        let vars: Vec<VarId> = writes.iter().map(|&(var, _)| var).collect();
        let bits = self.bits_of(&vars);
        let target = self.diagrams.cube(&bits).map_err(full)?;
        let rename = if primed { Some(self.renames(&vars)?) } else { None };
        let support = self.diagrams.support(&relation);
        let both = if primed || forget.is_empty() || forget.iter().any(|bit| support.contains(bit)) {
            None
        } else {
            Some(self.diagrams.cube(&[bits, forget.to_vec()].concat()).map_err(full)?)
        };
        Ok(Some(Update { target, relation, rename, both }))
    }

    /// Whether an expression mentions one of the variables.
    fn mentions(&self, root: ExprId, vars: &FxHashSet<VarId>) -> bool {
        let pool = &self.facts.program.exprs;
        let mut seen = FxHashSet::default();
        let mut stack = vec![root];
        while let Some(e) = stack.pop() {
            match pool.get(e) {
                Expr::Var(var) if vars.contains(&var) => return true,
                _ if seen.insert(e) => stack.extend(pool.operands(e)),
                _ => {}
            }
        }
        false
    }

    fn has_next(&self, var: VarId) -> bool {
        self.encoding.get(var).is_some_and(|c| c.next.len() == c.bits.len())
    }

    /// The current bits of those variables that are tracked.
    fn bits_of(&self, vars: &[VarId]) -> Vec<VarIndex> {
        vars.iter().filter_map(|&v| self.encoding.get(v)).flat_map(|c| c.bits.iter().copied()).collect()
    }

    fn renames(&self, vars: &[VarId]) -> Result<Renames, Stopped> {
        let codes: Vec<&Code> = vars.iter().filter_map(|&v| self.encoding.get(v)).collect();
        let current: Vec<VarIndex> = codes.iter().flat_map(|c| c.bits.iter().copied()).collect();
        let next: Vec<VarIndex> = codes.iter().flat_map(|c| c.next.iter().copied()).collect();
        let pairs =
            |from: &[VarIndex], to: &[VarIndex]| -> Vec<_> { from.iter().copied().zip(to.iter().copied()).collect() };
        Ok(Renames {
            to_current: self.diagrams.renaming(&pairs(&next, &current)).map_err(full)?,
            to_next: self.diagrams.renaming(&pairs(&current, &next)).map_err(full)?,
            next: self.diagrams.cube(&next).map_err(full)?,
        })
    }

    /// Notes that a step is not exact.
    fn note(&mut self, step: Step, what: &'static str) {
        self.approximations.note(&self.facts.program, step, what);
    }
}

/// The tests of a function's blocks as sets.
struct Tests<'m, 'f> {
    model: &'m mut Model<'f>,
    function: FuncId,
}

impl Cuts for Tests<'_, '_> {
    type Set = Node;
    type Error = Stopped;

    fn cut(&mut self, set: &Node, test: EdgeId, cond: ExprId, truth: bool) -> Result<Node, Stopped> {
        match self.model.test(Step::Edge(self.function, test), cond, truth)? {
            Some(condition) => self.model.diagrams.and(set, &condition).map_err(full),
            None => Ok(set.clone()),
        }
    }

    fn unite(&mut self, a: &Node, b: &Node) -> Result<Node, Stopped> {
        self.model.diagrams.or(a, b).map_err(full)
    }
}
