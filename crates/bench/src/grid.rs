//! Tasks × columns, and sums over them: what every report is made of.

use crate::discover::natural;
use crate::judge::{Category, Expected, UNAVAILABLE, score};
use crate::record::{Record, Results};
use serde::Serialize;
use std::collections::BTreeMap;

/// All results, one row per task, one cell per column.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Grid {
    /// The columns.
    pub columns: Vec<Head>,
    /// The rows, in natural order of the names.
    pub rows: Vec<Row>,
}

/// What a column stands for.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Head {
    /// The name.
    pub name: String,
    /// The name in tables.
    pub title: String,
    /// Versions of the tool.
    pub tools: Vec<String>,
    /// The preset's arguments.
    pub args: Vec<String>,
    /// Limit of wall time, in seconds.
    pub time_limit: f64,
    /// Limit of CPU time, in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpu_limit: Option<f64>,
    /// Memory limit, in bytes.
    pub memory_limit: u64,
}

/// A task.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    /// The name.
    pub task: String,
    /// The family.
    pub family: String,
    /// The program's files.
    pub files: Vec<String>,
    /// The property.
    pub property: String,
    /// What to expect of it.
    pub expected: Expected,
    /// The results, as many as there are columns.
    pub cells: Vec<Option<Cell>>,
}

/// What one column makes of one task: the worst of all repetitions, with the median of their times.
#[derive(Clone, PartialEq, Debug)]
pub struct Cell {
    /// The status.
    pub status: String,
    /// What it is worth.
    pub category: Category,
    /// CPU time, in seconds.
    pub cpu: f64,
    /// Wall time, in seconds.
    pub wall: f64,
    /// Peak memory, in bytes.
    pub memory: u64,
    /// The counters that the tool printed.
    pub counters: BTreeMap<String, u64>,
    /// Number of repetitions.
    pub runs: usize,
    /// Whether the repetitions disagree.
    pub unstable: bool,
    /// What the tool said about it.
    pub message: Option<String>,
}

impl Grid {
    /// Arranges results, with the columns in the order that the calls name.
    pub fn of(results: &Results) -> Self {
        let mut names: Vec<&str> = Vec::new();
        for name in results.calls.iter().flat_map(|call| &call.columns) {
            if !names.contains(&&name[..]) {
                names.push(name);
            }
        }
        let rank = |column: &str| names.iter().position(|name| *name == column).unwrap_or(usize::MAX);
        let mut records: Vec<&Record> = results.records.iter().collect();
        records.sort_by_key(|record| rank(&record.column));
        Self::arrange(&records)
    }

    /// Arranges records, with the columns in the order in which they first occur. Of two records of the same run the later one counts.
    pub fn new(records: &[Record]) -> Self {
        Self::arrange(&records.iter().collect::<Vec<_>>())
    }

    fn arrange(records: &[&Record]) -> Self {
        let mut columns: Vec<Head> = Vec::new();
        let mut groups: BTreeMap<_, BTreeMap<(usize, u32), &Record>> = BTreeMap::new();
        for &record in records {
            let column = columns.iter().position(|head| head.name == record.column).unwrap_or_else(|| {
                columns.push(Head::new(record));
                columns.len() - 1
            });
            columns[column].update(record);
            let row = (natural(&record.task), &record.task, &record.property);
            groups.entry(row).or_default().insert((column, record.repeat), record);
        }
        let rows = groups.into_values().map(|runs| Row::new(&runs, columns.len())).collect();
        Self { columns, rows }
    }

    /// The families, in natural order, with their rows. One pass: a test of each row for each family would be quadratic, and
    /// took 3.5 of 5.2 s for the reports of 100,000 tasks in 1,000 families.
    pub fn families(&self) -> Vec<Family<'_>> {
        let mut families: BTreeMap<&str, Vec<&Row>> = BTreeMap::new();
        for row in &self.rows {
            families.entry(&row.family).or_default().push(row);
        }
        let mut families: Vec<Family<'_>> = families.into_iter().map(|(name, rows)| Family { name, rows }).collect();
        families.sort_by_cached_key(|family| natural(family.name));
        families
    }

    /// The figures of a column over the rows that pass the test.
    pub fn totals(&self, column: usize, wanted: impl Fn(&Row) -> bool) -> Totals {
        Totals::of(self.rows.iter().filter(|row| wanted(row)).filter_map(|row| row.cells[column].as_ref()))
    }
}

/// The tasks of a family.
#[derive(Clone, PartialEq, Debug)]
pub struct Family<'g> {
    /// The name.
    pub name: &'g str,
    /// The rows.
    pub rows: Vec<&'g Row>,
}

impl Family<'_> {
    /// The figures of a column over the family.
    pub fn totals(&self, column: usize) -> Totals {
        Totals::of(self.rows.iter().filter_map(|row| row.cells[column].as_ref()))
    }
}

impl Head {
    fn new(record: &Record) -> Self {
        Self {
            name: record.column.clone(),
            title: record.title.clone(),
            tools: Vec::new(),
            args: Vec::new(),
            time_limit: 0.0,
            cpu_limit: None,
            memory_limit: 0,
        }
    }

    fn update(&mut self, record: &Record) {
        if !self.tools.contains(&record.tool) {
            self.tools.push(record.tool.clone());
        }
        self.args.clone_from(&record.args);
        (self.time_limit, self.cpu_limit) = (record.time_limit, record.cpu_limit);
        self.memory_limit = record.memory_limit;
    }
}

impl Row {
    fn new(runs: &BTreeMap<(usize, u32), &Record>, columns: usize) -> Self {
        let record = runs.values().next_back().expect("a row has a record");
        let cell =
            |column| Cell::new(runs.range((column, 0)..=(column, u32::MAX)).map(|(_, &record)| record).collect());
        Self {
            task: record.task.clone(),
            family: record.family.clone(),
            files: record.files.clone(),
            property: record.property.clone(),
            expected: record.expected.clone(),
            cells: (0..columns).map(cell).collect(),
        }
    }
}

impl Cell {
    fn new(runs: Vec<&Record>) -> Option<Self> {
        let worst = runs.iter().max_by_key(|run| run.category)?;
        Some(Self {
            status: worst.status.clone(),
            category: worst.category,
            cpu: median(runs.iter().map(|run| run.cpu).collect()),
            wall: median(runs.iter().map(|run| run.wall).collect()),
            memory: runs.iter().map(|run| run.memory).max().unwrap_or(0),
            counters: worst.counters.clone(),
            runs: runs.len(),
            unstable: runs.iter().any(|run| run.status != worst.status),
            message: worst.message.clone(),
        })
    }

    /// Whether the answer is `true`, right or wrong.
    pub fn says_true(&self) -> bool {
        self.status.starts_with("true")
    }
}

/// Figures of one column over some tasks. Times are those of correct answers, as in the seeds' tables: the time of an
/// unsolved task says more about the limit than about the tool.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Totals {
    /// Number of tasks.
    pub tasks: usize,
    /// Correct answers `true`.
    pub correct_true: usize,
    /// Correct answers `false`.
    pub correct_false: usize,
    /// Wrong answers `true`.
    pub wrong_true: usize,
    /// Wrong answers `false`.
    pub wrong_false: usize,
    /// No answer.
    pub unknown: usize,
    /// Crashes, overrun limits, broken contracts.
    pub error: usize,
    /// Of these: the tool does not know the analysis.
    pub unavailable: usize,
    /// Answers to tasks without an expected verdict.
    pub missing: usize,
    /// CPU time of correct answers, in seconds.
    pub cpu: f64,
    /// Their mean.
    pub cpu_mean: Option<f64>,
    /// Their median.
    pub cpu_median: Option<f64>,
    /// CPU time of all runs, in seconds.
    pub cpu_all: f64,
    /// Wall time of all runs, in seconds.
    pub wall_all: f64,
    /// Peak memory of correct answers, in bytes.
    pub memory: u64,
    /// Points by the rules of SV-COMP.
    pub score: i64,
}

impl Totals {
    /// Sums up cells.
    pub fn of<'a>(cells: impl Iterator<Item = &'a Cell>) -> Self {
        let mut totals = Totals::default();
        let mut times = Vec::new();
        for cell in cells {
            totals.tasks += 1;
            let count = match (cell.category, cell.says_true()) {
                (Category::Correct, true) => &mut totals.correct_true,
                (Category::Correct, false) => &mut totals.correct_false,
                (Category::Wrong, true) => &mut totals.wrong_true,
                (Category::Wrong, false) => &mut totals.wrong_false,
                (Category::Unknown, _) => &mut totals.unknown,
                (Category::Error, _) => &mut totals.error,
                (Category::Missing, _) => &mut totals.missing,
            };
            *count += 1;
            totals.unavailable += usize::from(cell.status == UNAVAILABLE);
            totals.score += score(cell.category, &cell.status);
            totals.cpu_all += cell.cpu;
            totals.wall_all += cell.wall;
            if cell.category == Category::Correct {
                times.push(cell.cpu);
                totals.memory = totals.memory.max(cell.memory);
            }
        }
        if !times.is_empty() {
            totals.cpu = times.iter().sum();
            totals.cpu_mean = Some(totals.cpu / times.len() as f64);
            totals.cpu_median = Some(median(times));
        }
        totals
    }

    /// Number of correct answers.
    pub fn solved(&self) -> usize {
        self.correct_true + self.correct_false
    }

    /// Number of wrong answers.
    pub fn wrong(&self) -> usize {
        self.wrong_true + self.wrong_false
    }

    /// Whether the tool does not know the analysis at all.
    pub fn is_unavailable(&self) -> bool {
        self.tasks > 0 && self.unavailable == self.tasks
    }
}

/// The middle value, or the mean of the two in the middle; 0 of nothing.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    match values.len() {
        0 => 0.0,
        n if n % 2 == 1 => values[n / 2],
        n => f64::midpoint(values[n / 2 - 1], values[n / 2]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::tests::record;

    #[test]
    fn medians() {
        assert_eq!(median(vec![]), 0.0);
        assert_eq!(median(vec![3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(vec![4.0, 1.0]), 2.5);
    }

    #[test]
    fn rows_columns_and_sums() {
        let grid = Grid::new(&[
            record("locks/a10.yml", "bdd", "true", true, 1.0),
            record("locks/a9.yml", "bdd", "false(unreach-call)", false, 3.0),
            record("locks/a9.yml", "x", "true", false, 3.0),
            record("loops/b.yml", "bdd", "unknown(timeout)", true, 60.0),
            record("loops/c.yml", "x", UNAVAILABLE, true, 0.1),
        ]);
        let names: Vec<_> = grid.rows.iter().map(|row| &row.task[..]).collect();
        assert_eq!(names, ["locks/a9.yml", "locks/a10.yml", "loops/b.yml", "loops/c.yml"]);
        let families = grid.families();
        assert_eq!(families.iter().map(|family| family.name).collect::<Vec<_>>(), ["locks", "loops"]);
        assert_eq!(families.iter().map(|family| family.rows.len()).collect::<Vec<_>>(), [2, 2]);
        assert_eq!(families[0].totals(0), grid.totals(0, |row| row.family == "locks"));
        let bdd = grid.totals(0, |_| true);
        assert_eq!((bdd.tasks, bdd.solved(), bdd.unknown, bdd.score), (3, 2, 1, 3));
        assert_eq!((bdd.cpu, bdd.cpu_mean, bdd.cpu_median, bdd.cpu_all), (4.0, Some(2.0), Some(2.0), 64.0));
        let other = grid.totals(1, |_| true);
        assert_eq!((other.wrong(), other.score, other.cpu_mean, other.is_unavailable()), (1, -32, None, false));
        assert!(grid.totals(1, |row| row.family == "loops").is_unavailable());
        assert_eq!(grid.rows[1].cells[1], None);
    }

    #[test]
    fn order_of_columns() {
        let run = |column: &str| record("locks/a.yml", column, "true", true, 1.0);
        let call = |columns: &[&str]| crate::record::Call {
            columns: columns.iter().map(|&c| c.to_owned()).collect(),
            ..Default::default()
        };
        let results = Results {
            calls: vec![call(&["x", "a"]), call(&["a", "c"])],
            records: ["new", "c", "a", "x"].map(run).to_vec(),
            damaged: 0,
        };
        let names: Vec<_> = Grid::of(&results).columns.into_iter().map(|head| head.name).collect();
        assert_eq!(names, ["x", "a", "c", "new"]);
    }

    #[test]
    fn repetitions() {
        let mut runs = vec![record("locks/a.yml", "bdd", "true", true, 1.0); 3];
        (runs[1].repeat, runs[1].cpu) = (1, 5.0);
        runs[2] = Record { repeat: 2, ..record("locks/a.yml", "bdd", "unknown(timeout)", true, 2.0) };
        let cell = Grid::new(&runs).rows[0].cells[0].clone().unwrap();
        assert_eq!((cell.category, cell.cpu, cell.runs, cell.unstable), (Category::Unknown, 2.0, 3, true));
        // The same run again, later: the later one counts.
        runs.push(Record { repeat: 2, ..record("locks/a.yml", "bdd", "true", true, 3.0) });
        let cell = Grid::new(&runs).rows[0].cells[0].clone().unwrap();
        assert_eq!((cell.category, cell.cpu, cell.runs, cell.unstable), (Category::Correct, 3.0, 3, false));
    }
}
