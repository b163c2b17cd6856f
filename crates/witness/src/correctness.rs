//! Validation of a correctness witness.
//!
//! Each invariant is an assertion at its place. The witness is accepted if no assertion fails and the property holds. Nothing
//! is assumed: that invariants at loop heads are the hypothesis of an induction follows from an execution ending where an
//! assertion fails.

use crate::format::Invariant;
use crate::index::Loop;
use crate::instrument::Edits;
use crate::validate::{Engine, Hint, Validation, Validator, describe, rejected};
use robusto_cfa::ir::{ErrorKind, Op, Program};
use robusto_verdict::Verdict;

/// Called where an assertion fails.
const VIOLATION: &str = "__robusto_violation";

impl Validator<'_> {
    /// Whether invariants hold, and the property with them.
    pub(crate) fn correctness(&self, list: &[Invariant], engine: &mut dyn Engine) -> Result<Validation, Validation> {
        let mut edits = Edits::default();
        edits.prefix(self.index, &format!("static void {VIOLATION}(void) {{ __builtin_abort(); }} "));
        for invariant in list {
            self.assert(invariant, &mut edits)?;
        }
        let mut program = self.compile(edits, engine)?.program;
        engine.instrument(&mut program, &self.property);
        fail_where_assertions_do(&mut program);
        let report = engine.check(program, if list.is_empty() { Hint::None } else { Hint::Inductive });
        Ok(match report.verdict {
            Verdict::True => Validation::Accepted,
            Verdict::False(_) => Validation::Rejected("an invariant, or the property, does not hold".to_owned()),
            Verdict::Unknown(reason) => Validation::Unknown(reason.to_string()),
        })
    }

    /// Makes an invariant an assertion.
    fn assert(&self, invariant: &Invariant, edits: &mut Edits) -> Result<(), Validation> {
        let location = &invariant.location;
        self.check_location(location)?;
        self.check_expression(&invariant.value)?;
        let text = format!("if (!({})) {VIOLATION}();", invariant.value);
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
