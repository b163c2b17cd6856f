//! What points-to sets consist of: abstract objects with offsets, numbered in the order in which they turn up.

use super::Offset;
use crate::analysis::sparse::SparseSet;
use crate::ir::{AllocKind, EdgeId, FuncId, Idx, IdxVec, ObjId, Op, Program};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

super::super::index::index! {
    /// An allocation site: an `Alloc` edge.
    SiteId "site";
    /// Number of a [`Base`].
    BaseId "base";
    /// An abstract object with an offset.
    ElemId "elem";
}

/// An allocation site; stands for all objects that it allocates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Site {
    /// The function with the edge.
    pub function: FuncId,
    /// The edge.
    pub edge: EdgeId,
    /// Size in bytes, if constant.
    pub size: Option<u64>,
    /// Where the objects live.
    pub kind: AllocKind,
    /// Whether the bytes are zero at first.
    pub zeroed: bool,
}

/// An abstract object.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Base {
    /// A named object; stands for the objects of all activations of its function.
    Object(ObjId),
    /// The objects of an allocation site.
    Site(SiteId),
    /// A function.
    Function(FuncId),
    /// A pointer from outside: an input, the result of a function without body, an absolute address, a number.
    Unknown,
    /// An indeterminate value: never initialised, or left by undefined behaviour.
    Indeterminate,
}

/// Where a pointer may point to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Target {
    /// The object.
    pub base: Base,
    /// The bytes; 0 for functions, any for what is not known.
    pub offset: Offset,
}

/// A set of elements.
pub(super) type Elems = SparseSet<ElemId>;

/// Numbers of bases and elements.
#[derive(Debug)]
pub(super) struct Elements {
    objects: usize,
    pub sites: IdxVec<SiteId, Site>,
    table: IdxVec<ElemId, (BaseId, Offset)>,
    ids: HashMap<(BaseId, Offset), ElemId, FxBuildHasher>,
}

impl Elements {
    pub const UNKNOWN: ElemId = ElemId(0);
    pub const INDETERMINATE: ElemId = ElemId(1);
    /// The base of [`Elements::UNKNOWN`], and of the memory that it points to.
    pub const OUTSIDE: BaseId = BaseId(0);

    pub fn new(program: &Program) -> Self {
        let mut sites = IdxVec::new();
        for (function, body) in program.functions.enumerate() {
            for (edge, e) in body.edges().enumerate() {
                if let Op::Alloc { size, kind, zeroed, .. } = e.op {
                    sites.push(Site { function, edge, size: program.exprs.as_const(size), kind, zeroed });
                }
            }
        }
        let objects = program.objects.len();
        let mut elements = Self { objects, sites, table: IdxVec::new(), ids: HashMap::default() };
        elements.elem(Self::OUTSIDE, Offset::ANY);
        elements.elem(BaseId(1), Offset::ANY);
        elements
    }

    pub fn base_id(&self, base: Base) -> BaseId {
        BaseId::new(match base {
            Base::Unknown => 0,
            Base::Indeterminate => 1,
            Base::Object(o) => 2 + o.index(),
            Base::Site(s) => 2 + self.objects + s.index(),
            Base::Function(f) => 2 + self.objects + self.sites.len() + f.index(),
        })
    }

    pub fn base(&self, id: BaseId) -> Base {
        match id.index() {
            0 => Base::Unknown,
            1 => Base::Indeterminate,
            i if i < 2 + self.objects => Base::Object(ObjId::new(i - 2)),
            i if i < 2 + self.objects + self.sites.len() => Base::Site(SiteId::new(i - 2 - self.objects)),
            i => Base::Function(FuncId::new(i - 2 - self.objects - self.sites.len())),
        }
    }

    /// The site of an edge. Sites are numbered by function and edge.
    pub fn site_at(&self, function: FuncId, edge: EdgeId) -> SiteId {
        let at = self.sites.as_slice().binary_search_by_key(&(function, edge), |s| (s.function, s.edge));
        SiteId::new(at.expect("every allocation has a site"))
    }

    pub fn elem(&mut self, base: BaseId, offset: Offset) -> ElemId {
        *self.ids.entry((base, offset)).or_insert_with(|| self.table.push((base, offset)))
    }

    pub fn get(&self, id: ElemId) -> (BaseId, Offset) {
        self.table[id]
    }

    pub fn len(&self) -> usize {
        self.table.len()
    }

    pub fn target(&self, id: ElemId) -> Target {
        let (base, offset) = self.table[id];
        Target { base: self.base(base), offset }
    }
}
