//! A C preprocessor for files without `#include`.
//!
//! Many programs under verification are one self-contained file with a few macros; they should need no external
//! compiler. Whatever includes headers is left to one ([`needs_external`]).
//!
//! The output has one line for each line of the input, so line numbers need no markers (but those that `#line` asks
//! for); tokens that do not come from a macro keep their columns. Macro expansion is the algorithm with hide sets by
//! Dave Prosser ("A complete macro expansion algorithm", the working paper of X3J11 from which the standard's text was
//! derived):
//!
//! | paper | here |
//! |---|---|
//! | `expand(TS)` | `expand`, one token at a time |
//! | `subst(IS, FP, AP, HS, OS)` | `substitute` |
//! | `glue(LS, RS)` | `paste` |
//! | `hsadd(HS, TS)`, `HS ∩ HS'` | `hide::HideSets` |
//!
//! Deviation: tokens are pulled from the source while arguments are collected, so that directives among the arguments
//! of a macro work as in GCC.

mod condition;
mod directive;
mod expand;
mod has;
mod hide;
mod macros;
mod output;
mod paste;
mod predefined;
mod source;
mod substitute;

use crate::lex::scan::{Raw, Scanner};
use crate::{Diagnostic, Interner, Span, Symbol};
use rustc_hash::FxHashMap;
use std::fmt;
use std::rc::Rc;

/// Sizes of the types of the target.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum DataModel {
    /// `long` and pointers of 64 bits (x86-64).
    #[default]
    Lp64,
    /// `int`, `long` and pointers of 32 bits (i386).
    Ilp32,
}

/// What the preprocessor assumes.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The data model; it decides the predefined macros.
    pub data_model: DataModel,
    /// Definitions as after `-D` on a compiler's command line: `NAME`, `NAME=VALUE` or `NAME(x)=VALUE`.
    pub defines: Vec<String>,
}

/// Why a text cannot be preprocessed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PreprocessError {
    /// One sentence, lower case, no full stop.
    pub message: String,
    /// Offset of the place in the given text.
    pub offset: usize,
    /// Its length in bytes.
    pub length: usize,
    /// Its line, counted from 1.
    pub line: u32,
    /// Its column in characters, counted from 1.
    pub column: u32,
}

impl PreprocessError {
    /// The error as a diagnostic about the given text, whose first byte has offset `base` in the source map.
    pub fn diagnostic(&self, base: u32) -> Diagnostic {
        let lo = base + self.offset as u32;
        Diagnostic::error(Span::new(lo, lo + self.length as u32), self.message.clone())
    }
}

impl fmt::Display for PreprocessError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for PreprocessError {}

/// Whether a text includes other files (outside `#if 0` and comments), or asks whether they exist.
pub fn needs_external(text: &str) -> bool {
    let mut skipped = 0;
    for (name, rest) in directives(text) {
        match name {
            "if" if skipped > 0 || rest.trim() == "0" => skipped += 1,
            "ifdef" | "ifndef" if skipped > 0 => skipped += 1,
            "endif" if skipped > 0 => skipped -= 1,
            "else" | "elif" if skipped == 1 => skipped = 0,
            "include" | "include_next" | "import" | "embed" if skipped == 0 => return true,
            "if" | "elif" if rest.contains("__has_include") => return true,
            _ => {}
        }
    }
    false
}

/// Whether a text has directives that the parser does not accept.
pub fn has_directives(text: &str) -> bool {
    directives(text).any(|(name, _)| !matches!(name, "" | "line" | "pragma" | "ident" | "sccs"))
}

/// Names of the directives in a text, each with the rest of its line; a line marker has no name.
fn directives(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut scanner = Scanner { text, at: 0 };
    let mut line_start = true;
    std::iter::from_fn(move || {
        while let Some(byte) = scanner.byte() {
            match byte {
                b'\n' => line_start = true,
                b'#' | b'%' if line_start && (byte == b'#' || text[scanner.at..].starts_with("%:")) => {
                    scanner.at += if byte == b'#' { 1 } else { 2 };
                    let line = text[scanner.at..].lines().next().unwrap_or("");
                    line_start = false;
                    let line = line.trim_start();
                    let end = line.find(|c: char| !c.is_ascii_lowercase() && c != '_').unwrap_or(line.len());
                    return Some(line.split_at(end));
                }
                _ if byte.is_ascii_whitespace() => {}
                b'\\' if scanner.skip_splices() => continue,
                b'/' if scanner.at_comment() => {
                    scanner.skip_comment();
                    continue;
                }
                _ => {
                    line_start = false;
                    scanner.element(byte);
                    continue;
                }
            }
            scanner.at += 1;
        }
        None
    })
}

/// Preprocesses a text which the user knows as file `name`.
pub fn preprocess(name: &str, text: &str, options: &Options) -> Result<String, PreprocessError> {
    if u32::try_from(text.len()).is_err() {
        let message = "the file exceeds 4 GiB".to_owned();
        return Err(PreprocessError { message, offset: 0, length: 0, line: 1, column: 1 });
    }
    let mut preprocessor = Preprocessor::new(name, text);
    let result = preprocessor.run(options);
    match result {
        Ok(()) => Ok(preprocessor.writer.finish()),
        Err(failure) => Err(preprocessor.source.error(failure)),
    }
}

/// A preprocessing token.
#[derive(Clone, Copy, Debug)]
struct PpToken {
    kind: PpKind,
    text: Symbol,
    /// Where it stands in the source; for a token out of a macro, where the outermost macro was invoked.
    offset: u32,
    /// White space precedes it.
    spaced: bool,
    /// It stands in the source as it is, and not in a macro.
    written: bool,
    /// Macros that must not be expanded here.
    hide: hide::HideSet,
}

/// Kinds of preprocessing tokens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum PpKind {
    Ident,
    Number,
    Str,
    Char,
    Punct(crate::lex::Punct),
    /// Any other character, or a literal that does not end.
    Other,
    /// Nothing, as an operand of `##`.
    Placemarker,
}

impl From<Raw> for PpKind {
    fn from(raw: Raw) -> Self {
        match raw {
            Raw::Word | Raw::ExtendedWord => Self::Ident,
            Raw::Number => Self::Number,
            Raw::Str => Self::Str,
            Raw::Char => Self::Char,
            Raw::Punct(punct) => Self::Punct(punct),
            Raw::Unclosed | Raw::Stray => Self::Other,
        }
    }
}

/// An error before it is given line and column.
#[derive(Debug)]
struct Failure {
    message: String,
    offset: u32,
}

type Pp<T> = Result<T, Failure>;

fn fail<T>(offset: u32, message: impl Into<String>) -> Pp<T> {
    Err(Failure { message: message.into(), offset })
}

/// The state of the preprocessor.
struct Preprocessor<'t> {
    source: source::Source<'t>,
    names: Interner,
    words: macros::Words,
    macros: FxHashMap<Symbol, Rc<macros::Macro>>,
    /// What `#pragma push_macro` put aside, latest last.
    pushed: Vec<(Symbol, Option<Rc<macros::Macro>>)>,
    hides: hide::HideSets,
    conditions: Vec<directive::Condition>,
    writer: output::Writer,
    /// Name of the file, as `#line` may have changed it.
    file: String,
    /// What `#line` adds to line numbers.
    line_shift: i64,
    /// Value of the next `__COUNTER__`.
    counter: u32,
    /// Tokens that macros produced so far.
    produced: usize,
}

impl<'t> Preprocessor<'t> {
    fn new(name: &str, text: &'t str) -> Self {
        let mut names = Interner::new();
        let words = macros::Words::new(&mut names);
        Self {
            source: source::Source::new(text),
            names,
            words,
            macros: FxHashMap::default(),
            pushed: Vec::new(),
            hides: hide::HideSets::new(),
            conditions: Vec::new(),
            writer: output::Writer::new(name),
            file: name.to_owned(),
            line_shift: 0,
            counter: 0,
            produced: 0,
        }
    }

    fn run(&mut self, options: &Options) -> Pp<()> {
        self.predefine(options)?;
        let mut stream = expand::Stream::source();
        while let Some(token) = self.expanded(&mut stream, 0)? {
            let (line, column) = self.source.place(token.offset);
            self.writer.token(&token, self.names.text(token.text), line, column);
        }
        Ok(())
    }

    /// Line of an offset as the program sees it.
    fn presumed_line(&self, offset: u32) -> i64 {
        i64::from(self.source.line(offset)) + self.line_shift
    }
}

#[cfg(test)]
mod tests;
