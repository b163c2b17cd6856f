//! Solves the constraints while the call graph grows.

use super::constraints::{Complex, Constraints, Node, SiteIdx};
use super::elements::{Base, BaseId, Elements, Elems};
use super::generate::Value;
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
    /// The cells of elements that point to a whole word, once known.
    pub word_cells: Vec<Option<Node>>,
    /// One of the cells that go with each auxiliary node, see `one_cell`.
    cells_of: HashMap<Node, Node, FxBuildHasher>,
    /// Bases that an unknown pointer may point to, under [`UnknownPointers::Anywhere`].
    pub exposed: HashSet<BaseId, FxBuildHasher>,
    /// Those that have still to be connected to the outside.
    pub to_expose: Vec<BaseId>,
    exposed_functions: Vec<FuncId>,
    /// The values of expressions, made on demand.
    pub values: IdxVec<ExprId, Option<Value>>,
    pub calls: IdxVec<SiteIdx, (FuncId, EdgeId)>,
    linked: HashSet<(SiteIdx, FuncId), FxBuildHasher>,
    /// Indirect calls through unknown pointers.
    unknown_calls: Vec<SiteIdx>,
    pub reached: IdxVec<FuncId, bool>,
    /// Functions whose edges have still to be looked at.
    pub pending: Vec<FuncId>,
}

impl<'p> Solver<'p> {
    pub fn new(program: &'p Program, uses: &'p Uses, policy: UnknownPointers, coarse: bool) -> Self {
        let mut graph = Constraints::default();
        // One node for each variable, one for each function's result, and one that stays empty.
        for _ in 0..program.vars.len() + program.functions.len() + 1 {
            graph.node();
        }
        Self {
            program,
            uses,
            policy,
            width: i64::from(program.model.pointer_bits()) / 8,
            graph,
            elements: Elements::new(program, coarse),
            memory: HashMap::default(),
            word_cells: Vec::new(),
            cells_of: HashMap::default(),
            exposed: HashSet::default(),
            to_expose: Vec::new(),
            exposed_functions: Vec::new(),
            values: IdxVec::filled(None, program.exprs.len()),
            calls: IdxVec::new(),
            linked: HashSet::default(),
            unknown_calls: Vec::new(),
            reached: IdxVec::filled(false, program.functions.len()),
            pending: Vec::new(),
        }
    }

    pub fn result_node(&self, function: FuncId) -> Node {
        Node::new(self.program.vars.len() + function.index())
    }

    pub fn empty_node(&self) -> Node {
        Node::new(self.program.vars.len() + self.program.functions.len())
    }

    /// Runs to the fixed point, or until more than this number of elements has been passed on; says which.
    pub fn run(&mut self, limit: usize) -> bool {
        while self.graph.work <= limit {
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
                return true;
            }
        }
        false
    }

    pub fn expose_function(&mut self, function: FuncId) {
        self.exposed_functions.push(function);
        for site in self.unknown_calls.clone() {
            self.link(site, function);
        }
    }

    /// Registers a constraint and applies it to what is there already.
    pub fn add(&mut self, node: Node, complex: Complex) {
        if node == self.empty_node() {
            return;
        }
        let complex = match complex {
            Complex::Load { access, pointer, dst } => self.graph.wait_load(node, access, pointer, dst),
            Complex::Store { access, src } => self.graph.wait_store(node, access, src),
            other => Some(other),
        };
        if let Some(complex) = complex {
            let elems = self.graph.wait(node, complex);
            self.apply(complex, &elems);
        }
    }

    /// `dst` gets the elements of `src`, shifted.
    pub fn shift(&mut self, src: Node, by: Offset, dst: Node) {
        if by == Offset::exact(0) {
            self.graph.copy(src, dst);
        } else {
            self.add(src, Complex::Shift { base: by.base(), stride: by.stride(), dst });
        }
    }

    fn apply(&mut self, complex: Complex, elems: &Elems) {
        if let Complex::Shift { base, stride, dst } = complex {
            let shifted: Elems = elems.iter().map(|elem| self.elements.shifted(elem, base, stride)).collect();
            self.graph.insert_all(dst, &shifted);
            return;
        }
        for elem in elems.iter() {
            match complex {
                Complex::Shift { .. } => unreachable!("handled above"),
                Complex::Load { access, pointer, dst } => match self.touch(elem, access, false) {
                    Touched::Word(cell) => {
                        let cell = self.one_cell(dst, cell);
                        self.graph.copy(cell, dst);
                        // What lies outside holds anything.
                        if pointer && elem == Elements::UNKNOWN {
                            self.graph.insert(dst, Elements::UNKNOWN);
                        }
                    }
                    Touched::Parts(cells) => {
                        cells.into_iter().for_each(|cell| self.graph.copy(cell, dst));
                        if pointer {
                            let special = elem == Elements::UNKNOWN;
                            self.graph.insert(dst, if special { elem } else { Elements::INDETERMINATE });
                        }
                    }
                    Touched::Nothing if pointer && elem == Elements::INDETERMINATE => self.graph.insert(dst, elem),
                    Touched::Nothing => {}
                },
                Complex::Store { access, src } => match self.touch(elem, access, true) {
                    Touched::Word(cell) => {
                        let cell = self.one_cell(src, cell);
                        self.graph.copy(src, cell);
                    }
                    Touched::Parts(cells) => {
                        for cell in cells {
                            self.graph.copy(src, cell);
                            self.graph.insert(cell, Elements::INDETERMINATE);
                        }
                    }
                    Touched::Nothing => {}
                },
                Complex::Mark { access, elem: mark } => match self.touch(elem, access, true) {
                    Touched::Word(cell) => self.graph.insert(cell, mark),
                    Touched::Parts(cells) => cells.into_iter().for_each(|cell| self.graph.insert(cell, mark)),
                    Touched::Nothing => {}
                },
                Complex::Call(site) => match self.elements.base(self.elements.get(elem).0) {
                    Base::Function(function) => self.link(site, function),
                    Base::Unknown => {
                        self.call_unknown(site);
                        let (caller, edge) = self.calls[site];
                        let called = self.program.called_outside(&self.program.functions[caller].edge(edge).op);
                        called.into_iter().for_each(|function| self.link(site, function));
                    }
                    Base::Indeterminate => self.call_unknown(site),
                    Base::Object(_) | Base::Site(_) => {}
                },
            }
        }
    }

    /// If offsets are not told apart, makes all cells one that go with an auxiliary node.
    fn one_cell(&mut self, auxiliary: Node, cell: Node) -> Node {
        if !self.elements.coarse {
            return cell;
        }
        let first = *self.cells_of.entry(auxiliary).or_insert(cell);
        self.graph.unify(first, cell);
        first
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
