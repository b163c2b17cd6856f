//! Results of one column in BenchExec's format, for `table-generator` and whatever else reads it. The order of the
//! elements is that of BenchExec's DTD: columns, system, runs.

use super::escape;
use crate::grid::{Cell, Grid, Row};
use crate::record::Results;
use crate::words;
use crate::work::log_name;
use std::fmt::Write as _;

/// The document of a column.
pub fn write(results: &Results, grid: &Grid, column: usize) -> String {
    let head = &grid.columns[column];
    let call = results.calls.last();
    let mut text = String::from(
        "<?xml version='1.0' encoding='utf-8'?>\n<!DOCTYPE result PUBLIC '+//IDN sosy-lab.org//DTD BenchExec result \
         3.0//EN' 'https://www.sosy-lab.org/benchexec/result-3.0.dtd'>\n",
    );
    let started = call.map_or("", |call| &call.started);
    let attributes = [
        ("benchmarkname", "robusto"),
        ("name", &head.name),
        ("displayName", &head.title),
        ("tool", "robusto"),
        ("version", &head.tools.join(", ")),
        ("date", started),
        ("starttime", started),
        ("options", &words::join(&head.args)),
        ("walltimelimit", &format!("{}s", head.time_limit)),
        ("memlimit", &format!("{}B", head.memory_limit)),
        ("generator", concat!("robusto bench ", env!("CARGO_PKG_VERSION"))),
    ];
    // BenchExec's `timelimit` is one of CPU time.
    let cpu_limit = head.cpu_limit.map(|limit| format!("{limit}s"));
    let attributes: Vec<_> = attributes.into_iter().chain(cpu_limit.as_deref().map(|l| ("timelimit", l))).collect();
    element(&mut text, "result", &attributes, false);
    text.push_str("  <columns>");
    for title in ["status", "category", "cputime", "walltime", "memory"] {
        let _ = write!(text, "<column title='{title}'/>");
    }
    text.push_str("</columns>\n");
    if let Some(host) = call.map(|call| &call.host) {
        text.push_str("  <systeminfo>");
        let _ = write!(text, "<os name='{}'/>", escape(&host.os));
        let _ = write!(text, "<cpu model='{}' cores='{}'/>", escape(&host.cpu), host.cores);
        let _ = writeln!(text, "<ram size='{}B'/></systeminfo>", host.memory);
    }
    for row in &grid.rows {
        if let Some(cell) = &row.cells[column] {
            run(&mut text, &head.name, row, cell);
        }
    }
    text.push_str("</result>\n");
    text
}

fn run(text: &mut String, column: &str, row: &Row, cell: &Cell) {
    let Row { task, property, expected, .. } = row;
    let expected = expected.to_string();
    let log = format!("logs/{}", log_name(column, task, 0));
    let files = format!("[{}]", row.files.join(", "));
    let mut attributes = vec![("name", &task[..]), ("files", &files), ("properties", property), ("logfile", &log)];
    if !expected.is_empty() {
        attributes.push(("expectedVerdict", &expected));
    }
    text.push_str("  ");
    element(text, "run", &attributes, false);
    for (title, value) in [
        ("status", cell.status.clone()),
        ("category", cell.category.to_string()),
        ("cputime", format!("{:.6}s", cell.cpu)),
        ("walltime", format!("{:.6}s", cell.wall)),
        ("memory", format!("{}B", cell.memory)),
    ] {
        text.push_str("    ");
        element(text, "column", &[("title", title), ("value", &value)], true);
    }
    text.push_str("  </run>\n");
}

fn element(text: &mut String, name: &str, attributes: &[(&str, &str)], empty: bool) {
    let _ = write!(text, "<{name}");
    for (key, value) in attributes {
        let _ = write!(text, " {key}='{}'", escape(value));
    }
    text.push_str(if empty { "/>\n" } else { ">\n" });
}
