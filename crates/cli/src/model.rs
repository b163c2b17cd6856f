//! `robusto model`: the finite-state model of a program, its size, and its forms for other model checkers.

mod simulate;

use crate::args::InputArgs;
use crate::exit::Exit;
use crate::limits::LimitArgs;
use crate::{input, output, properties};
use anyhow::Result;
use clap::{Args, ValueEnum};
use robusto_bench::units::parse_size;
use robusto_engine::{Problem, property};
use robusto_image::circuit::Circuit;
use robusto_image::disjunctive::{Criterion, hypergraph};
use robusto_image::export::{Format, System};
use robusto_image::model::{Model, Options};
use robusto_image::stats::Stats;
use robusto_limits::{Limits, Stopped};
use robusto_verdict::Property;
use std::io::Write as _;
use std::path::PathBuf;

/// Help text after the options.
pub const AFTER_HELP: &str = "\
Examples:
  robusto model examples/lock.c                          how large is it?
  robusto model --export aiger -o lock.aig examples/lock.c
  robusto model --export btor2 -o lock.btor2 --property no-overflow examples/lock.c
  robusto model --simulate 42 examples/lock.c            an execution of the model with random inputs
  robusto model --simulate lock.cex examples/lock.c      a counterexample of an AIGER model checker

The model is finite: calls are inlined, memory is one word for each address. What is beyond --recursion
and --heap leads to bad states of their own. All formats have the same names: pc is the location,
w_NAME a word of the state, i_NAME an input, and there is one bad state for each of
  violation_…    the property is violated
  unmodelled_…   a step that is not modelled
  gap_…          a step that the encoding does not know
  bound_…        recursion or allocation beyond the bound
The property holds if no bad state can be reached; it is violated if one of the first kind can be,
unless what is approximated (robusto model --stats) plays a part.
A counterexample is an AIGER witness (as of the hardware model checking competition, or of abc's
write_cex -a), made for the same file with the same options; the model executes it, then the interpreter.

Exit codes:
  0   done
  10  --simulate: the interpreter has reached the violation
  5   there is no model, or the counterexample is none
  1   wrong use of the command line
  2   the input is not understood
  6   internal error";

/// Arguments of `robusto model`.
#[derive(Args, Debug)]
pub struct ModelArgs {
    /// What to read.
    #[command(flatten)]
    input: InputArgs,

    /// unreach-call, assert, label:NAME, no-overflow, div-by-zero, all, or a property file (.prp); may be given several
    /// times [default: what the task file says, else unreach-call]
    #[arg(long, value_name = "PROPERTY")]
    property: Vec<String>,

    /// Print figures: locations, words, bits, gates, and what is bounded or approximated; also if nothing else is asked for
    #[arg(long, conflicts_with_all = ["export", "hypergraph", "simulate"])]
    stats: bool,

    /// Print the model for another model checker
    #[arg(long, value_enum, value_name = "FORMAT", conflicts_with_all = ["hypergraph", "simulate"])]
    export: Option<FormatArg>,

    /// Print what blocks share, in hMETIS' format: the hypergraph that clusters of blocks are cut from
    #[arg(long, value_enum, value_name = "CRITERION", conflicts_with = "simulate")]
    hypergraph: Option<CriterionArg>,

    /// Print an execution of the model: with random inputs of a seed, or with the inputs of an AIGER witness
    #[arg(long, value_name = "SEED|FILE")]
    simulate: Option<String>,

    /// Longest random execution, in blocks
    #[arg(long, value_name = "N", default_value_t = 100, requires = "simulate")]
    steps: usize,

    /// Most activations of a recursive function at a time
    #[arg(long, value_name = "N", default_value_t = Options::default().recursion)]
    recursion: u32,

    /// Size of the heap (256B, 4KiB); nothing is ever given back
    #[arg(long, value_name = "SIZE", value_parser = parse_size, default_value = "256B")]
    heap: u64,

    /// Give words all bits of their types, also where fewer provably do
    #[arg(long)]
    full_width: bool,

    /// Write to a file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// What may be spent.
    #[command(flatten)]
    limits: LimitArgs,
}

/// [`Format`] as an argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum FormatArg {
    /// AIGER 1.9, binary: abc, rIC3, AVR, nuXmv
    Aiger,
    /// AIGER 1.9 as text
    Aag,
    /// BTOR2, with words: Pono, AVR, BtorMC, rIC3
    Btor2,
    /// The language of NuSMV and nuXmv, with words
    Smv,
    /// BLIF-MV: VIS
    BlifMv,
}

impl From<FormatArg> for Format {
    fn from(arg: FormatArg) -> Self {
        match arg {
            FormatArg::Aiger => Format::Aiger,
            FormatArg::Aag => Format::Aag,
            FormatArg::Btor2 => Format::Btor2,
            FormatArg::Smv => Format::Smv,
            FormatArg::BlifMv => Format::BlifMv,
        }
    }
}

/// [`Criterion`] as an argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum CriterionArg {
    /// Variables that are live in both
    LiveVar,
    /// Variables that both assign
    AsgnVar,
    /// Steps between them
    CfgEdge,
}

impl From<CriterionArg> for Criterion {
    fn from(arg: CriterionArg) -> Self {
        match arg {
            CriterionArg::LiveVar => Criterion::LiveVar,
            CriterionArg::AsgnVar => Criterion::AsgnVar,
            CriterionArg::CfgEdge => Criterion::CfgEdge,
        }
    }
}

impl ModelArgs {
    fn options(&self) -> Options {
        Options { recursion: self.recursion, heap: self.heap, narrow: !self.full_width, ..Options::default() }
    }
}

/// Makes the model and prints what was asked for.
pub fn command(args: &ModelArgs) -> Result<Exit> {
    let property = properties::choose(&args.property, &args.input, Property::UnreachCall)?.property;
    let limits = args.limits.start()?;
    let program = input::compile(&args.input, property::checks(&property))?;
    let problem = Problem::new(program, &property);
    match answer(args, &problem, &limits) {
        Ok((text, exit)) => {
            output::write_to(args.output.as_deref(), |out| out.write_all(&text))?;
            Ok(exit)
        }
        Err(Failure::Stopped(stopped)) => {
            let _ = writeln!(std::io::stderr(), "robusto: no model: {stopped}");
            Ok(Exit::UNKNOWN)
        }
        Err(Failure::Other(error)) => Err(error),
    }
}

/// Why nothing is printed.
enum Failure {
    Stopped(Stopped),
    Other(anyhow::Error),
}

impl From<Stopped> for Failure {
    fn from(stopped: Stopped) -> Self {
        Self::Stopped(stopped)
    }
}

impl From<anyhow::Error> for Failure {
    fn from(error: anyhow::Error) -> Self {
        Self::Other(error)
    }
}

fn answer(args: &ModelArgs, problem: &Problem, limits: &Limits) -> Result<(Vec<u8>, Exit), Failure> {
    let model = Model::of(&problem.facts, problem.intervals(limits), &args.options(), limits)?;
    if let Some(format) = args.export {
        let mut system = System::of(&problem.facts.program, &model)?;
        return Ok((system.write(format.into(), limits)?, Exit::OK));
    }
    if let Some(criterion) = args.hypergraph {
        return Ok((hypergraph(&model, criterion.into()).to_hmetis().into_bytes(), Exit::OK));
    }
    if let Some(inputs) = &args.simulate {
        let system = System::of(&problem.facts.program, &model)?;
        let (text, exit) = simulate::simulate(inputs, args.steps, problem, &model, &system, limits)?;
        return Ok((text.into_bytes(), exit));
    }
    Ok((figures(args, problem, model, limits)?.into_bytes(), Exit::OK))
}

/// The sizes, and what a verdict on the model would rest on.
fn figures(args: &ModelArgs, problem: &Problem, mut model: Model, limits: &Limits) -> Result<String, Stopped> {
    let circuit = Circuit::of(&mut model, limits)?;
    let stats = Stats::of(&model, &circuit);
    let mut text = stats.to_string();
    if !args.full_width {
        let options = Options { narrow: false, ..args.options() };
        let wide = Model::of(&problem.facts, problem.intervals(limits), &options, limits)?;
        text += &format!("full width  {} bits\n", wide.bits());
    }
    for (what, most) in &stats.bounded {
        text += &match *what {
            "recursion" => format!("bounded     recursion: {most} activations (--recursion)\n"),
            _ => format!("bounded     {what}: a heap of {most} bytes (--heap)\n"),
        };
    }
    let program = &problem.facts.program;
    for gap in &stats.gaps {
        text += &format!("gap         {gap}\n");
    }
    for target in problem.targets.iter().filter(|target| !target.is_violation()) {
        text += &format!("unmodelled  {}\n", target.name);
    }
    let approximated = model.approximations.iter().map(|a| (a.pos, a.what.to_owned()));
    for (pos, what) in approximated.chain(program.assumptions.iter().map(|a| (a.pos, a.text.to_string()))) {
        let place = match program.files.get(usize::from(pos.file)) {
            Some(file) if pos.line > 0 => format!("{file}:{}:{}: ", pos.line, pos.column),
            _ => String::new(),
        };
        text += &format!("assumed     {place}{what}\n");
    }
    Ok(text)
}
