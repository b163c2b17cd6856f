//! Table 2 of G. Basler, D. Kroening and G. Weissenbacher, "SAT-Based Summarization for Boolean Programs" (SPIN 2007): one line
//! per program with its number of variables, the time of each engine, and whether the property can be violated.
//!
//! The number is that of the variables in scope in the procedure that has most, as `robusto bp` counts them. The paper's
//! Bebop is our engine `bdd`; times are in seconds with three significant digits.

use super::{aligned, program, time};
use crate::grid::{Grid, Row};

/// The counter that has the number of variables.
const VARIABLES: &str = "variables in scope";

/// The table.
pub fn markdown(grid: &Grid) -> String {
    let mut head = vec!["Benchmark".to_owned(), "#vars".to_owned()];
    head.extend(grid.columns.iter().map(|column| column.title.clone()));
    head.push("violation".to_owned());
    let mut rows = vec![head];
    for row in &grid.rows {
        let counted = row.cells.iter().flatten().find_map(|cell| cell.counters.get(VARIABLES));
        let mut line = vec![program(row).to_owned(), counted.map_or("–".to_owned(), u64::to_string)];
        line.extend(row.cells.iter().zip(&grid.columns).map(|(cell, head)| time(cell.as_ref(), head)));
        line.push(violation(row));
        rows.push(line);
    }
    format!("**Table 2.** Comparison of performance on Boolean programs (CPU time in seconds)\n\n{}", aligned(&rows))
}

fn violation(row: &Row) -> String {
    match row.expected.verdict {
        Some(true) => "no",
        Some(false) => "yes",
        None => "–",
    }
    .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Record;
    use crate::record::tests::record;

    #[test]
    fn shape() {
        let counted = |run: Record| Record { counters: [(VARIABLES.to_owned(), 434)].into(), ..run };
        let grid = Grid::new(&[
            record("slam/adddevice.yml", "bp-bdd", "unknown(timeout)", false, 60.0),
            counted(record("slam/adddevice.yml", "bp-qbf", "false(unreach-call)", false, 0.6)),
            counted(record("slam/forward.yml", "bp-bdd", "true", true, 0.4321)),
        ]);
        let found = markdown(&grid);
        let expected = "\
**Table 2.** Comparison of performance on Boolean programs (CPU time in seconds)

| Benchmark | #vars | BP-BDD | BP-QBF | violation |
|-----------|------:|-------:|-------:|----------:|
| adddevice |   434 |    >60 |  0.600 |       yes |
| forward   |   434 |  0.432 |      – |        no |
";
        assert_eq!(found, expected, "{found}");
    }
}
