//! A program and what is to be found out about it.

use crate::property::{self, Property, Target};
use robusto_analyses::facts::Facts;
use robusto_cfa::ir::Program;

/// A program in which the property's violations are the only error edges.
pub struct Problem {
    /// The program and what is known of it.
    pub facts: Facts,
    /// The error edges.
    pub targets: Vec<Target>,
    /// Whether each target has a verdict of its own; else the first violation found decides.
    pub each: bool,
}

impl Problem {
    /// Instruments and analyses a program.
    pub fn new(mut program: Program, property: &Property) -> Self {
        property::instrument(&mut program, property);
        let facts = Facts::of(program);
        let targets = property::targets(&facts.program);
        Self { facts, targets, each: property.has_many_verdicts() }
    }
}
