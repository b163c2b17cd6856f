//! Frames: at each node clauses with the highest level at which they are known to hold, in memory and in a solver per node.
//!
//! A clause is kept as the cube that it excludes. Clauses of level `k` hold in all frames up to `k`; in the solver they depend on
//! a literal per level, and the literal of a level implies that of the next.

use super::cube::{Bit, Cube, subsumes};
use super::system::System;
use robusto_limits::{Limits, Stopped};
use robusto_logic::blast::aig::Lit;
use robusto_logic::{Answer, Gates};

/// Clauses in a solver for each one that is still of use, and some, before it is built anew.
const STALE: (usize, usize) = (2, 300);

/// An excluded cube.
#[derive(Clone, Debug)]
pub(super) struct Lemma {
    pub cube: Cube,
    /// The last frame that excludes it.
    pub level: u32,
    /// When it was last tried in vain at the next level.
    pub tried: u64,
}

/// What is known at a node.
#[derive(Default)]
struct Frame {
    lemmas: Vec<Lemma>,
    /// When the last clause was added.
    changed: u64,
    /// By bit, how many clauses were added with it, in either sign.
    uses: Vec<u32>,
    solver: Option<NodeSolver>,
}

/// The solver for the edges that leave a node.
struct NodeSolver {
    gates: Gates,
    /// The literals of levels.
    levels: Vec<i32>,
    clauses: usize,
}

/// What a question along an edge comes to.
pub(super) enum Asked {
    /// There is a predecessor; the solver of the node has the model.
    Yes,
    /// There is none, by these bits of the cube.
    No(Cube),
}

/// All frames.
pub(super) struct Frames<'l> {
    frames: Vec<Frame>,
    limits: &'l Limits,
    clock: u64,
    pub calls: u64,
    pub lemmas_made: u64,
}

impl<'l> Frames<'l> {
    pub fn new(nodes: usize, limits: &'l Limits) -> Self {
        let frames = (0..nodes).map(|_| Frame::default()).collect();
        Self { frames, limits, clock: 1, calls: 0, lemmas_made: 0 }
    }

    /// The clauses at a node.
    pub fn at(&self, node: usize) -> &[Lemma] {
        &self.frames[node].lemmas
    }

    /// When the last clause was added at a node.
    pub fn changed(&self, node: usize) -> u64 {
        self.frames[node].changed
    }

    /// How many clauses were added at a node that have a bit.
    pub fn uses(&self, node: usize, bit: Bit) -> u32 {
        self.frames[node].uses.get(bit.index()).copied().unwrap_or(0)
    }

    /// Notes that a clause was tried in vain.
    pub fn tried(&mut self, node: usize, cube: &Cube) {
        let clock = self.clock;
        if let Some(lemma) = self.frames[node].lemmas.iter_mut().find(|lemma| lemma.cube == *cube) {
            lemma.tried = clock;
        }
    }

    /// The last level at which clauses are known to exclude a cube.
    pub fn excluded(&self, node: usize, cube: &Cube) -> Option<u32> {
        let lemmas = self.frames[node].lemmas.iter().filter(|lemma| subsumes(&lemma.cube, cube));
        lemmas.map(|lemma| lemma.level).max()
    }

    /// Excludes a cube at a node up to a level.
    pub fn add(&mut self, system: &System, node: usize, cube: Cube, level: u32) {
        self.clock += 1;
        self.lemmas_made += 1;
        let frame = &mut self.frames[node];
        frame.changed = self.clock;
        frame.uses.resize(system.nodes[node].bits.len(), 0);
        cube.iter().for_each(|bit| frame.uses[bit.index()] += 1);
        frame.lemmas.retain(|lemma| lemma.level > level || !subsumes(&cube, &lemma.cube));
        if let Some(solver) = &mut frame.solver {
            if solver.clauses > STALE.0 * frame.lemmas.len() + STALE.1 {
                frame.solver = None;
            } else {
                solver.add(system, node, &cube, level);
            }
        }
        frame.lemmas.push(Lemma { cube, level, tried: 0 });
    }

    fn solver(&mut self, system: &System, node: usize) -> &mut NodeSolver {
        let frame = &mut self.frames[node];
        frame.solver.get_or_insert_with(|| {
            let mut solver = NodeSolver { gates: Gates::new(self.limits), levels: Vec::new(), clauses: 0 };
            for &known in &system.nodes[node].known {
                let known = solver.gates.literal(&system.gates.aig, known);
                solver.gates.clause(&[known]);
            }
            frame.lemmas.iter().for_each(|lemma| solver.add(system, node, &lemma.cube, lemma.level));
            solver
        })
    }

    /// Whether an edge leads from a state in the frame of a level, and outside of a cube there, to a state in a cube.
    pub fn ask(
        &mut self,
        system: &System,
        edge: usize,
        level: u32,
        cube: &Cube,
        outside: Option<&Cube>,
    ) -> Result<Asked, Stopped> {
        let edge = &system.edges[edge];
        // Where a bit of the end is constant, no solver is needed.
        if let Some(&bit) = cube.iter().find(|bit| edge.next[bit.index()] == Lit::from(!bit.value())) {
            return Ok(Asked::No(vec![bit]));
        }
        self.calls += 1;
        let aig = &system.gates.aig;
        let solver = self.solver(system, edge.from);
        let guard = solver.gates.literal(aig, edge.guard);
        let mut assumptions = vec![solver.level(level), guard];
        let literals: Vec<i32> =
            cube.iter().map(|bit| solver.gates.literal(aig, edge.next[bit.index()].negate_if(!bit.value()))).collect();
        assumptions.extend(&literals);
        let state = &system.nodes[edge.from].state;
        let negated = |bit: &Bit| state[bit.index()].negate_if(bit.value());
        let one_of: Vec<i32> =
            outside.into_iter().flatten().map(|bit| solver.gates.literal(aig, negated(bit))).collect();
        match solver.gates.solve(&assumptions, &one_of)? {
            Answer::Sat => Ok(Asked::Yes),
            Answer::Unsat => {
                let mut core = Cube::new();
                let mut used: Vec<i32> = Vec::new();
                for (&bit, &literal) in cube.iter().zip(&literals) {
                    if solver.gates.failed(literal) && !used.contains(&literal) {
                        used.push(literal);
                        core.push(bit);
                    }
                }
                Ok(Asked::No(core))
            }
        }
    }

    /// Whether an edge leads from a state that is given completely to a cube; then the solver of the node has the inputs.
    pub fn leads(&mut self, system: &System, edge: usize, from: &Cube, to: &Cube) -> Result<bool, Stopped> {
        self.calls += 1;
        let edge = &system.edges[edge];
        let aig = &system.gates.aig;
        let state = &system.nodes[edge.from].state;
        let solver = self.solver(system, edge.from);
        let mut assumptions = vec![solver.gates.literal(aig, edge.guard)];
        for bit in from {
            assumptions.push(solver.gates.literal(aig, state[bit.index()].negate_if(!bit.value())));
        }
        for bit in to {
            assumptions.push(solver.gates.literal(aig, edge.next[bit.index()].negate_if(!bit.value())));
        }
        Ok(solver.gates.solve(&assumptions, &[])? == Answer::Sat)
    }

    /// The value of an input of the gates in the model that the solver of a node has; those that it does not know are 0.
    pub fn value(&mut self, node: usize, input: Lit) -> bool {
        let Some(solver) = &mut self.frames[node].solver else { return false };
        solver.gates.existing(input).is_some_and(|literal| solver.gates.value(literal))
    }
}

impl NodeSolver {
    fn level(&mut self, level: u32) -> i32 {
        while self.levels.len() <= level as usize {
            let literal = self.gates.fresh();
            if let Some(&below) = self.levels.last() {
                self.gates.clause(&[-below, literal]);
            }
            self.levels.push(literal);
        }
        self.levels[level as usize]
    }

    fn add(&mut self, system: &System, node: usize, cube: &Cube, level: u32) {
        self.clauses += 1;
        let state = &system.nodes[node].state;
        let mut clause = vec![-self.level(level)];
        for bit in cube {
            clause.push(self.gates.literal(&system.gates.aig, state[bit.index()].negate_if(bit.value())));
        }
        self.gates.clause(&clause);
    }
}
