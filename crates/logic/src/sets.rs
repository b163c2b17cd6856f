//! Disjoint sets of numbers (union-find with path halving).

/// A partition of the numbers below a bound. The first of a set represents it.
#[derive(Clone, Debug)]
pub struct DisjointSets {
    parents: Vec<usize>,
}

impl DisjointSets {
    /// Each number in a set of its own.
    pub fn new(len: usize) -> Self {
        Self { parents: (0..len).collect() }
    }

    /// The first number of a set.
    pub fn first(&mut self, mut of: usize) -> usize {
        while self.parents[of] != of {
            self.parents[of] = self.parents[self.parents[of]];
            of = self.parents[of];
        }
        of
    }

    /// Makes one set of the sets of two numbers.
    pub fn unite(&mut self, a: usize, b: usize) {
        let (a, b) = (self.first(a), self.first(b));
        self.parents[a.max(b)] = a.min(b);
    }

    /// Makes one set of the sets of some numbers.
    pub fn unite_all(&mut self, of: &[usize]) {
        for pair in of.windows(2) {
            self.unite(pair[0], pair[1]);
        }
    }

    /// For each number the place of its set among all, by their first numbers; and how many sets there are.
    pub fn places(mut self) -> (Vec<usize>, usize) {
        let mut places = vec![usize::MAX; self.parents.len()];
        let mut count = 0;
        for i in 0..places.len() {
            let first = self.first(i);
            if first == i {
                places[i] = count;
                count += 1;
            } else {
                places[i] = places[first];
            }
        }
        (places, count)
    }

    /// The sets, each ascending, by their first numbers.
    pub fn groups(self) -> Vec<Vec<usize>> {
        let (places, count) = self.places();
        let mut groups = vec![Vec::new(); count];
        for (i, place) in places.into_iter().enumerate() {
            groups[place].push(i);
        }
        groups
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_united() {
        let mut sets = DisjointSets::new(7);
        sets.unite(5, 2);
        sets.unite_all(&[6, 4, 5]);
        sets.unite(4, 2);
        assert_eq!([2, 4, 5, 6].map(|i| sets.first(i)), [2; 4]);
        assert_eq!(sets.groups(), [vec![0], vec![1], vec![2, 4, 5, 6], vec![3]]);
    }
}
