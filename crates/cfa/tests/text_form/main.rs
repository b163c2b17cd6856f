//! The text form, the verifier and the drawings, on programs built by hand and at random.

mod bad_input;
mod build;
mod drawings;
mod lowered;
mod random;
mod round_trip;
mod samples;
mod verifier;
