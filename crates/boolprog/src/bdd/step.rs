//! Edges as relations, each built once.
//!
//! The image of a set under a step is `∃ forget. set ∧ relation`, renamed from next values to current ones. `forget` has the
//! variables that are assigned, and those that are not live behind the step; a variable that stands for its value at the
//! entry too is never forgotten.

use super::encoding::Leaves;
use super::{Result, Solver};
use crate::program::{Edge, EdgeId, Formula, Op, ProcId, VarId};
use crate::varset::VarSet;
use robusto_diagram::{Bdd, Renaming, VarIndex};
use std::rc::Rc;

/// What an edge does to sets of path edges. Sets of variables are cubes.
#[derive(Debug)]
pub(super) enum Step {
    Skip { forget: Bdd },
    Assume { relation: Bdd, forget: Bdd },
    Assign { relation: Bdd, forget: Bdd, renaming: Renaming },
    Call(Box<CallStep>),
}

/// What a call does.
#[derive(Debug)]
pub(super) struct CallStep {
    pub callee: ProcId,
    /// The next values of the callee's parameters are the arguments.
    pub arguments: Bdd,
    /// All but what the callee's entry needs, and the renaming that makes it the entry's.
    pub not_entering: Bdd,
    pub entering: Renaming,
    /// From the callee's path edges at its exit to the caller's variables.
    pub summary: Renaming,
    /// Next values that the caller does not want.
    pub unwanted: Bdd,
    /// The next values of the parameters.
    pub formals: Bdd,
    /// What the caller loses, and the renaming that gives it the next values.
    pub forget: Bdd,
    pub returning: Renaming,
}

impl Solver<'_> {
    /// The step of an edge.
    pub(super) fn step(&mut self, id: ProcId, edge: EdgeId) -> Result<Rc<Step>> {
        if let Some(step) = &self.steps[id.index()][edge.index()] {
            return Ok(Rc::clone(step));
        }
        let step = Rc::new(self.build(id, self.program.procedure(id).edge(edge))?);
        self.steps[id.index()][edge.index()] = Some(Rc::clone(&step));
        Ok(step)
    }

    fn build(&self, id: ProcId, edge: &Edge) -> Result<Step> {
        match &edge.op {
            Op::Skip => Ok(Step::Skip { forget: self.forget(id, edge, &VarSet::default())? }),
            Op::Assume(formula) => {
                let relation = self.relation(id, formula)?;
                Ok(Step::Assume { relation, forget: self.forget(id, edge, &VarSet::default())? })
            }
            Op::Assign { targets, values, constrain } => {
                let needed = self.facts.needed(id, edge);
                let pairs = targets.iter().copied().zip(values).filter(|(target, _)| needed.contains(*target));
                self.assignment(id, edge, targets, &pairs.collect::<Vec<_>>(), constrain.as_ref())
            }
            Op::Return(values) => {
                let targets: Vec<VarId> = (0..values.len()).map(|i| self.program.result(id, i)).collect();
                let live = self.facts.live(id, edge.to);
                let pairs = targets.iter().copied().zip(values).filter(|(target, _)| live.contains(*target));
                self.assignment(id, edge, &targets, &pairs.collect::<Vec<_>>(), None)
            }
            Op::Call { callee, args, targets } => self.call(id, edge, *callee, args, targets),
        }
    }

    /// The set where a formula holds for some choice.
    fn relation(&self, id: ProcId, formula: &Formula) -> Result<Bdd> {
        let value = self.function(id, formula, &VarSet::default())?;
        Ok(self.diagrams.exists(&value, &self.encoding.choices_of(&self.diagrams, formula)?)?)
    }

    /// A formula as a function of current values, next values of these targets, and choices.
    pub(super) fn function(&self, id: ProcId, formula: &Formula, targets: &VarSet) -> Result<Bdd> {
        let now = |var: VarId| self.diagrams.var(self.encoding.now(id, var));
        let next = |var: VarId| {
            let is_target = targets.contains(var);
            self.diagrams.var(if is_target { self.encoding.next(id, var) } else { self.encoding.now(id, var) })
        };
        let choice = |number: u32| self.diagrams.var(self.encoding.choice(number));
        self.encoding.formula(&self.diagrams, formula, &Leaves { now, next, choice })
    }

    /// `variable = value`, for some choice.
    fn equation(&self, id: ProcId, variable: VarIndex, value: &Formula) -> Result<Bdd> {
        let value_of = self.function(id, value, &VarSet::default())?;
        let equal = self.diagrams.iff(&self.diagrams.var(variable)?, &value_of)?;
        Ok(self.diagrams.exists(&equal, &self.encoding.choices_of(&self.diagrams, value)?)?)
    }

    fn assignment(
        &self,
        id: ProcId,
        edge: &Edge,
        targets: &[VarId],
        pairs: &[(VarId, &Formula)],
        constrain: Option<&Formula>,
    ) -> Result<Step> {
        let live = self.facts.live(id, edge.to);
        let mut relation = self.diagrams.top();
        for (target, value) in pairs.iter().rev() {
            let equation = self.equation(id, self.encoding.next(id, *target), value)?;
            relation = self.diagrams.and(&equation, &relation)?;
        }
        let written = VarSet::of(targets.iter().copied());
        if let Some(formula) = constrain {
            let value = self.function(id, formula, &written)?;
            let value = self.diagrams.exists(&value, &self.encoding.choices_of(&self.diagrams, formula)?)?;
            relation = self.diagrams.and(&relation, &value)?;
            let dead = pairs.iter().filter(|(target, _)| !live.contains(*target));
            let dead: Vec<VarIndex> = dead.map(|(target, _)| self.encoding.next(id, *target)).collect();
            relation = self.diagrams.exists(&relation, &self.diagrams.cube(&dead)?)?;
        }
        let renamed = pairs.iter().filter(|(target, _)| live.contains(*target));
        let renamed: Vec<_> =
            renamed.map(|(target, _)| (self.encoding.next(id, *target), self.encoding.now(id, *target))).collect();
        let renaming = self.diagrams.renaming(&renamed)?;
        Ok(Step::Assign { relation, forget: self.forget(id, edge, &written)?, renaming })
    }

    fn call(
        &self,
        id: ProcId,
        edge: &Edge,
        callee: ProcId,
        args: &[Formula],
        targets: &[Option<VarId>],
    ) -> Result<Step> {
        let (encoding, diagrams) = (&self.encoding, &self.diagrams);
        let inputs = VarSet::of(self.facts.entry(self.program, callee));
        let formals: Vec<VarId> = inputs.iter().filter(|&var| !self.program.is_global(var)).collect();
        let mut arguments = diagrams.top();
        for &formal in formals.iter().rev() {
            let value = &args[formal.index() - self.program.globals.len()];
            arguments = diagrams.and(&self.equation(id, encoding.next(callee, formal), value)?, &arguments)?;
        }
        let entering: Vec<_> = formals.iter().map(|&f| (encoding.next(callee, f), encoding.now(callee, f))).collect();
        let mut current = self.facts.live(id, edge.from).clone();
        current.extend(self.kept(id));
        let is_passed = |var: VarId| self.program.is_global(var) && inputs.contains(var);
        let mut not_entering: Vec<VarIndex> =
            current.iter().filter(|&var| !is_passed(var)).map(|var| encoding.now(id, var)).collect();
        not_entering.extend(self.copied(id).into_iter().map(|var| encoding.entry(id, var)));

        // The callee's path edges at its exit, as the caller sees them.
        let changed = self.facts.changed(callee);
        let exit = self.facts.live(callee, self.program.procedure(callee).exit);
        let mut summary: Vec<(VarIndex, VarIndex)> = Vec::new();
        for var in inputs.iter() {
            match (self.program.is_global(var), changed.contains(var)) {
                (true, true) => summary.push((encoding.entry(callee, var), encoding.now(callee, var))),
                (true, false) => {}
                (false, true) => summary.push((encoding.entry(callee, var), encoding.next(callee, var))),
                (false, false) => summary.push((encoding.now(callee, var), encoding.next(callee, var))),
            }
        }
        let results: Vec<VarId> = (0..targets.len()).map(|i| self.program.result(callee, i)).collect();
        let new_globals = exit.iter().filter(|&var| self.program.is_global(var) && changed.contains(var));
        let new_globals: Vec<VarId> = new_globals.collect();
        for &var in new_globals.iter().chain(results.iter().filter(|&&result| exit.contains(result))) {
            summary.push((encoding.now(callee, var), encoding.next(callee, var)));
        }

        // What of it the caller wants, and where.
        let after = self.facts.live(id, edge.to);
        let (mut unwanted, mut returning): (Vec<VarIndex>, Vec<(VarIndex, VarIndex)>) = (Vec::new(), Vec::new());
        for &var in &new_globals {
            if after.contains(var) && !targets.contains(&Some(var)) {
                returning.push((encoding.next(callee, var), encoding.now(id, var)));
            } else {
                unwanted.push(encoding.next(callee, var));
            }
        }
        for (&result, target) in results.iter().zip(targets) {
            match target.filter(|&target| after.contains(target)) {
                Some(target) => returning.push((encoding.next(callee, result), encoding.now(id, target))),
                None => unwanted.push(encoding.next(callee, result)),
            }
        }
        let mut written = VarSet::of(targets.iter().copied().flatten());
        written.extend(changed.iter().filter(|&var| self.program.is_global(var)));
        Ok(Step::Call(Box::new(CallStep {
            callee,
            arguments,
            not_entering: diagrams.cube(&not_entering)?,
            entering: diagrams.renaming(&entering)?,
            summary: diagrams.renaming(&summary)?,
            unwanted: diagrams.cube(&unwanted)?,
            formals: diagrams.cube(&formals.iter().map(|&f| encoding.next(callee, f)).collect::<Vec<_>>())?,
            forget: self.forget(id, edge, &written)?,
            returning: diagrams.renaming(&returning)?,
        })))
    }

    /// What a step forgets: what it writes, and what is not live behind it.
    fn forget(&self, id: ProcId, edge: &Edge, written: &VarSet) -> Result<Bdd> {
        let mut dead = self.facts.live(id, edge.from).clone();
        dead.subtract(self.facts.live(id, edge.to));
        dead.subtract(&VarSet::of(self.kept(id)));
        dead.union(written);
        let vars: Vec<VarIndex> = dead.iter().map(|var| self.encoding.now(id, var)).collect();
        Ok(self.diagrams.cube(&vars)?)
    }
}
