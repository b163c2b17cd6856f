//! How far it is: one live line on a terminal, a few plain lines elsewhere.

use crate::executor::Event;
use crate::judge::{Category, UNAVAILABLE};
use crate::live::LiveLine;
use crate::record::Record;
use crate::units;
use crate::work::Work;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::time::{Duration, Instant};

/// Counts and times so far.
#[derive(Debug)]
pub struct Progress {
    total: usize,
    done: usize,
    correct_true: usize,
    correct_false: usize,
    wrong: usize,
    unknown: usize,
    error: usize,
    missing: usize,
    jobs: usize,
    start: Instant,
    /// Per family and column, as these differ by orders of magnitude.
    groups: BTreeMap<(String, String), Group>,
}

#[derive(Default, Debug)]
struct Group {
    left: usize,
    done: usize,
    wall: f64,
}

impl Progress {
    /// Nothing is done yet.
    pub fn new(works: &[Work], parallel: usize) -> Self {
        let mut groups: BTreeMap<_, Group> = BTreeMap::new();
        for Work { record, .. } in works {
            groups.entry((record.family.clone(), record.column.clone())).or_default().left += 1;
        }
        Self {
            total: works.len(),
            done: 0,
            correct_true: 0,
            correct_false: 0,
            wrong: 0,
            unknown: 0,
            error: 0,
            missing: 0,
            jobs: parallel.max(1),
            start: Instant::now(),
            groups,
        }
    }

    /// Counts a finished run.
    pub fn count(&mut self, record: &Record) {
        self.done += 1;
        let count = match record.category {
            Category::Correct if record.status.starts_with("true") => &mut self.correct_true,
            Category::Correct => &mut self.correct_false,
            Category::Wrong => &mut self.wrong,
            Category::Unknown => &mut self.unknown,
            Category::Error => &mut self.error,
            Category::Missing => &mut self.missing,
        };
        *count += 1;
        let group = self.groups.entry((record.family.clone(), record.column.clone())).or_default();
        group.left = group.left.saturating_sub(1);
        group.done += 1;
        group.wall += record.wall;
    }

    /// How long the rest may take: runs of a family and column last as long as those that are done, or if none is, as
    /// those of the same column, or as any.
    pub fn remaining(&self) -> Option<Duration> {
        let mean = |keep: &dyn Fn(&(String, String)) -> bool| {
            let kept = || self.groups.iter().filter(|(key, _)| keep(key)).map(|(_, group)| group);
            let done: usize = kept().map(|group| group.done).sum();
            (done > 0).then(|| kept().map(|group| group.wall).sum::<f64>() / done as f64)
        };
        let any = mean(&|_| true)?;
        let open = self.groups.iter().filter(|(_, group)| group.left > 0);
        let seconds: f64 = open
            .map(|(key, group)| {
                let each = mean(&|k| k == key).or_else(|| mean(&|k| k.1 == key.1)).unwrap_or(any);
                group.left as f64 * each
            })
            .sum();
        Some(Duration::from_secs_f64(seconds / self.jobs as f64))
    }

    /// The counts: `12 true, 7 false, 0 wrong, …`.
    pub fn counts(&self) -> String {
        let Self { correct_true, correct_false, wrong, unknown, error, missing, .. } = self;
        let mut text =
            format!("{correct_true} true, {correct_false} false, {wrong} wrong, {unknown} unknown, {error} error");
        if *missing > 0 {
            let _ = write!(text, ", {missing} unjudged");
        }
        text
    }

    fn times(&self) -> String {
        let elapsed = units::span(self.start.elapsed());
        match self.remaining() {
            Some(remaining) if self.done < self.total => format!("{elapsed}, about {} left", units::span(remaining)),
            _ => elapsed,
        }
    }

    /// The live line, no wider than the terminal: counts first, the bar and the running task if there is room.
    pub fn line(&self, running: &str, width: usize) -> String {
        let core = format!("{}/{} · {} · {}", self.done, self.total, self.counts(), self.times());
        let room = width.saturating_sub(core.chars().count() + 4);
        let bar = room.min(24);
        let mut line = String::new();
        if bar >= 8 {
            let full = bar * self.done / self.total.max(1);
            let _ = write!(line, "[{}{}] ", "#".repeat(full), "·".repeat(bar - full));
        }
        line.push_str(&core);
        if room >= bar + 16 {
            let _ = write!(line, " · {}", running.rsplit('/').next().unwrap_or(running));
        }
        line.chars().take(width.saturating_sub(1)).collect()
    }
}

/// Writes the progress to standard error.
#[derive(Debug)]
pub struct Display {
    progress: Progress,
    live: LiveLine,
    verbose: bool,
    running: String,
    drawn: Option<Instant>,
    /// When a plain line is due again.
    due: Instant,
    /// Columns whose analysis the tool does not know: told once each.
    unavailable: BTreeSet<String>,
}

/// Time between the plain lines that replace the live one.
const PLAIN: Duration = Duration::from_secs(60);

impl Display {
    /// Starts at zero; `verbose` shows each finished run on a line of its own.
    pub fn new(works: &[Work], parallel: usize, verbose: bool) -> Self {
        Self {
            progress: Progress::new(works, parallel),
            live: LiveLine::new(),
            verbose,
            running: String::new(),
            drawn: None,
            due: Instant::now() + PLAIN,
            unavailable: BTreeSet::new(),
        }
    }

    /// Shows an event.
    pub fn show(&mut self, event: &Event<'_>) {
        match event {
            Event::Started(work) => self.running.clone_from(&work.record.task),
            Event::Finished(record) => {
                self.progress.count(record);
                if let Some(line) = self.remark(record) {
                    self.print(&line);
                }
            }
            // Where nothing runs right now, the last number is a better guess than none.
            Event::Parallel(jobs) => self.progress.jobs = if *jobs == 0 { self.progress.jobs } else { *jobs },
            Event::Note(text) => self.print(text),
            Event::Tick => {}
        }
        if self.live.is_terminal() {
            self.draw();
        } else if Instant::now() >= self.due {
            self.due += PLAIN;
            let (progress, times) = (&self.progress, self.progress.times());
            self.print(&format!("{}/{}: {}; {times}", progress.done, progress.total, progress.counts()));
        }
    }

    /// Removes the live line.
    pub fn finish(&mut self) {
        self.live.clear();
    }

    /// What deserves a line of its own: wrong answers and errors, everything if the user wants that.
    fn remark(&mut self, record: &Record) -> Option<String> {
        let Record { task, column, status, category, .. } = record;
        if status == UNAVAILABLE {
            let reason = record.message.as_deref().unwrap_or("the tool does not accept the command line");
            return self.unavailable.insert(column.clone()).then(|| format!("not available: {column}: {reason}"));
        }
        let figures = format!("{} s, {} MB", units::seconds(record.cpu), units::megabytes(record.memory));
        match category {
            Category::Wrong => Some(format!("WRONG: {column}: {task}: {status}, expected {}", record.expected)),
            Category::Error => {
                let detail = record.message.as_ref().map(|message| format!(": {message}")).unwrap_or_default();
                Some(format!("{column}: {task}: {status}{detail}"))
            }
            _ if self.verbose => Some(format!("{column}: {task}: {status}, {category}, {figures}")),
            _ => None,
        }
    }

    fn print(&mut self, line: &str) {
        self.live.print(line);
        self.drawn = None;
    }

    fn draw(&mut self) {
        if self.drawn.is_some_and(|at| at.elapsed() < Duration::from_millis(100)) {
            return;
        }
        self.drawn = Some(Instant::now());
        self.live.show(|width| self.progress.line(&self.running, width));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::tests::record;

    fn progress() -> Progress {
        let mut progress = Progress::new(&[], 2);
        progress.total = 10;
        let left = |left| Group { left, ..Group::default() };
        progress.groups.insert(("locks".to_owned(), "bdd".to_owned()), left(4));
        progress.groups.insert(("loops".to_owned(), "bdd".to_owned()), left(6));
        progress
    }

    #[test]
    fn estimates() {
        let mut progress = progress();
        assert_eq!(progress.remaining(), None);
        progress.count(&Record { wall: 2.0, ..record("locks/a.yml", "bdd", "true", true, 1.0) });
        // 3 more of 2 s, and 6 of a family of which nothing is known but the column; 2 at a time.
        assert_eq!(progress.remaining(), Some(Duration::from_secs(9)));
        progress.count(&Record { wall: 10.0, ..record("loops/a.yml", "bdd", "true", false, 1.0) });
        assert_eq!(progress.remaining(), Some(Duration::from_secs((3 * 2 + 5 * 10) / 2)));
        assert_eq!(progress.counts(), "1 true, 0 false, 1 wrong, 0 unknown, 0 error");
    }

    #[test]
    fn lines_fit() {
        let mut progress = progress();
        for index in 0..5 {
            progress.count(&record(&format!("locks/{index}.yml"), "bdd", "true", true, 1.0));
        }
        for width in 20..200 {
            assert!(progress.line("locks/a.yml", width).chars().count() < width);
        }
        let line = progress.line("locks/a.yml", 160);
        assert!(line.starts_with("[############············] 5/10 · 5 true"), "{line}");
        assert!(line.ends_with("left · a.yml"), "{line}");
    }
}
