//! `robusto certify`: is a saved certificate right?

use crate::args::{EntryArgs, InputArgs};
use crate::exit::Exit;
use crate::limits::{self, LimitArgs};
use crate::{bp, input, output, properties};
use anyhow::{Context as _, Result, bail};
use clap::Args;
use robusto_boolprog::certificate::text::subject as boolprog_subject;
use robusto_boolprog::certify::check as check_boolean;
use robusto_boolprog::{Dialect, Question, Targets};
use robusto_engine::certificate::subject;
use robusto_engine::certify::{self, Failure};
use robusto_engine::{Problem, property};
use robusto_verdict::certificate::text::{self, Subject};
use robusto_verdict::{Certificate, Property};
use std::path::PathBuf;
use std::time::Instant;

/// What `robusto help certify` says at the end.
pub const AFTER_HELP: &str = "\
Examples:
  robusto check --certificate lock.cert examples/lock.c
  robusto certify examples/lock.c lock.cert
  robusto certify examples/lock.bp lock.cert

The last file is the certificate, the others are the program: C files, or one Boolean program (.bp).
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

    /// Where to start.
    #[command(flatten)]
    entry: EntryArgs,

    /// The property, as for `robusto check` [default: what the task file says, else that of the certificate]; of a Boolean program
    /// assert or label:NAME [default: assert]
    #[arg(long, value_name = "PROPERTY")]
    property: Vec<String>,

    /// How tightly the operators of a Boolean program bind: as slam, satabs or getafix has it
    #[arg(long, value_name = "DIALECT", default_value_t)]
    dialect: Dialect,

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
    let is_boolean = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "bp");
    if args.input.files.iter().any(is_boolean) {
        return boolean(&args, &claimed, &certificate);
    }
    // Who names no property asks for the one that the certificate is about.
    let about = claimed.property.parse().unwrap_or(Property::Default);
    let property = properties::choose(&args.property, &args.input, about)?.property;
    let limits = args.limits.start()?;
    let program = input::load_at(&args.input, args.entry.entry(), property::checks(&property))?.program;
    let mut problem = Problem::new(program.clone(), &property);
    if claimed.differs_from(&subject(&problem, &property)).is_some() {
        // Where an error lies behind an invalid access, executions end there in the automata.
        let within_rules = Problem::within_rules(program, &property);
        if claimed.differs_from(&subject(&within_rules, &property)).is_none() {
            problem = within_rules;
        }
    }
    let start = Instant::now();
    limits::watch(
        &limits,
        || false,
        move |reason| tell(Err(Failure::Incomplete(reason.to_string())), start).unwrap_or(Exit::UNKNOWN),
    );
    let result = match claimed.differs_from(&subject(&problem, &property)) {
        Some(difference) => Err(Failure::Refuted(difference)),
        None => certify::check(&problem, &certificate, &limits),
    };
    tell(result, start)
}

/// Checks a certificate about a Boolean program.
fn boolean(args: &CertifyArgs, claimed: &Subject, certificate: &Certificate) -> Result<Exit> {
    let [file] = &args.input.files[..] else { bail!("a certificate is about one Boolean program") };
    let question = match &args.property[..] {
        [] => Question::Assert,
        [name] => match properties::named(name)? {
            Property::Assert => Question::Assert,
            Property::Label(name) => Question::Label(name),
            other => bail!("`{other}` is no property of Boolean programs; there are assert and label:NAME"),
        },
        _ => bail!("a certificate is about one property"),
    };
    let limits = args.limits.start()?;
    let (_, program) = bp::load(file, args.dialect, &question)?;
    let start = Instant::now();
    limits::watch(
        &limits,
        || false,
        move |reason| tell(Err(Failure::Incomplete(reason.to_string())), start).unwrap_or(Exit::UNKNOWN),
    );
    let result = match claimed.differs_from(&boolprog_subject(&program, &question)) {
        Some(difference) => Err(Failure::Refuted(difference)),
        None => check_boolean(&program, &Targets::new(&program, &question), certificate, &limits),
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
