//! The program as a graph of cut points: what holds at one is a set of assignments to its bits, and each edge is a function
//! from bits and inputs to the bits at its end, as gates.

use super::compose::Composer;
use super::cuts::{Cuts, is_bad};
use super::known;
use crate::model::{Exit, Model};
use robusto_analyses::interval::Invariants;
use robusto_cfa::facts::Facts;
use robusto_limits::{Limits, Stopped};
use robusto_logic::blast::Blaster;
use robusto_logic::blast::aig::Lit;
use robusto_logic::{Term, Terms};

/// A cut point, the start, or a location that must not be reached.
pub(super) struct Node {
    /// Its location; none for what is before the start.
    pub place: Option<usize>,
    /// The bits of the words that are live there, as words and numbers of bits.
    pub bits: Vec<(usize, u16)>,
    /// The same as inputs of the graph of gates.
    pub state: Vec<Lit>,
    /// What is known there, as gates over the state.
    pub known: Vec<Lit>,
    /// The edges that lead here, forward ones first.
    pub incoming: Vec<usize>,
    pub is_bad: bool,
}

/// All paths between two nodes that pass no other.
pub(super) struct Edge {
    pub from: usize,
    pub to: usize,
    /// Whether it leads to the same node or one before: it closes a loop.
    pub is_back: bool,
    pub guard: Lit,
    /// The bits at the end, by the numbers of the node there.
    pub next: Vec<Lit>,
}

/// The graph. Node 0 is before the start; nodes are numbered in reverse post-order.
pub(super) struct System {
    pub gates: Blaster,
    pub nodes: Vec<Node>,
    pub edges: Vec<Edge>,
    /// All cut points of the model, those included from which nothing bad can be reached.
    pub cuts: Vec<usize>,
}

impl System {
    pub fn of(
        model: &mut Model,
        facts: &Facts,
        intervals: Option<&Invariants>,
        longest: usize,
        limits: &Limits,
    ) -> Result<Self, Stopped> {
        let cuts = Cuts::of(model, longest);
        let mut system = System { gates: Blaster::default(), nodes: Vec::new(), edges: Vec::new(), cuts: Vec::new() };
        system.cuts = cuts.order.iter().copied().filter(|&at| cuts.is_cut[at]).collect();
        let mut numbers = vec![usize::MAX; model.places.len()];
        system.node(model, None, limits)?;
        for &at in cuts.order.iter().filter(|&&at| cuts.is_relevant[at]) {
            if cuts.is_cut[at] || model.exits[at].is_empty() {
                numbers[at] = system.nodes.len();
                system.node(model, Some(at), limits)?;
                let known = known::at(model, facts, intervals, at);
                let known = known.into_iter().map(|t| Ok(system.bits(model, t, limits)?[0]));
                let known = known.collect::<Result<_, Stopped>>()?;
                system.nodes[numbers[at]].known = known;
            }
        }
        let mut composer = Composer::new(model);
        for from in 0..system.nodes.len() {
            let (at, exits) = match system.nodes[from].place {
                Some(at) => (at, model.exits[at].clone()),
                // Its choices are those of no location.
                None => (model.places.len(), vec![start(&model.terms, &model.start)]),
            };
            for way in composer.ways(model, &cuts, at, &exits, limits)? {
                let to = numbers[way.to];
                let guard = system.bits(model, way.guard, limits)?[0];
                let mut next = Vec::with_capacity(system.nodes[to].bits.len());
                for word in model.live[way.to].clone().iter() {
                    let value = way.assign.get(&word).copied().unwrap_or(model.words[word].symbol);
                    next.extend(system.bits(model, value, limits)?);
                }
                if guard != Lit::FALSE {
                    system.edges.push(Edge { from, to, is_back: to <= from, guard, next });
                }
            }
        }
        for (number, edge) in system.edges.iter().enumerate() {
            system.nodes[edge.to].incoming.push(number);
        }
        let edges = &system.edges;
        system.nodes.iter_mut().for_each(|node| node.incoming.sort_by_key(|&edge| (edges[edge].is_back, edge)));
        Ok(system)
    }

    fn node(&mut self, model: &mut Model, place: Option<usize>, limits: &Limits) -> Result<(), Stopped> {
        let words: Vec<usize> = match place {
            Some(place) => model.live[place].iter().collect(),
            None => model.live[0].iter().collect(),
        };
        let (mut bits, mut state) = (Vec::new(), Vec::new());
        for word in words {
            let of_word = self.bits(model, model.words[word].symbol, limits)?;
            bits.extend((0..of_word.len() as u16).map(|bit| (word, bit)));
            state.extend(of_word);
        }
        let is_bad = place.is_some_and(|place| is_bad(&model.places[place]));
        self.nodes.push(Node { place, bits, state, known: Vec::new(), incoming: Vec::new(), is_bad });
        Ok(())
    }

    fn bits(&mut self, model: &mut Model, t: Term, limits: &Limits) -> Result<Vec<Lit>, Stopped> {
        self.gates.blast(&mut model.terms, t, limits)?;
        Ok(self.gates.bits(&model.terms, t).to_vec())
    }
}

/// The step from nowhere to the start.
pub(super) fn start(terms: &Terms, values: &[(usize, Term)]) -> Exit {
    Exit { guard: terms.yes(), to: 0, assign: values.to_vec(), steps: Vec::new() }
}
