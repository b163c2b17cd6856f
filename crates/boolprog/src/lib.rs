//! Boolean programs: the language, automata, and engines that decide whether an assertion can fail.
//!
//! The flow: text → [`mod@parse`] → tree ([`ast`]; [`mod@print`] writes it back) → [`mod@lower`] → automata ([`program`])
//! → an engine → a trace, which [`mod@replay`] executes.

pub mod ast;
pub mod bdd;
pub mod certificate;
pub mod certify;
pub mod check;
pub mod dialect;
pub mod draw;
pub mod explicit;
pub mod facts;
mod lex;
pub mod lower;
mod made;
pub mod parse;
pub mod print;
pub mod program;
mod record;
pub mod replay;
pub mod targets;
pub mod varset;

pub use check::{Engine, Options, check};
pub use dialect::Dialect;
pub use facts::Facts;
pub use lower::lower;
pub use made::made;
pub use parse::parse;
pub use print::print;
pub use program::Program;
pub use replay::replay;
pub use targets::{Question, Targets};
