//! The text form, the verifier and the drawings, on programs built by hand and at random.

mod build;
mod round_trip;
mod samples;
