//! What is asked.

use crate::target::Violation;
use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

/// What is to be checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Property {
    /// `reach_error()` and `__VERIFIER_error()` are never called.
    UnreachCall,
    /// No `assert` fails.
    Assert,
    /// No label of this name is reached.
    Label(String),
    /// No signed arithmetic overflows.
    NoOverflow,
    /// Nothing is divided by zero.
    DivByZero,
    /// No shift is by a negative amount, or by the width or more.
    BadShift,
    /// Every access is to a live object, every call through a pointer to a function.
    ValidDeref,
    /// Only live heap objects are freed.
    ValidFree,
    /// Some pointer leads to every live heap object.
    ValidMemtrack,
    /// No heap object is live at the end.
    MemCleanup,
    /// No value that was never set decides a branch.
    Uninit,
    /// The three of them that SV-COMP asks for together: accesses, frees, lost memory.
    MemSafety,
    /// These and freed memory at the end.
    Memory,
    /// Each error call, each assertion, each label whose name begins with `error`, and each operation that may overflow,
    /// divide by zero or leave memory is a property of its own. Not those of [`Property::Uninit`], which has to be asked for.
    All,
    /// What a developer means without saying more: assertions, error calls, memory, division by zero, signed overflow, bad
    /// shifts, each violation a property of its own. Memory that is not freed at the end is fine as long as it is not lost.
    Default,
    /// Each violation of one of these is a property of its own.
    Several(Vec<Property>),
}

/// A text that names no property.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "`{0}` is not a property; there are `unreach-call`, `assert`, `label:NAME`, `no-overflow`, `div-by-zero`, \
     `bad-shift`, `memory`, `valid-memsafety`, `valid-deref`, `valid-free`, `valid-memtrack`, `memcleanup`, `uninit`, `default`, `all`, and property files"
)]
pub struct UnknownProperty(String);

/// The properties with a name of their own, each once; beside them there are labels, and several properties together. The command
/// line knows no other, so what is tested for each of them is tested for all.
const NAMED: [(&str, Property); 14] = [
    ("unreach-call", Property::UnreachCall),
    ("assert", Property::Assert),
    ("no-overflow", Property::NoOverflow),
    ("div-by-zero", Property::DivByZero),
    ("bad-shift", Property::BadShift),
    ("memory", Property::Memory),
    ("valid-memsafety", Property::MemSafety),
    ("valid-deref", Property::ValidDeref),
    ("valid-free", Property::ValidFree),
    ("valid-memtrack", Property::ValidMemtrack),
    ("valid-memcleanup", Property::MemCleanup),
    ("uninit", Property::Uninit),
    ("default", Property::Default),
    ("all", Property::All),
];

impl FromStr for Property {
    type Err = UnknownProperty;

    fn from_str(text: &str) -> Result<Self, UnknownProperty> {
        if let Some((_, property)) = NAMED.into_iter().find(|(name, _)| *name == text) {
            return Ok(property);
        }
        match text.strip_prefix("label:") {
            Some(name) if !name.is_empty() => Ok(Property::Label(name.to_owned())),
            _ if text == "memcleanup" => Ok(Property::MemCleanup),
            _ => Err(UnknownProperty(text.to_owned())),
        }
    }
}

impl fmt::Display for Property {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Property::Label(name) => write!(f, "label:{name}"),
            Property::Several(list) => {
                for (i, property) in list.iter().enumerate() {
                    write!(f, "{}{property}", if i > 0 { "," } else { "" })?;
                }
                Ok(())
            }
            named => f.write_str(named.own_name()),
        }
    }
}

impl Property {
    /// The names of all properties that have one of their own.
    pub fn names() -> impl Iterator<Item = &'static str> {
        NAMED.into_iter().map(|(name, _)| name)
    }

    fn own_name(&self) -> &'static str {
        NAMED.iter().find(|(_, property)| property == self).map_or("", |(name, _)| name)
    }

    /// Whether the same violations are asked for, however the question is put: three formulas of memory are one property, too.
    pub fn asks_as(&self, other: &Property) -> bool {
        Violation::ALL.iter().all(|&kind| self.counts(kind) == other.counts(kind)) && self.labels() == other.labels()
    }

    /// The labels that are marked.
    fn labels(&self) -> BTreeSet<&str> {
        match self {
            Property::Label(name) => BTreeSet::from([&name[..]]),
            // No label has this name.
            Property::All => BTreeSet::from(["error*"]),
            Property::Several(list) => list.iter().flat_map(Property::labels).collect(),
            _ => BTreeSet::new(),
        }
    }

    /// Reads the text of a property file: `CHECK( init(main()), LTL(G ! call(reach_error())) )`.
    pub fn from_prp(text: &str) -> Result<Self, UnknownProperty> {
        let compact: String = text.chars().filter(|c| !c.is_whitespace()).collect();
        let mut found: Vec<Property> = Vec::new();
        for formula in compact.split("LTL(").skip(1) {
            let is = |wanted: &[&str]| wanted.iter().any(|w| formula.starts_with(w));
            let property = if is(&["G!call(reach_error())", "G!call(__VERIFIER_error())"]) {
                Property::UnreachCall
            } else if is(&["G!overflow)"]) {
                Property::NoOverflow
            } else if is(&["G!assert-failure)"]) {
                Property::Assert
            } else if is(&["G!division-by-zero)"]) {
                Property::DivByZero
            } else if is(&["G!bad-shift)"]) {
                Property::BadShift
            } else if is(&["Gvalid-deref)"]) {
                Property::ValidDeref
            } else if is(&["Gvalid-free)"]) {
                Property::ValidFree
            } else if is(&["Gvalid-memtrack)"]) {
                Property::ValidMemtrack
            } else if is(&["Gvalid-memcleanup)"]) {
                Property::MemCleanup
            } else if is(&["G!uninit)"]) {
                Property::Uninit
            } else if is(&["G!error)"]) {
                Property::All
            } else if let Some(rest) = formula.strip_prefix("G!label(") {
                Property::Label(rest.chars().take_while(|c| *c != ')').collect())
            } else {
                return Err(UnknownProperty(text.trim().to_owned()));
            };
            if !found.contains(&property) {
                found.push(property);
            }
        }
        Self::gather(&mut found);
        Self::together(found).ok_or_else(|| UnknownProperty(text.trim().to_owned()))
    }

    /// Makes the formulas that SV-COMP asks for in one file one property.
    fn gather(found: &mut Vec<Property>) {
        let safety = [Property::ValidDeref, Property::ValidFree, Property::ValidMemtrack];
        if safety.iter().all(|part| found.contains(part)) {
            let all = found.contains(&Property::MemCleanup);
            found.retain(|property| !safety.contains(property) && *property != Property::MemCleanup);
            found.push(if all { Property::Memory } else { Property::MemSafety });
        }
    }

    /// The text of a property file. What SV-COMP has no formula for has one of ours.
    pub fn to_prp(&self) -> String {
        let check = |formula: &str| format!("CHECK( init(main()), LTL(G ! {formula}) )");
        let valid = |what: &[&str]| {
            let lines: Vec<String> = what.iter().map(|w| format!("CHECK( init(main()), LTL(G valid-{w}) )")).collect();
            lines.join("\n")
        };
        match self {
            Property::UnreachCall => check("call(reach_error())"),
            Property::NoOverflow => check("overflow"),
            Property::Assert => check("assert-failure"),
            Property::DivByZero => check("division-by-zero"),
            Property::BadShift => check("bad-shift"),
            Property::Uninit => check("uninit"),
            Property::ValidDeref => valid(&["deref"]),
            Property::ValidFree => valid(&["free"]),
            Property::ValidMemtrack => valid(&["memtrack"]),
            Property::MemCleanup => valid(&["memcleanup"]),
            Property::MemSafety => valid(&["free", "deref", "memtrack"]),
            Property::Memory => valid(&["free", "deref", "memtrack", "memcleanup"]),
            Property::Label(name) => check(&format!("label({name})")),
            Property::All => check("error"),
            Property::Default => Self::DEFAULT.iter().map(Property::to_prp).collect::<Vec<_>>().join("\n"),
            Property::Several(list) => list.iter().map(Property::to_prp).collect::<Vec<_>>().join("\n"),
        }
    }

    /// What [`Property::Default`] stands for.
    const DEFAULT: [Property; 6] = [
        Property::UnreachCall,
        Property::Assert,
        Property::MemSafety,
        Property::DivByZero,
        Property::NoOverflow,
        Property::BadShift,
    ];

    /// All of these as one property; none if the list is empty.
    pub fn together(mut list: Vec<Property>) -> Option<Property> {
        if list.contains(&Property::All) {
            return Some(Property::All);
        }
        match list.len() {
            0 => None,
            1 => list.pop(),
            _ => Some(Property::Several(list)),
        }
    }

    /// Whether each violation has a verdict of its own; else the first one found decides.
    pub fn has_many_verdicts(&self) -> bool {
        matches!(self, Property::All | Property::Default | Property::Several(_))
    }

    /// Whether an error of this kind is a violation; which labels are, [`Property::marks`] says.
    pub fn counts(&self, kind: Violation) -> bool {
        match self {
            Property::UnreachCall => kind == Violation::ErrorCall,
            Property::Assert => kind == Violation::Assertion,
            Property::NoOverflow => kind == Violation::Overflow,
            Property::DivByZero => kind == Violation::DivByZero,
            Property::BadShift => kind == Violation::BadShift,
            Property::ValidDeref => kind == Violation::Deref,
            Property::ValidFree => kind == Violation::Free,
            Property::ValidMemtrack => kind == Violation::Track,
            Property::MemCleanup => kind == Violation::Cleanup,
            Property::Uninit => kind == Violation::Uninit,
            Property::MemSafety => matches!(kind, Violation::Deref | Violation::Free | Violation::Track),
            Property::Memory => {
                matches!(kind, Violation::Deref | Violation::Free | Violation::Track | Violation::Cleanup)
            }
            Property::Label(_) => false,
            Property::All => kind != Violation::Uninit,
            Property::Default => Self::DEFAULT.iter().any(|p| p.counts(kind)),
            Property::Several(list) => list.iter().any(|p| p.counts(kind)),
        }
    }

    /// Whether reaching a label of this name is a violation.
    pub fn marks(&self, label: &str) -> bool {
        match self {
            Property::Label(name) => label == name,
            Property::All => label.to_ascii_lowercase().starts_with("error"),
            Property::Several(list) => list.iter().any(|p| p.marks(label)),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_formulas_are_read_again() {
        for name in Property::names().chain(["label:there"]) {
            let property: Property = name.parse().expect(name);
            assert_eq!(property.to_string(), name);
            let again = Property::from_prp(&property.to_prp()).expect(name);
            assert!(again.asks_as(&property), "{name}: {again:?}");
        }
    }

    #[test]
    fn different_questions() {
        let all: Vec<Property> =
            Property::names().chain(["label:a", "label:b"]).filter_map(|n| n.parse().ok()).collect();
        for (i, a) in all.iter().enumerate() {
            for (j, b) in all.iter().enumerate() {
                assert_eq!(a.asks_as(b), i == j, "{a} {b}");
            }
        }
    }
}
