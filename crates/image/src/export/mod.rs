//! The model for other model checkers: AIGER, BTOR2, SMV, BLIF-MV.
//!
//! | module | owns |
//! |---|---|
//! | `system` | the model as one transition system: names, start values, next values, bad locations |
//! | `simulate` | one step of the system, for given inputs |
//! | `choices` | what an execution of the system chooses, as the interpreter asks for it |
//! | `stimulus` | a counterexample of an AIGER model checker as inputs |
//! | `aiger`, `btor2`, `smv`, `blif_mv` | one format each |
//!
//! All formats say the same, in the same names: a counter `pc` whose values are the numbers of locations, a state variable
//! `w_NAME` for each word, an input `i_NAME` for each choice, and a bad state for each location that must not be reached.
//! Names of bad states tell what reaching one means: `violation_…` that the property is violated; `unmodelled_…`, `gap_…` and
//! `bound_…` that the model knows nothing of what follows, so that a proof must exclude them too. A location without exits is
//! a sink and loops on itself, and so do numbers that are no location's.

mod aiger;
mod blif_mv;
mod btor2;
mod choices;
mod simulate;
mod smv;
mod stimulus;
mod system;

pub use choices::{Choices, Taken};
pub use simulate::State;
pub use stimulus::{BadStimulus, Stimulus};
pub use system::{Input, Location, System, Variable};

use robusto_limits::{Limits, Stopped};

/// A format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// Binary AIGER 1.9.
    Aiger,
    /// AIGER 1.9 as text.
    Aag,
    /// BTOR2, at the level of words.
    Btor2,
    /// The language of NuSMV and nuXmv, at the level of words.
    Smv,
    /// BLIF-MV, with the counter as one variable of many values.
    BlifMv,
}

impl System {
    /// The system in a format.
    pub fn write(&mut self, format: Format, limits: &Limits) -> Result<Vec<u8>, Stopped> {
        match format {
            Format::Aiger => aiger::write(self, true, limits),
            Format::Aag => aiger::write(self, false, limits),
            Format::Btor2 => Ok(btor2::write(self).into_bytes()),
            Format::Smv => Ok(smv::write(self).into_bytes()),
            Format::BlifMv => blif_mv::write(self, limits).map(String::into_bytes),
        }
    }
}
