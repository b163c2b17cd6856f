//! Any text either compiles to a program that the verifier accepts, or is rejected with diagnostics.
#![no_main]

use libfuzzer_sys::fuzz_target;
use robusto_cfa::ir::DataModel;
use robusto_cfa::{Options, compile, verify};
use robusto_syntax::SourceMap;

/// The stack that the parser and the lowering are made for.
const STACK: usize = 256 << 20;

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes).into_owned();
    let run = move || {
        for model in [DataModel::Ilp32, DataModel::Lp64] {
            let mut sources = SourceMap::new();
            let Ok(file) = sources.add("fuzz.c", text.clone()) else { return };
            match compile(&mut sources, &[file], Options::new(model)) {
                Ok((program, _)) => verify::verify(&program).expect("a compiled program is well-formed"),
                Err(errors) => assert!(!errors.is_empty(), "a rejection has a reason"),
            }
        }
    };
    std::thread::Builder::new().stack_size(STACK).spawn(run).expect("a thread").join().expect("no panic");
});
