//! From a reached error back to the start: a path with concrete values.
//!
//! Backwards along contributions: a set of states at the end of the path is pulled back through the step that
//! contributed it, and cut with what the origin expanded, until the initial states are met. Each expansion holds only
//! what was contributed earlier, so this ends. Then forwards from one initial state, choosing one successor inside the
//! sets found on the way back.

use super::encoding::Meaning;
use super::{Bdd, Set, full};
use robusto_cfa::ir::VarId;
use robusto_cpa::{Arg, ExpansionId, StateId, Step, Stopped};
use robusto_diagram::{Bdd as Node, VarIndex};

/// A path from the start to an error.
#[derive(Clone, Debug)]
pub struct Trace {
    /// The steps in order.
    pub steps: Vec<TraceStep>,
    /// Values of variables at the start: parameters of `main`.
    pub start: Vec<(VarId, u64)>,
}

/// One step of a path.
#[derive(Clone, Debug)]
pub struct TraceStep {
    /// The step.
    pub step: Step,
    /// Of a havoc, the value that its variable takes; `None` if any value will do.
    pub input: Option<u64>,
}

impl Bdd<'_> {
    /// A path to a node; `None` if over-approximation broke the chain.
    pub fn trace(&mut self, arg: &Arg<Set>, end: StateId) -> Result<Option<Trace>, Stopped> {
        let Some(path) = self.backwards(arg, end)? else { return Ok(None) };
        self.forwards(path).map(Some)
    }

    /// The steps with the set of states after each, the initial set first.
    fn backwards(&mut self, arg: &Arg<Set>, end: StateId) -> Result<Option<Vec<(Option<Step>, Node)>>, Stopped> {
        let mut path = Vec::new();
        let mut wanted = self.diagrams.top();
        let mut node = end;
        let mut before: Option<ExpansionId> = None;
        loop {
            (self.poll)()?;
            let mut found = None;
            for contribution in &arg.node(node).contributions {
                let cut = self.diagrams.and(&wanted, &contribution.data.all).map_err(full)?;
                let earlier = match (contribution.origin, before) {
                    (Some((origin, _)), Some(before)) => origin < before,
                    _ => true,
                };
                if earlier && !self.diagrams.is_false(&cut) {
                    found = Some((contribution.origin, cut));
                    break;
                }
            }
            let Some((origin, cut)) = found else { return Ok(None) };
            let Some((expansion, step)) = origin else {
                path.push((None, cut));
                path.reverse();
                return Ok(Some(path));
            };
            let transition = self.transition(step)?;
            let (parent, part) = arg.expansion(expansion);
            wanted = self.preimage(&cut, &transition)?;
            wanted = self.diagrams.and(&wanted, &part.all).map_err(full)?;
            path.push((Some(step), cut));
            node = parent;
            before = Some(expansion);
        }
    }

    fn forwards(&mut self, path: Vec<(Option<Step>, Node)>) -> Result<Trace, Stopped> {
        let mut path = path.into_iter();
        let (_, initial) = path.next().expect("a path has a start");
        let mut state = self.choose(&initial)?;
        let main = self.facts.program.main;
        let start = main.map_or(&[][..], |m| &self.facts.program.functions[m].params);
        let start = start.iter().filter_map(|&v| Some((v, self.value_in(&state, v)?))).collect();
        let mut steps = Vec::new();
        for (step, set) in path {
            (self.poll)()?;
            let Some(step) = step else { continue };
            let transition = self.transition(step)?;
            let next = self.image(&state, &transition)?;
            let next = self.diagrams.and(&next, &set).map_err(full)?;
            state = self.choose(&next)?;
            let edge = step.edge(&self.facts.program);
            let input = match edge.op {
                robusto_cfa::ir::Op::Havoc { var, .. } | robusto_cfa::ir::Op::Builtin { result: Some(var), .. } => {
                    self.value_in(&state, var)
                }
                _ => None,
            };
            steps.push(TraceStep { step, input });
        }
        Ok(Trace { steps, start })
    }

    /// One element of a set (a cube: bits that do not matter stay open).
    fn choose(&self, set: &Node) -> Result<Node, Stopped> {
        let Some(cube) = self.diagrams.pick(set) else { return Ok(set.clone()) };
        let literals: Vec<(VarIndex, bool)> =
            cube.iter().enumerate().filter_map(|(i, value)| Some((VarIndex(i as u32), (*value)?))).collect();
        self.diagrams.literals(&literals).map_err(full)
    }

    /// The value of a variable in a state; `None` if it is not tracked, or does not matter there.
    fn value_in(&self, state: &Node, var: VarId) -> Option<u64> {
        let code = self.encoding.get(var)?;
        let cube = self.diagrams.pick(state)?;
        let bit = |v: &VarIndex| cube.get(v.0 as usize).copied().flatten();
        if code.bits.iter().all(|v| bit(v).is_none()) {
            return None;
        }
        let number = code.bits.iter().enumerate().fold(0u64, |n, (i, v)| n | u64::from(bit(v).unwrap_or(false)) << i);
        match &code.meaning {
            Meaning::Bits => Some(number),
            // Open bits may make an index that is none; any value with the closed bits will do.
            Meaning::Index { values, .. } => {
                let fits = |index: usize| {
                    code.bits.iter().enumerate().all(|(i, v)| bit(v).is_none_or(|b| b == (index >> i & 1 == 1)))
                };
                values.iter().enumerate().find(|(i, v)| v.is_some() && fits(*i)).and_then(|(_, v)| *v)
            }
        }
    }
}
