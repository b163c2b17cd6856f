//! Which variable of the diagrams stands for what.
//!
//! A variable of the program has three: its value now, at the entry of its procedure, and next. Next values live only inside
//! one operation. The three stand together in the order; globals first, then the frames, one procedure after the other.
//! Choices stand below all.

use super::Result;
use crate::program::{Formula, Op, ProcId, Program, Term, VarId};
use robusto_diagram::{Bdd, Diagrams, Full, VarIndex};

/// The variables of the diagrams.
#[derive(Debug)]
pub(super) struct Encoding<'p> {
    program: &'p Program,
    /// The number of the first local variable of each procedure.
    first: Vec<u32>,
    count: u32,
    choices: u32,
}

/// What the leaves of a formula stand for.
pub(super) struct Leaves<N, X, C> {
    /// The value before.
    pub now: N,
    /// The value after.
    pub next: X,
    /// A choice.
    pub choice: C,
}

impl<'p> Encoding<'p> {
    pub fn new(program: &'p Program) -> Self {
        let mut count = program.globals.len() as u32;
        let first = program
            .procedures
            .iter()
            .map(|procedure| {
                count += procedure.variables.len() as u32;
                count - procedure.variables.len() as u32
            })
            .collect();
        let edges = program.procedures.iter().flat_map(|procedure| &procedure.edges);
        let choices = edges.filter(|edge| edge.op != Op::Skip).map(|edge| edge.choices).max().unwrap_or(0);
        Self { program, first, count, choices }
    }

    /// How many there are.
    pub fn variables(&self) -> u32 {
        3 * self.count + self.choices
    }

    /// What stays together when the order changes.
    pub fn groups(&self) -> impl Iterator<Item = [VarIndex; 3]> {
        (0..self.count).map(|i| [0, 1, 2].map(|copy| VarIndex::new(3 * i + copy)))
    }

    fn number(&self, id: ProcId, var: VarId) -> u32 {
        if self.program.is_global(var) {
            var.0
        } else {
            self.first[id.index()] + var.0 - self.program.globals.len() as u32
        }
    }

    /// What a variable of the diagrams stands for in a procedure, and whether for its value at the entry.
    pub fn meaning(&self, id: ProcId, var: VarIndex) -> (VarId, bool) {
        let (number, copy) = (var.index() as u32 / 3, var.index() % 3);
        let globals = self.program.globals.len() as u32;
        let var = if number < globals { number } else { number - self.first[id.index()] + globals };
        (VarId(var), copy == 1)
    }

    /// The value now.
    pub fn now(&self, id: ProcId, var: VarId) -> VarIndex {
        VarIndex::new(3 * self.number(id, var))
    }

    /// The value at the entry of the procedure.
    pub fn entry(&self, id: ProcId, var: VarId) -> VarIndex {
        VarIndex::new(3 * self.number(id, var) + 1)
    }

    /// The value next.
    pub fn next(&self, id: ProcId, var: VarId) -> VarIndex {
        VarIndex::new(3 * self.number(id, var) + 2)
    }

    /// A choice of an edge.
    pub fn choice(&self, number: u32) -> VarIndex {
        VarIndex::new(3 * self.count + number)
    }

    /// The choices of a formula, as a cube.
    pub fn choices_of(&self, diagrams: &Diagrams, formula: &Formula) -> Result<Bdd> {
        let numbers = formula.0.iter().filter_map(|term| if let Term::Choice(i) = term { Some(*i) } else { None });
        let vars: Vec<VarIndex> = numbers.map(|i| self.choice(i)).collect();
        Ok(diagrams.cube(&vars)?)
    }

    /// A formula as a function of the leaves.
    pub fn formula<N, X, C>(&self, diagrams: &Diagrams, formula: &Formula, leaves: &Leaves<N, X, C>) -> Result<Bdd>
    where
        N: Fn(VarId) -> Result<Bdd, Full>,
        X: Fn(VarId) -> Result<Bdd, Full>,
        C: Fn(u32) -> Result<Bdd, Full>,
    {
        let value = formula.fold(|term, values: &[Bdd]| {
            let at = |i: u32| &values[i as usize];
            match term {
                Term::Const(value) => Ok(diagrams.constant(*value)),
                Term::Var(var) => (leaves.now)(*var),
                Term::Next(var) => (leaves.next)(*var),
                Term::Choice(number) => (leaves.choice)(*number),
                Term::Not(inner) => diagrams.not(at(*inner)),
                Term::And(list) => list.iter().try_fold(diagrams.top(), |all, &i| diagrams.and(&all, at(i))),
                Term::Or(list) => list.iter().try_fold(diagrams.bottom(), |any, &i| diagrams.or(&any, at(i))),
                Term::Xor(list) => list.iter().try_fold(diagrams.bottom(), |odd, &i| diagrams.xor(&odd, at(i))),
                Term::Ite(condition, then, otherwise) => diagrams.ite(at(*condition), at(*then), at(*otherwise)),
            }
        });
        Ok(value?)
    }
}
