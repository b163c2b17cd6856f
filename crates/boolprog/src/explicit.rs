//! The oracle: path edges and summaries one valuation at a time, for small programs.
//!
//! A path edge leads from a state at a procedure's entry to a state that the procedure reaches from there. A call asks for
//! the path edges of the callee's entry; it is noted with that entry, so that each summary edge (a path edge to the exit)
//! that is found later comes back to it. There are finitely many states, so this ends, recursion or not.
//!
//! States are kept as they are ([`Reduction::none`], for tests of everything else), or without what is dead
//! ([`Reduction::live`]): variables that do not matter at a node are false there.

mod proof;

use crate::facts::Facts;
use crate::program::{EdgeId, Formula, NodeId, Op, ProcId, Program, VarId};
use crate::replay::{Step, Trace};
use crate::targets::{Goal, Targets};
use robusto_limits::{Limits, Progress, Stopped};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::sync::atomic::Ordering;

/// The values of the variables of a frame, one bit each.
pub type Frame = u128;

/// Choices of an edge, and locals of a procedure, are all tried up to this number of bits.
const TRIED: usize = 24;

/// What of a state is kept.
#[derive(Clone, Debug)]
pub struct Reduction {
    /// Per procedure and node: the variables.
    kept: Vec<Vec<Frame>>,
    /// Per procedure: the globals whose values come back from a call.
    returned: Vec<Frame>,
}

impl Reduction {
    /// Everything.
    pub fn none(program: &Program) -> Self {
        Self {
            kept: program.procedures.iter().map(|p| vec![Frame::MAX; p.outgoing.len()]).collect(),
            returned: vec![globals(program); program.procedures.len()],
        }
    }

    /// What is live.
    pub fn live(program: &Program, facts: &Facts) -> Self {
        let nodes = |id: ProcId| (0..program.procedure(id).outgoing.len()).map(|i| NodeId(i as u32));
        let ids = || program.numbered().map(|(id, _)| id);
        Self {
            kept: ids().map(|id| nodes(id).map(|node| mask(facts.live(id, node).iter())).collect()).collect(),
            returned: ids().map(|id| mask(facts.changed(id).iter().filter(|&var| program.is_global(var)))).collect(),
        }
    }
}

fn globals(program: &Program) -> Frame {
    mask((0..program.globals.len()).map(|i| VarId(i as u32)))
}

fn mask(vars: impl Iterator<Item = VarId>) -> Frame {
    vars.filter(|var| var.index() < Frame::BITS as usize).fold(0, |mask, var| mask | bit(var))
}

fn bit(var: VarId) -> Frame {
    1 << var.index()
}

/// What was found.
#[derive(Debug)]
pub struct Explored<'p> {
    program: &'p Program,
    reduction: Reduction,
    entries: Vec<Entry>,
    known: FxHashMap<(ProcId, Frame), usize>,
    paths: Vec<PathEdge>,
    seen: FxHashMap<(usize, NodeId, Frame), usize>,
    /// The first path edge to a target.
    violation: Option<usize>,
}

/// A state at a procedure's entry: globals and parameters.
#[derive(Debug)]
struct Entry {
    procedure: ProcId,
    frame: Frame,
    /// Whether the program starts with it.
    initial: bool,
    callers: Vec<Call>,
    exits: Vec<usize>,
}

/// A call: the path edge before it, its edge and its choices.
#[derive(Clone, Copy, Debug)]
struct Call {
    from: usize,
    edge: EdgeId,
    choices: u32,
}

#[derive(Clone, Copy, Debug)]
struct PathEdge {
    entry: usize,
    node: NodeId,
    frame: Frame,
    parent: Parent,
}

/// How a path edge was found.
#[derive(Clone, Copy, Debug)]
enum Parent {
    Entry,
    Step { from: usize, edge: EdgeId, choices: u32 },
    Return { call: Call, exit: usize },
}

/// Explores all that is reachable from `main`, or until a target is reached.
pub fn explore<'p>(
    program: &'p Program,
    reduction: Reduction,
    targets: &Targets,
    limits: &Limits,
    progress: &Progress,
) -> Result<Explored<'p>, Stopped> {
    for (id, procedure) in program.numbered() {
        if program.frame_size(id) > Frame::BITS as usize {
            let text = format!("`{}` has more than {} variables in scope", procedure.name, Frame::BITS);
            return Err(Stopped::Unsupported(text));
        }
    }
    let (entries, known, paths, seen) = (Vec::new(), FxHashMap::default(), Vec::new(), FxHashMap::default());
    let mut explored = Explored { program, reduction, entries, known, paths, seen, violation: None };
    let Some(main) = program.main else { return Ok(explored) };
    let marks = targets.marks(program);
    let procedure = program.procedure(main);
    let inputs = (0..program.globals.len() + procedure.formals as usize).map(|i| VarId(i as u32));
    let kept = explored.reduction.kept[main.index()][procedure.entry.index()];
    for frame in valuations(inputs.filter(|&var| kept & bit(var) != 0).collect(), limits)? {
        let entry = explored.enter(main, frame?, limits)?;
        explored.entries[entry].initial = true;
    }
    let mut next = 0;
    while next < explored.paths.len() && explored.violation.is_none() {
        limits.poll()?;
        progress.expanded.store(next as u64, Ordering::Relaxed);
        progress.reached.store(explored.paths.len() as u64, Ordering::Relaxed);
        let path = explored.paths[next];
        let id = explored.entries[path.entry].procedure;
        if marks[id.index()][path.node.index()] {
            explored.violation = Some(next);
        } else {
            explored.expand(next, limits)?;
        }
        next += 1;
    }
    Ok(explored)
}

/// All values of some variables, others false.
fn valuations(vars: Vec<VarId>, limits: &Limits) -> Result<impl Iterator<Item = Result<Frame, Stopped>> + '_, Stopped> {
    if vars.len() > TRIED {
        return Err(Stopped::Unsupported(format!("{} variables with any value at once", vars.len())));
    }
    Ok((0..1u64 << vars.len()).map(move |bits| {
        limits.poll()?;
        let chosen = vars.iter().enumerate().filter(|(i, _)| bits & (1 << i) != 0);
        Ok(chosen.fold(0, |frame, (_, &var)| frame | bit(var)))
    }))
}

fn holds(formula: &Formula, frame: Frame, choices: u32) -> bool {
    let now = |var: VarId| frame & bit(var) != 0;
    formula.holds(now, now, |i| choices & (1 << i) != 0)
}

fn write(frame: Frame, var: VarId, value: bool) -> Frame {
    if value { frame | bit(var) } else { frame & !bit(var) }
}

impl Explored<'_> {
    fn expand(&mut self, at: usize, limits: &Limits) -> Result<(), Stopped> {
        let (program, path) = (self.program, self.paths[at]);
        let id = self.entries[path.entry].procedure;
        let procedure = program.procedure(id);
        if path.node == procedure.exit {
            self.entries[path.entry].exits.push(at);
            for i in 0..self.entries[path.entry].callers.len() {
                let call = self.entries[path.entry].callers[i];
                self.come_back(call, at);
            }
        }
        for &edge_id in &procedure.outgoing[path.node.index()] {
            let edge = procedure.edge(edge_id);
            if edge.choices as usize > TRIED {
                return Err(Stopped::Unsupported(format!("{} choices at once", edge.choices)));
            }
            for choices in 0..1u32 << edge.choices {
                limits.poll()?;
                let value = |formula: &Formula| holds(formula, path.frame, choices);
                let frame = match &edge.op {
                    Op::Skip => path.frame,
                    Op::Assume(formula) if value(formula) => path.frame,
                    Op::Assume(_) => continue,
                    Op::Assign { targets, values, constrain } => {
                        let pairs = targets.iter().zip(values);
                        let frame = pairs.fold(path.frame, |f, (&target, v)| write(f, target, value(v)));
                        let now = |var: VarId| path.frame & bit(var) != 0;
                        let next = |var: VarId| frame & bit(var) != 0;
                        let constrained = |c: &Formula| c.holds(now, next, |i| choices & (1 << i) != 0);
                        if !constrain.as_ref().is_none_or(constrained) {
                            continue;
                        }
                        frame
                    }
                    Op::Return(values) => {
                        let pairs = values.iter().enumerate();
                        pairs.fold(path.frame, |f, (i, v)| write(f, program.result(id, i), value(v)))
                    }
                    Op::Call { callee, args, .. } => {
                        let globals = path.frame & globals(program);
                        let pairs = args.iter().enumerate();
                        let frame = pairs.fold(globals, |f, (i, arg)| write(f, program.formal(i), value(arg)));
                        let entry = self.enter(*callee, frame, limits)?;
                        let call = Call { from: at, edge: edge_id, choices };
                        self.entries[entry].callers.push(call);
                        for i in 0..self.entries[entry].exits.len() {
                            let exit = self.entries[entry].exits[i];
                            self.come_back(call, exit);
                        }
                        continue;
                    }
                };
                self.add(path.entry, edge.to, frame, Parent::Step { from: at, edge: edge_id, choices });
            }
        }
        Ok(())
    }

    /// The entry of a procedure with a state; a new one starts with all values of the locals.
    fn enter(&mut self, id: ProcId, frame: Frame, limits: &Limits) -> Result<usize, Stopped> {
        let node = self.program.procedure(id).entry;
        let kept = self.reduction.kept[id.index()][node.index()];
        let frame = frame & kept;
        if let Some(&entry) = self.known.get(&(id, frame)) {
            return Ok(entry);
        }
        let entry = self.entries.len();
        self.known.insert((id, frame), entry);
        self.entries.push(Entry { procedure: id, frame, initial: false, callers: Vec::new(), exits: Vec::new() });
        let locals = self.program.locals(id).filter(|&var| kept & bit(var) != 0).collect();
        for values in valuations(locals, limits)? {
            self.add(entry, node, frame | values?, Parent::Entry);
        }
        Ok(entry)
    }

    /// Goes on behind a call with a summary edge of the callee.
    fn come_back(&mut self, call: Call, exit: usize) {
        let (before, after) = (self.paths[call.from], self.paths[exit]);
        let caller = self.entries[before.entry].procedure;
        let callee = self.entries[after.entry].procedure;
        let edge = self.program.procedure(caller).edge(call.edge);
        let returned = self.reduction.returned[callee.index()];
        let mut frame = (before.frame & !returned) | (after.frame & returned);
        if let Op::Call { targets, .. } = &edge.op {
            for (i, target) in targets.iter().enumerate() {
                if let Some(target) = target {
                    frame = write(frame, *target, after.frame & bit(self.program.result(callee, i)) != 0);
                }
            }
        }
        self.add(before.entry, edge.to, frame, Parent::Return { call, exit });
    }

    fn add(&mut self, entry: usize, node: NodeId, frame: Frame, parent: Parent) {
        let frame = frame & self.reduction.kept[self.entries[entry].procedure.index()][node.index()];
        let next = self.paths.len();
        if *self.seen.entry((entry, node, frame)).or_insert(next) == next {
            self.paths.push(PathEdge { entry, node, frame, parent });
        }
    }

    /// Number of path edges.
    pub fn path_edges(&self) -> usize {
        self.paths.len()
    }

    /// Number of summary edges.
    pub fn summary_edges(&self) -> usize {
        self.entries.iter().map(|entry| entry.exits.len()).sum()
    }

    /// The path edges to a node: states at the entry and at the node, each restricted to the variables of a mask.
    pub fn relation(&self, id: ProcId, node: NodeId, entry: Frame, now: Frame) -> BTreeSet<(Frame, Frame)> {
        let here = self.paths.iter().filter(|p| p.node == node && self.entries[p.entry].procedure == id);
        here.map(|p| (self.entries[p.entry].frame & entry, p.frame & now)).collect()
    }

    /// The target that was reached, if one was.
    pub fn violated<'t>(&self, targets: &'t Targets) -> Option<&'t Goal> {
        let path = self.paths[self.violation?];
        targets.at(self.entries[path.entry].procedure, path.node)
    }

    /// An execution that reaches the target.
    pub fn trace(&self) -> Option<Trace> {
        let mut steps = Vec::new();
        // Calls that the path goes back through, innermost last.
        let mut calls: Vec<Call> = Vec::new();
        let mut at = self.violation?;
        loop {
            let path = self.paths[at];
            match path.parent {
                Parent::Step { from, edge, choices } => {
                    steps.push(self.step(from, edge, choices, None));
                    at = from;
                }
                Parent::Return { call, exit } => {
                    calls.push(call);
                    at = exit;
                }
                Parent::Entry => {
                    // Whoever asked for an entry first made it, and was found before; the program made the first ones.
                    let entry = &self.entries[path.entry];
                    let maker = || if entry.initial { None } else { entry.callers.first().copied() };
                    let Some(call) = calls.pop().or_else(maker) else { break };
                    steps.push(self.step(call.from, call.edge, call.choices, Some(path)));
                    at = call.from;
                }
            }
        }
        steps.reverse();
        let first = self.paths[at];
        let size = self.program.frame_size(self.entries[first.entry].procedure);
        let start = (0..size).map(|i| first.frame & (1 << i) != 0).collect();
        Some(Trace { start, steps })
    }

    fn step(&self, from: usize, edge: EdgeId, choices: u32, entered: Option<PathEdge>) -> Step {
        let id = self.entries[self.paths[from].entry].procedure;
        let count = self.program.procedure(id).edge(edge).choices;
        let locals = entered.map_or(Vec::new(), |path| {
            let callee = self.entries[path.entry].procedure;
            self.program.locals(callee).map(|var| path.frame & bit(var) != 0).collect()
        });
        Step { edge, choices: (0..count).map(|i| choices & (1 << i) != 0).collect(), locals }
    }
}
