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
    /// Gates that have a literal, and no clauses yet.
    todo: Vec<usize>,
}

impl Default for Cnf {
    fn default() -> Self {
        Self { vars: Vec::new(), next: 1, clauses: 0, todo: Vec::new() }
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
            Some(&var) if var != 0 && self.todo.is_empty() => Some(if lit.is_negated() { -var } else { var }),
            _ => None,
        }
    }

    /// The literal of a gate; gives out the clauses of its cone that nobody has asked for yet.
    pub fn literal(&mut self, aig: &Aig, lit: Lit, sink: &mut impl FnMut(&[i32])) -> i32 {
        let result = self.name(aig, lit);
        while !self.define(aig, usize::MAX, sink) {}
        result
    }

    /// The literal of a gate whose clauses are still to be made, by [`Cnf::define`].
    pub fn name(&mut self, aig: &Aig, lit: Lit) -> i32 {
        if self.vars.len() < aig.len() {
            self.vars.resize(aig.len(), 0);
        }
        let mut todo = std::mem::take(&mut self.todo);
        let result = self.touch(lit, &mut todo);
        self.todo = todo;
        result
    }

    /// Makes the clauses of at most so many gates that have a literal; whether none is left.
    pub fn define(&mut self, aig: &Aig, most: usize, sink: &mut impl FnMut(&[i32])) -> bool {
        let mut todo = std::mem::take(&mut self.todo);
        let mut clauses = 0;
        for _ in 0..most {
            let Some(node) = todo.pop() else { break };
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
        self.todo = todo;
        self.todo.is_empty()
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
