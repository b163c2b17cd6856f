//! `robusto witness check`, and the witnesses of `robusto check`.

use crate::args::{BorderArgs, CompilerArgs, DataModelArg, EntryArgs, InputArgs};
use crate::exit::{Exit, Rejected};
use crate::input::{self, InputFile, Loaded};
use crate::limits::{self, LimitArgs};
use crate::{output, properties};
use anyhow::{Context as _, Result};
use clap::{Args, Subcommand};
use robusto_bench::{units, words};
use robusto_cfa::Checks;
use robusto_cfa::ir::Program;
use robusto_engine::certify::{Conditions, Policy};
use robusto_engine::registry::{self, Job, MAX_BOUND, Outputs, Values, run};
use robusto_engine::{Problem, auto, kind, property};
use robusto_limits::{Limits, Progress};
use robusto_report::RunInfo;
use robusto_verdict::{Property, Refuted, Report, Verdict};
use robusto_witness::{Content, Engine, Hint, Index, Metadata, Question, Task, Validation, Version};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// Help text after the options.
pub const AFTER_HELP: &str = "\
Examples:
  robusto check --witness lock.yml examples/lock.c
  robusto witness check examples/lock.c lock.yml

The last line is the result: `WITNESS: accepted`, `WITNESS: rejected(REASON)` or `WITNESS: unknown(REASON)`.

Exit codes:
  0   accepted
  10  rejected
  5   neither accepted nor rejected
  1   wrong use of the command line
  2   the program is not understood
  6   internal error";

/// Arguments of `robusto witness`.
#[derive(Args, Debug)]
pub struct WitnessArgs {
    /// What to do.
    #[command(subcommand)]
    command: WitnessCommand,
}

#[derive(Subcommand, Debug)]
enum WitnessCommand {
    /// Is the witness well-formed, about this program, and true?
    #[command(after_help = AFTER_HELP)]
    Check(CheckArgs),
}

#[derive(Args, Debug)]
struct CheckArgs {
    /// The program: a C file or a task file
    program: PathBuf,

    /// The witness
    witness: PathBuf,

    /// The property that the witness must be about [default: what it says]
    #[arg(long, value_name = "PROPERTY")]
    property: Option<String>,

    /// Reject a witness whose metadata is not as the format has it, or is about another version of the file; else these are
    /// warnings
    #[arg(long)]
    strict: bool,

    /// Sizes of the C types [default: what the task file says, else the witness]
    #[arg(long, value_enum, ignore_case = true, value_name = "MODEL")]
    data_model: Option<DataModelArg>,

    /// Folder to look for headers in
    #[arg(short = 'I', value_name = "DIR")]
    include: Vec<PathBuf>,

    /// Define a macro; without a value it is 1
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    define: Vec<String>,

    /// Undefine a macro, also one of those before it
    #[arg(short = 'U', value_name = "NAME")]
    undefine: Vec<String>,

    /// What else compilers are told.
    #[command(flatten)]
    compiler: CompilerArgs,

    /// C compiler that preprocesses files with `#include`, with arguments if it needs some
    #[arg(long, value_name = "COMMAND", default_value = "cc")]
    cc: String,

    /// Where to start.
    #[command(flatten)]
    entry: EntryArgs,

    /// What is taken for granted of the world around the program.
    #[command(flatten)]
    border: BorderArgs,

    /// What may be spent.
    #[command(flatten)]
    limits: LimitArgs,
}

/// Validates a witness.
pub fn command(args: &WitnessArgs) -> Result<Exit> {
    let WitnessCommand::Check(args) = &args.command;
    let text = std::fs::read_to_string(&args.witness)
        .with_context(|| format!("cannot read the witness '{}'", args.witness.display()))?;
    let read = match args.strict {
        true => robusto_witness::read(&text).map(|witness| (witness, Vec::new())),
        false => robusto_witness::read_leniently(&text),
    };
    let validation = match read {
        Err(reason) => Validation::Rejected(reason),
        Ok((witness, warnings)) => {
            warnings.iter().for_each(|warning| warn(args, warning));
            if let Content::Correctness(claims) = &witness.content
                && !claims.ghosts.is_empty()
            {
                warn(args, &format!("ghost variables are ignored: {}", claims.ghosts.join(", ")));
            }
            let is_task = input::is_task(&args.program);
            let of_witness = match witness.metadata.data_model.as_str() {
                "ILP32" => DataModelArg::Ilp32,
                _ => DataModelArg::Lp64,
            };
            let input = InputArgs {
                files: vec![args.program.clone()],
                data_model: args.data_model.or((!is_task).then_some(of_witness)),
                database: None,
                include: args.include.clone(),
                define: args.define.clone(),
                undefine: args.undefine.clone(),
                compiler: args.compiler.clone(),
                cc: args.cc.clone(),
                border: args.border.clone(),
            };
            let property = args.property.as_deref().map(properties::named).transpose()?;
            validate(args, &input, property, &witness)?
        }
    };
    tell(validation)
}

fn warn(args: &CheckArgs, message: &str) {
    let _ = writeln!(io::stderr(), "{}: warning: {message}", args.witness.display());
}

fn tell(validation: Validation) -> Result<Exit> {
    let (line, exit) = match validation {
        Validation::Accepted => ("WITNESS: accepted".to_owned(), Exit::OK),
        Validation::Rejected(reason) => (format!("WITNESS: rejected({reason})"), Exit::FALSE),
        Validation::Unknown(reason) => (format!("WITNESS: unknown({reason})"), Exit::UNKNOWN),
    };
    output::write_to(None, |out| writeln!(out, "{line}"))?;
    Ok(exit)
}

fn validate(
    args: &CheckArgs,
    input: &InputArgs,
    property: Option<Property>,
    witness: &robusto_witness::Witness,
) -> Result<Validation> {
    let limits = args.limits.start()?;
    limits::watch(&limits, || false, |reason| tell(Validation::Unknown(reason.to_string())).unwrap_or(Exit::UNKNOWN));
    let Loaded { files, options, .. } = input::load_at(input, args.entry.entry(), Checks::NONE)?;
    let [file] = &files[..] else {
        return Ok(Validation::Unknown("the program has several files".to_owned()));
    };
    let task = Task {
        name: file.path.display().to_string(),
        text: file.text.clone(),
        physical: file.physical,
        original: original(file),
        hash: hash(&file.path)?,
        strict: args.strict,
        options,
        property,
    };
    if let (false, Some(change)) = (args.strict, robusto_witness::changed(&task, witness)) {
        warn(args, &change);
    }
    Ok(robusto_witness::validate(&task, witness, &mut Judge { limits: &limits }))
}

/// The greatest k for which invariants are tried as they are: k-inductive, or not.
const MOST_STEPS: u32 = 2;

/// Longest time for that, and the share of the time that is left.
const INDUCTION_TIME: Duration = Duration::from_secs(60);
const INDUCTION_SHARE: u32 = 4;

/// What decides about programs that a witness has become part of.
struct Judge<'l> {
    limits: &'l Limits,
}

impl Engine for Judge<'_> {
    fn checks(&self, property: &Property) -> Checks {
        property::checks(property)
    }

    fn check(&mut self, program: Program, question: Question<'_>) -> Option<Report> {
        let Question { property, aim, hint } = question;
        let mut aimed = |problem: Problem| {
            let mut is_open = false;
            let problem = problem.aimed(|program| is_open = aim(program));
            is_open.then_some(problem)
        };
        let problem = aimed(Problem::new(program.clone(), property))?;
        let report = decide(&problem, hint, self.limits);
        if !problem.needs_rules(&report) {
            return Some(report);
        }
        let problem = aimed(Problem::within_rules(program, property))?;
        Some(decide(&problem, hint, self.limits))
    }
}

/// Decides whether an error edge can be reached. The assertions that a correctness witness puts at loop heads are the
/// hypothesis of an induction, so that is tried first: it needs no search if the witness has all that a proof needs.
fn decide(problem: &Problem, hint: Hint, limits: &Limits) -> Report {
    let (progress, outputs) = (Progress::default(), Outputs::default());
    let ask = |engine: &registry::Engine, values: &Values, limits: &Limits| {
        let certify = Conditions::new(Policy::Auto, true, limits);
        let (progress, outputs) = (&progress, &outputs);
        run(engine, &Job { problem, values, traces: false, limits, progress, certify, outputs })
    };
    let mut refuted = Vec::new();
    if hint == Hint::Inductive {
        let time = limits.remaining().map_or(INDUCTION_TIME, |left| INDUCTION_TIME.min(left / INDUCTION_SHARE));
        let values = Values::default().with(&MAX_BOUND, MOST_STEPS.to_string());
        let report = ask(&kind::ENGINE, &values, &limits.within(time));
        if !matches!(report.verdict, Verdict::Unknown(_)) {
            return report;
        }
        refuted = report.refuted;
    }
    let mut report = ask(&auto::ENGINE, &Values::default(), limits);
    report.refuted.extend(refuted);
    for Refuted { engine, what } in &report.refuted {
        let _ = writeln!(io::stderr(), "robusto: warning: the certificate of {engine} is wrong: {what}");
    }
    report
}

/// Where a witness is to be written, and how.
#[derive(Clone, Debug)]
pub struct WitnessFile {
    /// The file.
    pub path: PathBuf,
    /// The version of the format.
    pub format: Version,
}

/// A version of the format, as the command line has it.
pub fn version(text: &str) -> Result<Version, String> {
    let known = [Version::V2_0, Version::V2_1];
    known.into_iter().find(|version| version.text() == text).ok_or_else(|| "there are 2.0 and 2.1".to_owned())
}

/// The file that a preprocessed text is made of.
fn original(file: &InputFile) -> Option<String> {
    if file.physical { None } else { input::read_text(&file.path).ok() }
}

fn hash(path: &Path) -> Result<String> {
    let bytes = std::fs::read(path).map_err(|_| Rejected)?;
    Ok(robusto_witness::hash(&bytes))
}

/// Writes the witness of a verdict; says on standard error why there is none.
pub fn write(
    WitnessFile { path, format }: &WitnessFile,
    report: &Report,
    property: &Property,
    inputs: &[InputFile],
    info: &RunInfo,
) -> Result<()> {
    let none = |why: &str| {
        let _ = writeln!(io::stderr(), "robusto: no witness: {why}");
        Ok(())
    };
    if let Verdict::Unknown(_) = report.verdict {
        return none("there is no verdict");
    }
    let [file] = inputs else { return none("the program has several files") };
    let name = file.path.display().to_string();
    let Some(index) = Index::new(&name, &file.text, file.physical, property::checks(property)) else {
        return none("the program cannot be indexed");
    };
    let index = match original(file) {
        Some(text) => index.of_file(&name, &text),
        None => index,
    };
    let hash = hash(&file.path)?;
    let creation_time = units::timestamp(SystemTime::now());
    let metadata = Metadata {
        format: *format,
        uuid: robusto_witness::uuid(&format!(
            "{hash} {creation_time} {} {}",
            std::process::id(),
            words::join(&info.command)
        )),
        creation_time,
        producer: "Robusto".to_owned(),
        version: info.version.clone(),
        command_line: Some(words::join(&info.command)),
        input_files: vec![(name.clone(), hash)],
        specification: property.to_prp(),
        data_model: info.data_model.clone().unwrap_or_default(),
    };
    match robusto_witness::witness(report, &index, &name, metadata) {
        Some(witness) => {
            let text = robusto_witness::render(&witness);
            output::write_to(Some(path), |out| out.write_all(text.as_bytes()))
        }
        None => none("the violation has no place in the source"),
    }
}
