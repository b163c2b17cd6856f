//! Where functions, objects and regions have their addresses.
//!
//! The address space is cut into regions of equal size, so that an address's region is its top bits: 1 GiB each
//! with 32-bit pointers, 16 TiB each with 64-bit pointers.
//!
//! | region | holds | ILP32 starts at | LP64 starts at |
//! |---|---|---|---|
//! | 0 | functions, then globals and constants | `0x0010_0000` | `0x0500_0000_0000` |
//! | 1 | heap blocks up to [`super::heap::SMALL`] bytes | `0x4000_0000` | `0x1000_0000_0000` |
//! | 3 | the stack | `0xD000_0000` | `0x3000_0000_0000` |
//! | none | larger heap blocks | `0x5000_0000` | `0x0001_0000_0000_0000` |
//!
//! Larger blocks fill what the regions leave, so that the largest object that may be asked for ([`DataModel::largest_object`]) has
//! room: with 32-bit pointers one of 2 GiB.
//!
//! Memory outside of the program's objects has addresses from `0xE000_0000` and from `0x4000_0000_0000` on. These are a power of two
//! times the area's length, so that an address is in the area if its upper bits are those; and a program that is compiled can have
//! memory there, too. Numbers of the program lead to memory outside where microcontrollers have their devices and memories: from
//! `0x1000_0000` to `0x6000_0000`, and below 4 GiB with 64 bits. In a program that has such memory the heap begins at `0x7000_0000`
//! with 32-bit pointers, and has room for 1.25 GiB.
//!
//! With 64 bits every address lies beyond 4 GiB: a program that squeezes a pointer through an `int` notices.

use robusto_cfa::ir::{DataModel, FuncId, Idx, IdxVec, ObjId, ObjectKind, Outside, Program};
use std::ops::Range;

/// Bytes that share one entry of a region's owner table; no two objects share a granule.
pub(crate) const GRANULE: u64 = 16;

/// Longest red zone; also the bytes before a region's first object.
pub(crate) const RED_ZONE: u64 = 256;

/// Bytes from one function's address to the next.
const FUNCTION_STRIDE: u64 = 16;

/// The regions' numbers.
pub(crate) const STATICS: usize = 0;
pub(crate) const HEAP: usize = 1;
/// Stays empty: the addresses may belong to larger blocks, as those of no region.
pub(crate) const LARGE: usize = 2;
pub(crate) const STACK: usize = 3;
pub(crate) const REGIONS: usize = 4;

/// Addresses of everything that has the same address in every execution.
#[derive(Clone, Debug)]
pub struct Layout {
    /// An address's region is the address shifted right by this.
    pub(crate) shift: u32,
    /// Address of function 0.
    functions: u64,
    function_count: u64,
    /// Address of the first byte of region 0 that can hold an object.
    pub(crate) statics: u64,
    /// Offset of each global or constant object from `statics`.
    offsets: IdxVec<ObjId, Option<u64>>,
    /// Offset after the last of them.
    pub(crate) statics_end: u64,
    outside: Outside,
}

/// Addresses of memory outside of the program's objects.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Area {
    /// Where an access begins.
    pub addresses: Range<u64>,
    /// Most bytes of an access. So many addresses behind the area belong to nothing.
    pub longest: u64,
}

impl Area {
    /// Whether so many bytes from an address on may be accessed.
    pub fn has(&self, addr: u64, size: u64) -> bool {
        self.addresses.contains(&addr) && size <= self.longest
    }
}

impl Layout {
    /// The addresses of a program's functions, globals and constants.
    pub fn new(program: &Program) -> Self {
        let (shift, functions) = match program.model {
            DataModel::Ilp32 => (30, 0x0010_0000),
            DataModel::Lp64 => (44, 0x0500_0000_0000),
        };
        let function_count = program.functions.len() as u64;
        let statics = (functions + function_count * FUNCTION_STRIDE + 64).next_multiple_of(1 << 16);
        let mut end = RED_ZONE;
        let offsets = program
            .objects
            .iter()
            .map(|object| match object.kind {
                ObjectKind::Local(_) => None,
                ObjectKind::Global(_) | ObjectKind::Constant(_) => {
                    let start = place(end, object.align.into(), statics);
                    end = after(start, object.size);
                    Some(start)
                }
            })
            .collect();
        Self { shift, functions, function_count, statics, offsets, statics_end: end, outside: program.outside }
    }

    /// Bytes in a region.
    pub(crate) fn region_size(&self) -> u64 {
        1 << self.shift
    }

    /// Address of a region's first byte that can hold an object.
    pub(crate) fn base(&self, region: usize) -> u64 {
        match region {
            STATICS => self.statics,
            HEAP if self.shift == 30 && self.outside == Outside::Numbers => 0x7000_0000,
            STACK if self.shift == 30 => 0xD000_0000,
            _ => (region as u64) << self.shift,
        }
    }

    /// The addresses of heap blocks that are not small.
    pub(crate) fn large(&self) -> Range<u64> {
        match self.shift {
            30 => self.base(HEAP) + 0x1000_0000..self.base(STACK),
            _ => 1 << 48..1 << 62,
        }
    }

    /// Bytes of a region from its base on.
    pub(crate) fn room(&self, region: usize) -> u64 {
        match region {
            HEAP if self.shift == 30 => 0x1000_0000,
            _ => self.region_size() - self.base(region) % self.region_size(),
        }
    }

    /// Offset of a global or constant object in region 0, counted from its base.
    pub(crate) fn offset(&self, object: ObjId) -> Option<u64> {
        self.offsets[object]
    }

    /// Addresses for all heap blocks, where somebody else than the interpreter places them.
    pub fn heap(&self) -> Range<u64> {
        match self.shift {
            30 => self.base(HEAP)..self.base(STACK),
            _ => 1 << 48..1 << 63,
        }
    }

    /// The addresses of local objects.
    pub fn stack(&self) -> Range<u64> {
        self.base(STACK)..self.outside().start
    }

    /// The addresses of memory outside of the program's objects that pointers from outside lead to. As many addresses behind it
    /// belong to nothing.
    pub fn outside(&self) -> Range<u64> {
        match self.shift {
            30 => 0xE000_0000..0xF000_0000,
            _ => 0x4000_0000_0000..0x8000_0000_0000,
        }
    }

    /// The addresses of memory outside of the program's objects that numbers of the program lead to.
    fn numbers(&self) -> Area {
        match self.shift {
            30 => Area { addresses: 0x1000_0000..0x6000_0000, longest: 0x1000_0000 },
            _ => Area { addresses: 0x1000..1 << 32, longest: 1 << 32 },
        }
    }

    /// All memory outside of the program's objects. Below the addresses that numbers lead to there must be room for the
    /// static objects; a program with that many has no memory there.
    pub fn areas(&self) -> Vec<Area> {
        let outside = self.outside();
        let longest = outside.end - outside.start;
        let area = Area { addresses: outside, longest };
        let numbers = self.numbers();
        let apart = self.statics + self.statics_end < numbers.addresses.start || self.statics > numbers.addresses.end;
        match self.outside {
            Outside::Nowhere => Vec::new(),
            Outside::Numbers if apart => vec![area, numbers],
            Outside::Area | Outside::Numbers => vec![area],
        }
    }

    /// Address of a global or constant object.
    pub fn object(&self, object: ObjId) -> Option<u64> {
        self.offsets[object].map(|offset| self.statics + offset)
    }

    /// Address of a function.
    pub fn function(&self, function: FuncId) -> u64 {
        self.functions + function.index() as u64 * FUNCTION_STRIDE
    }

    /// The function that starts at an address.
    pub fn function_at(&self, addr: u64) -> Option<FuncId> {
        let offset = addr.checked_sub(self.functions)?;
        let index = offset / FUNCTION_STRIDE;
        (offset.is_multiple_of(FUNCTION_STRIDE) && index < self.function_count).then(|| FuncId::new(index as usize))
    }
}

/// Offset of an object that is put after offset `end`, in a region that starts at address `base`.
pub(crate) fn place(end: u64, align: u64, base: u64) -> u64 {
    (base + end).next_multiple_of(align.max(GRANULE)) - base
}

/// Offset after an object and its red zone, where no access is valid. The zone grows with the object, so that an index
/// that is off by more than one is found too.
pub(crate) fn after(start: u64, size: u64) -> u64 {
    (start + size + size.clamp(GRANULE, RED_ZONE)).next_multiple_of(GRANULE)
}
