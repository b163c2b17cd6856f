//! Blocks as formulas: each exit of a block is one parallel assignment.

use super::control::{Graph, Next};
use super::{Options, Place};
use robusto_analyses::symbolic::{Cell, Encoder, PathFormula};
use robusto_cfa::facts::Facts;
use robusto_cfa::ir::Op;
use robusto_cpa::Step;
use robusto_cpa::control::{Location, StackId};
use robusto_limits::{Limits, Stopped};
use robusto_logic::Term;
use rustc_hash::FxHashMap;

/// Blocks between two looks at the clock.
const POLL: usize = 64;

/// A way out of a block, over cells.
pub(super) struct Exit {
    pub guard: Term,
    pub to: usize,
    pub assign: Vec<(Cell, Term)>,
    pub steps: Vec<Step>,
}

/// The blocks of a program, over cells.
pub(super) struct Encoded<'f> {
    pub encoder: Encoder<'f>,
    pub places: Vec<Place>,
    pub exits: Vec<Vec<Exit>>,
    pub start: Vec<(Cell, Term)>,
}

pub(super) fn encode<'f>(
    facts: &'f Facts,
    graph: &Graph,
    options: &Options,
    limits: &Limits,
) -> Result<Encoded<'f>, Stopped> {
    let mut encoder = Encoder::new(facts);
    if encoder.watches_heap() {
        return Err(Stopped::Unsupported("claims about allocated memory".to_owned()));
    }
    let start = encoder.initial();
    let heap_start = encoder.value(&start, Cell::HeapTop);
    let room = encoder.terms.constant(encoder.terms.width(heap_start), options.heap.into());
    let heap_end = encoder.terms.add(heap_start, room);
    let mut blocks = Blocks {
        facts,
        options,
        graph,
        encoder,
        heap_end,
        places: Vec::new(),
        numbers: FxHashMap::default(),
        locations: FxHashMap::default(),
        exits: Vec::new(),
    };
    for (at, node) in graph.nodes.iter().enumerate().filter(|(_, node)| node.begins) {
        let number = blocks.place(Place::Control(graph.calls(node.stack), node.location));
        blocks.locations.insert(at, number);
    }
    for (done, at) in (0..graph.nodes.len()).filter(|&at| graph.nodes[at].begins).enumerate() {
        if done % POLL == 0 {
            limits.look()?;
        }
        let exits = blocks.block(at)?;
        blocks.exits[done] = exits;
    }
    let Blocks { encoder, places, exits, .. } = blocks;
    Ok(Encoded { encoder, places, exits, start: start.env.into_iter().collect() })
}

struct Blocks<'f, 'g> {
    facts: &'f Facts,
    options: &'g Options,
    graph: &'g Graph,
    encoder: Encoder<'f>,
    /// Where the heap that the model has ends.
    heap_end: Term,
    places: Vec<Place>,
    numbers: FxHashMap<Place, usize>,
    /// By control state that begins a block.
    locations: FxHashMap<usize, usize>,
    exits: Vec<Vec<Exit>>,
}

impl Blocks<'_, '_> {
    /// The number of a location.
    fn place(&mut self, place: Place) -> usize {
        if let Some(&number) = self.numbers.get(&place) {
            return number;
        }
        self.places.push(place.clone());
        self.exits.push(Vec::new());
        self.numbers.insert(place, self.places.len() - 1);
        self.places.len() - 1
    }

    /// The exits of the block that begins at a control state. Together they are always open: what no step goes on with ends.
    fn block(&mut self, begin: usize) -> Result<Vec<Exit>, Stopped> {
        let mut exits = Vec::new();
        let mut formula = self.anything_at(self.graph.nodes[begin].stack, self.graph.nodes[begin].location);
        let mut taken = Vec::new();
        let mut at = begin;
        loop {
            let next = &self.graph.nodes[at].next;
            if let [(step, Next::Node(to))] = next[..]
                && !self.graph.nodes[to].begins
            {
                match self.encoder.step(&formula, step) {
                    Ok(Some(after)) => formula = after,
                    Ok(None) => break,
                    Err(Stopped::Unsupported(what)) => {
                        self.leave(&mut exits, &formula, Place::Gap(what), &taken);
                        break;
                    }
                    Err(stopped) => return Err(stopped),
                }
                taken.push(step);
                at = to;
                continue;
            }
            for &(step, to) in next {
                let mut steps = taken.clone();
                steps.push(step);
                match self.encoder.step(&formula, step) {
                    Ok(Some(after)) => self.exit(&mut exits, after, step, to, steps),
                    Ok(None) => {}
                    Err(Stopped::Unsupported(what)) => {
                        // Nothing is known of the block, then: it has no other exit.
                        exits.clear();
                        self.leave(&mut exits, &formula, Place::Gap(what), &taken);
                        break;
                    }
                    Err(stopped) => return Err(stopped),
                }
            }
            break;
        }
        let guards: Vec<Term> = exits.iter().map(|exit| exit.guard).collect();
        let any = self.encoder.terms.or_all(&guards);
        let none = self.encoder.terms.not(any);
        if !self.encoder.terms.is_false(none) {
            let to = self.place(Place::End);
            exits.push(Exit { guard: none, to, assign: Vec::new(), steps: taken });
        }
        Ok(exits)
    }

    fn exit(&mut self, exits: &mut Vec<Exit>, after: PathFormula, step: Step, to: Next, steps: Vec<Step>) {
        let (function, edge) = step.edge_ref();
        match to {
            Next::Target => self.leave(exits, &after, Place::Target(function, edge), &steps),
            Next::TooDeep => {
                self.leave(exits, &after, Place::Bound("recursion", self.options.recursion.into()), &steps)
            }
            Next::Node(node) => {
                let to = self.locations[&node];
                let Op::Alloc { .. } = step.edge(&self.facts.program).op else {
                    let assign = after.env.into_iter().collect();
                    exits.push(Exit { guard: after.guard, to, assign, steps });
                    return;
                };
                let top = self.encoder.value(&after, Cell::HeapTop);
                let fits = self.encoder.terms.ule(top, self.heap_end);
                let within = self.encoder.terms.and(after.guard, fits);
                let overflows = self.encoder.terms.not(fits);
                let beyond = self.encoder.terms.and(after.guard, overflows);
                let bound = self.place(Place::Bound("allocation", self.options.heap));
                exits.push(Exit { guard: beyond, to: bound, assign: Vec::new(), steps: steps.clone() });
                exits.push(Exit { guard: within, to, assign: after.env.into_iter().collect(), steps });
            }
        }
        exits.retain(|exit| !self.encoder.terms.is_false(exit.guard));
    }

    /// An exit to a sink.
    fn leave(&mut self, exits: &mut Vec<Exit>, formula: &PathFormula, place: Place, steps: &[Step]) {
        let to = self.place(place);
        exits.push(Exit { guard: formula.guard, to, assign: Vec::new(), steps: steps.to_vec() });
    }

    /// Any values at a control state.
    fn anything_at(&mut self, stack: StackId, location: Location) -> PathFormula {
        let active = self.graph.calls(stack).into_iter().map(|(caller, _)| caller).chain([location.function]);
        self.encoder.anything_in(active.collect::<Vec<_>>())
    }
}
