//! Union-find.

use super::build::Node;

/// Disjoint sets of footprints.
pub(super) struct Sets(Vec<Node>);

impl Sets {
    pub fn new(len: usize) -> Self {
        Self((0..len).collect())
    }

    fn find(&mut self, mut node: Node) -> Node {
        while self.0[node] != node {
            self.0[node] = self.0[self.0[node]];
            node = self.0[node];
        }
        node
    }

    pub fn unite(&mut self, a: Node, b: Node) {
        let (a, b) = (self.find(a), self.find(b));
        self.0[a.max(b)] = a.min(b);
    }

    pub fn unite_all(&mut self, nodes: &[Node]) {
        for pair in nodes.windows(2) {
            self.unite(pair[0], pair[1]);
        }
    }

    /// For each node the number of its set, and how many sets there are.
    pub fn numbers(mut self) -> (Vec<usize>, usize) {
        let mut numbers = vec![usize::MAX; self.0.len()];
        let mut count = 0;
        for node in 0..self.0.len() {
            let root = self.find(node);
            // A set's representative is its first node.
            if root == node {
                numbers[node] = count;
                count += 1;
            } else {
                numbers[node] = numbers[root];
            }
        }
        (numbers, count)
    }
}
