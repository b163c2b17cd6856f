//! Checks and counters in the text of a program. Nothing is put on a line of its own, so lines stay what they are.

use crate::index::{Index, Statement};
use std::ops::Range;

/// Around what asks whether something holds, in what is put in: branches there are the witness's, not the program's.
const ASKS: [char; 2] = ['\u{1}', '\u{2}'];

/// A text that only asks whether something holds.
pub(crate) fn asking(text: &str) -> String {
    format!("{}{text}{}", ASKS[0], ASKS[1])
}

/// What is put into a text, and where.
#[derive(Default, Debug)]
pub(crate) struct Edits {
    list: Vec<(usize, i8, String)>,
}

impl Edits {
    /// Before the first declaration.
    pub(crate) fn prefix(&mut self, index: &Index, text: &str) {
        self.list.push((index.start, i8::MIN, text.to_owned()));
    }

    /// A statement before another one, behind its labels.
    pub(crate) fn before(&mut self, statement: &Statement, text: &str) {
        let braces = statement.body || statement.inner != statement.span.start;
        if braces && !statement.declaration {
            self.list.push((statement.inner, 10, format!("{{ {text} ")));
            self.list.push((statement.span.end, -1, " }".to_owned()));
        } else {
            self.list.push((statement.inner, 10, format!("{text} ")));
        }
    }

    /// Something around a condition, which may be empty.
    pub(crate) fn around_condition(&mut self, condition: &Range<usize>, open: &str, close: &str) {
        if condition.is_empty() {
            return self.list.push((condition.start, 11, format!("{open}{close}")));
        }
        self.list.push((condition.start, 11, open.to_owned()));
        self.list.push((condition.end, -2, close.to_owned()));
    }

    /// Something around a call.
    pub(crate) fn around_call(&mut self, call: &Range<usize>, open: &str, close: &str) {
        self.list.push((call.start, 12, open.to_owned()));
        self.list.push((call.end, -3, close.to_owned()));
    }

    /// Something around an argument, which may be a call.
    pub(crate) fn around_argument(&mut self, argument: &Range<usize>, open: &str, close: &str) {
        self.list.push((argument.start, 11, open.to_owned()));
        self.list.push((argument.end, -2, close.to_owned()));
    }

    /// Something before a call, within what is around it.
    pub(crate) fn before_call(&mut self, call: &Range<usize>, text: &str) {
        self.list.push((call.start, 13, format!("({text}, ")));
        self.list.push((call.end, -4, ")".to_owned()));
    }

    /// Something at the start of a body, behind its brace.
    pub(crate) fn at_start(&mut self, open: usize, text: &str) {
        self.list.push((open, i8::MIN, format!(" {text} ")));
    }

    /// Something at the end of a body, before its brace.
    pub(crate) fn at_end(&mut self, brace: usize, text: &str) {
        self.list.push((brace, 0, format!("{text} ")));
    }

    /// Something around the value of a `return`, or around a `return` without one.
    pub(crate) fn around_value(&mut self, value: &Range<usize>, open: &str, close: &str) {
        self.list.push((value.start, 13, open.to_owned()));
        self.list.push((value.end, -4, close.to_owned()));
    }

    /// The text with everything put in.
    pub(crate) fn apply(mut self, text: &str) -> Edited {
        // What ends at an offset comes before what starts there; inner things end first and start last.
        self.list.sort_by_key(|&(offset, order, _)| (offset, order));
        let mut out = String::with_capacity(text.len() * 2);
        let (mut shifts, mut asks) = (Vec::new(), Vec::new());
        let mut at = 0;
        for (offset, _, inserted) in &self.list {
            out.push_str(&text[at..*offset]);
            for part in inserted.split_inclusive(ASKS) {
                let start = out.len();
                out.push_str(part.trim_end_matches(ASKS));
                if part.ends_with(ASKS[1]) {
                    asks.push(start..out.len());
                }
            }
            at = *offset;
            shifts.push((*offset, out.len() - offset));
        }
        out.push_str(&text[at..]);
        Edited { text: out, shifts, asks }
    }
}

/// A text with edits.
#[derive(Debug)]
pub(crate) struct Edited {
    pub(crate) text: String,
    /// Offsets of the original with the distance that what starts there, or later, has moved.
    shifts: Vec<(usize, usize)>,
    /// Where it only asks whether something holds.
    pub(crate) asks: Vec<Range<usize>>,
}

impl Edited {
    /// Where something that started at an offset starts now.
    pub(crate) fn moved(&self, offset: usize) -> usize {
        let after = self.shifts.partition_point(|&(at, _)| at <= offset);
        offset + after.checked_sub(1).map_or(0, |i| self.shifts[i].1)
    }
}

/// `if (…) …; else if (…) …;` over the waypoints of a place, so that one visit passes one of them at most.
pub(crate) fn chain(steps: &[(usize, String, bool)]) -> String {
    let mut text = String::new();
    for (i, (segment, condition, follow)) in steps.iter().enumerate() {
        let next = if *follow { format!("{}", segment + 1) } else { "-1".to_owned() };
        let otherwise = if i > 0 { "else " } else { "" };
        text.push_str(&format!("{otherwise}if (__robusto_at == {segment} && ({condition})) __robusto_at = {next}; "));
    }
    asking(&text)
}

/// The statement that starts at a line (and column), or the leftmost one of the line.
pub(crate) fn statement_at<'i>(
    index: &'i Index,
    line: u32,
    column: Option<u32>,
    function: Option<&str>,
) -> Option<&'i Statement> {
    let fits = |s: &&Statement| {
        [s.span.start, s.inner].iter().any(|&at| {
            let place = index.place(at);
            place.0 == line && column.is_none_or(|c| c == place.1)
        }) && function.is_none_or(|f| f == s.function)
    };
    // The longest of those that start first: `x = 1;`, not what is inside of it.
    index.statements.iter().filter(fits).min_by_key(|s| (s.span.start, std::cmp::Reverse(s.span.end)))
}
