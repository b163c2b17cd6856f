//! Tables I to III of D. Beyer, M. E. Keremoglu and P. Wendler, "Predicate Abstraction with Adjustable-Block Encoding"
//! (FMCAD 2010): one line per program, one column per block operator, times in seconds with three significant digits;
//! beyond large blocks, the number of abstractions as well.
//!
//! Programs stand in the paper's order: by family, those with a bug last; in Table III, those with a bug first.

use super::{aligned, program, time};
use crate::grid::{Cell, Grid, Row};
use crate::judge::Category;

/// The counters of the third table: abstractions computed, and found again.
const ABSTRACTIONS: [&str; 2] = ["abstractions", "abstractions from the cache"];

/// Table I: large blocks.
pub fn large(grid: &Grid) -> String {
    format!("**Table I.** Large blocks (CPU time in seconds)\n\n{}", times(grid))
}

/// Table II: from single operations to large blocks.
pub fn between(grid: &Grid) -> String {
    format!("**Table II.** Results for blk^sbe, for blkₖ^lbe, and for blk^lbe (CPU time in seconds)\n\n{}", times(grid))
}

/// Table III: beyond large blocks. Per column, the time and the number of abstractions: computed + found in the cache.
pub fn beyond(grid: &Grid) -> String {
    let mut rows = vec![vec!["Program".to_owned()]];
    for head in &grid.columns {
        rows[0].extend([head.title.clone(), "# abs.".to_owned()]);
    }
    let (bugs, safe): (Vec<_>, Vec<_>) = ordered(grid).into_iter().partition(|row| has_bug(row));
    for row in bugs.into_iter().chain(safe) {
        let mut line = vec![program(row).to_owned()];
        for (cell, head) in row.cells.iter().zip(&grid.columns) {
            let solved = cell.as_ref().filter(|cell| cell.category == Category::Correct);
            line.extend([time(cell.as_ref(), head), solved.map_or("–".to_owned(), count)]);
        }
        rows.push(line);
    }
    format!(
        "**Table III.** Results and number of abstractions for blk^lbe and for blkₖ (CPU time in seconds)\n\n{}",
        aligned(&rows)
    )
}

/// Boolean against cartesian abstraction.
pub fn abstraction(grid: &Grid) -> String {
    format!("**Section IV.** Boolean and cartesian abstraction (CPU time in seconds)\n\n{}", times(grid))
}

/// The abstractions of a run: computed + found in the cache.
fn count(cell: &Cell) -> String {
    match ABSTRACTIONS.map(|counter| cell.counters.get(counter)) {
        [Some(computed), Some(found)] => format!("{computed} + {found}"),
        [Some(computed), None] => computed.to_string(),
        [None, _] => "–".to_owned(),
    }
}

fn times(grid: &Grid) -> String {
    let mut rows = vec![vec!["Program".to_owned()]];
    rows[0].extend(grid.columns.iter().map(|head| head.title.clone()));
    for row in ordered(grid) {
        let mut line = vec![program(row).to_owned()];
        line.extend(row.cells.iter().zip(&grid.columns).map(|(cell, head)| time(cell.as_ref(), head)));
        rows.push(line);
    }
    aligned(&rows)
}

/// The rows by family, those with a bug last.
fn ordered(grid: &Grid) -> Vec<&Row> {
    let mut rows: Vec<&Row> = grid.rows.iter().collect();
    rows.sort_by_key(|row| (&row.family, has_bug(row)));
    rows
}

fn has_bug(row: &Row) -> bool {
    row.expected.verdict == Some(false)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Record;
    use crate::record::tests::record;

    fn grid() -> Grid {
        let counted = |run: Record, count| Record {
            counters: [(ABSTRACTIONS[0].to_owned(), count), (ABSTRACTIONS[1].to_owned(), 7)].into(),
            ..run
        };
        Grid::new(&[
            record("locks/test_locks_5.yml", "sbe", "true", true, 6.361),
            record("locks/test_locks_10.yml", "sbe", "unknown(timeout)", true, 61.0),
            record("ntdrivers-simplified/a_bug.yml", "sbe", "unknown(out of memory)", false, 10.0),
            record("ntdrivers-simplified/floppy.yml", "sbe", "error(timeout, stopped from outside)", true, 62.0),
            counted(record("locks/test_locks_5.yml", "lbe", "true", true, 0.4831), 4),
            record("locks/test_locks_10.yml", "lbe", "true", true, 0.746),
            counted(record("ntdrivers-simplified/a_bug.yml", "lbe", "false(unreach-call)", false, 32.51), 26989),
        ])
    }

    #[test]
    fn table_2() {
        let expected = "\
**Table II.** Results for blk^sbe, for blkₖ^lbe, and for blk^lbe (CPU time in seconds)

| Program       |  SBE |   LBE |
|---------------|-----:|------:|
| test_locks_5  | 6.36 | 0.483 |
| test_locks_10 |  >60 | 0.746 |
| floppy        |  >60 |     – |
| a_bug         |   mo |  32.5 |
";
        let found = between(&grid());
        assert_eq!(found, expected, "{found}");
    }

    #[test]
    fn table_3() {
        let expected = "\
| Program       |  SBE | # abs. |   LBE |    # abs. |
|---------------|-----:|-------:|------:|----------:|
| a_bug         |   mo |      – |  32.5 | 26989 + 7 |
| test_locks_5  | 6.36 |      – | 0.483 |     4 + 7 |
| test_locks_10 |  >60 |      – | 0.746 |         – |
| floppy        |  >60 |      – |     – |         – |
";
        let found = beyond(&grid());
        assert!(found.ends_with(expected), "{found}");
    }
}
