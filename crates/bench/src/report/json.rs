//! Everything as one JSON document: calls, figures per column and family, runs.

use crate::grid::{Grid, Head, Totals};
use crate::record::{Call, Record, Results};
use serde::Serialize;
use std::io;

/// The format's name; it changes when a reader has to.
const FORMAT: &str = "robusto-bench 1";

#[derive(Serialize)]
struct Document<'a> {
    format: &'static str,
    calls: &'a [Call],
    columns: Vec<Column<'a>>,
    runs: &'a [Record],
}

#[derive(Serialize)]
struct Column<'a> {
    #[serde(flatten)]
    head: &'a Head,
    all: Totals,
    families: Vec<Family<'a>>,
}

#[derive(Serialize)]
struct Family<'a> {
    family: &'a str,
    #[serde(flatten)]
    totals: Totals,
}

/// The document.
pub fn write(results: &Results, grid: &Grid) -> io::Result<String> {
    let families = grid.families();
    let columns = grid.columns.iter().enumerate().map(|(index, head)| Column {
        head,
        all: grid.totals(index, |_| true),
        families: families.iter().map(|family| Family { family: family.name, totals: family.totals(index) }).collect(),
    });
    let document =
        Document { format: FORMAT, calls: &results.calls, columns: columns.collect(), runs: &results.records };
    let mut text = serde_json::to_string_pretty(&document)?;
    text.push('\n');
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::tests::record;

    #[test]
    fn readable() {
        let records = vec![record("locks/a.yml", "bdd", "true", true, 1.5)];
        let results = Results { calls: vec![Call::default()], records, damaged: 0 };
        let text = write(&results, &Grid::new(&results.records)).unwrap();
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(value["format"], FORMAT);
        assert_eq!(value["columns"][0]["name"], "bdd");
        assert_eq!(value["columns"][0]["all"]["correct_true"], 1);
        assert_eq!(value["columns"][0]["families"][0]["family"], "locks");
        assert_eq!(value["runs"][0]["status"], "true");
    }
}
