//! Concrete execution of control-flow automata.
