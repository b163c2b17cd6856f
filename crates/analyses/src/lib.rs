//! The data analyses that the CPA framework composes with location and call stack.

pub mod bdd;
pub mod interval;
pub mod numeric;
pub mod predicate;
pub mod product;
pub mod symbolic;
pub mod value;
