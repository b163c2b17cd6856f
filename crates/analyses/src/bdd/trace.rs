//! From a reached error back to the start: a path with concrete values.
//!
//! Backwards along contributions: one state at the end of the path is pulled back through the step that contributed it,
//! and one of its predecessors chosen among what the origin expanded, until an initial state is met. Each expansion holds
//! only what was contributed earlier, so this ends. A step leads from every chosen state to the next one, so the values
//! of the nondeterministic choices can be read off on the way. Sets are cut down to one cube at each step, which keeps
//! them small: sixty counterexamples of one program cost less than the exploration.

use super::{Bdd, Set, full};
use robusto_cfa::ir::{Op, VarId};
use robusto_cpa::{Arg, ExpansionId, StateId, Step};
use robusto_diagram::{Bdd as Node, VarIndex};
use robusto_finite::Meaning;
use robusto_limits::Stopped;

/// A path from the start to an error.
#[derive(Clone, Debug)]
pub struct Trace {
    /// The steps in order.
    pub steps: Vec<TraceStep>,
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
        self.trace_in(arg, end, |set| set)
    }

    /// The same in the graph of a product, whose states have a set each.
    pub fn trace_in<D>(
        &mut self,
        arg: &Arg<D>,
        end: StateId,
        set_of: impl Fn(&D) -> &Set,
    ) -> Result<Option<Trace>, Stopped> {
        let mut steps = Vec::new();
        let mut wanted = self.diagrams().top();
        let mut node = end;
        let mut before: Option<ExpansionId> = None;
        let mut open = true;
        loop {
            self.limits.poll()?;
            let Some((origin, mut state)) = self.origin_of(arg, node, &wanted, before, &set_of)? else {
                return Ok(None);
            };
            if open {
                state = self.choose(&state)?;
            }
            let Some((expansion, step)) = origin else {
                steps.reverse();
                return Ok(Some(Trace { steps }));
            };
            let input = match step.edge(&self.facts.program).op {
                Op::Havoc { var, .. } | Op::Builtin { result: Some(var), .. } => self.value_in(&state, var),
                _ => None,
            };
            steps.push(TraceStep { step, input });
            let transition = self.model.transition(step)?;
            let (parent, part) = arg.expansion(expansion);
            let sources = self.model.preimage(&state, &transition)?;
            wanted = self.diagrams().and(&sources, &set_of(part).all).map_err(full)?;
            // Behind a test lies a part of the cube; only what loses a value has many predecessors.
            open = transition.loses();
            node = parent;
            before = Some(expansion);
        }
    }

    /// Wanted states of a node and what contributed them, before an expansion.
    fn origin_of<D>(
        &self,
        arg: &Arg<D>,
        node: StateId,
        wanted: &Node,
        before: Option<ExpansionId>,
        set_of: impl Fn(&D) -> &Set,
    ) -> Result<Option<(Option<(ExpansionId, Step)>, Node)>, Stopped> {
        for contribution in &arg.node(node).contributions {
            let earlier = match (contribution.origin, before) {
                (Some((origin, _)), Some(before)) => origin < before,
                _ => true,
            };
            if !earlier {
                continue;
            }
            let cut = self.diagrams().and(wanted, &set_of(&contribution.data).all).map_err(full)?;
            if !self.diagrams().is_false(&cut) {
                return Ok(Some((contribution.origin, cut)));
            }
        }
        Ok(None)
    }

    /// One element of a set (a cube: bits that do not matter stay open).
    fn choose(&self, set: &Node) -> Result<Node, Stopped> {
        let Some(cube) = self.diagrams().pick(set) else { return Ok(set.clone()) };
        let literals: Vec<(VarIndex, bool)> =
            cube.iter().enumerate().filter_map(|(i, value)| Some((VarIndex::new(i as u32), (*value)?))).collect();
        self.diagrams().literals(&literals).map_err(full)
    }

    /// The value of a variable in a state; `None` if it is not tracked, or does not matter there.
    fn value_in(&self, state: &Node, var: VarId) -> Option<u64> {
        let code = self.encoding().get(var)?;
        let cube = self.diagrams().pick(state)?;
        let bit = |v: &VarIndex| cube.get(v.index()).copied().flatten();
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
