//! Witnesses as YAML.

use crate::format::{Claims, Content, Contract, Location, Metadata, Version, Waypoint, WaypointKind, Witness};
use std::fmt::Write as _;

/// A text in YAML's double quotes.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() => {
                let _ = write!(out, "\\u{:04x}", c as u32);
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// The witness as YAML.
pub fn render(witness: &Witness) -> String {
    let Metadata {
        format,
        uuid,
        creation_time,
        producer,
        version,
        command_line,
        input_files,
        specification,
        data_model,
    } = &witness.metadata;
    let mut out = String::new();
    let kind = match witness.content {
        Content::Correctness(_) => "invariant_set",
        Content::Violation(_) => "violation_sequence",
    };
    let _ = writeln!(
        out,
        "- entry_type: {kind}\n  metadata:\n    format_version: \"{}\"\n    uuid: {}",
        format.text(),
        quoted(uuid)
    );
    let _ = writeln!(out, "    creation_time: {}\n    producer:", quoted(creation_time));
    let _ = writeln!(out, "      name: {}\n      version: {}", quoted(producer), quoted(version));
    if let Some(command) = command_line {
        let _ = writeln!(out, "      command_line: {}", quoted(command));
    }
    let _ = writeln!(out, "    task:\n      input_files:");
    for (name, _) in input_files {
        let _ = writeln!(out, "        - {}", quoted(name));
    }
    let _ = writeln!(out, "      input_file_hashes:");
    for (name, hash) in input_files {
        let _ = writeln!(out, "        {}: {}", quoted(name), quoted(hash));
    }
    let _ = writeln!(out, "      specification: {}", quoted(specification));
    let _ = writeln!(out, "      data_model: {data_model}\n      language: C");
    match &witness.content {
        Content::Correctness(Claims { invariants, contracts, .. }) => {
            let is_empty = invariants.is_empty() && contracts.is_empty();
            out.push_str(if is_empty { "  content: []\n" } else { "  content:\n" });
            for invariant in invariants {
                let kind = if invariant.of_loop { "loop_invariant" } else { "location_invariant" };
                let _ = writeln!(out, "    - invariant:\n        type: {kind}");
                location(&mut out, &invariant.location, 8);
                let _ = writeln!(out, "        value: {}\n        format: c_expression", quoted(&invariant.value));
            }
            contracts.iter().for_each(|contract| render_contract(&mut out, contract, *format));
        }
        Content::Violation(segments) => {
            out.push_str("  content:\n");
            for segment in segments {
                out.push_str("    - segment:\n");
                for (waypoint, action) in
                    segment.avoid.iter().map(|w| (w, "avoid")).chain([(&segment.follow, "follow")])
                {
                    render_waypoint(&mut out, waypoint, action, *format);
                }
            }
        }
    }
    out
}

fn render_contract(out: &mut String, contract: &Contract, format: Version) {
    out.push_str("    - contract:\n        type: function_contract\n");
    location(out, &contract.location, 8);
    for (name, value) in [("requires", &contract.requires), ("ensures", &contract.ensures)] {
        if let Some(value) = value {
            let _ = writeln!(out, "        {name}: {}", quoted(value));
        }
    }
    let _ = writeln!(out, "        format: {}", format.of_results());
}

fn render_waypoint(out: &mut String, waypoint: &Waypoint, action: &str, format: Version) {
    let (kind, constraint) = match &waypoint.kind {
        WaypointKind::Assumption(value) => ("assumption", Some((quoted(value), Some("c_expression")))),
        WaypointKind::Branching(value) => ("branching", Some((value.clone(), None))),
        WaypointKind::FunctionEnter => ("function_enter", None),
        WaypointKind::FunctionReturn(value) => {
            ("function_return", value.as_ref().map(|v| (quoted(v), Some(format.of_results()))))
        }
        WaypointKind::Target => ("target", None),
    };
    let _ = writeln!(out, "        - waypoint:\n            type: {kind}\n            action: {action}");
    location(out, &waypoint.location, 12);
    if let Some((value, format)) = constraint {
        let _ = writeln!(out, "            constraint:\n              value: {value}");
        if let Some(format) = format {
            let _ = writeln!(out, "              format: {format}");
        }
    }
}

fn location(out: &mut String, location: &Location, indent: usize) {
    let _ = writeln!(out, "{:indent$}location:", "");
    let _ = writeln!(out, "{:indent$}  file_name: {}", "", quoted(&location.file));
    let _ = writeln!(out, "{:indent$}  line: {}", "", location.line);
    if let Some(column) = location.column {
        let _ = writeln!(out, "{:indent$}  column: {column}", "");
    }
    if let Some(function) = &location.function {
        let _ = writeln!(out, "{:indent$}  function: {function}", "");
    }
}
