//! Which property to check: what the command line says, else what the task file says, else what the command means by itself.

use crate::args::InputArgs;
use crate::input::InputFile;
use crate::spelling;
use anyhow::{Context as _, Result, anyhow, bail};
use robusto_bench::taskfile::{self, Task};
use robusto_cfa::Checks;
use robusto_cfa::ir::Program;
use robusto_engine::property;
use robusto_verdict::{Property, Verdict};
use std::path::{Path, PathBuf};

/// The property, and what the task file knows of it.
#[derive(Debug)]
pub struct Choice {
    /// What to check.
    pub property: Property,
    /// The verdict that the task file expects.
    pub expected: Option<bool>,
    /// Whether the task file chose the property among several.
    pub chosen_among: Option<Vec<String>>,
}

/// None of a task's properties can be checked.
#[derive(Debug, thiserror::Error)]
#[error("none of the task's properties is supported: {0}")]
pub struct NoneSupported(pub String);

/// Chooses the property. A task file that cannot be read counts as none; the loader will say what is wrong with it.
pub fn choose(given: &[String], input: &InputArgs, otherwise: Property) -> Result<Choice> {
    let task = task_of(input);
    if !given.is_empty() {
        let list = given.iter().map(|text| named(text)).collect::<Result<Vec<_>>>()?;
        let property = Property::together(list).context("no property")?;
        let expected = task.and_then(|(path, task)| {
            let mut known = task.properties.iter();
            known.find(|p| of_task(&path, &p.file).as_ref() == Some(&property)).and_then(|p| p.expected)
        });
        return Ok(Choice { property, expected, chosen_among: None });
    }
    let Some((path, task)) = task.filter(|(_, task)| !task.properties.is_empty()) else {
        return Ok(Choice { property: otherwise, expected: None, chosen_among: None });
    };
    let names: Vec<String> = task.properties.iter().map(|p| p.name().to_owned()).collect();
    let known = task.properties.iter().filter_map(|known| Some((of_task(&path, &known.file)?, known.expected)));
    // The first one; memory properties are checked if there is no other.
    let is_memory = |property: &Property| {
        use Property::*;
        matches!(property, MemSafety | MemCleanup | Memory | ValidDeref | ValidFree | ValidMemtrack)
    };
    let Some((property, expected)) = known.min_by_key(|(property, _)| is_memory(property)) else {
        return Err(NoneSupported(names.join(", ")).into());
    };
    let chosen_among = (names.len() > 1).then_some(names);
    Ok(Choice { property, expected, chosen_among })
}

/// A property by name, or in a property file.
pub fn named(text: &str) -> Result<Property> {
    if text.ends_with(".prp") {
        let content = std::fs::read_to_string(text).with_context(|| format!("cannot read '{text}'"))?;
        return Ok(Property::from_prp(&content)?);
    }
    text.parse().map_err(|error| anyhow!("{error}{}", spelling::hint(text, Property::names().chain(["label:ERROR"]))))
}

/// A label that is asked for must be in the program, if only in code that no execution reaches and that is left out of the
/// automata: where it is not, nothing would be checked.
pub fn require_labels(property: &Property, program: &Program, files: &[InputFile]) -> Result<()> {
    let wanted: Vec<&str> = match property {
        Property::Label(name) => vec![name],
        Property::Several(list) => {
            list.iter().filter_map(|p| if let Property::Label(name) = p { Some(name.as_str()) } else { None }).collect()
        }
        _ => Vec::new(),
    };
    let labels = || program.functions.iter().flat_map(|f| f.labels.iter()).map(|label| &*label.name);
    for name in wanted {
        let stands = |file: &InputFile| has_label(&file.text, name);
        if !labels().any(|label| label == name) && !files.iter().any(stands) {
            bail!("the program has no label `{name}`{}", spelling::hint(name, labels()));
        }
    }
    Ok(())
}

/// Whether a name stands before a colon somewhere.
fn has_label(text: &str, name: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(name)
        .any(|(at, _)| !text[..at].ends_with(is_word) && text[at + name.len()..].trim_start().starts_with(':'))
}

/// The checks that properties need, named as on the command line.
pub fn checks(given: &[String]) -> Result<Checks> {
    given.iter().try_fold(Checks::NONE, |all, text| Ok(all.union(property::checks(&named(text)?))))
}

/// The task file on the command line.
fn task_of(input: &InputArgs) -> Option<(PathBuf, Task)> {
    let is_task = |path: &&PathBuf| matches!(path.extension().and_then(|e| e.to_str()), Some("yml" | "yaml"));
    let path = input.files.iter().find(is_task)?;
    let text = std::fs::read_to_string(path).ok()?;
    Some((path.clone(), taskfile::read(&text).ok()?))
}

/// A property that a task names: what its file says, or its name if there is no such file.
fn of_task(task: &Path, file: &str) -> Option<Property> {
    let path = task.parent().unwrap_or(Path::new("")).join(file);
    match std::fs::read_to_string(path) {
        Ok(content) => Property::from_prp(&content).ok(),
        Err(_) => taskfile::property_name(file).parse().ok(),
    }
}

impl Choice {
    /// The line that compares the verdict with the expected one: `expected: false (agrees)`.
    pub fn comparison(&self, verdict: &Verdict) -> Option<String> {
        let expected = self.expected?;
        let judgement = match verdict {
            Verdict::Unknown(_) => "no answer",
            Verdict::True if expected => "agrees",
            Verdict::False(_) if !expected => "agrees",
            Verdict::True | Verdict::False(_) => "DISAGREES",
        };
        Some(format!("expected: {expected} ({judgement})"))
    }

    /// The line that says which of the task's properties is checked.
    pub fn note(&self) -> Option<String> {
        let names = self.chosen_among.as_ref()?;
        Some(format!("property: {} (the task has {})", self.property, names.join(", ")))
    }
}
