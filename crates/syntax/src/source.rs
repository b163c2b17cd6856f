//! Source files, spans, and line markers.
//!
//! All files given to one run share one space of byte offsets, so a [`Span`] is two numbers. A preprocessed file
//! carries line markers (`# 12 "list.h" 3`); [`SourceMap::position`] follows them back to the file and line that the
//! user wrote.

use std::fmt;

/// A range of bytes in the source map's offset space.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Span {
    /// Offset of the first byte.
    pub lo: u32,
    /// Offset after the last byte.
    pub hi: u32,
}

impl Span {
    /// The span from `lo` up to `hi`.
    pub fn new(lo: u32, hi: u32) -> Self {
        Self { lo, hi }
    }

    /// The smallest span that holds both.
    pub fn to(self, end: Span) -> Span {
        Span { lo: self.lo.min(end.lo), hi: self.hi.max(end.hi) }
    }
}

/// A place as the user knows it; line and column count from 1, columns in characters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Position {
    /// Index into [`SourceMap::names`].
    pub file: u32,
    /// Line in that file.
    pub line: u32,
    /// Column in that line.
    pub column: u32,
}

/// `# line "file"`: the line after offset `at` is line `line` of file `name`.
#[derive(Clone, Debug)]
struct Marker {
    at: u32,
    line: u32,
    name: u32,
}

#[derive(Debug)]
struct File {
    base: u32,
    text: String,
    /// Offsets (from `base`) of line starts.
    lines: Vec<u32>,
    markers: Vec<Marker>,
    name: u32,
}

/// The files of one run.
#[derive(Default, Debug)]
pub struct SourceMap {
    files: Vec<File>,
    names: Vec<String>,
}

/// Handle of a file in a [`SourceMap`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FileId(u32);

/// All files together exceed the 4 GiB that a [`Span`] can address.
#[derive(Debug)]
pub struct TooLarge;

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the input exceeds 4 GiB")
    }
}

impl std::error::Error for TooLarge {}

impl SourceMap {
    /// A map without files.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file under the name shown to the user.
    pub fn add(&mut self, name: &str, text: String) -> Result<FileId, TooLarge> {
        let base = self.files.last().map_or(0, |f| f.base as usize + f.text.len() + 1);
        if base + text.len() >= u32::MAX as usize {
            return Err(TooLarge);
        }
        let mut lines = vec![0];
        lines.extend(text.bytes().enumerate().filter(|&(_, b)| b == b'\n').map(|(i, _)| i as u32 + 1));
        let name = self.name_index(name);
        self.files.push(File { base: base as u32, text, lines, markers: Vec::new(), name });
        Ok(FileId(self.files.len() as u32 - 1))
    }

    /// Text of a file.
    pub fn text(&self, file: FileId) -> &str {
        &self.files[file.0 as usize].text
    }

    /// Offset of a file's first byte.
    pub fn base(&self, file: FileId) -> u32 {
        self.files[file.0 as usize].base
    }

    /// Names of all files, line markers' included; [`Position::file`] indexes it.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Records a line marker: what follows offset `at` (the marker's end of line) is `line` of `name`.
    /// Markers of one file are added in ascending order.
    pub fn add_marker(&mut self, file: FileId, at: u32, line: u32, name: &str) {
        let name = self.name_index(name);
        self.files[file.0 as usize].markers.push(Marker { at, line, name });
    }

    /// Where an offset is in the user's terms.
    pub fn position(&self, offset: u32) -> Position {
        let file = self.file_of(offset);
        let local = offset - file.base;
        let row = file.lines.partition_point(|&start| start <= local) - 1;
        let start = file.lines[row] as usize;
        let end = (local as usize).min(file.text.len());
        let column = file.text.as_bytes()[start..end].iter().filter(|&&b| b & 0xC0 != 0x80).count() as u32 + 1;
        let marker = file.markers.partition_point(|m| m.at <= offset);
        match marker.checked_sub(1).map(|i| &file.markers[i]) {
            Some(m) => {
                let marker_row = file.lines.partition_point(|&s| s <= m.at - file.base) - 1;
                Position { file: m.name, line: m.line + (row - marker_row).saturating_sub(1) as u32, column }
            }
            None => Position { file: file.name, line: row as u32 + 1, column },
        }
    }

    /// The text of the line that holds an offset, as it stands in the given file (preprocessed text, if it is that).
    pub fn line_text(&self, offset: u32) -> &str {
        let file = self.file_of(offset);
        let local = offset - file.base;
        let row = file.lines.partition_point(|&start| start <= local) - 1;
        let start = file.lines[row] as usize;
        let end = file.lines.get(row + 1).map_or(file.text.len(), |&next| next as usize - 1);
        file.text[start..end].trim_end_matches('\r')
    }

    /// Offsets of the first byte of the line that holds an offset, and of the first byte after it.
    pub fn line_bounds(&self, offset: u32) -> (u32, u32) {
        let file = self.file_of(offset);
        let row = file.lines.partition_point(|&start| start <= offset - file.base) - 1;
        let end = file.lines.get(row + 1).copied().unwrap_or(file.text.len() as u32 + 1);
        (file.base + file.lines[row], file.base + end)
    }

    /// Number of characters between two offsets of one file.
    pub fn chars_between(&self, from: u32, to: u32) -> u32 {
        let file = self.file_of(from);
        let end = ((to - file.base) as usize).min(file.text.len());
        let bytes = &file.text.as_bytes()[(from - file.base) as usize..end];
        bytes.iter().filter(|&&b| b & 0xC0 != 0x80).count() as u32
    }

    /// The text that a span covers.
    pub fn snippet(&self, span: Span) -> &str {
        let file = self.file_of(span.lo);
        let lo = (span.lo - file.base) as usize;
        let hi = ((span.hi - file.base) as usize).min(file.text.len());
        file.text.get(lo..hi).unwrap_or("")
    }

    fn file_of(&self, offset: u32) -> &File {
        let index = self.files.partition_point(|f| f.base <= offset);
        &self.files[index.saturating_sub(1)]
    }

    fn name_index(&mut self, name: &str) -> u32 {
        let found = self.names.iter().rposition(|n| n == name);
        found.unwrap_or_else(|| {
            self.names.push(name.to_owned());
            self.names.len() - 1
        }) as u32
    }
}
