//! The supergraph of all functions: every location once, whatever the pending calls.
//!
//! Reps, Horwitz, Sagiv: *Precise interprocedural dataflow analysis via graph reachability*, POPL 1995, Section 2. A link
//! back from a called function depends on two locations: its end, and the call.

use crate::analysis::Step;
use crate::control::Location;
use robusto_cfa::analysis::callgraph::CallGraph;
use robusto_cfa::analysis::graph::Graph;
use robusto_cfa::analysis::loops::LoopForest;
use robusto_cfa::ir::{FuncId, Idx, IdxVec, LocId, Op, Program};

/// A location of the whole program. The graph algorithms of automata work on locations, so it is one.
pub type NodeId = LocId;

/// Position of a link.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct LinkId(u32);

/// A step between two locations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Link {
    /// The step. An edge with a call calls something unknown.
    pub step: Step,
    /// Where the edge starts, also that of a call that is over.
    pub source: NodeId,
    /// The end of the function that a [`Step::Leave`] leaves.
    pub end: Option<NodeId>,
    /// Where it leads.
    pub target: NodeId,
}

/// The graph.
#[derive(Debug)]
pub struct Supergraph {
    first: IdxVec<FuncId, u32>,
    locations: IdxVec<NodeId, Location>,
    links: Vec<Link>,
    outgoing: IdxVec<NodeId, Vec<LinkId>>,
    incoming: IdxVec<NodeId, Vec<LinkId>>,
    start: Option<NodeId>,
    forest: Option<LoopForest>,
}

impl Supergraph {
    /// Links the functions that may be called.
    pub fn new(program: &Program, calls: &CallGraph) -> Self {
        let mut first = IdxVec::new();
        let mut locations = IdxVec::new();
        for (function, body) in program.functions.enumerate() {
            first.push(locations.len() as u32);
            body.locs().for_each(|loc| {
                locations.push(Location { function, loc });
            });
        }
        let nodes = locations.len();
        let mut graph = Self {
            first,
            locations,
            links: Vec::new(),
            outgoing: IdxVec::filled(Vec::new(), nodes),
            incoming: IdxVec::filled(Vec::new(), nodes),
            start: None,
            forest: None,
        };
        let mut edges: Vec<(NodeId, NodeId)> = Vec::new();
        for (function, body) in program.functions.enumerate().filter(|&(f, _)| calls.is_reachable(f)) {
            for (edge, e) in body.edges().enumerate() {
                let (source, target) = (graph.node(function, e.src), graph.node(function, e.dst));
                edges.push((source, target));
                let within = Link { step: Step::Edge(function, edge), source, end: None, target };
                let Op::Call { .. } = e.op else {
                    graph.link(within);
                    continue;
                };
                let Some(site) = calls.site(function, edge) else { continue };
                if site.unknown {
                    graph.link(within);
                }
                for &callee in &site.callees {
                    let called = &program.functions[callee];
                    let (entry, exit) = (graph.node(callee, called.entry), graph.node(callee, called.exit));
                    let enter = Step::Enter { caller: function, edge, callee };
                    let leave = Step::Leave { callee, caller: function, edge };
                    graph.link(Link { step: enter, source, end: None, target: entry });
                    graph.link(Link { step: leave, source, end: Some(exit), target });
                    edges.extend([(source, entry), (exit, target)]);
                }
            }
        }
        if let Some(main) = program.main {
            let start = graph.node(main, program.functions[main].entry);
            graph.start = Some(start);
            graph.forest = Some(LoopForest::new(&Graph::new(nodes, edges.into_iter()), start));
        }
        graph
    }

    fn link(&mut self, link: Link) {
        let id = LinkId(self.links.len() as u32);
        self.outgoing[link.source].push(id);
        if let Some(end) = link.end {
            self.outgoing[end].push(id);
        }
        self.incoming[link.target].push(id);
        self.links.push(link);
    }

    /// The node of a location.
    pub fn node(&self, function: FuncId, loc: LocId) -> NodeId {
        NodeId::new(self.first[function] as usize + loc.index())
    }

    /// The location of a node.
    pub fn location(&self, node: NodeId) -> Location {
        self.locations[node]
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.locations.len()
    }

    /// Whether there is no node.
    pub fn is_empty(&self) -> bool {
        self.locations.is_empty()
    }

    /// Where the program starts.
    pub fn start(&self) -> Option<NodeId> {
        self.start
    }

    /// The nodes that may be reached, in weak topological order.
    pub fn order(&self) -> &[NodeId] {
        self.forest.as_ref().map_or(&[], LoopForest::weak_topological_order)
    }

    /// Position in that order.
    pub fn position(&self, node: NodeId) -> usize {
        self.forest.as_ref().and_then(|f| f.position(node)).expect("only reachable nodes have states")
    }

    /// Whether a node is the head of a cycle, which may be one of calls. Every cycle has a head.
    pub fn is_head(&self, node: NodeId) -> bool {
        self.forest.as_ref().is_some_and(|f| f.is_head(node))
    }

    /// A link.
    pub fn get(&self, id: LinkId) -> Link {
        self.links[id.0 as usize]
    }

    /// The links that depend on a node's state.
    pub fn outgoing(&self, node: NodeId) -> &[LinkId] {
        &self.outgoing[node]
    }

    /// The links into a node.
    pub fn incoming(&self, node: NodeId) -> &[LinkId] {
        &self.incoming[node]
    }
}
