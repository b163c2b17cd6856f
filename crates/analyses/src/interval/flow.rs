//! The supergraph of all functions, and what its links do to a state.

use super::State;
use super::values::{Values, assume, width};
use crate::facts::Facts;
use robusto_cfa::analysis::graph::Graph;
use robusto_cfa::analysis::loops::LoopForest;
use robusto_cfa::ir::{EdgeId, FuncId, Idx, IdxVec, LocId, Op, VarId, VarKind};
use robusto_domains::Interval;

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
                self.set(&mut state, var, Some(value));
            }
        }
        Some((self.node(main, entry), state))
    }

    /// The state that a link gives to its target.
    pub fn flow(&self, id: LinkId, states: &IdxVec<NodeId, Option<State>>) -> (NodeId, Option<State>) {
        let link = self.links[id.0 as usize];
        let src = self.facts.program.functions[link.function].edge(link.edge).src;
        let state = states[self.node(link.function, src)].as_ref().and_then(|state| match link.kind {
            Kind::Plain => self.edge(state, link),
            Kind::Enter(callee) => Some(self.enter(state, link, callee)),
            Kind::Leave(callee) => {
                let exit = self.facts.program.functions[callee].exit;
                let end = states[self.node(callee, exit)].as_ref()?;
                Some(self.leave(state, end, link, callee))
            }
            Kind::Unknown => {
                let owned = |var: VarId| self.facts.program.vars[var].kind.owner().is_some();
                let mut after: State = state.iter().filter(|(v, _)| owned(**v)).map(|(&v, &i)| (v, i)).collect();
                self.set_result(&mut after, link, None);
                Some(after)
            }
        });
        (link.target, state)
    }

    fn set(&self, state: &mut State, var: VarId, value: Option<Interval>) {
        match value.filter(|v| !v.is_top()) {
            Some(value) if width(&self.facts.program, self.facts.program.vars[var].ty) == Some(value.width()) => {
                state.insert(var, value);
            }
            _ => {
                state.remove(&var);
            }
        }
    }

    fn set_result(&self, state: &mut State, link: Link, value: Option<Interval>) {
        if let Op::Call { result: Some(var), .. } = self.facts.program.functions[link.function].edge(link.edge).op {
            self.set(state, var, value);
        }
    }

    fn edge(&self, state: &State, link: Link) -> Option<State> {
        let program = &self.facts.program;
        let edge = program.functions[link.function].edge(link.edge);
        let mut after = match edge.op {
            Op::Assume { cond, truth } => assume(program, state, cond, truth)?,
            Op::Assign { var, value } => {
                let value = Values::new(program, state).value(value);
                let mut after = state.clone();
                self.set(&mut after, var, value);
                after
            }
            Op::Havoc { var, .. } | Op::Builtin { result: Some(var), .. } => {
                let mut after = state.clone();
                after.remove(&var);
                after
            }
            // Never null.
            Op::Alloc { var, .. } => {
                let mut after = state.clone();
                let bits = program.model.pointer_bits().into();
                self.set(&mut after, var, Some(Interval::unsigned(bits, 1, u64::MAX)));
                after
            }
            _ => state.clone(),
        };
        for var in self.facts.liveness.dying(link.function, edge) {
            if self.facts.results[link.function] != Some(var) {
                after.remove(&var);
            }
        }
        Some(after)
    }

    /// The callee sees the globals and its parameters.
    fn enter(&self, state: &State, link: Link, callee: FuncId) -> State {
        let program = &self.facts.program;
        let Op::Call { ref args, .. } = program.functions[link.function].edge(link.edge).op else {
            unreachable!("calls are entered through call edges")
        };
        let mut values = Values::new(program, state);
        let global = |var: VarId| program.vars[var].kind.owner().is_none();
        let mut start: State = state.iter().filter(|(v, _)| global(**v)).map(|(&v, &i)| (v, i)).collect();
        for (&param, &arg) in program.functions[callee].params.iter().zip(args) {
            if program.exprs.ty(arg) == program.vars[param].ty {
                let value = values.value(arg);
                self.set(&mut start, param, value);
            }
        }
        start
    }

    /// The caller's own variables and the globals that the call cannot write are as before.
    fn leave(&self, before: &State, end: &State, link: Link, callee: FuncId) -> State {
        let program = &self.facts.program;
        let mut after = before.clone();
        for (&var, _) in before.iter().filter(|(v, _)| program.vars[**v].kind.owner().is_none()) {
            if self.facts.may_write(callee, var) {
                after.remove(&var);
            }
        }
        let edge = program.functions[link.function].edge(link.edge);
        let live = self.facts.liveness.at(link.function, edge.dst);
        for (&var, &value) in end.iter().filter(|(v, _)| program.vars[**v].kind.owner().is_none()) {
            if live.contains(var) && self.facts.may_write(callee, var) {
                after.insert(var, value);
            }
        }
        let result = self.facts.results[callee].and_then(|var| end.get(&var).copied());
        self.set_result(&mut after, link, result);
        for var in self.facts.liveness.dying(link.function, edge) {
            after.remove(&var);
        }
        after
    }
}
