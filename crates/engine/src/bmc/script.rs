//! What an execution along a path chooses, for the replay.

use crate::replay::Script;
use crate::unroll::PathStep;
use robusto_analyses::symbolic::{Contents, Encoder};
use robusto_cfa::ir::{Op, Program};
use robusto_interp::EdgeRef;
use robusto_logic::Model;
use robusto_verdict::Reason;

/// The nondeterministic choices along a path. The formulas of this one path are built anew; their choices get the numbers
/// that they had in the merged formulas, and so the values of the model.
pub(crate) fn script(
    encoder: &mut Encoder<'_>,
    program: &Program,
    path: &[PathStep],
    model: &Model,
) -> Result<Script, Reason> {
    let mut script = Script::default();
    let mut at = encoder.initial();
    let main = program.main.expect("the search starts there");
    let fresh = |encoder: &Encoder<'_>, all: Vec<Contents>, script: &mut Script| {
        let bytes = all.iter().map(|contents| contents.bytes(encoder, model)).filter(|bytes| !bytes.is_empty());
        script.fresh.extend(bytes);
    };
    let objects = encoder.contents_of_objects(&at, main)?;
    fresh(encoder, objects, &mut script);
    for step in path {
        at.choices = step.choices;
        let (function, edge) = step.step.edge_ref();
        let edge = EdgeRef { function, edge };
        let Some(after) = encoder.step(&at, step.step)? else { break };
        match step.step.edge(program).op {
            Op::Havoc { .. } => {
                let choice = encoder.choice(&at, step.step);
                let value = choice.map(|choice| encoder.terms.evaluate(choice, model) as u64);
                script.values.push_back((edge, value));
            }
            Op::HavocMem { .. } => {
                for contents in encoder.contents(&at, &after, step.step)? {
                    script.fills.push_back((edge, contents.bytes(encoder, model)));
                }
            }
            Op::Alloc { .. } | Op::Call { .. } => {
                let objects = encoder.contents(&at, &after, step.step)?;
                fresh(encoder, objects, &mut script);
            }
            _ => {}
        }
        at = after;
    }
    Ok(script)
}
