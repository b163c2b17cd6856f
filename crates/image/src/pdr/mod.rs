//! Property-directed reachability on the model: an invariant by clauses over bits, or an execution.
//!
//! Bradley: *SAT-based model checking without unrolling*, VMCAI 2011; Een, Mishchenko, Brayton: *Efficient implementation of
//! property directed reachability*, FMCAD 2011. The program counter is explicit: frames are kept per location, as in Lange,
//! Neuhäußer, Noll: *IC3 software model checking on control flow automata*, FMCAD 2015, and only at cut points; what lies
//! between two of them is one edge with a function as gates.
//!
//! | the papers | here |
//! |---|---|
//! | frame F_i at location l | the `frames` at a node with level at least i, with what is known there before (`known`) |
//! | proof obligation (cube, i) | `block::Obligation`: (node, cube) with a level |
//! | relative induction | `Pdr::predecessor`: outside of the cube itself where an edge leads from a node to itself |
//! | lifting of a predecessor | `lift::Lifter` |
//! | MIC, ctgDown | `generalize` |
//! | propagation of clauses | `propagate` |
//!
//! Where we deviate: levels count the edges that close loops, not all edges. The frame of level i at a node is a superset of the
//! states that executions with at most i such edges have there. A straight program has one level, however long it is.
//!
//! Soundness: clauses are added at a node for level i only if no edge leads into their cube from the frames of level i (forward
//! edges) and i - 1 (edges that close loops), and the edge from the start is one of the former. So frames are what they are
//! said to be, by induction over the length of executions; two neighbouring frames that are equal are inductive.

mod block;
mod compose;
mod cube;
mod cuts;
mod frames;
mod generalize;
mod known;
mod lift;
mod propagate;
mod system;
mod trace;

use crate::model::Model;
use block::Obligation;
use frames::Frames;
use lift::Lifter;
use robusto_analyses::interval::Invariants;
use robusto_cfa::facts::Facts;
use robusto_cpa::Step;
use robusto_limits::{Limits, Stopped};
use std::collections::BTreeSet;
use system::System;

/// What can be chosen.
#[derive(Clone, Debug)]
pub struct Options {
    /// Longest path between two cut points, in blocks.
    pub longest: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self { longest: cuts::LONGEST }
    }
}

/// What a search comes to.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// A location that must not be reached is, by these steps, as far as the model can tell.
    Reached {
        /// The location.
        place: usize,
        /// The steps; none if the model over-approximates functions on the way.
        steps: Option<Vec<Step>>,
    },
    /// None of the locations that were not reached before can be.
    Proved(Proof),
}

/// Clauses that hold at locations, and together are inductive.
#[derive(Clone, Debug)]
pub struct Proof {
    /// By cut point, the clauses.
    pub places: Vec<(usize, Vec<Clause>)>,
}

/// Bits of words of which one has this value.
pub type Clause = Vec<(usize, u16, bool)>;

/// What a search took.
#[derive(Clone, Copy, Default, Debug)]
pub struct Statistics {
    /// Cut points.
    pub nodes: usize,
    /// Edges between them.
    pub edges: usize,
    /// Gates.
    pub gates: usize,
    /// Frames.
    pub frames: u32,
    /// Clauses that are in frames now.
    pub clauses: usize,
    /// Clauses that were added.
    pub clauses_made: u64,
    /// Proof obligations that were looked at.
    pub obligations: u64,
    /// Calls of the SAT solver.
    pub calls: u64,
}

/// The search.
pub struct Pdr<'l> {
    /// The model.
    pub model: Model,
    system: System,
    frames: Frames<'l>,
    /// Bad nodes that are not known to be reached.
    open: BTreeSet<usize>,
    /// The level of the last frame.
    last: u32,
    obligations: Vec<Obligation>,
    lifter: Lifter,
    handled: u64,
    limits: &'l Limits,
}

impl<'l> Pdr<'l> {
    /// Prepares a model; the bounds are those that it was made with.
    pub fn new(
        mut model: Model,
        facts: &Facts,
        intervals: Option<&Invariants>,
        options: &Options,
        limits: &'l Limits,
    ) -> Result<Self, Stopped> {
        let system = System::of(&mut model, facts, intervals, options.longest, limits)?;
        let frames = Frames::new(system.nodes.len(), limits);
        let open = (0..system.nodes.len()).filter(|&node| system.nodes[node].is_bad).collect();
        Ok(Self {
            model,
            system,
            frames,
            open,
            last: 0,
            obligations: Vec::new(),
            lifter: Lifter::default(),
            handled: 0,
            limits,
        })
    }

    /// Searches for the next location that must not be reached, or for the proof that no other can be.
    pub fn search(&mut self) -> Result<Outcome, Stopped> {
        loop {
            self.limits.look()?;
            for bad in self.open.clone() {
                if let Some(reached) = self.block(bad)? {
                    self.open.remove(&bad);
                    let steps = self.steps(reached)?;
                    let place = self.system.nodes[bad].place.expect("only the start has none");
                    return Ok(Outcome::Reached { place, steps });
                }
            }
            self.last += 1;
            if let Some(level) = self.propagate()? {
                return Ok(Outcome::Proved(self.proof(level)));
            }
        }
    }

    /// What a search took so far.
    pub fn statistics(&self) -> Statistics {
        let nodes = self.system.nodes.len();
        Statistics {
            nodes,
            edges: self.system.edges.len(),
            gates: self.system.gates.aig.len(),
            frames: self.last + 1,
            clauses: (0..nodes).map(|node| self.frames.at(node).len()).sum(),
            clauses_made: self.frames.lemmas_made,
            obligations: self.handled,
            calls: self.frames.calls,
        }
    }

    /// The clauses of the frames above a level.
    fn proof(&self, level: u32) -> Proof {
        let mut places: Vec<(usize, Vec<Clause>)> = self.system.cuts.iter().map(|&place| (place, Vec::new())).collect();
        for (number, node) in self.system.nodes.iter().enumerate() {
            let lemmas = self.frames.at(number).iter().filter(|lemma| lemma.level > level);
            let clause = |cube: &cube::Cube| {
                let bits = cube.iter().map(|bit| (node.bits[bit.index()], bit.value()));
                bits.map(|((word, bit), value)| (word, bit, !value)).collect()
            };
            let clauses: Vec<Clause> = lemmas.map(|lemma| clause(&lemma.cube)).collect();
            if let Some((_, of_place)) = places.iter_mut().find(|(place, _)| Some(*place) == node.place) {
                *of_place = clauses;
            }
        }
        Proof { places }
    }
}
