//! Library functions written in C, and the declarations that the compiler knows by itself.
//!
//! A program that calls `strlen` without defining it gets the model's body, lowered like its own code; so every engine
//! understands it. Each file of models holds functions that belong together.

use crate::ir::DataModel;

/// Declarations of the functions that a compiler knows without a header.
pub fn prelude(model: DataModel) -> String {
    with_types(include_str!("../../models/prelude.c"), model)
}

/// Text of ours with the types that depend on the data model in front.
pub fn with_types(text: &str, model: DataModel) -> String {
    let word = match model {
        DataModel::Ilp32 => "int",
        DataModel::Lp64 => "long",
    };
    format!("typedef unsigned {word} __robusto_size; typedef {word} __robusto_ssize;\n{text}")
}

/// The file and the C text that define a library function.
pub fn model(name: &str) -> Option<(&'static str, &'static str)> {
    use super::library::table::{By, entry};
    let entry = entry(name).or_else(|| entry(name.strip_prefix("__builtin_")?))?;
    match entry.by {
        By::Model { file, text } => Some((file, text)),
        _ => None,
    }
}

/// The C text that defines a library function.
pub fn source(name: &str) -> Option<&'static str> {
    model(name).map(|(_, text)| text)
}
