//! Preprocesses arbitrary text: it must end, with text or with an error at a place in the input.

#![no_main]

use libfuzzer_sys::fuzz_target;
use robusto_syntax::preprocess::{Options, has_directives, needs_external, preprocess};

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    let _ = needs_external(&text);
    let _ = has_directives(&text);
    if let Err(error) = preprocess("fuzz.c", &text, &Options::default()) {
        assert!(error.line >= 1 && error.column >= 1);
        assert!(error.offset + error.length <= text.len());
    }
});
