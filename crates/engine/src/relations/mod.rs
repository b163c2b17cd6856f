//! Relations between variables that hold whenever control comes to the head of a loop; for recursive programs, between what
//! procedures are given and what they return.
//!
//! Intervals say nothing of how variables depend on each other; k-induction and many proofs need that. Stages of two kinds,
//! each over the graph of the blocks from one point to the next, with the solver as the best transformer (Reps, Sagiv, Yorsh:
//! *Symbolic implementation of the best transformer*, VMCAI 2004):
//!
//! | module | finds | method |
//! |---|---|---|
//! | `loops`, `procedures` | the graph: heads of loops in a program that is followed call by call, or the cut points of procedures | |
//! | `affine` | equations with constant coefficients modulo 2^w | least fixpoint of affine hulls (King, Søndergaard: *Automatic abstraction for congruences*, VMCAI 2010) |
//! | `bounds` | inequalities between two or three variables, conditions of the program | the greatest inductive subset of candidates (Flanagan, Leino: *Houdini, an annotation assistant for ESC/Java*, FME 2001) |
//!
//! Where there are procedures, equations are sought apart for each *case* of what a procedure was entered with: which of its
//! first conditions hold, and which values its parameters have if that are few. So a summary can be
//! `n > 100 ⇒ result = n - 10 ∧ n ≤ 100 ⇒ result = 91`.
//!
//! Soundness: each stage ends when the solver has shown for every link that what is known at its source implies what is
//! claimed at its target; a stage that is cut short claims nothing.

pub(crate) mod affine;
pub(crate) mod bounds;
pub(crate) mod graph;
pub(crate) mod loops;
mod procedures;
mod values;

pub use procedures::{Summaries, Violated};

use graph::{Asking, Graph};
use robusto_analyses::symbolic::Encoder;
use robusto_limits::{Limits, Stopped};
use robusto_logic::{Solver, Term};
use std::time::Duration;

/// Most heads; programs with more are state machines, whose proofs need other invariants.
const MAX_HEADS: usize = 40;

/// A stage: what it finds at each point.
type Stage = fn(&mut Asking<'_, '_>, &mut Graph) -> Result<Vec<Term>, Stopped>;

/// Cheap stages first. Bounds sharpen the equations: a loop ends with i = n only where i ≤ n is known.
const STAGES: [Stage; 6] =
    [affine::equations, bounds::comparisons, affine::equations, bounds::differences, bounds::sums, affine::equations];

/// The search for relations, stage by stage.
pub struct Relations {
    graph: Graph,
    solver: Solver,
    stages: std::slice::Iter<'static, Stage>,
}

impl Relations {
    /// A search at the heads of loops that takes no longer than `time`, given what is known at each head that
    /// [`Unroller::heads`](crate::unroll::Unroller::heads) lists.
    pub fn new(encoder: &mut Encoder<'_>, known: &[Term], time: Duration, limits: &Limits) -> Option<Self> {
        if known.len() > MAX_HEADS {
            return None;
        }
        let limits = limits.within(time);
        let graph = loops::graph(encoder, known, &limits).ok()??;
        Some(Self { graph, solver: Solver::new(&limits), stages: STAGES.iter() })
    }

    /// What the next stage finds at each head; `None` after the last one, or when the time is over.
    pub fn next(&mut self, encoder: &mut Encoder<'_>) -> Option<Vec<Term>> {
        let found = self.stage(encoder).ok().flatten();
        if found.is_none() {
            self.stages = [].iter();
        }
        found
    }

    fn stage(&mut self, encoder: &mut Encoder<'_>) -> Result<Option<Vec<Term>>, Stopped> {
        let Some(stage) = self.stages.next() else { return Ok(None) };
        let found = stage(&mut Asking { encoder, solver: &mut self.solver }, &mut self.graph)?;
        for (point, &more) in self.graph.points.iter_mut().zip(&found) {
            point.known = encoder.terms.and(point.known, more);
        }
        Ok(Some(found))
    }
}
