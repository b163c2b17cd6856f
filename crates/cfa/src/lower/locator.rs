//! Offsets to source positions, fast for offsets close to the last one.

use crate::ir::SrcPos;
use robusto_syntax::SourceMap;

/// Remembers the last position and counts from there while the offset stays on the same line. Without it, a file that
/// is one long line would be scanned from its start for every edge.
#[derive(Default, Debug)]
pub struct Locator {
    offset: u32,
    line_start: u32,
    line_end: u32,
    column: u32,
    file: u16,
    line: u32,
}

impl Locator {
    /// The position of an offset.
    pub fn position(&mut self, sources: &SourceMap, offset: u32) -> SrcPos {
        if offset < self.line_start || offset >= self.line_end {
            let place = sources.position(offset);
            let (start, end) = sources.line_bounds(offset);
            *self = Self {
                offset,
                line_start: start,
                line_end: end,
                column: place.column,
                file: u16::try_from(place.file).unwrap_or(u16::MAX),
                line: place.line,
            };
        } else if offset >= self.offset {
            self.column += sources.chars_between(self.offset, offset);
            self.offset = offset;
        } else {
            self.column -= sources.chars_between(offset, self.offset);
            self.offset = offset;
        }
        SrcPos { file: self.file, column: u16::try_from(self.column).unwrap_or(u16::MAX), line: self.line }
    }
}
