//! An execution of the model, and of the program with the same choices.

use super::Failure;
use crate::exit::Exit;
use anyhow::{Context as _, anyhow};
use robusto_engine::Problem;
use robusto_engine::replay::{Replayer, Script};
use robusto_image::export::{Choices, State, Stimulus, System, Taken};
use robusto_image::model::{Model, Place};
use robusto_interp::EdgeRef;
use robusto_interp::inputs::Seeded;
use robusto_limits::Limits;
use std::fmt::Write as _;

/// Executes the model: random inputs if the argument is a number, else those of the AIGER witness in that file.
pub fn simulate(
    argument: &str,
    steps: usize,
    problem: &Problem,
    model: &Model,
    system: &System,
    limits: &Limits,
) -> Result<(String, Exit), Failure> {
    if let Ok(seed) = argument.parse() {
        let mut seeded = Seeded::new(seed);
        let mut any = |width: u16| random(&mut seeded, width);
        let start = system.start(|variable| any(system.width(system.variables[variable].symbol)));
        let inputs = (0..steps).map(|_| system.inputs.iter().map(|input| any(system.width(input.symbol))).collect());
        let (path, last) = follow(system, start, inputs);
        return Ok((show(system, &path, &last), Exit::OK));
    }
    let text = std::fs::read_to_string(argument).with_context(|| format!("cannot read '{argument}'"))?;
    let stimulus = system.stimulus(&text).map_err(|error| anyhow!("'{argument}': {error}"))?;
    let Stimulus { start, inputs } = stimulus;
    let start = system.start(|variable| start[variable]);
    let (path, last) = follow(system, start, inputs.into_iter());
    let mut text = show(system, &path, &last);
    let Place::Target(function, edge) = model.places[last.location] else {
        text += "replay: the execution of the model ends at no violation\n";
        return Ok((text, Exit::UNKNOWN));
    };
    let choices = system.choices(&problem.facts, model, &path)?;
    let replayer = Replayer::new(&problem.facts.program);
    let (replayed, exit) = match replayer.replay(script(choices), EdgeRef { function, edge }, false, limits) {
        Ok(_) => (format!("the interpreter reaches {}", system.locations[last.location].meaning), Exit::FALSE),
        Err(what) => (format!("the interpreter does not follow: {what}"), Exit::UNKNOWN),
    };
    writeln!(text, "replay: {replayed}").expect("a string takes all");
    Ok((text, exit))
}

/// Three of four values are small: programs compare with small constants.
fn random(seeded: &mut Seeded, width: u16) -> u128 {
    let (bits, kind) = (seeded.bits(), seeded.bits());
    let value = match kind % 4 {
        0 => u128::from(bits) | u128::from(kind) << 64,
        _ => u128::from(bits % 8),
    };
    value & u128::MAX >> (128 - width)
}

/// The steps up to a sink, or to the end of the inputs, and the state then.
fn follow(system: &System, start: State, inputs: impl Iterator<Item = Vec<u128>>) -> (Vec<Taken>, State) {
    let mut path = Vec::new();
    let mut state = start;
    for inputs in inputs {
        let (exit, next) = system.step(&state, &inputs);
        let Some(exit) = exit else { break };
        path.push(Taken { from: std::mem::replace(&mut state, next), exit, inputs });
    }
    (path, state)
}

/// A line for each state, and between them one for the inputs.
fn show(system: &System, path: &[Taken], last: &State) -> String {
    let state = |state: &State| {
        let values = system.variables.iter().zip(&state.values).map(|(v, value)| format!(" {}={value}", v.name));
        format!("state pc={}{}\n", state.location, values.collect::<String>())
    };
    let mut text = String::new();
    for taken in path {
        text += &state(&taken.from);
        let values = system.inputs.iter().zip(&taken.inputs).map(|(input, value)| format!(" {}={value}", input.name));
        text += &format!("input{}\n", values.collect::<String>());
    }
    text += &state(last);
    let end = &system.locations[last.location];
    text + &format!("end: {}\n", end.bad.as_ref().unwrap_or(&end.meaning))
}

/// What the execution chooses, for the interpreter.
fn script(choices: Choices) -> Script {
    let edge = |(function, edge)| EdgeRef { function, edge };
    Script {
        values: choices.values.into_iter().map(|(at, value)| (edge(at), Some(value))).collect(),
        fills: choices.fills.into_iter().map(|(at, bytes)| (edge(at), bytes)).collect(),
        fresh: choices.fresh.into(),
        ..Script::default()
    }
}
