//! `robusto bench`: tasks × presets under limits, and the difference of two results.

use crate::exit::Exit;
use anyhow::{Context as _, Result, anyhow, bail};
use clap::{Args, Subcommand};
use robusto_bench::diff::{self, Columns, Diff, Noise};
use robusto_bench::discover::{self, Filter};
use robusto_bench::grid::{Grid, Row};
use robusto_bench::host::{self, Host};
use robusto_bench::judge::Category;
use robusto_bench::preset::{self, Preset, Selection};
use robusto_bench::process::Limits;
use robusto_bench::progress::Display;
use robusto_bench::record::{self, Call, Journal, Record, Results};
use robusto_bench::runner::{self, Column, Event, Settings};
use robusto_bench::table::Table;
use robusto_bench::{interrupt, report, units};
use robusto_engine::registry::Registry;
use std::collections::HashSet;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::{Duration, SystemTime};

/// Help text after the options.
pub const AFTER_HELP: &str = "\
Examples:
  robusto bench --family locks --timeout 10s corpus       a family below a folder
  robusto bench --preset seed1-tables corpus              the tables and the figure of a publication;
                                                          also seed3-table1 to seed3-table3, seed4-table3,
                                                          seed4-partition, seed4-locality, seed5-table4,
                                                          seed5-figure8, and seed2-table2 for Boolean
                                                          programs
  robusto bench --language BP --preset bdd --preset explicit corpus/boolean-programs
  robusto bench --preset bdd --preset 'x=--analysis bdd --order bfs' 'corpus/loops/*.yml'
  robusto bench --tool old=target/old/robusto --tool new=target/release/robusto corpus/ControlFlow.set
  robusto bench --resume corpus                           go on after an interruption
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

    /// Number of runs at a time [default: number of cores]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: Option<u16>,

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

    /// Print a table of a publication: seed1, seed2-table2, seed3-table1, seed3-table2, seed3-table3, seed4
    #[arg(long, value_name = "NAME", value_parser = Table::parse)]
    pub table: Option<Table>,

    /// Print the command lines, run nothing
    #[arg(long)]
    pub dry_run: bool,

    /// Print each result
    #[arg(short, long)]
    pub verbose: bool,
}

/// Arguments of `robusto bench report`.
#[derive(Args, Debug)]
pub struct ReportArgs {
    /// Folder with results
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,

    /// Print a table of a publication: seed1, seed2-table2, seed3-table1, seed3-table2, seed3-table3, seed4
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

/// Runs the benchmark, or compares results.
pub fn command(args: &BenchArgs) -> Result<Exit> {
    match &args.action {
        None => run(&args.run),
        Some(Action::Diff(args)) => diff(args),
        Some(Action::Report(args)) => {
            let results = load(&args.folder)?;
            finish(&args.folder, &results, args.table, &mut io::stdout().lock())
        }
    }
}

fn run(args: &BenchRunArgs) -> Result<Exit> {
    let engines: Vec<&str> = Registry::standard().engines().map(|engine| engine.name).collect();
    let selection = preset::select(&args.preset, &engines).map_err(|e| anyhow!(e))?;
    let filter = filter(args, &selection)?;
    let mut found = discover::discover(&args.tasks, &filter).map_err(|e| anyhow!(e))?;
    let groups = &selection.groups;
    found.tasks.retain(|task| groups.is_empty() || groups.iter().any(|group| group.wants(task)));
    tell_about(&found, &filter);
    if found.tasks.is_empty() {
        bail!("there are no tasks to run");
    }
    let columns = columns(args, &selection.presets)?;
    let settings = Settings {
        property: args.property.clone(),
        limits: limits(args, &selection),
        jobs: args.jobs.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from),
        logs: Some(args.output.join("logs")),
        reports: args.reports.then(|| args.output.join("reports")),
    };
    let table = args.table.or_else(|| selection.groups.first().map(|group| group.table));
    let host = Host::this();
    if host.memory > 0 && settings.limits.memory > host.memory {
        let (limit, memory) = (units::size(settings.limits.memory), units::size(host.memory));
        let _ = writeln!(io::stderr(), "note: a run may use {limit}, but this machine has {memory}");
    }
    let finished = prepare_folder(args)?;
    let jobs = runner::plan(&found.tasks, &columns, args.repeat, &settings, &finished);
    let mut out = io::stdout().lock();
    if args.dry_run {
        for job in &jobs {
            writeln!(out, "{:?}", job.command(&settings))?;
        }
        return Ok(Exit::OK);
    }
    let call = Call {
        started: units::timestamp(SystemTime::now()),
        host,
        jobs: settings.jobs,
        command: std::env::args().skip(1).collect(),
        columns: columns.iter().map(|column| column.name.clone()).collect(),
    };
    let mut journal = Journal::open(&args.output, &call)
        .with_context(|| format!("cannot write the results in '{}'", args.output.display()))?;
    let cancel = interrupt::flag()?;
    let mut display = Display::new(&jobs, settings.jobs, args.verbose);
    let ended = runner::run(&jobs, &settings, &cancel, |event| {
        if let Event::Finished(record) = &event {
            journal.write(record)?;
        }
        display.show(&event);
        Ok(())
    });
    display.finish();
    let interrupted = ended.is_ok() && cancel.load(Ordering::Relaxed);
    let exit = finish(&args.output, &load(&args.output)?, table, &mut out)?;
    ended?;
    if interrupted {
        let _ = writeln!(io::stderr(), "interrupted; the same command with --resume goes on");
        return Ok(Exit(5));
    }
    Ok(exit)
}

/// The limits of the options, or else those of the groups.
fn limits(args: &BenchRunArgs, selection: &Selection) -> Limits {
    let usual = Limits::default();
    let group = || selection.groups.iter().map(|group| group.cpu).max();
    let cpu = args.cpu_timeout.or_else(|| if args.timeout.is_none() { group() } else { None });
    // Who computes gets a tenth of a core even on a crowded machine; who sleeps is ended some day.
    let wall = cpu.map_or(usual.time, |cpu| cpu.saturating_mul(10).saturating_add(Duration::from_secs(60)));
    let memory = args.memory.or_else(|| selection.groups.iter().map(|group| group.memory).max());
    Limits { time: args.timeout.unwrap_or(wall), cpu, memory: memory.unwrap_or(usual.memory), grace: args.grace }
}

/// The options, or else what the groups of presets are for.
fn filter(args: &BenchRunArgs, selection: &Selection) -> Result<Filter> {
    let patterns = |given: &[String], groups: Vec<&str>| {
        let given: Vec<&str> = given.iter().map(String::as_str).collect();
        let texts = if given.is_empty() { groups } else { given };
        texts.into_iter().map(discover::pattern).collect::<Result<Vec<_>, _>>().map_err(|e| anyhow!(e))
    };
    let groups = &selection.groups;
    let language =
        args.language.clone().unwrap_or_else(|| groups.first().map_or("C", |group| group.language).to_owned());
    Ok(Filter {
        language,
        families: patterns(&args.family, groups.iter().flat_map(|g| g.families).copied().collect())?,
        names: patterns(&args.matching, groups.iter().flat_map(|g| g.tasks).copied().collect())?,
        ..Filter::new(&args.property)
    })
}

/// Says which files are left out, and why.
fn tell_about(found: &discover::Found, filter: &Filter) {
    let mut err = io::stderr();
    for (path, message) in &found.skipped {
        let _ = writeln!(err, "skipped: {}: {message}", path.display());
    }
    if found.without_property > 0 {
        let _ = writeln!(err, "left out: {} tasks without the property {}", found.without_property, filter.property);
    }
    if found.other_language > 0 {
        let _ = writeln!(err, "left out: {} tasks not in {}", found.other_language, filter.language);
    }
}

fn columns(args: &BenchRunArgs, presets: &[Preset]) -> Result<Vec<Column>> {
    let mut tools: Vec<(Option<&str>, PathBuf)> = Vec::new();
    for value in &args.tool {
        let (name, path) = match value.split_once('=') {
            Some((name, path)) => (Some(preset::valid_name(name).map_err(|e| anyhow!(e))?), PathBuf::from(path)),
            None => (None, PathBuf::from(value)),
        };
        if args.tool.len() > 1 && (name.is_none() || tools.iter().any(|(other, _)| *other == name)) {
            bail!("each of several tools needs a name of its own: --tool NAME={}", path.display());
        }
        // A bare name would be looked up on the PATH.
        let path = path.canonicalize().with_context(|| format!("there is no tool '{}'", path.display()))?;
        tools.push((name, path));
    }
    if tools.is_empty() {
        tools.push((None, std::env::current_exe().context("cannot find this program's file")?));
    }
    let mut versions = Vec::new();
    for (_, path) in &tools {
        versions.push(host::tool_version(path).map_err(|e| anyhow!(e))?);
    }
    let tools: Vec<_> = tools.into_iter().zip(versions).collect();
    let of_preset = |preset| {
        tools.iter().map(move |((name, path), version)| Column::new(preset, path.clone(), version.clone(), *name))
    };
    Ok(presets.iter().flat_map(of_preset).collect())
}

/// Makes the folder, and finds out what is finished.
fn prepare_folder(args: &BenchRunArgs) -> Result<HashSet<record::Key>> {
    let folder = args.output.display();
    if args.dry_run && !args.resume {
        return Ok(HashSet::new());
    }
    let journal = args.output.join(record::FILE);
    if journal.exists() {
        if args.resume {
            return Ok(load(&args.output)?.records.iter().map(Record::key).collect());
        }
        if !args.overwrite {
            bail!("there are results in '{folder}': --resume goes on, --overwrite deletes them, -o DIR goes elsewhere");
        }
        std::fs::remove_file(&journal).with_context(|| format!("cannot delete '{}'", journal.display()))?;
    }
    std::fs::create_dir_all(&args.output).with_context(|| format!("cannot make the folder '{folder}'"))?;
    Ok(HashSet::new())
}

fn load(path: &Path) -> Result<Results> {
    let results = Results::load(path).map_err(|e| anyhow!(e))?;
    if results.damaged > 0 {
        let _ = writeln!(io::stderr(), "{}: {} lines are damaged and left out", path.display(), results.damaged);
    }
    Ok(results)
}

/// Writes the reports and prints the figures.
fn finish(folder: &Path, results: &Results, table: Option<Table>, out: &mut dyn io::Write) -> Result<Exit> {
    let grid = Grid::of(results);
    report::write_all(folder, results, &grid)?;
    if let Some(table) = table {
        writeln!(out, "{}", table.markdown(&grid))?;
    }
    write!(out, "{}", report::summary(&grid))?;
    writeln!(out, "reports: {}", folder.join("results.{html,csv,json,jsonl}").display())?;
    let wrong = (0..grid.columns.len()).any(|column| grid.totals(column, |_| true).wrong() > 0);
    // Nobody said that a plain C file is wrong.
    let is_plain = |row: &&Row| !row.task.ends_with(".yml") && row.files.iter().any(|file| row.task.ends_with(file));
    let cells = grid.rows.iter().filter(is_plain).flat_map(|row| row.cells.iter().flatten());
    let violated = cells.filter(|cell| cell.category == Category::Missing && cell.status.starts_with("false")).count();
    if violated > 0 {
        let answers = if violated == 1 { "answer" } else { "answers" };
        writeln!(out, "{violated} {answers} `false` of programs without an expected verdict")?;
    }
    Ok(if wrong || violated > 0 { Exit(10) } else { Exit::OK })
}

fn diff(args: &DiffArgs) -> Result<Exit> {
    let grid = |path: &Path| load(path).map(|results| Grid::of(&results));
    let (before, after) = (grid(&args.before)?, grid(&args.after)?);
    let columns = Columns { before: args.preset_before.clone(), after: args.preset_after.clone() };
    let noise = Noise { ratio: args.ratio, seconds: args.seconds };
    let diff = Diff::new(&before, &after, &columns, noise).map_err(|e| anyhow!(e))?;
    if let Some(path) = &args.html {
        let both = diff::together(&before, &after, &columns).map_err(|e| anyhow!(e))?;
        let page = report::diff_page(&diff, &both);
        std::fs::write(path, page).with_context(|| format!("cannot write '{}'", path.display()))?;
    }
    write!(io::stdout().lock(), "{diff}")?;
    Ok(if diff.is_regression() { Exit(10) } else { Exit::OK })
}
