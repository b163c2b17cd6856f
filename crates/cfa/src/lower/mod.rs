//! (to come)

use crate::ir::{DataModel, Program};
use robusto_syntax::source::FileId;
use robusto_syntax::{Diagnostic, SourceMap};

/// What the lowering needs to know beside the text.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Sizes of C's types.
    pub model: DataModel,
}

/// Parses, types, lowers and links the files (already preprocessed) into one program, and adds the library models that
/// it refers to. The second value holds warnings.
pub fn compile(
    _sources: &mut SourceMap,
    _files: &[FileId],
    options: Options,
) -> Result<(Program, Vec<Diagnostic>), Vec<Diagnostic>> {
    Ok((Program::new(options.model), Vec::new()))
}
