//! Predicate abstraction to Boolean programs, refined by counterexamples: recursion without a bound on its depth.
//!
//! Ball, Rajamani: *Automatically validating temporal safety properties of interfaces*, SPIN 2001 (SLAM); the Boolean programs
//! are checked by the engines of [`robusto_boolprog`].
//!
//! | SLAM | here |
//! |---|---|
//! | C2bp | `abstraction`, with `relation` for the solver and `precision` for the predicates |
//! | Bebop | `verify` |
//! | Newton | `path` and `refine`, with `interpolate` for what a callee's exit needs |
//!
//! Where we deviate: a statement is a whole link between cut points (`crate::procedures`), and its relation between the
//! predicates before and behind is the strongest one, up to 12 of them, not a choice per predicate. Predicates at the exit of
//! a procedure may speak of its values at the entry, so a summary relates both.
//!
//! Soundness: a `false` is a path that the interpreter has executed. A `true` has a certificate of summaries, made of what
//! the engine of the Boolean program has proved, and is nothing without it.

mod abstraction;
mod certificate;
mod cycle;
mod formula;
mod interpolate;
mod known;
mod names;
mod path;
mod precision;
mod predicates;
mod refine;
mod relation;
mod standalone;
mod verify;

pub use cycle::{Options, check};
pub(crate) use predicates::list;
pub use predicates::{BadPredicate, of as predicates_of};
pub use standalone::{NoAbstraction, abstracted};

use crate::registry::{Call, Engine, Kind, Opt};
use robusto_boolprog::Engine as Checker;

/// The engine.
pub static ENGINE: Engine = Engine {
    name: "slam",
    about: "Predicate abstraction to Boolean programs, for recursion without a bound",
    help: "\
Abstracts the program to a Boolean program with the same recursive functions, checks that, and
refines the predicates until it is safe or a violation is real. For proofs about recursion of
any depth. (docs/slam.md)",
    options: &[&CHECKER],
    call: Call::Alone(|job| {
        let checker = if job.values.text(&CHECKER) == Some("explicit") { Checker::Explicit } else { Checker::Bdd };
        check(job.problem, &Options { checker, traces: job.traces }, job.limits, job.progress)
    }),
};

static CHECKER: Opt = Opt {
    name: "checker",
    help: "how the Boolean programs are checked",
    kind: Kind::Choice {
        value: "ENGINE",
        list: &[("bdd", "Summaries as decision diagrams"), ("explicit", "One state at a time")],
    },
};
