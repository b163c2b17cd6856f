//! UNROLL: all path edges of a procedure from all entries, one per node and round of the loops around it.

use super::Summary;
use crate::program::{EdgeId, NodeId, Op, ProcId};
use crate::qbf;
use crate::symbolic::PathId;
use robusto_limits::{Progress, Stopped};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::Ordering;

/// How it went.
pub(super) enum Unrolled {
    /// All is known of the procedure.
    Summary(Summary),
    /// The program starts here, and reaches a target.
    Violation(PathId),
    /// It became too large.
    TooLarge,
}

/// Unrolls a procedure whose callees all have summaries.
pub(super) fn unroll(
    solver: &mut qbf::Solver<'_>,
    id: ProcId,
    marks: &[bool],
    threshold: usize,
    progress: &Progress,
) -> Result<Unrolled, Stopped> {
    let first = solver.symbolic.terms.len();
    let program = solver.symbolic.program;
    let mut unrolling = Unrolling {
        solver,
        id,
        pending: BTreeMap::new(),
        waiting: BTreeSet::new(),
        kept: BTreeMap::new(),
        failures: Vec::new(),
        calls: Vec::new(),
    };
    let start = unrolling.solver.symbolic.start(id);
    let start = unrolling.solver.symbolic.with_locals(start);
    unrolling.insert(start);
    let mut exit = None;
    while let Some((_, node)) = unrolling.waiting.pop_first() {
        unrolling.solver.symbolic.limits().look()?;
        progress.reached.store(unrolling.solver.symbolic.path_edges() as u64, Ordering::Relaxed);
        if unrolling.solver.symbolic.terms.len() - first > threshold {
            return Ok(Unrolled::TooLarge);
        }
        let Some(path) = unrolling.accept(node)? else { continue };
        if marks[node.index()] {
            unrolling.failures.push(path);
        }
        if node == program.procedure(id).exit {
            exit = Some(path);
        }
        for &edge_id in &program.procedure(id).outgoing[node.index()] {
            unrolling.expand(path, edge_id)?;
        }
        // Nothing is asked of the states that the program starts with.
        if program.main == Some(id)
            && let Some(&violation) = unrolling.failures.first()
        {
            return Ok(Unrolled::Violation(violation));
        }
    }
    let Unrolling { solver, kept: mut heads, failures, calls, .. } = unrolling;
    // Nothing comes to some heads; that is worth saying.
    for node in (0..marks.len()).map(|i| NodeId(i as u32)).filter(|&node| solver.order.is_head(id, node)) {
        heads.entry(node).or_default();
    }
    let symbolic = &mut solver.symbolic;
    let exit = exit.map(|path| symbolic.compact(path)).transpose()?;
    let failure = symbolic.merge(failures)?.map(|path| symbolic.compact(path)).transpose()?;
    Ok(Unrolled::Summary(Summary { exit, failure, heads, calls }))
}

struct Unrolling<'s, 'p> {
    solver: &'s mut qbf::Solver<'p>,
    id: ProcId,
    pending: BTreeMap<NodeId, Vec<PathId>>,
    waiting: BTreeSet<(u32, NodeId)>,
    /// The path edges to heads of loops: 𝒫(n).
    kept: BTreeMap<NodeId, Vec<PathId>>,
    failures: Vec<PathId>,
    /// The calls, each with a path edge to it.
    calls: Vec<(PathId, EdgeId)>,
}

impl Unrolling<'_, '_> {
    fn insert(&mut self, path: PathId) {
        let node = self.solver.symbolic.edge(path).node;
        self.pending.entry(node).or_default().push(path);
        self.waiting.insert((self.solver.order.rank(self.id, node), node));
    }

    /// Merges what is pending at a node; `None` if it repeats what was there before.
    fn accept(&mut self, node: NodeId) -> Result<Option<PathId>, Stopped> {
        let pending = self.pending.remove(&node).unwrap_or_default();
        let Some(path) = self.solver.symbolic.merge(pending)? else { return Ok(None) };
        if !self.solver.order.is_head(self.id, node) {
            return Ok(Some(path));
        }
        let new = self.what_is_new(path, node)?;
        if let Some(path) = new {
            self.kept.entry(node).or_default().push(path);
        }
        Ok(new)
    }

    /// The part of a path edge that is not known to have been at this node before, if there is one: (9), corrected.
    fn what_is_new(&mut self, path: PathId, node: NodeId) -> Result<Option<PathId>, Stopped> {
        let symbolic = &mut self.solver.symbolic;
        let edge = symbolic.edge(path).clone();
        let mut guard = edge.guard;
        for &path in self.kept.get(&node).map_or(&[][..], Vec::as_slice) {
            let earlier = symbolic.edge(path).clone();
            let same = symbolic.same_state((self.id, node), &earlier.now, &edge.now);
            let repeats = symbolic.terms.and(earlier.guard, same);
            let matches = self.solver.primes.matching(symbolic, &edge, path)?;
            for known in [repeats, matches] {
                let not_known = symbolic.terms.not(known);
                guard = symbolic.terms.and(guard, not_known);
            }
        }
        symbolic.part(path, guard)
    }

    /// Takes a path edge through an edge; a call by the summary of its callee.
    fn expand(&mut self, path: PathId, edge_id: EdgeId) -> Result<(), Stopped> {
        let symbolic = &mut self.solver.symbolic;
        let Op::Call { callee, .. } = symbolic.program.procedure(self.id).edge(edge_id).op else {
            if let Some(next) = symbolic.trans(path, edge_id)? {
                self.insert(next);
            }
            return Ok(());
        };
        self.calls.push((path, edge_id));
        let Some(&Summary { exit, failure, .. }) = self.solver.universal.get(&callee) else { return Ok(()) };
        if let Some(failure) = failure {
            self.failures.extend(symbolic.apply_failure(path, edge_id, failure)?);
        }
        if let Some(exit) = exit
            && let Some(next) = symbolic.apply(path, edge_id, exit)?
        {
            self.insert(next);
        }
        Ok(())
    }
}
