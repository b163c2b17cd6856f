//! Properties, engines and their certification.
//!
//! A property becomes error edges of the automaton ([`property::instrument`]); an engine decides which of them can be
//! reached; every `false` is replayed by the interpreter ([`replay`]) before it is said, and every `true` comes with a
//! certificate that [`certify`] checks. The result is a [`Report`](robusto_verdict::Report).
//!
//! Architecture invariant: engines know nothing of files, flags or formats; they poll
//! [`Limits`](robusto_limits::Limits) and tell [`Progress`](robusto_limits::Progress).

pub mod accelerate;
mod addresses;
pub mod arrays;
pub mod auto;
pub mod bdd;
pub mod bmc;
mod border;
pub mod cegar;
pub mod certificate;
pub mod certify;
mod draw;
mod finite;
mod float_bits;
pub mod image;
pub mod kind;
mod ledger;
pub mod memory;
mod minimise;
pub mod numeric;
pub mod numpred;
mod outcome;
pub mod pdr;
mod phases;
mod problem;
mod procedures;
pub mod product;
pub mod property;
mod provenance;
mod recorder;
pub mod registry;
mod relations;
pub mod replay;
pub mod slam;
pub mod slice;
pub mod summaries;
pub mod test;
pub mod undefined;
mod uninit;
mod unroll;
mod vacuous;

pub use problem::Problem;
