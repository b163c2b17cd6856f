//! What is known of a program before any engine starts: which globals a procedure may change, and which variables matter
//! where.
//!
//! A variable is *live* at a node if its value there has an influence on whether some step later is open, in this procedure,
//! in those it calls, or behind its return in any of its callers. A value that is assigned matters only if the target does
//! (live in the strong sense). At an exit the results that some caller reads are live, and of the globals those that
//! the procedure may change and some caller needs: the others a caller keeps itself.
//!
//! So a path edge from an entry needs, at the entry, the live globals and parameters ([`Facts::entry`]), and at a node the
//! variables that are live there. Both are least solutions; sets only grow, so the loop ends.

use crate::program::{Edge, NodeId, Op, ProcId, Program, VarId};
use crate::varset::VarSet;

/// Facts about all procedures.
#[derive(Clone, Debug)]
pub struct Facts {
    of: Vec<ProcFacts>,
}

/// Facts about a procedure.
#[derive(Clone, Debug, Default)]
struct ProcFacts {
    /// Variables of the frame that it, or one that it calls, may change.
    changed: VarSet,
    /// Per node.
    live: Vec<VarSet>,
}

impl Facts {
    /// The facts of a program.
    pub fn new(program: &Program) -> Self {
        let mut facts = Self {
            of: program
                .procedures
                .iter()
                .map(|p| ProcFacts { changed: VarSet::default(), live: vec![VarSet::default(); p.outgoing.len()] })
                .collect(),
        };
        let callers = callers(program);
        facts.solve_changed(program, &callers);
        facts.solve_live(program, &callers);
        facts
    }

    /// The variables of the frame that a procedure may change, be it in a procedure that it calls.
    pub fn changed(&self, id: ProcId) -> &VarSet {
        &self.of[id.index()].changed
    }

    /// Whether a call of the procedure may change a global.
    pub fn changes_global(&self, program: &Program, id: ProcId, var: VarId) -> bool {
        program.is_global(var) && self.changed(id).contains(var)
    }

    /// The variables that are live at a node.
    pub fn live(&self, id: ProcId, node: NodeId) -> &VarSet {
        &self.of[id.index()].live[node.index()]
    }

    /// The globals and parameters whose values at the entry matter.
    pub fn entry(&self, program: &Program, id: ProcId) -> Vec<VarId> {
        let procedure = program.procedure(id);
        let end = program.globals.len() + procedure.formals as usize;
        self.live(id, procedure.entry).iter().filter(|var| var.index() < end).collect()
    }

    /// Of an assignment, the targets whose values matter: live behind it, or in its constraint.
    pub fn needed(&self, id: ProcId, edge: &Edge) -> VarSet {
        let Op::Assign { targets, constrain, .. } = &edge.op else { return VarSet::default() };
        let live = self.live(id, edge.to);
        let constrained = VarSet::of(constrain.iter().flat_map(|formula| formula.next_variables()));
        VarSet::of(targets.iter().copied().filter(|&var| live.contains(var) || constrained.contains(var)))
    }

    fn solve_changed(&mut self, program: &Program, callers: &[Vec<ProcId>]) {
        for (id, procedure) in program.numbered() {
            let changed = &mut self.of[id.index()].changed;
            for edge in &procedure.edges {
                match &edge.op {
                    Op::Assign { targets, .. } => changed.extend(targets.iter().copied()),
                    Op::Call { targets, .. } => changed.extend(targets.iter().copied().flatten()),
                    Op::Skip | Op::Assume(_) | Op::Return(_) => {}
                }
            }
        }
        let mut todo: Vec<ProcId> = program.numbered().map(|(id, _)| id).collect();
        while let Some(id) = todo.pop() {
            let globals = VarSet::of(self.changed(id).iter().filter(|&var| program.is_global(var)));
            for &caller in &callers[id.index()] {
                if self.of[caller.index()].changed.union(&globals) {
                    todo.push(caller);
                }
            }
        }
    }

    fn solve_live(&mut self, program: &Program, callers: &[Vec<ProcId>]) {
        let mut waiting = vec![true; program.procedures.len()];
        let mut todo: Vec<ProcId> = program.numbered().map(|(id, _)| id).collect();
        while let Some(id) = todo.pop() {
            waiting[id.index()] = false;
            let entry = program.procedure(id).entry;
            let before = self.live(id, entry).clone();
            let mut again = self.solve_procedure(program, id);
            if *self.live(id, entry) != before {
                again.extend(&callers[id.index()]);
            }
            for other in again {
                if !std::mem::replace(&mut waiting[other.index()], true) {
                    todo.push(other);
                }
            }
        }
    }

    /// Solves one procedure; gives those at whose exit more is live now.
    fn solve_procedure(&mut self, program: &Program, id: ProcId) -> Vec<ProcId> {
        let procedure = program.procedure(id);
        let mut grown = Vec::new();
        let mut stable = false;
        while !stable {
            stable = true;
            for edge in procedure.edges.iter().rev() {
                if let Op::Call { callee, targets, .. } = &edge.op
                    && self.demand(program, id, edge, *callee, targets)
                {
                    grown.push(*callee);
                }
                let before = self.before(program, id, edge);
                stable &= !self.of[id.index()].live[edge.from.index()].union(&before);
            }
        }
        grown
    }

    /// Tells a callee what is live behind a call.
    fn demand(
        &mut self,
        program: &Program,
        id: ProcId,
        edge: &Edge,
        callee: ProcId,
        targets: &[Option<VarId>],
    ) -> bool {
        let after = self.live(id, edge.to);
        let globals =
            after.iter().filter(|&var| self.changes_global(program, callee, var) && !targets.contains(&Some(var)));
        let mut wanted = VarSet::of(globals);
        for (i, target) in targets.iter().enumerate() {
            if target.is_some_and(|target| after.contains(target)) {
                wanted.insert(program.result(callee, i));
            }
        }
        let exit = program.procedure(callee).exit;
        self.of[callee.index()].live[exit.index()].union(&wanted)
    }

    /// What is live before an edge.
    fn before(&self, program: &Program, id: ProcId, edge: &Edge) -> VarSet {
        let mut live = self.live(id, edge.to).clone();
        match &edge.op {
            Op::Skip => {}
            Op::Assume(formula) => live.extend(formula.variables()),
            Op::Assign { targets, values, constrain } => {
                let needed = self.needed(id, edge);
                if let Some(formula) = constrain {
                    // The value after of what is not assigned is the value before.
                    live.extend(formula.next_variables());
                }
                targets.iter().for_each(|&target| live.remove(target));
                for (_, value) in targets.iter().zip(values).filter(|(target, _)| needed.contains(**target)) {
                    live.extend(value.variables());
                }
                live.extend(constrain.iter().flat_map(|formula| formula.variables()));
            }
            Op::Call { callee, args, targets } => {
                targets.iter().flatten().for_each(|&target| live.remove(target));
                live.subtract(&VarSet::of(self.changed(*callee).iter().filter(|&var| program.is_global(var))));
                let entry = self.live(*callee, program.procedure(*callee).entry);
                live.extend(entry.iter().filter(|&var| program.is_global(var)));
                for (i, arg) in args.iter().enumerate() {
                    if entry.contains(program.formal(i)) {
                        live.extend(arg.variables());
                    }
                }
            }
            Op::Return(values) => {
                for (i, value) in values.iter().enumerate() {
                    let result = program.result(id, i);
                    if live.contains(result) {
                        live.remove(result);
                        live.extend(value.variables());
                    }
                }
            }
        }
        live
    }
}

/// Who calls whom: the callers of each procedure.
fn callers(program: &Program) -> Vec<Vec<ProcId>> {
    let mut callers: Vec<Vec<ProcId>> = vec![Vec::new(); program.procedures.len()];
    for (id, procedure) in program.numbered() {
        for edge in &procedure.edges {
            if let Op::Call { callee, .. } = &edge.op
                && callers[callee.index()].last() != Some(&id)
            {
                callers[callee.index()].push(id);
            }
        }
    }
    callers
}
