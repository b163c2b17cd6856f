//! Ways to violate a property.

use crate::place::Place;

/// One way to violate a property: an error edge.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Target {
    /// A name for the user: the label in front of it, else what it is and its line.
    pub name: String,
    /// The kind of violation; `None` for a step that is not modelled, behind which there may be anything.
    pub kind: Option<Violation>,
    /// The error edge, or the step that is not modelled.
    pub edge: EdgeNumber,
    /// Where it stands.
    pub pos: Place,
}

impl Target {
    /// Whether reaching it violates a property. If not, reaching it leaves all properties open.
    pub fn is_violation(&self) -> bool {
        self.kind.is_some()
    }

    /// The name of the property that it violates.
    pub fn property(&self) -> String {
        match self.kind {
            Some(Violation::ErrorCall) => "unreach-call".to_owned(),
            Some(Violation::Assertion) => "assert".to_owned(),
            Some(Violation::Overflow) => "no-overflow".to_owned(),
            Some(Violation::DivByZero) => "div-by-zero".to_owned(),
            Some(Violation::BadShift) => "bad-shift".to_owned(),
            Some(Violation::Deref) => "valid-deref".to_owned(),
            Some(Violation::Free) => "valid-free".to_owned(),
            Some(Violation::Track) => "valid-memtrack".to_owned(),
            Some(Violation::Cleanup) => "valid-memcleanup".to_owned(),
            Some(Violation::Uninit) => "uninit".to_owned(),
            Some(Violation::Label) => format!("label:{}", self.name),
            None => "none".to_owned(),
        }
    }
}

/// Kinds of violations.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Violation {
    /// A call of `reach_error()` or `__VERIFIER_error()`.
    ErrorCall,
    /// An assertion that fails.
    Assertion,
    /// Signed overflow.
    Overflow,
    /// Division by zero.
    DivByZero,
    /// A shift by a negative amount, or by the width or more.
    BadShift,
    /// An access outside of a live object, or a call through what is no function.
    Deref,
    /// `free` of what is no live heap object.
    Free,
    /// A heap object that no pointer leads to.
    Track,
    /// A heap object that is live at the end.
    Cleanup,
    /// A branch that a value decides which was never set.
    Uninit,
    /// A label that must not be reached.
    Label,
}

impl Violation {
    /// All of them.
    pub const ALL: [Violation; 11] = [
        Violation::ErrorCall,
        Violation::Assertion,
        Violation::Overflow,
        Violation::DivByZero,
        Violation::BadShift,
        Violation::Deref,
        Violation::Free,
        Violation::Track,
        Violation::Cleanup,
        Violation::Uninit,
        Violation::Label,
    ];
}

/// An edge of the automaton of a function or procedure, by their numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct EdgeNumber {
    /// The number of the function.
    pub function: u32,
    /// The number of the edge in it.
    pub edge: u32,
}
