//! `robusto bench`: tasks × presets under limits, and the difference of two results.

mod args;

pub use args::{AFTER_HELP, BenchArgs};

use crate::exit::Exit;
use anyhow::{Context as _, Result, anyhow, bail};
use args::{Action, BenchRunArgs, DiffArgs, WorkerArgs};
use robusto_bench::diff::{self, Columns, Diff, Noise};
use robusto_bench::discover::{self, Filter};
use robusto_bench::executor::spool::{ChunkId, Spool};
use robusto_bench::executor::{Event, worker};
use robusto_bench::grid::{Grid, Row};
use robusto_bench::host::{self, Host};
use robusto_bench::judge::Category;
use robusto_bench::preset::{self, Preset, Selection};
use robusto_bench::process::Limits;
use robusto_bench::progress::Display;
use robusto_bench::record::{self, Call, Journal, Record, Results};
use robusto_bench::runner::{self, Column, Settings};
use robusto_bench::table::Table;
use robusto_bench::{interrupt, report, units};
use robusto_engine::registry::Registry;
use std::collections::HashSet;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::{Duration, SystemTime};

/// Runs the benchmark, or compares results.
pub fn command(args: &BenchArgs) -> Result<Exit> {
    match &args.action {
        None => run(&args.run),
        Some(Action::Diff(args)) => diff(args),
        Some(Action::Report(args)) => {
            let results = load(&args.folder)?;
            finish(&args.folder, &results, args.table, &mut io::stdout().lock())
        }
        Some(Action::Worker(args)) => work(args),
    }
}

/// Does the runs of a job of a cluster.
fn work(args: &WorkerArgs) -> Result<Exit> {
    let cancel = interrupt::flag()?;
    worker::work(&Spool::open(&args.folder), ChunkId(args.chunk), &cancel)?;
    Ok(Exit::OK)
}

fn run(args: &BenchRunArgs) -> Result<Exit> {
    args.executor.validate()?;
    if args.runs_per_job.is_some() && !args.executor.is_cluster() {
        bail!("--runs-per-job is for clusters: --executor slurm");
    }
    let engines: Vec<&str> = Registry::standard().engines().map(|engine| engine.name).collect();
    let selection = preset::select(&args.preset, &engines).map_err(|e| anyhow!(e))?;
    let filter = filter(args, &selection)?;
    let mut found = discover::discover(&args.tasks, &filter).map_err(|e| anyhow!(e))?;
    let groups = &selection.groups;
    found.tasks.retain(|task| groups.is_empty() || groups.iter().any(|group| group.wants(task)));
    tell_about(&found, &filter);
    if let Some(shard) = args.shard {
        shard.keep(&mut found.tasks);
    }
    if found.tasks.is_empty() {
        bail!("there are no tasks to run");
    }
    let columns = columns(args, &selection.presets)?;
    let settings = Settings {
        property: args.property.clone(),
        limits: limits(args, &selection),
        logs: Some(args.output.join("logs")),
        reports: args.reports.then(|| args.output.join("reports")),
    };
    let table = args.table.or_else(|| selection.groups.first().map(|group| group.table));
    let host = Host::this();
    if !args.executor.is_cluster() && host.memory > 0 && settings.limits.memory > host.memory {
        let (limit, memory) = (units::size(settings.limits.memory), units::size(host.memory));
        let _ = writeln!(io::stderr(), "note: a run may use {limit}, but this machine has {memory}");
    }
    let finished = prepare_folder(args)?;
    let works = runner::plan(&found.tasks, &columns, args.repeat, &settings, &finished);
    let mut out = io::stdout().lock();
    if args.dry_run {
        for work in &works {
            writeln!(out, "{:?}", work.command())?;
        }
        return Ok(Exit::OK);
    }
    let parallel = args.executor.parallel(args.jobs);
    let call = Call {
        started: units::timestamp(SystemTime::now()),
        host,
        jobs: parallel.unwrap_or(0),
        executor: args.executor.is_cluster().then(|| args.executor.name()),
        command: std::env::args().skip(1).collect(),
        columns: columns.iter().map(|column| column.name.clone()).collect(),
    };
    let mut journal = Journal::open(&args.output, &call)
        .with_context(|| format!("cannot write the results in '{}'", args.output.display()))?;
    let cancel = interrupt::flag()?;
    let mut display = Display::new(&works, parallel.unwrap_or(1), args.verbose);
    let mut executor = args.executor.build(&args.output, parallel, args.runs_per_job)?;
    let ended = executor.execute(&works, &cancel, &mut |event| {
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
            recover(args)?;
            return Ok(load(&args.output)?.records.iter().map(Record::key).collect());
        }
        if !args.overwrite {
            bail!("there are results in '{folder}': --resume goes on, --overwrite deletes them, -o DIR goes elsewhere");
        }
        recover(args)?;
        std::fs::remove_file(&journal).with_context(|| format!("cannot delete '{}'", journal.display()))?;
    }
    std::fs::create_dir_all(&args.output).with_context(|| format!("cannot make the folder '{folder}'"))?;
    Ok(HashSet::new())
}

/// Adds to the journal what jobs of a cluster finished after their master was gone.
fn recover(args: &BenchRunArgs) -> Result<()> {
    if args.dry_run {
        return Ok(());
    }
    let mut journal = Journal::reopen(&args.output)?;
    let mut count = 0;
    args.executor.recover(&args.output, |record| {
        count += 1;
        journal.write(&record)
    })?;
    if count > 0 {
        let _ = writeln!(io::stderr(), "{count} results came after the interruption");
    }
    Ok(())
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
