//! Typed lowering of C to control-flow automata, and their analyses.
