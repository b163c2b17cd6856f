//! x
pub mod regions;
