//! Decision diagrams.
