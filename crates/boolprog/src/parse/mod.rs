//! Tokens to a tree.
//!
//! No text makes this panic, overflow the stack or loop: expressions are read with a stack of our own
//! ([`NESTING`] levels at most), blocks by recursion ([`BLOCKS`] levels at most).

mod expr;
mod stmt;

use crate::ast::{File, Name, Procedure, Tree};
use crate::dialect::Dialect;
use crate::lex::{self, Kind, Token};
use robusto_syntax::source::FileId;
use robusto_syntax::{Diagnostic, SourceMap, Span};

/// Levels of parentheses and the like in an expression. Machine-made conjunctions have one per conjunct.
pub const NESTING: usize = 10_000;

/// Levels of `if` and `while`: a level takes some 700 bytes of stack when nothing is optimised, and a thread has 2 MB.
pub const BLOCKS: usize = 500;

/// Words that are no names.
const KEYWORDS: [&str; 27] = [
    "decl",
    "void",
    "bool",
    "begin",
    "end",
    "if",
    "then",
    "elsif",
    "else",
    "fi",
    "while",
    "do",
    "od",
    "goto",
    "skip",
    "assume",
    "assert",
    "return",
    "constrain",
    "enforce",
    "abortif",
    "dead",
    "dfs",
    "print",
    "schoose",
    "T",
    "F",
];

/// Words of concurrent Boolean programs.
const THREADS: [&str; 5] = ["start_thread", "end_thread", "sync", "atomic_begin", "atomic_end"];

/// Whether a word has a meaning of its own, so that nothing can have it as its name.
pub fn is_reserved(word: &str) -> bool {
    KEYWORDS.contains(&word) || THREADS.contains(&word) || word == "_"
}

/// Reads a program; gives warnings with it, or what is wrong.
pub fn parse(sources: &SourceMap, file: FileId, dialect: Dialect) -> Result<(File, Vec<Diagnostic>), Diagnostic> {
    let (text, base) = (sources.text(file), sources.base(file));
    let tokens = lex::tokens(text, base)?;
    let mut parser =
        Parser { text, base, tokens, at: 0, dialect, file: File::default(), warnings: Vec::new(), blocks: 0 };
    parser.program()?;
    Ok((parser.file, parser.warnings))
}

type Result<T, E = Diagnostic> = std::result::Result<T, E>;

struct Parser<'t> {
    text: &'t str,
    base: u32,
    tokens: Vec<Token>,
    at: usize,
    dialect: Dialect,
    file: File,
    warnings: Vec<Diagnostic>,
    blocks: usize,
}

impl<'t> Parser<'t> {
    fn program(&mut self) -> Result<()> {
        while self.peek().kind != Kind::End {
            if self.accept_word("decl") {
                let names = self.declaration()?;
                self.file.globals.extend(names);
            } else {
                let procedure = self.procedure()?;
                self.file.procedures.push(procedure);
            }
        }
        if self.file.procedures.is_empty() {
            return Err(Diagnostic::error(self.peek().span, "there is no procedure in this file"));
        }
        Ok(())
    }

    fn procedure(&mut self) -> Result<Procedure> {
        let mut dfs = self.accept_word("dfs");
        let results = self.result_type()?;
        let name = self.name()?;
        self.expect("(")?;
        let formals = if self.accept(")") {
            Vec::new()
        } else {
            let names = self.names()?;
            self.expect(")")?;
            names
        };
        dfs |= self.accept_word("dfs");
        self.expect_word("begin")?;
        let (mut locals, mut enforce) = (Vec::new(), Vec::new());
        loop {
            if self.accept_word("decl") {
                locals.extend(self.declaration()?);
            } else if self.accept_word("enforce") {
                enforce.push(self.expression()?);
                self.expect(";")?;
            } else {
                break;
            }
        }
        let body = self.block(&["end"])?;
        let end = self.expect_word("end")?;
        self.accept(";");
        Ok(Procedure { name, results, formals, locals, enforce, dfs, body, end })
    }

    fn result_type(&mut self) -> Result<u32> {
        if self.accept_word("void") {
            return Ok(0);
        }
        if !self.accept_word("bool") {
            return Err(self.unexpected("`decl`, or a procedure (`void`, `bool` or `bool<n>`)"));
        }
        if !self.accept("<") {
            return Ok(1);
        }
        let number = self.peek();
        if number.kind != Kind::Number {
            return Err(self.unexpected("a number of results"));
        }
        self.at += 1;
        // Each result needs a value in every `return`; more than the text has bytes there cannot be.
        let count = self.text_of(number.span).parse().ok().filter(|&count| count as usize <= self.text.len());
        let count = count.ok_or_else(|| Diagnostic::error(number.span, "these are too many results"))?;
        self.expect(">")?;
        Ok(count)
    }

    fn declaration(&mut self) -> Result<Vec<Name>> {
        let names = self.names()?;
        self.expect(";")?;
        Ok(names)
    }

    fn names(&mut self) -> Result<Vec<Name>> {
        let mut names = vec![self.name()?];
        while self.accept(",") {
            names.push(self.name()?);
        }
        Ok(names)
    }

    fn expressions(&mut self) -> Result<Vec<Tree>> {
        let mut list = vec![self.expression()?];
        while self.accept(",") {
            list.push(self.expression()?);
        }
        Ok(list)
    }

    fn name(&mut self) -> Result<Name> {
        let token = self.peek();
        let text = self.text_of(token.span);
        let is_name = token.kind == Kind::Braced || (token.kind == Kind::Word && !KEYWORDS.contains(&text));
        if !is_name {
            return Err(self.unexpected("a name"));
        }
        self.at += 1;
        Ok(Name { text: text.into(), span: token.span })
    }

    fn peek(&self) -> Token {
        self.tokens[self.at]
    }

    fn peek_second(&self) -> Token {
        self.tokens[(self.at + 1).min(self.tokens.len() - 1)]
    }

    fn text_of(&self, span: Span) -> &'t str {
        &self.text[(span.lo - self.base) as usize..(span.hi - self.base) as usize]
    }

    fn accept(&mut self, punct: &'static str) -> bool {
        let found = self.peek().kind == Kind::Punct(punct);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, punct: &'static str) -> Result<Span> {
        let span = self.peek().span;
        if self.accept(punct) { Ok(span) } else { Err(self.unexpected(&format!("`{punct}`"))) }
    }

    fn is_word(&self, word: &str) -> bool {
        let token = self.peek();
        token.kind == Kind::Word && self.text_of(token.span) == word
    }

    fn accept_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        self.at += usize::from(found);
        found
    }

    fn expect_word(&mut self, word: &str) -> Result<Span> {
        let span = self.peek().span;
        if self.accept_word(word) { Ok(span) } else { Err(self.unexpected(&format!("`{word}`"))) }
    }

    fn unexpected(&self, wanted: &str) -> Diagnostic {
        let token = self.peek();
        let found = match token.kind {
            Kind::End => "the end of the file".to_owned(),
            _ => format!("`{}`", self.text_of(token.span)),
        };
        Diagnostic::error(token.span, format!("expected {wanted}, found {found}"))
    }
}
