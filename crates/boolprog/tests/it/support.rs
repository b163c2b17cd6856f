//! Programs from text.

use robusto_boolprog::{Dialect, Program, ast::File, lower, parse};
use robusto_syntax::{Diagnostic, SourceMap};

/// Reads a text; gives the tree, the automata and the warnings, or what is wrong, rendered.
pub fn read(text: &str, dialect: Dialect) -> Result<(File, Program, Vec<String>), String> {
    let mut sources = SourceMap::new();
    let id = sources.add("p.bp", text.to_owned()).expect("a small file");
    let render = |list: &[Diagnostic]| list.iter().map(|d| d.render(&sources)).collect::<Vec<_>>();
    let (file, warnings) = parse(&sources, id, dialect).map_err(|error| render(&[error]).concat())?;
    let program = lower(&file, &sources).map_err(|errors| render(&errors).concat())?;
    Ok((file, program, render(&warnings)))
}

/// Reads a text without mistakes.
#[track_caller]
pub fn program(text: &str) -> Program {
    read(text, Dialect::default()).unwrap_or_else(|error| panic!("{error}")).1
}
