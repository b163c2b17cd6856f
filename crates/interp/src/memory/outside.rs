//! Memory outside of the program's objects, which pointers from outside lead to.
//!
//! It has addresses of its own ([`Layout::areas`]): every byte there may be read and written, from any address on. What it
//! holds at first is given when the execution starts, zero elsewhere.
//!
//! An access belongs to an area if it begins there. So that it cannot end in another region, at most [`Area::longest`] bytes
//! are accessed at once, and the addresses behind an area hold no objects.

use super::layout::{Area, Layout};
use super::pages::Pages;

/// The areas and their pages.
#[derive(Clone, Debug)]
pub(crate) struct Outside {
    areas: Vec<Area>,
    pages: Pages,
}

impl Outside {
    /// The areas with their first content: bytes at addresses. Those that no access comes to do not matter.
    pub fn new(layout: &Layout, content: impl IntoIterator<Item = (u64, u8)>) -> Self {
        let mut outside = Self { areas: layout.areas(), pages: Pages::default() };
        for (addr, byte) in content {
            outside.pages.put(addr, &[byte]);
        }
        outside
    }

    /// Whether so many bytes from an address on may be accessed.
    pub fn has(&self, addr: u64, size: u64) -> bool {
        self.areas.iter().any(|area| area.has(addr, size))
    }

    /// The pages that were written.
    pub fn content(&self) -> impl Iterator<Item = &[u8]> {
        self.pages.content()
    }

    /// The bytes at an address, if they lie on one page.
    pub fn slice(&self, addr: u64, size: u64) -> Option<&[u8]> {
        self.pages.slice(addr, size).filter(|_| self.has(addr, size))
    }

    /// The bytes from an address to the end of its page.
    pub fn rest(&self, addr: u64) -> Option<&[u8]> {
        self.has(addr, 1).then(|| self.pages.rest(addr))
    }

    /// A copy of the bytes at an address.
    pub fn get(&self, addr: u64, size: u64) -> Option<Vec<u8>> {
        self.has(addr, size).then(|| self.pages.get(addr, size))
    }

    /// The number in at most 8 bytes at an address.
    pub fn read(&self, addr: u64, size: u8) -> Option<u64> {
        self.has(addr, size.into()).then(|| self.pages.read(addr, size))
    }

    /// Writes bytes at an address.
    pub fn put(&mut self, addr: u64, bytes: &[u8]) -> Option<()> {
        self.has(addr, bytes.len() as u64).then(|| self.pages.put(addr, bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::super::pages::PAGE;
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
