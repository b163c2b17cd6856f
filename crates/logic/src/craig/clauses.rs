//! Clauses in ordered partitions: the input of interpolation.

/// Position of a clause in its set.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ClauseId(pub u32);

/// Number of a partition. The cuts lie between neighbours: cut `i` has the partitions below `i` on its left.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Partition(pub u32);

/// A set of clauses over DIMACS literals, each in a partition.
#[derive(Clone, Default, Debug)]
pub struct Clauses {
    literals: Vec<i32>,
    ends: Vec<usize>,
    partitions: Vec<Partition>,
    variables: usize,
}

impl Clauses {
    /// No clause: true.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a clause. Repeated literals are dropped; a clause with a literal and its negation says nothing and is not
    /// stored.
    pub fn add(&mut self, partition: Partition, clause: &[i32]) {
        let start = self.literals.len();
        for &l in clause {
            assert!(l != 0 && l != i32::MIN, "a literal is a variable or its negation");
            let own = &self.literals[start..];
            if own.contains(&-l) {
                self.literals.truncate(start);
                return;
            }
            if !own.contains(&l) {
                self.literals.push(l);
            }
            self.variables = self.variables.max(l.unsigned_abs() as usize);
        }
        self.ends.push(self.literals.len());
        self.partitions.push(partition);
    }

    /// Number of clauses.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether no clause was added.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The highest variable.
    pub fn variables(&self) -> usize {
        self.variables
    }

    /// All clauses in the order of addition.
    pub fn ids(&self) -> impl Iterator<Item = ClauseId> + use<> {
        (0..self.ends.len() as u32).map(ClauseId)
    }

    /// The literals of a clause.
    pub fn literals(&self, clause: ClauseId) -> &[i32] {
        let i = clause.0 as usize;
        let start = if i == 0 { 0 } else { self.ends[i - 1] };
        &self.literals[start..self.ends[i]]
    }

    /// The partition of a clause.
    pub fn partition(&self, clause: ClauseId) -> Partition {
        self.partitions[clause.0 as usize]
    }
}
