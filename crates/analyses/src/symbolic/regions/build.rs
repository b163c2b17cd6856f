//! Collects the footprints of all accesses and unites those that belong together.

use super::footprint::{Extent, Footprint, clip, is_outside};
use super::{Regions, written};
use robusto_cfa::analysis::points_to::{Base, Offset, SiteId};
use robusto_cfa::analysis::uses::for_each_root;
use robusto_cfa::facts::Facts;
use robusto_cfa::ir::{BinOp, CastOp, EdgeId, Expr, ExprId, FuncId, IdxVec, Op};
use robusto_logic::DisjointSets;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// A copy of more cells than this moves a range.
const MAX_CELLS: u64 = 64;
/// So does a copy of more bytes than this.
const MAX_BYTES: u64 = 4096;
/// A range with more elements than this is not written element by element.
pub(super) const MAX_PLACES: u64 = 16;

/// Where an access may begin.
pub(super) type Targets = Vec<(Base, Offset)>;

pub(super) struct Copy {
    pub(super) at: (FuncId, EdgeId),
    pub(super) dst: Targets,
    pub(super) src: Targets,
    pub(super) extent: Extent,
    /// Offset and size of the cells that it copies; `None` if it moves a range.
    pub(super) cells: Option<BTreeSet<(u64, u64)>>,
}

pub(super) struct Range {
    pub(super) at: (FuncId, EdgeId),
    pub(super) targets: Targets,
    pub(super) extent: Extent,
    /// Whether what is written may end anywhere; then the whole region is havocked.
    pub(super) open: bool,
}

/// Index of a footprint.
pub(super) type Node = usize;

pub(super) struct Builder<'f> {
    pub(super) facts: &'f Facts,
    pub(super) nodes: Vec<Footprint>,
    pub(super) index: FxHashMap<Footprint, Node>,
    /// In the order in which they turn up.
    pub(super) bases: Vec<Base>,
    pub(super) of_base: FxHashMap<Base, Vec<Node>>,
    pub(super) accesses: Vec<((ExprId, u64), Vec<Node>)>,
    /// Positions in `accesses`, and whether it is read there.
    pub(super) known: FxHashMap<(ExprId, u64), usize>,
    pub(super) read: Vec<Node>,
    pub(super) copies: Vec<Copy>,
    pub(super) ranges: Vec<Range>,
    /// The sites with one object.
    pub(super) singles: IdxVec<SiteId, bool>,
}

impl<'f> Builder<'f> {
    pub fn new(facts: &'f Facts) -> Self {
        Self {
            facts,
            nodes: Vec::new(),
            index: FxHashMap::default(),
            bases: Vec::new(),
            of_base: FxHashMap::default(),
            accesses: Vec::new(),
            known: FxHashMap::default(),
            read: Vec::new(),
            copies: Vec::new(),
            ranges: Vec::new(),
            singles: super::super::objects::singles(facts),
        }
    }

    /// Adds what an edge does to memory.
    pub fn collect(&mut self, function: FuncId, edge: EdgeId, op: &Op) {
        let (facts, at) = (self.facts, (function, edge));
        let exprs = &facts.program.exprs;
        for_each_root(op, |root| {
            for &load in facts.uses.loads(root) {
                if let Expr::Load(ty, addr) = exprs.get(load) {
                    let node = self.access(addr, ty.size(facts.program.model));
                    self.read.push(node);
                }
            }
        });
        match *op {
            Op::Store { addr, value } => {
                self.access(addr, exprs.ty(value).size(facts.program.model));
            }
            Op::Copy { dst, src, size } => {
                let extent = self.extent(size);
                let (dst, src) = (self.targets(dst, extent), self.targets(src, extent));
                let few = matches!(extent, Extent::Range { size: Some(..=MAX_BYTES), .. });
                self.copies.push(Copy { at, dst, src, extent, cells: few.then(BTreeSet::new) });
            }
            Op::Fill { dst: addr, size, .. } | Op::HavocMem { addr, size, .. } => {
                let extent = self.extent(size);
                let targets = self.targets(addr, extent);
                self.ranges.push(Range { at, targets, extent, open: false });
            }
            Op::Builtin { .. } => {
                let extent = Extent::Range { size: None, unit: 1 };
                for addr in written(op) {
                    let targets = self.targets(addr, extent).into_iter().map(|(base, _)| (base, Offset::ANY)).collect();
                    self.ranges.push(Range { at, targets, extent, open: true });
                }
            }
            _ => {}
        }
    }

    fn extent(&self, size: ExprId) -> Extent {
        match self.facts.program.exprs.as_const(size) {
            Some(size) => Extent::Range { size: Some(size), unit: size.max(1) },
            None => Extent::Range { size: None, unit: self.power(size, 8) },
        }
    }

    /// A power of two that divides a number.
    fn power(&self, size: ExprId, depth: u32) -> u64 {
        let exprs = &self.facts.program.exprs;
        let both = |x, y| (self.power(x, depth - 1), self.power(y, depth - 1));
        match exprs.get(size) {
            _ if depth == 0 => 1,
            Expr::Const(_, 0) => 16,
            Expr::Const(_, bits) => 1 << bits.trailing_zeros().min(4),
            Expr::Binary(BinOp::Mul, x, y) => {
                let (x, y) = both(x, y);
                (x * y).min(16)
            }
            Expr::Binary(BinOp::Add | BinOp::Sub, x, y) => {
                let (x, y) = both(x, y);
                x.min(y)
            }
            Expr::Binary(BinOp::Shl, x, by) => match exprs.as_const(by) {
                Some(by) => (self.power(x, depth - 1) << by.min(4)).min(16),
                None => 1,
            },
            Expr::Cast(CastOp::ZExt | CastOp::SExt, _, x) => self.power(x, depth - 1),
            _ => 1,
        }
    }

    /// The places in objects that an address may be, if so many bytes are accessed there. What is not known counts where
    /// it is all there is: an access through a pointer that may be indeterminate is undefined if it is.
    fn targets(&self, addr: ExprId, extent: Extent) -> Targets {
        let points_to = &self.facts.points_to;
        let bytes = match extent {
            Extent::Range { size: None, .. } => 1,
            extent => extent.bytes(),
        };
        let mut targets = Targets::new();
        for target in points_to.of_expr(addr).iter() {
            let size = match target.base {
                Base::Object(object) => Some(self.facts.program.objects[object].size).filter(|&size| size > 0),
                Base::Site(site) => points_to.sites()[site].size,
                Base::Unknown => {
                    targets.push((Base::Unknown, Offset::ANY));
                    continue;
                }
                Base::Function(_) | Base::Indeterminate => continue,
            };
            targets.extend(clip(target.offset, size, bytes).map(|offset| (target.base, offset)));
        }
        if targets.is_empty() {
            targets.push((Base::Indeterminate, Offset::ANY));
        }
        targets.sort_unstable();
        targets.dedup();
        targets
    }

    fn node(&mut self, base: Base, offset: Offset, extent: Extent) -> Node {
        let footprint = Footprint { base, offset, extent };
        if let Some(&node) = self.index.get(&footprint) {
            return node;
        }
        let node = self.nodes.len();
        self.nodes.push(footprint);
        self.index.insert(footprint, node);
        let of_base = self.of_base.entry(base).or_default();
        if of_base.is_empty() {
            self.bases.push(base);
        }
        of_base.push(node);
        node
    }

    /// A load or store; gives one of its footprints.
    fn access(&mut self, addr: ExprId, size: u64) -> Node {
        if let Some(&position) = self.known.get(&(addr, size)) {
            return self.accesses[position].1[0];
        }
        let extent = Extent::Cell(size);
        let targets = self.targets(addr, extent);
        let nodes: Vec<Node> = targets.into_iter().map(|(base, offset)| self.node(base, offset, extent)).collect();
        let first = nodes[0];
        self.known.insert((addr, size), self.accesses.len());
        self.accesses.push(((addr, size), nodes));
        first
    }

    /// Carries the cells of either side of a copy to the other side, until all copies are settled.
    fn settle_copies(&mut self) {
        let mut copies = std::mem::take(&mut self.copies);
        for copy in copies.iter().filter(|c| c.cells.is_none()) {
            self.add_range(copy);
        }
        loop {
            let before = self.nodes.len();
            for copy in &mut copies {
                if copy.cells.is_none() {
                    continue;
                }
                copy.cells = self.cells_of(copy);
                match copy.cells.clone() {
                    Some(cells) => {
                        for (at, size) in cells {
                            for &(base, offset) in copy.dst.iter().chain(&copy.src) {
                                self.copied_cell(base, offset, at, size);
                            }
                        }
                    }
                    None => self.add_range(copy),
                }
            }
            if self.nodes.len() == before {
                break;
            }
        }
        self.copies = copies;
    }

    fn copied_cell(&mut self, base: Base, offset: Offset, at: u64, size: u64) -> Node {
        let offset = if is_outside(base) { offset } else { offset.plus(at as i64) };
        self.node(base, offset, Extent::Cell(size))
    }

    fn add_range(&mut self, copy: &Copy) {
        for &(base, offset) in copy.dst.iter().chain(&copy.src) {
            self.node(base, offset, copy.extent);
        }
    }

    /// The cells of both sides of a copy; `None` if they do not fit together.
    fn cells_of(&self, copy: &Copy) -> Option<BTreeSet<(u64, u64)>> {
        let mut cells = BTreeSet::new();
        let size = copy.extent.bytes();
        for &(base, offset) in copy.dst.iter().chain(&copy.src) {
            let range = Footprint { base, offset, extent: copy.extent };
            for &node in self.of_base.get(&base).into_iter().flatten() {
                let footprint = &self.nodes[node];
                match footprint.extent {
                    Extent::Range { .. } if footprint.may_overlap(&range) => return None,
                    Extent::Range { .. } => {}
                    Extent::Cell(_) if is_outside(base) => {}
                    Extent::Cell(bytes) => {
                        cells.extend(footprint.places_in(&range, size, MAX_CELLS)?.into_iter().map(|at| (at, bytes)));
                    }
                }
            }
        }
        let disjoint = cells.iter().zip(cells.iter().skip(1)).all(|(a, b)| a.0 + a.1 <= b.0);
        (disjoint && cells.len() as u64 <= MAX_CELLS).then_some(cells)
    }

    pub fn finish(mut self) -> Regions {
        self.settle_copies();
        let mut sets = DisjointSets::new(self.nodes.len());
        for (_, nodes) in &self.accesses {
            sets.unite_all(nodes);
        }
        for index in 0..self.bases.len() {
            self.unite_overlapping(self.bases[index], &mut sets);
        }
        let copies = std::mem::take(&mut self.copies);
        for copy in &copies {
            for side in [&copy.dst, &copy.src] {
                match &copy.cells {
                    None => {
                        let nodes: Vec<Node> = side.iter().map(|&(b, o)| self.node(b, o, copy.extent)).collect();
                        sets.unite_all(&nodes);
                    }
                    Some(cells) => {
                        for &(at, size) in cells {
                            let nodes: Vec<Node> =
                                side.iter().map(|&(b, o)| self.copied_cell(b, o, at, size)).collect();
                            sets.unite_all(&nodes);
                        }
                    }
                }
            }
        }
        let (region_of, count) = sets.places();
        let widths = self.widths(&region_of, count, &copies);
        self.assemble(region_of, &widths, &copies)
    }

    fn unite_overlapping(&self, base: Base, sets: &mut DisjointSets) {
        let mut nodes = self.of_base[&base].clone();
        // Neighbours in the order of their offsets suffice where offsets are exact.
        nodes.sort_by_key(|&n| (self.nodes[n].offset.as_exact().is_none(), self.nodes[n].offset.base()));
        let exact = nodes.partition_point(|&n| self.nodes[n].offset.as_exact().is_some());
        let mut reaching = None;
        for &node in &nodes[..exact] {
            let (start, end) = (self.nodes[node].offset.base(), self.end(node));
            match reaching {
                Some((until, longest)) if start < until => {
                    sets.unite(node, longest);
                    reaching = Some(if end > until { (end, node) } else { (until, longest) });
                }
                _ => reaching = Some((end, node)),
            }
        }
        for (i, &node) in nodes.iter().enumerate().skip(exact) {
            for &other in &nodes[..i] {
                if self.nodes[node].may_overlap(&self.nodes[other]) {
                    sets.unite(node, other);
                }
            }
        }
    }

    fn end(&self, node: Node) -> i64 {
        self.nodes[node].offset.base().saturating_add_unsigned(self.nodes[node].extent.bytes())
    }

    /// The width of each region's elements.
    fn widths(&mut self, region_of: &[usize], regions: usize, copies: &[Copy]) -> Vec<u64> {
        let mut widths: Vec<Option<u64>> = vec![None; regions];
        for (node, footprint) in self.nodes.iter().enumerate() {
            if let Extent::Cell(size) = footprint.extent {
                let width = &mut widths[region_of[node]];
                *width = Some(if width.is_none_or(|w| w == size) { size } else { 1 });
            }
        }
        for base in &self.bases {
            self.split_crossing(&self.of_base[base], region_of, &mut widths);
        }
        for range in &self.ranges {
            self.for_each_meeting(range, |builder, node, footprint| {
                let width = &mut widths[region_of[node]];
                if !range.open && width.is_some_and(|w| w > 1) && builder.nodes[node].is_cut_by(footprint) {
                    *width = Some(1);
                }
            });
        }
        let region = |base, offset, extent| region_of[self.index[&Footprint { base, offset, extent }]];
        loop {
            let before = widths.clone();
            for copy in copies.iter().filter(|c| c.cells.is_none()) {
                let (dst, src) = (copy.dst[0], copy.src[0]);
                let (dst, src) = (region(dst.0, dst.1, copy.extent), region(src.0, src.1, copy.extent));
                let width = match (widths[dst], widths[src]) {
                    (Some(a), Some(b)) if a != b => Some(1),
                    (a, b) => a.or(b),
                };
                (widths[dst], widths[src]) = (width, width);
            }
            for base in &self.bases {
                let nodes = &self.of_base[base];
                for &node in nodes {
                    let Extent::Range { unit, .. } = self.nodes[node].extent else { continue };
                    let width = &mut widths[region_of[node]];
                    let fits = |w: u64| {
                        let aligned = |&other: &Node| {
                            !self.nodes[node].may_overlap(&self.nodes[other])
                                || self.nodes[node].is_aligned_with(&self.nodes[other], w)
                        };
                        unit.is_multiple_of(w) && nodes.iter().all(aligned)
                    };
                    if width.is_some_and(|w| w > 1 && !fits(w)) {
                        *width = Some(1);
                    }
                }
            }
            if widths == before {
                break;
            }
        }
        widths.into_iter().map(|w| w.unwrap_or(1)).collect()
    }

    /// Regions where cells of one base can overlap in part become bytes.
    fn split_crossing(&self, of_base: &[Node], region_of: &[usize], widths: &mut [Option<u64>]) {
        let mut cells: Vec<Node> =
            of_base.iter().copied().filter(|&n| matches!(self.nodes[n].extent, Extent::Cell(_))).collect();
        let is_strided = |n: &Node| self.nodes[*n].offset.as_exact().is_none();
        cells.sort_by_key(|n| (is_strided(n), region_of[*n], self.nodes[*n].offset.base()));
        let exact = cells.partition_point(|n| !is_strided(n));
        let check = |a: Node, b: Node, widths: &mut [Option<u64>]| {
            let width = &mut widths[region_of[a]];
            if region_of[a] == region_of[b] && width.is_some_and(|w| self.nodes[a].may_cross(&self.nodes[b], w)) {
                *width = Some(1);
            }
        };
        for pair in cells[..exact].windows(2) {
            check(pair[0], pair[1], widths);
        }
        for (i, &node) in cells.iter().enumerate().skip(exact) {
            for &other in &cells[..=i] {
                check(node, other, widths);
            }
        }
    }

    /// Calls `visit` with each footprint that a range can meet, and the range there.
    pub(super) fn for_each_meeting(&self, range: &Range, mut visit: impl FnMut(&Self, Node, &Footprint)) {
        for &(base, offset) in &range.targets {
            let footprint = Footprint { base, offset, extent: range.extent };
            for &node in self.of_base.get(&base).into_iter().flatten() {
                if self.nodes[node].may_overlap(&footprint) {
                    visit(self, node, &footprint);
                }
            }
        }
    }
}
