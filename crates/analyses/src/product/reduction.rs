//! What the domains of the product tell each other (↓ of the composite CPA).
//!
//! | from | to | what |
//! |---|---|---|
//! | value | interval | the constant of a variable that has an interval |
//! | interval | value | an interval of one value, of a variable that is tracked |
//! | value, interval | bdd | the constant that a step gives to a variable which has bits: `flag = x < 5` where 5 ≤ x is known |
//! | all | predicate | nothing: predicates of a path need no help |
//!
//! The other way round there is nothing to tell: variables that are assigned to or compared with each other are in one domain.

use super::ranges::{Range, Ranges};
use crate::bdd::{Bdd, Set};
use crate::value::{Valuation, Value};
use robusto_cfa::ir::VarId;
use robusto_cpa::control::Location;
use robusto_cpa::{Product, Reduction, Step};
use robusto_domains::Interval;
use robusto_domains::machine::width;
use robusto_finite::Meaning;
use robusto_limits::Stopped;

/// Constants and intervals.
pub type Numbers<'f> = Product<Value<'f>, Ranges<'f>, Constants>;

/// Between constants and intervals.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Constants;

impl<'f> Reduction<Value<'f>, Ranges<'f>> for Constants {
    fn strengthen(
        &mut self,
        value: &mut Value<'f>,
        ranges: &mut Ranges<'f>,
        (mut valuation, mut range): (Valuation, Range),
        step: Step,
    ) -> Result<Option<(Valuation, Range)>, Stopped> {
        let program = &value.facts().program;
        let constants: Vec<(VarId, u64)> = valuation.iter().filter(|&(var, _)| ranges.owns(var)).collect();
        for (var, constant) in constants {
            let Some(width) = width(&program.exprs, program.vars[var].ty) else { continue };
            let Some(narrower) = ranges.restrict(range, var, Interval::constant(width, constant)) else {
                return Ok(None);
            };
            range = narrower;
        }
        let from = Location { function: step.edge_ref().0, loc: step.edge(program).src };
        let to = from.transfer(program, step);
        for (&var, &interval) in range.boxes.iter() {
            let is_new = interval.as_constant().is_some() && value.precision.tracks(to, var);
            if is_new && !valuation.learn(var, interval) {
                return Ok(None);
            }
        }
        Ok(Some((valuation, range)))
    }
}

/// Between numbers and sets.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Told;

impl<'f> Reduction<Numbers<'f>, Bdd<'f>> for Told {
    fn strengthen(
        &mut self,
        _: &mut Numbers<'f>,
        bdd: &mut Bdd<'f>,
        ((mut valuation, mut range), mut set): ((Valuation, Range), Set),
        _: Step,
    ) -> Result<Option<((Valuation, Range), Set)>, Stopped> {
        let told = std::mem::take(&mut valuation.told).into_iter().chain(std::mem::take(&mut range.told));
        for (var, constant) in told {
            let has_code = bdd.encoding().get(var).is_some_and(|code| match &code.meaning {
                Meaning::Bits => true,
                // A value that no index stands for by itself is not told.
                Meaning::Index { values, .. } => values.contains(&Some(constant)),
            });
            if !has_code {
                continue;
            }
            let all = bdd.with_value(&set.all, var, constant)?;
            if bdd.diagrams().is_false(&all) {
                return Ok(None);
            }
            set = Set { new: all.clone(), all };
        }
        Ok(Some(((valuation, range), set)))
    }
}
