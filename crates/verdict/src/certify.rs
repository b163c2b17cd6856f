//! The check of a certificate as data: when it is done, and what comes out of it.

use crate::verdict::Reason;
use robusto_limits::{Limits, Stopped};
use std::fmt;
use std::ops::Add;
use std::str::FromStr;
use std::time::Duration;

/// When verdicts are certified.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Policy {
    /// If it takes no longer than the engine, or a minute.
    #[default]
    Auto,
    /// However long it takes.
    Always,
    /// Not at all.
    Never,
}

/// The least time that [`Policy::Auto`] grants.
const LEAST: Duration = Duration::from_secs(60);

impl Policy {
    /// What a check may spend, given what the run may and how long the engine took; `None` if nothing is to be checked.
    pub fn limits(self, run: &Limits, spent: Duration) -> Option<Limits> {
        match self {
            Policy::Never => None,
            Policy::Always => Some(run.clone()),
            Policy::Auto => {
                // The verdict is to be told in time, whether it is certified or not.
                let left = run.remaining().map(|left| left - (left / 10).min(Duration::from_secs(1)));
                let time = LEAST.max(spent);
                Some(run.within(left.map_or(time, |left| left.min(time))))
            }
        }
    }
}

impl FromStr for Policy {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "auto" => Ok(Self::Auto),
            "always" => Ok(Self::Always),
            "never" => Ok(Self::Never),
            _ => Err(format!("`{text}` is none of auto, always, never")),
        }
    }
}

/// What a check that succeeded did.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Statistics {
    /// Implications and unreachabilities shown.
    pub checks: u64,
    /// Calls of the solver.
    pub calls: u64,
}

impl Add for Statistics {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { checks: self.checks + other.checks, calls: self.calls + other.calls }
    }
}

/// Why a certificate is not accepted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Failure {
    /// It is wrong: this does not hold.
    Refuted(String),
    /// The check did not come to an end.
    Incomplete(String),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Refuted(what) => f.write_str(what),
            Failure::Incomplete(why) => write!(f, "the check did not come to an end: {why}"),
        }
    }
}

impl From<Stopped> for Failure {
    fn from(stopped: Stopped) -> Self {
        Failure::Incomplete(Reason::from(stopped).to_string())
    }
}
