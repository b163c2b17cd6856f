//! The command line of Robusto: flags, files, printing.
//!
//! Architecture invariant: this is the only crate that does I/O. It decides nothing about C; it brings text to
//! `robusto_cfa::compile` and prints what comes back.

mod abstraction;
mod args;
mod bench;
mod bp;
mod certificates;
mod certify;
mod cfa;
mod check;
mod depqbf;
mod engines;
mod excerpts;
mod executor;
mod exit;
mod functions;
mod guard;
mod help;
mod input;
mod limits;
mod man;
mod model;
mod output;
mod pictures;
mod properties;
mod race;
mod report;
mod run;
mod sink;
mod spelling;
mod status;
mod witness;
mod words;

use args::{Cli, Command};
use clap::{CommandFactory as _, Parser as _};
use exit::Exit;
use std::process::ExitCode;

fn main() -> ExitCode {
    guard::on_large_stack(entry).into()
}

fn entry() -> Exit {
    let cli = match Cli::try_parse_from(input::respell(std::env::args_os())) {
        Ok(cli) => cli,
        Err(error) => {
            // `--help` and `--version` arrive here too. A closed pipe is no reason to complain.
            let _ = error.print();
            return if error.use_stderr() { Exit::USAGE } else { Exit::OK };
        }
    };
    let result = match cli.command {
        Command::Abstract(args) => abstraction::command(&args),
        Command::Bench(args) => bench::command(&args),
        Command::Bp(args) => bp::command(&args),
        Command::Cfa(args) => cfa::command(&args),
        Command::Certify(args) => certify::command(args),
        Command::Check(args) => check::command(&args),
        Command::Help(args) => help::command(&args),
        Command::Completions(args) => completions(args.shell),
        Command::Man(args) => man::command(&args),
        Command::Model(args) => model::command(&args),
        Command::Run(args) => run::command(&args),
        Command::Witness(args) => witness::command(&args),
    };
    result.unwrap_or_else(|error| exit::of_error(&error))
}

/// Prints the completions of a shell.
fn completions(shell: clap_complete::Shell) -> anyhow::Result<Exit> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "robusto", &mut text);
    output::write_to(None, |out| out.write_all(&text))?;
    Ok(Exit::OK)
}
