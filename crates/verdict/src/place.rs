//! Places in the input.

/// A place in a file: line and column from 1. Line 0 means that there is no place.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Place {
    /// The number of the file in the run's list of files.
    pub file: u16,
    /// Column, `u16::MAX` for any beyond that.
    pub column: u16,
    /// Line.
    pub line: u32,
}
