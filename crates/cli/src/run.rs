//! `robusto run`: executes a program.

use crate::args::{InputArgs, MallocArg};
use crate::exit::Exit;
use crate::{input, properties};
use anyhow::{Context as _, Result};
use clap::Args;
use robusto_cfa::ir::Program;
use robusto_interp::inputs::{self, Listed, Seeded, Zeros};
use robusto_interp::{Code, Config, Inputs, Machine, Observer, Outcome, Silent, Streams, Trace};
use std::ffi::OsString;
use std::io::{self, BufWriter, Write as _};

/// Help text after the options.
pub const AFTER_HELP: &str = "\
Examples:
  robusto run examples/counter.c                    all inputs are zero
  robusto run --inputs 42 --trace examples/lock.c   random inputs, each step shown
  robusto run --inputs values.txt task.yml          inputs from a file: one value per line, # starts a comment
  robusto run sort.c -- 3 1 2                       arguments of the program

Exit codes:
  the program's own status if it ends by itself, and
   1  wrong use of the command line
   2  the input is not understood
   5  the execution cannot go on: undefined behaviour, an assumption that does not hold, a construct that is not
      supported, a limit
   6  internal error
  10  an error is reached: reach_error(), a failed assertion, a violation of --property
  134  the program called abort()";

/// Arguments of `robusto run`.
#[derive(Args, Debug)]
pub struct RunArgs {
    /// What to read.
    #[command(flatten)]
    pub input: InputArgs,

    /// Values of the program's nondeterministic inputs: a file with one value per line, or the seed of random values
    /// [default: zeros]
    #[arg(long, value_name = "FILE|SEED")]
    pub inputs: Option<String>,

    /// Stop also where this property is violated: no-overflow, div-by-zero; may be given several times
    #[arg(long, value_name = "PROPERTY")]
    pub property: Vec<String>,

    /// Show each step on standard error: source line, operation, changed values
    #[arg(long)]
    pub trace: bool,

    /// Give up after this number of steps
    #[arg(long, value_name = "N")]
    pub max_steps: Option<u64>,

    /// Arguments of the program
    #[arg(last = true, value_name = "ARGS")]
    pub args: Vec<OsString>,
}

/// Compiles the program and executes it.
pub fn command(args: &RunArgs) -> Result<Exit> {
    let mut input = args.input.clone();
    // An execution shows what happens; only who asks for it is shown what happens without memory.
    input.border.malloc.get_or_insert(MallocArg::NeverFails);
    let program = input::compile(&input, properties::checks(&args.property)?)?;
    run(&program, args)
}

/// Executes a program; its output goes to standard output.
pub fn run(program: &Program, args: &RunArgs) -> Result<Exit> {
    let mut inputs = choose_inputs(args.inputs.as_deref())?;
    let outcome = if args.trace {
        let mut trace = Trace::new(BufWriter::new(io::stderr()));
        let outcome = execute(program, args, &mut *inputs, &mut trace)?;
        trace.finish().context("cannot write the trace")?;
        outcome
    } else {
        execute(program, args, &mut *inputs, Silent)?
    };
    let exit = match outcome {
        Outcome::Exited(status) => return Ok(Exit(status as u8)),
        Outcome::Aborted(_) => Exit(134),
        Outcome::ErrorReached { .. } => Exit(10),
        Outcome::OutputFailed(kind) => return Err(io::Error::from(kind)).context("cannot write the output"),
        Outcome::Blocked(_)
        | Outcome::Undefined { .. }
        | Outcome::Unsupported { .. }
        | Outcome::StepLimit
        | Outcome::Cancelled
        | Outcome::MemoryLimit(_)
        | Outcome::StackOverflow(_) => Exit(5),
    };
    let _ = writeln!(io::stderr(), "{}", outcome.describe(program));
    Ok(exit)
}

fn execute(program: &Program, args: &RunArgs, inputs: &mut dyn Inputs, observer: impl Observer) -> Result<Outcome> {
    let name = args.input.files.first().map(|file| file.as_os_str().to_owned()).unwrap_or_default();
    let arguments = std::iter::once(&name).chain(&args.args).map(|arg| arg.as_encoded_bytes().to_vec()).collect();
    let config = Config { max_steps: args.max_steps, streams: true, args: arguments, ..Config::default() };
    let mut out = BufWriter::new(io::stdout().lock());
    let mut err = io::stderr();
    let code = Code::new(program);
    let streams = Streams { out: &mut out, err: &mut err };
    Ok(Machine::new(program, &code, config, inputs, observer, streams)?.run())
}

/// The inputs that the argument of `--inputs` names.
fn choose_inputs(argument: Option<&str>) -> Result<Box<dyn Inputs>> {
    let Some(argument) = argument else { return Ok(Box::new(Zeros)) };
    if let Ok(seed) = argument.parse() {
        return Ok(Box::new(Seeded::new(seed)));
    }
    let text = std::fs::read_to_string(argument).with_context(|| format!("cannot read the inputs '{argument}'"))?;
    let values = inputs::parse(&text).with_context(|| format!("the inputs '{argument}' are not understood"))?;
    Ok(Box::new(Listed::new(values, Zeros)))
}
