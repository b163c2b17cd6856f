//! Tables 1 and 2 of D. Beyer and A. Stahlbauer, "BDD-Based Software Model Checking with CPAchecker" (MEMICS 2012):
//! properties of the RERS 2012 programs, violated ones ("UNSAFE") and satisfied ones ("SAFE") apart, per approach the
//! number of solved properties and the CPU time that these took, in total and in the mean, in seconds with two
//! significant digits.

use super::{aligned, significant};
use crate::discover::natural;
use crate::grid::{Grid, Row, Totals};

/// What separates the program's name from the property's.
const LABEL: &str = "_label";

/// Both tables. A row is a program: tasks whose names differ only after `_label` are properties of the same one. Other
/// tasks are left out.
pub fn markdown(grid: &Grid) -> String {
    [(1, "UNSAFE", false), (2, "SAFE", true)]
        .map(|(number, result, verdict)| {
            format!(
                "**Table {number}.** Detailed results for the verification tasks with result '{result}'\n\n{}",
                table(grid, verdict)
            )
        })
        .join("\n")
}

fn table(grid: &Grid, verdict: bool) -> String {
    let wanted = |row: &Row| row.expected.verdict == Some(verdict) && row.task.contains(LABEL);
    let mut programs: Vec<&str> = grid.rows.iter().filter(|row| wanted(row)).map(program).collect();
    programs.sort_by_cached_key(|name| natural(name));
    programs.dedup();
    let mut head = vec!["Problem".to_owned(), "# Properties".to_owned()];
    for column in &grid.columns {
        head.push(format!("{}: Solved", column.title));
        head.extend(["Time (total)".to_owned(), "Time (mean)".to_owned()]);
    }
    let line = |name: String, wanted: &dyn Fn(&Row) -> bool| {
        let mut line = vec![name, grid.rows.iter().filter(|row| wanted(row)).count().to_string()];
        for column in 0..grid.columns.len() {
            line.extend(figures(&grid.totals(column, wanted)));
        }
        line
    };
    let mut rows = vec![head];
    for &name in &programs {
        rows.push(line(title(name), &|row| wanted(row) && program(row) == name));
    }
    rows.push(line("All".to_owned(), &wanted));
    aligned(&rows)
}

/// Solved, total, mean. A dash where nothing was solved, or nothing could be.
fn figures(totals: &Totals) -> [String; 3] {
    let dash = || "–".to_owned();
    if totals.tasks == 0 || totals.is_unavailable() {
        return ["not available".to_owned(), dash(), dash()];
    }
    let time = |value: Option<f64>| value.map_or_else(dash, |value| significant(value, 2));
    [totals.solved().to_string(), time(totals.cpu_mean.map(|_| totals.cpu)), time(totals.cpu_mean)]
}

/// The task's name before `_label`, without family.
fn program(row: &Row) -> &str {
    let file = row.task.rsplit('/').next().unwrap_or(&row.task);
    file.split_once(LABEL).map_or(file, |(name, _)| name)
}

/// `Problem 1` for `Problem01`, as in the paper.
fn title(program: &str) -> String {
    match program.strip_prefix("Problem").and_then(|number| number.parse::<u32>().ok()) {
        Some(number) => format!("Problem {number}"),
        None => program.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::UNAVAILABLE;
    use crate::record::tests::record;

    #[test]
    fn shape() {
        let name = |label: &str| format!("eca-rers2012/{label}.yml");
        let grid = Grid::new(&[
            record(&name("Problem02_label00"), "impact", UNAVAILABLE, false, 0.01),
            record(&name("Problem02_label00"), "bdd", "false(unreach-call)", false, 0.5),
            record(&name("Problem01_label00"), "bdd", "false(unreach-call)", false, 40.0),
            record(&name("Problem01_label01"), "bdd", "false(unreach-call)", false, 46.4),
            record(&name("Problem01_label02"), "bdd", "unknown(timeout)", false, 300.0),
            record(&name("Problem01_label03"), "bdd", "true", true, 1234.0),
            record("locks/test_locks_5.yml", "bdd", "true", true, 1.0),
        ]);
        let expected = "\
**Table 1.** Detailed results for the verification tasks with result 'UNSAFE'

| Problem   | # Properties | IMPACT: Solved | Time (total) | Time (mean) | BDD: Solved | Time (total) | Time (mean) |
|-----------|-------------:|---------------:|-------------:|------------:|------------:|-------------:|------------:|
| Problem 1 |            3 |  not available |            – |           – |           2 |           86 |          43 |
| Problem 2 |            1 |  not available |            – |           – |           1 |         0.50 |        0.50 |
| All       |            4 |  not available |            – |           – |           3 |           87 |          29 |

**Table 2.** Detailed results for the verification tasks with result 'SAFE'

| Problem   | # Properties | IMPACT: Solved | Time (total) | Time (mean) | BDD: Solved | Time (total) | Time (mean) |
|-----------|-------------:|---------------:|-------------:|------------:|------------:|-------------:|------------:|
| Problem 1 |            1 |  not available |            – |           – |           1 |         1200 |        1200 |
| All       |            1 |  not available |            – |           – |           1 |         1200 |        1200 |
";
        let found = markdown(&grid);
        assert_eq!(found, expected, "{found}");
    }
}
