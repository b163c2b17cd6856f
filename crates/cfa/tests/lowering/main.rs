//! What the lowering makes of C, and how long that takes.

mod constructs;
mod deep;
mod tables;

use robusto_cfa::Options;
use robusto_cfa::ir::{DataModel, Program};
use robusto_syntax::SourceMap;

/// The program of a text.
fn compile(text: &str, model: DataModel) -> Program {
    compile_with(text, Options::new(model))
}

fn compile_with(text: &str, options: Options) -> Program {
    let mut sources = SourceMap::new();
    let file = sources.add("test.c", text.into()).expect("there is room for the text");
    match robusto_cfa::compile(&mut sources, &[file], options) {
        Ok((program, _)) => program,
        Err(errors) => panic!("{:?}\n{text}", errors[0].message),
    }
}
