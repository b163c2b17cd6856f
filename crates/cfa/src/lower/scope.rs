//! Names in scope. C has two name spaces that matter here: ordinary identifiers and tags; members and labels are
//! looked up elsewhere.

use super::types::{RecordId, TypeId};
use crate::ir::{ExprId, FuncId, ObjId, VarId};
use robusto_syntax::{Span, Symbol};
use rustc_hash::FxHashMap;

/// What an ordinary identifier means.
#[derive(Clone, Copy, Debug)]
pub enum Sym {
    /// A variable in memory.
    Object(ObjId),
    /// A variable-length array: the variable holds its address.
    Vla(VarId, TypeId),
    /// An alias of an object, with a type of its own.
    Alias(ObjId, TypeId),
    /// A function.
    Function(FuncId),
    /// A typedef, with the alignment that attributes ask for (else 1).
    Typedef(TypeId, u64),
    /// An enumerator.
    Constant(i128, TypeId),
}

/// What a tag means.
#[derive(Clone, Copy, Debug)]
pub enum Tag {
    /// `struct` or `union`.
    Record(RecordId, TypeId),
    /// `enum`, as its integer type.
    Enum(TypeId),
}

/// What happens when a scope is left.
#[derive(Clone, Copy, Debug)]
pub enum ScopeEnd {
    /// A variable-length array ends; the variable holds its address.
    Free(VarId),
    /// A variable's block ends, where checks of memory want to know that.
    Object(ObjId),
    /// A function gets the address of a variable: `__attribute__((cleanup(f)))`.
    Cleanup(FuncId, ExprId),
}

/// A scope that is left, and what happens then, in order of declaration.
pub type ScopeEnds = (LevelId, Vec<ScopeEnd>);

/// A scope, and the variables that are declared in it so far.
pub type ScopeVariables = (LevelId, Vec<ObjId>);

/// A scope's number.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LevelId(u32);

#[derive(Debug, Default)]
struct Level {
    id: LevelId,
    symbols: FxHashMap<Symbol, (Sym, Span)>,
    tags: FxHashMap<Symbol, Tag>,
    ends: Vec<ScopeEnd>,
    variables: Vec<ObjId>,
}

/// The nested scopes, innermost last. Level 0 holds what the compiler itself declares, level 1 is the file's.
#[derive(Debug)]
pub struct Scopes {
    levels: Vec<Level>,
    opened: u32,
}

/// A file scope put aside.
#[derive(Debug)]
pub struct FileScope(Level);

impl FileScope {
    /// The meaning of an identifier.
    pub fn lookup(&self, name: Symbol) -> Option<Sym> {
        self.0.symbols.get(&name).map(|&(sym, _)| sym)
    }

    /// Changes the meaning of every identifier.
    pub fn replace(&mut self, mut change: impl FnMut(Symbol, &mut Sym)) {
        self.0.symbols.iter_mut().for_each(|(&name, (sym, _))| change(name, sym));
    }
}

/// Nested scopes put aside.
#[derive(Debug)]
pub struct Suspended(Vec<Level>);

impl Scopes {
    /// Only the compiler's scope.
    pub fn new() -> Self {
        Self { levels: vec![Level::default()], opened: 0 }
    }

    /// Opens a scope.
    pub fn push(&mut self) {
        self.opened += 1;
        self.levels.push(Level { id: LevelId(self.opened), ..Level::default() });
    }

    /// Closes the innermost scope; returns what happens then, in order of declaration.
    pub fn pop(&mut self) -> Vec<ScopeEnd> {
        self.levels.pop().map(|l| l.ends).unwrap_or_default()
    }

    /// How many scopes are open.
    pub fn depth(&self) -> usize {
        self.levels.len()
    }

    /// The scopes beyond the first `depth`, with what happens at their ends, innermost first.
    pub fn ends_beyond(&self, depth: usize) -> Vec<ScopeEnds> {
        let levels = self.levels.get(depth..).unwrap_or_default().iter().rev();
        levels.map(|level| (level.id, level.ends.clone())).collect()
    }

    /// Remembers a variable of the innermost scope that is new each time the scope is entered.
    pub fn add_variable(&mut self, object: ObjId) {
        self.innermost().variables.push(object);
    }

    /// The scopes beyond the first `depth`, outermost first.
    pub fn beyond(&self, depth: usize) -> Vec<LevelId> {
        self.levels.get(depth..).unwrap_or_default().iter().map(|level| level.id).collect()
    }

    /// The scopes beyond the first `depth` that declare variables before this place, outermost first.
    pub fn variables_beyond(&self, depth: usize) -> Vec<ScopeVariables> {
        let levels = self.levels.get(depth..).unwrap_or_default().iter();
        let declaring = levels.filter(|level| !level.variables.is_empty());
        declaring.map(|level| (level.id, level.variables.clone())).collect()
    }

    /// Whether the innermost scope is a file's.
    pub fn at_file_level(&self) -> bool {
        self.levels.len() <= 2
    }

    /// Puts the file scope aside.
    pub fn take_file(&mut self) -> FileScope {
        debug_assert_eq!(self.levels.len(), 2);
        FileScope(self.levels.pop().unwrap_or_default())
    }

    /// Goes back to a file scope.
    pub fn restore_file(&mut self, scope: FileScope) {
        debug_assert_eq!(self.levels.len(), 1);
        self.levels.push(scope.0);
    }

    /// Puts all scopes but the compiler's aside.
    pub fn suspend(&mut self) -> Suspended {
        Suspended(self.levels.split_off(1))
    }

    /// Goes back to the scopes put aside.
    pub fn resume(&mut self, suspended: Suspended) {
        debug_assert_eq!(self.levels.len(), 1);
        self.levels.extend(suspended.0);
    }

    /// Remembers what happens when the innermost scope is left.
    pub fn add_end(&mut self, end: ScopeEnd) {
        self.innermost().ends.push(end);
    }

    /// Declares an identifier in the innermost scope.
    pub fn declare(&mut self, name: Symbol, sym: Sym, span: Span) {
        self.innermost().symbols.insert(name, (sym, span));
    }

    /// Declares a tag in the innermost scope.
    pub fn declare_tag(&mut self, name: Symbol, tag: Tag) {
        self.innermost().tags.insert(name, tag);
    }

    /// The meaning of an identifier.
    pub fn lookup(&self, name: Symbol) -> Option<Sym> {
        self.levels.iter().rev().find_map(|l| l.symbols.get(&name)).map(|&(sym, _)| sym)
    }

    /// The meaning of an identifier in the innermost scope alone, and where it was declared.
    pub fn lookup_here(&self, name: Symbol) -> Option<(Sym, Span)> {
        self.levels.last().and_then(|l| l.symbols.get(&name)).copied()
    }

    /// The meaning of a tag.
    pub fn lookup_tag(&self, name: Symbol) -> Option<Tag> {
        self.levels.iter().rev().find_map(|l| l.tags.get(&name)).copied()
    }

    /// The meaning of a tag in the innermost scope alone.
    pub fn lookup_tag_here(&self, name: Symbol) -> Option<Tag> {
        self.levels.last().and_then(|l| l.tags.get(&name)).copied()
    }

    fn innermost(&mut self) -> &mut Level {
        self.levels.last_mut().expect("the compiler's scope is never closed")
    }
}
