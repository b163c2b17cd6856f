//! `robusto check --configurations`: one program, several engines and settings at once, on this machine or on the nodes of a
//! cluster. The first answer that is certified or replayed wins, and the others are cancelled.
//!
//! Each configuration is a `robusto check` of its own, so what it says is what a user would get of it. A `false` was replayed,
//! as always. A `true` that is not certified waits: it is the answer only if nobody has a better one. Two answers that
//! contradict each other are none.

use crate::args::CheckArgs;
use crate::executor::ExecutorArgs;
use crate::exit::Exit;
use crate::{output, words};
use anyhow::{Context as _, Result, anyhow, bail};
use clap::Args;
use robusto_bench::executor::Event;
use robusto_bench::judge::{Answer, Category, Expected};
use robusto_bench::live::LiveLine;
use robusto_bench::preset::{self, Preset};
use robusto_bench::process::Limits;
use robusto_bench::record::Record;
use robusto_bench::work::{Work, stdout_of_log};
use robusto_bench::{interrupt, units};
use robusto_engine::registry::Registry;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::io::{self, Write as _};
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
    let mut race = Race { outputs: &outputs, finished: BTreeMap::new(), decided: Vec::new() };
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
        let (ended, all, time) = (race.finished.len(), works.len(), units::span(start.elapsed()));
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

/// Files that are asked for. Each configuration writes its own, and those of the best answer are copied.
struct Outputs {
    folder: PathBuf,
    /// Option and destination.
    wanted: Vec<(&'static str, PathBuf)>,
}

impl Outputs {
    fn new(args: &CheckArgs) -> Self {
        let options = [
            ("--json", &args.json),
            ("--sarif", &args.sarif),
            ("--junit", &args.junit),
            ("--witness", &args.witness),
            ("--certificate", &args.certificate),
            ("--harness", &args.harness),
            ("--report", &args.report),
        ];
        let wanted = options.into_iter().filter_map(|(option, path)| Some((option, path.clone()?))).collect();
        Self { folder: args.race.configurations_output.clone(), wanted }
    }

    /// The file that a configuration writes for an option.
    fn own(&self, name: &str, option: &str) -> PathBuf {
        self.folder.join(format!("{name}.{}", option.trim_start_matches('-')))
    }

    fn log(&self, name: &str) -> PathBuf {
        self.folder.join(format!("{name}.log"))
    }

    /// The options of a configuration. It says as JSON whether its answer is certified.
    fn arguments(&self, name: &str) -> Vec<OsString> {
        let others = self.wanted.iter().map(|(option, _)| *option).filter(|option| *option != "--json");
        others.chain(["--json"]).flat_map(|option| [option.into(), self.own(name, option).into()]).collect()
    }

    /// Whether a configuration says that its answer is certified.
    fn is_certified(&self, name: &str) -> bool {
        let text = std::fs::read_to_string(self.own(name, "--json")).unwrap_or_default();
        let document: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
        document["certification"]["certified"] == true
    }

    /// Copies what a configuration wrote to where it was asked for.
    fn publish(&self, name: &str) -> Result<()> {
        for (option, destination) in &self.wanted {
            // A harness, for one, is there only for a violation.
            if let Ok(content) = std::fs::read(self.own(name, option)) {
                output::write_to(Some(destination), |out| out.write_all(&content))?;
            }
        }
        Ok(())
    }

    /// Whether the text is to leave standard output to the JSON document.
    fn text_to_stderr(&self) -> bool {
        self.wanted.iter().any(|(option, path)| *option == "--json" && output::is_stdout(path))
    }
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
            family: String::new(),
            files: files.clone(),
            property: args.property.join(","),
            expected: Expected::default(),
            column: preset.name.clone(),
            title: preset.title.clone(),
            args: preset.args.clone(),
            tool: env!("ROBUSTO_VERSION").to_owned(),
            repeat: 0,
            time_limit: limits.time.as_secs_f64(),
            cpu_limit: limits.cpu.map(|time| time.as_secs_f64()),
            memory_limit: limits.memory,
            started: String::new(),
            status: String::new(),
            category: Category::Error,
            cpu: 0.0,
            wall: 0.0,
            memory: 0,
            counters: BTreeMap::new(),
            message: None,
        };
        Work { command, limits, record, log: Some(outputs.log(&preset.name)), report: None }
    };
    Ok(configurations.iter().map(work).collect())
}

/// What the configurations have said so far.
struct Race<'o> {
    outputs: &'o Outputs,
    /// By configuration.
    finished: BTreeMap<String, Record>,
    /// Those with a verdict, as they came.
    decided: Vec<Verdict>,
}

struct Verdict {
    name: String,
    answer: Answer,
    /// A `true` that is certified, or a `false`, which is always replayed.
    evident: bool,
}

impl Race<'_> {
    /// Notes what a configuration says; whether the race is over.
    fn finish(&mut self, record: Record) -> bool {
        let name = record.column.clone();
        let evident = match Answer::parse(&record.status) {
            Some(answer @ (Answer::True | Answer::False(_))) => {
                let evident = matches!(answer, Answer::False(_)) || self.outputs.is_certified(&name);
                self.decided.push(Verdict { name: name.clone(), answer, evident });
                evident
            }
            Some(Answer::Unknown(_)) | None => false,
        };
        self.finished.insert(name, record);
        evident
    }

    /// The best answer: the first that is evident, else the first.
    fn best(&self) -> Option<&Verdict> {
        self.decided.iter().find(|verdict| verdict.evident).or(self.decided.first())
    }

    /// Two answers that contradict each other.
    fn contradiction(&self) -> Option<(&Verdict, &Verdict)> {
        let says = |wanted: bool| self.decided.iter().find(|verdict| (verdict.answer == Answer::True) == wanted);
        says(true).zip(says(false))
    }

    /// Prints the table and the answer.
    fn conclude(&self, configurations: &[Preset], cancelled: bool) -> Result<Exit> {
        let mut text = self.table(configurations);
        text.push('\n');
        let exit = if let Some((one, other)) = self.contradiction() {
            let _ = writeln!(io::stderr(), "robusto: error: configurations contradict each other; please report this");
            let _ = writeln!(
                text,
                "RESULT: unknown(configurations disagree: {} says {}, {} says {})",
                one.name, one.answer, other.name, other.answer
            );
            Exit::UNKNOWN
        } else if let Some(best) = self.best() {
            self.outputs.publish(&best.name)?;
            let log = std::fs::read_to_string(self.outputs.log(&best.name)).context("cannot read the answer")?;
            text += stdout_of_log(&log).unwrap_or_default();
            if !text.trim_end().ends_with(&format!("RESULT: {}", best.answer)) {
                // With JSON on standard output, the text goes elsewhere.
                let _ = writeln!(text, "RESULT: {}", best.answer);
            }
            if best.answer == Answer::True { Exit::OK } else { Exit::FALSE }
        } else {
            return self.without_answer(configurations, cancelled, text);
        };
        self.print(&text)?;
        Ok(exit)
    }

    fn without_answer(&self, configurations: &[Preset], cancelled: bool, mut text: String) -> Result<Exit> {
        let some = configurations.iter().find(|preset| self.finished.contains_key(&preset.name));
        if let Some(preset) = some {
            self.outputs.publish(&preset.name)?;
        }
        let statuses: Vec<&str> = self.finished.values().map(|record| &record.status[..]).collect();
        let all = |status: &str| statuses.iter().all(|other| *other == status) && !cancelled;
        match (statuses.first(), self.finished.values().next()) {
            (Some(status), Some(record)) if all(status) && *status == "error(input not understood)" => {
                let _ = writeln!(io::stderr(), "{}", record.message.as_deref().unwrap_or("the input is not accepted"));
                return Ok(Exit::REJECTED);
            }
            (Some(status), _) if all(status) && status.starts_with("unknown(") => {
                let _ = writeln!(text, "RESULT: {status}");
            }
            _ if cancelled => text += "RESULT: unknown(interrupted)\n",
            _ => text += "RESULT: unknown(no configuration has an answer)\n",
        }
        self.print(&text)?;
        Ok(Exit::UNKNOWN)
    }

    fn print(&self, text: &str) -> Result<()> {
        if self.outputs.text_to_stderr() {
            return io::stderr().write_all(text.as_bytes()).context("cannot write the report");
        }
        output::write_to(None, |out| out.write_all(text.as_bytes()))
    }

    /// What each configuration did.
    fn table(&self, configurations: &[Preset]) -> String {
        let width = configurations.iter().map(|preset| preset.name.len()).max().unwrap_or(0).max(13);
        let status = |name: &str| self.finished.get(name).map_or("cancelled", |record| &record.status);
        let statuses = configurations.iter().map(|preset| status(&preset.name).chars().count()).max().unwrap_or(0);
        let statuses = statuses.max(6);
        let mut out = format!(
            "{:width$}  {:statuses$}  {:>8}  {:>8}  {:>9}  evidence\n",
            "configuration", "answer", "wall", "CPU", "memory"
        );
        for Preset { name, .. } in configurations {
            let Some(record) = self.finished.get(name) else {
                let _ = writeln!(out, "{name:width$}  cancelled");
                continue;
            };
            let evidence = match self.decided.iter().find(|verdict| verdict.name == *name) {
                Some(Verdict { answer: Answer::True, evident: true, .. }) => "certified",
                Some(Verdict { answer: Answer::True, .. }) => "not certified",
                Some(_) => "replayed",
                None => record.message.as_deref().unwrap_or(""),
            };
            let first = if self.best().is_some_and(|best| best.name == *name) { ", the answer" } else { "" };
            let (wall, cpu) = (units::seconds(record.wall), units::seconds(record.cpu));
            let memory = units::megabytes(record.memory);
            let line = format!(
                "{name:width$}  {:statuses$}  {wall:>6} s  {cpu:>6} s  {memory:>6} MB  {evidence}{first}",
                record.status
            );
            let _ = writeln!(out, "{}", line.trim_end());
        }
        out
    }
}
