//! Numeric analysis of whole programs over boxes, octagons or polyhedra of machine integers ([`robusto_domains::machine`]).
//!
//! Cousot, Halbwachs: *Automatic discovery of linear restraints among variables of a program*, POPL 1978; Miné: *The octagon
//! abstract domain*, 2006. As the program is unfolded by calls, a state has the variables of all pending functions.
//!
//! | CPA | here |
//! |---|---|
//! | E | node of the unfolded program (`graph`), vector of cells (`cells`), [`Machine`](robusto_domains::Machine) |
//! | ⇝ | `step`: the effect of a step, then the parts in single cells |
//! | merge | merge^join within the same vector of cells; at heads of loops widening after a delay, to thresholds at first |
//! | stop | ⊑ within the same vector of cells |
//! | prec | `variables`: which variables have relations; the others have boxes |
//!
//! The loop is `fixpoint`; with one cell for all states it is an ordinary analysis with one state per location. `formula` has
//! states as formulas. Memory is not tracked: a load gives any value of its type.
//!
//! Soundness: each step over-approximates the concrete one, splitting loses no point, and iteration ends only when no step
//! leads out of what is reached.

mod cells;
mod fixpoint;
mod formula;
mod graph;
mod merged;
mod step;
mod variables;

pub use cells::Cells;
pub use fixpoint::{Analysis, Parts, Reached};
pub use formula::{formula, inequality};
pub use graph::{Graph, Node};
pub use merged::merged;
pub use variables::Variables;
