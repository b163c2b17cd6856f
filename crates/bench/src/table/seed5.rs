//! Tables III and IV of A. Gurfinkel and S. Chaki, "Combining Predicate and Numeric Abstraction for Software Model Checking" (FMCAD 2008).
//!
//! Table IV has one line per domain: how many tasks it answers, and of these the time of the last round of abstraction and refinement
//! and of the operations in it. Beside the paper's columns there are the largest counts of predicates and variables, which the
//! paper gives in its text. Table III is the paper's judgement (`+`, `-`); here it is figures: what operations take
//! on average, and how large values become.

use super::aligned;
use crate::grid::{Cell, Grid};
use crate::judge::Category;

/// The counters that the engines of predicates and numbers print: times are in microseconds.
const LAST: &str = "last round µs";
const PREDICATES: &str = "predicates";
const VARIABLES: &str = "numeric variables";
/// Operations with their times, in the order of the paper's columns.
const OPERATIONS: [(&str, &str, &str); 4] = [
    ("γ", "gammas", "gamma µs"),
    ("join", "joins", "join µs"),
    ("αPost", "posts", "post µs"),
    ("Apply", "transformers", "apply µs"),
];
/// Sizes of the largest value.
const PARTS: &str = "largest parts";
const NODES: &str = "largest nodes";

/// Both tables.
pub fn markdown(grid: &Grid) -> String {
    format!(
        "**Table IV.** Answers, and seconds of the last round for these (all of it, and by operation); largest counts\n\n{}\n\
         **Table III.** Microseconds of an operation on average, and sizes of the largest value\n\n{}",
        times(grid),
        costs(grid)
    )
}

/// What a column counted on the tasks that it answered, for all of them.
struct Answered<'g>(Vec<&'g Cell>);

impl<'g> Answered<'g> {
    fn of(grid: &'g Grid, column: usize) -> Self {
        let cells = grid.rows.iter().filter_map(|row| row.cells[column].as_ref());
        Self(cells.filter(|cell| cell.category == Category::Correct).collect())
    }

    fn all(&self, name: &str) -> Vec<u64> {
        self.0.iter().filter_map(|cell| cell.counters.get(name)).copied().collect()
    }

    /// The sum; nothing if no run has counted it.
    fn sum(&self, name: &str) -> Option<u64> {
        let all = self.all(name);
        (!all.is_empty()).then(|| all.iter().sum())
    }

    fn most(&self, name: &str) -> String {
        self.all(name).into_iter().max().map_or("–".to_owned(), |most| most.to_string())
    }

    fn seconds(&self, name: &str) -> String {
        self.sum(name).map_or("–".to_owned(), |micros| format!("{:.2}", micros as f64 / 1e6))
    }
}

fn times(grid: &Grid) -> String {
    let mut rows = vec![["Domain", "Num", "wrong", "CPU", "Total"].map(str::to_owned).to_vec()];
    rows[0].extend(OPERATIONS.iter().map(|(title, ..)| (*title).to_owned()));
    rows[0].extend(["predicates", "variables"].map(str::to_owned));
    for (column, head) in grid.columns.iter().enumerate() {
        let answered = Answered::of(grid, column);
        let cells = grid.rows.iter().filter_map(|row| row.cells[column].as_ref());
        let wrong = cells.filter(|cell| cell.category == Category::Wrong).count();
        let cpu: f64 = answered.0.iter().map(|cell| cell.cpu).sum();
        let mut row = vec![head.title.clone(), answered.0.len().to_string(), wrong.to_string(), format!("{cpu:.1}")];
        row.push(answered.seconds(LAST));
        row.extend(OPERATIONS.iter().map(|(_, _, micros)| answered.seconds(micros)));
        row.extend([answered.most(PREDICATES), answered.most(VARIABLES)]);
        rows.push(row);
    }
    aligned(&rows)
}

fn costs(grid: &Grid) -> String {
    let mut rows = vec![vec!["Domain".to_owned()]];
    rows[0].extend(OPERATIONS.iter().map(|(title, ..)| (*title).to_owned()));
    rows[0].extend(["pairs or nodes", "diagram nodes"].map(str::to_owned));
    for (column, head) in grid.columns.iter().enumerate() {
        let answered = Answered::of(grid, column);
        let mut row = vec![head.title.clone()];
        for (_, count, micros) in OPERATIONS {
            let mean = match (answered.sum(count), answered.sum(micros)) {
                (Some(count), Some(micros)) if count > 0 => format!("{:.1}", micros as f64 / count as f64),
                _ => "–".to_owned(),
            };
            row.push(mean);
        }
        row.extend([answered.most(PARTS), answered.most(NODES)]);
        rows.push(row);
    }
    aligned(&rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Record;
    use crate::record::tests::record;

    #[test]
    fn shape() {
        let counted = |run: Record, counters: &[(&str, u64)]| {
            let counters = counters.iter().map(|(name, value)| ((*name).to_owned(), *value));
            Record { counters: counters.collect(), ..run }
        };
        let found = markdown(&Grid::new(&[
            record("a/one.yml", "numeric", "true", true, 0.5),
            record("a/two.yml", "numeric", "unknown(imprecise)", true, 0.5),
            counted(
                record("a/one.yml", "nex", "true", true, 1.0),
                &[(LAST, 250_000), ("joins", 4), ("join µs", 10), (PREDICATES, 3), (PARTS, 7)],
            ),
            counted(
                record("a/two.yml", "nex", "true", true, 2.0),
                &[(LAST, 500_000), ("joins", 6), ("join µs", 10), (PREDICATES, 5), (PARTS, 2)],
            ),
        ]));
        let expected = "\
**Table IV.** Answers, and seconds of the last round for these (all of it, and by operation); largest counts

| Domain  | Num | wrong | CPU | Total |   γ | join | αPost | Apply | predicates | variables |
|---------|----:|------:|----:|------:|----:|-----:|------:|------:|-----------:|----------:|
| NUMERIC |   1 |     0 | 0.5 |     – |   – |    – |     – |     – |          – |         – |
| NEX     |   2 |     0 | 3.0 |  0.75 |   – | 0.00 |     – |     – |          5 |         – |

**Table III.** Microseconds of an operation on average, and sizes of the largest value

| Domain  |   γ | join | αPost | Apply | pairs or nodes | diagram nodes |
|---------|----:|-----:|------:|------:|---------------:|--------------:|
| NUMERIC |   – |    – |     – |     – |              – |             – |
| NEX     |   – |  2.0 |     – |     – |              7 |             – |
";
        assert_eq!(found, expected, "{found}");
    }
}
