//! The figures that end a run, as text.

use crate::grid::{Grid, Totals};
use crate::units;

const HEAD: [&str; 11] =
    ["", "tasks", "solved", "true", "false", "wrong", "unknown", "error", "CPU s", "max MB", "score"];

/// One line per column.
pub fn summary(grid: &Grid) -> String {
    let mut rows = vec![HEAD.map(str::to_owned)];
    for (index, column) in grid.columns.iter().enumerate() {
        rows.push(line(&column.name, &grid.totals(index, |_| true)));
    }
    let widths: [usize; 11] =
        std::array::from_fn(|column| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0));
    let mut text = String::new();
    for row in &rows {
        let cells = row.iter().zip(widths).enumerate().map(|(column, (cell, width))| match column {
            0 => format!("{cell:<width$}"),
            _ => format!("{cell:>width$}"),
        });
        text.push_str(cells.collect::<Vec<_>>().join("  ").trim_end());
        text.push('\n');
    }
    text
}

fn line(name: &str, totals: &Totals) -> [String; 11] {
    let name = if totals.is_unavailable() { format!("{name} (not available)") } else { name.to_owned() };
    let dash = || "–".to_owned();
    [
        name,
        totals.tasks.to_string(),
        totals.solved().to_string(),
        totals.correct_true.to_string(),
        totals.correct_false.to_string(),
        totals.wrong().to_string(),
        totals.unknown.to_string(),
        totals.error.to_string(),
        totals.cpu_mean.map_or_else(dash, |_| units::seconds(totals.cpu)),
        totals.cpu_mean.map_or_else(dash, |_| units::megabytes(totals.memory)),
        totals.score.to_string(),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::tests::record;

    #[test]
    fn lines() {
        let grid = Grid::new(&[
            record("locks/a.yml", "bdd", "true", true, 1.5),
            record("locks/b.yml", "bdd", "false(unreach-call)", true, 1.5),
            record("locks/a.yml", "impact", crate::judge::UNAVAILABLE, true, 0.0),
        ]);
        let text = summary(&grid);
        let words: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(words[1], ["bdd", "2", "1", "1", "0", "1", "0", "0", "1.50", "6.5", "-14"]);
        assert_eq!(words[2][..3], ["impact", "(not", "available)"]);
    }
}
