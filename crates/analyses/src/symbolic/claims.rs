//! Claims about memory as terms.
//!
//! A claim about an address speaks of the objects that points-to analysis names for it; up to the first access outside of a
//! live object, an address belongs to no other; pointers from outside lead to memory of their own (`outside`).
//!
//! Local objects live as long as the call of their function, and a formula knows the pending calls. Allocated ones have
//! extents ([`super::objects`]).

use super::expr::Scene;
use super::memory::Content;
use super::objects::{Class, Room};
use super::{Cell, Encoder, PathFormula};
use robusto_cfa::analysis::points_to::{Base, SiteId};
use robusto_cfa::ir::{AllocKind, Claim, EdgeId, ExprId, FuncId, ObjId, ObjectKind};
use robusto_cpa::Step;
use robusto_limits::Stopped;
use robusto_logic::Term;
use std::ops::Range;

/// Bytes between objects that lie one after the other, and their alignment.
const RED_ZONE: u64 = 16;

impl Encoder<'_> {
    /// Whether a function's pending calls are counted in formulas.
    pub(super) fn counts_calls(&self, function: FuncId) -> bool {
        self.facts.calls.is_recursive(function) || self.objects.watches_calls(function)
    }

    /// Whether the encoding has cells for allocated objects that live.
    pub fn watches_heap(&self) -> bool {
        !self.objects.classes.is_empty() || self.objects.counted
    }

    /// Whether there is a cell for the extents of a site.
    pub fn watches_site(&self, site: SiteId) -> bool {
        self.objects.watches(site)
    }

    /// The cells about allocated objects that are words.
    pub fn object_words(&self) -> Vec<Cell> {
        let is_single = |&site: &SiteId| self.objects.classes[site].has_one();
        let extents = self.objects.classes.ids().filter(|&site| self.objects.watches(site)).filter(is_single);
        extents.map(Cell::Extent).chain(self.objects.counted.then_some(Cell::Live)).collect()
    }

    /// Any values where these calls are pending, the functions named once for each of theirs.
    pub fn anything_in(&mut self, pending: impl IntoIterator<Item = FuncId>) -> PathFormula {
        let mut start = self.initial();
        start.activations.clear();
        for function in pending {
            if self.counts_calls(function) {
                let count = start.activations.get(&function).copied().unwrap_or(0);
                start.activations.insert(function, count + 1);
            }
        }
        self.identity(&start)
    }

    /// Whether a claim holds of `size` bytes at `pointer`.
    pub(super) fn claim(
        &mut self,
        scene: &Scene<'_>,
        claim: Claim,
        pointer: ExprId,
        [address, size]: [Term; 2],
    ) -> Result<Term, Stopped> {
        let f = scene.formula();
        if matches!(claim, Claim::Tracked | Claim::Released) {
            if claim == Claim::Tracked {
                self.approximate(scene.step(), "which pointers lead to allocated memory");
            }
            let live = self.value(f, Cell::Live);
            let none = self.pointer(0);
            return Ok(self.terms.eq(live, none));
        }
        let zero = self.pointer(0);
        // Of no bytes, and of a null pointer to be freed, it holds.
        let trivial = if claim == Claim::Freeable { address } else { size };
        let mut cases = vec![self.terms.eq(trivial, zero)];
        for base in self.facts.points_to.of_expr(pointer).bases() {
            match base {
                Base::Object(object) => self.in_object(f, claim, object, [address, size], &mut cases)?,
                Base::Site(site) => cases.extend(self.in_site(f, claim, site, [address, size])),
                Base::Unknown => {
                    let size = if claim == Claim::Freeable { zero } else { size };
                    cases.push(self.is_outside(address, size));
                }
                Base::Function(_) | Base::Indeterminate => {}
            }
        }
        Ok(self.terms.or_all(&cases))
    }

    /// The cases in which the bytes lie in a named object of a pending call, or a static one.
    fn in_object(
        &mut self,
        f: &PathFormula,
        claim: Claim,
        object: ObjId,
        [address, size]: [Term; 2],
        cases: &mut Vec<Term>,
    ) -> Result<(), Stopped> {
        let info = &self.facts.program.objects[object];
        let calls = match (claim, &info.kind) {
            (Claim::Freeable, _) | (Claim::Writable, ObjectKind::Constant(_)) => 0,
            (_, ObjectKind::Global(_) | ObjectKind::Constant(_)) => 1,
            (_, ObjectKind::Local(owner)) => f.activations.get(owner).copied().unwrap_or(0),
        };
        let room = self.pointer(info.size);
        for activation in 0..calls {
            let base = self.address(object, activation)?;
            let distance = self.terms.sub(address, base);
            let (fits, last) = (self.terms.ule(size, room), self.terms.sub(room, size));
            let inside = self.terms.ule(distance, last);
            cases.push(self.terms.and(fits, inside));
        }
        Ok(())
    }

    /// The case in which the bytes lie in a live object of an allocation site.
    fn in_site(&mut self, f: &PathFormula, claim: Claim, site: SiteId, [address, size]: [Term; 2]) -> Option<Term> {
        let is_heap = matches!(self.facts.points_to.sites()[site].kind, AllocKind::Heap | AllocKind::Caller);
        if claim == Claim::Freeable {
            let extent = self.extent_at(f, site, address);
            let (zero, is_base) = (self.pointer(0), self.is_base(f, site, address));
            let alive = self.terms.ne(extent, zero);
            return is_heap.then(|| self.terms.and(is_base, alive));
        }
        let base = self.base_of(f, site, address);
        let extent = self.extent_at(f, site, base);
        let distance = self.terms.sub(address, base);
        let one = self.pointer(1);
        let room = self.terms.sub(extent, one);
        let (fits, last) = (self.terms.ult(size, extent), self.terms.sub(room, size));
        let inside = self.terms.ule(distance, last);
        Some(self.terms.and(fits, inside))
    }

    /// The address of the object of a site that an address may belong to.
    fn base_of(&mut self, f: &PathFormula, site: SiteId, address: Term) -> Term {
        match self.objects.classes[site] {
            Class::Single(base, _) => self.pointer(base),
            Class::Alone => self.value(f, Cell::Starts(site)),
            Class::Slot(slot) => self.aligned(address, slot),
            Class::Sized => self.by_room(address, |encoder, room| encoder.aligned(address, room.slot())),
            Class::Dense => {
                let starts = self.value(f, Cell::Starts(site));
                let granule = self.granule(address);
                self.terms.select(starts, granule)
            }
        }
    }

    /// The multiple of 2ᵏ at or below an address.
    fn aligned(&mut self, address: Term, slot: u32) -> Term {
        let mask = self.pointer(!((1 << slot) - 1));
        self.terms.and(address, mask)
    }

    /// What a function says of the room that an address lies in. For addresses beyond the rooms, it may be any.
    fn by_room(&mut self, address: Term, of: impl Fn(&mut Self, Room) -> Term) -> Term {
        let [first, others @ ..] = Room::ALL;
        let mut value = of(self, first);
        for room in others {
            let start = self.pointer(room.start());
            let (here, is_beyond) = (of(self, room), self.terms.ule(start, address));
            value = self.terms.ite(is_beyond, here, value);
        }
        value
    }

    fn granule(&mut self, address: Term) -> Term {
        let shift = self.pointer(RED_ZONE.trailing_zeros().into());
        self.terms.binary(robusto_logic::BinaryOp::LShr, address, shift)
    }

    /// Whether an address is one that objects of a site have; where extents are an array, that array says it.
    fn is_base(&mut self, f: &PathFormula, site: SiteId, address: Term) -> Term {
        match self.objects.classes[site] {
            Class::Single(..) | Class::Alone => {
                let base = self.base_of(f, site, address);
                self.terms.eq(address, base)
            }
            Class::Slot(_) | Class::Sized | Class::Dense => self.terms.yes(),
        }
    }

    fn extent_at(&mut self, f: &PathFormula, site: SiteId, base: Term) -> Term {
        let extent = self.value(f, Cell::Extent(site));
        if self.objects.classes[site].has_one() { extent } else { self.terms.select(extent, base) }
    }

    /// The extent of the object at an address becomes another; for an address that is no object's, nothing changes.
    fn set_extent(&mut self, f: &mut PathFormula, site: SiteId, base: Term, extent: Term) {
        let old = self.value(f, Cell::Extent(site));
        let new = if self.objects.classes[site].has_one() {
            let is_it = self.is_base(f, site, base);
            self.terms.ite(is_it, extent, old)
        } else {
            self.terms.store(old, base, extent)
        };
        f.env.insert(Cell::Extent(site), new);
    }

    /// The initial values of the cells for allocated objects: none lives.
    pub(super) fn begin_claims(&mut self, f: &mut PathFormula) {
        let zero = self.pointer(0);
        let index = self.facts.program.model.pointer_bits().into();
        let nowhere = self.terms.const_array(index, zero);
        for site in self.objects.classes.ids() {
            if !self.objects.watches(site) {
                continue;
            }
            let class = self.objects.classes[site];
            let nothing = if class.has_one() { zero } else { nowhere };
            f.env.insert(Cell::Extent(site), nothing);
            if matches!(class, Class::Alone | Class::Dense) {
                f.env.insert(Cell::Starts(site), nothing);
            }
        }
        for &room in self.objects.rooms() {
            let start = self.pointer(room.start());
            f.env.insert(Cell::RoomTop(room), start);
        }
        if self.objects.counted {
            f.env.insert(Cell::Live, zero);
        }
    }

    /// The address of the object of a size that an edge allocates.
    pub(super) fn allocated(&mut self, f: &PathFormula, (function, edge): (FuncId, EdgeId), size: Term) -> Term {
        let top = self.value(f, Cell::HeapTop);
        let site = self.facts.points_to.site_at(function, edge);
        if let Some(address) = self.objects.fixed(site) {
            return self.pointer(address);
        }
        if self.objects.classes.is_empty() {
            return top;
        }
        match self.objects.classes[site] {
            Class::Single(base, _) => self.pointer(base),
            Class::Slot(slot) => {
                let next = self.offset(top, (1 << slot) - 1);
                self.aligned(next, slot)
            }
            Class::Sized => self.by_size(size, |encoder, room| encoder.value(f, Cell::RoomTop(room))),
            Class::Alone | Class::Dense => top,
        }
    }

    /// What a function says of the room for objects of a size.
    fn by_size(&mut self, size: Term, of: impl Fn(&mut Self, Room) -> Term) -> Term {
        let [others @ .., last] = Room::ALL;
        let mut value = of(self, last);
        for room in others.into_iter().rev() {
            let (here, fits) = (of(self, room), self.fits(size, room.most()));
            value = self.terms.ite(fits, here, value);
        }
        value
    }

    fn fits(&mut self, size: Term, most: u64) -> Term {
        let most = self.pointer(most);
        self.terms.ule(size, most)
    }

    /// The heap grows. Memory above its top has never been accessed, so its content is arbitrary as it is.
    pub(super) fn allocate(
        &mut self,
        f: &mut PathFormula,
        at: (FuncId, EdgeId),
        size: Term,
        (kind, zeroed): (AllocKind, bool),
    ) -> Result<(), Stopped> {
        let address = self.allocated(f, at, size);
        let site = self.facts.points_to.site_at(at.0, at.1);
        let class = self.objects.classes.get(site).copied().unwrap_or(Class::Dense);
        match class {
            Class::Single(_, slot) => self.restrict_size(f, size, 1 << (slot - 1)),
            Class::Slot(slot) => {
                self.restrict_size(f, size, 1 << (slot - 1));
                self.restrict_address(f, address, self.addresses.heap().start..self.common_end() - (2 << slot));
                let next = self.offset(address, 1 << slot);
                f.env.insert(Cell::HeapTop, next);
            }
            Class::Sized => self.grow_room(f, size),
            Class::Alone | Class::Dense if self.objects.fixed(site).is_some() => {}
            Class::Alone | Class::Dense => self.grow(f, site, class, address, size),
        }
        if self.objects.watches(site) {
            let extent = self.offset(size, 1);
            self.set_extent(f, site, address, extent);
        }
        if self.objects.counted && kind == AllocKind::Heap {
            let live = self.value(f, Cell::Live);
            let more = self.offset(live, 1);
            f.env.insert(Cell::Live, more);
        }
        if zeroed {
            let byte = self.terms.constant(8, 0);
            for part in self.regions.of_base(Base::Site(site)).to_vec() {
                self.write_part(f, &part, address, size, Content::Byte(byte))?;
            }
        }
        Ok(())
    }

    /// The end of the addresses for objects of constant sizes, and for all where no claims are made.
    fn common_end(&self) -> u64 {
        let end = self.addresses.heap().end;
        if self.objects.classes.is_empty() { end } else { end.min(Room::Small.start()) }
    }

    fn restrict_size(&mut self, f: &mut PathFormula, size: Term, most: u64) {
        let fits = self.fits(size, most);
        self.restrict(f, fits);
    }

    /// An address is in a range. The heap grows from its start: where a formula begins in the middle of an execution that has to be said,
    /// or what is allocated might be null.
    fn restrict_address(&mut self, f: &mut PathFormula, address: Term, range: Range<u64>) {
        let (first, last) = (self.pointer(range.start), self.pointer(range.end));
        let (above, below) = (self.terms.ule(first, address), self.terms.ule(address, last));
        self.restrict(f, above);
        self.restrict(f, below);
    }

    /// An object in the room for its size.
    fn grow_room(&mut self, f: &mut PathFormula, size: Term) {
        self.restrict_size(f, size, Room::Large.most());
        let mut too_large = self.terms.yes();
        for room in Room::ALL {
            let fits = self.fits(size, room.most());
            let is_it = self.terms.and(too_large, fits);
            too_large = self.terms.not(fits);
            let top = self.value(f, Cell::RoomTop(room));
            let (start, last) = (self.pointer(room.start()), self.pointer(room.end() - (1 << room.slot())));
            let (above, below) = (self.terms.ule(start, top), self.terms.ule(top, last));
            let aligned = self.aligned(top, room.slot());
            let is_slot = self.terms.eq(aligned, top);
            let all = self.terms.and_all(&[above, below, is_slot]);
            let condition = self.terms.implies(is_it, all);
            self.restrict(f, condition);
            let next = self.offset(top, 1 << room.slot());
            let next = self.terms.ite(is_it, next, top);
            f.env.insert(Cell::RoomTop(room), next);
        }
    }

    /// An object behind those before.
    fn grow(&mut self, f: &mut PathFormula, site: SiteId, class: Class, address: Term, size: Term) {
        // The address space is not exhausted.
        let last = self.common_end() - 4 * RED_ZONE;
        self.restrict_address(f, address, self.addresses.heap().start..last);
        let last = self.pointer(last);
        let room = self.terms.sub(last, address);
        let fits = self.terms.ule(size, room);
        self.restrict(f, fits);
        // The top is a multiple of the red zone.
        let (more, mask) = (self.pointer(2 * RED_ZONE - 1), self.pointer(!(RED_ZONE - 1)));
        let sum = self.terms.add(size, more);
        let grown = self.terms.and(sum, mask);
        let next = self.terms.add(address, grown);
        f.env.insert(Cell::HeapTop, next);
        if !self.objects.watches(site) {
            return;
        }
        if class == Class::Alone {
            f.env.insert(Cell::Starts(site), address);
            return;
        }
        let (first, count) = (self.granule(address), self.granule(grown));
        let index = self.facts.program.model.pointer_bits().into();
        let (starts, here) = (self.value(f, Cell::Starts(site)), self.terms.const_array(index, address));
        let from = self.pointer(0);
        let starts = self.terms.splice(starts, here, first, from, count);
        f.env.insert(Cell::Starts(site), starts);
    }

    /// An allocated object ends; its memory is never given out again. Only the library ends what is its own, and nothing else.
    pub(super) fn free(&mut self, f: &mut PathFormula, pointer: ExprId, address: Term, kind: AllocKind) {
        let zero = self.pointer(0);
        let uncounted =
            (self.objects.counted && kind == AllocKind::Heap).then(|| self.is_uncounted(f, pointer, address));
        for base in self.facts.points_to.of_expr(pointer).bases() {
            if let Base::Site(site) = base
                && self.objects.watches(site)
                && (self.facts.points_to.sites()[site].kind == AllocKind::Library) == (kind == AllocKind::Library)
            {
                self.set_extent(f, site, address, zero);
            }
        }
        if let Some(uncounted) = uncounted {
            let (live, one) = (self.value(f, Cell::Live), self.pointer(1));
            let fewer = self.terms.sub(live, one);
            let left = self.terms.ite(uncounted, live, fewer);
            f.env.insert(Cell::Live, left);
        }
    }

    /// Whether what a pointer leads to is not among the objects that are counted: nothing, what is outside of the program, or
    /// what the caller of a function holds. Where the caller's objects cannot be told apart from others, it is taken for one.
    fn is_uncounted(&mut self, f: &PathFormula, pointer: ExprId, address: Term) -> Term {
        let zero = self.pointer(0);
        let mut cases = vec![self.terms.eq(address, zero)];
        for base in self.facts.points_to.of_expr(pointer).bases() {
            match base {
                Base::Unknown => cases.push(self.is_outside(address, zero)),
                Base::Site(site) if self.facts.points_to.sites()[site].kind == AllocKind::Caller => {
                    cases.push(match self.objects.fixed(site) {
                        Some(fixed) => {
                            let fixed = self.pointer(fixed);
                            self.terms.eq(address, fixed)
                        }
                        None if self.objects.watches(site) => {
                            let extent = self.extent_at(f, site, address);
                            self.terms.ne(extent, zero)
                        }
                        None => self.terms.yes(),
                    });
                }
                Base::Site(_) | Base::Object(_) | Base::Function(_) | Base::Indeterminate => {}
            }
        }
        self.terms.or_all(&cases)
    }

    /// The size of the object at an address that a pointer to the start of a watched object has; `None` if it may have others.
    pub(super) fn object_size(&mut self, f: &PathFormula, pointer: ExprId, address: Term) -> Option<Term> {
        let (zero, one) = (self.pointer(0), self.pointer(1));
        let mut size = zero;
        for base in self.facts.points_to.of_expr(pointer).bases() {
            let Base::Site(site) = base else { return None };
            if !self.objects.watches(site) {
                return None;
            }
            let (extent, is_base) = (self.extent_at(f, site, address), self.is_base(f, site, address));
            let alive = self.terms.ne(extent, zero);
            let (is_it, own) = (self.terms.and(is_base, alive), self.terms.sub(extent, one));
            size = self.terms.ite(is_it, own, size);
        }
        Some(size)
    }

    /// A call ends, and with it what its function allocated on the stack.
    pub(super) fn end_stack_objects(&mut self, f: &mut PathFormula, step: Step, callee: FuncId) {
        if self.objects.classes.is_empty() {
            return;
        }
        for site in self.objects.ending_with(self.facts, callee) {
            let cell = Cell::Extent(site);
            let sort = self.sort(cell);
            let value = if self.facts.calls.is_recursive(callee) {
                self.approximate(step, "which arrays of a recursive function have ended");
                self.choose(f, step.edge_ref(), sort)
            } else if self.objects.classes[site].has_one() {
                self.pointer(0)
            } else {
                let (index, zero) = (self.facts.program.model.pointer_bits().into(), self.pointer(0));
                self.terms.const_array(index, zero)
            };
            f.env.insert(cell, value);
        }
    }
}
