//! APPLY: a summary edge at a call, equations (6) and (7).
//!
//! Trap (a): a summary is applied wherever (6) is satisfiable. Equation (5) asks for an exit for every context, so it would
//! never hold for a callee that blocks on a part of it.

use super::{Choices, Origin, PathEdge, PathId, Symbolic};
use crate::program::{EdgeId, Op, VarId};
use robusto_limits::Stopped;
use robusto_logic::{Substitution, Symbol, Term};
use rustc_hash::FxHashMap;
use std::rc::Rc;

impl Symbolic<'_> {
    /// The states behind a call that returns by a summary edge; `None` if there are none.
    pub fn apply(&mut self, from: PathId, edge_id: EdgeId, summary: PathId) -> Result<Option<PathId>, Stopped> {
        let program = self.program;
        let before = self.edge(from).clone();
        let edge = program.procedure(before.procedure).edge(edge_id);
        let Op::Call { callee, targets, .. } = &edge.op else { return Ok(None) };
        let Some((guard, origin, mut inside)) = self.instance(from, edge_id, summary)? else { return Ok(None) };
        // (7): globals that the callee may change are the callee's; all else is the caller's.
        let mut now = before.now.to_vec();
        let exit = self.edge(summary).now.clone();
        let live = self.facts.live(before.procedure, edge.to);
        for var in (0..program.globals.len()).map(|i| VarId(i as u32)) {
            if live.contains(var) && self.facts.changes_global(program, *callee, var) {
                now[var.index()] = self.terms.substitute(exit[var.index()], &mut inside);
            }
        }
        for (i, target) in targets.iter().enumerate() {
            if let Some(target) = target.filter(|&target| live.contains(target)) {
                now[target.index()] = self.terms.substitute(exit[program.result(*callee, i).index()], &mut inside);
            }
        }
        self.forget(before.procedure, edge.to, &mut now);
        let (procedure, entry, now) = (before.procedure, before.entry, now.into());
        Ok(Some(self.push(PathEdge { procedure, node: edge.to, entry, guard, now, origin })))
    }

    /// The contexts of a call in which the callee has a path edge, as a path edge of the caller that ends there.
    pub fn apply_failure(&mut self, from: PathId, edge_id: EdgeId, failure: PathId) -> Result<Option<PathId>, Stopped> {
        let before = self.edge(from).clone();
        let Some((guard, origin, _)) = self.instance(from, edge_id, failure)? else { return Ok(None) };
        let now = before.now.iter().map(|_| self.terms.no()).collect();
        Ok(Some(self.push(PathEdge { guard, origin, now, ..before })))
    }

    /// The states that a call enters its callee with, if its procedure, whose path edge to the call is for all entries, is
    /// entered with the states of another; `None` if there are none. The two have no choices in common.
    pub fn enter_from(&mut self, context: PathId, path: PathId, edge: EdgeId) -> Result<Option<PathId>, Stopped> {
        let Some(inside) = self.enter(path, edge) else { return Ok(None) };
        let (context, before) = (self.edge(context).clone(), self.edge(path).clone());
        let mut map = Substitution::new();
        for (&formal, &actual) in before.entry.iter().zip(context.entry.iter()) {
            map.insert(formal, actual);
        }
        let inside = self.edge(inside).clone();
        let guard = self.terms.substitute(inside.guard, &mut map);
        let guard = self.terms.and(context.guard, guard);
        if !self.satisfiable(&[guard])? {
            return Ok(None);
        }
        let mut rename = |values: &[Term]| -> Rc<[Term]> {
            values.iter().map(|&value| self.terms.substitute(value, &mut map)).collect()
        };
        let (entry, now) = (rename(&inside.entry), rename(&inside.now));
        Ok(Some(self.push(PathEdge { entry, guard, now, ..inside })))
    }

    /// (6): a path edge of the callee with choices of its own, joined with the context. Gives the guard and the renaming.
    fn instance(
        &mut self,
        from: PathId,
        edge_id: EdgeId,
        inside: PathId,
    ) -> Result<Option<(Term, Origin, Substitution)>, Stopped> {
        let (before, callee_edge) = (self.edge(from).clone(), self.edge(inside).clone());
        let program = self.program;
        let edge = program.procedure(before.procedure).edge(edge_id);
        let Op::Call { callee, args, .. } = &edge.op else { return Ok(None) };
        let choices: Rc<[Term]> = (0..edge.choices).map(|_| self.choice()).collect();
        let actuals = self.actuals(&before.now, *callee, args, &choices);
        // Most summary edges of a procedure that counts are for other numbers.
        let are_constant = |a: Term, b: Term| self.terms.as_const(a).is_some() && self.terms.as_const(b).is_some();
        if callee_edge.entry.iter().zip(actuals.iter()).any(|(&a, &b)| a != b && are_constant(a, b)) {
            return Ok(None);
        }
        let mut renamed: FxHashMap<Symbol, Term> = FxHashMap::default();
        let mut renaming = Vec::new();
        // An entry value that is a choice takes the actual value; no equation is needed.
        for (&formal, &actual) in callee_edge.entry.iter().zip(actuals.iter()) {
            if let Some(symbol) = self.terms.as_symbol(formal)
                && !renamed.contains_key(&symbol)
            {
                renamed.insert(symbol, actual);
                renaming.push((symbol, actual));
            }
        }
        let mut used: Vec<Term> = callee_edge.entry.to_vec();
        used.extend(callee_edge.now.iter());
        used.push(callee_edge.guard);
        let mut symbols: Vec<Symbol> = self.symbols_of(&used).into_iter().collect();
        symbols.sort_unstable();
        for symbol in symbols {
            if !renamed.contains_key(&symbol) {
                let fresh = self.choice();
                if self.selectors.contains(&symbol) {
                    self.selectors.extend(self.terms.as_symbol(fresh));
                }
                renaming.push((symbol, fresh));
            }
        }
        let mut map = Substitution::new();
        for &(symbol, value) in &renaming {
            map.insert_symbol(&self.terms, symbol, value);
        }
        let mut guard = self.terms.substitute(callee_edge.guard, &mut map);
        for (&formal, &actual) in callee_edge.entry.iter().zip(actuals.iter()) {
            let formal = self.terms.substitute(formal, &mut map);
            let equal = self.terms.eq(formal, actual);
            guard = self.terms.and(guard, equal);
        }
        guard = self.terms.and(before.guard, guard);
        if guard != before.guard && !self.satisfiable(&[guard])? {
            return Ok(None);
        }
        self.figures.applications += 1;
        let (choices, renaming) = (Choices::Terms(choices), renaming.into());
        let origin = Origin::Call { from, edge: edge_id, choices, inside, renaming };
        Ok(Some((guard, origin, map)))
    }
}
