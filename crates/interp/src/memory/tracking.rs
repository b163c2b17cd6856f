//! Which heap blocks are live, and which of them pointers lead to.
//!
//! A block is tracked if a word with an address in it, or of its end, stands in a variable, in a static object, or in a
//! block that is tracked. Words are looked for at every multiple of a pointer's size; where a number looks like an address,
//! a block counts as tracked, so a block that is reported lost is lost.

use super::layout::{HEAP, LARGE, STACK, STATICS};
use super::{Memory, What};

/// A heap block: its address, its size, and whether it is the library's, which nobody else frees and which is never lost.
#[derive(Clone, Copy)]
struct Found {
    addr: u64,
    size: u64,
    kept: bool,
}

impl Memory {
    /// Whether an address is that of a live heap block of the program's.
    pub(crate) fn is_heap_block(&self, addr: u64) -> bool {
        if self.kept.contains(&addr) {
            return false;
        }
        let small = self.regions[HEAP].block_at(addr).is_some_and(|index| !self.regions[HEAP].blocks[index].dead);
        let large = || self.large.find(addr).map(|index| &self.large.blocks[index]);
        small || large().is_some_and(|block| block.addr == addr && !block.is_dead())
    }

    /// Whether any heap block of the program's is live.
    pub(crate) fn has_heap_blocks(&self) -> bool {
        self.heap_blocks().iter().any(|block| !block.kept)
    }

    /// The live heap blocks by address.
    fn heap_blocks(&self) -> Vec<Found> {
        let region = &self.regions[HEAP];
        let small = region.blocks.iter().filter(|block| matches!(block.what, What::Heap(_)) && !block.dead);
        let small = small.map(|block| (region.base + block.start, block.size));
        let large = self.large.blocks.iter().filter(|block| !block.is_dead() && matches!(block.what, What::Heap(_)));
        let all = small.chain(large.map(|block| (block.addr, block.size)));
        let mut found: Vec<Found> =
            all.map(|(addr, size)| Found { addr, size, kept: self.kept.contains(&addr) }).collect();
        found.sort_by_key(|block| block.addr);
        found
    }

    /// Whether pointers lead to all live heap blocks from some words and from static objects; with `stack` also from the
    /// objects of pending calls.
    pub(crate) fn is_tracked(&self, words: &[u64], stack: bool) -> bool {
        let blocks = self.heap_blocks();
        let mut tracked = vec![false; blocks.len()];
        let mut todo: Vec<usize> = Vec::new();
        let mut mark = |word: u64, todo: &mut Vec<usize>| {
            let Some(index) = blocks.partition_point(|block| block.addr <= word).checked_sub(1) else { return };
            if word - blocks[index].addr <= blocks[index].size && !std::mem::replace(&mut tracked[index], true) {
                todo.push(index);
            }
        };
        words.iter().for_each(|&word| mark(word, &mut todo));
        let width = if self.layout.shift > 32 { 8 } else { 4 };
        let scan = |bytes: &[u8], mark: &mut dyn FnMut(u64)| {
            for chunk in bytes.chunks_exact(width) {
                let mut word = [0; 8];
                word[..width].copy_from_slice(chunk);
                mark(u64::from_le_bytes(word));
            }
        };
        scan(&self.regions[STATICS].bytes, &mut |word| mark(word, &mut todo));
        if stack {
            let end = self.regions[STACK].end.min(self.regions[STACK].bytes.len() as u64) as usize;
            scan(&self.regions[STACK].bytes[..end], &mut |word| mark(word, &mut todo));
            let arrays = self.large.blocks.iter().filter(|block| matches!(block.what, What::Alloca(_)));
            arrays.for_each(|block| block.words().for_each(|part| scan(part, &mut |word| mark(word, &mut todo))));
        }
        // What is outside of the program holds what the program has stored there.
        if let Some(outside) = &self.outside {
            outside.content().for_each(|page| scan(page, &mut |word| mark(word, &mut todo)));
        }
        while let Some(index) = todo.pop() {
            let Found { addr, size, .. } = blocks[index];
            match self.large.at(addr, size) {
                Some(block) => block.words().for_each(|part| scan(part, &mut |word| mark(word, &mut todo))),
                None => scan(self.bytes(addr, size).unwrap_or_default(), &mut |word| mark(word, &mut todo)),
            }
        }
        debug_assert!(self.regions[LARGE].bytes.is_empty(), "large blocks have buffers of their own");
        tracked.into_iter().zip(blocks).all(|(is_tracked, block)| is_tracked || block.kept)
    }
}
