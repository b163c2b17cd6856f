//! Is a witness true?
//!
//! A witness becomes part of the program, and the question a reachability problem for any engine:
//!
//! - **Correctness.** Each invariant is an assertion at its place. The witness is accepted if no assertion fails and the
//!   property holds. Nothing is assumed: that invariants at loop heads are the hypothesis of an induction follows from an
//!   execution ending where an assertion fails.
//! - **Violation.** A counter of passed segments is kept in the program: at each waypoint's place it moves on if the
//!   waypoint is the current segment's and its constraint holds (or to a dead end, if it is one to avoid). The error
//!   edges at the target's place count if all segments before it are passed, all others just end the program. The
//!   witness is accepted if such an error edge can be reached. An execution with the inputs that the witness names is
//!   tried first; if it does not arrive, the engine searches.
//!
//! Both are as sound as the engine: a witness is accepted only if the engine proves the assertions, or the interpreter
//! arrives at the target.

use crate::arrive::{Named, guard, replay};
use crate::expression;
use crate::format::{Content, Invariant, Location, Segment, Waypoint, WaypointKind, Witness};
use crate::index::{Index, position};
use crate::instrument::{Edits, chain, statement_at};
use robusto_cfa::ir::{ErrorKind, Op, Program, SrcPos};
use robusto_cfa::{Checks, Options, compile};
use robusto_syntax::SourceMap;
use robusto_verdict::{Property, Report, Verdict};
use std::collections::{BTreeMap, VecDeque};

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
    /// SHA-256 of the file.
    pub hash: String,
    /// How it is compiled; the property adds its checks.
    pub options: Options,
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

/// What validation needs of an engine.
pub trait Engine {
    /// The checks that a program is compiled with for a property.
    fn checks(&self, property: &Property) -> Checks;

    /// Makes the property's violations the only error edges of a program.
    fn instrument(&self, program: &mut Program, property: &Property);

    /// Decides whether an error edge of a program can be reached.
    fn check(&mut self, program: Program, hint: Hint) -> Report;
}

/// Validates a witness; the engine decides whether an error edge can be reached.
pub fn validate(task: &Task, witness: &Witness, engine: &mut dyn Engine) -> Validation {
    match try_validate(task, witness, engine) {
        Ok(validation) | Err(validation) => validation,
    }
}

fn rejected<T>(reason: impl Into<String>) -> Result<T, Validation> {
    Err(Validation::Rejected(reason.into()))
}

fn try_validate(task: &Task, witness: &Witness, engine: &mut dyn Engine) -> Result<Validation, Validation> {
    let metadata = &witness.metadata;
    let Some((_, hash)) = metadata.input_files.iter().find(|(name, _)| same_file(name, &task.name)) else {
        return rejected(format!("the witness is not about '{}'", task.name));
    };
    if *hash != task.hash {
        return rejected(format!("the hash of '{}' is another one: the file has changed", task.name));
    }
    let model = task.options.model;
    if metadata.data_model != model.to_string() {
        return rejected(format!("the witness is for {}, the program is {model}", metadata.data_model));
    }
    let claimed = Property::from_prp(&metadata.specification)
        .map_err(|_| Validation::Unknown(format!("property '{}' is not supported", metadata.specification)))?;
    if task.property.as_ref().is_some_and(|asked| *asked != claimed) {
        return rejected(format!("the witness is about {claimed}"));
    }
    let index = Index::new(&task.name, &task.text, task.physical, Checks::NONE)
        .ok_or_else(|| Validation::Unknown("the program cannot be parsed".to_owned()))?;
    let validator = Validator { task, index: &index, property: claimed };
    match &witness.content {
        Content::Correctness(list) => validator.correctness(list, engine),
        Content::Violation(segments) => validator.violation(segments, engine),
    }
}

fn same_file(a: &str, b: &str) -> bool {
    let base = |name: &str| name.rsplit('/').next().unwrap_or(name).to_owned();
    base(a) == base(b)
}

struct Validator<'t> {
    task: &'t Task,
    index: &'t Index,
    property: Property,
}

/// The conditions to pass at one place.
#[derive(Default)]
struct Site {
    steps: Vec<(usize, String, bool)>,
}

impl Validator<'_> {
    fn check_location(&self, location: &Location) -> Result<(), Validation> {
        if !same_file(&location.file, &self.task.name) {
            return rejected(format!("a location is in '{}', which is not the program", location.file));
        }
        if self.task.physical && location.line > self.index.num_lines() {
            return rejected(format!("the program has no line {}", location.line));
        }
        Ok(())
    }

    fn expression(&self, text: &str) -> Result<(), Validation> {
        expression::check(text).or_else(|reason| rejected(format!("'{text}' is no expression for a witness: {reason}")))
    }

    fn correctness(&self, list: &[Invariant], engine: &mut dyn Engine) -> Result<Validation, Validation> {
        let mut edits = Edits::default();
        edits.prefix(self.index, "static void __robusto_violation(void) { __builtin_abort(); } ");
        for invariant in list {
            let location = &invariant.location;
            self.check_location(location)?;
            self.expression(&invariant.value)?;
            let text = format!("if (!({})) __robusto_violation();", invariant.value);
            if invariant.of_loop {
                let place = |l: &&crate::index::Loop| self.is_at(l.keyword, location, &l.function);
                let Some(found) = self.index.loops.iter().find(place) else {
                    return rejected(format!("there is no loop at {}", describe(location)));
                };
                let blank = self.index.text()[found.condition.clone()].trim().is_empty();
                let (open, close) = (format!("(({{ {text} 0; }}), ("), if blank { "1))" } else { "))" });
                edits.around_condition(&found.condition, &open, close);
            } else {
                let function = location.function.as_deref();
                let Some(found) = statement_at(self.index, location.line, location.column, function) else {
                    return rejected(format!("there is no statement at {}", describe(location)));
                };
                edits.before(found, &text);
            }
        }
        let (mut program, _, _) = self.compile(edits, engine)?;
        let violation = program.function_named("__robusto_violation");
        engine.instrument(&mut program, &self.property);
        for id in program.functions.ids() {
            program.functions[id].map_ops(|op| match op {
                Op::Error(kind) => *kind = ErrorKind::ReachError,
                Op::Halt { .. } if Some(id) == violation => *op = Op::Error(ErrorKind::ReachError),
                _ => {}
            });
        }
        robusto_cfa::verify::assert_valid(&program, "instrumenting a witness");
        let report = engine.check(program, if list.is_empty() { Hint::None } else { Hint::Inductive });
        Ok(match report.verdict {
            Verdict::True => Validation::Accepted,
            Verdict::False(_) => Validation::Rejected("an invariant, or the property, does not hold".to_owned()),
            Verdict::Unknown(reason) => Validation::Unknown(reason.to_string()),
        })
    }

    fn is_at(&self, offset: usize, location: &Location, function: &str) -> bool {
        let (line, column) = self.index.place(offset);
        line == location.line
            && location.column.is_none_or(|c| c == column)
            && location.function.as_deref().is_none_or(|f| f == function)
    }

    fn violation(&self, segments: &[Segment], engine: &mut dyn Engine) -> Result<Validation, Validation> {
        let mut statements: BTreeMap<usize, Site> = BTreeMap::new();
        let mut branches: BTreeMap<usize, Site> = BTreeMap::new();
        let mut enters: BTreeMap<usize, Site> = BTreeMap::new();
        let mut returns: BTreeMap<usize, Site> = BTreeMap::new();
        let mut pending: VecDeque<(usize, i128)> = VecDeque::new();
        let mut variables: VecDeque<(String, i128)> = VecDeque::new();
        let mut target = None;
        for (number, segment) in segments.iter().enumerate() {
            for (waypoint, follow) in segment.avoid.iter().map(|w| (w, false)).chain([(&segment.follow, true)]) {
                let Waypoint { kind, location } = waypoint;
                self.check_location(location)?;
                match kind {
                    WaypointKind::Target => {
                        let function = location.function.as_deref();
                        let found = statement_at(self.index, location.line, location.column, function);
                        let found = found.or_else(|| self.statement_with_call(location));
                        target = Some(found.ok_or_else(|| {
                            Validation::Rejected(format!("there is no statement at {}", describe(location)))
                        })?);
                    }
                    WaypointKind::Assumption(value) => {
                        self.expression(value)?;
                        variables.extend(expression::variable_constant(value).filter(|_| follow));
                        let function = location.function.as_deref();
                        let Some(found) = statement_at(self.index, location.line, location.column, function) else {
                            return rejected(format!("there is no statement at {}", describe(location)));
                        };
                        statements.entry(found.inner).or_default().steps.push((number, value.clone(), follow));
                    }
                    WaypointKind::Branching(value) => {
                        let place = |b: &crate::index::Branch| self.is_at(b.keyword, location, &b.function);
                        let Some(at) = self.index.branches.iter().position(place) else {
                            return rejected(format!("there is no branch at {}", describe(location)));
                        };
                        let condition = match value.as_str() {
                            "true" => "__robusto_c != 0".to_owned(),
                            "false" => "__robusto_c == 0".to_owned(),
                            "default" => {
                                return Err(Validation::Unknown("the default of a switch is not supported".to_owned()));
                            }
                            number => format!("__robusto_c == {number}"),
                        };
                        branches.entry(at).or_default().steps.push((number, condition, follow));
                    }
                    WaypointKind::FunctionEnter | WaypointKind::FunctionReturn(_) => {
                        let place = |c: &crate::index::Call| self.is_at(c.span.end - 1, location, &c.function);
                        let Some(at) = self.index.calls.iter().position(place) else {
                            return rejected(format!("no call ends at {}", describe(location)));
                        };
                        let (sites, condition) = match kind {
                            WaypointKind::FunctionReturn(Some(value)) => {
                                let constant = expression::result_constant(value);
                                if let (Some(constant), true) = (constant, follow) {
                                    pending.push_back((at, constant));
                                }
                                let value = value.replace("\\result", "__robusto_r");
                                self.expression(&value)?;
                                (&mut returns, value)
                            }
                            WaypointKind::FunctionReturn(None) => (&mut returns, "1".to_owned()),
                            _ => (&mut enters, "1".to_owned()),
                        };
                        sites.entry(at).or_default().steps.push((number, condition, follow));
                    }
                }
            }
        }
        let Some(target) = target else { return rejected("there is no target") };
        let mut edits = Edits::default();
        edits.prefix(self.index, "static int __robusto_at; ");
        for (inner, site) in &statements {
            if let Some(statement) = self.index.statements.iter().find(|s| s.inner == *inner) {
                edits.before(statement, &chain(&site.steps));
            }
        }
        for (at, site) in &branches {
            let branch = &self.index.branches[*at];
            let condition = &self.index.text()[branch.condition.clone()];
            let open = format!("({{ __typeof__(1 ? ({condition}) : 0) __robusto_c = (");
            edits.around_condition(&branch.condition, &open, &format!("); {} __robusto_c; }})", chain(&site.steps)));
        }
        for (at, site) in &returns {
            let call = &self.index.calls[*at];
            let text = &self.index.text()[call.span.clone()];
            let uses = site.steps.iter().any(|(_, condition, _)| condition != "1");
            let (open, close) = if uses {
                (format!("({{ __typeof__({text}) __robusto_r = "), format!("; {} __robusto_r; }})", chain(&site.steps)))
            } else {
                return Err(Validation::Unknown("a return without a constraint is not supported".to_owned()));
            };
            edits.around_call(&call.span, &open, &close);
        }
        for (at, site) in &enters {
            let call = &self.index.calls[*at];
            edits.around_call(&call.span, &format!("(({{ {} 0; }}), ", chain(&site.steps)), ")");
        }
        let before_target = segments.len() - 1;
        let (mut program, edited, sources) = self.compile(edits, engine)?;
        engine.instrument(&mut program, &self.property);
        // Statements that were put in do not count; the file is the first of its map, so that offsets are those of its text.
        let key = |pos: SrcPos| (pos.file, pos.line, pos.column);
        let now = |offset: usize| key(position(&sources, offset as u32));
        let ranges: Vec<_> = self
            .index
            .statements
            .iter()
            .map(|s| (now(edited.moved(s.inner))..now(edited.moved(s.span.end - 1) + 1), s.span.len(), s.inner))
            .collect();
        let reachable = guard(&mut program, before_target, |pos| {
            let around = ranges.iter().filter(|(range, ..)| range.contains(&key(pos)));
            around.min_by_key(|(_, length, _)| *length).is_some_and(|(.., inner)| *inner == target.inner)
        });
        if !reachable {
            return rejected("the target is no place where the property can be violated");
        }
        let moved = |at: usize| position(&sources, edited.moved(self.index.calls[at].span.start) as u32);
        let named = pending
            .iter()
            .map(|&(at, value)| Named { pos: moved(at), callee: self.index.calls[at].callee.clone(), value })
            .collect();
        if replay(&program, named, variables) {
            return Ok(Validation::Accepted);
        }
        let report = engine.check(program, Hint::None);
        Ok(match report.verdict {
            Verdict::False(_) => Validation::Accepted,
            Verdict::True => {
                Validation::Rejected("no execution passes the waypoints and violates the property".to_owned())
            }
            Verdict::Unknown(reason) => Validation::Unknown(reason.to_string()),
        })
    }

    /// The innermost statement around a call that starts at a location.
    fn statement_with_call(&self, location: &Location) -> Option<&crate::index::Statement> {
        let call = self.index.calls.iter().find(|c| self.is_at(c.span.start, location, &c.function))?;
        self.index.statement_around(call.pos)
    }

    fn compile(
        &self,
        edits: Edits,
        engine: &dyn Engine,
    ) -> Result<(Program, crate::instrument::Edited, SourceMap), Validation> {
        let edited = edits.apply(&self.task.text);
        let mut sources = SourceMap::new();
        let file = sources
            .add(&self.task.name, edited.text.clone())
            .map_err(|_| Validation::Unknown("the program is too large".to_owned()))?;
        let options = Options { checks: engine.checks(&self.property), ..self.task.options };
        match compile(&mut sources, &[file], options) {
            Ok((program, _)) => Ok((program, edited, sources)),
            Err(errors) => {
                let message = errors.first().map_or(String::new(), |e| e.message.clone());
                rejected(format!("an expression does not fit its place: {message}"))
            }
        }
    }
}

fn describe(location: &Location) -> String {
    match location.column {
        Some(column) => format!("line {}, column {column}", location.line),
        None => format!("line {}", location.line),
    }
}
