//! Table 3 of C. Wang, Z. Yang, F. Ivančić and A. Gupta, "Disjunctive Image Computation for Embedded Software Verification"
//! (DATE 2006): one line per program with its state bits; per method the CPU time, how far it came, and the peak of live nodes.
//!
//! How far: `Y` if all states were found, or a violation; else the number of frames. Of a run that had to be ended from outside
//! nothing is known.

use super::{aligned, program, time};
use crate::grid::{Cell, Grid};
use crate::judge::Category;

/// The counters that `--analysis image` prints.
const BITS: &str = "state bits";
const FRAMES: &str = "rounds";
const PEAK: &str = "peak live nodes";

/// The table.
pub fn markdown(grid: &Grid) -> String {
    let mut head = vec!["name".to_owned(), "bits".to_owned(), "depth".to_owned()];
    for column in &grid.columns {
        head.extend([column.title.clone(), "completed".to_owned(), "peak (k)".to_owned()]);
    }
    let mut rows = vec![head];
    for row in &grid.rows {
        let cells = || row.cells.iter().flatten();
        let bits = cells().find_map(|cell| cell.counters.get(BITS));
        let depth = cells().filter(|cell| is_complete(cell)).find_map(|cell| cell.counters.get(FRAMES));
        let number = |number: Option<&u64>| number.map_or("–".to_owned(), u64::to_string);
        let mut line = vec![program(row).to_owned(), number(bits), depth.map_or("?".to_owned(), u64::to_string)];
        for (cell, head) in row.cells.iter().zip(&grid.columns) {
            let counter = |name: &str| cell.as_ref().and_then(|cell| cell.counters.get(name));
            let completed = match cell {
                Some(cell) if is_complete(cell) => "Y".to_owned(),
                _ => number(counter(FRAMES)),
            };
            let peak = counter(PEAK).map_or("–".to_owned(), |&nodes| format!("{:.1}", nodes as f64 / 1000.0));
            line.extend([time(cell.as_ref(), head), completed, peak]);
        }
        rows.push(line);
    }
    format!(
        "**Table 3.** Comparison in reachability analysis (CPU time in seconds, nodes in thousands)\n\n{}",
        aligned(&rows)
    )
}

fn is_complete(cell: &Cell) -> bool {
    matches!(cell.category, Category::Correct | Category::Wrong | Category::Missing)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Record;
    use crate::record::tests::record;

    #[test]
    fn shape() {
        let counted = |run: Record, frames, peak| {
            let counters = [(BITS, 343), (FRAMES, frames), (PEAK, peak)];
            Record { counters: counters.map(|(name, value)| (name.to_owned(), value)).into(), ..run }
        };
        let found = markdown(&Grid::new(&[
            counted(record("a/srb.yml", "mlp", "unknown(timeout)", true, 60.0), 25, 925_123),
            counted(record("a/srb.yml", "disj", "true", true, 1.461), 43, 106_000),
            record("a/daisy.yml", "mlp", "error(timeout, stopped from outside)", true, 62.0),
            counted(record("a/daisy.yml", "disj", "unknown(timeout)", true, 60.0), 83, 480_000),
        ]));
        let expected = "\
**Table 3.** Comparison in reachability analysis (CPU time in seconds, nodes in thousands)

| name  | bits | depth | MLP | completed | peak (k) | DISJ | completed | peak (k) |
|-------|-----:|------:|----:|----------:|---------:|-----:|----------:|---------:|
| daisy |  343 |     ? | >60 |         – |        – |  >60 |        83 |    480.0 |
| srb   |  343 |    43 | >60 |        25 |    925.1 | 1.46 |         Y |    106.0 |
";
        assert_eq!(found, expected, "{found}");
    }
}
