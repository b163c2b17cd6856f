//! Checks the invariants of a program.
//!
//! | part | rules |
//! |---|---|
//! | expressions (`expr`) | operands come before their users; their types fit the operator; constants fit their type; variables, objects and functions exist |
//! | declarations (`decl`) | the lists of a function hold each of its variables and objects once, and no others; initial values are constants or addresses; images fit |
//! | automata (`function`) | edges are sorted and in range; a location has no edge, one, or a branch; the exit has none; every location is reachable |
//! | operations (`op`) | operand types; calls fit their callee; returns lead to the exit, errors to a dead end; only global or own variables and objects |
//!
//! Architecture invariant: the verifier trusts nothing, and never panics. What one part has found to be broken, the next
//! does not look into.

mod decl;
mod expr;
mod function;
mod op;
pub(crate) mod typing;

use crate::ir::{EdgeId, ExprId, FuncId, IdxVec, LocId, Program, SrcPos};
use crate::text::Names;
use std::fmt;

/// A broken invariant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation {
    /// The function, with its name.
    pub function: Option<(FuncId, Box<str>)>,
    /// Where in the function.
    pub place: Option<Place>,
    /// What is wrong.
    pub message: String,
}

/// A place in a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Place {
    /// A location.
    Location(LocId),
    /// An edge, and what it does.
    Edge(EdgeId, LocId, LocId, String),
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((id, name)) = &self.function {
            write!(f, "function {name} ({id}): ")?;
        }
        match &self.place {
            Some(Place::Location(loc)) => write!(f, "{loc}: ")?,
            Some(Place::Edge(id, src, dst, text)) => write!(f, "edge {id}, {src} -> {dst}: `{text}`: ")?,
            None => {}
        }
        f.write_str(&self.message)
    }
}

/// Checks all invariants.
pub fn verify(program: &Program) -> Result<(), Vec<Violation>> {
    let mut checker = Checker {
        program,
        names: Names::new(program),
        function: None,
        place: None,
        violations: Vec::new(),
        seen: IdxVec::filled(None, program.exprs.len()),
    };
    checker.header();
    checker.exprs();
    // Types and operands mean nothing in a pool that is not well formed.
    if checker.violations.is_empty() {
        checker.declarations();
        program.functions.ids().for_each(|id| checker.function(id));
    }
    if checker.violations.is_empty() { Ok(()) } else { Err(checker.violations) }
}

/// Panics with the violations, in debug builds only; `after` names the step that made the program.
pub fn assert_valid(program: &Program, after: &str) {
    if cfg!(debug_assertions)
        && let Err(violations) = verify(program)
    {
        const MOST: usize = 20;
        let mut list: Vec<String> = violations.iter().take(MOST).map(Violation::to_string).collect();
        if violations.len() > MOST {
            list.push(format!("and {} more", violations.len() - MOST));
        }
        panic!("the program is not valid after {after}:\n  {}", list.join("\n  "));
    }
}

/// Where the checker is; only a violation needs the text.
#[derive(Clone, Copy)]
enum Spot {
    Location(LocId),
    Edge(EdgeId),
}

struct Checker<'p> {
    program: &'p Program,
    names: Names<'p>,
    function: Option<FuncId>,
    place: Option<Spot>,
    violations: Vec<Violation>,
    /// The function that has looked into an expression last.
    seen: IdxVec<ExprId, Option<FuncId>>,
}

impl Checker<'_> {
    fn report(&mut self, message: impl Into<String>) {
        let function = self.function.map(|id| (id, self.program.functions[id].name.clone()));
        let place = self.place.zip(self.function).map(|(spot, id)| match spot {
            Spot::Location(loc) => Place::Location(loc),
            Spot::Edge(edge_id) => {
                let edge = self.program.functions[id].edge(edge_id);
                Place::Edge(edge_id, edge.src, edge.dst, self.names.op(&edge.op).to_string())
            }
        });
        self.violations.push(Violation { function, place, message: message.into() });
    }

    /// Reports unless the condition holds.
    fn check(&mut self, holds: bool, message: impl FnOnce() -> String) -> bool {
        if !holds {
            self.report(message());
        }
        holds
    }

    fn header(&mut self) {
        let program = self.program;
        if let Some(main) = program.main {
            self.check(program.functions.get(main).is_some(), || format!("main is {main}, which does not exist"));
        }
        self.check(program.files.len() <= usize::from(u16::MAX) + 1, || "there are too many files".into());
        for assumption in &program.assumptions {
            self.pos(assumption.pos, || format!("the assumption `{}`", assumption.text));
        }
    }

    /// A place without line is nowhere; any other is in a file that exists.
    fn pos(&mut self, pos: SrcPos, of: impl FnOnce() -> String) {
        let known = pos.line == 0 || usize::from(pos.file) < self.program.files.len();
        self.check(known, || format!("the place of {} is in file {}, which does not exist", of(), pos.file));
    }
}
