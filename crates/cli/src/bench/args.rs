//! The arguments of `robusto bench`.

use crate::executor::{ExecutorArgs, HEADING};
use clap::{Args, Subcommand};
use robusto_bench::diff::Noise;
use robusto_bench::discover::Shard;
use robusto_bench::table::Table;
use robusto_bench::units;
use std::path::PathBuf;
use std::time::Duration;

/// Help text after the options.
pub const AFTER_HELP: &str = "\
Examples:
  robusto bench --family locks --timeout 10s corpus       a family below a folder
  robusto bench --preset seed1-tables corpus              the tables and the figure of a publication;
                                                          also seed3-table1 to seed3-table3,
                                                          seed3-abstraction, seed4-table3, seed4-partition,
                                                          seed4-locality, seed5-table4, seed5-figure8, and
                                                          seed2-table2 for Boolean programs
  robusto bench --language BP --preset bdd --preset explicit corpus/boolean-programs
  robusto bench --preset bdd --preset 'x=--analysis bdd --order bfs' 'corpus/loops/*.yml'
  robusto bench --tool old=target/old/robusto --tool new=target/release/robusto corpus/ControlFlow.set
  robusto bench --resume corpus                           go on after an interruption
  robusto bench --executor slurm --slurm-partition long -o /shared/results /shared/corpus
                                                          on a cluster; --resume goes on there, too
  robusto bench --shard 2/5 -o part2 corpus               the second fifth of the tasks
  robusto bench report robusto-bench                      write the reports again
  robusto bench diff before after                         new wrong answers, lost, gained, slower, faster
  robusto bench diff --html diff.html before after        the same as a page

Exit codes:
   0  no wrong answer, and no `false` of a program without an expected verdict; for diff: nothing new is wrong, nothing is lost
   1  wrong use of the command line
   5  interrupted; --resume goes on
  10  a wrong answer, or a `false` that nobody expected; for diff: a new wrong answer, or a lost one";

/// Arguments of `robusto bench`.
#[derive(Args, Debug)]
#[command(args_conflicts_with_subcommands = true)]
pub struct BenchArgs {
    /// Something else than a run.
    #[command(subcommand)]
    pub action: Option<Action>,
    /// What to run.
    #[command(flatten)]
    pub run: BenchRunArgs,
}

/// What can be done with results.
#[derive(Subcommand, Debug)]
pub enum Action {
    /// Compare two results
    Diff(DiffArgs),
    /// Write the reports of results again
    Report(ReportArgs),
    /// What jobs of a cluster do
    #[command(hide = true)]
    Worker(WorkerArgs),
}

/// Arguments of a run.
#[derive(Args, Debug)]
pub struct BenchRunArgs {
    /// Task files (.yml), programs, folders, globs, lists of globs (.set)
    #[arg(required = true, value_name = "TASKS")]
    pub tasks: Vec<String>,

    /// Only families (folders) with this name or pattern
    #[arg(long, value_name = "GLOB", value_delimiter = ',')]
    pub family: Vec<String>,

    /// Only tasks whose name, with or without family and extension, matches
    #[arg(long = "match", value_name = "GLOB")]
    pub matching: Vec<String>,

    /// Only programs in this language: C, or BP for Boolean programs [default: C, or the group's]
    #[arg(long, value_name = "NAME")]
    pub language: Option<String>,

    /// The property to check; tasks without it are left out
    #[arg(long, value_name = "NAME", default_value = "unreach-call")]
    pub property: String,

    /// A preset or a group of presets by name, or NAME=ARGS with arguments of `robusto check`, or of `robusto bp` for Boolean
    /// programs [default: auto]
    #[arg(long, value_name = "NAME[=ARGS]")]
    pub preset: Vec<String>,

    /// Program to run instead of this one; several are compared, each with a name
    #[arg(long, value_name = "[NAME=]PATH")]
    pub tool: Vec<String>,

    /// Wall time per run [default: 60s; ten times the CPU time and a minute if that is limited]
    #[arg(long, value_name = "TIME", value_parser = units::parse_duration)]
    pub timeout: Option<Duration>,

    /// CPU time per run, of the process and its descendants [default: no limit; the group's if neither time is given]
    #[arg(long, value_name = "TIME", value_parser = units::parse_duration)]
    pub cpu_timeout: Option<Duration>,

    /// Memory per run [default: 4GB, or the group's]
    #[arg(long, value_name = "SIZE", value_parser = units::parse_size)]
    pub memory: Option<u64>,

    /// How long after its time limit a process is ended from outside
    #[arg(long, value_name = "TIME", value_parser = units::parse_duration, default_value = "2s", hide = true)]
    pub grace: Duration,

    /// Number of runs at a time [default: number of cores; on a cluster, what it grants]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: Option<u16>,

    /// Only the I-th of N parts of the tasks, for machines that share nothing
    #[arg(long, value_name = "I/N", value_parser = Shard::parse)]
    pub shard: Option<Shard>,

    /// Number of times that each task is run; the median counts
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub repeat: u32,

    /// Folder for the results
    #[arg(short, long, value_name = "DIR", default_value = "robusto-bench")]
    pub output: PathBuf,

    /// Write a page of each run, as `check --report` does, for the results' page to lead to
    #[arg(long)]
    pub reports: bool,

    /// Skip what is finished: same task, preset, limits and tool
    #[arg(long)]
    pub resume: bool,

    /// Delete earlier results in the folder
    #[arg(long, conflicts_with = "resume")]
    pub overwrite: bool,

    /// Print a table of a publication: seed1, seed2-table2, seed3-table1, seed3-table2, seed3-table3, seed3-abstraction, seed4, seed5
    #[arg(long, value_name = "NAME", value_parser = Table::parse)]
    pub table: Option<Table>,

    /// Print the command lines, run nothing
    #[arg(long)]
    pub dry_run: bool,

    /// Print each result
    #[arg(short, long)]
    pub verbose: bool,

    /// On a cluster: number of runs that a job does one after the other [default: 1; more if there are more runs than an array
    /// can have jobs]
    #[arg(long, value_name = "N", help_heading = HEADING, value_parser = clap::value_parser!(u32).range(1..))]
    pub runs_per_job: Option<u32>,

    /// Where the runs take place. Last, since its heading is that of all that follows.
    #[command(flatten)]
    pub executor: ExecutorArgs,
}

/// Arguments of `robusto bench worker`, which jobs of a cluster call.
#[derive(Args, Debug)]
pub struct WorkerArgs {
    /// The shared folder of the batch
    pub folder: PathBuf,
    /// Which job this is
    pub chunk: u32,
}

/// Arguments of `robusto bench report`.
#[derive(Args, Debug)]
pub struct ReportArgs {
    /// Folder with results
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,

    /// Print a table of a publication: seed1, seed2-table2, seed3-table1, seed3-table2, seed3-table3, seed3-abstraction, seed4, seed5
    #[arg(long, value_name = "NAME", value_parser = Table::parse)]
    pub table: Option<Table>,
}

/// Arguments of `robusto bench diff`.
#[derive(Args, Debug)]
pub struct DiffArgs {
    /// Results before: a folder, or its results.jsonl
    pub before: PathBuf,
    /// Results now
    pub after: PathBuf,

    /// Compare this preset of the first results
    #[arg(long, value_name = "NAME")]
    pub preset_before: Option<String>,

    /// Compare this preset of the second results
    #[arg(long, value_name = "NAME")]
    pub preset_after: Option<String>,

    /// Write the comparison as a page, too
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,

    /// Smallest ratio of CPU times that is a difference
    #[arg(long, value_name = "X", default_value_t = Noise::default().ratio)]
    pub ratio: f64,

    /// Smallest difference of CPU times, in seconds
    #[arg(long, value_name = "S", default_value_t = Noise::default().seconds)]
    pub seconds: f64,
}
