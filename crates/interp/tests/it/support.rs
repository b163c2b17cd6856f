//! Compiles and executes a program in the test's own process.

use robusto_cfa::ir::{DataModel, Program};
use robusto_interp::{Code, Config, Inputs, Machine, Observer, Outcome, Silent, Streams};
use robusto_syntax::SourceMap;

/// What an execution did.
#[derive(Debug)]
pub struct Run {
    /// How it ended.
    pub outcome: Outcome,
    /// The same in words.
    pub description: String,
    /// Standard output.
    pub output: String,
    /// Number of edges executed.
    pub steps: u64,
}

/// Compiles a program; gives the diagnostics if it is not accepted.
pub fn try_compile(name: &str, text: &str, model: DataModel) -> Result<Program, String> {
    let mut sources = SourceMap::new();
    let file = sources.add(name, text.to_owned()).expect("small enough");
    match robusto_cfa::compile(&mut sources, &[file], robusto_cfa::Options::new(model)) {
        Ok((program, _)) => Ok(program),
        Err(diagnostics) => Err(diagnostics.iter().map(|diagnostic| diagnostic.render(&sources)).collect()),
    }
}

/// Compiles a program that is accepted.
pub fn compile(name: &str, text: &str, model: DataModel) -> Program {
    try_compile(name, text, model).unwrap_or_else(|messages| panic!("{messages}"))
}

/// Compiles and executes a program.
pub fn execute(name: &str, text: &str, model: DataModel, inputs: &mut dyn Inputs) -> Run {
    execute_with(name, text, model, inputs, Config { max_steps: Some(200_000_000), ..Config::default() })
}

/// Compiles and executes a program with limits and choices.
pub fn execute_with(name: &str, text: &str, model: DataModel, inputs: &mut dyn Inputs, config: Config<'_>) -> Run {
    run(&compile(name, text, model), inputs, config)
}

/// Executes a program.
pub fn run(program: &Program, inputs: &mut dyn Inputs, config: Config<'_>) -> Run {
    run_observed(program, inputs, config, Silent)
}

/// Executes a program under observation.
pub fn run_observed(program: &Program, inputs: &mut dyn Inputs, config: Config<'_>, observer: impl Observer) -> Run {
    let code = Code::new(program);
    let (mut output, mut errors) = (Vec::new(), Vec::new());
    let streams = Streams { out: &mut output, err: &mut errors };
    let mut machine = Machine::new(program, &code, config, inputs, observer, streams).expect("it can start");
    let (outcome, steps) = (machine.run(), machine.steps());
    let description = outcome.describe(program);
    Run { outcome, description, output: String::from_utf8_lossy(&output).into_owned(), steps }
}
