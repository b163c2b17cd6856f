//! The command line as data; clap makes the parser and the help text from it.

use crate::bench::{self, BenchArgs};
use crate::run::{self, RunArgs};
use clap::{Args, Parser, Subcommand, ValueEnum};
use robusto_cfa::ir::DataModel;
use std::path::PathBuf;

/// A software model checker for C.
#[derive(Parser, Debug)]
#[command(name = "robusto", version, max_term_width = 100, after_help = AFTER_HELP)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

const AFTER_HELP: &str = "\
Examples:
  robusto cfa examples/lock.c                    print the automata of a program
  robusto cfa --format svg -o lock.svg examples/lock.c
  robusto cfa --stats task.yml                   count locations, edges, variables, loops
  robusto run examples/list.c                    execute a program

Exit codes (see also `robusto run --help`):
  0  done
  1  wrong use of the command line
  2  the input is not understood
  6  internal error";

/// The commands.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Print the control-flow automata of a program
    #[command(after_help = CFA_AFTER_HELP)]
    Cfa(CfaArgs),
    /// Execute a program
    #[command(after_help = run::AFTER_HELP)]
    Run(RunArgs),
    /// Run many tasks under limits and tabulate the answers
    #[command(after_help = bench::AFTER_HELP)]
    Bench(BenchArgs),
}

const CFA_AFTER_HELP: &str = "\
Examples:
  robusto cfa examples/lock.c
  robusto cfa --function main --format dot examples/counter.c | dot -Tpdf -o counter.pdf
  robusto cfa --stats -D N=10 -I include main.c list.c";

/// Arguments of `robusto cfa`.
#[derive(Args, Debug)]
pub struct CfaArgs {
    /// What to read.
    #[command(flatten)]
    pub input: InputArgs,

    /// How to print the automata
    #[arg(long, value_enum, default_value_t, conflicts_with = "stats")]
    pub format: Format,

    /// Print figures instead of the automata: sizes, loops, and what is approximated
    #[arg(long)]
    pub stats: bool,

    /// Print only this function
    #[arg(long, value_name = "NAME")]
    pub function: Option<String>,

    /// Write to a file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// Form of printed automata.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum Format {
    /// Lines of text
    #[default]
    Text,
    /// Input of Graphviz
    Dot,
    /// A picture
    Svg,
}

/// What all commands that read a program have in common.
#[derive(Args, Debug)]
pub struct InputArgs {
    /// C files (.c, or .i if preprocessed), linked together, or a task file (.yml)
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Sizes of the C types [default: what the task file says, else lp64]
    #[arg(long, value_enum, value_name = "MODEL")]
    pub data_model: Option<DataModelArg>,

    /// Folder to look for headers in
    #[arg(short = 'I', value_name = "DIR")]
    pub include: Vec<PathBuf>,

    /// Define a macro; without a value it is 1
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    pub define: Vec<String>,

    /// C compiler that preprocesses files with `#include`
    #[arg(long, value_name = "PROGRAM", default_value = "cc")]
    pub cc: PathBuf,
}

/// [`DataModel`] as an argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum DataModelArg {
    /// `long` and pointers of 32 bits
    Ilp32,
    /// `long` and pointers of 64 bits
    Lp64,
}

impl From<DataModelArg> for DataModel {
    fn from(model: DataModelArg) -> Self {
        match model {
            DataModelArg::Ilp32 => DataModel::Ilp32,
            DataModelArg::Lp64 => DataModel::Lp64,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;

    #[test]
    fn definition_is_consistent() {
        Cli::command().debug_assert();
    }
}
