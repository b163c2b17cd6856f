//! The places of a C file that witnesses speak of: statements, loops, branches, calls.

use crate::walk::{Found, Walk};
use robusto_cfa::Checks;
use robusto_cfa::ir::SrcPos;
use robusto_syntax::ast::Item;
use robusto_syntax::source::FileId;
use robusto_syntax::{Bump, Columns, Interner, SourceMap};
use robusto_verdict::Place;
use std::collections::HashMap;
use std::ops::Range;

/// All places of a file.
#[derive(Debug)]
pub struct Index {
    pub(crate) sources: SourceMap,
    pub(crate) file: FileId,
    pub(crate) statements: Vec<Statement>,
    pub(crate) loops: Vec<Loop>,
    pub(crate) branches: Vec<Branch>,
    pub(crate) calls: Vec<Call>,
    pub(crate) bodies: Vec<Body>,
    /// How often names are declared, by function; at file scope the function is empty.
    declared: HashMap<String, HashMap<String, u32>>,
    /// Where the first declaration starts, behind line markers.
    pub(crate) start: usize,
    /// Whether lines and columns are those of the text, whatever its line markers say.
    physical: bool,
    /// Else the columns of the file that it is made of.
    columns: Columns,
}

/// A statement or declaration in a function.
#[derive(Clone, Debug)]
pub(crate) struct Statement {
    pub(crate) span: Range<usize>,
    /// Where something can be put before it: behind its labels.
    pub(crate) inner: usize,
    /// Whether it is the body of another statement, so that something before it needs braces.
    pub(crate) body: bool,
    pub(crate) declaration: bool,
    pub(crate) function: String,
    /// What it evaluates first; none for a block or a loop, which have other statements for that.
    pub(crate) first: Option<Range<u32>>,
}

/// A loop.
#[derive(Clone, Debug)]
pub(crate) struct Loop {
    pub(crate) keyword: usize,
    /// Where the condition stands; empty for `for (;;)`.
    pub(crate) condition: Range<usize>,
    pub(crate) function: String,
    /// What the body evaluates first, if the condition is always true and nobody tests it.
    pub(crate) first: Option<Range<u32>>,
}

/// An `if`, a loop or a `switch`.
#[derive(Clone, Debug)]
pub(crate) struct Branch {
    pub(crate) keyword: usize,
    pub(crate) condition: Range<usize>,
    pub(crate) shape: Option<Shape>,
    pub(crate) function: String,
}

/// How a condition is decided: its leaves are branches of the automaton.
#[derive(Clone, Debug)]
pub(crate) enum Shape {
    Leaf(SrcPos),
    Not(Box<Shape>),
    And(Box<Shape>, Box<Shape>),
    Or(Box<Shape>, Box<Shape>),
}

/// A function with a body.
#[derive(Clone, Debug)]
pub(crate) struct Body {
    pub(crate) function: String,
    /// Where the definition starts.
    pub(crate) start: usize,
    /// Where the name stands.
    pub(crate) name: usize,
    /// The parameters; `None` if one has no name.
    pub(crate) parameters: Option<Vec<String>>,
    /// Behind the opening brace.
    pub(crate) open: usize,
    /// The closing brace.
    pub(crate) brace: usize,
    /// Where the last statement of the body starts.
    pub(crate) last: Option<usize>,
    pub(crate) returns: Vec<Return>,
}

/// A `return`.
#[derive(Clone, Debug)]
pub(crate) struct Return {
    /// From the keyword to the semicolon.
    pub(crate) span: Range<usize>,
    pub(crate) value: Option<Range<usize>>,
}

/// A call.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub(crate) span: Range<usize>,
    pub(crate) pos: SrcPos,
    /// The called function, if it is named.
    pub(crate) callee: Option<String>,
    /// The last argument.
    pub(crate) last: Option<Range<usize>>,
    /// Whether there are calls in the arguments.
    pub(crate) has_calls: bool,
    pub(crate) function: String,
}

impl Index {
    /// The places of a file that compiles. `physical` says that the text is the user's file, not what a preprocessor
    /// made of it; `checks` are those that the program is compiled with.
    pub fn new(name: &str, text: &str, physical: bool, checks: Checks) -> Option<Self> {
        let mut sources = SourceMap::new();
        let file = sources.add(name, text.to_owned()).ok()?;
        let arena = Bump::new();
        let mut names = Interner::new();
        let unit = robusto_syntax::parse::parse(&arena, &mut sources, file, &mut names).ok()?;
        let mut walk = Walk {
            sources: &sources,
            names: &names,
            text,
            base: sources.base(file),
            function: String::new(),
            checked: checks.overflow,
            found: Found::default(),
        };
        let start = match unit.items.first() {
            Some(Item::Function(def)) => def.span.lo,
            Some(Item::Declaration(declaration)) => declaration.span.lo,
            Some(Item::StaticAssert(assert)) => assert.span.lo,
            Some(Item::Asm(_, span)) => span.lo,
            None => walk.base,
        };
        let start = walk.offset(start);
        for item in unit.items {
            match item {
                Item::Function(def) => walk.definition(def),
                Item::Declaration(declaration) => {
                    // Once for any number of declarations of the same thing.
                    declaration.declarators.iter().for_each(|d| walk.declare(&d.declarator, |_| 1));
                }
                _ => {}
            }
        }
        let Found { mut statements, loops, branches, calls, bodies, declared, .. } = walk.found;
        statements.sort_by_key(|s| (s.span.start, std::cmp::Reverse(s.span.end)));
        Some(Self {
            sources,
            file,
            statements,
            loops,
            branches,
            calls,
            bodies,
            declared,
            start,
            physical,
            columns: Columns::default(),
        })
    }

    /// The places are those of the file that the text is made of.
    pub fn of_file(self, name: &str, original: &str) -> Self {
        let columns = Columns::new(self.text(), name, original);
        Self { columns, ..self }
    }

    /// The text.
    pub(crate) fn text(&self) -> &str {
        self.sources.text(self.file)
    }

    /// Line and column of an offset, as witnesses name them.
    pub(crate) fn place(&self, offset: usize) -> (u32, u32) {
        if !self.physical {
            let place = self.sources.position(self.sources.base(self.file) + offset as u32);
            return (place.line, self.columns.in_file(place.line, place.column));
        }
        let before = &self.text()[..offset];
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        (before.matches('\n').count() as u32 + 1, before[start..].chars().count() as u32 + 1)
    }

    /// The position that edges of the automaton have.
    pub(crate) fn pos(&self, offset: usize) -> SrcPos {
        position(&self.sources, self.sources.base(self.file) + offset as u32)
    }

    /// Number of lines.
    pub(crate) fn num_lines(&self) -> u32 {
        self.text().lines().count() as u32
    }

    /// The loops whose heads are the location of the automaton that edges at this position leave.
    pub(crate) fn loops_at(&self, pos: SrcPos) -> impl Iterator<Item = &Loop> {
        self.loops.iter().filter(move |l| {
            let condition = key(self.pos(l.condition.start))..=key(self.pos(l.condition.end));
            self.pos(l.keyword) == pos || condition.contains(&key(pos)) || self.is_first(l.first.as_ref(), pos)
        })
    }

    /// Whether each name in an expression can mean one thing only, wherever in the function it stands.
    pub(crate) fn is_unambiguous(&self, expression: &str, function: &str) -> bool {
        let declared = |scope: &str, name: &str| self.declared.get(scope).and_then(|d| d.get(name)).map_or(0, |n| *n);
        let mut words = expression.split(|c: char| !c.is_alphanumeric() && c != '_');
        words.all(|name| declared("", name) + declared(function, name) <= 1)
    }

    /// Whether a name is declared at file scope.
    pub(crate) fn is_global(&self, name: &str) -> bool {
        self.declared.get("").is_some_and(|names| names.contains_key(name))
    }

    /// The statement that begins at the location of the automaton that edges at this position leave.
    pub(crate) fn statement_at(&self, pos: SrcPos) -> Option<&Statement> {
        self.statements.iter().find(|s| self.is_first(s.first.as_ref(), pos))
    }

    fn is_first(&self, first: Option<&Range<u32>>, pos: SrcPos) -> bool {
        let place = |offset| key(position(&self.sources, offset));
        first.is_some_and(|range| (place(range.start)..place(range.end)).contains(&key(pos)))
    }

    /// The statement that encloses a position of the automaton most closely.
    pub(crate) fn statement_around(&self, pos: SrcPos) -> Option<&Statement> {
        let contains = |s: &&Statement| (key(self.pos(s.span.start))..key(self.pos(s.span.end))).contains(&key(pos));
        let around = self.statements.iter().filter(contains);
        around.min_by_key(|s| s.span.len())
    }

    /// The last statement of the function that ends at a position: what happens at the closing brace comes right behind it.
    pub(crate) fn last_before(&self, pos: SrcPos) -> Option<&Statement> {
        let ended = self.bodies.iter().find(|body| self.pos(body.brace) == pos)?;
        self.statements.iter().find(|s| Some(s.span.start) == ended.last)
    }
}

/// Orders positions of a file.
pub(crate) fn key(pos: SrcPos) -> (u16, u32, u16) {
    (pos.file, pos.line, pos.column)
}

/// A place of a report as edges of the automaton have it.
pub(crate) fn pos_of(place: Place) -> SrcPos {
    let Place { file, column, line } = place;
    SrcPos { file, column, line }
}

pub(crate) fn position(sources: &SourceMap, offset: u32) -> SrcPos {
    let place = sources.position(offset);
    SrcPos {
        file: u16::try_from(place.file).unwrap_or(u16::MAX),
        column: u16::try_from(place.column).unwrap_or(u16::MAX),
        line: place.line,
    }
}
