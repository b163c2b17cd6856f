//! The text form, the verifier and the drawings, on programs built by hand and at random.

mod build;
mod random;
mod round_trip;
mod samples;
