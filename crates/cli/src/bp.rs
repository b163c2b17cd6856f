//! `robusto bp`: can an assertion of a Boolean program fail?

use crate::args::{Format, TraceArg};
use crate::exit::{Exit, Rejected};
use crate::limits::LimitArgs;
use crate::properties::Choice;
use crate::report::Reporter;
use crate::sink::{Outputs, SharedSink};
use crate::status::{self, News, Status};
use crate::{certificates, depqbf, input, output};
use anyhow::Result;
use clap::{Args, ValueEnum};
use robusto_boolprog::ast::File;
use robusto_boolprog::certificate::text::subject;
use robusto_boolprog::{
    Dialect, Engine, Order, Program, Question, Settings, Targets, check, draw, lower, parse, print, universal,
};
use robusto_cfa::draw::{graphs_dot, graphs_svg};
use robusto_limits::Progress;
use robusto_syntax::{Severity, SourceMap};
use robusto_verdict::Report;
use robusto_verdict::certify::Policy;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What the help says behind the options.
pub const AFTER_HELP: &str = "\
Examples:
  robusto bp examples/lock.bp
  robusto bp --target ERROR --timeout 60s driver.bp
  robusto bp --print --dialect getafix program.bp
  robusto bp --format svg -o lock.svg examples/lock.bp
  robusto bp --certificate lock.cert examples/lock.bp && robusto certify examples/lock.bp lock.cert

The last line of the output is the result: `RESULT: true`, `RESULT: false(assert)`,
`RESULT: false(label:LABEL)` or `RESULT: unknown(REASON)`. Every `false` has been replayed.

Exit codes:
  0   true
  10  false
  5   unknown
  1   wrong use of the command line
  2   the input is not understood
  6   internal error";

/// Arguments of `robusto bp`.
#[derive(Args, Debug)]
pub struct BpArgs {
    /// A Boolean program (.bp)
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// How to check: auto (bdd), explicit (state by state, for small programs), bdd (summaries as decision diagrams), qbf
    /// (summaries as functions of choices), universal (procedures unrolled for all entries)
    #[arg(long, alias = "analysis", value_name = "ENGINE", default_value_t)]
    engine: Engine,

    /// The order of variables that bdd starts with: text (that of the file), reverse, random:SEED
    #[arg(long, value_name = "ORDER", default_value_t)]
    order: Order,

    /// Who decides the quantified formulas of qbf and universal: builtin, or the program depqbf
    #[arg(long, value_enum, default_value_t, value_name = "SOLVER")]
    qbf: QbfSolver,

    /// Leave procedures whose universal summary has more terms than this to qbf
    #[arg(long, value_name = "N", default_value_t = universal::THRESHOLD)]
    threshold: usize,

    /// Check that this label is not reached, instead of the assertions
    #[arg(long, value_name = "LABEL")]
    target: Option<String>,

    /// How tightly operators bind: as slam, satabs or getafix has it
    #[arg(long, value_name = "DIALECT", default_value_t)]
    dialect: Dialect,

    /// Print the program instead of checking it, with parentheses that settle how operators bind
    #[arg(long, conflicts_with_all = ["target", "json"])]
    print: bool,

    /// Print instead of checking: the program as text, or its automata as dot or svg
    #[arg(long, value_enum, conflicts_with_all = ["target", "json"])]
    format: Option<Format>,

    /// Print to a file instead of standard output
    #[arg(short, long, value_name = "FILE", conflicts_with_all = ["target", "json"])]
    output: Option<PathBuf>,

    /// What may be spent.
    #[command(flatten)]
    limits: LimitArgs,

    /// How much of a counterexample to print
    #[arg(long, value_enum, default_value_t, value_name = "LENGTH")]
    trace: TraceArg,

    /// Write the outcome as JSON, whatever it is; with `-` to standard output, and the text to standard error
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,

    /// Write why the verdict is true, for `robusto certify`; with `-` to standard output
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,

    /// Check the certificate of a true: auto (for at most a minute, or as long as the engine took), always, never
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    certify: Policy,

    /// Tell on standard error what happens
    #[arg(short, long)]
    verbose: bool,
}

/// Solvers of quantified formulas.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum QbfSolver {
    /// Ours.
    #[default]
    Builtin,
    /// DepQBF.
    Depqbf,
}

impl BpArgs {
    /// What is printed, if nothing is to be checked.
    fn printed(&self) -> Option<Format> {
        self.format.or((self.print || self.output.is_some()).then_some(Format::Text))
    }

    fn question(&self) -> Question {
        self.target.clone().map_or(Question::Assert, Question::Label)
    }
}

/// Checks and prints; the exit code is the verdict's.
pub fn command(args: &BpArgs) -> Result<Exit> {
    if let Some(format) = args.printed() {
        let (file, program) = load(&args.file, args.dialect, &args.question())?;
        let text = match format {
            Format::Text => print(&file),
            Format::Dot => graphs_dot(&draw::graphs(&program)),
            Format::Svg => graphs_svg(&draw::graphs(&program)),
        };
        output::write_to(args.output.as_deref(), |out| out.write_all(text.as_bytes()))?;
        return Ok(Exit::OK);
    }
    let sink = SharedSink::new(Outputs {
        json: args.json.clone(),
        witness: None,
        certificate: None,
        harness: None,
        sarif: None,
        junit: None,
        github: false,
        report: None,
        trace: args.trace.into(),
        stop_at_first: false,
        input_files: vec![args.file.display().to_string()],
        analysis: args.engine.to_string(),
    });
    sink.conclude(|| run(args, &sink).map(Some))
}

fn run(args: &BpArgs, sink: &SharedSink) -> Result<Report> {
    let question = args.question();
    let choice = Choice { property: question.property(), expected: None, chosen_among: None };
    sink.update(|sink| sink.set_choice(choice));
    let limits = args.limits.start()?;
    let progress = Arc::new(Progress::default());
    sink.watch(&limits, &progress);
    let (_, program) = load(&args.file, args.dialect, &question)?;
    sink.update(|sink| {
        sink.set_files(vec![args.file.display().to_string().into()]);
        if args.verbose {
            let (procedures, globals) = (program.procedures.len(), program.globals.len());
            let text = format!("{}: {procedures} procedures, {globals} globals", question.property());
            status::message(sink.start(), &text);
        }
        let (engine, news) = (args.engine.to_string(), News::default());
        sink.set_status(Status::start(engine, progress.clone(), news, args.verbose, sink.start()));
    });
    let external = match args.qbf {
        QbfSolver::Builtin => None,
        QbfSolver::Depqbf => Some(depqbf::external(&limits)?),
    };
    let (certify, order, threshold) = (args.certify, args.order, args.threshold);
    let settings = Settings { certify, order, external, threshold, ..args.engine.into() };
    let report = check(&program, &question, settings, &limits, &progress);
    if let Some(path) = &args.certificate {
        certificates::write(path, || subject(&program, &question), &report)?;
    }
    Ok(report)
}

/// Reads a file. What is wrong with it goes to standard error; so does a label that the question asks for and is not there.
pub fn load(path: &Path, dialect: Dialect, question: &Question) -> Result<(File, Program)> {
    let mut reporter = Reporter::new();
    let loaded = load_reporting(path, dialect, question, &mut reporter);
    reporter.finish();
    Ok(loaded?)
}

fn load_reporting(
    path: &Path,
    dialect: Dialect,
    question: &Question,
    reporter: &mut Reporter,
) -> Result<(File, Program), Rejected> {
    let name = path.display().to_string();
    let mut reject = |message: String| {
        reporter.say(Severity::Error, &name, &message);
        Rejected
    };
    let text = input::read_text(path).map_err(|error| reject(format!("cannot read the file: {error}")))?;
    let mut sources = SourceMap::new();
    let id = sources.add(&name, text).map_err(|error| reject(error.to_string()))?;
    let (file, warnings) = parse(&sources, id, dialect).map_err(|error| {
        reporter.show(&sources, &[error]);
        Rejected
    })?;
    reporter.show(&sources, &warnings);
    let program = lower(&file, &sources).map_err(|errors| {
        reporter.show(&sources, &errors);
        Rejected
    })?;
    if let Question::Label(label) = question
        && Targets::new(&program, question).is_empty()
    {
        reporter.say(Severity::Error, &name, &format!("there is no label `{label}`"));
        return Err(Rejected);
    }
    Ok((file, program))
}
