//! The supergraph of all functions, and which step each of its links is.

use super::State;
use super::step;
use super::values::Values;
use crate::facts::Facts;
use robusto_cfa::analysis::graph::Graph;
use robusto_cfa::analysis::loops::LoopForest;
use robusto_cfa::analysis::uses::defined;
use robusto_cfa::ir::{EdgeId, FuncId, Idx, IdxVec, LocId, Op, VarKind};
use robusto_cpa::Step;

/// A location of the whole program. The graph algorithms of automata work on locations, so it is one.
pub type NodeId = LocId;

/// Position of a link.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct LinkId(u32);

#[derive(Clone, Copy, Debug)]
enum Kind {
    /// An edge that is not a call.
    Plain,
    /// Into a called function.
    Enter(FuncId),
    /// Back from a called function.
    Leave(FuncId),
    /// A call of something unknown.
    Unknown,
}

#[derive(Clone, Copy, Debug)]
struct Link {
    function: FuncId,
    edge: EdgeId,
    kind: Kind,
    target: NodeId,
}

/// The supergraph.
pub struct Flow<'f> {
    facts: &'f Facts,
    first: IdxVec<FuncId, u32>,
    links: Vec<Link>,
    outgoing: IdxVec<NodeId, Vec<LinkId>>,
    incoming: IdxVec<NodeId, Vec<LinkId>>,
    forest: Option<LoopForest>,
}

impl<'f> Flow<'f> {
    /// Links the functions.
    pub fn new(facts: &'f Facts) -> Self {
        let program = &facts.program;
        let mut first = IdxVec::new();
        let mut nodes = 0;
        for function in program.functions.iter() {
            first.push(nodes as u32);
            nodes += function.num_locs();
        }
        let mut flow = Self {
            facts,
            first,
            links: Vec::new(),
            outgoing: IdxVec::filled(Vec::new(), nodes),
            incoming: IdxVec::filled(Vec::new(), nodes),
            forest: None,
        };
        let mut edges: Vec<(NodeId, NodeId)> = Vec::new();
        for (function, body) in program.functions.enumerate().filter(|&(f, _)| facts.calls.is_reachable(f)) {
            for (edge, e) in body.edges().enumerate() {
                let (src, dst) = (flow.node(function, e.src), flow.node(function, e.dst));
                edges.push((src, dst));
                let Op::Call { .. } = e.op else {
                    flow.link(&[src], Link { function, edge, kind: Kind::Plain, target: dst });
                    continue;
                };
                let Some(site) = facts.calls.site(function, edge) else { continue };
                if site.unknown {
                    flow.link(&[src], Link { function, edge, kind: Kind::Unknown, target: dst });
                }
                for &callee in &site.callees {
                    let called = &program.functions[callee];
                    let (entry, exit) = (flow.node(callee, called.entry), flow.node(callee, called.exit));
                    flow.link(&[src], Link { function, edge, kind: Kind::Enter(callee), target: entry });
                    flow.link(&[src, exit], Link { function, edge, kind: Kind::Leave(callee), target: dst });
                    edges.extend([(src, entry), (exit, dst)]);
                }
            }
        }
        if let Some(main) = program.main {
            let start = flow.node(main, program.functions[main].entry);
            flow.forest = Some(LoopForest::new(&Graph::new(nodes, edges.into_iter()), start));
        }
        flow
    }

    fn link(&mut self, sources: &[NodeId], link: Link) {
        let id = LinkId(self.links.len() as u32);
        for &source in sources {
            self.outgoing[source].push(id);
        }
        self.incoming[link.target].push(id);
        self.links.push(link);
    }

    /// The node of a location.
    pub fn node(&self, function: FuncId, loc: LocId) -> NodeId {
        NodeId::new(self.first[function] as usize + loc.index())
    }

    /// Number of nodes.
    pub fn num_nodes(&self) -> usize {
        self.outgoing.len()
    }

    /// The nodes that may be reached, in weak topological order.
    pub fn order(&self) -> &[NodeId] {
        self.forest.as_ref().map_or(&[], LoopForest::weak_topological_order)
    }

    /// Position in that order.
    pub fn position(&self, node: NodeId) -> usize {
        self.forest.as_ref().and_then(|f| f.position(node)).expect("only reachable nodes have states")
    }

    /// Whether widening is due at a node.
    pub fn is_head(&self, node: NodeId) -> bool {
        self.forest.as_ref().is_some_and(|f| f.is_head(node))
    }

    /// The links that depend on a node's state.
    pub fn outgoing(&self, node: NodeId) -> &[LinkId] {
        &self.outgoing[node]
    }

    /// The links into a node.
    pub fn incoming(&self, node: NodeId) -> &[LinkId] {
        &self.incoming[node]
    }

    /// Where the program starts, and with which values of its globals.
    pub fn start(&self) -> Option<(NodeId, State)> {
        let program = &self.facts.program;
        let main = program.main?;
        let nothing = State::new();
        let mut values = Values::new(program, &nothing);
        let mut state = State::new();
        let entry = program.functions[main].entry;
        for (var, info) in program.vars.enumerate() {
            if let VarKind::Global(init) = info.kind
                && self.facts.liveness.at(main, entry).contains(var)
                && let Some(value) = values.value(init)
            {
                step::set(self.facts, &mut state, var, Some(value));
            }
        }
        Some((self.node(main, entry), state))
    }

    /// The state that a link gives to its target.
    pub fn flow(&self, id: LinkId, states: &IdxVec<NodeId, Option<State>>) -> (NodeId, Option<State>) {
        let facts = self.facts;
        let Link { function: caller, edge, kind, target } = self.links[id.0 as usize];
        let source = facts.program.functions[caller].edge(edge);
        let state = states[self.node(caller, source.src)].as_ref().and_then(|state| match kind {
            Kind::Plain => step::edge(facts, state, Step::Edge(caller, edge)),
            Kind::Enter(callee) => Some(step::enter(facts, state, Step::Enter { caller, edge, callee })),
            Kind::Leave(callee) => {
                let exit = facts.program.functions[callee].exit;
                let end = states[self.node(callee, exit)].as_ref()?;
                Some(step::leave(facts, state, end, Step::Leave { callee, caller, edge }))
            }
            Kind::Unknown => Some(step::skip_unknown(facts, state, defined(&source.op))),
        });
        (target, state)
    }
}
