//! The tables of the seeds, made from our results.

mod seed1;
mod seed2;
mod seed3;
mod seed4;
mod seed5;

use crate::grid::{Cell, Grid, Head, Row};
use crate::judge::{Category, UNAVAILABLE};

/// A table of a publication.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Table {
    /// Tables 1 and 2 of seed 1.
    Seed1,
    /// Table 2 of seed 2.
    Seed2,
    /// Table I of seed 3.
    Seed3Large,
    /// Table II of seed 3.
    Seed3Between,
    /// Table III of seed 3.
    Seed3Beyond,
    /// Boolean against cartesian abstraction, Section IV of seed 3.
    Seed3Abstraction,
    /// Table 3 of seed 4, for any columns.
    Seed4,
    /// Tables III and IV of seed 5.
    Seed5,
}

impl Table {
    /// All tables, with their names in options.
    pub const ALL: &[(&str, Table)] = &[
        ("seed1", Table::Seed1),
        ("seed2-table2", Table::Seed2),
        ("seed3-table1", Table::Seed3Large),
        ("seed3-table2", Table::Seed3Between),
        ("seed3-table3", Table::Seed3Beyond),
        ("seed3-abstraction", Table::Seed3Abstraction),
        ("seed4", Table::Seed4),
        ("seed5", Table::Seed5),
    ];

    /// The table with this name.
    pub fn parse(name: &str) -> Result<Self, String> {
        match Self::ALL.iter().find(|(known, _)| *known == name) {
            Some((_, table)) => Ok(*table),
            None => {
                let names: Vec<_> = Self::ALL.iter().map(|(name, _)| *name).collect();
                Err(format!("there is no table '{name}'; there are {}", names.join(", ")))
            }
        }
    }

    /// The table in Markdown, aligned so that it reads well as text.
    pub fn markdown(self, grid: &Grid) -> String {
        match self {
            Table::Seed1 => seed1::markdown(grid),
            Table::Seed2 => seed2::markdown(grid),
            Table::Seed3Large => seed3::large(grid),
            Table::Seed3Between => seed3::between(grid),
            Table::Seed3Beyond => seed3::beyond(grid),
            Table::Seed3Abstraction => seed3::abstraction(grid),
            Table::Seed4 => seed4::markdown(grid),
            Table::Seed5 => seed5::markdown(grid),
        }
    }
}

/// A Markdown table whose first column is text and whose others are numbers.
fn aligned(rows: &[Vec<String>]) -> String {
    let columns = rows.first().map_or(0, Vec::len);
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0).max(3);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for (index, row) in rows.iter().enumerate() {
        let cells = row.iter().zip(&widths).enumerate().map(|(column, (cell, &width))| match column {
            0 => format!(" {cell:<width$} |"),
            _ => format!(" {cell:>width$} |"),
        });
        text.push('|');
        text.extend(cells);
        text.push('\n');
        if index == 0 {
            text.push('|');
            text.extend(widths.iter().enumerate().map(|(column, width)| match column {
                0 => format!("-{}-|", "-".repeat(*width)),
                _ => format!("-{}:|", "-".repeat(*width)),
            }));
            text.push('\n');
        }
    }
    text
}

/// A number with so many significant digits, as the seeds print times. With two: 2600, 86, 6.2, 0.012.
fn significant(value: f64, digits: i32) -> String {
    if value <= 0.0 || !value.is_finite() {
        return "0".to_owned();
    }
    let scale = 10f64.powi(value.log10().floor() as i32 + 1 - digits);
    let rounded = (value / scale).round() * scale;
    // Rounding may have added a digit: 9.96 is 10.
    let decimals = (digits - 1 - rounded.log10().floor() as i32).max(0) as usize;
    format!("{rounded:.decimals$}")
}

/// The task's name without family and extension.
fn program(row: &Row) -> &str {
    let file = row.task.rsplit('/').next().unwrap_or(&row.task);
    file.strip_suffix(".yml").unwrap_or(file)
}

/// A time, or as in the papers `>1800` and `mo` where a limit ended the run.
fn time(cell: Option<&Cell>, head: &Head) -> String {
    let Some(cell) = cell else { return "–".to_owned() };
    let status = &cell.status[..];
    match cell.category {
        Category::Correct => significant(cell.cpu, 3),
        Category::Wrong => format!("wrong: {status}"),
        _ if status == UNAVAILABLE => "not available".to_owned(),
        _ if status.contains("timeout") || status.contains("(late") => {
            // The papers limit CPU time, and that is what the table shows.
            format!(">{}", head.cpu_limit.unwrap_or(head.time_limit))
        }
        _ if status.contains("out of memory") => "mo".to_owned(),
        Category::Missing | Category::Unknown => "unknown".to_owned(),
        Category::Error => "error".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits() {
        for (value, text) in [
            (2637.0, "2600"),
            (100.4, "100"),
            (86.4, "86"),
            (6.24, "6.2"),
            (9.96, "10"),
            (99.6, "100"),
            (1.0, "1.0"),
            (0.0123, "0.012"),
            (0.0996, "0.10"),
            (0.0, "0"),
        ] {
            assert_eq!(significant(value, 2), text);
        }
        assert_eq!([1843.0, 51.46, 0.4832].map(|value| significant(value, 3)), ["1840", "51.5", "0.483"]);
    }

    #[test]
    fn names() {
        assert_eq!(Table::parse("seed1"), Ok(Table::Seed1));
        assert_eq!(Table::parse("seed3-table2"), Ok(Table::Seed3Between));
        assert!(Table::parse("seed9").is_err());
    }
}
