//! Reads arbitrary text as a Boolean program: it must end, with diagnostics that can be rendered, or with a program whose print
//! reads back and prints the same.

#![no_main]

use libfuzzer_sys::fuzz_target;
use robusto_boolprog::{Dialect, ast, lower, parse, print};
use robusto_syntax::{Diagnostic, SourceMap};

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data).into_owned();
    let Some(file) = read(text, Dialect::Satabs) else { return };
    let printed = print(&file);
    for dialect in Dialect::ALL {
        let again = read(printed.clone(), dialect).expect("what is printed can be read");
        assert_eq!(print(&again), printed);
    }
});

fn read(text: String, dialect: Dialect) -> Option<ast::File> {
    let mut sources = SourceMap::new();
    let id = sources.add("fuzz.bp", text).expect("the input is small");
    let show = |diagnostic: &Diagnostic| assert!(!diagnostic.render(&sources).is_empty());
    let (file, warnings) = parse(&sources, id, dialect).map_err(|error| show(&error)).ok()?;
    warnings.iter().for_each(show);
    lower(&file, &sources).map_err(|errors| errors.iter().for_each(show)).ok()?;
    Some(file)
}
