//! A Boolean program as one automaton per procedure.
//!
//! A *frame* is what is in scope in a procedure: the globals, then its parameters, its locals, and one variable per result,
//! which only `return` writes and only the caller reads. A [`VarId`] is a place in a frame; globals have the same in all.
//!
//! What the constructs mean is settled by [`lower`](mod@crate::lower); an engine sees five operations.

use robusto_verdict::Place;
use std::convert::Infallible;

/// A Boolean program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    /// Global variables.
    pub globals: Vec<Variable>,
    /// Procedures.
    pub procedures: Vec<Procedure>,
    /// Where it starts; with any values of the globals, and of the parameters if there are some.
    pub main: Option<ProcId>,
}

macro_rules! index {
    ($($(#[$doc:meta])* $name:ident),*) => {
        $($(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(pub u32);

        impl $name {
            /// As an index.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        })*
    };
}

index! {
    /// A procedure.
    ProcId,
    /// A node of a procedure.
    NodeId,
    /// An edge of a procedure.
    EdgeId,
    /// A variable of a frame.
    VarId
}

/// A variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    /// Its name.
    pub name: Box<str>,
    /// Where it is declared.
    pub place: Place,
}

/// A procedure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Procedure {
    /// Its name.
    pub name: Box<str>,
    /// Its variables beyond the globals: parameters, locals, results.
    pub variables: Vec<Variable>,
    /// Number of parameters.
    pub formals: u32,
    /// Number of results.
    pub results: u32,
    /// Where it begins.
    pub entry: NodeId,
    /// Where it ends; no edge leaves it.
    pub exit: NodeId,
    /// The edges, by their source in the text.
    pub edges: Vec<Edge>,
    /// The edges that leave each node.
    pub outgoing: Vec<Vec<EdgeId>>,
    /// Labels.
    pub labels: Vec<Label>,
}

/// A label and where it leads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Label {
    /// Its name.
    pub name: Box<str>,
    /// The node.
    pub node: NodeId,
    /// Where it stands.
    pub place: Place,
}

/// An edge.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edge {
    /// From here.
    pub from: NodeId,
    /// To there.
    pub to: NodeId,
    /// What happens.
    pub op: Op,
    /// Number of choices that the formulas of the operation make. They are made anew each time.
    pub choices: u32,
    /// What the edge is in the text.
    pub role: Role,
    /// The statement, as text.
    pub text: Box<str>,
    /// Where it stands.
    pub place: Place,
}

/// What an edge does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Op {
    /// Nothing.
    Skip,
    /// Goes on if the formula holds for some choice.
    Assume(Formula),
    /// Assigns all at once; blocks if the constraint does not hold of the values before and after.
    Assign {
        /// Different variables.
        targets: Vec<VarId>,
        /// As many values.
        values: Vec<Formula>,
        /// The constraint; the only formula with [`Term::Next`].
        constrain: Option<Formula>,
    },
    /// Calls a procedure and goes on when it has returned, with its globals; then the targets take the results.
    Call {
        /// Who is called.
        callee: ProcId,
        /// As many as there are parameters.
        args: Vec<Formula>,
        /// As many as there are results; `None` for one that nobody wants. Different variables.
        targets: Vec<Option<VarId>>,
    },
    /// Writes the results and leads to the exit.
    Return(Vec<Formula>),
}

/// What an edge is in the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// A statement.
    Statement,
    /// A way out of a condition.
    Branch(bool),
    /// A way out of the condition of a loop.
    Loop(bool),
    /// An assertion that fails.
    Failure,
    /// Nothing that the user wrote: the check of what is enforced.
    Silent,
}

/// An expression: terms, children before parents, the root last.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Formula(pub Box<[Term]>);

/// A node of a formula; operands are places in the formula.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Term {
    /// A truth value.
    Const(bool),
    /// The value of a variable.
    Var(VarId),
    /// The value of a variable after the assignment.
    Next(VarId),
    /// A choice of the edge.
    Choice(u32),
    /// Negation.
    Not(u32),
    /// Conjunction.
    And(Box<[u32]>),
    /// Disjunction.
    Or(Box<[u32]>),
    /// Exclusive disjunction.
    Xor(Box<[u32]>),
    /// If, then, else.
    Ite(u32, u32, u32),
}

impl Term {
    /// The operands.
    pub fn operands(&self) -> impl DoubleEndedIterator<Item = u32> + '_ {
        let (few, many): ([Option<u32>; 3], &[u32]) = match self {
            Term::Const(_) | Term::Var(_) | Term::Next(_) | Term::Choice(_) => ([None; 3], &[]),
            Term::Not(inner) => ([Some(*inner), None, None], &[]),
            Term::And(list) | Term::Or(list) | Term::Xor(list) => ([None; 3], list),
            Term::Ite(condition, then, otherwise) => ([Some(*condition), Some(*then), Some(*otherwise)], &[]),
        };
        few.into_iter().flatten().chain(many.iter().copied())
    }

    /// The same with other operands.
    pub fn with_operands(&self, at: impl Fn(u32) -> u32) -> Self {
        let all = |list: &[u32]| list.iter().map(|&i| at(i)).collect();
        match self {
            Term::Const(_) | Term::Var(_) | Term::Next(_) | Term::Choice(_) => self.clone(),
            Term::Not(inner) => Term::Not(at(*inner)),
            Term::And(list) => Term::And(all(list)),
            Term::Or(list) => Term::Or(all(list)),
            Term::Xor(list) => Term::Xor(all(list)),
            Term::Ite(condition, then, otherwise) => Term::Ite(at(*condition), at(*then), at(*otherwise)),
        }
    }
}

impl Formula {
    /// A truth value.
    pub fn constant(value: bool) -> Self {
        Self([Term::Const(value)].into())
    }

    /// The value of the root, from those of the terms: `step` is told a term and the values of all terms before it.
    pub fn fold<T, E>(&self, mut step: impl FnMut(&Term, &[T]) -> Result<T, E>) -> Result<T, E> {
        let mut values = Vec::with_capacity(self.0.len());
        let (last, before) = self.0.split_last().expect("a formula has a term");
        for term in before {
            let value = step(term, &values)?;
            values.push(value);
        }
        step(last, &values)
    }

    /// The truth value, given those of the variables and of the choices.
    pub fn holds(
        &self,
        now: impl Fn(VarId) -> bool,
        next: impl Fn(VarId) -> bool,
        choice: impl Fn(u32) -> bool,
    ) -> bool {
        let value = self.fold(|term, values: &[bool]| {
            let at = |i: &u32| values[*i as usize];
            Ok::<bool, Infallible>(match term {
                Term::Const(value) => *value,
                Term::Var(var) => now(*var),
                Term::Next(var) => next(*var),
                Term::Choice(number) => choice(*number),
                Term::Not(inner) => !at(inner),
                Term::And(members) => members.iter().all(at),
                Term::Or(members) => members.iter().any(at),
                Term::Xor(members) => members.iter().filter(|i| at(i)).count() % 2 == 1,
                Term::Ite(condition, then, otherwise) => at(if at(condition) { then } else { otherwise }),
            })
        });
        value.unwrap_or_else(|never| match never {})
    }

    /// The formula that is true where this is false.
    pub fn negated(&self) -> Self {
        let root = self.0.len() as u32 - 1;
        Self(self.0.iter().cloned().chain([Term::Not(root)]).collect())
    }

    /// The variables whose value before is asked for.
    pub fn variables(&self) -> impl Iterator<Item = VarId> + '_ {
        self.0.iter().filter_map(|term| if let Term::Var(var) = term { Some(*var) } else { None })
    }

    /// The variables whose value after is asked for.
    pub fn next_variables(&self) -> impl Iterator<Item = VarId> + '_ {
        self.0.iter().filter_map(|term| if let Term::Next(var) = term { Some(*var) } else { None })
    }
}

impl Program {
    /// A procedure.
    pub fn procedure(&self, id: ProcId) -> &Procedure {
        &self.procedures[id.index()]
    }

    /// The procedures with their numbers.
    pub fn numbered(&self) -> impl Iterator<Item = (ProcId, &Procedure)> {
        self.procedures.iter().enumerate().map(|(i, procedure)| (ProcId(i as u32), procedure))
    }

    /// Number of variables in a procedure's frame.
    pub fn frame_size(&self, id: ProcId) -> usize {
        self.globals.len() + self.procedure(id).variables.len()
    }

    /// A variable of a procedure's frame.
    pub fn variable(&self, id: ProcId, var: VarId) -> &Variable {
        match var.index().checked_sub(self.globals.len()) {
            None => &self.globals[var.index()],
            Some(local) => &self.procedure(id).variables[local],
        }
    }

    /// Whether a variable is a global.
    pub fn is_global(&self, var: VarId) -> bool {
        var.index() < self.globals.len()
    }

    /// A parameter of a procedure, as a variable of its frame.
    pub fn formal(&self, number: usize) -> VarId {
        VarId((self.globals.len() + number) as u32)
    }

    /// A result of a procedure, as a variable of its frame.
    pub fn result(&self, id: ProcId, number: usize) -> VarId {
        VarId((self.frame_size(id) - self.procedure(id).results as usize + number) as u32)
    }

    /// The local variables of a procedure, neither parameters nor results.
    pub fn locals(&self, id: ProcId) -> impl Iterator<Item = VarId> {
        let procedure = self.procedure(id);
        let first = self.globals.len() + procedure.formals as usize;
        (first..self.frame_size(id) - procedure.results as usize).map(|i| VarId(i as u32))
    }
}

impl Procedure {
    /// An edge.
    pub fn edge(&self, id: EdgeId) -> &Edge {
        &self.edges[id.index()]
    }

    /// The edges with their numbers.
    pub fn numbered(&self) -> impl Iterator<Item = (EdgeId, &Edge)> {
        self.edges.iter().enumerate().map(|(i, edge)| (EdgeId(i as u32), edge))
    }
}
