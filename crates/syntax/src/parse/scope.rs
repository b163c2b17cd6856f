//! Which names are typedefs.
//!
//! Ordinary identifiers and typedef names share one name space, so an inner declaration of either kind hides an outer
//! one of the other. Only names that are a typedef somewhere are kept; what is absent is an ordinary identifier.

use crate::ast::{Sign, TypeSpec};
use crate::{Interner, Symbol};
use rustc_hash::FxHashMap;

/// What a name stands for.
#[derive(Clone, Copy)]
enum Meaning {
    /// A variable, function, parameter or enumerator that hides a typedef.
    Ordinary,
    /// A typedef.
    Typedef,
    /// A type that GCC knows under a name which programs may still declare (`typedef float _Float32;`).
    Builtin(TypeSpec<'static>),
}

/// The names in scope.
pub(super) struct Scopes {
    meanings: FxHashMap<Symbol, Meaning>,
    /// What inner scopes changed, with the meaning before.
    changes: Vec<(Symbol, Option<Meaning>)>,
    /// Length of `changes` at the beginning of each open scope.
    open: Vec<usize>,
}

impl Scopes {
    pub(super) fn new(names: &mut Interner) -> Self {
        let known = [
            ("__builtin_va_list", TypeSpec::VaList),
            ("__int128_t", TypeSpec::Int128(Sign::Signed)),
            ("__uint128_t", TypeSpec::Int128(Sign::Unsigned)),
            ("_Float32", TypeSpec::Float),
            ("_Float64", TypeSpec::Double),
            ("_Float32x", TypeSpec::Double),
            ("_Float64x", TypeSpec::LongDouble),
            ("__float80", TypeSpec::LongDouble),
            ("_Float128", TypeSpec::Float128),
            ("__float128", TypeSpec::Float128),
            ("_Float16", TypeSpec::Half { brain: false }),
            ("__bf16", TypeSpec::Half { brain: true }),
            ("__CPROVER_bool", TypeSpec::Bool),
            ("__CPROVER_size_t", TypeSpec::Size),
            ("__CPROVER_ssize_t", TypeSpec::SignedSize),
        ];
        let mut meanings: FxHashMap<_, _> =
            known.into_iter().map(|(name, ty)| (names.intern(name), Meaning::Builtin(ty))).collect();
        // Types without a counterpart in the tree: typedef names that nobody declares, so that only their use fails.
        for name in ["_Decimal32", "_Decimal64", "_Decimal128"] {
            meanings.insert(names.intern(name), Meaning::Typedef);
        }
        Self { meanings, changes: Vec::new(), open: Vec::new() }
    }

    pub(super) fn enter(&mut self) {
        self.open.push(self.changes.len());
    }

    pub(super) fn leave(&mut self) {
        let start = self.open.pop().unwrap_or(0);
        for (name, before) in self.changes.drain(start..).rev() {
            match before {
                Some(meaning) => self.meanings.insert(name, meaning),
                None => self.meanings.remove(&name),
            };
        }
    }

    /// Leaves all scopes but the file's.
    pub(super) fn leave_all(&mut self) {
        while !self.open.is_empty() {
            self.leave();
        }
    }

    /// Declares an ordinary identifier.
    pub(super) fn declare(&mut self, name: Symbol) {
        if self.meanings.contains_key(&name) {
            self.set(name, Meaning::Ordinary);
        }
    }

    /// Declares a typedef.
    pub(super) fn declare_typedef(&mut self, name: Symbol) {
        self.set(name, Meaning::Typedef);
    }

    fn set(&mut self, name: Symbol, meaning: Meaning) {
        let before = self.meanings.insert(name, meaning);
        if !self.open.is_empty() {
            self.changes.push((name, before));
        }
    }

    /// The type that a name stands for here.
    #[inline]
    pub(super) fn type_of(&self, name: Symbol) -> Option<TypeSpec<'static>> {
        match self.meanings.get(&name)? {
            Meaning::Ordinary => None,
            Meaning::Typedef => Some(TypeSpec::Typedef(name)),
            Meaning::Builtin(ty) => Some(*ty),
        }
    }

    #[inline]
    pub(super) fn is_type(&self, name: Symbol) -> bool {
        self.type_of(name).is_some()
    }

    /// Whether a name is a type of the compiler's own, not redeclared.
    pub(super) fn is_builtin(&self, name: Symbol) -> bool {
        matches!(self.meanings.get(&name), Some(Meaning::Builtin(_)))
    }
}
