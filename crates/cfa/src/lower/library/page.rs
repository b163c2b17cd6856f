//! The table of library functions for people.

use super::table::{By, Entry, Treatment, entries};
use crate::ir::Granted;
use crate::lower::{attributes, builtins};
use std::fmt::Write as _;

/// Entries of one header with the same treatment, note and place, in the order of the table.
fn groups() -> Vec<(&'static str, Vec<&'static Entry>)> {
    let mut headers: Vec<(&str, Vec<&Entry>)> = Vec::new();
    for entry in entries() {
        match headers.iter_mut().find(|(header, _)| *header == entry.header) {
            Some((_, list)) => list.push(entry),
            None => headers.push((entry.header, vec![entry])),
        }
    }
    headers.sort_by_key(|(header, _)| *header);
    headers
}

/// Where an entry is modelled, in a few words.
fn place(entry: &Entry) -> String {
    match entry.by {
        By::Lowering => "edges of its own".into(),
        By::Model { file, .. } => format!("models/{file}"),
        By::Interpreter => "interpreter".into(),
        By::Effects([], _) => "result only".into(),
        By::Effects(..) => "result and arguments".into(),
        By::Same(name, ..) => format!("as {name}"),
        By::Outside => "`--extern`".into(),
        By::Nothing => String::new(),
    }
}

/// Rows: names, treatment, place, note.
fn rows(entries: &[&'static Entry]) -> Vec<(Vec<&'static str>, &'static str, String, &'static str)> {
    let mut rows: Vec<(Vec<&str>, &str, String, &str)> = Vec::new();
    for entry in entries {
        let (treatment, place) = (entry.treatment.name(), place(entry));
        match rows.iter_mut().find(|row| (row.1, &row.2, row.3) == (treatment, &place, entry.note)) {
            Some(row) => row.0.push(entry.name),
            None => rows.push((vec![entry.name], treatment, place, entry.note)),
        }
    }
    rows
}

fn counts() -> [(usize, Treatment); 3] {
    [Treatment::Exact, Treatment::Over, Treatment::Unsupported]
        .map(|treatment| (entries().iter().filter(|entry| entry.treatment == treatment).count(), treatment))
}

const MEANING: &str = "\
exact        it does and returns what the standard says
over         what it does in reality is among what it may do here
unsupported  a call that is reached makes the verdict unknown
";

/// The table as plain text.
pub fn text() -> String {
    let mut out = String::from("Library functions, by header\n\n");
    out.push_str(MEANING);
    out.push_str(
        "\nFunctions that the program defines itself mean what it says. docs/library.md has the same table.\n",
    );
    for (header, entries) in groups() {
        let _ = writeln!(out, "\n{header}");
        for (names, treatment, place, note) in rows(&entries) {
            let about: Vec<&str> = [treatment, &place, note].into_iter().filter(|text| !text.is_empty()).collect();
            paragraph(&mut out, &about.join("; "), names);
        }
    }
    out.push_str("\nAttributes\n");
    for row in attributes::ROWS {
        paragraph(&mut out, &joined(row.effect.name(), row.note), row.names.split_ascii_whitespace());
    }
    out.push_str("\nBuiltins\n");
    for (about, row) in builtins::table::ROWS.iter().map(|row| (row.about, row)) {
        let about = format!("{}, {about}", joined(row.treatment.name(), row.note));
        paragraph(&mut out, &about, row.names.split_ascii_whitespace());
    }
    out.push_str("\nAssumptions that a verdict can list, and when\n");
    for (kind, when) in Granted::all() {
        let _ = writeln!(out, "  {kind}\n      {when}");
    }
    out
}

fn joined(treatment: &str, note: &str) -> String {
    if note.is_empty() { treatment.to_owned() } else { format!("{treatment}; {note}") }
}

/// A heading and names below it, in lines.
fn paragraph<'n>(out: &mut String, heading: &str, names: impl IntoIterator<Item = &'n str>) {
    let _ = writeln!(out, "  {heading}");
    let mut line = String::new();
    for name in names {
        if line.len() + name.len() > 96 {
            let _ = writeln!(out, "     {line}");
            line.clear();
        }
        let _ = write!(line, " {name}");
    }
    let _ = writeln!(out, "     {line}");
}

/// The table as a page of the documentation.
pub fn page() -> String {
    let mut out = String::from(
        "# Library functions\n\n<!-- Written by `robusto help library --markdown`; a test compares. -->\n\n\
         What a call of a function of the standard headers means where the program does not define it.\n\n\
         | treatment | functions | meaning |\n|---|---|---|\n",
    );
    for (count, treatment) in counts() {
        let meaning = MEANING.lines().find_map(|line| line.strip_prefix(treatment.name())).unwrap_or("").trim();
        let _ = writeln!(out, "| {} | {count} | {meaning} |", treatment.name());
    }
    for (header, entries) in groups() {
        let _ = writeln!(out, "\n## {header}\n\n| functions | treatment | modelled by | note |\n|---|---|---|---|");
        for (names, treatment, place, note) in rows(&entries) {
            let _ = writeln!(out, "| {} | {treatment} | {place} | {note} |", quoted(names));
        }
    }
    attributes_page(&mut out);
    builtins_page(&mut out);
    assumptions_page(&mut out);
    out
}

fn quoted<'n>(names: impl IntoIterator<Item = &'n str>) -> String {
    names.into_iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" ")
}

fn attributes_page(out: &mut String) {
    out.push_str(
        "\n# Attributes\n\nAn attribute that is not here has no effect, which is listed as an assumption. One that is \
         unsupported makes the verdict unknown.\n\n| attributes | treatment | note |\n|---|---|---|\n",
    );
    for row in attributes::ROWS {
        let names = quoted(row.names.split_ascii_whitespace());
        let _ = writeln!(out, "| {names} | {} | {} |", row.effect.name(), row.note);
    }
}

fn builtins_page(out: &mut String) {
    out.push_str(
        "\n# Builtins\n\n`{a,b}` stands for `a` or `b`. `__builtin_f` of a library function `f` means `f`; a call of any other \
         builtin that is not here is unsupported.\n\n| builtins | about | treatment | note |\n|---|---|---|---|\n",
    );
    for row in builtins::table::ROWS {
        let names = quoted(row.names.split_ascii_whitespace());
        let _ = writeln!(out, "| {names} | {} | {} | {} |", row.about, row.treatment.name(), row.note);
    }
}

fn assumptions_page(out: &mut String) {
    out.push_str(
        "\n# Assumptions\n\nWhat a verdict can take for granted; each one is listed with the verdict, once, with its first \
         place.\n\n| assumption | listed when |\n|---|---|\n",
    );
    for (kind, when) in Granted::all() {
        let _ = writeln!(out, "| {kind} | {when} |");
    }
}
