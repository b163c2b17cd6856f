//! The program unfolded by calls: each location once for each stack of pending calls.

use crate::certificate::calls_of;
use robusto_cfa::facts::Facts;
use robusto_cfa::ir::{EdgeId, FuncId};
use robusto_cpa::Step;
use robusto_cpa::control::{Location, StackId, Stacks, steps};
use robusto_limits::{Limits, Stopped};
use rustc_hash::FxHashMap;

/// Most nodes. One fixpoint takes a tenth of a millisecond per node and more; programs with more are not worth beginning.
const MOST: usize = 50_000;

/// The graph. Node 0 is where the program starts.
pub struct Graph {
    /// Where control is.
    nodes: Vec<(StackId, Location)>,
    /// Steps between two nodes.
    pub links: Vec<(usize, usize, Step)>,
    /// Steps to an error, and to what is not modelled, with the node that they begin at.
    pub errors: Vec<(usize, Step)>,
    /// By node, the steps that lead to it, those from nodes of higher rank first.
    incoming: Vec<Vec<usize>>,
    stacks: Stacks,
}

impl Graph {
    /// Unfolds a program without recursion.
    pub fn new(facts: &Facts, main: FuncId, limits: &Limits) -> Result<Self, Stopped> {
        let program = &facts.program;
        if program.functions.ids().any(|f| facts.calls.is_reachable(f) && facts.calls.is_recursive(f)) {
            return Err(Stopped::Unsupported("predicates and numbers of recursive functions".to_owned()));
        }
        let stacks = Stacks::new(program.functions.len() as u32 + 1);
        let start = (StackId::EMPTY, Location { function: main, loc: program.functions[main].entry });
        let mut graph =
            Self { nodes: vec![start], links: Vec::new(), errors: Vec::new(), incoming: Vec::new(), stacks };
        let mut numbers = FxHashMap::from_iter([(start, 0)]);
        let (mut out, mut next) = (Vec::new(), 0);
        while next < graph.nodes.len() {
            limits.poll()?;
            let (stack, location) = graph.nodes[next];
            out.clear();
            steps(program, facts, None, location, graph.stacks.top(stack), &mut out);
            for &step in &out {
                if step.is_error(program) {
                    graph.errors.push((next, step));
                    continue;
                }
                let to = (graph.stacks.transfer(stack, step)?, location.transfer(program, step));
                let target = *numbers.entry(to).or_insert_with(|| {
                    graph.nodes.push(to);
                    graph.nodes.len() - 1
                });
                graph.links.push((next, target, step));
            }
            next += 1;
            if graph.nodes.len() > MOST {
                return Err(Stopped::Unsupported(format!("more than {MOST} locations with their calls")));
            }
        }
        let rank = graph.ranks();
        graph.incoming = vec![Vec::new(); graph.nodes.len()];
        for (i, link) in graph.links.iter().enumerate() {
            graph.incoming[link.1].push(i);
        }
        for incoming in &mut graph.incoming {
            incoming.sort_by_key(|&i| (std::cmp::Reverse(rank[graph.links[i].0]), i));
        }
        Ok(graph)
    }

    /// The position of each node in reverse post-order: steps to a lower one lead back in a loop.
    fn ranks(&self) -> Vec<usize> {
        let mut outgoing: Vec<Vec<usize>> = vec![Vec::new(); self.nodes.len()];
        self.links.iter().for_each(|link| outgoing[link.0].push(link.1));
        let (mut rank, mut entered) = (vec![0; self.nodes.len()], vec![false; self.nodes.len()]);
        let (mut stack, mut left) = (vec![(0, 0)], self.nodes.len());
        entered[0] = true;
        while let Some((node, next)) = stack.last_mut() {
            match outgoing[*node].get(*next) {
                Some(&to) => {
                    *next += 1;
                    if !std::mem::replace(&mut entered[to], true) {
                        stack.push((to, 0));
                    }
                }
                None => {
                    left -= 1;
                    rank[*node] = left;
                    stack.pop();
                }
            }
        }
        rank
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Where control is at a node, with the pending calls, the oldest first.
    pub fn place(&self, node: usize) -> (Vec<(FuncId, EdgeId)>, Location) {
        let (stack, location) = self.nodes[node];
        (calls_of(&self.stacks, stack), location)
    }

    /// The steps that lead to a node, those from nodes that are found later first.
    pub fn before(&self, node: usize) -> Vec<usize> {
        self.incoming[node].clone()
    }
}
