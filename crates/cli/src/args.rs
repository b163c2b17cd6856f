//! The command line as data; clap makes the parser and the help text from it.

use crate::abstraction::{self, AbstractArgs};
use crate::bench::{self, BenchArgs};
use crate::bp::{self, BpArgs};
use crate::certify::{self, CertifyArgs};
use crate::engines::EngineArgs;
use crate::help::HelpArgs;
use crate::limits::LimitArgs;
use crate::man::{self, ManArgs};
use crate::model::{self, ModelArgs};
use crate::properties::Choice;
use crate::race::RaceArgs;
use crate::run::{self, RunArgs};
use crate::sink::Outputs;
use crate::witness::{self, WitnessArgs, WitnessFile};
use clap::{Args, Parser, Subcommand, ValueEnum};
use robusto_cfa::ir::DataModel;
use robusto_cfa::{EntryPoint, Externs, Malloc, Volatile};
use robusto_engine::certify::Policy;
use robusto_engine::undefined::Undefined;
use robusto_report::TraceLength;
use robusto_witness::Version;
use std::path::PathBuf;

/// A software model checker for C.
#[derive(Parser, Debug)]
#[command(name = "robusto", version = env!("ROBUSTO_VERSION"), max_term_width = 100, after_help = AFTER_HELP, disable_help_subcommand = true)]
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
  robusto check examples/lock.c                  is the error call reachable?
  robusto run examples/list.c                    execute a program
  robusto model --export aiger -o lock.aig examples/lock.c

More: robusto help engines | properties | formats | COMMAND

Exit codes (see also `robusto check --help` and `robusto run --help`):
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
    /// Check a property of a program
    #[command(after_help = CHECK_AFTER_HELP)]
    Check(Box<CheckArgs>),
    /// Check a Boolean program
    #[command(after_help = bp::AFTER_HELP)]
    Bp(BpArgs),
    /// Abstract a C program to a Boolean program
    #[command(after_help = abstraction::AFTER_HELP)]
    Abstract(AbstractArgs),
    /// Check the certificate of a verdict
    #[command(after_help = certify::AFTER_HELP)]
    Certify(CertifyArgs),
    /// Execute a program
    #[command(after_help = run::AFTER_HELP)]
    Run(RunArgs),
    /// Print the finite-state model of a program, or export it to other model checkers
    #[command(after_help = model::AFTER_HELP)]
    Model(ModelArgs),
    /// Validate a verification witness
    #[command(after_help = witness::AFTER_HELP)]
    Witness(WitnessArgs),
    /// Run many tasks under limits and tabulate the answers
    #[command(after_help = bench::AFTER_HELP)]
    Bench(Box<BenchArgs>),
    /// Print a page of help: a command, or engines, properties, formats
    Help(HelpArgs),
    /// Print the completions of a shell
    #[command(after_help = COMPLETIONS_AFTER_HELP)]
    Completions(CompletionsArgs),
    /// Print the manual page, or write those of all commands
    #[command(after_help = man::AFTER_HELP)]
    Man(ManArgs),
}

/// Arguments of `robusto completions`.
#[derive(Args, Debug)]
pub struct CompletionsArgs {
    /// The shell
    pub shell: clap_complete::Shell,
}

const COMPLETIONS_AFTER_HELP: &str = "\
Examples:
  robusto completions bash > ~/.local/share/bash-completion/completions/robusto
  robusto completions zsh > ~/.zfunc/_robusto
  robusto completions fish > ~/.config/fish/completions/robusto.fish";

const CFA_AFTER_HELP: &str = "\
Examples:
  robusto cfa examples/lock.c
  robusto cfa --function main --format dot examples/counter.c | dot -Tpdf -o counter.pdf
  robusto cfa --stats -D N=10 -I include main.c list.c";

const CHECK_AFTER_HELP: &str = "\
Examples:
  robusto check examples/lock.c
  robusto check --property all --timeout 60s program.c
  robusto check --property label:ERROR --trace full program.c
  robusto check --function parse library.c        no `main` is needed
  robusto check --function all --timeout 5s --property all library.c
  robusto check --report report.html program.c   then open report.html in a browser
  robusto check --configurations engines.txt hard.c          the first sure answer of several engines
  robusto check --executor slurm --configurations engines.txt --timeout 1h hard.c

The last line of the output is the result: `RESULT: true`, `RESULT: false(PROPERTY)` or
`RESULT: unknown(REASON)`. Every `false` has been replayed with concrete inputs.

Exit codes:
  0   true
  10  false
  5   unknown
  1   wrong use of the command line
  2   the input is not understood
  6   internal error";

/// Arguments of `robusto check`.
#[derive(Args, Debug)]
pub struct CheckArgs {
    /// What to read.
    #[command(flatten)]
    pub input: InputArgs,

    /// Where to start.
    #[command(flatten)]
    pub entry: EntryArgs,

    /// unreach-call, assert, label:NAME, no-overflow, div-by-zero, all, or a property file (.prp); may be given several
    /// times [default: what the task file says, else `default`]
    #[arg(long, value_name = "PROPERTY")]
    pub property: Vec<String>,

    /// What an invalid access to memory means for a `true` that nobody asked it of [default: ends for a task file that knows the
    /// verdict, else unknown]
    #[arg(long, value_enum, value_name = "RULE")]
    pub undefined: Option<UndefinedArg>,

    /// What may be spent.
    #[command(flatten)]
    pub limits: LimitArgs,

    /// End at the first violation, whatever else could be found out
    #[arg(long)]
    pub stop_at_first: bool,

    /// How much of a counterexample to print
    #[arg(long, value_enum, default_value_t, value_name = "LENGTH")]
    pub trace: TraceArg,

    /// Write the outcome as JSON, whatever it is; with `-` to standard output, and the text to standard error
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,

    /// Write the outcome as SARIF 2.1.0, for code-scanning sites and editors; with `-` to standard output, before the report
    #[arg(long, value_name = "FILE")]
    pub sarif: Option<PathBuf>,

    /// Write the outcome as a test result, for continuous-integration servers; with `-` to standard output
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,

    /// Print lines that GitHub's workflows show beside the code
    #[arg(long)]
    pub github: bool,

    /// Write a witness of the verdict (YAML); with `-` to standard output, before the report
    #[arg(long, value_name = "FILE")]
    pub witness: Option<PathBuf>,

    /// Version of the witness's format: 2.0, which all validators read, or 2.1, which has contracts of functions
    #[arg(long, value_name = "VERSION", default_value = "2.0", value_parser = witness::version)]
    pub witness_format: Version,

    /// Write why the verdict is true, for `robusto certify`; with `-` to standard output
    #[arg(long, value_name = "FILE")]
    pub certificate: Option<PathBuf>,

    /// Check the certificate of a true: auto (for at most a minute, or as long as the engine took), always, never
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub certify: Policy,

    /// Write a C file which, compiled together with the program, reaches the error; with `-` to standard output
    #[arg(long, value_name = "FILE.c")]
    pub harness: Option<PathBuf>,

    /// Write a page for the browser: the verdict and what it rests on, the counterexample step by step or the invariants
    /// at their lines, drawings, and which engine ran when
    #[arg(long, value_name = "FILE.html")]
    pub report: Option<PathBuf>,

    /// Tell on standard error what happens
    #[arg(short, long)]
    pub verbose: bool,

    /// Several ways to check at once.
    #[command(flatten)]
    pub race: RaceArgs,

    /// How to check. Last, since its heading is that of all that follows.
    #[command(flatten)]
    pub engine: EngineArgs,
}

impl CheckArgs {
    /// The analysis as it is named on the command line.
    pub fn analysis_name(&self) -> String {
        self.engine.engine.name.to_owned()
    }

    /// How much of a counterexample to print.
    pub fn trace_length(&self) -> TraceLength {
        self.trace.into()
    }

    /// Where the outcome is to go.
    pub fn outputs(&self) -> Outputs {
        Outputs {
            json: self.json.clone(),
            witness: self.witness.clone().map(|path| WitnessFile { path, format: self.witness_format }),
            certificate: self.certificate.clone(),
            harness: self.harness.clone(),
            sarif: self.sarif.clone(),
            junit: self.junit.clone(),
            github: self.github,
            report: self.report.clone(),
            trace: self.trace_length(),
            stop_at_first: self.stop_at_first,
            input_files: self.input.files.iter().map(|f| f.display().to_string()).collect(),
            analysis: self.analysis_name(),
        }
    }
}

/// [`Undefined`] as an argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum UndefinedArg {
    /// There is no answer if an execution makes one
    Unknown,
    /// The execution ends there, and has violated nothing
    Ends,
}

impl CheckArgs {
    /// What an execution that leaves the rules of C means. Who labelled a task says that it has none, or what it means without them.
    pub fn undefined(&self, choice: &Choice) -> Undefined {
        match self.undefined {
            Some(UndefinedArg::Unknown) => Undefined::Unknown,
            Some(UndefinedArg::Ends) => Undefined::Ends,
            None if choice.expected.is_some() => Undefined::Ends,
            None => Undefined::Unknown,
        }
    }
}

/// [`TraceLength`] as an argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum TraceArg {
    /// Steps that change something
    #[default]
    Short,
    /// Every step
    Full,
}

impl From<TraceArg> for TraceLength {
    fn from(arg: TraceArg) -> Self {
        match arg {
            TraceArg::Short => TraceLength::Short,
            TraceArg::Full => TraceLength::Full,
        }
    }
}

/// Arguments of `robusto cfa`.
#[derive(Args, Debug)]
pub struct CfaArgs {
    /// What to read.
    #[command(flatten)]
    pub input: InputArgs,

    /// How to print the automata; pictures draw a sequence of statements as one edge
    #[arg(long, value_enum, default_value_t, conflicts_with = "stats")]
    pub format: Format,

    /// Print the automata with large blocks as edges, as `--block preprocessed` explores them: `;` for sequences, `||` for choices
    #[arg(long, conflicts_with_all = ["stats", "format"])]
    pub large_blocks: bool,

    /// Print figures instead of the automata: sizes, loops, and what is approximated
    #[arg(long)]
    pub stats: bool,

    /// Show the error edges of this property too: no-overflow, div-by-zero; may be given several times
    #[arg(long, value_name = "PROPERTY")]
    pub property: Vec<String>,

    /// Print only this function
    #[arg(long, value_name = "NAME", conflicts_with = "stats")]
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
#[derive(Args, Clone, Debug)]
pub struct InputArgs {
    /// C files (.c, or .i if preprocessed; - is standard input), linked together, or a task file (.yml)
    #[arg(required_unless_present = "database", value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Compile as a compilation database says: the folder of a compile_commands.json, or the file. Without FILE, its files
    /// are the program; with --function, the one that defines the function
    #[arg(short = 'p', value_name = "BUILD")]
    pub database: Option<PathBuf>,

    /// Sizes of the C types [default: what the task file says, else lp64]
    #[arg(long, value_enum, ignore_case = true, value_name = "MODEL")]
    pub data_model: Option<DataModelArg>,

    /// Folder to look for headers in
    #[arg(short = 'I', value_name = "DIR")]
    pub include: Vec<PathBuf>,

    /// Define a macro; without a value it is 1
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    pub define: Vec<String>,

    /// Undefine a macro, also one of those before it
    #[arg(short = 'U', value_name = "NAME")]
    pub undefine: Vec<String>,

    /// What else compilers are told.
    #[command(flatten)]
    pub compiler: CompilerArgs,

    /// C compiler that preprocesses files with `#include`, with arguments if it needs some
    #[arg(long, value_name = "COMMAND", default_value = "cc")]
    pub cc: String,

    /// What is taken for granted of the world around the program.
    #[command(flatten)]
    pub border: BorderArgs,
}

/// What compilers are told beside folders and macros. They may be spelled as compilers have it: `-std=c99`, `-isystem DIR`.
#[derive(Args, Clone, Debug, Default)]
pub struct CompilerArgs {
    /// The C standard, for the preprocessor (c99, gnu11, …); also -std=NAME
    #[arg(long, value_name = "NAME")]
    std: Option<String>,

    /// Folder with headers of the system; also -isystem DIR
    #[arg(long, value_name = "DIR")]
    isystem: Vec<PathBuf>,

    /// Folder with headers between quotes; also -iquote DIR
    #[arg(long, value_name = "DIR")]
    iquote: Vec<PathBuf>,

    /// Folder with headers, after those of the system; also -idirafter DIR
    #[arg(long, value_name = "DIR")]
    idirafter: Vec<PathBuf>,

    /// File to include before each; also -include FILE
    #[arg(long = "include", value_name = "FILE")]
    included: Vec<PathBuf>,

    /// File whose macros are defined before each; also -imacros FILE
    #[arg(long, value_name = "FILE")]
    imacros: Vec<PathBuf>,

    /// Option for the machine: -m32 means ILP32, -m64 LP64, others (-mavx2) go to the compiler
    #[arg(short = 'm', value_name = "OPTION")]
    machine: Vec<String>,
}

impl InputArgs {
    /// What the command line tells compilers, as they spell it.
    pub fn flags(&self) -> Vec<String> {
        let mut words = Vec::new();
        let mut add = |flag: &str, value: &dyn AsRef<std::ffi::OsStr>| {
            words.push(flag.to_owned());
            words.push(value.as_ref().to_string_lossy().into_owned());
        };
        let CompilerArgs { std, isystem, iquote, idirafter, included, imacros, machine } = &self.compiler;
        let paths = [("-I", &self.include), ("-isystem", isystem), ("-iquote", iquote), ("-idirafter", idirafter)];
        for (flag, list) in paths.into_iter().chain([("-include", included), ("-imacros", imacros)]) {
            list.iter().for_each(|path| add(flag, path));
        }
        self.undefine.iter().for_each(|name| add("-U", name));
        self.define.iter().for_each(|text| add("-D", text));
        words.extend(std.iter().map(|name| format!("-std={name}")));
        words.extend(machine.iter().map(|option| format!("-m{option}")));
        // What the command of the compiler itself says of the machine.
        let cc = robusto_bench::words::split(&self.cc).unwrap_or_default();
        words.extend(cc.into_iter().filter(|word| matches!(word.as_str(), "-m32" | "-m64")));
        words
    }
}

/// The function to start at, if it is not `main`.
#[derive(Args, Clone, Debug)]
pub struct EntryArgs {
    /// Start at this function instead of `main`, with any arguments; with `all`, one after the other at each that the
    /// files define, with a table in the end
    #[arg(long, value_name = "NAME")]
    pub function: Option<String>,

    /// With --function: most pointers one behind the other that lead to objects; those behind them are null
    #[arg(long, value_name = "DEPTH", default_value_t = 2, requires = "function")]
    pub pointer_depth: u32,

    /// With --function: number of elements behind a pointer to a scalar; texts have one character less
    #[arg(long, value_name = "COUNT", default_value_t = 8, requires = "function")]
    pub elements: u16,

    /// With --function: its pointers are not null; those in objects may be
    #[arg(long, requires = "function")]
    pub non_null: bool,

    /// With --function: globals hold anything when it is called, not their initial values
    #[arg(long, requires = "function")]
    pub havoc_globals: bool,
}

impl EntryArgs {
    /// The function and what it gets; `None` for a `main`.
    pub fn entry(&self) -> Option<EntryPoint> {
        let function = self.function.clone().filter(|name| name != "main")?;
        let &Self { pointer_depth, elements, non_null, havoc_globals, .. } = self;
        Some(EntryPoint { function, pointer_depth, elements: elements.into(), null: !non_null, havoc_globals })
    }

    /// Whether each function is to be checked.
    pub fn is_all(&self) -> bool {
        self.function.as_deref() == Some("all")
    }
}

/// What is taken for granted of the world around the program.
#[derive(Args, Clone, Debug)]
pub struct BorderArgs {
    /// What a function without a body, and not of the library, may change: what its arguments reach, globals too, nothing,
    /// or not known [default: pure if a task file is given, else args]
    #[arg(long = "extern", value_enum, value_name = "WHAT")]
    pub externs: Option<ExternArg>,

    /// What reading something volatile gives
    #[arg(long, value_enum, default_value_t, value_name = "HOW")]
    pub volatile: VolatileArg,

    /// Whether memory allocation may fail [default: never-fails if a task file is given, else may-fail]
    #[arg(long, value_enum, value_name = "HOW")]
    pub malloc: Option<MallocArg>,
}

/// [`Malloc`] as an argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum MallocArg {
    /// Any allocation may give null
    MayFail,
    /// None does, unless it is larger than any object can be; the convention of SV-COMP
    NeverFails,
}

impl From<MallocArg> for Malloc {
    fn from(arg: MallocArg) -> Self {
        match arg {
            MallocArg::MayFail => Malloc::MayFail,
            MallocArg::NeverFails => Malloc::NeverFails,
        }
    }
}

/// [`Externs`] as an argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum ExternArg {
    /// What non-const pointer arguments reach; functions that it gets may be called
    Args,
    /// That, and globals with external linkage
    All,
    /// Nothing; the convention of SV-COMP
    Pure,
    /// Not known: if such a call can be reached, there is no true
    Unknown,
}

impl From<ExternArg> for Externs {
    fn from(arg: ExternArg) -> Self {
        match arg {
            ExternArg::Args => Externs::Args,
            ExternArg::All => Externs::All,
            ExternArg::Pure => Externs::Pure,
            ExternArg::Unknown => Externs::Unknown,
        }
    }
}

/// [`Volatile`] as an argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum VolatileArg {
    /// What was last written
    #[default]
    Plain,
    /// Any value
    Havoc,
}

impl From<VolatileArg> for Volatile {
    fn from(arg: VolatileArg) -> Self {
        match arg {
            VolatileArg::Plain => Volatile::Plain,
            VolatileArg::Havoc => Volatile::Havoc,
        }
    }
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
