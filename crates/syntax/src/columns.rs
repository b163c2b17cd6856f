//! Columns of the file that a user wrote, for places in what a preprocessor made of it.
//!
//! A macro moves what stands behind it on its line. The tokens of a preprocessed row are aligned with those of the line: a
//! longest common subsequence says which of them the user wrote. One that comes from a macro belongs to where its name
//! stands, which is the last word of the line that the row does not have.

use std::collections::HashMap;

/// Longest line, in tokens, that is aligned: the table has one entry per pair.
const MOST_TOKENS: usize = 600;

/// The columns of one file, by line.
#[derive(Clone, Debug, Default)]
pub struct Columns {
    /// First column of each token of the row and its column in the file, in ascending order of the first.
    lines: HashMap<u32, Vec<(u32, u32)>>,
}

impl Columns {
    /// Compares a preprocessed text, which has one row for each line, with a file that it is made of.
    pub fn new(preprocessed: &str, file: &str, original: &str) -> Self {
        let written: Vec<&str> = original.lines().collect();
        let mut lines = HashMap::new();
        let mut at: Option<usize> = None;
        for row in preprocessed.lines() {
            if let Some((line, name)) = marker(row) {
                at = (name == file).then_some(line);
            } else if let Some(line) = &mut at {
                if let Some(user) = line.checked_sub(1).and_then(|i| written.get(i))
                    && *user != row
                    && !row.trim().is_empty()
                    && let Some(aligned) = align(row, user)
                {
                    lines.insert(*line as u32, aligned);
                }
                *line += 1;
            }
        }
        Self { lines }
    }

    /// The column in the file for one of the preprocessed row.
    pub fn in_file(&self, line: u32, column: u32) -> u32 {
        let Some(tokens) = self.lines.get(&line) else { return column };
        let after = tokens.partition_point(|&(start, _)| start <= column);
        after.checked_sub(1).map_or(column, |i| tokens[i].1)
    }
}

/// `# 12 "file.c" 2` or `#line 12 "file.c"`
fn marker(row: &str) -> Option<(usize, &str)> {
    let rest = row.strip_prefix('#')?.trim_start();
    let rest = rest.strip_prefix("line").unwrap_or(rest).trim_start();
    let (number, rest) = rest.split_once(' ')?;
    let file = rest.trim_start().strip_prefix('"')?;
    Some((number.parse().ok()?, &file[..file.find('"')?]))
}

/// For each token of a row its column, and the column on the line that the user wrote.
fn align(row: &str, line: &str) -> Option<Vec<(u32, u32)>> {
    let (made, user) = (tokens(row), tokens(line));
    if made.is_empty() || user.is_empty() || made.len() * user.len() > MOST_TOKENS * MOST_TOKENS {
        return None;
    }
    // The length of the longest common subsequence of what is left of both.
    let width = user.len() + 1;
    let mut longest = vec![0u16; (made.len() + 1) * width];
    for i in (0..made.len()).rev() {
        for j in (0..user.len()).rev() {
            longest[i * width + j] = match made[i].1 == user[j].1 {
                true => longest[(i + 1) * width + j + 1] + 1,
                false => longest[(i + 1) * width + j].max(longest[i * width + j + 1]),
            };
        }
    }
    let mut aligned = Vec::with_capacity(made.len());
    let (mut i, mut j) = (0, 0);
    // The macro whose text this is: the last word that the row lacks.
    let mut name = None;
    while i < made.len() {
        if j < user.len() && made[i].1 == user[j].1 {
            aligned.push((made[i].0, user[j].0));
            (i, j) = (i + 1, j + 1);
        } else if j < user.len() && longest[i * width + j + 1] >= longest[(i + 1) * width + j] {
            if user[j].1.starts_with(|c: char| c.is_alphabetic() || c == '_') {
                name = Some(user[j].0);
            }
            j += 1;
        } else {
            let column = name.or(user.get(j).map(|t| t.0)).unwrap_or(user[user.len() - 1].0);
            aligned.push((made[i].0, column));
            i += 1;
        }
    }
    Some(aligned)
}

/// Words, literals and single signs, each with its column; comments are none.
fn tokens(line: &str) -> Vec<(u32, &str)> {
    let mut found = Vec::new();
    let mut rest = line.char_indices().enumerate().peekable();
    while let Some((column, (start, c))) = rest.next() {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let text = &line[start..];
        if text.starts_with("//") {
            break;
        }
        if let Some(comment) = text.strip_prefix("/*") {
            let end = comment.find("*/").map_or(line.len(), |at| start + at + 4);
            while rest.next_if(|(_, (at, _))| *at < end).is_some() {}
            continue;
        }
        if c.is_whitespace() {
            continue;
        }
        let mut end = start + c.len_utf8();
        if is_word(c) {
            while let Some((_, (at, c))) = rest.next_if(|(_, (_, c))| is_word(*c)) {
                end = at + c.len_utf8();
            }
        } else if c == '"' || c == '\'' {
            let mut escaped = false;
            for (_, (at, next)) in rest.by_ref() {
                end = at + next.len_utf8();
                if next == c && !escaped {
                    break;
                }
                escaped = next == '\\' && !escaped;
            }
        }
        found.push((column as u32 + 1, &line[start..end]));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(row: &str, line: &str, token: &str, expected: u32) {
        let column = row[..row.find(token).expect("the token is there")].chars().count() as u32 + 1;
        let text = format!("# 1 \"a.c\"\n{row}\n");
        assert_eq!(Columns::new(&text, "a.c", line).in_file(1, column), expected, "{token} of {row}");
    }

    #[test]
    fn what_stands_behind_a_macro_keeps_its_place() {
        check("  x = ((void *)0); y = f(x);", "  x = NULL; y = f(x);", "y", 13);
        check("  x = ((void *)0); y = f(x);", "  x = NULL; y = f(x);", "f", 17);
        check("  x = ((void *)0); y = f(x);", "  x = NULL; y = f(x);", "void", 7);
    }

    #[test]
    fn an_assertion_is_where_its_name_stands() {
        let row = "  ((void) sizeof ((  x < 100  ) ? 1 : 0), __extension__ ({ if (  x < 100  ) ; else __assert_fail (  \"x < 100\"  , \"a.c\", 8, __func__); }))  ;";
        check(row, "        assert(x < 100);", "__assert_fail", 9);
        check(row, "        assert(x < 100);", "sizeof", 9);
    }

    #[test]
    fn lines_without_macros_are_as_they_are() {
        let columns = Columns::new("# 3 \"a.c\"\nint é = 1; int y;\n", "a.c", "\n\nint é = 1; int y;\n");
        assert_eq!(columns.in_file(3, 16), 16);
        assert_eq!(columns.in_file(9, 4), 4);
        // Comments are no tokens, and an escaped quote ends no literal.
        check("a = \"\\\"\" ; b = 1;", "a = /* M */ \"\\\"\" ; b = ONE;", "b", 20);
    }
}
