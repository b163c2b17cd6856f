//! Which domain tracks which variable: the pre-analysis.
//!
//! Beyer and Stahlbauer (MEMICS 2012) close with: "pre-analyze the program in order to find out for each variable how it is
//! used, and then determine, based on its usage-type, the most efficient abstract domain to track this variable". Usage types
//! are the classes of [`robusto_cfa::analysis::classify`]; a group of variables has one class, so that what is assigned to or
//! compared with each other is in one domain.
//!
//! | class | domains, the first that is there |
//! |---|---|
//! | Boolean, Enumerated, Ordered, known values only, or at most 8 bits | bdd, value, interval, predicate |
//! | Linear, General | interval, value, bdd, predicate |
//! | pointers, floats, more than 64 bits | predicate |

use robusto_cfa::analysis::classify::Class;
use robusto_cfa::facts::Facts;
use robusto_cfa::ir::{IdxVec, Ty, VarId};
use std::fmt;
use std::str::FromStr;

/// A domain of the product.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Domain {
    /// Constants, states with different ones kept apart.
    Value,
    /// Sets as decision diagrams.
    Bdd,
    /// Intervals.
    Interval,
    /// Predicates.
    Predicate,
}

impl Domain {
    const ALL: [Domain; 4] = [Domain::Value, Domain::Bdd, Domain::Interval, Domain::Predicate];

    /// As on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Domain::Value => "value",
            Domain::Bdd => "bdd",
            Domain::Interval => "interval",
            Domain::Predicate => "predicate",
        }
    }
}

/// Some domains.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Domains(Vec<Domain>);

impl Domains {
    /// These.
    pub fn new(domains: &[Domain]) -> Self {
        Self(domains.to_vec())
    }

    /// Whether a domain is among them.
    pub fn has(&self, domain: Domain) -> bool {
        self.0.contains(&domain)
    }
}

impl FromStr for Domains {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let domain = |name: &str| {
            let found = Domain::ALL.into_iter().find(|domain| domain.name() == name);
            found.ok_or_else(|| format!("`{name}` is not a domain; known are value, bdd, interval, predicate"))
        };
        text.split(',').map(|name| domain(name.trim())).collect::<Result<_, _>>().map(Self)
    }
}

/// Widest variables that have few values whatever is done with them.
const MAX_SMALL: u8 = 8;

/// The domain of each variable.
#[derive(Clone, Debug)]
pub struct Assignment {
    domains: IdxVec<VarId, Option<Domain>>,
}

impl Assignment {
    /// Looks at how the program uses its variables.
    pub fn of(facts: &Facts, domains: &Domains) -> Self {
        let first = |wanted: &[Domain]| wanted.iter().copied().find(|&domain| domains.has(domain));
        let of_var = |var: VarId| {
            use Domain::{Bdd, Interval, Predicate, Value};
            let Ty::Int(width @ 1..=64) = facts.program.vars[var].ty else { return first(&[Predicate]) };
            let group = facts.classes.group(var);
            let few = matches!(group.class, Class::Boolean | Class::Enumerated(_) | Class::Ordered(_));
            match few || group.values.is_some() || width <= MAX_SMALL {
                true => first(&[Bdd, Value, Interval, Predicate]),
                false => first(&[Interval, Value, Bdd, Predicate]),
            }
        };
        Self { domains: facts.program.vars.ids().map(of_var).collect() }
    }

    /// Hands variables with their groups to the diagrams; whether one is new there.
    pub fn move_to_bdd(&mut self, facts: &Facts, vars: impl IntoIterator<Item = VarId>) -> bool {
        let mut moved = false;
        for member in vars.into_iter().flat_map(|var| &facts.classes.group(var).vars) {
            let is_integer = matches!(facts.program.vars[*member].ty, Ty::Int(1..=64));
            if is_integer && self.domains[*member] != Some(Domain::Bdd) {
                self.domains[*member] = Some(Domain::Bdd);
                moved = true;
            }
        }
        moved
    }

    /// Who tracks a variable.
    pub fn get(&self, var: VarId) -> Option<Domain> {
        self.domains[var]
    }

    /// Which variables a domain tracks.
    pub fn of_domain(&self, domain: Domain) -> IdxVec<VarId, bool> {
        self.domains.iter().map(|&owner| owner == Some(domain)).collect()
    }

    /// For people.
    pub fn show<'a>(&'a self, facts: &'a Facts) -> impl fmt::Display + 'a {
        Shown { assignment: self, facts }
    }
}

/// Most names of a domain's variables that are shown.
const NAMES: usize = 12;

struct Shown<'a> {
    assignment: &'a Assignment,
    facts: &'a Facts,
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { assignment, facts } = *self;
        let matters = |var: &VarId| {
            let owner = facts.program.vars[*var].kind.owner();
            owner.is_none_or(|function| facts.calls.is_reachable(function))
        };
        let owners = Domain::ALL.into_iter().map(Some).chain([None]);
        for (number, owner) in owners.enumerate() {
            let vars = facts.program.vars.ids().filter(|&var| assignment.get(var) == owner).filter(matters);
            let names: Vec<&str> = vars.map(|var| &*facts.program.vars[var].name).collect();
            let more = if names.len() > NAMES { ", …" } else { "" };
            let separator = if number > 0 { "\n" } else { "" };
            let name = owner.map_or("untracked", Domain::name);
            let shown = names.iter().take(NAMES).copied().collect::<Vec<_>>().join(", ");
            let colon = if names.is_empty() { "" } else { ": " };
            write!(f, "{separator}{name}: {} variables{colon}{shown}{more}", names.len())?;
        }
        Ok(())
    }
}
