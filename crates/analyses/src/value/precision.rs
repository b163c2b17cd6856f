//! Precisions: which variables are tracked where.

use crate::predicate::Scope;
use robusto_cfa::ir::{FuncId, LocId, VarId};
use robusto_cpa::control::Location;
use rustc_hash::{FxHashMap, FxHashSet};

/// A place with variables of its own: a location, a function, or all.
type Place = (Option<FuncId>, Option<LocId>);

/// π: the variables of each place. It only grows.
#[derive(Clone, Debug, Default)]
pub struct Precision {
    scope: Scope,
    places: FxHashMap<Place, FxHashSet<VarId>>,
}

impl Precision {
    /// Nothing is tracked.
    pub fn new(scope: Scope) -> Self {
        Self { scope, places: FxHashMap::default() }
    }

    fn place(&self, at: Location) -> Place {
        match self.scope {
            // States of this analysis have no blocks that something could lie inside of.
            Scope::Location | Scope::Shared | Scope::Between => (Some(at.function), Some(at.loc)),
            Scope::Function => (Some(at.function), None),
            Scope::Global => (None, None),
        }
    }

    /// Whether a variable is tracked at a location.
    pub fn tracks(&self, at: Location, var: VarId) -> bool {
        self.places.get(&self.place(at)).is_some_and(|vars| vars.contains(&var))
    }

    /// Whether two locations are one place.
    pub(super) fn is_same(&self, a: Location, b: Location) -> bool {
        self.place(a) == self.place(b)
    }

    /// Tracks a variable at a location, and wherever its place is; whether that is new.
    pub fn add(&mut self, at: Location, var: VarId) -> bool {
        let place = self.place(at);
        self.places.entry(place).or_default().insert(var)
    }

    /// All tracked variables, each once, ascending.
    pub fn variables(&self) -> Vec<VarId> {
        let mut all: Vec<VarId> = self.places.values().flatten().copied().collect();
        all.sort_unstable();
        all.dedup();
        all
    }
}
