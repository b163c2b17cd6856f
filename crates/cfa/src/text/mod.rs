//! Text form of programs.
