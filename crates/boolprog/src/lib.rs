//! Boolean programs: the language, automata, and engines that decide whether an assertion can fail.
//!
//! The flow: text → [`mod@parse`] → tree ([`ast`]; [`mod@print`] writes it back) → [`mod@lower`] → automata ([`program`]).

pub mod ast;
pub mod dialect;
mod lex;
pub mod lower;
pub mod parse;
pub mod print;
pub mod program;

pub use dialect::Dialect;
pub use lower::lower;
pub use parse::parse;
pub use print::print;
pub use program::Program;
