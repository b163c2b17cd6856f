//! The algorithm and the operators, on programs with two bytes and analyses that can be checked by hand.

mod algorithm;
mod domain;
mod lazy;
mod locationwise;
mod product;
mod strategy;
