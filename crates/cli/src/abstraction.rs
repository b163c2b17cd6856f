//! `robusto abstract`: the Boolean program of a C program and predicates.

use crate::args::InputArgs;
use crate::exit::{Exit, Rejected};
use crate::limits::LimitArgs;
use crate::report::Reporter;
use crate::{input, output, properties};
use anyhow::{Context as _, Result};
use clap::Args;
use robusto_boolprog::print;
use robusto_engine::Problem;
use robusto_engine::slam::{NoAbstraction, abstracted};
use robusto_syntax::Severity;
use robusto_verdict::Property;
use std::path::PathBuf;

/// What the help says behind the options.
pub const AFTER_HELP: &str = "\
Examples:
  robusto abstract --predicates sum.preds -o sum.bp sum.c
  robusto abstract sum.c | less                   predicates from the program's conditions

A file of predicates has sections (`#` begins a comment):
  sum entry:                  when the function `sum` is entered: parameters and globals
    n >= 0
  sum local:                  at its loops and calls: what is in scope, and old(x)
    i <= n
  sum exit:                   when it returns: result, globals, old(x)
    result == old(n)
  global:                     globals, everywhere
    locked == 1

Each function that may be called is a procedure; a violation of the property is an assertion
that fails, and so is a step that is not supported. Whatever the program can do, the Boolean
program can do; `robusto bp` checks it. (docs/slam.md)

Exit codes:
  0  done
  1  wrong use of the command line, or the limits were reached
  2  the input is not understood, or cannot be abstracted
  6  internal error";

/// Arguments of `robusto abstract`.
#[derive(Args, Debug)]
pub struct AbstractArgs {
    /// What to read.
    #[command(flatten)]
    input: InputArgs,

    /// The predicates; without it, the conditions of the program
    #[arg(long, value_name = "FILE")]
    predicates: Option<PathBuf>,

    /// What must not be violated, as in `robusto check`
    #[arg(long, value_name = "PROPERTY")]
    property: Vec<String>,

    /// Write to a file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// What may be spent.
    #[command(flatten)]
    limits: LimitArgs,
}

/// Abstracts and prints.
pub fn command(args: &AbstractArgs) -> Result<Exit> {
    let limits = args.limits.start()?;
    let property = properties::choose(&args.property, &args.input, Property::UnreachCall)?.property;
    let predicates = args
        .predicates
        .as_ref()
        .map(|path| std::fs::read_to_string(path).with_context(|| format!("cannot read '{}'", path.display())));
    let predicates = predicates.transpose()?;
    let program = input::compile(&args.input, robusto_engine::property::checks(&property))?;
    let problem = Problem::new(program, &property);
    let reject = |name: String, message: String| {
        let mut reporter = Reporter::new();
        reporter.say(Severity::Error, &name, &message);
        reporter.finish();
        Rejected
    };
    let name = |path: Option<&PathBuf>| path.map_or_else(String::new, |path| path.display().to_string());
    let source = name(args.input.files.first());
    if problem.facts.program.main.is_none() {
        return Err(reject(source, "there is no main".to_owned()).into());
    }
    let file = match abstracted(&problem, predicates.as_deref(), &limits) {
        Ok(file) => file,
        Err(NoAbstraction::Predicate(bad)) => {
            let place = format!("{}:{}", name(args.predicates.as_ref()), bad.line);
            return Err(reject(place, bad.what).into());
        }
        Err(NoAbstraction::Stopped(robusto_limits::Stopped::Unsupported(what))) => {
            return Err(reject(source, format!("not supported: {what}")).into());
        }
        Err(stopped) => return Err(stopped.into()),
    };
    output::write_to(args.output.as_deref(), |out| out.write_all(print(&file).as_bytes()))?;
    Ok(Exit::OK)
}
