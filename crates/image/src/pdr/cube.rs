//! Cubes: sets of states at a node, given by some of their bits.

/// A bit of a node with its value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Bit(u32);

impl Bit {
    pub fn new(index: usize, value: bool) -> Self {
        Self((index as u32) << 1 | u32::from(value))
    }

    /// Which bit of the node.
    pub fn index(self) -> usize {
        (self.0 >> 1) as usize
    }

    pub fn value(self) -> bool {
        self.0 & 1 == 1
    }
}

/// All states in which some bits have these values; ascending.
pub(super) type Cube = Vec<Bit>;

/// Whether all states of `b` are in `a`.
pub(super) fn subsumes(a: &Cube, b: &Cube) -> bool {
    if a.len() > b.len() {
        return false;
    }
    let mut rest = b.iter();
    a.iter().all(|bit| rest.by_ref().find(|other| *other >= bit) == Some(bit))
}

/// The bits of either cube; both are parts of one.
pub(super) fn unite(a: &Cube, b: &Cube) -> Cube {
    let mut all: Cube = a.iter().chain(b).copied().collect();
    all.sort_unstable();
    all.dedup();
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cube(bits: &[(usize, bool)]) -> Cube {
        bits.iter().map(|&(index, value)| Bit::new(index, value)).collect()
    }

    #[test]
    fn fewer_bits_are_more_states() {
        let small = cube(&[(0, true), (2, false), (5, true)]);
        assert!(subsumes(&cube(&[]), &small));
        assert!(subsumes(&cube(&[(2, false)]), &small));
        assert!(subsumes(&small, &small));
        assert!(!subsumes(&cube(&[(2, true)]), &small));
        assert!(!subsumes(&cube(&[(1, true)]), &small));
        assert!(!subsumes(&small, &cube(&[(0, true), (5, true)])));
        assert_eq!(unite(&cube(&[(0, true), (5, true)]), &cube(&[(2, false), (5, true)])), small);
    }
}
