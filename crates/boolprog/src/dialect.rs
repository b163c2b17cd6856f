//! How tightly operators bind. The tools that read Boolean programs do not agree.
//!
//! | dialect | from the loosest to the tightest |
//! |---|---|
//! | `satabs` | `=> = !=` (one level), `^`, `\|`, `&` |
//! | `getafix` | `=>`, `\|`, `^`, `&`, `= !=` (one level) |
//! | `slam` | as `getafix`, which is C's order; SLAM itself writes parentheses everywhere |
//!
//! In all of them `?:` is looser and `!` is tighter than any of these, and `=>` groups to the right, with what is on its
//! level. Where two dialects group differently there is a warning; also where `=>` is repeated or stands beside `=`, which
//! the tools' manuals do not settle.

use crate::ast::BinaryOp;
use std::fmt;
use std::str::FromStr;

/// Whose precedence is meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Dialect {
    /// SLAM and Bebop.
    Slam,
    /// SATABS and Boppo.
    #[default]
    Satabs,
    /// Getafix.
    Getafix,
}

impl Dialect {
    /// All of them.
    pub const ALL: [Dialect; 3] = [Dialect::Slam, Dialect::Satabs, Dialect::Getafix];

    /// The greater, the tighter.
    fn level(self, op: BinaryOp) -> u8 {
        match (self, op) {
            (_, BinaryOp::Implies) | (Dialect::Satabs, BinaryOp::Eq | BinaryOp::Ne) => 0,
            (Dialect::Satabs, BinaryOp::Xor) => 1,
            (Dialect::Satabs, BinaryOp::Or) => 2,
            (Dialect::Slam | Dialect::Getafix, BinaryOp::Or) => 1,
            (Dialect::Slam | Dialect::Getafix, BinaryOp::Xor) => 2,
            (_, BinaryOp::And) => 3,
            (Dialect::Slam | Dialect::Getafix, BinaryOp::Eq | BinaryOp::Ne) => 4,
        }
    }

    /// Whether `left` is applied before `right`, which follows it in the text.
    pub fn is_first(self, left: BinaryOp, right: BinaryOp) -> bool {
        let (one, other) = (self.level(left), self.level(right));
        let to_the_right = left == BinaryOp::Implies || right == BinaryOp::Implies;
        one > other || (one == other && !to_the_right)
    }

    /// The order in which the operators of a row are applied, by their places in it.
    fn grouping(self, row: &[BinaryOp]) -> Vec<usize> {
        let mut applied = Vec::with_capacity(row.len());
        let mut pending: Vec<usize> = Vec::new();
        for (i, &op) in row.iter().enumerate() {
            while let Some(last) = pending.pop_if(|last| self.is_first(row[*last], op)) {
                applied.push(last);
            }
            pending.push(i);
        }
        applied.extend(pending.into_iter().rev());
        applied
    }
}

/// Whether the meaning of a row of operators depends on the tool that reads it.
pub fn is_disputed(row: &[BinaryOp]) -> bool {
    let first = row.first();
    let implications = row.iter().filter(|op| **op == BinaryOp::Implies).count();
    if row.iter().all(|op| Some(op) == first) {
        return implications > 1;
    }
    let equations = row.iter().any(|op| matches!(op, BinaryOp::Eq | BinaryOp::Ne));
    let readings = Dialect::ALL.map(|dialect| dialect.grouping(row));
    implications > 1 || (implications == 1 && equations) || readings.iter().any(|reading| *reading != readings[0])
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Dialect::Slam => "slam",
            Dialect::Satabs => "satabs",
            Dialect::Getafix => "getafix",
        })
    }
}

impl FromStr for Dialect {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let known = Dialect::ALL.into_iter().find(|dialect| dialect.to_string() == text);
        known.ok_or_else(|| format!("there is no dialect `{text}`; there are slam, satabs and getafix"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use BinaryOp::{And, Eq, Implies, Ne, Or, Xor};

    #[test]
    fn groupings() {
        assert_eq!(Dialect::Satabs.grouping(&[Eq, Or]), [1, 0]);
        assert_eq!(Dialect::Getafix.grouping(&[Eq, Or]), [0, 1]);
        assert_eq!(Dialect::Satabs.grouping(&[Xor, Or]), [1, 0]);
        assert_eq!(Dialect::Slam.grouping(&[Xor, Or]), [0, 1]);
        assert_eq!(Dialect::Satabs.grouping(&[And, Or, And]), [0, 2, 1]);
        assert_eq!(Dialect::Getafix.grouping(&[Implies, Implies]), [1, 0]);
    }

    #[test]
    fn disputes() {
        for row in [&[Eq, Or][..], &[Xor, Or], &[Implies, Eq], &[And, Ne], &[Implies, Implies]] {
            assert!(is_disputed(row), "{row:?}");
        }
        for row in [&[And, Or][..], &[Or, And, Or], &[Xor, And], &[Or, Implies], &[Eq, Ne, Eq], &[]] {
            assert!(!is_disputed(row), "{row:?}");
        }
    }
}
