//! Precisions: which predicates are tracked where.

use crate::symbolic::Encoder;
use robusto_cfa::ir::FuncId;
use robusto_cpa::control::Location;
use robusto_diagram::VarIndex;
use robusto_logic::Term;
use rustc_hash::FxHashMap;
use std::fmt;
use std::rc::Rc;
use std::str::FromStr;

/// Where a predicate that was found at a location is tracked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Scope {
    /// At that location.
    #[default]
    Location,
    /// There; if it speaks of global variables alone, also at all heads of loops where these may be read, whatever function
    /// they are in.
    Shared,
    /// There and at all locations between the abstraction state before and it (Section III.B, last paragraph).
    Between,
    /// In that function.
    Function,
    /// Everywhere.
    Global,
}

impl FromStr for Scope {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "location" => Ok(Self::Location),
            "shared" => Ok(Self::Shared),
            "between" => Ok(Self::Between),
            "function" => Ok(Self::Function),
            "global" => Ok(Self::Global),
            _ => Err(format!("`{text}` is not a scope; known are location, shared, between, function, global")),
        }
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Location => "location",
            Self::Shared => "shared",
            Self::Between => "between",
            Self::Function => "function",
            Self::Global => "global",
        })
    }
}

/// A place with predicates of its own.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Place {
    Location(Location),
    Function(FuncId),
    Everywhere,
}

/// Π: the predicates of each place, and for each predicate the variable that stands for it in decision diagrams.
#[derive(Debug, Default)]
pub struct Precision {
    scope: Scope,
    /// In the order of discovery; a predicate's position is its variable.
    predicates: Vec<Term>,
    variables: FxHashMap<Term, VarIndex>,
    places: FxHashMap<Place, Vec<VarIndex>>,
    /// What [`Precision::live_at`] has found when Π(l) had some number of predicates.
    live: FxHashMap<Location, (usize, Rc<[VarIndex]>)>,
}

impl Precision {
    /// No predicates.
    pub fn new(scope: Scope) -> Self {
        Self { scope, ..Self::default() }
    }

    fn place(&self, at: Location) -> Place {
        match self.scope {
            Scope::Location | Scope::Shared | Scope::Between => Place::Location(at),
            Scope::Function => Place::Function(at.function),
            Scope::Global => Place::Everywhere,
        }
    }

    /// Where predicates are tracked.
    pub fn scope(&self) -> Scope {
        self.scope
    }

    /// Π(l)
    pub fn at(&self, at: Location) -> &[VarIndex] {
        self.places.get(&self.place(at)).map_or(&[], Vec::as_slice)
    }

    /// The predicates that a state at a location is abstracted with: those of Π(l) with a variable that may still be read.
    pub fn live_at(&mut self, encoder: &Encoder<'_>, at: Location) -> Rc<[VarIndex]> {
        let all = self.at(at);
        if let Some((count, live)) = self.live.get(&at)
            && *count == all.len()
        {
            return live.clone();
        }
        let is_live = |symbol| encoder.cell_of(symbol).is_none_or(|cell| encoder.may_be_read(at, cell));
        let has_live = |&&v: &&VarIndex| encoder.terms.symbols(self.predicate(v)).into_iter().any(is_live);
        let live: Rc<[VarIndex]> = all.iter().filter(has_live).copied().collect();
        let found = (all.len(), live.clone());
        self.live.insert(at, found);
        live
    }

    /// Tracks a predicate found at a location; whether that is new.
    pub fn add(&mut self, at: Location, predicate: Term) -> bool {
        let next = VarIndex::new(self.predicates.len() as u32);
        let variable = *self.variables.entry(predicate).or_insert(next);
        if variable == next {
            self.predicates.push(predicate);
        }
        let place = self.place(at);
        let here = self.places.entry(place).or_default();
        let new = !here.contains(&variable);
        if new {
            here.push(variable);
        }
        new
    }

    /// All predicates, in the order of discovery.
    pub fn predicates(&self) -> &[Term] {
        &self.predicates
    }

    /// The predicate of a variable.
    pub fn predicate(&self, variable: VarIndex) -> Term {
        self.predicates[variable.index()]
    }

    /// The variable of a predicate.
    pub fn variable(&self, predicate: Term) -> Option<VarIndex> {
        self.variables.get(&predicate).copied()
    }

    /// Number of predicates.
    pub fn len(&self) -> usize {
        self.predicates.len()
    }

    /// Whether there is no predicate.
    pub fn is_empty(&self) -> bool {
        self.predicates.is_empty()
    }

    /// Most predicates of one place.
    pub fn most(&self) -> usize {
        self.places.values().map(Vec::len).max().unwrap_or(0)
    }
}
