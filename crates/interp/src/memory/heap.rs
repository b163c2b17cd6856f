//! `malloc` and `free`: which addresses a heap block gets.
//!
//! Freed addresses rest as long as there is room, so that a use after free is found; then the block of the wanted
//! size class that was freed first comes back.

use super::layout::{GRANULE, RED_ZONE, place};
use super::pages::Pages;
use super::region::Region;
use super::{OutOfMemory, What};
use std::collections::VecDeque;
use std::ops::Range;

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

/// Largest block with a buffer of its size. Of a larger one the pages that are written take memory.
const WHOLE: u64 = 16 << 20;

/// Whether a block of this size has a buffer of its own.
pub(super) fn is_whole(size: u64) -> bool {
    size <= WHOLE
}

/// A heap block outside of the regions.
#[derive(Debug)]
pub(crate) struct LargeBlock {
    pub addr: u64,
    pub size: u64,
    pub content: Content,
    pub what: What,
}

/// What a large block holds.
#[derive(Debug)]
pub(crate) enum Content {
    /// Nothing: it is dead.
    Dead,
    /// Its bytes.
    Whole(Vec<u8>),
    /// Its bytes, counted from its start.
    Sparse(Pages),
}

impl LargeBlock {
    pub fn is_dead(&self) -> bool {
        matches!(self.content, Content::Dead)
    }

    /// Offset of some bytes, if they all lie in the block and it lives.
    pub fn offset(&self, addr: u64, size: u64) -> Option<u64> {
        let at = addr.checked_sub(self.addr)?;
        (!self.is_dead() && at.checked_add(size)? <= self.size).then_some(at)
    }

    /// The bytes that may not be zero, in pieces that begin at multiples of a word.
    pub fn words(&self) -> impl Iterator<Item = &[u8]> {
        let (whole, pages) = match &self.content {
            Content::Dead => (None, None),
            Content::Whole(bytes) => (Some(&**bytes), None),
            Content::Sparse(pages) => (None, Some(pages.content())),
        };
        whole.into_iter().chain(pages.into_iter().flatten())
    }

    /// Memory that the content takes.
    pub fn bytes_in_use(&self) -> u64 {
        match &self.content {
            Content::Dead => 0,
            Content::Whole(bytes) => bytes.len() as u64,
            Content::Sparse(pages) => pages.bytes_in_use(),
        }
    }
}

/// The large blocks by address.
#[derive(Debug)]
pub(crate) struct Large {
    base: u64,
    room: u64,
    pub blocks: Vec<LargeBlock>,
    /// Memory that the blocks take.
    in_use: u64,
}

/// Bytes without access between large blocks.
const GAP: u64 = 4096;

impl Large {
    /// No blocks yet, with these addresses for them.
    pub fn new(addresses: Range<u64>) -> Self {
        Self { base: addresses.start, room: addresses.end - addresses.start, blocks: Vec::new(), in_use: 0 }
    }

    /// Index of the block that holds an address, dead or alive.
    pub fn find(&self, addr: u64) -> Option<usize> {
        let index = self.blocks.partition_point(|block| block.addr <= addr).checked_sub(1)?;
        (addr - self.blocks[index].addr < self.blocks[index].size).then_some(index)
    }

    /// The block that an address belongs to, or that ends right before it.
    pub fn near(&self, addr: u64) -> Option<&LargeBlock> {
        let index = self.blocks.partition_point(|block| block.addr <= addr).checked_sub(1)?;
        Some(&self.blocks[index]).filter(|block| addr - block.addr < block.size + RED_ZONE)
    }

    /// The live block that holds so many bytes from an address on.
    pub fn at(&self, addr: u64, size: u64) -> Option<&LargeBlock> {
        let block = &self.blocks[self.find(addr)?];
        block.offset(addr, size).map(|_| block)
    }

    /// Memory that the blocks take.
    pub fn bytes_in_use(&self) -> u64 {
        self.in_use
    }

    /// Writes bytes to a live block that has pages.
    pub fn put(&mut self, addr: u64, bytes: &[u8]) -> Option<()> {
        let index = self.find(addr)?;
        let block = &mut self.blocks[index];
        let at = block.offset(addr, bytes.len() as u64)?;
        let Content::Sparse(pages) = &mut block.content else { return None };
        let before = pages.bytes_in_use();
        pages.put(at, bytes);
        self.in_use += pages.bytes_in_use() - before;
        Some(())
    }

    /// Ends the live block that starts at an address.
    pub fn kill(&mut self, addr: u64) -> Option<()> {
        let index = self.find(addr)?;
        let block = &mut self.blocks[index];
        if block.addr != addr || block.is_dead() {
            return None;
        }
        self.in_use -= block.bytes_in_use();
        block.content = Content::Dead;
        Some(())
    }

    /// Adds a zeroed block; gives its address.
    pub fn alloc(&mut self, size: u64, what: What) -> Result<u64, OutOfMemory> {
        let end = self.blocks.last().map_or(0, |block| block.addr + block.size + GAP - self.base);
        let mut at = (place(end, GAP, self.base), self.blocks.len());
        if at.0.checked_add(size).is_none_or(|end| end > self.room) {
            self.blocks.retain(|block| !block.is_dead());
            at = self.first_gap(size).ok_or(OutOfMemory)?;
        }
        let addr = self.base + at.0;
        let content =
            if is_whole(size) { Content::Whole(vec![0; size as usize]) } else { Content::Sparse(Pages::default()) };
        let block = LargeBlock { addr, size, content, what };
        self.in_use += block.bytes_in_use();
        self.blocks.insert(at.1, block);
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
        let mut large = Large::new(1 << 31..(1 << 31) + (1 << 20));
        let site = What::Nothing;
        let first = large.alloc(400 << 10, site).unwrap();
        let second = large.alloc(400 << 10, site).unwrap();
        assert!(large.alloc(400 << 10, site).is_err());
        assert_eq!(large.find(second + 5), Some(1));
        assert_eq!(large.find(first + (400 << 10)), None);
        large.kill(first).unwrap();
        assert_eq!(large.alloc(300 << 10, site).unwrap(), first);
        assert_eq!(large.find(first + 7), Some(0));
    }
}
