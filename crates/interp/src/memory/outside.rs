//! Memory outside of the program's objects, which pointers from outside lead to.
//!
//! It has addresses of its own ([`Layout::areas`]): every byte there may be read and written, from any address on. What it
//! holds at first is given when the execution starts, zero elsewhere. Pages come into being when they are written.
//!
//! An access belongs to an area if it begins there. So that it cannot end in another region, at most [`Area::longest`] bytes
//! are accessed at once, and the addresses behind an area hold no objects.

use super::layout::{Area, Layout};
use std::collections::BTreeMap;

/// Bytes of a page, as a power of two.
const PAGE: u32 = 16;

/// The areas and their pages.
#[derive(Clone, Debug)]
pub(crate) struct Outside {
    areas: Vec<Area>,
    pages: BTreeMap<u64, Box<[u8]>>,
}

/// A page that was never written.
static NOTHING: [u8; 1 << PAGE] = [0; 1 << PAGE];

impl Outside {
    /// The areas with their first content: bytes at addresses. Those that no access comes to do not matter.
    pub fn new(layout: &Layout, content: impl IntoIterator<Item = (u64, u8)>) -> Self {
        let mut outside = Self { areas: layout.areas(), pages: BTreeMap::new() };
        for (addr, byte) in content {
            *outside.byte_mut(addr) = byte;
        }
        outside
    }

    /// Whether so many bytes from an address on may be accessed.
    pub fn has(&self, addr: u64, size: u64) -> bool {
        self.areas.iter().any(|area| area.has(addr, size))
    }

    /// The pages that were written.
    pub fn content(&self) -> impl Iterator<Item = &[u8]> {
        self.pages.values().map(|page| &**page)
    }

    fn page(&self, addr: u64) -> &[u8] {
        self.pages.get(&(addr >> PAGE)).map_or(&NOTHING, |page| page)
    }

    fn byte_mut(&mut self, addr: u64) -> &mut u8 {
        let page = self.pages.entry(addr >> PAGE).or_insert_with(|| NOTHING.into());
        &mut page[offset(addr)]
    }

    /// The bytes at an address, if they lie on one page.
    pub fn slice(&self, addr: u64, size: u64) -> Option<&[u8]> {
        let start = offset(addr);
        let end = start.checked_add(usize::try_from(size).ok()?)?;
        self.page(addr).get(start..end).filter(|_| self.has(addr, size))
    }

    /// The bytes from an address to the end of its page.
    pub fn rest(&self, addr: u64) -> Option<&[u8]> {
        self.has(addr, 1).then(|| &self.page(addr)[offset(addr)..])
    }

    /// A copy of the bytes at an address.
    pub fn get(&self, addr: u64, size: u64) -> Option<Vec<u8>> {
        self.has(addr, size).then(|| (addr..addr + size).map(|at| self.page(at)[offset(at)]).collect())
    }

    /// The number in at most 8 bytes at an address.
    pub fn read(&self, addr: u64, size: u8) -> Option<u64> {
        let bytes = (0..u64::from(size)).rev();
        self.has(addr, size.into())
            .then(|| bytes.fold(0, |word, k| word << 8 | u64::from(self.page(addr + k)[offset(addr + k)])))
    }

    /// Writes bytes at an address.
    pub fn put(&mut self, addr: u64, bytes: &[u8]) -> Option<()> {
        if !self.has(addr, bytes.len() as u64) {
            return None;
        }
        for (at, &byte) in (addr..).zip(bytes) {
            *self.byte_mut(at) = byte;
        }
        Some(())
    }
}

fn offset(addr: u64) -> usize {
    (addr & ((1 << PAGE) - 1)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use robusto_cfa::ir::{DataModel, Program};

    #[test]
    fn bytes_stay_where_they_were_put() {
        for model in [DataModel::Ilp32, DataModel::Lp64] {
            let mut program = Program::new(model);
            program.outside = robusto_cfa::ir::Outside::Area;
            let layout = Layout::new(&program);
            let area = layout.outside();
            let edge = area.start + (1 << PAGE) - 3;
            let mut outside = Outside::new(&layout, [(area.start, 7), (edge + 4, 9), (area.start - 1, 1)]);
            assert_eq!(outside.read(area.start, 4), Some(7));
            assert_eq!(outside.read(edge, 8), Some(9 << 32));
            assert_eq!(outside.put(edge, &[1, 2, 3, 4]), Some(()));
            assert_eq!(outside.get(edge, 5), Some(vec![1, 2, 3, 4, 9]));
            assert_eq!(outside.slice(edge, 5), None);
            assert_eq!(outside.slice(edge, 3), Some(&[1, 2, 3][..]));
            assert_eq!((outside.read(area.start - 1, 1), outside.read(area.end, 1)), (None, None));
            assert_eq!(outside.put(area.end - 1, &[1, 2]), Some(()));
            assert_eq!(outside.read(area.end - 1, 2), Some(0x201));
            let heap = layout.heap();
            let stack = layout.stack();
            assert!(!heap.contains(&area.start) && !stack.contains(&area.start) && stack.end <= area.start);
        }
    }
}
