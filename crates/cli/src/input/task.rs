//! Task files of SV-COMP, which `robusto bench` reads too.

pub use robusto_bench::taskfile::*;
