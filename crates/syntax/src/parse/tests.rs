//! Tests of the parser, by part of the grammar.

mod declarations;
mod diagnostics;
mod expressions;
mod limits;
mod mutations;
mod print;
mod statements;
mod typedefs;

use super::parse;
use crate::ast::TranslationUnit;
use crate::{Bump, Interner, SourceMap};

/// The tree of a text in the form of [`print`], or the rendered diagnostics.
fn tree(text: &str) -> Result<String, String> {
    parsed(text, |names, unit| print::Printer { names }.unit(unit))
}

/// What `look` sees in the tree of a text, or the rendered diagnostics.
fn parsed<T>(text: &str, look: impl FnOnce(&Interner, &TranslationUnit<'_>) -> T) -> Result<T, String> {
    let (arena, mut sources, mut names) = (Bump::new(), SourceMap::new(), Interner::new());
    let file = sources.add("t.c", text.to_owned()).map_err(|error| error.to_string())?;
    match parse(&arena, &mut sources, file, &mut names) {
        Ok(unit) => Ok(look(&names, &unit)),
        Err(errors) => Err(errors.iter().map(|error| error.render(&sources)).collect()),
    }
}

/// A file's tree is as expected.
#[track_caller]
fn check(text: &str, expected: &str) {
    match tree(text) {
        Ok(tree) => assert_eq!(tree, expected, "{text}"),
        Err(errors) => panic!("{text}\n{errors}"),
    }
}

/// The tree of a function's body is as expected.
#[track_caller]
fn check_body(text: &str, expected: &str) {
    check(&format!("void f(void) {{ {text} }}"), &format!("f: function() to void {{{expected}}}"));
}

/// The tree of an expression is as expected.
#[track_caller]
fn check_expr(text: &str, expected: &str) {
    check_body(&format!("{text};"), expected);
}

/// A text is not accepted, with these diagnostics.
#[track_caller]
fn check_error(text: &str, expected: &str) {
    match tree(text) {
        Ok(tree) => panic!("{text} was accepted: {tree}"),
        Err(errors) => assert_eq!(errors, expected),
    }
}
