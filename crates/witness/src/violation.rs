//! Validation of a violation witness.
//!
//! A counter of passed segments is kept in the program: at each waypoint's place it moves on if the waypoint is the current
//! segment's and its constraint holds (or to a dead end, if it is one to avoid). The error edges at the target's place count
//! if all segments before it are passed, all others just end the program. The witness is accepted if such an error edge can be
//! reached. An execution with the inputs that the witness names is tried first; if it does not arrive, the engine searches.

use crate::arrive::{Named, guard, ignore_undefined, replay};
use crate::expression;
use crate::format::{Location, Segment, Waypoint, WaypointKind};
use crate::index::{Body, Branch, Call, Index, Statement, key, position};
use crate::instrument::{Edits, chain};
use crate::validate::{Compiled, Engine, Hint, Question, Validation, Validator, describe, rejected};
use robusto_cfa::ir::{Program, SrcPos};
use robusto_verdict::Verdict;
use std::collections::{BTreeMap, VecDeque};

impl Validator<'_> {
    /// Whether an execution passes segments and violates the property at their end.
    pub(crate) fn violation(&self, segments: &[Segment], engine: &mut dyn Engine) -> Result<Validation, Validation> {
        let mut waypoints = Waypoints::default();
        for (segment, Segment { avoid, follow }) in segments.iter().enumerate() {
            for waypoint in avoid {
                waypoints.add(self, waypoint, Turn { segment, follow: false })?;
            }
            waypoints.add(self, follow, Turn { segment, follow: true })?;
        }
        let Some(target) = waypoints.target else { return rejected("there is no target") };
        let compiled = self.compile(waypoints.edits(self.index)?, engine)?;
        let results = self.named(&waypoints.results, &compiled);
        let (is_target, asks) = (self.target(target, &compiled), compiled.asks());
        let (mut is_there, mut arrived) = (false, false);
        let mut aim = |program: &mut Program| {
            ignore_undefined(program, &asks);
            is_there = guard(program, segments.len() - 1, &is_target);
            arrived = is_there && replay(program, results.clone(), waypoints.variables.clone());
            is_there && !arrived
        };
        let question = Question { property: &self.property, aim: &mut aim, hint: Hint::None };
        let found = engine.check(compiled.program.clone(), question).map(|report| report.verdict);
        Ok(match found {
            _ if !is_there => {
                Validation::Rejected("the target is no place where the property can be violated".to_owned())
            }
            _ if arrived => Validation::Accepted,
            Some(Verdict::False(_)) => Validation::Accepted,
            Some(Verdict::Unknown(reason)) => Validation::Unknown(reason.to_string()),
            Some(Verdict::True) | None => {
                Validation::Rejected("no execution passes the waypoints and violates the property".to_owned())
            }
        })
    }

    /// Tells the positions of a program that are in the target.
    fn target(&self, target: &Statement, compiled: &Compiled) -> impl Fn(SrcPos) -> bool {
        let Compiled { edited, sources, .. } = compiled;
        // Questions that were put in do not count; the file is the first of its map, so that offsets are those of its text.
        let now = |offset: usize| key(position(sources, offset as u32));
        let ranges: Vec<_> = self
            .index
            .statements
            .iter()
            .map(|s| (now(edited.moved(s.span.start))..now(edited.moved(s.span.end - 1) + 1), s.span.len(), s.inner))
            .collect();
        // A macro may hold several statements, which all are where its name stands.
        let here =
            move |inner: usize| inner == target.inner || self.index.place(inner) == self.index.place(target.inner);
        let is_last = |body: &&Body| body.last == Some(target.span.start);
        let braces: Vec<_> =
            self.index.bodies.iter().filter(is_last).map(|body| now(edited.moved(body.brace))).collect();
        let asks = compiled.asks();
        move |pos| {
            if asks(pos) {
                return false;
            }
            let around = ranges.iter().filter(|(range, ..)| range.contains(&key(pos)));
            match around.min_by_key(|(_, length, _)| *length) {
                Some((.., inner)) => here(*inner),
                None => braces.contains(&key(pos)),
            }
        }
    }

    /// The results of calls that a witness names, where the calls are now.
    fn named(&self, results: &[(usize, i128)], compiled: &Compiled) -> VecDeque<Named> {
        let calls = results.iter().map(|&(at, value)| (&self.index.calls[at], value));
        let moved = |call: &Call| position(&compiled.sources, compiled.edited.moved(call.span.start) as u32);
        calls.map(|(call, value)| Named { pos: moved(call), callee: call.callee.clone(), value }).collect()
    }
}

/// The conditions to pass at some places of one kind, by number or offset of the place: the segment, the condition, and
/// whether it is to be followed.
type Sites = BTreeMap<usize, Vec<(usize, String, bool)>>;

/// When a waypoint counts.
#[derive(Clone, Copy)]
struct Turn {
    segment: usize,
    /// Whether it is to be passed, not avoided.
    follow: bool,
}

/// The waypoints of a witness, by kind.
#[derive(Default)]
struct Waypoints<'i> {
    /// By their offsets.
    statements: Sites,
    branches: Sites,
    /// Calls, when they start.
    enters: Sites,
    /// Calls, when they are over.
    returns: Sites,
    /// The results of calls that the witness names, by the number of the call.
    results: Vec<(usize, i128)>,
    /// The values of variables that the witness names.
    variables: VecDeque<(String, i128)>,
    target: Option<&'i Statement>,
}

impl<'i> Waypoints<'i> {
    /// Finds the place of a waypoint.
    fn add(&mut self, validator: &Validator<'i>, waypoint: &Waypoint, turn: Turn) -> Result<(), Validation> {
        let Waypoint { kind, location } = waypoint;
        validator.check_location(location)?;
        match kind {
            WaypointKind::Target => self.target = Some(target(validator, location)?),
            WaypointKind::Assumption(value) => self.assumption(validator, location, value, turn)?,
            WaypointKind::Branching(value) => self.branching(validator, location, value, turn)?,
            WaypointKind::FunctionEnter => {
                let at = call_that_ends(validator, location)?;
                put(&mut self.enters, at, turn, UNCONSTRAINED.to_owned());
            }
            WaypointKind::FunctionReturn(value) => self.function_return(validator, location, value.as_deref(), turn)?,
        }
        Ok(())
    }

    fn assumption(
        &mut self,
        validator: &Validator<'i>,
        location: &Location,
        value: &str,
        turn: Turn,
    ) -> Result<(), Validation> {
        validator.check_expression(value)?;
        self.variables.extend(expression::variable_constant(value).filter(|_| turn.follow));
        let found = validator.statement(location)?;
        put(&mut self.statements, found.inner, turn, value.to_owned());
        Ok(())
    }

    fn branching(
        &mut self,
        validator: &Validator<'i>,
        location: &Location,
        value: &str,
        turn: Turn,
    ) -> Result<(), Validation> {
        let place = |b: &Branch| validator.is_at(b.keyword, location, &b.function);
        let Some(at) = validator.index.branches.iter().position(place) else {
            return rejected(format!("there is no branch at {}", describe(location)));
        };
        let condition = match value {
            "true" => "__robusto_c != 0".to_owned(),
            "false" => "__robusto_c == 0".to_owned(),
            "default" => {
                return Err(Validation::Unknown("the default of a switch is not supported".to_owned()));
            }
            number => format!("__robusto_c == {number}"),
        };
        put(&mut self.branches, at, turn, condition);
        Ok(())
    }

    fn function_return(
        &mut self,
        validator: &Validator<'i>,
        location: &Location,
        value: Option<&str>,
        turn: Turn,
    ) -> Result<(), Validation> {
        let at = call_that_ends(validator, location)?;
        let Some(value) = value else {
            put(&mut self.returns, at, turn, UNCONSTRAINED.to_owned());
            return Ok(());
        };
        let constant = expression::result_constant(value).filter(|_| turn.follow);
        self.results.extend(constant.map(|constant| (at, constant)));
        let condition = value.replace("\\result", "__robusto_r");
        validator.check_expression(&condition)?;
        put(&mut self.returns, at, turn, condition);
        Ok(())
    }

    /// The counter, and at each place how it moves on.
    fn edits(&self, index: &Index) -> Result<Edits, Validation> {
        let mut edits = Edits::default();
        edits.prefix(index, "static int __robusto_at; ");
        for (inner, steps) in &self.statements {
            if let Some(statement) = index.statements.iter().find(|s| s.inner == *inner) {
                edits.before(statement, &chain(steps));
            }
        }
        for (&at, steps) in &self.branches {
            let branch = &index.branches[at];
            let condition = &index.text()[branch.condition.clone()];
            let open = format!("({{ __typeof__(1 ? ({condition}) : 0) __robusto_c = (");
            edits.around_condition(&branch.condition, &open, &format!("); {} __robusto_c; }})", chain(steps)));
        }
        for (&at, steps) in &self.returns {
            if steps.iter().all(|(_, condition, _)| condition == UNCONSTRAINED) {
                return Err(Validation::Unknown("a return without a constraint is not supported".to_owned()));
            }
            let span = &index.calls[at].span;
            let open = format!("({{ __typeof__({}) __robusto_r = ", &index.text()[span.clone()]);
            edits.around_call(span, &open, &format!("; {} __robusto_r; }})", chain(steps)));
        }
        for (&at, steps) in &self.enters {
            let Call { span, last, has_calls, .. } = &index.calls[at];
            match last {
                // A function is entered behind its arguments, where there may be other waypoints.
                Some(last) if *has_calls => {
                    let close = format!("); {} __robusto_a; }})", chain(steps));
                    edits.around_argument(last, "({ __auto_type __robusto_a = (", &close);
                }
                _ => edits.before_call(span, &format!("({{ {} 0; }})", chain(steps))),
            }
        }
        Ok(edits)
    }
}

/// A condition that always holds.
const UNCONSTRAINED: &str = "1";

fn put(sites: &mut Sites, at: usize, turn: Turn, condition: String) {
    sites.entry(at).or_default().push((turn.segment, condition, turn.follow));
}

/// The statement that a location means as a target: one that starts there, or the innermost around a call that does.
fn target<'i>(validator: &Validator<'i>, location: &Location) -> Result<&'i Statement, Validation> {
    if let Some(found) = validator.find_statement(location) {
        return Ok(found);
    }
    let index = validator.index;
    let call = index.calls.iter().find(|c| validator.is_at(c.span.start, location, &c.function));
    let around = call.and_then(|call| index.statement_around(call.pos));
    around.ok_or_else(|| Validation::Rejected(format!("there is no statement at {}", describe(location))))
}

/// The number of the call whose last character is at a location.
fn call_that_ends(validator: &Validator<'_>, location: &Location) -> Result<usize, Validation> {
    let place = |c: &Call| validator.is_at(c.span.end - 1, location, &c.function);
    let found = validator.index.calls.iter().position(place);
    found.ok_or_else(|| Validation::Rejected(format!("no call ends at {}", describe(location))))
}
