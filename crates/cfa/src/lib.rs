//! From the syntax tree to control-flow automata (CFA).
//!
//! `lower` gives the tree types and turns it into automata in which every variable is a memory object; `promote` turns
//! the objects whose address never escapes into plain variables (structs into one variable per field). What comes out
//! is the [`ir::Program`] that every engine reads. C's type rules end here: an engine sees bit-vectors, floats,
//! pointers, and memory objects made of bytes.
//!
//! Architecture invariant: no I/O, and no engine's needs beyond the semantics. The meaning of every construct is
//! settled in `lower`, once.

pub mod analysis;
pub mod draw;
pub mod facts;
pub mod ir;
pub mod lower;
pub mod printf;
pub mod promote;
pub mod returns;
pub mod text;
pub mod verify;

pub use lower::entry::Entry as EntryPoint;
pub use lower::library::table::{By, Entry, Treatment, entries as library};
pub use lower::library::{page as library_page, text as library_text};
pub use lower::{Checks, Compiled, Defined, Driver, Externs, Malloc, Options, Volatile, compile, compile_all};
