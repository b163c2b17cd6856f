//! Everything on one page: figures per column and family, the quantile plot, all tasks. The page needs nothing but
//! itself, reads well without JavaScript, and in light and dark.

use super::links::Links;
use super::{escape, plot};
use crate::grid::{Cell, Grid, Head, Row, Totals};
use crate::judge::Category;
use crate::record::Results;
use crate::{units, words};
use std::collections::BTreeSet;
use std::fmt::Write as _;

const CSS: &str = include_str!("page.css");
const JS: [&str; 2] = [include_str!("page.js"), include_str!("scatter.js")];

/// The page.
pub fn page(results: &Results, grid: &Grid, links: &Links) -> String {
    let mut page = start(&format!("Robusto bench: {} tasks", grid.rows.len()));
    header(&mut page, results, grid);
    wrong_answers(&mut page, grid);
    body(&mut page, grid, links);
    end(page)
}

/// The start of a page.
pub fn start(title: &str) -> String {
    let mut page = String::with_capacity(64 << 10);
    page.push_str("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n");
    page.push_str("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n");
    let _ = write!(page, "<title>{}</title>\n<style>\n{CSS}</style>\n</head>\n<body>\n", escape(title));
    page
}

/// The end of a page.
pub fn end(mut page: String) -> String {
    page.push_str("<div id=\"tip\" hidden=\"hidden\"></div>\n<script>\n");
    page.extend(JS);
    page.push_str("</script>\n</body>\n</html>\n");
    page
}

/// Figures, plots, all tasks.
pub fn body(page: &mut String, grid: &Grid, links: &Links) {
    summary(page, grid);
    plots(page, grid);
    scatter(page, grid);
    families(page, grid);
    tasks(page, grid, links);
    columns(page, grid);
}

fn header(page: &mut String, results: &Results, grid: &Grid) {
    let properties: BTreeSet<&str> = grid.rows.iter().map(|row| &row.property[..]).collect();
    let mut facts = vec![
        format!("{} tasks", grid.rows.len()),
        properties.into_iter().collect::<Vec<_>>().join(", "),
        distinct(grid, |head| {
            let cpu = head.cpu_limit.map_or(String::new(), |limit| format!("{limit} s of CPU time, "));
            format!("{cpu}{} s", head.time_limit)
        }),
        distinct(grid, |head| units::size(head.memory_limit).replace("GB", " GB").replace("MB", " MB")),
    ];
    if let Some(call) = results.calls.last() {
        let host = &call.host;
        if let Some(executor) = &call.executor {
            facts.push(format!("on a cluster ({executor}), started from"));
        }
        if call.jobs > 0 {
            facts.push(format!("{} at a time", call.jobs));
        }
        facts.push(host.cpu.clone());
        facts.push(format!("{} cores, {:.0} GB", host.cores, host.memory as f64 / 1e9));
        facts.push(host.os.clone());
        facts.push(call.started.replace('T', " ").replace('Z', " UTC"));
    }
    page.push_str("<header>\n<h1>Robusto bench</h1>\n<p class=\"facts\">");
    for fact in facts.iter().filter(|fact| !fact.is_empty()) {
        let _ = write!(page, "<span>{}</span>", escape(fact));
    }
    page.push_str("</p>\n</header>\n");
}

fn distinct(grid: &Grid, value: impl Fn(&Head) -> String) -> String {
    let values: BTreeSet<String> = grid.columns.iter().map(value).collect();
    values.into_iter().collect::<Vec<_>>().join(", ")
}

/// Wrong answers come first: nothing else on the page matters as much.
fn wrong_answers(page: &mut String, grid: &Grid) {
    let mut list = String::new();
    let mut count = 0;
    for row in &grid.rows {
        for (cell, head) in row.cells.iter().zip(&grid.columns) {
            if let Some(cell) = cell.as_ref().filter(|cell| cell.category == Category::Wrong) {
                count += 1;
                let _ = write!(
                    list,
                    "<li><b>{}</b> {}: {}, expected {}</li>",
                    escape(&head.name),
                    escape(&row.task),
                    escape(&cell.status),
                    escape(&row.expected.to_string())
                );
            }
        }
    }
    if count > 0 {
        let answers = if count == 1 { "answer" } else { "answers" };
        let _ = writeln!(page, "<section class=\"alarm\"><h2>{count} wrong {answers}</h2><ul>{list}</ul></section>");
    }
}

const FIGURES: &str = "<th>Results</th><th>Tasks</th><th>Solved</th><th>True</th><th>False</th><th>Wrong</th>\
    <th>Unknown</th><th>Error</th><th title=\"CPU seconds of the correct answers\">CPU s</th><th>Mean</th><th>Median</th>\
    <th title=\"Peak memory of the correct answers\">Max MB</th><th title=\"SV-COMP: true +2, false +1, wrong false −16, \
    wrong true −32\">Score</th>";

fn summary(page: &mut String, grid: &Grid) {
    page.push_str("<section>\n<h2>Summary <span class=\"key\">");
    for class in ["true", "false", "unknown", "error", "wrong"] {
        let _ = write!(page, "<i class=\"{class}\"></i>{class}");
    }
    page.push_str("</span></h2>\n<div class=\"scroll\"><table class=\"figures\">\n<thead><tr><th>Preset</th>");
    let _ = writeln!(page, "{FIGURES}</tr></thead>\n<tbody>");
    for (index, head) in grid.columns.iter().enumerate() {
        let _ = write!(page, "<tr>{}", column_name(index, head));
        figures(page, &grid.totals(index, |_| true));
    }
    page.push_str("</tbody></table></div>\n</section>\n");
}

fn families(page: &mut String, grid: &Grid) {
    page.push_str(
        "<section>\n<h2>By family</h2>\n<div class=\"scroll\"><table class=\"figures families\">\n<thead><tr>",
    );
    let _ = writeln!(page, "<th>Family</th><th>Preset</th>{FIGURES}</tr></thead>");
    for family in grid.families() {
        page.push_str("<tbody>\n");
        for (index, head) in grid.columns.iter().enumerate() {
            page.push_str("<tr>");
            if index == 0 {
                let _ = write!(page, "<th rowspan=\"{}\">{}</th>", grid.columns.len(), escape(family.name));
            }
            page.push_str(&column_name(index, head));
            figures(page, &family.totals(index));
        }
        page.push_str("</tbody>\n");
    }
    page.push_str("</table></div>\n</section>\n");
}

fn column_name(index: usize, head: &Head) -> String {
    format!(
        "<td class=\"name s{}\" title=\"{}\"><i></i>{}</td>",
        index % plot::COLOURS,
        escape(&head.title),
        escape(&head.name)
    )
}

/// The cells of a line of figures, and its end.
fn figures(page: &mut String, totals: &Totals) {
    if totals.tasks == 0 || totals.is_unavailable() {
        let reason = if totals.tasks == 0 { "not run" } else { "not available" };
        let _ = writeln!(page, "<td class=\"none\" colspan=\"13\">{reason}</td></tr>");
        return;
    }
    let parts = [
        ("true", totals.correct_true),
        ("false", totals.correct_false),
        ("missing", totals.missing),
        ("unknown", totals.unknown),
        ("error", totals.error),
        ("wrong", totals.wrong()),
    ];
    page.push_str("<td class=\"bar\"><span>");
    for (class, count) in parts.iter().filter(|(_, count)| *count > 0) {
        let share = 100.0 * *count as f64 / totals.tasks as f64;
        let _ = write!(page, "<i class=\"{class}\" style=\"width:{share:.2}%\" title=\"{count} {class}\"></i>");
    }
    let percent = 100 * totals.solved() / totals.tasks;
    let _ = write!(page, "</span></td><td>{}</td><td>{} <small>{percent}%</small></td>", totals.tasks, totals.solved());
    for (class, count) in [
        ("", totals.correct_true),
        ("", totals.correct_false),
        ("wrong", totals.wrong()),
        ("", totals.unknown),
        ("error", totals.error),
    ] {
        let class = if count > 0 { class } else { "zero" };
        let _ = write!(page, "<td class=\"{class}\">{count}</td>");
    }
    let time = |value: Option<f64>| value.map_or("–".to_owned(), units::seconds);
    let _ = writeln!(
        page,
        "<td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
        time(totals.cpu_mean.map(|_| totals.cpu)),
        time(totals.cpu_mean),
        time(totals.cpu_median),
        if totals.solved() > 0 { units::megabytes(totals.memory) } else { "–".to_owned() },
        totals.score
    );
}

fn plots(page: &mut String, grid: &Grid) {
    page.push_str("<section>\n<h2>CPU time of correct results</h2>\n<p class=\"legend\">");
    for (index, head) in grid.columns.iter().enumerate() {
        let solved = grid.totals(index, |_| true).solved();
        let _ = write!(
            page,
            "<button type=\"button\" class=\"s{}\" data-series=\"{index}\"><i></i>{} <small>{solved}</small></button>",
            index % plot::COLOURS,
            escape(&head.title)
        );
    }
    let _ = writeln!(page, "</p>\n{}", plot::quantiles(grid.columns.len(), &grid.rows.iter().collect::<Vec<_>>()));
    family_plots(page, grid);
    for (name, plot) in plot::growth(grid) {
        let _ = writeln!(page, "<h2>CPU time of {}N over N</h2>\n{plot}", escape(name));
    }
    page.push_str("</section>\n");
}

/// The quantile plot of each family, where there are several.
fn family_plots(page: &mut String, grid: &Grid) {
    let families = grid.families();
    if families.len() < 2 {
        return;
    }
    page.push_str("<details class=\"small\"><summary>Family by family</summary>\n<div class=\"plots\">\n");
    for family in families {
        let plot = plot::quantiles(grid.columns.len(), &family.rows);
        let _ = writeln!(page, "<figure><figcaption>{}</figcaption>{plot}</figure>", escape(family.name));
    }
    page.push_str("</div></details>\n");
}

/// A place for the plot of one column over another, which a script draws from the table of tasks.
fn scatter(page: &mut String, grid: &Grid) {
    if grid.columns.len() < 2 {
        return;
    }
    page.push_str("<section id=\"scatter\">\n<h2>One over the other: CPU time in seconds</h2>\n<p class=\"controls\">");
    for (axis, chosen, label) in [("across", 0, "across"), ("up", 1, "upwards")] {
        let _ = write!(page, "<label>{label} <select id=\"{axis}\">");
        for (index, head) in grid.columns.iter().enumerate() {
            let selected = if index == chosen { " selected=\"selected\"" } else { "" };
            let _ = write!(page, "<option value=\"{index}\"{selected}>{}</option>", escape(&head.title));
        }
        page.push_str("</select></label>\n");
    }
    page.push_str("<span id=\"faster\"></span></p>\n<svg class=\"plot square\" viewBox=\"0 0 640 640\" role=\"img\" aria-label=\"CPU time of each task, one preset over the other\"></svg>\n");
    page.push_str("<p class=\"empty\">A point is a task; a click leads to it. Those at the border have no correct answer there.</p>\n</section>\n");
}

fn tasks(page: &mut String, grid: &Grid, links: &Links) {
    page.push_str("<section>\n<h2>Tasks</h2>\n<p class=\"controls\"><input id=\"text\" type=\"search\" placeholder=\"Filter: family, task or status\" aria-label=\"Filter\"/>\n<select id=\"kind\" aria-label=\"Results\">");
    for (value, text) in [
        ("", "all results"),
        ("correct", "solved by all"),
        ("open", "not solved by all"),
        ("differ", "presets differ"),
        ("wrong", "wrong"),
        ("unknown", "unknown"),
        ("error", "error"),
    ] {
        let _ = write!(page, "<option value=\"{value}\">{text}</option>");
    }
    page.push_str("</select>\n<span id=\"count\"></span></p>\n<div class=\"scroll tall\"><table id=\"tasks\">\n<thead><tr><th colspan=\"2\"></th>");
    for (index, head) in grid.columns.iter().enumerate() {
        let _ = write!(
            page,
            "<th colspan=\"3\" class=\"group s{}\" data-limit=\"{}\"><i></i>{}</th>",
            index % plot::COLOURS,
            head.time_limit,
            escape(&head.name)
        );
    }
    page.push_str("</tr>\n<tr><th data-sort=\"text\">Task</th><th data-sort=\"text\">Expected</th>");
    for _ in &grid.columns {
        page.push_str("<th data-sort=\"text\" class=\"status\">Status</th><th data-sort=\"number\">CPU s</th><th data-sort=\"number\">MB</th>");
    }
    page.push_str("</tr></thead>\n<tbody>\n");
    for (index, row) in grid.rows.iter().enumerate() {
        task(page, index, row, grid, links);
    }
    page.push_str("</tbody></table></div>\n</section>\n");
}

fn task(page: &mut String, index: usize, row: &Row, grid: &Grid, links: &Links) {
    let categories: Vec<String> = row
        .cells
        .iter()
        .map(|cell| cell.as_ref().map_or("none".to_owned(), |cell| cell.category.to_string()))
        .collect();
    let name = row.task.strip_prefix(&row.family).and_then(|name| name.strip_prefix('/'));
    let (family, name) = name.map_or(("", &row.task[..]), |name| (&row.family[..], name));
    let _ = write!(
        page,
        "<tr id=\"t{index}\" data-kind=\"{}\"><td class=\"task\" title=\"{}\"><small>{}</small>{}</td><td>{}</td>",
        categories.join(" "),
        escape(&row.task),
        if family.is_empty() { String::new() } else { format!("{}/", escape(family)) },
        escape(name.strip_suffix(".yml").unwrap_or(name)),
        escape(&row.expected.to_string())
    );
    for (cell, head) in row.cells.iter().zip(&grid.columns) {
        match cell {
            Some(cell) => task_cell(page, cell, &row.task, head, links),
            None => page.push_str("<td class=\"status\"></td><td></td><td></td>"),
        }
    }
    page.push_str("</tr>\n");
}

fn task_cell(page: &mut String, cell: &Cell, task: &str, head: &Head, links: &Links) {
    let mut remarks = vec![cell.status.clone(), format!("{}, {} s wall", cell.category, units::seconds(cell.wall))];
    if cell.runs > 1 {
        remarks.push(format!("{} runs{}", cell.runs, if cell.unstable { ", which disagree" } else { "" }));
    }
    remarks.extend(cell.message.clone());
    let status = match links.log(&head.name, task) {
        Some(address) => format!("<a href=\"{}\">{}</a>", escape(&address), escape(&cell.status)),
        None => escape(&cell.status).into_owned(),
    };
    let report = links.report(&head.name, task).map_or(String::new(), |address| {
        format!("<a class=\"report\" href=\"{}\" title=\"the run's report\">report</a>", escape(&address))
    });
    let _ = write!(
        page,
        "<td class=\"status {}\" title=\"{}\">{report}{status}{}</td><td data-value=\"{:.6}\">{}</td><td data-value=\"{}\">{}</td>",
        cell.category,
        escape(&remarks.join("\n")),
        if cell.unstable { " ≠" } else { "" },
        cell.cpu,
        units::seconds(cell.cpu),
        cell.memory,
        units::megabytes(cell.memory)
    );
}

/// What stands behind the columns' names.
fn columns(page: &mut String, grid: &Grid) {
    page.push_str("<section>\n<h2>Presets</h2>\n<div class=\"scroll\"><table class=\"presets\">\n<thead><tr><th>Preset</th><th>Arguments</th><th>Tool</th></tr></thead>\n<tbody>\n");
    for (index, head) in grid.columns.iter().enumerate() {
        let _ = writeln!(
            page,
            "<tr>{}<td><code>{}</code></td><td>{}</td></tr>",
            column_name(index, head),
            escape(&words::join(&head.args)),
            escape(&head.tools.join(", "))
        );
    }
    page.push_str("</tbody></table></div>\n</section>\n");
}
