//! Trees that were made, not read: places for them.

use crate::ast::File;
use crate::{Dialect, Program, lower, parse, print};
use robusto_syntax::{Diagnostic, SourceMap};

/// The program of a tree without places, as if its text had been read; `name` is the text's.
pub fn made(file: &File, name: &str) -> Result<Program, Vec<Diagnostic>> {
    let mut sources = SourceMap::new();
    let text = print(file);
    let id = sources.add(name, text).map_err(|error| vec![Diagnostic::error(Default::default(), error.to_string())])?;
    let (file, _) = parse(&sources, id, Dialect::default()).map_err(|error| vec![error])?;
    lower(&file, &sources)
}
