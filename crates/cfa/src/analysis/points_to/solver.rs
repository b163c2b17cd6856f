//! Solves the constraints while the call graph grows.

use super::constraints::{Access, Complex, Constraints, Node, SiteIdx};
use super::elements::{Base, BaseId, ElemId, Elements, Elems};
use super::memory::{Cells, Touched};
use super::{Offset, UnknownPointers};
use crate::analysis::uses::Uses;
use crate::ir::{EdgeId, ExprId, FuncId, Idx, IdxVec, Program};
use hashbrown::{HashMap, HashSet};
use rustc_hash::FxBuildHasher;

/// The state of the analysis.
pub(super) struct Solver<'p> {
    pub program: &'p Program,
    pub uses: &'p Uses,
    pub policy: UnknownPointers,
    /// Bytes of a pointer.
    pub width: i64,
    pub graph: Constraints,
    pub elements: Elements,
    pub memory: HashMap<BaseId, Cells, FxBuildHasher>,
    /// Bases that an unknown pointer may point to, under [`UnknownPointers::Anywhere`].
    pub exposed: HashSet<BaseId, FxBuildHasher>,
    /// Those that have still to be connected to the outside.
    pub to_expose: Vec<BaseId>,
    exposed_functions: Vec<FuncId>,
    /// The nodes of expressions, made on demand.
    pub expr_nodes: IdxVec<ExprId, Option<Node>>,
    pub calls: IdxVec<SiteIdx, (FuncId, EdgeId)>,
    linked: HashSet<(SiteIdx, FuncId), FxBuildHasher>,
    /// Indirect calls through unknown pointers.
    unknown_calls: Vec<SiteIdx>,
    pub reached: IdxVec<FuncId, bool>,
    /// Functions whose edges have still to be looked at.
    pub pending: Vec<FuncId>,
    growth: HashMap<(Node, BaseId), Growth, FxBuildHasher>,
}

/// The offsets that have been added to a node for one object.
struct Growth {
    count: u32,
    join: Offset,
}

/// A node that gets more offsets into one object than this by pointer arithmetic gets a class of offsets instead. That
/// ends the chain of `p = p + 8` in a loop, and keeps the fields of the array elements that `p` walks over apart.
const MAX_OFFSETS: u32 = 16;

impl<'p> Solver<'p> {
    pub fn new(program: &'p Program, uses: &'p Uses, policy: UnknownPointers) -> Self {
        let mut graph = Constraints::default();
        // One node for each variable, one for each function's result, and one that stays empty.
        for _ in 0..program.vars.len() + program.functions.len() + 1 {
            graph.node();
        }
        let calls = IdxVec::new();
        Self {
            program,
            uses,
            policy,
            width: i64::from(program.model.pointer_bits()) / 8,
            graph,
            elements: Elements::new(program),
            memory: HashMap::default(),
            exposed: HashSet::default(),
            to_expose: Vec::new(),
            exposed_functions: Vec::new(),
            expr_nodes: IdxVec::filled(None, program.exprs.len()),
            calls,
            linked: HashSet::default(),
            unknown_calls: Vec::new(),
            reached: IdxVec::filled(false, program.functions.len()),
            pending: Vec::new(),
            growth: HashMap::default(),
        }
    }

    pub fn result_node(&self, function: FuncId) -> Node {
        Node::new(self.program.vars.len() + function.index())
    }

    pub fn empty_node(&self) -> Node {
        Node::new(self.program.vars.len() + self.program.functions.len())
    }

    /// Runs to the fixed point.
    pub fn run(&mut self) {
        loop {
            while let Some(function) = self.pending.pop() {
                self.generate(function);
            }
            while let Some(base) = self.to_expose.pop() {
                self.expose(base);
            }
            if let Some((node, fresh, complex)) = self.graph.step() {
                for &c in &complex {
                    self.apply(c, &fresh);
                }
                self.graph.put_back(node, complex);
            } else if self.pending.is_empty() && self.to_expose.is_empty() {
                return;
            }
        }
    }

    pub fn expose_function(&mut self, function: FuncId) {
        self.exposed_functions.push(function);
        for site in self.unknown_calls.clone() {
            self.link(site, function);
        }
    }

    /// Registers a constraint and applies it to what is there already.
    pub fn add(&mut self, node: Node, complex: Complex) {
        if node != self.empty_node() {
            let elems = self.graph.wait(node, complex);
            self.apply(complex, &elems);
        }
    }

    pub fn shift(&mut self, src: Node, base: i64, stride: u64, dst: Node) {
        if base == 0 && stride == 0 {
            self.graph.copy(src, dst);
        } else {
            self.add(src, Complex::Shift { base, stride, dst });
        }
    }

    fn apply(&mut self, complex: Complex, elems: &Elems) {
        for elem in elems.iter() {
            match complex {
                Complex::Shift { base, stride, dst } => self.shift_elem(elem, base, stride, dst),
                Complex::Load { access, pointer, dst } => self.load(elem, access, pointer, dst),
                Complex::Store { access, src } => {
                    if let Touched::Nodes { nodes, whole } = self.touch(elem, access, true) {
                        for cell in nodes {
                            self.shift(src, 0, u64::from(!whole), cell);
                        }
                    }
                }
                Complex::Mark { access, elem: mark } => {
                    if let Touched::Nodes { nodes, .. } = self.touch(elem, access, true) {
                        for cell in nodes {
                            self.graph.insert(cell, mark);
                        }
                    }
                }
                Complex::Call(site) => match self.elements.base(self.elements.get(elem).0) {
                    Base::Function(function) => self.link(site, function),
                    Base::Unknown | Base::Indeterminate => self.call_unknown(site),
                    Base::Object(_) | Base::Site(_) => {}
                },
            }
        }
    }

    fn shift_elem(&mut self, elem: ElemId, base: i64, stride: u64, dst: Node) {
        let (object, offset) = self.elements.get(elem);
        if matches!(self.elements.base(object), Base::Unknown | Base::Indeterminate) {
            self.graph.insert(dst, elem);
            return;
        }
        let mut offset = offset.plus(base).plus_multiples(stride);
        if offset != Offset::ANY {
            let dst = self.graph.find(dst);
            let new = self.element(object, offset);
            if self.graph.set(dst).contains(new) {
                return;
            }
            let growth = self.growth.entry((dst, object)).or_insert(Growth { count: 0, join: offset });
            growth.count += 1;
            growth.join = growth.join.join(offset);
            if growth.count > MAX_OFFSETS {
                offset = growth.join;
            }
        }
        let new = self.element(object, offset);
        self.graph.insert(dst, new);
    }

    fn load(&mut self, elem: ElemId, access: Access, pointer: bool, dst: Node) {
        if let Touched::Nodes { nodes, whole } = self.touch(elem, access, false) {
            for cell in nodes {
                self.shift(cell, 0, u64::from(!whole), dst);
            }
        }
        // What lies outside holds anything.
        if pointer && matches!(elem, Elements::UNKNOWN | Elements::INDETERMINATE) {
            self.graph.insert(dst, Elements::UNKNOWN);
        }
    }

    fn call_unknown(&mut self, site: SiteIdx) {
        if self.unknown_calls.contains(&site) {
            return;
        }
        self.unknown_calls.push(site);
        self.call_result_unknown(site);
        for function in self.exposed_functions.clone() {
            self.link(site, function);
        }
    }

    /// Lets an indirect call call a function.
    fn link(&mut self, site: SiteIdx, function: FuncId) {
        if self.linked.insert((site, function)) {
            let (caller, edge) = self.calls[site];
            self.call(caller, edge, function);
        }
    }

    pub fn reach(&mut self, function: FuncId) {
        if !std::mem::replace(&mut self.reached[function], true) {
            self.pending.push(function);
        }
    }
}
