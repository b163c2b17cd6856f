//! The Boolean program of given predicates, without refinement: `robusto abstract`.

use super::abstraction::{self, Abstraction};
use super::known::Known;
use super::precision::Precision;
use super::predicates::{self, BadPredicate};
use super::relation::Relations;
use crate::problem::Problem;
use crate::procedures::{Keep, Procedures};
use robusto_analyses::symbolic::Encoder;
use robusto_boolprog::ast::File;
use robusto_limits::{Limits, Stopped};

/// Why there is no Boolean program.
#[derive(Debug, thiserror::Error)]
pub enum NoAbstraction {
    /// A predicate is wrong.
    #[error(transparent)]
    Predicate(#[from] BadPredicate),
    /// The program cannot be abstracted, or the limits were reached.
    #[error("{0}")]
    Stopped(#[from] Stopped),
}

/// The Boolean program of a problem and of the predicates of a file, else of the program's conditions. Every function that
/// may be called is a procedure; an error or a step that is not supported is an assertion that fails. The problem has a `main`.
pub fn abstracted(problem: &Problem, predicates: Option<&str>, limits: &Limits) -> Result<File, NoAbstraction> {
    let mut encoder = Encoder::new(&problem.facts);
    let procedures = Procedures::of(&mut encoder, Keep::All, limits)?;
    let mut precision = Precision::new(&procedures);
    match predicates {
        Some(text) => predicates::read(&mut encoder, &procedures, &mut precision, text)?,
        None => precision.conditions(&mut encoder, &procedures),
    }
    let arguments = precision.arguments(&mut encoder, &procedures);
    let known = Known::nothing(&encoder, &procedures);
    let mut relations = Relations::new(limits);
    let mut abstraction = Abstraction {
        encoder: &mut encoder,
        procedures: &procedures,
        relations: &mut relations,
        precision: &precision,
        arguments: &arguments,
        known: &known,
    };
    Ok(abstraction::program(&mut abstraction)?)
}
