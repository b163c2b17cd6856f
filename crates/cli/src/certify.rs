//! `robusto certify`: is a saved certificate right?

use crate::args::InputArgs;
use crate::exit::Exit;
use crate::limits::{self, LimitArgs};
use crate::{input, output, properties};
use anyhow::{Context as _, Result};
use clap::Args;
use robusto_engine::certificate::subject;
use robusto_engine::certify::{self, Failure};
use robusto_engine::{Problem, property};
use robusto_verdict::certificate::text;
use std::time::Instant;

/// What `robusto help certify` says at the end.
pub const AFTER_HELP: &str = "\
Examples:
  robusto check --certificate lock.cert examples/lock.c
  robusto certify examples/lock.c lock.cert

The last file is the certificate, the others are the program.
The last line of the output is `CERTIFICATE: accepted`, `CERTIFICATE: rejected (REASON)` or
`CERTIFICATE: undecided (REASON)`. docs/certificates.md describes the file.

Exit codes:
  0   accepted
  10  rejected: it is wrong, or about another program or property
  5   undecided: a limit was reached before the check came to an end
  1   wrong use of the command line
  2   the program or the certificate is not understood
  6   internal error";

/// Arguments of `robusto certify`.
#[derive(Args, Debug)]
pub struct CertifyArgs {
    /// The program, and the certificate as the last file.
    #[command(flatten)]
    input: InputArgs,

    /// The property, as for `robusto check` [default: what the task file says, else unreach-call]
    #[arg(long, value_name = "PROPERTY")]
    property: Vec<String>,

    /// What may be spent.
    #[command(flatten)]
    limits: LimitArgs,
}

/// Checks a certificate and tells.
pub fn command(mut args: CertifyArgs) -> Result<Exit> {
    let path = args.input.files.pop().filter(|_| !args.input.files.is_empty());
    let path = path.context("a program and a certificate are needed: robusto certify PROGRAM CERTIFICATE")?;
    let shown = path.display();
    let text = std::fs::read_to_string(&path).with_context(|| format!("cannot read `{shown}`"))?;
    let (claimed, certificate) = match text::read(&text) {
        Ok(read) => read,
        Err(error) => {
            eprintln!("{shown}: error: {error}");
            return Ok(Exit::REJECTED);
        }
    };
    let property = properties::choose(&args.property, &args.input)?.property;
    let limits = args.limits.start()?;
    let program = input::compile(&args.input, property::checks(&property))?;
    let problem = Problem::new(program, &property);
    let start = Instant::now();
    limits::watch(&limits, move |reason| {
        tell(Err(Failure::Incomplete(reason.to_string())), start).unwrap_or(Exit::UNKNOWN)
    });
    let result = match claimed.differs_from(&subject(&problem, &property)) {
        Some(difference) => Err(Failure::Refuted(difference)),
        None => certify::check(&problem, &certificate, &limits),
    };
    tell(result, start)
}

fn tell(result: Result<certify::Statistics, Failure>, start: Instant) -> Result<Exit> {
    let (line, exit) = match result {
        Ok(statistics) => {
            let (checks, seconds) = (statistics.checks, start.elapsed().as_secs_f64());
            (format!("{checks} checks in {seconds:.3} s\nCERTIFICATE: accepted\n"), Exit::OK)
        }
        Err(Failure::Refuted(what)) => (format!("CERTIFICATE: rejected ({what})\n"), Exit::FALSE),
        Err(Failure::Incomplete(why)) => (format!("CERTIFICATE: undecided ({why})\n"), Exit::UNKNOWN),
    };
    output::write_to(None, |out| out.write_all(line.as_bytes()))?;
    Ok(exit)
}
