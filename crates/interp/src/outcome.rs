//! How an execution ends.

use crate::memory::InvalidAccess;
use crate::show;
use robusto_cfa::ir::{EdgeId, ErrorKind, FuncId, Program};

/// An edge of the program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct EdgeRef {
    /// The function.
    pub function: FuncId,
    /// Its edge.
    pub edge: EdgeId,
}

/// How an execution ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// `main` returned, or `exit` was called, with this status.
    Exited(i32),
    /// `abort` was called.
    Aborted(EdgeRef),
    /// A property is violated.
    ErrorReached {
        /// Which.
        kind: ErrorKind,
        /// The error edge.
        at: EdgeRef,
    },
    /// An assumption does not hold, or no edge leaves the location: the execution does not exist.
    Blocked(Option<EdgeRef>),
    /// C does not define what happens.
    Undefined {
        /// What the program did.
        what: Undefined,
        /// Where.
        at: EdgeRef,
    },
    /// Something that is not modelled.
    Unsupported {
        /// What it is.
        what: Box<str>,
        /// Where.
        at: EdgeRef,
    },
    /// The configured number of steps is used up.
    StepLimit,
    /// The cancel flag was set, or the deadline has passed.
    Cancelled,
    /// The configured memory, or the address space, is used up.
    MemoryLimit(EdgeRef),
    /// The configured stack is used up.
    StackOverflow(EdgeRef),
    /// The output could not be written.
    OutputFailed(std::io::ErrorKind),
}

/// Undefined behaviour that the machine notices by itself; the rest are edges of the automaton.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Undefined {
    /// An access to memory.
    #[error(transparent)]
    Access(#[from] InvalidAccess),
    /// An indirect call to something that is not a function.
    #[error("call of {0}, which is not a function")]
    NotAFunction(Box<str>),
    /// An indirect call of a function with other parameters.
    #[error("call of `{0}` with arguments that do not match its parameters")]
    WrongArguments(Box<str>),
    /// A string without an end.
    #[error("string at {0} has no terminating zero byte")]
    Unterminated(Box<str>),
    /// Format and arguments do not match.
    #[error("{function}: {problem}")]
    Format {
        /// The function.
        function: &'static str,
        /// What is wrong.
        problem: Box<str>,
    },
}

impl Outcome {
    /// The edge that ended the execution.
    pub fn place(&self) -> Option<EdgeRef> {
        match *self {
            Outcome::Blocked(at) => at,
            Outcome::Aborted(at)
            | Outcome::ErrorReached { at, .. }
            | Outcome::Undefined { at, .. }
            | Outcome::Unsupported { at, .. }
            | Outcome::MemoryLimit(at)
            | Outcome::StackOverflow(at) => Some(at),
            Outcome::Exited(_) | Outcome::StepLimit | Outcome::Cancelled | Outcome::OutputFailed(_) => None,
        }
    }

    /// One line for the user: `file:line:column: what happened`.
    pub fn describe(&self, program: &Program) -> String {
        let what = match self {
            Outcome::Exited(status) => format!("exited with status {status}"),
            Outcome::Aborted(_) => "aborted".to_owned(),
            Outcome::ErrorReached { kind, .. } => match kind {
                ErrorKind::ReachError => "error reached".to_owned(),
                ErrorKind::Assert => "assertion failed".to_owned(),
                ErrorKind::Label => "an error label".to_owned(),
                kind => kind.describe().to_owned(),
            },
            Outcome::Blocked(_) => "blocked: an assumption does not hold".to_owned(),
            Outcome::Undefined { what, .. } => format!("undefined behaviour: {what}"),
            Outcome::Unsupported { what, .. } => format!("not supported: {what}"),
            Outcome::StepLimit => "step limit reached".to_owned(),
            Outcome::Cancelled => "cancelled".to_owned(),
            Outcome::MemoryLimit(_) => "out of memory".to_owned(),
            Outcome::StackOverflow(_) => "stack overflow".to_owned(),
            Outcome::OutputFailed(error) => format!("cannot write the output: {error}"),
        };
        match self.place() {
            Some(at) => format!("{}: {what}", show::place(program, at)),
            None => what,
        }
    }
}
