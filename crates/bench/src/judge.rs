//! From an ended process to status and category.
//!
//! The contract with the tool: the last line on standard output is `RESULT: true`, `RESULT: false(PROPERTY)` or
//! `RESULT: unknown(REASON)`, and the exit code is 0, 10 or 5 in this order. Without a result, 1 says that the command
//! line makes no sense, 2 that the input is not understood, 6 that the tool has a bug. Whatever breaks the contract is
//! an error, never an answer: a verdict that the exit code denies is worth nothing.

use crate::process::{End, Limits, Outcome, Stop};
use crate::taskfile::property_name;
use serde::{Deserialize, Serialize};
use std::fmt;

/// What a tool answered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// The property holds.
    True,
    /// The property is violated; which one, if said.
    False(Option<String>),
    /// No answer; why, if said.
    Unknown(Option<String>),
}

impl Answer {
    /// Reads `true`, `false(unreach-call)`, `unknown(timeout)`.
    pub fn parse(text: &str) -> Option<Self> {
        let (word, detail) = match text.trim().split_once('(') {
            Some((word, rest)) => (word, Some(rest.strip_suffix(')')?.to_owned())),
            None => (text.trim(), None),
        };
        match (word, detail) {
            ("true", None) => Some(Answer::True),
            ("false", detail) => Some(Answer::False(detail)),
            ("unknown", detail) => Some(Answer::Unknown(detail)),
            _ => None,
        }
    }

    /// The answer in the last line of an output.
    pub fn of_output(stdout: &str) -> Option<Self> {
        let last = stdout.lines().rev().find(|line| !line.trim().is_empty())?;
        Self::parse(last.trim().strip_prefix("RESULT:")?)
    }

    /// The exit code that goes with the answer.
    fn exit_code(&self) -> i32 {
        match self {
            Answer::True => 0,
            Answer::False(_) => 10,
            Answer::Unknown(_) => 5,
        }
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (word, detail) = match self {
            Answer::True => ("true", &None),
            Answer::False(detail) => ("false", detail),
            Answer::Unknown(detail) => ("unknown", detail),
        };
        match detail {
            Some(detail) => write!(f, "{word}({detail})"),
            None => f.write_str(word),
        }
    }
}

/// What a status is worth; BenchExec's categories.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Category {
    /// The expected verdict.
    Correct,
    /// A verdict, and nobody knows whether it is right.
    Missing,
    /// The tool gave up.
    Unknown,
    /// The tool gave no answer that counts: a crash, a limit that it did not keep, a broken contract.
    Error,
    /// The opposite of the expected verdict.
    Wrong,
}

impl fmt::Display for Category {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Category::Correct => "correct",
            Category::Missing => "missing",
            Category::Unknown => "unknown",
            Category::Error => "error",
            Category::Wrong => "wrong",
        })
    }
}

/// The verdict that a task expects.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Expected {
    /// Whether the property holds, if that is known.
    pub verdict: Option<bool>,
    /// Which part of the property is violated, if the task says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subproperty: Option<String>,
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.verdict, &self.subproperty) {
            (None, _) => Ok(()),
            (Some(false), Some(part)) => write!(f, "false({part})"),
            (Some(verdict), _) => write!(f, "{verdict}"),
        }
    }
}

/// Status and category of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Judgement {
    /// The answer, or `error(…)`.
    pub status: String,
    /// What it is worth.
    pub category: Category,
}

/// The status of a run whose command line the tool does not accept: the analysis does not exist (yet).
pub const UNAVAILABLE: &str = "error(unavailable)";

/// Judges a run that had these limits.
pub fn judge(outcome: &Outcome, limits: &Limits, property: &str, expected: &Expected) -> Judgement {
    let error = |reason: String| Judgement { status: format!("error({reason})"), category: Category::Error };
    if let Some(stop) = outcome.stopped {
        return error(
            match stop {
                Stop::Time => "timeout, stopped from outside",
                Stop::Memory => "out of memory, stopped from outside",
                Stop::Cancelled => "cancelled",
            }
            .to_owned(),
        );
    }
    let answer = match (Answer::of_output(&outcome.stdout), outcome.end) {
        (Some(answer), End::Code(code)) if code == answer.exit_code() => answer,
        (Some(answer), end) => return error(format!("{end} after RESULT: {answer}")),
        (None, End::Code(1)) => return Judgement { status: UNAVAILABLE.to_owned(), category: Category::Error },
        (None, End::Code(2)) => return error("input not understood".to_owned()),
        (None, End::Code(6)) => return error("internal error".to_owned()),
        (None, end @ End::Code(_)) => return error(format!("no result, {end}")),
        (None, end @ End::Signal(_)) => return error(end.to_string()),
    };
    let category = match (&answer, expected.verdict) {
        (Answer::Unknown(_), _) => Category::Unknown,
        (_, None) => Category::Missing,
        (Answer::True, Some(verdict)) => {
            if verdict {
                Category::Correct
            } else {
                Category::Wrong
            }
        }
        (Answer::False(_), Some(true)) => Category::Wrong,
        (Answer::False(found), Some(false)) => match found {
            Some(found) if expected.subproperty.as_ref().is_some_and(|part| part != found) => Category::Wrong,
            Some(found) if !is_part_of(found, property) => {
                return error(format!("false({found}), but asked for {property}"));
            }
            _ => Category::Correct,
        },
    };
    // A wrong answer stays one however late it comes.
    if matches!(category, Category::Correct | Category::Missing) && is_late(outcome, limits) {
        return Judgement { status: format!("unknown(late: {answer})"), category: Category::Unknown };
    }
    Judgement { status: answer.to_string(), category }
}

fn is_late(outcome: &Outcome, limits: &Limits) -> bool {
    outcome.wall > limits.time || limits.cpu.is_some_and(|most| outcome.cpu > most)
}

fn is_part_of(found: &str, property: &str) -> bool {
    match property_name(property) {
        "valid-memsafety" => matches!(found, "valid-deref" | "valid-free" | "valid-memtrack" | "valid-memsafety"),
        "all" => true,
        name => found == name,
    }
}

/// Points in SV-COMP: right answers earn little, wrong ones cost much.
pub fn score(category: Category, status: &str) -> i64 {
    match (category, status.starts_with("true")) {
        (Category::Correct, true) => 2,
        (Category::Correct, false) => 1,
        (Category::Wrong, true) => -32,
        (Category::Wrong, false) => -16,
        (Category::Unknown | Category::Error | Category::Missing, _) => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn second() -> Limits {
        Limits { time: Duration::from_secs(1), ..Limits::default() }
    }

    fn outcome(stdout: &str, end: End) -> Outcome {
        Outcome { stdout: stdout.to_owned(), end, ..Outcome::default() }
    }

    fn check(stdout: &str, code: i32, expected: &str, status: &str, category: Category) {
        let expected = match Answer::parse(expected) {
            Some(Answer::True) => Expected { verdict: Some(true), subproperty: None },
            Some(Answer::False(subproperty)) => Expected { verdict: Some(false), subproperty },
            _ => Expected::default(),
        };
        let property = if expected.subproperty.is_some() { "valid-memsafety" } else { "unreach-call" };
        let found = judge(&outcome(stdout, End::Code(code)), &second(), property, &expected);
        assert_eq!((&found.status[..], found.category), (status, category), "{stdout:?} {code}");
    }

    #[test]
    fn answers() {
        check("x\nRESULT: true\n", 0, "true", "true", Category::Correct);
        check("RESULT: true\n\n", 0, "false", "true", Category::Wrong);
        check("RESULT: false(unreach-call)", 10, "false", "false(unreach-call)", Category::Correct);
        check("RESULT: false(unreach-call)", 10, "true", "false(unreach-call)", Category::Wrong);
        check("RESULT: false", 10, "false", "false", Category::Correct);
        check("RESULT: unknown(timeout)", 5, "true", "unknown(timeout)", Category::Unknown);
        check("RESULT: true", 0, "unknown", "true", Category::Missing);
    }

    #[test]
    fn parts_of_a_property() {
        check("RESULT: false(valid-deref)", 10, "false(valid-deref)", "false(valid-deref)", Category::Correct);
        check("RESULT: false(valid-free)", 10, "false(valid-deref)", "false(valid-free)", Category::Wrong);
        let status = "error(false(no-overflow), but asked for unreach-call)";
        check("RESULT: false(no-overflow)", 10, "false", status, Category::Error);
    }

    #[test]
    fn broken_contracts() {
        check("RESULT: true", 10, "true", "error(exit code 10 after RESULT: true)", Category::Error);
        check("RESULT: true\nbye", 0, "true", "error(no result, exit code 0)", Category::Error);
        check("RESULT: maybe", 0, "true", "error(no result, exit code 0)", Category::Error);
        check("RESULT: true(", 0, "true", "error(no result, exit code 0)", Category::Error);
        check("", 1, "true", UNAVAILABLE, Category::Error);
        check("", 2, "true", "error(input not understood)", Category::Error);
        check("", 6, "true", "error(internal error)", Category::Error);
        let killed = judge(&outcome("", End::Signal(11)), &second(), "p", &Expected::default());
        assert_eq!(killed.status, "error(killed by SIGSEGV)");
    }

    #[test]
    fn late_answers() {
        let late = Outcome { wall: Duration::from_secs(2), ..outcome("RESULT: true", End::Code(0)) };
        let judged = |verdict| judge(&late, &second(), "p", &Expected { verdict, subproperty: None });
        assert_eq!(judged(Some(true)).status, "unknown(late: true)");
        assert_eq!(judged(Some(false)).category, Category::Wrong);
        let busy = Outcome { cpu: Duration::from_secs(3), wall: Duration::from_secs(1), ..late };
        let judged = |cpu| judge(&busy, &Limits { cpu, ..second() }, "p", &Expected::default());
        assert_eq!(judged(None).status, "true");
        assert_eq!(judged(Some(Duration::from_secs(2))).status, "unknown(late: true)");
        assert_eq!(judged(Some(Duration::from_secs(3))).status, "true");
    }

    #[test]
    fn scores() {
        assert_eq!(score(Category::Correct, "true"), 2);
        assert_eq!(score(Category::Correct, "false(unreach-call)"), 1);
        assert_eq!(score(Category::Wrong, "false(unreach-call)"), -16);
        assert_eq!(score(Category::Wrong, "true"), -32);
        assert_eq!(score(Category::Unknown, "unknown(late: true)"), 0);
    }
}
