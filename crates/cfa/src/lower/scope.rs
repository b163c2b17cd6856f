//! Names in scope. C has two name spaces that matter here: ordinary identifiers and tags; members and labels are
//! looked up elsewhere.

use super::types::{RecordId, TypeId};
use crate::ir::{FuncId, ObjId, VarId};
use robusto_syntax::{Span, Symbol};
use rustc_hash::FxHashMap;

/// What an ordinary identifier means.
#[derive(Clone, Copy, Debug)]
pub enum Sym {
    /// A variable in memory.
    Object(ObjId),
    /// A variable-length array: the variable holds its address.
    Vla(VarId, TypeId),
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

#[derive(Debug, Default)]
struct Level {
    symbols: FxHashMap<Symbol, (Sym, Span)>,
    tags: FxHashMap<Symbol, Tag>,
    vlas: Vec<VarId>,
}

/// The nested scopes, innermost last. Level 0 holds what the compiler itself declares, level 1 is the file's.
#[derive(Debug)]
pub struct Scopes {
    levels: Vec<Level>,
}

/// A file scope put aside.
#[derive(Debug)]
pub struct FileScope(Level);

/// Nested scopes put aside.
#[derive(Debug)]
pub struct Suspended(Vec<Level>);

impl Scopes {
    /// Only the compiler's scope.
    pub fn new() -> Self {
        Self { levels: vec![Level::default()] }
    }

    /// Opens a scope.
    pub fn push(&mut self) {
        self.levels.push(Level::default());
    }

    /// Closes the innermost scope; returns the addresses of its variable-length arrays.
    pub fn pop(&mut self) -> Vec<VarId> {
        self.levels.pop().map(|l| l.vlas).unwrap_or_default()
    }

    /// Number of open scopes.
    pub fn depth(&self) -> usize {
        self.levels.len()
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

    /// Remembers a variable-length array of the innermost scope.
    pub fn add_vla(&mut self, address: VarId) {
        self.innermost().vlas.push(address);
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
