//! Where the outcome of a check goes: text for people, JSON for programs. Exactly one outcome is written, whether the
//! engine ends, the watchdog loses patience, or something breaks.

use crate::exit::{self, Diagnosed, Exit};
use crate::input::InputFile;
use crate::properties::Choice;
use crate::status::Status;
use crate::witness::WitnessFile;
use crate::{certificates, excerpts, limits, output, pictures, witness};
use anyhow::{Context as _, Result};
use robusto_bench::words;
use robusto_cfa::Driver;
use robusto_cfa::draw::Graph;
use robusto_cfa::ir::{Program, SrcPos};
use robusto_engine::auto::{is_over, so_far};
use robusto_engine::certificate::subject;
use robusto_engine::{Problem, undefined};
use robusto_limits::{Limits, Progress};
use robusto_report::{Diagnostic, HarnessDriver, HarnessTask, Page, Pictures, RunInfo, Sources, Style, TraceLength};
use robusto_verdict::{Report, Verdict};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::{self, IsTerminal as _, Write as _};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// What it takes to write the outcome.
pub struct Sink {
    start: Instant,
    json: Option<PathBuf>,
    witness: Option<WitnessFile>,
    harness: Option<PathBuf>,
    sarif: Option<PathBuf>,
    junit: Option<PathBuf>,
    github: bool,
    report: Option<PathBuf>,
    /// The program for the report, if there is to be one.
    pictures: Pictures,
    trace: TraceLength,
    info: RunInfo,
    /// What the engines tell while they run.
    progress: Option<Arc<Progress>>,
    choice: Option<Choice>,
    /// What is asked of a C program.
    problem: Option<Arc<Problem>>,
    certificate: Option<PathBuf>,
    stop_at_first: bool,
    files: Vec<Box<str>>,
    inputs: Vec<InputFile>,
    /// Functions with a body.
    defined: BTreeSet<String>,
    external: BTreeSet<String>,
    /// The start as C, if it is not `main`.
    driver: Option<Driver>,
    /// The status line, which ends before anything else is printed.
    status: Option<Status>,
}

/// Where the outcome of a run is to go.
#[derive(Clone, Debug)]
pub struct Outputs {
    /// A file for JSON.
    pub json: Option<PathBuf>,
    /// A file for a witness.
    pub witness: Option<WitnessFile>,
    /// A file for a certificate, if that is of a C program.
    pub certificate: Option<PathBuf>,
    /// A file for a harness.
    pub harness: Option<PathBuf>,
    /// A file for SARIF.
    pub sarif: Option<PathBuf>,
    /// A file for a test result.
    pub junit: Option<PathBuf>,
    /// Whether the text has lines for GitHub's workflows.
    pub github: bool,
    /// A file for a page.
    pub report: Option<PathBuf>,
    /// How much of a counterexample is printed.
    pub trace: TraceLength,
    /// Whether the first violation ends the run.
    pub stop_at_first: bool,
    /// What is read, as on the command line.
    pub input_files: Vec<String>,
    /// The analysis.
    pub analysis: String,
}

/// A sink that the first who has an outcome takes.
#[derive(Clone)]
pub struct SharedSink(Arc<Mutex<Option<Sink>>>);

impl SharedSink {
    /// A sink for a run that starts now.
    pub fn new(outputs: Outputs) -> Self {
        let info = RunInfo {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            command: std::env::args_os().map(|a| a.to_string_lossy().into_owned()).collect(),
            input_files: outputs.input_files,
            analysis: outputs.analysis,
            ..RunInfo::default()
        };
        let sink = Sink {
            start: Instant::now(),
            json: outputs.json,
            witness: outputs.witness,
            harness: outputs.harness,
            sarif: outputs.sarif,
            junit: outputs.junit,
            github: outputs.github,
            report: outputs.report,
            pictures: Pictures::default(),
            trace: outputs.trace,
            info,
            progress: None,
            choice: None,
            problem: None,
            certificate: outputs.certificate,
            stop_at_first: outputs.stop_at_first,
            files: Vec::new(),
            inputs: Vec::new(),
            defined: BTreeSet::new(),
            external: BTreeSet::new(),
            driver: None,
            status: None,
        };
        Self(Arc::new(Mutex::new(Some(sink))))
    }

    /// Does the work and writes its outcome; the exit code is the verdict's. With JSON there is a document in any case. If
    /// the work gives no report, it has written the outcome itself.
    pub fn conclude(&self, work: impl FnOnce() -> Result<Option<Report>>) -> Result<Exit> {
        match catch_unwind(AssertUnwindSafe(work)) {
            Ok(Ok(Some(report))) => self.take().write(report),
            Ok(Ok(None)) => Ok(Exit::UNKNOWN),
            Ok(Err(error)) => {
                let diagnostics = error.downcast_ref::<Diagnosed>();
                // The list says it all.
                let message = diagnostics.map_or_else(|| format!("{error:#}"), ToString::to_string);
                let diagnostics = diagnostics.map_or(&[][..], |Diagnosed(list)| list);
                self.take().write_error(exit::code_of(&error), &message, diagnostics)?;
                Err(error)
            }
            Err(panic) => {
                self.take().write_error(Exit::INTERNAL, "internal error", &[])?;
                resume_unwind(panic)
            }
        }
    }

    /// Watches the limits; if the work does not notice in time, what is known is written and the process ends.
    pub fn watch(&self, limits: &Limits, progress: &Arc<Progress>) {
        self.update(|sink| sink.progress = Some(progress.clone()));
        let (asked, seen, written) = (self.clone(), progress.clone(), self.clone());
        let is_over = move || asked.problem().is_some_and(|problem| is_over(&problem));
        limits::watch(limits, is_over, move |reason| {
            let sink = written.take();
            let mut report = match sink.problem.clone() {
                Some(problem) => so_far(&problem, reason),
                None => Report::unknown(reason),
            };
            report.counters.push(("reached states", seen.reached.load(Ordering::Relaxed).to_string()));
            report.counters.push(("expansions", seen.expanded.load(Ordering::Relaxed).to_string()));
            sink.write(report).unwrap_or(Exit::UNKNOWN)
        });
    }

    /// What is asked of a C program, if that is known already.
    fn problem(&self) -> Option<Arc<Problem>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).as_ref()?.problem.clone()
    }

    /// Tells more about the run as it becomes known.
    pub fn update(&self, f: impl FnOnce(&mut Sink)) {
        if let Some(sink) = self.0.lock().unwrap_or_else(PoisonError::into_inner).as_mut() {
            f(sink);
        }
    }

    /// The sink, unless somebody else writes the outcome; then the process is about to end, and this waits for that.
    pub fn take(&self) -> Sink {
        let taken = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        taken.unwrap_or_else(|| {
            loop {
                std::thread::park();
            }
        })
    }
}

impl Sink {
    /// When the run started.
    pub fn start(&self) -> Instant {
        self.start
    }

    /// Shows this until the outcome is written.
    pub fn set_status(&mut self, status: Status) {
        self.status = Some(status);
    }

    /// What is asked of a C program.
    pub fn set_problem(&mut self, problem: Arc<Problem>) {
        self.problem = Some(problem);
    }

    /// What is checked.
    pub fn set_choice(&mut self, choice: Choice) {
        self.info.expected = choice.expected;
        self.choice = Some(choice);
    }

    /// The compiled program's files and data model.
    pub fn set_program(&mut self, program: &Program, inputs: Vec<InputFile>, driver: Option<Driver>) {
        self.driver = driver;
        self.files = program.files.clone();
        let (external, defined): (Vec<_>, Vec<_>) = program.functions.iter().partition(|f| f.external);
        // Models of the library are not linked.
        let of_model = |pos: SrcPos| program.files.get(usize::from(pos.file)).is_some_and(|file| file.starts_with('<'));
        let own = defined.into_iter().filter(|f| !of_model(f.pos));
        self.defined = own.map(|f| f.name.to_string()).collect();
        self.external = external.into_iter().map(|f| f.name.to_string()).collect();
        self.inputs = inputs;
        if self.report.is_some() {
            self.pictures = pictures::of(program);
        }
        self.info.data_model = Some(program.model.to_string());
    }

    /// The graph of the engine that answered.
    pub fn set_graph(&mut self, graph: Option<Graph>) {
        self.pictures.graph = graph;
    }

    /// The files that places are in, where no C program was compiled.
    pub fn set_files(&mut self, files: Vec<Box<str>>) {
        self.files = files;
    }

    /// Writes the outcome of the engines.
    pub fn write(mut self, mut report: Report) -> Result<Exit> {
        self.status = None;
        let Some(choice) = self.choice.take() else { return Ok(Exit::UNKNOWN) };
        if let Some(problem) = &self.problem {
            undefined::mark(problem, &mut report);
            if let Some(path) = &self.certificate {
                certificates::write(path, || subject(problem, &choice.property), &report)?;
            }
            report = report.conclude();
        }
        if self.stop_at_first {
            report.stopped_at_first();
        }
        if let (Verdict::Unknown(_), Some(progress)) = (&report.verdict, &self.progress) {
            report.cleared = Some(progress.cleared.load(Ordering::Relaxed)).filter(|&bound| bound > 0);
        }
        let exit = exit_of(&report.verdict);
        self.measure(exit);
        report.counters.push(("total time", format!("{:.3} s", self.info.seconds)));
        let memory = self.info.peak_memory.map_or("unknown".to_owned(), |b| format!("{} MB", b / 1_000_000));
        report.counters.push(("peak memory", memory));
        // Witnesses find places by those of the automaton; people want those of their files.
        if let Some(file) = &self.witness {
            witness::write(file, &report, &choice.property, &self.inputs, &self.info)?;
        }
        let mut places = excerpts::Places::new(&self.files, &self.inputs);
        report.map_places(|place| places.correct(place));
        let quoted = matches!(report.verdict, Verdict::False(_)) || report.undefined.is_some() || self.report.is_some();
        let sources = Sources::new(&self.files, |name| if quoted { excerpts::text(name, &self.inputs) } else { None });
        let property = &choice.property;
        let on_stdout = !self.json.as_deref().is_some_and(output::is_stdout);
        let terminal = if on_stdout { io::stdout().is_terminal() } else { io::stderr().is_terminal() };
        let style = Style { colour: terminal && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty()) };
        let mut text = choice.note().map_or(String::new(), |note| note + "\n");
        text += &robusto_report::text(&report, &sources, property, self.trace, style);
        if let Some(line) = choice.comparison(&report.verdict) {
            let _ = writeln!(text, "{line}");
        }
        if self.github {
            text += &robusto_report::github(&report, property, &sources);
        }
        let _ = writeln!(text, "{}", robusto_report::result_line(&report, property));
        self.write_json(|info| robusto_report::json(&report, info, property, &sources))?;
        write_file(self.sarif.as_deref(), || robusto_report::sarif(&report, &self.info, property, &sources))?;
        write_file(self.junit.as_deref(), || robusto_report::junit(&report, &self.info, property, &sources))?;
        if let Some(path) = &self.harness {
            self.write_harness(path, &report)?;
        }
        if let Some(path) = &self.report {
            let (info, pictures) = (&self.info, &self.pictures);
            let page = Page { report: &report, info, property, sources: &sources, pictures };
            output::write_to(Some(path), |out| out.write_all(robusto_report::html(&page).as_bytes()))?;
        }
        if on_stdout {
            output::write_to(None, |out| out.write_all(text.as_bytes()))?;
        } else {
            io::stderr().write_all(text.as_bytes()).context("cannot write the report")?;
        }
        Ok(exit)
    }

    fn write_harness(&self, path: &Path, report: &Report) -> Result<()> {
        let violated = report.findings.iter().chain(&report.undefined).find_map(|f| match &f.verdict {
            Verdict::False(cex) => Some((f, cex)),
            Verdict::True | Verdict::Unknown(_) => None,
        });
        let Some((finding, cex)) = violated else {
            let _ = writeln!(io::stderr(), "robusto: no harness: there is no violation");
            return Ok(());
        };
        let files: Vec<String> = self.inputs.iter().map(|i| words::join(&[i.path.to_string_lossy()])).collect();
        let data_model = self.info.data_model.as_deref().unwrap_or_default();
        let mut external = self.external.clone();
        external.extend(self.inputs.iter().flat_map(|input| of_verifiers(&input.text)));
        let (defined, external) = (&self.defined, &external);
        let place = Sources::new(&self.files, |_| None).place(finding.target.pos);
        let driver = self.driver.as_ref().map(|driver| HarnessDriver { unit: driver.unit, text: &driver.text });
        let task = HarnessTask { files: &files, place: &place, data_model, defined, external, driver };
        let text = robusto_report::harness(finding, cex, task);
        output::write_to(Some(path), |out| out.write_all(text.as_bytes()))
    }

    /// Writes that there is no verdict because of an error, which the user has been told or will be told.
    pub fn write_error(mut self, exit: Exit, message: &str, diagnostics: &[Diagnostic]) -> Result<()> {
        self.status = None;
        self.measure(exit);
        let choice = self.choice.take();
        let property = choice.as_ref().map(|c| &c.property);
        let info = &self.info;
        write_file(self.sarif.as_deref(), || robusto_report::sarif_error(info, message, diagnostics))?;
        write_file(self.junit.as_deref(), || {
            let first = diagnostics.iter().find(|d| d.is_error()).map_or(message, |d| &d.message);
            robusto_report::junit_error(info, first)
        })?;
        if self.github {
            let text = robusto_report::github_error(message, diagnostics);
            io::stderr().write_all(text.as_bytes()).context("cannot write the report")?;
        }
        self.write_json(|info| robusto_report::json_error(info, property, message, diagnostics))
    }

    fn measure(&mut self, exit: Exit) {
        self.info.exit_code = exit.0;
        self.info.seconds = self.start.elapsed().as_secs_f64();
        self.info.peak_memory = peak_memory();
    }

    fn write_json(&self, text: impl FnOnce(&RunInfo) -> String) -> Result<()> {
        write_file(self.json.as_deref(), || text(&self.info))
    }
}

/// The functions that a text names through which programs talk to verifiers. They are no functions of the automata.
fn of_verifiers(text: &str) -> impl Iterator<Item = String> {
    const PREFIXES: [&str; 5] = ["__VERIFIER_", "nondet_", "__CPROVER_", "__ESBMC_", "klee_"];
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let names = text.split(move |c| !is_part(c)).filter(|name| PREFIXES.iter().any(|prefix| name.starts_with(prefix)));
    names.map(str::to_owned)
}

fn write_file(path: Option<&Path>, text: impl FnOnce() -> String) -> Result<()> {
    let Some(path) = path else { return Ok(()) };
    output::write_to(Some(path), |out| out.write_all(text().as_bytes()))
}

fn exit_of(verdict: &Verdict) -> Exit {
    match verdict {
        Verdict::True => Exit::OK,
        Verdict::False(_) => Exit::FALSE,
        Verdict::Unknown(_) => Exit::UNKNOWN,
    }
}

/// Greatest resident memory so far, in bytes.
fn peak_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find(|l| l.starts_with("VmHWM:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<u64>().ok()? * 1024)
}
