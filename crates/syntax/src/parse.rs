//! The parser: tokens to syntax tree, by recursive descent.
//!
//! One token of lookahead beyond the current one decides everything, given which names are typedefs
//! (`scope::Scopes`). The grammar is C17 with the GNU extensions; each submodule holds one part of it:
//!
//! | module | part |
//! |---|---|
//! | `item` | file scope, function definitions, declarations |
//! | `specs`, `record` | declaration specifiers, `struct`, `union`, `enum` |
//! | `declarator`, `params` | declarators, parameter lists, type names |
//! | `attribute` | attributes and assembler names |
//! | `init` | initialisers and designators |
//! | `stmt`, `asm` | statements |
//! | `expr`, `primary`, `builtin`, `literal` | expressions |
//!
//! **Errors.** A rule that fails records a diagnostic and returns `Reported`; file scope skips to the end of the
//! broken declaration and goes on, so that several independent errors are seen at once.
//!
//! **Limits.** Later passes walk the tree recursively, so both the recursion of the parser and the height of the tree
//! are bounded (`depth`). Run the parser (and those passes) on a thread with a stack of 256 MiB.

mod asm;
mod attribute;
mod builtin;
mod cursor;
mod declarator;
mod depth;
mod expr;
mod init;
mod item;
mod literal;
mod params;
mod primary;
mod record;
mod scope;
mod specs;
mod stmt;

use crate::ast::{Attribute, IntLit, TranslationUnit};
use crate::lex::{Lexer, Token};
use crate::source::FileId;
use crate::{Diagnostic, Interner, SourceMap};
use bumpalo::Bump;

/// Parses a preprocessed file. Line markers of the file are recorded in `sources`.
///
/// Either the tree of the whole file or all diagnostics (at least one, at most 20).
pub fn parse<'a>(
    arena: &'a Bump,
    sources: &mut SourceMap,
    file: FileId,
    names: &mut Interner,
) -> Result<TranslationUnit<'a>, Vec<Diagnostic>> {
    let base = sources.base(file);
    let mut current_name = sources.position(base).file;
    let mut parser = Parser::new(arena, Lexer::new(sources.text(file), base, names), names);
    let unit = parser.translation_unit();
    let errors = std::mem::take(&mut parser.errors);
    let markers = parser.lexer.into_markers();
    for marker in markers {
        let name = match marker.name {
            Some(name) => names.text(name).to_owned(),
            None => sources.names()[current_name as usize].clone(),
        };
        sources.add_marker(file, marker.at, marker.line, &name);
        current_name = sources.position(marker.at).file;
    }
    if errors.is_empty() { Ok(unit) } else { Err(errors) }
}

/// A rule failed and its diagnostic is recorded.
struct Reported;

/// Result of a rule.
type Parse<T> = Result<T, Reported>;

/// The state of the parser.
struct Parser<'a, 's> {
    arena: &'a Bump,
    names: &'s mut Interner,
    lexer: Lexer<'s>,
    /// The current token.
    token: Token,
    /// The token after it, once somebody asked.
    ahead: Option<Token>,
    /// Offset after the last accepted token.
    last_hi: u32,
    /// Braces open at the current token.
    braces: u32,
    depth: depth::Depth,
    scopes: scope::Scopes,
    /// The last literal of each value below 256.
    small: [Option<&'a IntLit>; 256],
    /// The attributes so far, each name once.
    attributes: Vec<Attribute<'a>>,
    errors: Vec<Diagnostic>,
}

impl<'a, 's> Parser<'a, 's> {
    fn new(arena: &'a Bump, mut lexer: Lexer<'s>, names: &'s mut Interner) -> Self {
        let token = lexer.next_token(names);
        let scopes = scope::Scopes::new(names);
        Self {
            arena,
            names,
            lexer,
            token,
            ahead: None,
            last_hi: token.lo,
            braces: 0,
            depth: depth::Depth::default(),
            scopes,
            small: [None; 256],
            attributes: Vec::new(),
            errors: Vec::new(),
        }
    }

    #[inline]
    fn alloc<T: Copy>(&self, value: T) -> &'a T {
        self.arena.alloc(value)
    }

    #[inline]
    fn slice<T: Copy>(&self, values: &[T]) -> &'a [T] {
        if values.is_empty() { &[] } else { self.arena.alloc_slice_copy(values) }
    }
}

#[cfg(test)]
mod tests;
