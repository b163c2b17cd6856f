//! Which entries overlap a range of bytes, without looking at all of them: tables have hundreds of thousands.
//!
//! Entries of similar size stand together, by their offsets: those between 2^k and 2^(k+1) bytes. An entry that overlaps a
//! range begins less than its size before it, so in each class only few come into question; there are at most 64 classes.

use std::collections::BTreeMap;

/// Ranges of bytes with the numbers of their entries.
#[derive(Default)]
pub struct Extents {
    /// By the binary logarithm of the size.
    classes: BTreeMap<u32, BTreeMap<(u64, usize), u64>>,
}

impl Extents {
    /// Adds the range of an entry.
    pub fn insert(&mut self, from: u64, size: u64, entry: usize) {
        let size = size.max(1);
        self.classes.entry(size.ilog2()).or_default().insert((from, entry), from + size);
    }

    /// Takes the range of an entry out.
    pub fn remove(&mut self, from: u64, size: u64, entry: usize) {
        if let Some(class) = self.classes.get_mut(&size.max(1).ilog2()) {
            class.remove(&(from, entry));
        }
    }

    /// The entries that overlap a range, of no bytes too, in any order.
    pub fn overlapping(&self, from: u64, to: u64) -> impl Iterator<Item = usize> + '_ {
        let to = to.max(from + 1);
        self.classes.iter().flat_map(move |(&class, ranges)| {
            let first = from.saturating_sub(2 << class);
            let near = ranges.range((first, 0)..(to, 0));
            near.filter(move |&(_, &end)| end > from).map(|(&(_, entry), _)| entry)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Extents;

    #[test]
    fn finds_what_overlaps() {
        let mut extents = Extents::default();
        let ranges = [(0, 4), (4, 1), (4, 4), (8, 0), (16, 100), (17, 3), (200, 1)];
        for (entry, &(from, size)) in ranges.iter().enumerate() {
            extents.insert(from, size, entry);
        }
        for from in 0..210u64 {
            for to in from..210 {
                let mut found: Vec<usize> = extents.overlapping(from, to).collect();
                found.sort_unstable();
                let overlaps = |&(start, size): &(u64, u64)| start < to.max(from + 1) && from < start + size.max(1);
                let expected: Vec<usize> = (0..ranges.len()).filter(|&entry| overlaps(&ranges[entry])).collect();
                assert_eq!(found, expected, "{from}..{to}");
            }
        }
        extents.remove(16, 100, 4);
        assert_eq!(extents.overlapping(30, 31).count(), 0);
    }
}
