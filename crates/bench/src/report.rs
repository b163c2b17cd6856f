//! What is written at the end, all of it made from the journal, so it can be made again at any time.

mod compared;
mod csv;
mod html;
mod json;
mod links;
mod plot;
mod text;
mod xml;

pub use compared::page as diff_page;
pub use text::summary;

use crate::grid::Grid;
use crate::record::Results;
use links::Links;
use std::borrow::Cow;
use std::io;
use std::path::{Path, PathBuf};

/// Writes `results.csv`, `results.json`, `results.html` and one `results.COLUMN.xml` per column into a folder, and
/// says what it wrote.
pub fn write_all(folder: &Path, results: &Results, grid: &Grid) -> io::Result<Vec<PathBuf>> {
    let mut files = vec![
        ("results.csv".to_owned(), csv::write(&results.records)),
        ("results.json".to_owned(), json::write(results, grid)?),
        ("results.html".to_owned(), html::page(results, grid, &Links::new(folder))),
    ];
    for (index, column) in grid.columns.iter().enumerate() {
        files.push((format!("results.{}.xml", column.name), xml::write(results, grid, index)));
    }
    let mut paths = Vec::new();
    for (name, content) in files {
        let path = folder.join(name);
        std::fs::write(&path, content)
            .map_err(|error| io::Error::new(error.kind(), format!("cannot write '{}': {error}", path.display())))?;
        paths.push(path);
    }
    Ok(paths)
}

/// Text inside of HTML or XML, in an element or in a quoted attribute. Control characters, which XML forbids even if
/// escaped, become the replacement character.
fn escape(text: &str) -> Cow<'_, str> {
    let special = |c: char| matches!(c, '&' | '<' | '>' | '"' | '\'') || c.is_control();
    if !text.contains(special) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            '\n' => escaped.push_str("&#10;"),
            c if c.is_control() => escaped.push('\u{FFFD}'),
            c => escaped.push(c),
        }
    }
    Cow::Owned(escaped)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes() {
        assert_eq!(escape("plain ⊑"), "plain ⊑");
        assert_eq!(escape("<a b='c'>&\"\n\u{1}"), "&lt;a b=&#39;c&#39;&gt;&amp;&quot;&#10;\u{FFFD}");
    }
}
