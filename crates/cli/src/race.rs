//! `robusto check --configurations`: one program, several engines and settings at once, on this machine or on the nodes of a
//! cluster. The first answer that is certified or replayed wins, and the others are cancelled.
//!
//! Each configuration is a `robusto check` of its own, so what it says is what a user would get of it. A `false` was replayed,
//! as always. A `true` that is not certified waits: it is the answer only if nobody has a better one. Two sure answers that
//! contradict each other are none.

mod outcome;
mod outputs;

use crate::args::CheckArgs;
use crate::executor::ExecutorArgs;
use crate::exit::Exit;
use crate::{output, words};
use anyhow::{Context as _, Result, anyhow, bail};
use clap::Args;
use outcome::Race;
use outputs::Outputs;
use robusto_bench::executor::Event;
use robusto_bench::live::LiveLine;
use robusto_bench::preset::{self, Preset};
use robusto_bench::process::Limits;
use robusto_bench::record::Record;
use robusto_bench::work::Work;
use robusto_bench::{interrupt, units};
use robusto_engine::registry::Registry;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// Arguments for several configurations.
#[derive(Args, Debug)]
#[command(next_help_heading = "Several configurations")]
pub struct RaceArgs {
    /// Try all configurations of a file at once. A line is NAME=ARGS with arguments of `robusto check`, or the name of an engine;
    /// `#` starts a comment. The first answer that is certified or replayed wins, the others are cancelled
    #[arg(long, value_name = "FILE")]
    pub configurations: Option<PathBuf>,

    /// With --configurations: number of them at a time [default: number of cores; on a cluster, what it grants]
    #[arg(long, value_name = "N", requires = "configurations", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,

    /// With --configurations: folder for what each of them says
    #[arg(long, value_name = "DIR", default_value = "robusto-configurations", requires = "configurations")]
    configurations_output: PathBuf,

    /// Where they run.
    #[command(flatten)]
    executor: ExecutorArgs,
}

impl RaceArgs {
    /// Complains about options that are for several configurations only.
    pub fn validate(&self) -> Result<()> {
        self.executor.validate()?;
        if self.configurations.is_none() && self.executor.is_cluster() {
            bail!("--executor {} needs --configurations FILE: what to run on the nodes", self.executor.name());
        }
        Ok(())
    }
}

/// Options of the command line that are not for the configurations.
const OWN: [&str; 8] = [
    "--configurations",
    "--configurations-output",
    "--jobs",
    "--executor",
    "--slurm-partition",
    "--slurm-account",
    "--slurm-option",
    "--slurm-poll",
];

/// Without a limit a process may take this long.
const YEAR: Duration = Duration::from_secs(366 * 24 * 3600);

/// Runs the configurations of a file, and prints what they did and the best answer.
pub fn command(args: &CheckArgs, file: &Path) -> Result<Exit> {
    if args.entry.is_all() {
        bail!("--configurations is about one check; with --function all it has no meaning");
    }
    if args.input.files.iter().any(|file| output::is_stdout(file)) {
        bail!("standard input cannot be read by several configurations: give a file");
    }
    let configurations = read(file)?;
    let outputs = Outputs::new(args);
    let works = works(args, &configurations, &outputs)?;
    let cancel = interrupt::flag()?;
    let parallel = args.race.executor.parallel(args.race.jobs);
    let mut executor = args.race.executor.build(&args.race.configurations_output, parallel, Some(1))?;
    let mut race = Race::new(&outputs);
    let (mut live, start) = (LiveLine::new(), Instant::now());
    executor.execute(&works, &cancel, &mut |event| {
        match event {
            Event::Finished(record) => {
                if race.finish(*record) {
                    cancel.store(true, Ordering::Relaxed);
                }
            }
            Event::Note(text) => live.print(&text),
            Event::Started(_) | Event::Parallel(_) | Event::Tick => {}
        }
        let (ended, all, time) = (race.ended(), works.len(), units::span(start.elapsed()));
        live.show(|_| format!("{ended} of {all} configurations have ended · {time}"));
        Ok(())
    })?;
    live.clear();
    race.conclude(&configurations, cancel.load(Ordering::Relaxed))
}

/// The configurations of a file.
fn read(file: &Path) -> Result<Vec<Preset>> {
    let text = std::fs::read_to_string(file).with_context(|| format!("cannot read '{}'", file.display()))?;
    let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
    let lines: Vec<String> = lines.filter(|line| !line.is_empty()).map(str::to_owned).collect();
    if lines.is_empty() {
        bail!("'{}' names no configuration", file.display());
    }
    let engines: Vec<&str> = Registry::standard().engines().map(|engine| engine.name).collect();
    let selection = preset::select(&lines, &engines).map_err(|e| anyhow!("{}: {e}", file.display()))?;
    Ok(selection.presets)
}

/// A run for each configuration.
fn works(args: &CheckArgs, configurations: &[Preset], outputs: &Outputs) -> Result<Vec<Work>> {
    std::fs::create_dir_all(&outputs.folder)
        .with_context(|| format!("cannot make the folder '{}'", outputs.folder.display()))?;
    let program = std::env::current_exe().context("cannot find this program's file")?;
    let dropped: Vec<&str> = OWN.into_iter().chain(outputs.wanted.iter().map(|(option, _)| *option)).collect();
    let line = words::of_this_process_without(&dropped);
    let (subcommand, rest) = line.split_first().context("no command")?;
    let limits = Limits {
        time: args.limits.timeout.unwrap_or(YEAR),
        cpu: args.limits.cpu_timeout,
        memory: args.limits.memory.unwrap_or(u64::MAX),
        ..Limits::default()
    };
    let files: Vec<String> = args.input.files.iter().map(|file| file.display().to_string()).collect();
    let work = |preset: &Preset| {
        // After the subcommand, in front of what may follow a `--`.
        let mut command = vec![program.clone().into(), subcommand.clone()];
        command.extend(preset.args.iter().map(OsString::from));
        command.extend(outputs.arguments(&preset.name));
        command.extend(rest.iter().cloned());
        for (option, _) in outputs.wanted.iter().chain(&[("--json", PathBuf::new())]) {
            // What an earlier call left behind says nothing about this one.
            let _ = std::fs::remove_file(outputs.own(&preset.name, option));
        }
        let record = Record {
            task: files.join(" "),
            files: files.clone(),
            property: args.property.join(","),
            column: preset.name.clone(),
            title: preset.title.clone(),
            args: preset.args.clone(),
            tool: env!("ROBUSTO_VERSION").to_owned(),
            ..Record::to_come(&limits)
        };
        Work { command, limits, record, log: Some(outputs.log(&preset.name)), report: None }
    };
    Ok(configurations.iter().map(work).collect())
}
