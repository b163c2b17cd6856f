//! Witnesses as data.
//!
//! The format: *Software Verification Witnesses 2.0* (Ayaziová, Beyer, Lingsch-Rosenfeld, Spiessl, Strejček, SPIN 2024), and
//! what version 2.1 adds to it: contracts of functions, ghost variables, and other names of the formats of expressions.

/// A witness with all its entries.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Witness {
    /// About the witness and its task.
    pub metadata: Metadata,
    /// What it claims.
    pub content: Content,
    /// Something that the format has and nobody here understands.
    pub beyond: Option<String>,
}

/// Versions of the format.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Version {
    /// 2.0, which all validators read.
    #[default]
    V2_0,
    /// 2.1, with contracts.
    V2_1,
}

impl Version {
    /// As it stands in a witness.
    pub fn text(self) -> &'static str {
        match self {
            Version::V2_0 => "2.0",
            Version::V2_1 => "2.1",
        }
    }

    /// The format of expressions that speak of results.
    pub(crate) fn of_results(self) -> &'static str {
        match self {
            Version::V2_0 => "acsl_expression",
            Version::V2_1 => "ext_c_expression",
        }
    }
}

/// About a witness.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Metadata {
    /// The version of the format.
    pub format: Version,
    /// A unique name.
    pub uuid: String,
    /// ISO 8601.
    pub creation_time: String,
    /// The producing tool.
    pub producer: String,
    /// Its version.
    pub version: String,
    /// How it was called.
    pub command_line: Option<String>,
    /// The program's files, each with its SHA-256.
    pub input_files: Vec<(String, String)>,
    /// The property as in a property file.
    pub specification: String,
    /// `ILP32` or `LP64`.
    pub data_model: String,
}

/// What a witness claims.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Content {
    /// The program is right, and this holds in it.
    Correctness(Claims),
    /// The program is wrong, and an execution passes these segments in order.
    Violation(Vec<Segment>),
}

/// What holds in a program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Claims {
    /// At places.
    pub invariants: Vec<Invariant>,
    /// Of functions.
    pub contracts: Vec<Contract>,
    /// The names of variables that the witness adds to the program.
    pub ghosts: Vec<String>,
}

impl From<Vec<Invariant>> for Claims {
    fn from(invariants: Vec<Invariant>) -> Self {
        Self { invariants, ..Self::default() }
    }
}

/// What a function asks of its callers, and what it gives them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Contract {
    /// The definition of the function.
    pub location: Location,
    /// Holds whenever it is entered: a C expression over its parameters and what is global.
    pub requires: Option<String>,
    /// Holds whenever it returns; may speak of `\result`, and of values at the entry, `\at(x, Old)`.
    pub ensures: Option<String>,
}

/// A place in a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Location {
    /// The file.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1; without it, the leftmost suitable place of the line is meant.
    pub column: Option<u32>,
    /// The function.
    pub function: Option<String>,
}

/// Something that holds at a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invariant {
    /// Whether the place is a loop.
    pub of_loop: bool,
    /// The place.
    pub location: Location,
    /// A C expression.
    pub value: String,
}

/// Waypoints to avoid, and then one to pass.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Segment {
    /// An execution that passes one of these is not meant.
    pub avoid: Vec<Waypoint>,
    /// What is passed at the end of the segment.
    pub follow: Waypoint,
}

/// Something that an execution may pass.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Waypoint {
    /// What.
    pub kind: WaypointKind,
    /// Where.
    pub location: Location,
}

/// Kinds of waypoints.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WaypointKind {
    /// This C expression is not zero before the statement.
    Assumption(String),
    /// The branch has this value (`true`, `false`, a number or `default`).
    Branching(String),
    /// The function is called.
    FunctionEnter,
    /// The call returns, and this holds of `\result`, if anything is said.
    FunctionReturn(Option<String>),
    /// The violation comes next.
    Target,
}
