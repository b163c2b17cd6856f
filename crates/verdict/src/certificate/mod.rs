//! Certificates: what a `true` rests on, in a form that can be checked without the engine that found it.
//!
//! A certificate names locations and variables of one automaton; its text form ([`text`]) carries a hash of that, so that
//! it cannot be taken for another program's.

pub mod expression;
pub mod text;

/// Why a property holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Certificate {
    /// There is no error edge.
    Vacuous,
    /// Invariants that are inductive and exclude the errors. Every cycle of control states passes one of the entries.
    Invariant(Vec<Entry>),
    /// No execution iterates a loop or nests a recursive function more often than this, and none within violates the
    /// property.
    Unrolled {
        /// The bound.
        bound: u32,
    },
    /// No execution that passes at most k loop heads violates the property, nor does any k loop heads after a state at a
    /// loop head that satisfies the invariants.
    Inductive {
        /// The number of blocks.
        k: u32,
        /// Invariants at loop heads, which are inductive by themselves.
        invariants: Vec<Entry>,
    },
    /// What procedures demand and grant, whatever is pending below them, so that recursion needs no bound. Functions
    /// without a summary are part of their callers.
    Summaries {
        /// The procedures, main among them; every recursive function that is called is one.
        procedures: Vec<Summary>,
        /// What holds at places inside of a procedure. The pending calls begin with a call of the procedure's own: those
        /// below its activation do not matter. Every cycle of control states within an activation passes an entry.
        entries: Vec<Entry>,
    },
    /// The same as `Unrolled`, where rows of iterations that a closed form describes are taken at once and not counted.
    Accelerated {
        /// The bound.
        bound: u32,
        /// What loops do, inner loops first; those of one head in the order in which they are taken.
        loops: Vec<ClosedForm>,
    },
    /// Each violation is excluded by one of several certificates.
    Parts(Vec<Part>),
    /// The part of the program that its violations depend on has none of them, for this reason; places are those of that part.
    Sliced(Box<Certificate>),
}

/// What a procedure demands of its callers and what it grants them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Summary {
    /// The procedure.
    pub function: String,
    /// What holds when it is entered, of parameters, globals and memory.
    pub pre: String,
    /// What holds when it returns, of its result, globals and memory, and of all of these as they were when it was entered.
    pub post: String,
}

/// What n iterations of a loop in a row do, whatever is pending below its function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClosedForm {
    /// The function.
    pub function: String,
    /// The head of the loop.
    pub location: u32,
    /// Bits of n.
    pub width: u32,
    /// Which iterations are meant, by the values that they start with.
    pub when: String,
    /// Which n there are, for the values before the first iteration: all n for which the iterations 0 to n - 1 are such
    /// iterations, or more.
    pub valid: String,
    /// The cells that change, with their values after n iterations in terms of those before the first one.
    pub values: Vec<(String, String)>,
}

/// A certificate for some of the error edges.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    /// The error edges, as function and edge.
    pub errors: Vec<(String, u32)>,
    /// Why no execution takes them; not in parts itself.
    pub certificate: Certificate,
}

/// What holds whenever control comes to a place with certain pending calls.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The pending calls, the oldest first.
    pub calls: Vec<Call>,
    /// The function that control is in.
    pub function: String,
    /// Its location.
    pub location: u32,
    /// What holds there, as an s-expression; `docs/certificates.md` has the notation.
    pub formula: String,
}

/// A pending call.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Call {
    /// The caller.
    pub function: String,
    /// The caller's edge.
    pub edge: u32,
}

impl Certificate {
    /// The invariants; those of parts are theirs.
    pub fn entries(&self) -> &[Entry] {
        match self {
            Certificate::Invariant(entries)
            | Certificate::Inductive { invariants: entries, .. }
            | Certificate::Summaries { entries, .. } => entries,
            Certificate::Vacuous
            | Certificate::Unrolled { .. }
            | Certificate::Accelerated { .. }
            | Certificate::Parts(_)
            | Certificate::Sliced(_) => &[],
        }
    }

    /// One certificate from several, each for some error edges. Those that are in parts already are taken apart.
    pub fn joined(certificates: Vec<Part>) -> Self {
        let mut parts = Vec::new();
        for Part { errors, certificate } in certificates {
            match certificate {
                Certificate::Parts(inner) => parts.extend(inner.into_iter().filter_map(|mut part| {
                    part.errors.retain(|error| errors.contains(error));
                    (!part.errors.is_empty()).then_some(part)
                })),
                certificate => parts.push(Part { errors, certificate }),
            }
        }
        Certificate::Parts(parts)
    }
}
