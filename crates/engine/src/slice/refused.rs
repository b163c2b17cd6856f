//! Why a program is checked as it is.

use super::Left;
use crate::certify::Failure;
use std::fmt;

/// Why no slice of a program is used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refused {
    /// There is no `main`, from which executions start.
    NoMain,
    /// It is a slice already.
    IsSlice,
    /// Every access to memory is checked, so all that leads to one matters.
    Accesses,
    /// Each target has a verdict of its own, and each would have a slice of its own.
    ManyVerdicts,
    /// The program has so few edges that slicing is not worth the trouble.
    Small {
        /// How many it has.
        edges: usize,
        /// How many would be enough.
        least: usize,
    },
    /// Control could not be cut: an edge that stays lies behind a branch that does not.
    Control,
    /// The check of slices has found something that is left out and matters. It is a mistake of ours.
    Check(Failure),
    /// So much is left that the program can be checked at once.
    Large(Left),
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoMain => f.write_str("there is no main"),
            Self::IsSlice => f.write_str("this is one"),
            Self::Accesses => f.write_str("every access to memory is checked, and all that leads to one matters"),
            Self::ManyVerdicts => f.write_str("several verdicts are asked for, not one"),
            Self::Small { edges, least } => write!(f, "the program has {edges} edges, fewer than {least}"),
            Self::Control => f.write_str("a step that stays lies behind a branch that does not"),
            Self::Check(failure) => write!(f, "its check failed: {failure}"),
            Self::Large(left) => write!(f, "too much would be left: {left}"),
        }
    }
}
