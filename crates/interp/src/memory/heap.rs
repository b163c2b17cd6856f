//! `malloc` and `free`: which addresses a heap block gets.
//!
//! Freed addresses rest as long as there is room, so that a use after free is found; then the block of the wanted
//! size class that was freed first comes back.

use super::layout::{GRANULE, place};
use super::region::Region;
use super::{OutOfMemory, What};
use std::collections::VecDeque;

/// Largest block that lives in the granule region.
pub(crate) const SMALL: u64 = 64 << 10;

/// Bytes of the small region that are used before freed blocks come back.
const REST: u64 = 32 << 20;

/// Free lists of the small blocks.
#[derive(Debug, Default)]
pub(crate) struct FreeLists {
    /// By size class, the blocks in the order of their deaths.
    lists: Vec<VecDeque<u32>>,
}

/// Class of a size, and the largest size of that class.
fn class(size: u64) -> (usize, u64) {
    let granules = size.max(1).div_ceil(GRANULE);
    if granules <= 16 {
        return (granules as usize - 1, granules * GRANULE);
    }
    let rounded = granules.next_power_of_two();
    (16 + (rounded.trailing_zeros() as usize - 5), rounded * GRANULE)
}

impl FreeLists {
    /// Index of a block of at least `size` bytes; `room` bytes of addresses are left to the region.
    pub fn alloc(&mut self, region: &mut Region, size: u64, what: What, room: u64) -> Result<usize, OutOfMemory> {
        let (class, capacity) = class(size);
        if region.end > REST
            && let Some(index) = self.lists.get_mut(class).and_then(VecDeque::pop_front)
        {
            region.revive(index as usize, size, what);
            return Ok(index as usize);
        }
        if region.end + 2 * capacity + 512 > room {
            return Err(OutOfMemory);
        }
        // Made with the class's full capacity, then cut to size.
        let index = region.push(capacity, GRANULE, what);
        region.revive(index, size, what);
        Ok(index)
    }

    /// Puts a dead block on its list.
    pub fn release(&mut self, index: usize, size: u64) {
        let (class, _) = class(size);
        if self.lists.len() <= class {
            self.lists.resize_with(class + 1, VecDeque::new);
        }
        self.lists[class].push_back(index as u32);
    }
}

/// A heap block with its own buffer.
#[derive(Debug)]
pub(crate) struct LargeBlock {
    pub addr: u64,
    pub size: u64,
    /// Empty once it is dead.
    pub bytes: Vec<u8>,
    pub what: What,
}

/// The large blocks by address.
#[derive(Debug)]
pub(crate) struct Large {
    base: u64,
    room: u64,
    pub blocks: Vec<LargeBlock>,
}

/// Bytes without access between large blocks.
const GAP: u64 = 4096;

impl Large {
    pub fn new(base: u64, room: u64) -> Self {
        Self { base, room, blocks: Vec::new() }
    }

    /// Index of the block that holds an address, dead or alive.
    pub fn find(&self, addr: u64) -> Option<usize> {
        let index = self.blocks.partition_point(|block| block.addr <= addr).checked_sub(1)?;
        (addr - self.blocks[index].addr < self.blocks[index].size).then_some(index)
    }

    /// Adds a zeroed block; gives its address.
    pub fn alloc(&mut self, size: u64, what: What) -> Result<u64, OutOfMemory> {
        let end = self.blocks.last().map_or(0, |block| block.addr + block.size + GAP - self.base);
        let mut at = (place(end, GAP, self.base), self.blocks.len());
        if at.0.checked_add(size).is_none_or(|end| end > self.room) {
            self.blocks.retain(|block| !block.bytes.is_empty());
            at = self.first_gap(size).ok_or(OutOfMemory)?;
        }
        let addr = self.base + at.0;
        // `vec!` takes zeroed pages, which cost nothing until they are touched, but aborts where there are none.
        Vec::<u8>::new().try_reserve_exact(size as usize).map_err(|_| OutOfMemory)?;
        self.blocks.insert(at.1, LargeBlock { addr, size, bytes: vec![0; size as usize], what });
        Ok(addr)
    }

    /// Offset and position of the first gap of a size between live blocks.
    fn first_gap(&self, size: u64) -> Option<(u64, usize)> {
        let mut end = 0;
        for position in 0..=self.blocks.len() {
            let start = place(end, GAP, self.base);
            let limit = self.blocks.get(position).map_or(self.room, |next| (next.addr - self.base).saturating_sub(GAP));
            if start.checked_add(size).is_some_and(|end| end <= limit) {
                return Some((start, position));
            }
            let next = self.blocks.get(position)?;
            end = next.addr + next.size + GAP - self.base;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn class_holds_its_sizes() {
        let mut last = 0;
        for size in 0..=SMALL {
            let (class, capacity) = class(size);
            assert!(capacity >= size && class >= last);
            last = class;
        }
    }

    #[test]
    fn large_addresses_come_back() {
        let mut large = Large::new(1 << 31, 1 << 20);
        let site = What::Nothing;
        let first = large.alloc(400 << 10, site).unwrap();
        let second = large.alloc(400 << 10, site).unwrap();
        assert!(large.alloc(400 << 10, site).is_err());
        assert_eq!(large.find(second + 5), Some(1));
        assert_eq!(large.find(first + (400 << 10)), None);
        large.blocks[0].bytes = Vec::new();
        assert_eq!(large.alloc(300 << 10, site).unwrap(), first);
        assert_eq!(large.find(first + 7), Some(0));
    }
}
