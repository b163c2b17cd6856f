//! What changed between two results.

use crate::discover::natural;
use crate::grid::{Cell, Grid, Head, Row};
use crate::judge::Category;
use crate::units;
use std::collections::BTreeMap;
use std::fmt;

/// What difference in CPU time is one: both the ratio and the seconds have to be exceeded.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Noise {
    /// Ratio of the slower to the faster.
    pub ratio: f64,
    /// Seconds between them.
    pub seconds: f64,
}

impl Default for Noise {
    fn default() -> Self {
        Self { ratio: 1.5, seconds: 0.1 }
    }
}

/// A kind of change, the worst first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Change {
    /// Wrong now, not wrong before.
    NewWrong,
    /// Correct before; now neither correct nor wrong.
    Lost,
    /// Correct in both, and slower.
    Slower,
    /// Correct in both, and faster.
    Faster,
    /// Correct now; neither correct nor wrong before.
    Gained,
    /// Wrong before, not wrong now.
    FixedWrong,
    /// Wrong in both.
    StillWrong,
    /// Another status that is as good.
    Changed,
}

impl Change {
    /// What it is called.
    pub const fn title(self) -> &'static str {
        match self {
            Change::NewWrong => "new wrong answers",
            Change::Lost => "lost",
            Change::Slower => "slower",
            Change::Faster => "faster",
            Change::Gained => "gained",
            Change::FixedWrong => "no longer wrong",
            Change::StillWrong => "still wrong",
            Change::Changed => "changed",
        }
    }
}

/// A task that changed.
#[derive(Clone, PartialEq, Debug)]
pub struct Entry {
    /// The task.
    pub task: String,
    /// The column, or both if they differ: `bdd → impact`.
    pub column: String,
    /// Status before.
    pub before: String,
    /// Status now.
    pub after: String,
    /// CPU seconds before and now.
    pub cpu: (f64, f64),
}

/// The differences of two results.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Diff {
    /// The changes.
    pub entries: BTreeMap<Change, Vec<Entry>>,
    /// Runs in both.
    pub common: usize,
    /// Runs in the first only.
    pub only_before: usize,
    /// Runs in the second only.
    pub only_after: usize,
    /// Number and CPU seconds, before and now, of the tasks that are solved in both.
    pub solved: (usize, f64, f64),
    /// What makes the comparison questionable.
    pub remarks: Vec<String>,
}

/// Which columns to compare: those with the same name, or the named ones.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Columns {
    /// A column of the first results.
    pub before: Option<String>,
    /// A column of the second results.
    pub after: Option<String>,
}

impl Diff {
    /// Compares two results.
    pub fn new(before: &Grid, after: &Grid, columns: &Columns, noise: Noise) -> Result<Self, String> {
        let mut diff = Diff::default();
        for (old, new) in pairs(before, after, columns)? {
            diff.compare((before, old), (after, new), noise);
        }
        Ok(diff)
    }

    /// Whether something is wrong now or lost.
    pub fn is_regression(&self) -> bool {
        self.entries.contains_key(&Change::NewWrong) || self.entries.contains_key(&Change::Lost)
    }

    fn compare(&mut self, (before, old): (&Grid, usize), (after, new): (&Grid, usize), noise: Noise) {
        let heads = (&before.columns[old], &after.columns[new]);
        let names = (&heads.0.name, &heads.1.name);
        let column = if names.0 == names.1 { names.0.clone() } else { format!("{} → {}", names.0, names.1) };
        let limits = |head: &crate::grid::Head| {
            let cpu = head.cpu_limit.map_or(String::new(), |limit| format!("{limit}s of CPU time, "));
            format!("{cpu}{}s, {}", head.time_limit, units::size(head.memory_limit))
        };
        if limits(heads.0) != limits(heads.1) {
            self.remarks.push(format!("{column}: limits differ: {} → {}", limits(heads.0), limits(heads.1)));
        }
        let cells = |grid: &Grid, column: usize| -> BTreeMap<(String, String), (Row, Cell)> {
            let found = grid.rows.iter().filter_map(|row| Some((row, row.cells[column].clone()?)));
            found.map(|(row, cell)| ((row.task.clone(), row.property.clone()), (row.clone(), cell))).collect()
        };
        let (olds, mut news) = (cells(before, old), cells(after, new));
        for (key, (row, a)) in olds {
            let Some((_, b)) = news.remove(&key) else {
                self.only_before += 1;
                continue;
            };
            self.common += 1;
            if (a.category, b.category) == (Category::Correct, Category::Correct) {
                let (count, x, y) = self.solved;
                self.solved = (count + 1, x + a.cpu, y + b.cpu);
            }
            if let Some(change) = change(&a, &b, noise) {
                self.entries.entry(change).or_default().push(Entry {
                    task: row.task,
                    column: column.clone(),
                    before: a.status,
                    after: b.status,
                    cpu: (a.cpu, b.cpu),
                });
            }
        }
        self.only_after += news.len();
    }
}

/// Both results as one, for a page: the compared columns side by side, `before` and `after`.
pub fn together(before: &Grid, after: &Grid, columns: &Columns) -> Result<Grid, String> {
    let mut both = Grid::default();
    let mut rows: BTreeMap<(Vec<(String, u64)>, String, String), Row> = BTreeMap::new();
    let pairs = pairs(before, after, columns)?;
    for (number, &(old, new)) in pairs.iter().enumerate() {
        for (offset, (grid, column, when)) in [(before, old, "before"), (after, new, "after")].into_iter().enumerate() {
            let head = &grid.columns[column];
            let (name, title) = (format!("{} {when}", head.name), format!("{} {when}", head.title));
            both.columns.push(Head { name, title, ..head.clone() });
            for row in &grid.rows {
                let key = (natural(&row.task), row.task.clone(), row.property.clone());
                let empty = || Row { cells: vec![None; 2 * pairs.len()], ..row.clone() };
                let cell = &mut rows.entry(key).or_insert_with(empty).cells[2 * number + offset];
                *cell = row.cells[column].clone();
            }
        }
    }
    both.rows = rows.into_values().collect();
    Ok(both)
}

fn pairs(before: &Grid, after: &Grid, columns: &Columns) -> Result<Vec<(usize, usize)>, String> {
    let find = |grid: &Grid, name: &str| grid.columns.iter().position(|head| head.name == name);
    let names = |grid: &Grid| grid.columns.iter().map(|head| head.name.clone()).collect::<Vec<_>>().join(", ");
    let choose = |grid: &Grid, name: &Option<String>| match name {
        Some(name) => find(grid, name).map(|i| vec![i]).ok_or_else(|| format!("no preset '{name}' in {}", names(grid))),
        None => Ok((0..grid.columns.len()).collect()),
    };
    let (olds, news) = (choose(before, &columns.before)?, choose(after, &columns.after)?);
    // Two single columns are compared whatever their names.
    if let ([old], [new]) = (&olds[..], &news[..]) {
        return Ok(vec![(*old, *new)]);
    }
    let same = |&old: &usize| {
        let new = find(after, &before.columns[old].name).filter(|new| news.contains(new))?;
        Some((old, new))
    };
    let pairs: Vec<_> = olds.iter().filter_map(same).collect();
    if pairs.is_empty() {
        return Err(format!("no preset in common: {} against {}", names(before), names(after)));
    }
    Ok(pairs)
}

fn change(a: &Cell, b: &Cell, noise: Noise) -> Option<Change> {
    match (a.category, b.category) {
        (Category::Wrong, Category::Wrong) => Some(Change::StillWrong),
        (_, Category::Wrong) => Some(Change::NewWrong),
        (Category::Wrong, _) => Some(Change::FixedWrong),
        (Category::Correct, Category::Correct) => {
            let exceeds = |slow: f64, fast: f64| slow > fast * noise.ratio && slow - fast > noise.seconds;
            if exceeds(b.cpu, a.cpu) { Some(Change::Slower) } else { exceeds(a.cpu, b.cpu).then_some(Change::Faster) }
        }
        (Category::Correct, _) => Some(Change::Lost),
        (_, Category::Correct) => Some(Change::Gained),
        _ => (a.status != b.status).then_some(Change::Changed),
    }
}

impl fmt::Display for Diff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for remark in &self.remarks {
            writeln!(f, "note: {remark}")?;
        }
        for (change, entries) in &self.entries {
            writeln!(f, "{}: {}", change.title(), entries.len())?;
            let mut entries: Vec<&Entry> = entries.iter().collect();
            if matches!(change, Change::Slower | Change::Faster) {
                let factor = |entry: &Entry| (entry.cpu.1 / entry.cpu.0.max(1e-6)).ln().abs();
                entries.sort_by(|x, y| factor(y).total_cmp(&factor(x)));
            }
            for Entry { task, column, before, after, cpu: (a, b) } in entries {
                let (x, y) = (units::seconds(*a), units::seconds(*b));
                if matches!(change, Change::Slower | Change::Faster) {
                    writeln!(f, "  {column}: {task}: {x} s → {y} s (× {:.2})", b / a.max(1e-6))?;
                } else {
                    writeln!(f, "  {column}: {task}: {before} ({x} s) → {after} ({y} s)")?;
                }
            }
        }
        let (count, a, b) = self.solved;
        write!(f, "{} in common", self.common)?;
        if self.only_before + self.only_after > 0 {
            write!(f, ", {} only in the first, {} only in the second", self.only_before, self.only_after)?;
        }
        write!(f, "; {count} solved in both")?;
        if count > 0 && a > 0.0 {
            write!(f, ": {} s → {} s CPU (× {:.2})", units::seconds(a), units::seconds(b), b / a)?;
        }
        writeln!(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::tests::record;

    fn grid(runs: &[(&str, f64)]) -> Grid {
        let record = |(i, (status, cpu)): (usize, &(&str, f64))| record(&format!("l/{i}.yml"), "x", status, true, *cpu);
        Grid::new(&runs.iter().enumerate().map(record).collect::<Vec<_>>())
    }

    fn check(before: (&str, f64), after: (&str, f64), expected: Option<Change>, regression: bool) {
        let diff = Diff::new(&grid(&[before]), &grid(&[after]), &Columns::default(), Noise::default()).unwrap();
        assert_eq!(diff.entries.keys().next().copied(), expected, "{before:?} {after:?}");
        assert_eq!(diff.is_regression(), regression, "{before:?} {after:?}");
    }

    #[test]
    fn changes() {
        let wrong = "false(unreach-call)";
        check(("true", 1.0), ("true", 1.4), None, false);
        check(("true", 1.0), ("true", 1.6), Some(Change::Slower), false);
        check(("true", 1.6), ("true", 1.0), Some(Change::Faster), false);
        check(("true", 0.001), ("true", 0.09), None, false);
        check(("true", 1.0), ("unknown(timeout)", 60.0), Some(Change::Lost), true);
        check(("true", 1.0), ("error(internal error)", 60.0), Some(Change::Lost), true);
        check(("true", 1.0), (wrong, 1.0), Some(Change::NewWrong), true);
        check(("unknown", 1.0), (wrong, 1.0), Some(Change::NewWrong), true);
        check((wrong, 1.0), (wrong, 1.0), Some(Change::StillWrong), false);
        check((wrong, 1.0), ("true", 1.0), Some(Change::FixedWrong), false);
        check(("unknown(memory)", 1.0), ("true", 1.0), Some(Change::Gained), false);
        check(("unknown(memory)", 1.0), ("unknown(timeout)", 1.0), Some(Change::Changed), false);
        check(("unknown(memory)", 1.0), ("unknown(memory)", 9.0), None, false);
    }

    #[test]
    fn text() {
        let before = grid(&[("true", 1.0), ("true", 2.0), ("true", 1.0), ("unknown(timeout)", 60.0)]);
        let after = grid(&[("true", 3.0), ("unknown(timeout)", 60.0), ("true", 8.0)]);
        let diff = Diff::new(&before, &after, &Columns::default(), Noise::default()).unwrap();
        let expected = "\
lost: 1
  x: l/1.yml: true (2.00 s) → unknown(timeout) (60.0 s)
slower: 2
  x: l/2.yml: 1.00 s → 8.00 s (× 8.00)
  x: l/0.yml: 1.00 s → 3.00 s (× 3.00)
3 in common, 1 only in the first, 0 only in the second; 2 solved in both: 2.00 s → 11.0 s CPU (× 5.50)
";
        assert_eq!(diff.to_string(), expected);
    }

    #[test]
    fn columns() {
        let run = |column: &str| record("l/a.yml", column, "true", true, 1.0);
        let (one, two) = (Grid::new(&[run("x")]), Grid::new(&[run("y"), run("z")]));
        let compare = |a: &Grid, b: &Grid, before: Option<&str>, after: Option<&str>| {
            let columns = Columns { before: before.map(str::to_owned), after: after.map(str::to_owned) };
            Diff::new(a, b, &columns, Noise::default()).map(|diff| diff.common)
        };
        assert!(compare(&one, &two, None, None).unwrap_err().contains("no preset in common: x against y, z"));
        assert!(compare(&one, &two, None, Some("w")).is_err());
        assert_eq!(compare(&one, &two, None, Some("z")), Ok(1));
        assert_eq!(compare(&two, &two, None, None), Ok(2));
        assert_eq!(compare(&two, &two, Some("y"), Some("z")), Ok(1));
    }
}
