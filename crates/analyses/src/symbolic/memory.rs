//! Loads, stores, and writes of ranges.

use super::regions::{CopyPlan, RangePart};
use super::{Cell, Encoder, PathFormula, RegionId};
use imbl::OrdMap;
use robusto_cfa::analysis::points_to::Base;
use robusto_cfa::ir::{EdgeId, FuncId, ObjId};
use robusto_limits::Stopped;
use robusto_logic::{Sort, Term};

/// Copies of at most this many elements are written element by element.
const SMALL_COPY: u64 = 16;

/// What a range of bytes becomes.
#[derive(Clone, Copy)]
pub(super) enum Content {
    /// This byte, over and over.
    Byte(Term),
    /// Anything, chosen on this edge.
    Choice(FuncId, EdgeId),
}

impl Encoder<'_> {
    fn index_width(&self) -> u16 {
        self.facts.program.model.pointer_bits().into()
    }

    /// The address of the only cell of a region that is not an array.
    fn single_address(&mut self, region: RegionId) -> Result<Option<Term>, Stopped> {
        let Some((base, offset)) = self.regions.regions[region].single else { return Ok(None) };
        match self.base_address(base) {
            Some(address) => Ok(Some(self.pointer(address + offset))),
            None => Err(Stopped::Unsupported("too many local objects".to_owned())),
        }
    }

    /// The address of a named object, or of the only object of a site.
    pub(super) fn base_address(&self, base: Base) -> Option<u64> {
        match base {
            Base::Object(object) => self.addresses.object(object, 0),
            Base::Site(site) => self.objects.fixed(site),
            Base::Function(_) | Base::Unknown | Base::Indeterminate => None,
        }
    }

    pub(super) fn offset(&mut self, addr: Term, bytes: u64) -> Term {
        let bytes = self.pointer(bytes);
        self.terms.add(addr, bytes)
    }

    /// The bytes at an address, the first one lowest.
    pub(super) fn load(&mut self, f: &PathFormula, region: RegionId, addr: Term, size: u64) -> Term {
        let memory = self.value(f, Cell::Region(region));
        let width = self.regions.regions[region].width;
        if self.regions.regions[region].single.is_some() {
            return memory;
        }
        let mut value = self.terms.select(memory, addr);
        for k in 1..size / width {
            let at = self.offset(addr, k * width);
            let next = self.terms.select(memory, at);
            value = self.terms.concat(next, value);
        }
        value
    }

    /// An element of an array at the start of a block, if the program accesses the array in elements of one size only; the index is as
    /// wide as a pointer. No activation but the first is meant.
    pub fn array_element(&mut self, array: ObjId, index: Term) -> Option<Term> {
        let [part] = self.regions.of_base(Base::Object(array)) else { return None };
        let [cells] = part.cells[..] else { return None };
        let (region, size) = (part.region, cells.size);
        if cells.first != 0 || !(cells.stride == size || self.facts.program.objects[array].size == size) {
            return None;
        }
        let base = self.address(array, 0).ok()?;
        let scale = self.pointer(size);
        let offset = self.terms.mul(index, scale);
        let addr = self.terms.add(base, offset);
        let start = PathFormula::empty(self.terms.yes(), OrdMap::new());
        Some(self.load(&start, region, addr, size))
    }

    /// Writes `8 * size` bits at an address.
    pub(super) fn store(
        &mut self,
        f: &mut PathFormula,
        region: RegionId,
        addr: Term,
        size: u64,
        value: Term,
    ) -> Result<(), Stopped> {
        if !self.regions.regions[region].read {
            return Ok(());
        }
        let mut memory = self.value(f, Cell::Region(region));
        let width = self.regions.regions[region].width;
        if let Some(own) = self.single_address(region)? {
            let hit = self.terms.eq(addr, own);
            memory = self.terms.ite(hit, value, memory);
        } else {
            for k in 0..size / width {
                let at = self.offset(addr, k * width);
                let part = self.terms.extract(value, (8 * k * width) as u16, 8 * width as u16);
                memory = self.terms.store(memory, at, part);
            }
        }
        f.env.insert(Cell::Region(region), memory);
        Ok(())
    }

    /// Writes a part of a range of `size` bytes from `to` on.
    pub(super) fn write_part(
        &mut self,
        f: &mut PathFormula,
        part: &RangePart,
        to: Term,
        size: Term,
        content: Content,
    ) -> Result<(), Stopped> {
        let region = part.region;
        if !self.regions.regions[region].read {
            return Ok(());
        }
        let mut memory = self.value(f, Cell::Region(region));
        if let Some(own) = self.single_address(region)? {
            let distance = self.terms.sub(own, to);
            let inside = self.terms.ult(distance, size);
            if !self.terms.is_false(inside) {
                let value = self.element(f, region, content);
                memory = self.terms.ite(inside, value, memory);
            }
        } else if let (Some(places), Some(size)) = (&part.places, self.terms.as_const(size)) {
            let width = u128::from(self.regions.regions[region].width);
            for &place in places.iter().filter(|&&place| u128::from(place) + width <= size) {
                let at = self.offset(to, place);
                let value = self.element(f, region, content);
                memory = self.terms.store(memory, at, value);
            }
        } else {
            let index = self.index_width();
            memory = match content {
                Content::Byte(_) => {
                    let value = self.element(f, region, content);
                    let source = self.terms.const_array(index, value);
                    let from = self.pointer(0);
                    self.terms.splice(memory, source, to, from, size)
                }
                // Element i of the choice is what becomes the content of address i.
                Content::Choice(function, edge) => {
                    let sort = self.sort(Cell::Region(region));
                    let source = self.choose(f, (function, edge), sort);
                    self.terms.splice(memory, source, to, to, size)
                }
            };
        }
        f.env.insert(Cell::Region(region), memory);
        Ok(())
    }

    /// One element of a range.
    fn element(&mut self, f: &mut PathFormula, region: RegionId, content: Content) -> Term {
        let width = self.regions.regions[region].width;
        match content {
            Content::Byte(byte) => {
                let mut value = byte;
                for _ in 1..width {
                    value = self.terms.concat(byte, value);
                }
                value
            }
            Content::Choice(function, edge) => self.choose(f, (function, edge), Sort::Bits(8 * width as u16)),
        }
    }

    /// The next choice.
    pub(super) fn choose(&mut self, f: &mut PathFormula, edge: (FuncId, EdgeId), sort: Sort) -> Term {
        let choice = self.choice_symbol(edge, f.choices, sort);
        f.choices += 1;
        choice
    }

    /// The regions of parts become arbitrary as a whole.
    pub(super) fn havoc_regions(&mut self, f: &mut PathFormula, parts: &[RangePart], edge: (FuncId, EdgeId)) {
        for part in parts {
            if !self.regions.regions[part.region].read {
                continue;
            }
            let sort = self.sort(Cell::Region(part.region));
            let choice = self.choose(f, edge, sort);
            f.env.insert(Cell::Region(part.region), choice);
        }
    }

    /// Copies bytes; the ranges may overlap, since all is read before anything is written.
    pub(super) fn copy(
        &mut self,
        f: &mut PathFormula,
        plan: &CopyPlan,
        dst: Term,
        src: Term,
        size: Term,
    ) -> Result<(), Stopped> {
        match plan {
            CopyPlan::Cells(cells) => {
                let values: Vec<Term> = cells
                    .iter()
                    .map(|cell| {
                        let from = self.offset(src, cell.offset);
                        self.load(f, cell.src, from, cell.size)
                    })
                    .collect();
                for (cell, value) in cells.iter().zip(values) {
                    let to = self.offset(dst, cell.offset);
                    self.store(f, cell.dst, to, cell.size, value)?;
                }
            }
            CopyPlan::Range { dst: to, src: from } => {
                if !self.regions.regions[*to].read {
                    return Ok(());
                }
                let (mut memory, source) = (self.value(f, Cell::Region(*to)), self.value(f, Cell::Region(*from)));
                let width = self.regions.regions[*to].width;
                match self.terms.as_const(size) {
                    Some(bytes) if bytes <= u128::from(SMALL_COPY * width) => {
                        for k in 0..bytes as u64 / width {
                            let (at, read) = (self.offset(dst, k * width), self.offset(src, k * width));
                            let value = self.terms.select(source, read);
                            memory = self.terms.store(memory, at, value);
                        }
                    }
                    _ => memory = self.terms.splice(memory, source, dst, src, size),
                }
                f.env.insert(Cell::Region(*to), memory);
            }
        }
        Ok(())
    }
}
