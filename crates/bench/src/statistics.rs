//! The counters that a tool prints with its answer.
//!
//! `robusto check` ends its report with lines `  NAME   VALUE` below `statistics:`. Whole numbers among them are kept
//! with the run, so that a table can show more than times; a tool that prints none loses nothing but that.

use std::collections::BTreeMap;

/// The counters of an output. Of a name that occurs twice, the last value counts.
pub fn counters(stdout: &str) -> BTreeMap<String, u64> {
    let lines = stdout.lines().skip_while(|line| *line != "statistics:").skip(1);
    let counter = |line: &str| {
        let (name, value) = line.strip_prefix("  ")?.trim().rsplit_once(char::is_whitespace)?;
        Some((name.trim().to_owned(), value.parse().ok()?))
    };
    lines.filter_map(counter).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_below_the_head() {
        let text = "\
path:
  before                  7
statistics:
  exploration             0.003 s
  abstractions            42
  solver calls            3
  decided by              bdd
RESULT: true
";
        let found: Vec<_> = counters(text).into_iter().collect();
        assert_eq!(found, [("abstractions".to_owned(), 42), ("solver calls".to_owned(), 3)]);
        assert!(counters("RESULT: true").is_empty());
    }
}
