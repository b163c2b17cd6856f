//! The difference of two results as a page: what changed first, then figures, plots and tasks of both side by side.

use super::links::Links;
use super::{escape, html};
use crate::diff::{Change, Diff, Entry};
use crate::grid::Grid;
use crate::units;
use std::fmt::Write as _;

/// The page; `grid` has the columns of both results side by side ([`crate::diff::together`]).
pub fn page(diff: &Diff, grid: &Grid) -> String {
    let mut page = html::start(&format!("Robusto bench: {} changes", count(diff)));
    let _ = writeln!(
        page,
        "<header>\n<h1>Robusto bench: before and after</h1>\n<p class=\"facts\"><span>{}</span></p>",
        escape(diff.to_string().lines().last().unwrap_or(""))
    );
    page.push_str("</header>\n");
    for remark in &diff.remarks {
        let _ = writeln!(page, "<section class=\"alarm\"><p>{}</p></section>", escape(remark));
    }
    page.push_str("<section>\n<h2>Changes</h2>\n");
    if diff.entries.is_empty() {
        page.push_str("<p class=\"empty\">Nothing changed.</p>\n");
    }
    for (change, entries) in &diff.entries {
        changes(&mut page, grid, *change, entries);
    }
    page.push_str("</section>\n");
    html::body(&mut page, grid, &Links::default());
    html::end(page)
}

fn count(diff: &Diff) -> usize {
    diff.entries.values().map(Vec::len).sum()
}

fn changes(page: &mut String, grid: &Grid, change: Change, entries: &[Entry]) {
    let alarming = matches!(change, Change::NewWrong | Change::Lost);
    let class = if alarming { "changes bad" } else { "changes" };
    let open = if alarming || entries.len() <= 20 { " open=\"open\"" } else { "" };
    let _ = writeln!(
        page,
        "<details class=\"{class}\"{open}><summary>{}: {}</summary>\n<div class=\"scroll\"><table class=\"changed\"><tbody>",
        change.title(),
        entries.len()
    );
    for Entry { task, column, before, after, cpu: (a, b) } in entries {
        let row = grid.rows.iter().position(|row| row.task == *task);
        let name = match row {
            Some(row) => format!("<a href=\"#t{row}\">{}</a>", escape(task)),
            None => escape(task).into_owned(),
        };
        let _ = writeln!(
            page,
            "<tr><td>{name}</td><td>{}</td><td>{} → {}</td><td>{} s → {} s</td><td>× {:.2}</td></tr>",
            escape(column),
            escape(before),
            escape(after),
            units::seconds(*a),
            units::seconds(*b),
            b / a.max(1e-6)
        );
    }
    page.push_str("</tbody></table></div></details>\n");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diff::{Columns, Noise, together};
    use crate::record::tests::record;

    #[test]
    fn changes_lead_to_their_tasks() {
        let run = |task: &str, status: &str| record(task, "x", status, true, 1.0);
        let before = Grid::new(&[run("l/a.yml", "true"), run("l/<b>.yml", "true")]);
        let after = Grid::new(&[run("l/a.yml", "true"), run("l/<b>.yml", "unknown(timeout)")]);
        let diff = Diff::new(&before, &after, &Columns::default(), Noise::default()).unwrap();
        let grid = together(&before, &after, &Columns::default()).unwrap();
        assert_eq!(grid.columns.iter().map(|c| &c.name[..]).collect::<Vec<_>>(), ["x before", "x after"]);
        assert!(grid.rows.iter().all(|row| row.cells.iter().all(Option::is_some)));
        let page = page(&diff, &grid);
        assert!(
            page.contains("lost: 1") && page.contains("l/&lt;b&gt;.yml</a>") && !page.contains("<b>.yml"),
            "{page}"
        );
    }
}
