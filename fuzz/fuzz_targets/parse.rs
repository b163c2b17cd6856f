//! Parses arbitrary text: it must end, with a tree or with diagnostics that can be rendered.

#![no_main]

use libfuzzer_sys::fuzz_target;
use robusto_syntax::{Bump, Interner, SourceMap, parse};

/// The stack that the parser may count on.
const STACK: usize = 256 << 20;

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data).into_owned();
    let worker = std::thread::Builder::new().stack_size(STACK).spawn(move || check(text));
    worker.expect("a thread can be started").join().expect("the parser does not panic");
});

fn check(text: String) {
    let (arena, mut sources, mut names) = (Bump::new(), SourceMap::new(), Interner::new());
    let file = sources.add("fuzz.c", text).expect("the input is small");
    if let Err(errors) = parse::parse(&arena, &mut sources, file, &mut names) {
        assert!((1..=20).contains(&errors.len()));
        for error in errors {
            assert!(!error.render(&sources).is_empty());
        }
    }
}
