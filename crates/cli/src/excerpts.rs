//! The text of the files that positions name: from the disk, or from a preprocessed file that is made of them.

use crate::input::InputFile;
use robusto_syntax::Columns;
use robusto_verdict::Place;
use std::collections::HashMap;

/// Columns of the files that the user wrote, for places in what a preprocessor made of them.
pub struct Places<'i> {
    files: &'i [Box<str>],
    inputs: &'i [InputFile],
    known: HashMap<u16, Option<Columns>>,
}

impl<'i> Places<'i> {
    /// Nothing is compared yet.
    pub fn new(files: &'i [Box<str>], inputs: &'i [InputFile]) -> Self {
        Self { files, inputs, known: HashMap::new() }
    }

    /// Changes a column to that of the file.
    pub fn correct(&mut self, place: &mut Place) {
        let (files, inputs) = (self.files, self.inputs);
        let columns =
            self.known.entry(place.file).or_insert_with(|| columns(files.get(usize::from(place.file))?, inputs));
        if let Some(columns) = columns {
            place.column = u16::try_from(columns.in_file(place.line, place.column.into())).unwrap_or(u16::MAX);
        }
    }
}

fn columns(name: &str, inputs: &[InputFile]) -> Option<Columns> {
    let made = inputs.iter().find(|input| !input.physical && input.text.contains(name))?;
    Some(Columns::new(&made.text, name, &std::fs::read_to_string(name).ok()?))
}

/// The text of a file.
pub fn text(name: &str, inputs: &[InputFile]) -> Option<String> {
    std::fs::read_to_string(name).ok().or_else(|| inputs.iter().find_map(|input| reconstructed(name, &input.text)))
}

/// The lines of a file that a preprocessed text holds, each at its number.
fn reconstructed(name: &str, preprocessed: &str) -> Option<String> {
    let mut lines: Vec<&str> = Vec::new();
    // The next line is this one of that file.
    let mut at: Option<usize> = None;
    for line in preprocessed.lines() {
        if let Some((number, file)) = marker(line) {
            at = (file == name).then_some(number);
        } else if let Some(number) = &mut at {
            // A marker may claim any number; no file has that many lines.
            if *number > preprocessed.len() {
                continue;
            }
            if lines.len() < *number {
                lines.resize(*number, "");
            }
            if let Some(slot) = number.checked_sub(1).and_then(|i| lines.get_mut(i)) {
                *slot = line;
            }
            *number += 1;
        }
    }
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// `# 12 "file.c" 2` or `#line 12 "file.c"`
fn marker(line: &str) -> Option<(usize, &str)> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start();
    let rest = rest.strip_prefix("line").unwrap_or(rest).trim_start();
    let (number, rest) = rest.split_once(char::is_whitespace)?;
    let file = rest.trim_start().strip_prefix('"')?;
    Some((number.parse().ok()?, &file[..file.find('"')?]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_back() {
        let text = "# 1 \"a.c\"\nint x;\n# 1 \"h.h\" 1\nint y;\n# 5 \"a.c\" 2\nint z;\n\nint w;\n";
        assert_eq!(reconstructed("a.c", text).as_deref(), Some("int x;\n\n\n\nint z;\n\nint w;"));
        assert_eq!(reconstructed("h.h", text).as_deref(), Some("int y;"));
        assert_eq!(reconstructed("b.c", text), None);
        assert_eq!(reconstructed("a.c", "# 4000000000 \"a.c\"\nint x;\n# 0 \"a.c\"\nint y;"), None);
    }
}
