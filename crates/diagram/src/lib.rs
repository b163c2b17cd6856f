//! Decision diagrams: sets and relations of bit-vectors.
//!
//! [`Diagrams`] owns the nodes and offers the operations, [`Bdd`] is a function (a set of assignments), [`bits`] builds
//! bit-vector circuits, and [`Assignment`] is the image of `x = e`. [`multi`] has functions into values of the user's.
//!
//! The order of the variables is [`Diagrams::order`]. It changes when the user asks for it ([`Diagrams::sift`],
//! [`Diagrams::set_order`]) or, once [`Diagrams::set_reordering`] has switched that on, between two operations. All handles
//! stay what they are. Variables of a [`group`](Diagrams::group) stay together.
//!
//! ```
//! use robusto_diagram::{Diagrams, StoreSize, VarIndex};
//!
//! let diagrams = Diagrams::new(3, StoreSize::default());
//! let [x, y, _] = [0, 1, 2].map(VarIndex::new);
//! let differ = diagrams.xor(&diagrams.var(x)?, &diagrams.var(y)?)?;
//! assert_eq!(diagrams.count(&differ, &[x, y]), 2.0);
//! assert!(diagrams.is_true(&diagrams.exists(&differ, &diagrams.cube(&[x])?)?));
//! # Ok::<(), robusto_diagram::Full>(())
//! ```
//!
//! Architecture invariants:
//!
//! - No operation panics for lack of nodes. Whatever builds nodes returns [`Full`] when the store is exhausted even
//!   after a garbage collection, and leaves every existing function intact.
//! - The nodes are private to the crate; engines see functions only. So the kernel can be replaced, as it once was.
//! - The order never changes inside an operation, and never by itself unless that is switched on.
//! - One thread: nothing here is shared or locked. An operation recurses once per level and takes about 120 bytes of
//!   stack per level, so 2 MB are enough for 15,000 variables.

mod assignment;
pub mod bits;
mod diagrams;
mod inspect;
mod kernel;
pub mod multi;
mod renaming;
mod reordering;
mod statistics;
mod store;
mod variable;

pub use assignment::Assignment;
pub use diagrams::{Bdd, Diagrams};
pub use renaming::Renaming;
pub use reordering::Reordering;
pub use statistics::Statistics;
pub use store::{Full, StoreSize};
pub use variable::VarIndex;
