//! A counterexample's path for people: source lines with the values that matter, iterations folded.
//!
//! Three passes. [`fold`] cuts loops with many iterations down to the first and the last one; [`rows`] joins the steps of
//! a source line; [`write()`] prints the rows, those of a called function indented below the call.

use crate::source::Sources;
use crate::style::Style;
use robusto_verdict::{Place, StepKind, Target, TraceLine, Violation};
use std::fmt::Write as _;

/// A loop with fewer iterations is shown in full.
const FOLDED: usize = 4;
/// Variables named where iterations are left out.
const SUMMARISED: usize = 4;
/// Rows before the middle of the path is left out.
const MOST_ROWS: usize = 60;
/// Widest source text; the notes stand behind it.
const WIDEST: usize = 56;

/// A step, or what stands for several.
enum Item<'t> {
    Step(&'t TraceLine),
    Fold { iterations: usize, at: &'t TraceLine, changes: Vec<(String, String)> },
}

/// A line of the printed path.
struct Row {
    pos: Place,
    depth: usize,
    function: String,
    /// Instead of a source line.
    text: Option<String>,
    notes: Vec<(String, String)>,
    /// Truth of the only branch.
    branches: Vec<bool>,
    input: bool,
    uninitialised: bool,
    /// What is undefined in C.
    undefined: Option<String>,
    error: bool,
}

/// Prints the path.
pub(crate) fn write(out: &mut String, trace: &[TraceLine], target: &Target, sources: &Sources, style: Style) {
    let mut items = Vec::new();
    fold(trace, &mut items);
    let mut rows = rows(&items, sources);
    if rows.is_empty() {
        return;
    }
    let _ = writeln!(out, "path:{}", style.dim(&format!("  ({} steps; `--trace full` shows all)", trace.len())));
    let error = target.pos;
    // A check of arithmetic is no branch that the user wrote.
    let arithmetic = matches!(target.kind, Some(Violation::Overflow | Violation::DivByZero));
    if let Some(last) = rows.last_mut().filter(|row| (row.pos.file, row.pos.line) == (error.file, error.line)) {
        last.error = true;
        if arithmetic {
            last.branches.clear();
        }
    }
    let width = rows.iter().map(|r| r.source(sources).chars().count()).max().unwrap_or(0).min(WIDEST);
    let home = rows.last().map(|r| r.pos.file);
    let (mut depth, mut function) = (usize::MAX, String::new());
    let cut = rows.len() > MOST_ROWS + 10;
    for (i, row) in rows.iter().enumerate() {
        if cut && i == MOST_ROWS / 3 {
            let left = rows.len() - MOST_ROWS;
            let _ = writeln!(out, "  {}", style.dim(&format!("… {left} more lines")));
        }
        if cut && i >= MOST_ROWS / 3 && i < rows.len() - MOST_ROWS * 2 / 3 {
            continue;
        }
        let indent = 2 + 2 * row.depth.min(12);
        if (row.depth, &row.function) != (depth, &function) {
            (depth, function) = (row.depth, row.function.clone());
            let _ = writeln!(out, "{:indent$}{}", "", style.bold(&format!("{function}:")));
        }
        row.write(out, indent + 2, width, home, sources, style);
    }
    if rows.last().is_some_and(|row| !row.error)
        && let Some(line) = sources.line(error)
    {
        let indent = 4 + 2 * depth.min(12);
        let row = format!("{:indent$}{:>4}  {:<width$}  ", "", error.line, line.trim());
        let _ = writeln!(out, "{row}{}", style.bad("← error"));
    }
}

impl Row {
    fn source(&self, sources: &Sources) -> String {
        if let Some(text) = &self.text {
            return text.clone();
        }
        sources.line(self.pos).map_or(String::new(), |line| line.trim().to_owned())
    }

    fn write(&self, out: &mut String, indent: usize, width: usize, home: Option<u16>, sources: &Sources, style: Style) {
        let text = self.source(sources);
        if self.text.is_some() {
            let _ = writeln!(out, "{:indent$}{}", "", style.dim(&text));
            return;
        }
        let file = match sources.name(self.pos) {
            Some(name) if home != Some(self.pos.file) => format!("{}:", name.rsplit('/').next().unwrap_or(name)),
            _ => String::new(),
        };
        let shown: String = if text.chars().count() > width {
            text.chars().take(width.saturating_sub(1)).chain(['…']).collect()
        } else {
            text
        };
        let mut notes: Vec<String> = self.notes.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        if self.input {
            notes.push("(input)".to_owned());
        }
        if self.uninitialised {
            notes.push("(uninitialised)".to_owned());
        }
        if let Some(what) = &self.undefined {
            notes.push(format!("(undefined: {what})"));
        }
        if let [truth] = self.branches[..] {
            notes.push(format!("→ {truth}"));
        }
        let notes = notes.join(", ").replace(", (", "  (").replace(", →", "  →");
        let row = format!("{:indent$}{file}{:>4}  {shown:<width$}  ", "", self.pos.line);
        let error = if self.error { style.bad("  ← error") } else { String::new() };
        let row = format!("{row}{}{error}", style.value(&notes));
        let _ = writeln!(out, "{}", row.trim_end());
    }
}

/// Replaces iterations in the middle of a loop.
fn fold<'t>(trace: &'t [TraceLine], out: &mut Vec<Item<'t>>) {
    let mut i = 0;
    while i < trace.len() {
        let step = &trace[i];
        let Some(head) = step.head else {
            out.push(Item::Step(step));
            i += 1;
            continue;
        };
        let marks = iterations(&trace[i..], head, step.depth);
        if marks.len() < FOLDED {
            out.push(Item::Step(step));
            i += 1;
            continue;
        }
        let (second, last) = (i + marks[1], i + marks[marks.len() - 1]);
        out.push(Item::Step(step));
        fold(&trace[i + 1..second], out);
        let changes = last_changes(&trace[second..last]);
        out.push(Item::Fold { iterations: marks.len() - 2, at: &trace[second], changes });
        out.push(Item::Step(&trace[last]));
        i = last + 1;
    }
}

/// Where the iterations of a loop start, the first one at 0, until its function returns.
fn iterations(trace: &[TraceLine], head: u32, depth: usize) -> Vec<usize> {
    let inside = trace.iter().take_while(|s| s.depth >= depth).enumerate();
    inside.filter(|(_, s)| s.depth == depth && s.head == Some(head)).map(|(i, _)| i).collect()
}

/// The last values of the variables that matter.
fn last_changes(trace: &[TraceLine]) -> Vec<(String, String)> {
    let mut changes: Vec<(String, String)> = Vec::new();
    for step in trace.iter().filter(|s| s.matters && s.kind != StepKind::Input) {
        let stored = step.memory.as_ref().map(|stored| (stored.name.clone(), stored.value.clone()));
        if let Some((name, value)) = step.change.as_ref().or(stored.as_ref()) {
            match changes.iter_mut().find(|(known, _)| known == name) {
                Some(known) => known.1.clone_from(value),
                None => changes.push((name.clone(), value.clone())),
            }
        }
    }
    changes.truncate(SUMMARISED);
    changes
}

/// Joins what belongs to one source line.
fn rows(items: &[Item<'_>], sources: &Sources) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    for item in items {
        let step = match item {
            Item::Fold { iterations, at, changes } => {
                let values: Vec<String> = changes.iter().map(|(name, value)| format!("{name} = {value}")).collect();
                let values = if values.is_empty() { String::new() } else { format!(", then {}", values.join(", ")) };
                let text = format!("… {iterations} more iterations{values}");
                rows.push(Row::new(at, Some(text)));
                continue;
            }
            Item::Step(step) => *step,
        };
        let visible = step.matters || step.kind == StepKind::Call;
        if !visible || sources.is_builtin(step.pos) {
            continue;
        }
        let joins = rows.last().is_some_and(|row| {
            row.text.is_none()
                && (row.pos.file, row.pos.line, row.depth) == (step.pos.file, step.pos.line, step.depth)
                && step.head.is_none()
        });
        if !joins {
            rows.push(Row::new(step, None));
        }
        if let Some(row) = rows.last_mut() {
            row.note(step, sources);
        }
    }
    rows
}

/// Whether a condition stands behind an odd number of `!`; the automaton branches on what is behind them.
fn is_negated(pos: Place, sources: &Sources) -> bool {
    let Some(line) = sources.line(pos) else { return false };
    let before: Vec<char> = line.chars().take(usize::from(pos.column).saturating_sub(1)).collect();
    let prefix = before.iter().rev().take_while(|c| c.is_whitespace() || matches!(c, '(' | '!'));
    prefix.filter(|c| **c == '!').count() % 2 == 1
}

impl Row {
    fn new(step: &TraceLine, text: Option<String>) -> Self {
        Self {
            pos: step.pos,
            depth: step.depth,
            function: step.function.clone(),
            text,
            notes: Vec::new(),
            branches: Vec::new(),
            input: false,
            uninitialised: false,
            undefined: None,
            error: false,
        }
    }

    fn note(&mut self, step: &TraceLine, sources: &Sources) {
        match step.kind {
            StepKind::Input => self.input = true,
            StepKind::Uninitialised => self.uninitialised = true,
            StepKind::Undefined => self.undefined = Some(step.operation.clone()),
            StepKind::Branch(truth) => self.branches.push(truth != is_negated(step.pos, sources)),
            StepKind::Call | StepKind::Return | StepKind::Error | StepKind::Other => {}
        }
        let change = step.change.as_ref().filter(|_| matches!(step.kind, StepKind::Other | StepKind::Uninitialised));
        let stored = step.memory.as_ref().filter(|_| step.kind == StepKind::Other);
        let stored = stored.map(|stored| (stored.name.clone(), stored.value.clone()));
        for (name, value) in change.into_iter().chain(&stored).chain(&step.reads) {
            match self.notes.iter_mut().find(|(known, _)| known == name) {
                Some(known) => known.1.clone_from(value),
                None => self.notes.push((name.clone(), value.clone())),
            }
        }
    }
}
