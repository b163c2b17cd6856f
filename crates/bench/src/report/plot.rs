//! Plots, as SVG that takes its colours from the page. The time axis is logarithmic.
//!
//! [`quantiles`], as in Figure 2 of seed 1: per column, the correct results are ordered by CPU time; a point (x, y) says
//! that x tasks were solved in at most y seconds each.
//!
//! [`growth`], as in Figure 5 of seed 3: per column, the CPU time of a program that comes in sizes, over its size. A line
//! that ends early met a limit there. Programs with a bug are left out, as their times say nothing about the size.

use super::escape;
use crate::grid::{Grid, Row};
use crate::judge::Category;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::ops::RangeInclusive;

const WIDTH: f64 = 1000.0;
const HEIGHT: f64 = 430.0;
const LEFT: f64 = 62.0;
const RIGHT: f64 = 16.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 48.0;

/// Times below are drawn at this one: the clock that limits are checked with is not much finer.
const SHORTEST: f64 = 0.001;

/// Number of colours that the page defines for columns; further columns use them again, dashed.
pub const COLOURS: usize = 8;

/// Programs that come in sizes: names that go on with a number.
const SIZED: &[&str] = &["test_locks_"];

/// A point of a line: what the horizontal axis shows, CPU time in seconds, the task.
type Point<'a> = (f64, f64, &'a str);

/// The quantile plot of some rows with so many columns, or a remark that there is nothing to plot.
pub fn quantiles(columns: usize, rows: &[&Row]) -> String {
    let ranked = |column| {
        let times = times(rows.iter().copied(), column).into_iter().enumerate();
        times.map(|(rank, (cpu, task))| (rank as f64 + 1.0, cpu, task)).collect::<Vec<Point>>()
    };
    let series: Vec<Vec<Point>> = (0..columns).map(ranked).collect();
    let longest = series.iter().map(Vec::len).max().unwrap_or(0);
    if longest == 0 {
        return "<p class=\"empty\">No correct result, no plot.</p>".to_owned();
    }
    let name = "n-th fastest correct result";
    let axes = Axes::new(0.0..=longest as f64 * 1.02 + 0.5, 0..=longest, name.to_owned(), &series);
    axes.plot(&series, "Quantile plot: CPU time of the n-th fastest correct result, per preset")
}

/// The plots of programs that come in sizes, each with its name; none where fewer than two sizes were run.
pub fn growth(grid: &Grid) -> Vec<(&'static str, String)> {
    let is_safe = |row: &Row| row.expected.verdict != Some(false);
    let plot = |&prefix: &&'static str| {
        let size = |task: &str| -> Option<usize> {
            let digits = task.rsplit('/').next()?.strip_prefix(prefix)?;
            digits[..digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len())].parse().ok()
        };
        let sizes: BTreeSet<usize> =
            grid.rows.iter().filter(|row| is_safe(row)).filter_map(|row| size(&row.task)).collect();
        let (&least, &most) = (sizes.first()?, sizes.last()?);
        let sized = |column| {
            let times = times(grid.rows.iter().filter(|row| is_safe(row)), column).into_iter();
            let mut points: Vec<Point> =
                times.filter_map(|(cpu, task)| Some((size(task)? as f64, cpu, task))).collect();
            points.sort_by(|a, b| a.0.total_cmp(&b.0));
            points
        };
        let series: Vec<Vec<Point>> = (0..grid.columns.len()).map(sized).collect();
        if least == most || series.iter().all(Vec::is_empty) {
            return None;
        }
        let axes = Axes::new(least as f64 - 0.5..=most as f64 + 0.5, least..=most, format!("N of {prefix}N"), &series);
        Some((prefix, axes.plot(&series, &format!("CPU time of {prefix}N over N, per preset"))))
    };
    SIZED.iter().filter_map(plot).collect()
}

/// CPU times and tasks of the correct results in some rows, fastest first.
fn times<'g>(rows: impl Iterator<Item = &'g Row>, column: usize) -> Vec<(f64, &'g str)> {
    let cells = rows.filter_map(|row| Some((row.cells[column].as_ref()?, &row.task[..])));
    let mut times: Vec<_> =
        cells.filter(|(cell, _)| cell.category == Category::Correct).map(|(cell, task)| (cell.cpu, task)).collect();
    times.sort_by(|a, b| a.0.total_cmp(&b.0));
    times
}

fn decade(seconds: f64) -> f64 {
    seconds.max(SHORTEST).log10()
}

struct Axes {
    across: RangeInclusive<f64>,
    ticks: RangeInclusive<usize>,
    decades: RangeInclusive<i32>,
    name: String,
}

impl Axes {
    /// Axes that have room for all points; the horizontal one goes across the range.
    fn new(across: RangeInclusive<f64>, ticks: RangeInclusive<usize>, name: String, series: &[Vec<Point>]) -> Self {
        let all = || series.iter().flatten().map(|point| point.1);
        let decades = decade(all().fold(f64::INFINITY, f64::min)).floor() as i32
            ..=decade(all().fold(SHORTEST * 1.1, f64::max)).ceil() as i32;
        Self { across, ticks, decades, name }
    }

    fn plot(&self, series: &[Vec<Point>], label: &str) -> String {
        let mut svg =
            format!("<svg class=\"plot\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{label}\">\n");
        self.draw(&mut svg);
        for (index, points) in series.iter().enumerate() {
            draw_series(&mut svg, self, index, points);
        }
        svg.push_str("<g class=\"cross\"><line class=\"hair\"/><line class=\"hair\"/><circle r=\"5\"/></g>\n</svg>");
        svg
    }

    fn x(&self, value: f64) -> f64 {
        let (low, high) = (self.across.start(), self.across.end());
        LEFT + (WIDTH - LEFT - RIGHT) * (value - low) / (high - low)
    }

    fn y(&self, seconds: f64) -> f64 {
        let (low, high) = (f64::from(*self.decades.start()), f64::from(*self.decades.end()));
        let share = (decade(seconds) - low) / (high - low).max(1.0);
        HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * share
    }

    fn draw(&self, svg: &mut String) {
        let (right, bottom) = (WIDTH - RIGHT, HEIGHT - BOTTOM);
        svg.push_str("<g class=\"axes\">\n");
        for exponent in self.decades.clone() {
            let seconds = 10f64.powi(exponent);
            let y = self.y(seconds);
            let _ = writeln!(svg, "<line x1=\"{LEFT}\" x2=\"{right}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>");
            let digits = (-exponent).max(0) as usize;
            let _ = writeln!(
                svg,
                "<text x=\"{}\" y=\"{:.1}\" class=\"end\">{seconds:.digits$}</text>",
                LEFT - 8.0,
                y + 4.0
            );
            if exponent < *self.decades.end() {
                for factor in 2..10 {
                    let y = self.y(seconds * f64::from(factor));
                    let _ = writeln!(
                        svg,
                        "<line class=\"minor\" x1=\"{LEFT}\" x2=\"{right}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>"
                    );
                }
            }
        }
        let step = step(self.ticks.end() - self.ticks.start());
        for tick in self.ticks.clone().step_by(step) {
            let x = self.x(tick as f64);
            let _ = writeln!(svg, "<line x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{TOP}\" y2=\"{bottom}\"/>");
            let _ = writeln!(svg, "<text x=\"{x:.1}\" y=\"{}\" class=\"middle\">{tick}</text>", bottom + 18.0);
        }
        let middle = f64::midpoint(LEFT, right);
        let _ = writeln!(
            svg,
            "<text class=\"middle name\" x=\"{middle}\" y=\"{}\">{}</text>",
            HEIGHT - 8.0,
            escape(&self.name)
        );
        let middle = f64::midpoint(TOP, bottom);
        let _ = writeln!(
            svg,
            "<text class=\"middle name\" transform=\"translate(14 {middle}) rotate(-90)\">CPU time in seconds</text>\n</g>"
        );
    }
}

fn draw_series(svg: &mut String, axes: &Axes, index: usize, points: &[Point]) {
    let (mut line, mut marks) = (String::new(), String::new());
    let mut data = Vec::new();
    for (value, seconds, task) in points {
        let (x, y) = (axes.x(*value), axes.y(*seconds));
        let _ = write!(line, "{}{x:.1} {y:.1}", if line.is_empty() { 'M' } else { 'L' });
        mark(&mut marks, index, x, y);
        data.push((tenths(x), tenths(y), *seconds, *task));
    }
    let dashed = if index >= COLOURS { " dashed" } else { "" };
    let data = serde_json::to_string(&data).unwrap_or_default();
    let _ = writeln!(
        svg,
        "<g class=\"series s{}{dashed}\" data-series=\"{index}\" data-points=\"{}\"><path class=\"line\" d=\"{line}\"/>\
         <path class=\"marks\" d=\"{marks}\"/></g>",
        index % COLOURS,
        escape(&data)
    );
}

fn tenths(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

/// A mark whose shape tells columns apart where colours do not.
fn mark(path: &mut String, index: usize, x: f64, y: f64) {
    let _ = match index % 4 {
        0 => write!(path, "M{:.1} {y:.1}a2.8 2.8 0 1 0 5.6 0a2.8 2.8 0 1 0 -5.6 0z", x - 2.8),
        1 => write!(path, "M{:.1} {:.1}h5v5h-5z", x - 2.5, y - 2.5),
        2 => write!(path, "M{x:.1} {:.1}l3.4 6h-6.8z", y - 3.6),
        _ => write!(path, "M{x:.1} {:.1}l3.5 3.5l-3.5 3.5l-3.5 -3.5z", y - 3.5),
    };
}

/// A distance of ticks that gives at most 12.
fn step(longest: usize) -> usize {
    let steps = (0..).flat_map(|exponent| [1, 2, 5].map(|factor| factor * 10usize.pow(exponent)));
    steps.into_iter().find(|step| longest / step <= 12).unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::tests::record;

    #[test]
    fn steps() {
        assert_eq!([1, 12, 13, 61, 600].map(step), [1, 1, 2, 5, 50]);
    }

    #[test]
    fn only_correct_results_in_order() {
        let grid = Grid::new(&[
            record("l/a.yml", "bdd", "true", true, 10.0),
            record("l/b.yml", "bdd", "true", true, 0.1),
            record("l/c.yml", "bdd", "true", false, 1.0),
            record("l/d.yml", "bdd", "unknown", true, 1.0),
            record("l/d.yml", "x", "unknown", true, 1.0),
        ]);
        assert_eq!(times(grid.rows.iter(), 0), [(0.1, "l/b.yml"), (10.0, "l/a.yml")]);
        let svg = quantiles(grid.columns.len(), &grid.rows.iter().collect::<Vec<_>>());
        assert_eq!(svg.matches("class=\"series").count(), 2);
        assert!(svg.contains(">0.1</text>") && svg.contains(">10</text>"), "{svg}");
    }

    #[test]
    fn sizes() {
        let locks = |n: u32| format!("locks/test_locks_{n}-2.yml");
        let mut runs =
            vec![record(&locks(5), "sbe", "true", true, 1.0), record("locks/x_7.yml", "sbe", "true", true, 1.0)];
        assert!(growth(&Grid::new(&runs)).is_empty());
        runs.push(record(&locks(15), "sbe", "unknown(timeout)", true, 60.0));
        runs.push(record(&locks(15), "lbe", "true", true, 0.2));
        runs.push(record(&locks(30), "lbe", "false(unreach-call)", false, 0.2));
        let [(prefix, svg)] = &growth(&Grid::new(&runs))[..] else { panic!("one plot") };
        assert_eq!((*prefix, svg.matches("class=\"series").count()), ("test_locks_", 2));
        assert!(
            svg.contains(">5</text>")
                && svg.contains(">15</text>")
                && !svg.contains(">30</text>")
                && !svg.contains("NaN"),
            "{svg}"
        );
    }

    #[test]
    fn nothing_and_one_point() {
        assert!(quantiles(0, &[]).contains("no plot"));
        let grid = Grid::new(&[record("l/a.yml", "bdd", "true", true, 0.0)]);
        let svg = quantiles(grid.columns.len(), &grid.rows.iter().collect::<Vec<_>>());
        assert!(svg.contains("class=\"marks\"") && !svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }
}
