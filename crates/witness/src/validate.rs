//! Is a witness true?
//!
//! A witness becomes part of the program, and the question a reachability problem for any engine:
//!
//! - [`correctness`](crate::correctness): each invariant is an assertion; the witness is accepted if none fails and the property
//!   holds.
//! - [`violation`](crate::violation): a counter says how much of the path is passed; the witness is accepted if a violation
//!   behind all of it can be reached.
//!
//! Both are as sound as the engine: a witness is accepted only if the engine proves the assertions, or the interpreter
//! arrives at the target.

use crate::expression;
use crate::format::{Content, Location, Witness};
use crate::index::{Index, Statement, key, position};
use crate::instrument::{Edited, Edits, statement_at};
use robusto_cfa::ir::{Program, SrcPos};
use robusto_cfa::{Checks, Options, compile};
use robusto_syntax::SourceMap;
use robusto_verdict::{Property, Report};

/// What a validator says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Validation {
    /// The witness is true.
    Accepted,
    /// It is not, for this reason.
    Rejected(String),
    /// Nobody knows, for this reason.
    Unknown(String),
}

/// A program of one file and what is asked of it.
#[derive(Clone, Debug)]
pub struct Task {
    /// The file's name.
    pub name: String,
    /// Its text as the compiler sees it.
    pub text: String,
    /// Whether that is the file itself, not what a preprocessor made of it.
    pub physical: bool,
    /// The file itself, if the text is what a preprocessor made of it.
    pub original: Option<String>,
    /// SHA-256 of the file.
    pub hash: String,
    /// How it is compiled; the property adds its checks.
    pub options: Options,
    /// Whether a witness about another version of the file is rejected.
    pub strict: bool,
    /// The property, if not the witness says it.
    pub property: Option<Property>,
}

/// What is known of a program that a witness has become part of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Hint {
    /// Nothing.
    None,
    /// It has assertions that may be an inductive invariant.
    Inductive,
}

/// What a witness asks about the program that it has become part of.
pub struct Question<'q> {
    /// The property that the witness is about.
    pub property: &'q Property,
    /// Makes those error edges of the property's problem that the witness speaks of the only ones, and its own assertions, too; says
    /// whether somebody has to search.
    pub aim: &'q mut dyn FnMut(&mut Program) -> bool,
    /// What is known of the program.
    pub hint: Hint,
}

/// What validation needs of an engine.
pub trait Engine {
    /// The checks that a program is compiled with for a property.
    fn checks(&self, property: &Property) -> Checks;

    /// Makes the problem of the property as a check does, lets the question aim, and decides whether an error edge can be reached;
    /// `None` if nobody has to search.
    fn check(&mut self, program: Program, question: Question<'_>) -> Option<Report>;
}

/// Validates a witness; the engine decides whether an error edge can be reached.
pub fn validate(task: &Task, witness: &Witness, engine: &mut dyn Engine) -> Validation {
    match try_validate(task, witness, engine) {
        Ok(validation) | Err(validation) => validation,
    }
}

pub(crate) fn rejected<T>(reason: impl Into<String>) -> Result<T, Validation> {
    Err(Validation::Rejected(reason.into()))
}

fn try_validate(task: &Task, witness: &Witness, engine: &mut dyn Engine) -> Result<Validation, Validation> {
    if let Some(beyond) = &witness.beyond {
        return Err(Validation::Unknown(beyond.clone()));
    }
    let metadata = &witness.metadata;
    if !metadata.input_files.iter().any(|(name, _)| same_file(name, &task.name)) {
        return rejected(format!("the witness is not about '{}'", task.name));
    }
    if let (true, Some(change)) = (task.strict, changed(task, witness)) {
        return rejected(change);
    }
    let model = task.options.model;
    if !metadata.data_model.is_empty() && metadata.data_model != model.to_string() {
        return rejected(format!("the witness is for {}, the program is {model}", metadata.data_model));
    }
    let claimed = Property::from_prp(&metadata.specification)
        .map_err(|_| Validation::Unknown(format!("property '{}' is not supported", metadata.specification)))?;
    if task.property.as_ref().is_some_and(|asked| !asked.asks_as(&claimed)) {
        return rejected(format!("the witness is about {claimed}"));
    }
    let index = Index::new(&task.name, &task.text, task.physical, Checks::NONE)
        .ok_or_else(|| Validation::Unknown("the program cannot be parsed".to_owned()))?;
    let index = match &task.original {
        Some(original) => index.of_file(&task.name, original),
        None => index,
    };
    let validator = Validator { task, index: &index, property: claimed };
    match &witness.content {
        Content::Correctness(claims) => validator.correctness(claims, engine),
        Content::Violation(segments) => validator.violation(segments, engine),
    }
}

/// What says that the witness is about another version of the file.
pub fn changed(task: &Task, witness: &Witness) -> Option<String> {
    let (_, hash) = witness.metadata.input_files.iter().find(|(name, _)| same_file(name, &task.name))?;
    let differs = !hash.is_empty() && *hash != task.hash;
    differs.then(|| format!("the hash of '{}' is another one: the file has changed", task.name))
}

fn same_file(a: &str, b: &str) -> bool {
    let base = |name: &str| name.rsplit('/').next().unwrap_or(name).to_owned();
    base(a) == base(b)
}

/// A task whose witness is about it.
pub(crate) struct Validator<'t> {
    task: &'t Task,
    pub(crate) index: &'t Index,
    pub(crate) property: Property,
}

/// A program with what a witness has put into it.
pub(crate) struct Compiled {
    pub(crate) program: Program,
    pub(crate) edited: Edited,
    pub(crate) sources: SourceMap,
}

impl Compiled {
    /// Whether what stands at a position only asks whether something of the witness holds.
    pub(crate) fn asks(&self) -> impl Fn(SrcPos) -> bool {
        let place = |offset: usize| key(position(&self.sources, offset as u32));
        let ranges: Vec<_> = self.edited.asks.iter().map(|asks| place(asks.start)..place(asks.end)).collect();
        move |pos| ranges.iter().any(|range| range.contains(&key(pos)))
    }
}

impl<'t> Validator<'t> {
    /// A location must be in the program.
    pub(crate) fn check_location(&self, location: &Location) -> Result<(), Validation> {
        if !same_file(&location.file, &self.task.name) {
            return rejected(format!("a location is in '{}', which is not the program", location.file));
        }
        if self.task.physical && location.line > self.index.num_lines() {
            return rejected(format!("the program has no line {}", location.line));
        }
        Ok(())
    }

    /// A text must be an expression that changes nothing.
    pub(crate) fn check_expression(&self, text: &str) -> Result<(), Validation> {
        expression::check(text).or_else(|reason| rejected(format!("'{text}' is no expression for a witness: {reason}")))
    }

    /// The statement at a location, if there is one.
    pub(crate) fn find_statement(&self, location: &Location) -> Option<&'t Statement> {
        statement_at(self.index, location.line, location.column, location.function.as_deref())
    }

    /// The statement at a location.
    pub(crate) fn statement(&self, location: &Location) -> Result<&'t Statement, Validation> {
        self.find_statement(location)
            .ok_or_else(|| Validation::Rejected(format!("there is no statement at {}", describe(location))))
    }

    /// Whether an offset in a function is what a location means.
    pub(crate) fn is_at(&self, offset: usize, location: &Location, function: &str) -> bool {
        let (line, column) = self.index.place(offset);
        line == location.line
            && location.column.is_none_or(|c| c == column)
            && location.function.as_deref().is_none_or(|f| f == function)
    }

    /// Compiles the program with edits.
    pub(crate) fn compile(&self, edits: Edits, engine: &dyn Engine) -> Result<Compiled, Validation> {
        let edited = edits.apply(&self.task.text);
        let mut sources = SourceMap::new();
        let file = sources
            .add(&self.task.name, edited.text.clone())
            .map_err(|_| Validation::Unknown("the program is too large".to_owned()))?;
        let options = Options { checks: engine.checks(&self.property), ..self.task.options.clone() };
        match compile(&mut sources, &[file], options) {
            Ok((program, _)) => Ok(Compiled { program, edited, sources }),
            Err(errors) => {
                let message = errors.first().map_or(String::new(), |e| e.message.clone());
                rejected(format!("an expression does not fit its place: {message}"))
            }
        }
    }
}

/// A location, for people.
pub(crate) fn describe(location: &Location) -> String {
    match location.column {
        Some(column) => format!("line {}, column {column}", location.line),
        None => format!("line {}", location.line),
    }
}
