//! Clauses for the gates that a query needs, each gate once (Tseitin's transformation).
//!
//! Multiplexers and exclusive ors are found in the graph again and get their own clauses, without variables for the two
//! conjunctions inside.

use super::aig::{Aig, Gate, Lit};

/// Variables of gates. Variable 1 is true.
#[derive(Clone, Debug)]
pub struct Cnf {
    /// By node; 0 is none yet.
    vars: Vec<i32>,
    next: i32,
    clauses: u64,
}

impl Default for Cnf {
    fn default() -> Self {
        Self { vars: Vec::new(), next: 1, clauses: 0 }
    }
}

impl Cnf {
    /// Number of variables handed out.
    pub fn variables(&self) -> u64 {
        self.next as u64 - 1
    }

    /// Number of clauses given out.
    pub fn clauses(&self) -> u64 {
        self.clauses
    }

    /// A variable that stands for no gate.
    pub fn fresh(&mut self) -> i32 {
        let var = self.next;
        self.next = self.next.checked_add(1).expect("fewer than 2^31 variables");
        var
    }

    /// The literal of a gate if its clauses were given out.
    pub fn existing(&self, lit: Lit) -> Option<i32> {
        match self.vars.get(lit.node()) {
            Some(&var) if var != 0 => Some(if lit.is_negated() { -var } else { var }),
            _ => None,
        }
    }

    /// The literal of a gate; gives out the clauses of its cone that nobody has asked for yet.
    pub fn literal(&mut self, aig: &Aig, lit: Lit, sink: &mut impl FnMut(&[i32])) -> i32 {
        if self.vars.len() < aig.len() {
            self.vars.resize(aig.len(), 0);
        }
        let mut todo = Vec::new();
        let result = self.touch(lit, &mut todo);
        let mut clauses = 0;
        while let Some(node) = todo.pop() {
            let out = self.vars[node];
            let mut emit = |clause: &[i32]| {
                clauses += 1;
                sink(clause);
            };
            match aig.gate(node) {
                Gate::Constant => emit(&[-out]),
                Gate::Input => {}
                Gate::And(x, y) => {
                    let (x, y) = (self.touch(x, &mut todo), self.touch(y, &mut todo));
                    emit(&[-out, x]);
                    emit(&[-out, y]);
                    emit(&[out, -x, -y]);
                }
                Gate::NotMux(c, a, b) => {
                    let (c, a) = (self.touch(c, &mut todo), self.touch(a, &mut todo));
                    let b = self.touch(b, &mut todo);
                    emit(&[-c, -a, -out]);
                    emit(&[-c, a, out]);
                    emit(&[c, -b, -out]);
                    emit(&[c, b, out]);
                    if a != -b {
                        // Redundant, but propagates when both branches agree.
                        emit(&[-a, -b, -out]);
                        emit(&[a, b, out]);
                    }
                }
            }
        }
        self.clauses += clauses;
        result
    }

    fn touch(&mut self, lit: Lit, todo: &mut Vec<usize>) -> i32 {
        let node = lit.node();
        if self.vars[node] == 0 {
            self.vars[node] = self.fresh();
            todo.push(node);
        }
        let var = self.vars[node];
        if lit.is_negated() { -var } else { var }
    }
}
