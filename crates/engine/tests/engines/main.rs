//! The engines against all executions of random programs, against each other, and on examples.

mod accelerate;
mod arrays;
mod bmc;
mod cegar;
mod figures;
mod image;
mod interval;
mod kind;
mod memory;
mod numeric;
mod numpred;
mod outside;
mod pdr;
mod product;
mod slam;
mod slice;
mod support;
mod test;
