//! Validation of a correctness witness.
//!
//! Each invariant is an assertion at its place. The witness is accepted if no assertion fails and the property holds. Nothing
//! is assumed: that invariants at loop heads are the hypothesis of an induction follows from an execution ending where an
//! assertion fails.

use crate::arrive::ignore_undefined;
use crate::format::{Claims, Invariant};
use crate::index::Loop;
use crate::instrument::{Edits, asking};
use crate::validate::{Engine, Hint, Question, Validation, Validator, describe, rejected};
use robusto_cfa::ir::{ErrorKind, Op, Program};
use robusto_verdict::Verdict;

/// Called where an assertion fails.
const VIOLATION: &str = "__robusto_violation";

impl Validator<'_> {
    /// Whether invariants hold, and the property with them.
    pub(crate) fn correctness(&self, claims: &Claims, engine: &mut dyn Engine) -> Result<Validation, Validation> {
        let mut edits = Edits::default();
        edits.prefix(self.index, &format!("static void {VIOLATION}(void) {{ __builtin_abort(); }} "));
        for invariant in &claims.invariants {
            check_ghosts(&invariant.value, &claims.ghosts)?;
            self.assert(invariant, &mut edits)?;
        }
        for contract in &claims.contracts {
            let parts = [&contract.requires, &contract.ensures];
            parts.into_iter().flatten().try_for_each(|value| check_ghosts(value, &claims.ghosts))?;
            self.contract(contract, &mut edits)?;
        }
        let compiled = self.compile(edits, engine)?;
        let asks = compiled.asks();
        let mut aim = |program: &mut Program| {
            ignore_undefined(program, &asks);
            fail_where_assertions_do(program);
            true
        };
        let hint =
            if claims.invariants.is_empty() && claims.contracts.is_empty() { Hint::None } else { Hint::Inductive };
        let question = Question { property: &self.property, aim: &mut aim, hint };
        Ok(match engine.check(compiled.program.clone(), question).map(|report| report.verdict) {
            Some(Verdict::True) => Validation::Accepted,
            Some(Verdict::False(_)) => Validation::Rejected("an invariant, or the property, does not hold".to_owned()),
            Some(Verdict::Unknown(reason)) => Validation::Unknown(reason.to_string()),
            None => Validation::Unknown("nobody searched".to_owned()),
        })
    }

    /// Makes an invariant an assertion.
    fn assert(&self, invariant: &Invariant, edits: &mut Edits) -> Result<(), Validation> {
        let location = &invariant.location;
        self.check_location(location)?;
        self.check_expression(&invariant.value)?;
        let text = unless(&invariant.value);
        if !invariant.of_loop {
            edits.before(self.statement(location)?, &text);
            return Ok(());
        }
        let place = |l: &&Loop| self.is_at(l.keyword, location, &l.function);
        let Some(found) = self.index.loops.iter().find(place) else {
            return rejected(format!("there is no loop at {}", describe(location)));
        };
        let blank = self.index.text()[found.condition.clone()].trim().is_empty();
        let (open, close) = (format!("(({{ {text} 0; }}), ("), if blank { "1))" } else { "))" });
        edits.around_condition(&found.condition, &open, close);
        Ok(())
    }
}

/// A violation where an expression is zero.
pub(crate) fn unless(value: &str) -> String {
    asking(&format!("if (!({value})) {VIOLATION}();"))
}

/// What a witness says of variables that it adds to the program is not understood.
fn check_ghosts(value: &str, ghosts: &[String]) -> Result<(), Validation> {
    let mut words = value.split(|c: char| !c.is_alphanumeric() && c != '_');
    match words.find(|word| ghosts.iter().any(|ghost| ghost == word)) {
        Some(ghost) => Err(Validation::Unknown(format!("'{value}' speaks of the ghost variable '{ghost}'"))),
        None => Ok(()),
    }
}

/// Makes a failed assertion an error edge like those of the property.
fn fail_where_assertions_do(program: &mut Program) {
    let violation = program.function_named(VIOLATION);
    for id in program.functions.ids() {
        program.functions[id].map_ops(|op| match op {
            Op::Error(kind) => *kind = ErrorKind::ReachError,
            Op::Halt { .. } if Some(id) == violation => *op = Op::Error(ErrorKind::ReachError),
            _ => {}
        });
    }
    robusto_cfa::verify::assert_valid(program, "instrumenting a witness");
}
