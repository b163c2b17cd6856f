//! A contiguous piece of the address space with the objects in it.
//!
//! Each granule of 16 bytes belongs to at most one object; a table from granules to objects finds the object of an
//! address with two dependent loads, however many objects there are.

use super::What;
use super::layout::{GRANULE, RED_ZONE, after, place};

/// An object in memory.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    /// Offset of its first byte in the region.
    pub start: u64,
    /// Offset after the last byte that may be read; `start` once the object is dead.
    pub read_end: u64,
    /// Offset after the last byte that may be written.
    pub write_end: u64,
    /// Size in bytes.
    pub size: u64,
    /// What it is.
    pub what: What,
    /// Whether its life has ended.
    pub dead: bool,
}

impl Block {
    fn new(start: u64, size: u64, what: What) -> Self {
        Self { start, read_end: start + size, write_end: start + size, size, what, dead: false }
    }
}

#[derive(Debug)]
pub(crate) struct Region {
    /// Address of offset 0.
    pub base: u64,
    pub bytes: Vec<u8>,
    /// For each granule the index of its block; 0 where there is none.
    owner: Vec<u32>,
    /// The first one is a dummy that admits no access.
    pub blocks: Vec<Block>,
    /// Offset where the next block can start.
    pub end: u64,
}

impl Region {
    pub fn new(base: u64) -> Self {
        let none = Block { start: u64::MAX, ..Block::new(0, 0, What::Nothing) };
        Self { base, bytes: Vec::new(), owner: Vec::new(), blocks: vec![none], end: RED_ZONE }
    }

    /// Position in `bytes` of a valid read.
    #[inline]
    pub fn readable(&self, addr: u64, size: u64) -> Option<usize> {
        let offset = addr.wrapping_sub(self.base);
        let owner = *self.owner.get((offset / GRANULE) as usize)?;
        let block = &self.blocks[owner as usize];
        (offset >= block.start && offset.saturating_add(size) <= block.read_end).then_some(offset as usize)
    }

    /// Position in `bytes` of a valid write.
    #[inline]
    pub fn writable(&self, addr: u64, size: u64) -> Option<usize> {
        let offset = addr.wrapping_sub(self.base);
        let owner = *self.owner.get((offset / GRANULE) as usize)?;
        let block = &self.blocks[owner as usize];
        (offset >= block.start && offset.saturating_add(size) <= block.write_end).then_some(offset as usize)
    }

    /// The block, dead or alive, that an address belongs to; if none, the nearest one within a red zone's length.
    pub fn block_near(&self, addr: u64) -> Option<&Block> {
        const REACH: usize = (RED_ZONE / GRANULE) as usize + 1;
        let offset = addr.checked_sub(self.base)?;
        let granule = ((offset / GRANULE) as usize).min(self.owner.len());
        let block = |owner: &u32| (*owner != 0).then(|| &self.blocks[*owner as usize]);
        let before = self.owner[granule.saturating_sub(REACH)..(granule + 1).min(self.owner.len())].iter();
        let after = self.owner[granule..(granule + REACH).min(self.owner.len())].iter();
        let distance = |block: &&Block| {
            let end = block.start + block.size;
            if offset < block.start { block.start - offset } else { offset.saturating_sub(end) }
        };
        let (before, after) = (before.rev().find_map(block), after.into_iter().find_map(block));
        before.into_iter().chain(after).filter(|block| distance(block) <= RED_ZONE).min_by_key(distance)
    }

    /// Adds a block after all others, zeroed; gives its index.
    pub fn push(&mut self, size: u64, align: u64, what: What) -> usize {
        let start = place(self.end, align, self.base);
        self.push_at(start, size, what)
    }

    /// Adds a block at an offset after all others, zeroed; gives its index.
    pub fn push_at(&mut self, start: u64, size: u64, what: What) -> usize {
        debug_assert!(start >= self.end && start.is_multiple_of(GRANULE));
        let index = self.blocks.len();
        self.blocks.push(Block::new(start, size, what));
        self.end = after(start, size);
        if self.bytes.len() < self.end as usize {
            self.bytes.resize(self.end as usize, 0);
            self.owner.resize((self.end / GRANULE) as usize, 0);
        }
        self.bytes[start as usize..(start + size) as usize].fill(0);
        self.granules(index).fill(index as u32);
        index
    }

    /// Gives a dead block a second life with another size of at most its own capacity.
    pub fn revive(&mut self, index: usize, size: u64, what: What) {
        self.granules(index).fill(0);
        let start = self.blocks[index].start;
        self.blocks[index] = Block::new(start, size, what);
        self.bytes[start as usize..(start + size) as usize].fill(0);
        self.granules(index).fill(index as u32);
    }

    /// Ends a block's life; accesses are found to be invalid until its addresses are used again.
    pub fn kill(&mut self, index: usize) {
        let block = &mut self.blocks[index];
        (block.read_end, block.write_end, block.dead) = (block.start, block.start, true);
    }

    /// Removes all blocks from an index on; the next block can start at offset `end`.
    pub fn truncate(&mut self, blocks: usize, end: u64) {
        for index in blocks..self.blocks.len() {
            self.granules(index).fill(0);
        }
        self.blocks.truncate(blocks);
        self.end = end;
    }

    /// Index of the block that starts at an address.
    pub fn block_at(&self, addr: u64) -> Option<usize> {
        let offset = addr.checked_sub(self.base)?;
        let index = *self.owner.get((offset / GRANULE) as usize)? as usize;
        (self.blocks[index].start == offset).then_some(index)
    }

    /// Forbids writes to a block.
    pub fn protect(&mut self, index: usize) {
        self.blocks[index].write_end = self.blocks[index].start;
    }

    fn granules(&mut self, index: usize) -> &mut [u32] {
        let Block { start, size, .. } = self.blocks[index];
        // An object without bytes still owns its address.
        let end = start + size.max(1);
        &mut self.owner[(start / GRANULE) as usize..end.div_ceil(GRANULE) as usize]
    }
}
