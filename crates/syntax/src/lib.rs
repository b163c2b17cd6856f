//! C text to syntax tree.
//!
//! The flow is `SourceMap` (files and line markers) → [`lex`] (tokens) → [`parse`] (tree with spans). Every problem
//! is a [`Diagnostic`] with a span; nothing here panics on bad input. The tree lives in a [`bumpalo::Bump`] arena so
//! that a deep tree needs no recursive drop and a large file few allocations.
//!
//! Architecture invariant: this crate knows no C types and does no I/O. It keeps only what the grammar needs: which
//! names are typedefs in the current scope.

pub mod ast;
pub mod columns;
pub mod diag;
pub mod excerpt;
pub mod lex;
pub mod parse;
pub mod preprocess;
pub mod source;
pub mod symbol;

pub use bumpalo::Bump;
pub use columns::Columns;
pub use diag::{Diagnostic, Severity};
pub use excerpt::Excerpt;
pub use source::{Position, SourceMap, Span};
pub use symbol::{Interner, Symbol};
