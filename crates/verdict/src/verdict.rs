//! The answer.

use crate::counterexample::Counterexample;
use robusto_limits::Stopped;
use std::fmt;

/// The answer for one property.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It holds in all executions.
    True,
    /// It does not, and this execution, which was replayed, shows it.
    False(Counterexample),
    /// No answer, for this reason.
    Unknown(Reason),
}

/// Why there is no answer: a closed list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The time limit.
    Timeout,
    /// The memory limit.
    Memory,
    /// The user stopped it.
    Interrupted,
    /// There was a violation of another property, and no more time is spent on this one.
    AfterViolation,
    /// Something in the program that is not modelled.
    Unsupported(String),
    /// An error is reachable in the abstraction, but the execution found does not exist; the abstraction is too coarse.
    Imprecise(String),
    /// The same, and the execution found leaves the rules of C by an invalid access, which the automata do not know of.
    OutsideRules(String),
    /// No execution violates the property before this happens, which C leaves undefined: behind it anything may.
    Undefined(String),
    /// Executions end at a violation that was found here, and every path to the target leads through it.
    Behind(String),
    /// An abstract error path that has no execution could not be refuted.
    NoProgress,
    /// Executions longer than the bound were not looked at.
    Bound(u64),
    /// So many executions violate nothing; there are others.
    Tested(u64),
    /// The program has no `main`.
    NoMain,
    /// The engine said true, but its certificate is wrong.
    CertificationFailed(String),
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Timeout => f.write_str("timeout"),
            Reason::Memory => f.write_str("out of memory"),
            Reason::Interrupted => f.write_str("interrupted"),
            Reason::AfterViolation => f.write_str("stopped after a violation"),
            Reason::Unsupported(what) => write!(f, "unsupported: {what}"),
            Reason::Imprecise(what) | Reason::OutsideRules(what) => write!(f, "imprecise: {what}"),
            Reason::Undefined(what) => write!(f, "undefined behaviour: {what}"),
            Reason::Behind(place) => write!(f, "not checked behind {place}"),
            Reason::NoProgress => f.write_str("no progress"),
            Reason::Bound(bound) => write!(f, "bound {bound} reached"),
            Reason::Tested(1) => f.write_str("no violation in 1 execution"),
            Reason::Tested(count) => write!(f, "no violation in {count} executions"),
            Reason::NoMain => f.write_str("no main"),
            Reason::CertificationFailed(what) => write!(f, "certification failed: {what}"),
        }
    }
}

impl From<Stopped> for Reason {
    fn from(stopped: Stopped) -> Self {
        match stopped {
            Stopped::Cancelled => Reason::Interrupted,
            Stopped::Timeout => Reason::Timeout,
            Stopped::Memory => Reason::Memory,
            Stopped::Unsupported(what) => Reason::Unsupported(what),
        }
    }
}
