//! Bytes at any addresses, few of which matter: pages that come into being when they are written. Everything else is zero.

use std::collections::BTreeMap;

/// Bytes of a page, as a power of two.
pub(super) const PAGE: u32 = 16;

/// A page that was never written.
static NOTHING: [u8; 1 << PAGE] = [0; 1 << PAGE];

/// The pages that were written, by their numbers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pages(BTreeMap<u64, Box<[u8]>>);

impl Pages {
    /// The pages that were written.
    pub fn content(&self) -> impl Iterator<Item = &[u8]> {
        self.0.values().map(|page| &**page)
    }

    /// Bytes of the pages that were written.
    pub fn bytes_in_use(&self) -> u64 {
        (self.0.len() as u64) << PAGE
    }

    fn page(&self, at: u64) -> &[u8] {
        self.0.get(&(at >> PAGE)).map_or(&NOTHING, |page| page)
    }

    /// The bytes from an address on, if they lie on one page.
    pub fn slice(&self, at: u64, size: u64) -> Option<&[u8]> {
        let start = offset(at);
        let end = start.checked_add(usize::try_from(size).ok()?)?;
        self.page(at).get(start..end)
    }

    /// The bytes from an address to the end of its page.
    pub fn rest(&self, at: u64) -> &[u8] {
        &self.page(at)[offset(at)..]
    }

    /// A copy of the bytes from an address on.
    pub fn get(&self, at: u64, size: u64) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(size as usize);
        while (bytes.len() as u64) < size {
            let rest = self.rest(at + bytes.len() as u64);
            let left = size as usize - bytes.len();
            bytes.extend_from_slice(&rest[..rest.len().min(left)]);
        }
        bytes
    }

    /// The number in at most 8 bytes.
    pub fn read(&self, at: u64, size: u8) -> u64 {
        let byte = |k: u64| u64::from(self.page(at + k)[offset(at + k)]);
        (0..u64::from(size)).rev().fold(0, |word, k| word << 8 | byte(k))
    }

    /// Writes bytes.
    pub fn put(&mut self, at: u64, bytes: &[u8]) {
        let mut done = 0;
        while done < bytes.len() {
            let here = at + done as u64;
            let start = offset(here);
            let count = (bytes.len() - done).min((1 << PAGE) - start);
            let page = self.0.entry(here >> PAGE).or_insert_with(|| NOTHING.into());
            page[start..start + count].copy_from_slice(&bytes[done..done + count]);
            done += count;
        }
    }
}

fn offset(at: u64) -> usize {
    (at & ((1 << PAGE) - 1)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_cross_pages() {
        let mut pages = Pages::default();
        let edge = (1 << 40) + (1 << PAGE) - 3;
        pages.put(edge, &[1, 2, 3, 4]);
        assert_eq!(pages.get(edge - 1, 7), [0, 1, 2, 3, 4, 0, 0]);
        assert_eq!(pages.read(edge, 8), 0x0403_0201);
        assert_eq!((pages.slice(edge, 3), pages.slice(edge, 4)), (Some(&[1, 2, 3][..]), None));
        assert_eq!(pages.rest(edge), [1, 2, 3]);
        assert_eq!(pages.bytes_in_use(), 2 << PAGE);
    }
}
