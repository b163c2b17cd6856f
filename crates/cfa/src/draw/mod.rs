//! Pictures of automata.
