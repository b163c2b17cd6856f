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
    /// A pointer from outside: an input, the result of a function without body, an argument of `main`, a variable that was
    /// never set.
    Unknown,
    /// Nothing that one may access memory through: in memory that was never set, left by undefined behaviour, a number (unless
    /// these lead to memory, see [`crate::ir::Outside::Numbers`]), put together from parts of different pointers, beyond the end of an object.
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
    /// Whether a pointer may be the element; the others only say where an access takes place.
    pointed: IdxVec<ElemId, bool>,
    /// Number of offsets that pointers into each base have got by more than one step of arithmetic.
    count: IdxVec<BaseId, u32>,
    /// For each shift, where it leads from each element, once known.
    shifts: HashMap<(i64, u64), Vec<ElemId>, FxBuildHasher>,
    /// Bytes of a pointer.
    width: u64,
    /// Bytes of each base, if known.
    size: IdxVec<BaseId, Option<i64>>,
    /// Whether offsets are not told apart.
    pub coarse: bool,
}

/// Pointers into an object get no more offsets than this by repeated arithmetic; further ones become classes with the
/// distance of a word. Walks over arrays are classes anyway (see `constraints`). It matters where imprecision lets field
/// addresses run round through memory: `module_get_put-drivers-net-sis900` of `ldv-linux-3.0` has 286,000 offsets after 3 s
/// without it and is not done; with it the analysis takes 0.02 s.
const MAX_OFFSETS: u32 = 16;

/// Pointers to before an object's start are followed this far. (`container_of` of a list's head leads there, and back.)
const BEFORE: i64 = 1 << 12;

/// Not known yet.
const NONE: ElemId = ElemId(u32::MAX);

impl Elements {
    pub const UNKNOWN: ElemId = ElemId(0);
    pub const INDETERMINATE: ElemId = ElemId(1);
    /// The base of [`Elements::UNKNOWN`], and of the memory that it points to.
    pub const OUTSIDE: BaseId = BaseId(0);

    pub fn new(program: &Program, coarse: bool) -> Self {
        let mut sites = IdxVec::new();
        for (function, body) in program.functions.enumerate() {
            for (edge, e) in body.edges().enumerate() {
                if let Op::Alloc { size, kind, zeroed, .. } = e.op {
                    sites.push(Site { function, edge, size: program.exprs.as_const(size), kind, zeroed });
                }
            }
        }
        let objects = program.objects.len();
        let count = IdxVec::filled(0, 2 + objects + sites.len() + program.functions.len());
        let (table, ids, pointed, shifts) = (IdxVec::new(), HashMap::default(), IdxVec::new(), HashMap::default());
        let width = u64::from(program.model.pointer_bits()) / 8;
        let size = Self::sizes(program, &sites);
        let mut elements = Self { objects, sites, table, ids, pointed, count, shifts, width, size, coarse };
        elements.elem(Self::OUTSIDE, Offset::ANY);
        elements.elem(BaseId(1), Offset::ANY);
        elements
    }

    /// Arrays of unknown length (`extern int a[];`) have size 0.
    fn sizes(program: &Program, sites: &IdxVec<SiteId, Site>) -> IdxVec<BaseId, Option<i64>> {
        let known = |size: u64| i64::try_from(size).ok().filter(|&size| 0 < size && size < 1 << 40);
        let objects = program.objects.iter().map(|o| known(o.size));
        let sites = sites.iter().map(|site| site.size.and_then(known));
        [None, None].into_iter().chain(objects).chain(sites).chain(program.functions.iter().map(|_| None)).collect()
    }

    /// The size of an object in bytes, if known.
    pub fn size(&self, base: BaseId) -> Option<i64> {
        self.size[base]
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
        let elem = self.number(base, if self.coarse { Offset::ANY } else { offset });
        self.pointed[elem] = true;
        elem
    }

    fn number(&mut self, base: BaseId, offset: Offset) -> ElemId {
        *self.ids.entry((base, offset)).or_insert_with(|| {
            self.pointed.push(false);
            self.table.push((base, offset))
        })
    }

    /// The element `base + k * stride` bytes further, for an access: it is in no set.
    pub fn accessed(&mut self, elem: ElemId, base: i64, stride: u64) -> ElemId {
        if (base == 0 && stride == 0) || self.coarse || elem.0 <= 1 {
            return elem;
        }
        let (object, offset) = self.table[elem];
        self.number(object, offset.plus(base).plus_multiples(stride))
    }

    /// The element `base + k * stride` bytes further.
    pub fn shifted(&mut self, elem: ElemId, base: i64, stride: u64) -> ElemId {
        if (base == 0 && stride == 0) || self.coarse || elem.0 <= 1 {
            return elem;
        }
        let table = self.shifts.entry((base, stride)).or_default();
        if table.len() <= elem.index() {
            table.resize(elem.index() + 1, NONE);
        }
        if table[elem.index()] != NONE {
            return table[elem.index()];
        }
        let (object, offset) = self.table[elem];
        let mut to = offset.plus(base).plus_multiples(stride);
        let size = self.size[object];
        if to.as_exact().is_some_and(|at| at < -BEFORE || size.is_some_and(|size| at > size)) {
            return Self::INDETERMINATE;
        }
        // Steps from the start of the object are as many as the program has.
        if offset != Offset::exact(0) && !self.ids.get(&(object, to)).is_some_and(|&elem| self.pointed[elem]) {
            self.count[object] += 1;
            if self.count[object] > MAX_OFFSETS {
                to = to.plus_multiples(self.width);
            }
        }
        let to = self.elem(object, to);
        self.shifts.get_mut(&(base, stride)).expect("looked at above")[elem.index()] = to;
        to
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
