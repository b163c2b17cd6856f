//! Which engine checks, and how: the arguments, made from the registry of engines.

use crate::exit::Rejected;
use crate::report::Reporter;
use anyhow::{Context as _, Result};
use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches, value_parser};
use robusto_cfa::draw::{Graph, graphs_dot, graphs_svg};
use robusto_engine::Problem;
use robusto_engine::auto::EXPLAIN;
use robusto_engine::certify::{Conditions, Policy};
use robusto_engine::image::STEPS;
use robusto_engine::numpred::SHOW_ABSTRACTION;
use robusto_engine::registry::{ARG, Engine, Job, Kind, Opt, Outputs, PREDICATES, Registry, SMT2, Values, run};
use robusto_engine::slam::predicates_of;
use robusto_limits::{Limits, Progress};
use robusto_logic::QueryLog;
use robusto_syntax::Severity;
use robusto_verdict::Report;
use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// What is wanted of a check beside the answer.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    /// The steps of counterexamples.
    pub traces: bool,
    /// The graph of the engine that answers.
    pub graph: bool,
}

/// Arguments that choose and tune an engine.
#[derive(Debug)]
pub struct EngineArgs {
    /// The engine.
    pub engine: &'static Engine,
    values: Values,
    /// The paths among the values.
    paths: Vec<(&'static Opt, PathBuf)>,
}

impl EngineArgs {
    /// Complains about options that the engine does not have.
    pub fn validate(&self) -> Result<()> {
        Ok(Registry::standard().check(self.engine, &self.values)?)
    }

    /// Checks a program; draws the graph if asked to. `policy` says when what an engine says is certified. With the report
    /// comes the graph of the engine that answered, if it is wanted and the engine has one.
    pub fn check(
        &self,
        problem: &Problem,
        wanted: Wanted,
        policy: Policy,
        limits: &Limits,
        progress: &Progress,
    ) -> Result<(Report, Option<Graph>)> {
        let graphs: Arc<Mutex<Vec<(&'static str, Graph)>>> = Arc::default();
        let drawn = graphs.clone();
        let outputs = Outputs {
            queries: self.path(&SMT2).map(query_log).transpose()?,
            graph: (wanted.graph || self.path(&ARG).is_some()).then(
                || -> Arc<dyn Fn(&'static str, Graph) + Send + Sync> {
                    Arc::new(move |engine, graph| {
                        drawn.lock().unwrap_or_else(PoisonError::into_inner).push((engine, graph))
                    })
                },
            ),
            rounds: self.path(&STEPS).map(lines).transpose()?,
            explanation: (self.values.has(&EXPLAIN) || self.values.has(&SHOW_ABSTRACTION))
                .then(|| -> Arc<dyn Fn(&str) + Send + Sync> { Arc::new(|text| eprintln!("{text}")) }),
        };
        let certify = Conditions::new(policy, problem.each, limits);
        let values = self.with_texts(problem)?;
        let job = Job { problem, values: &values, traces: wanted.traces, limits, progress, certify, outputs: &outputs };
        let report = run(self.engine, &job);
        let mut graphs = std::mem::take(&mut *graphs.lock().unwrap_or_else(PoisonError::into_inner));
        let decided = report.turns.iter().rfind(|turn| turn.decided).map(|turn| turn.engine);
        let of_answer = graphs.iter().rposition(|(engine, _)| decided.is_none_or(|decided| decided == *engine));
        if let (Some((_, graph)), Some(path)) = (graphs.last(), self.path(&ARG)) {
            let is_dot = path.extension().is_some_and(|e| e == "dot");
            let graph = std::slice::from_ref(graph);
            let text = if is_dot { graphs_dot(graph) } else { graphs_svg(graph) };
            std::fs::write(path, text).with_context(|| format!("cannot write `{}`", path.display()))?;
        }
        Ok((report, of_answer.map(|at| graphs.swap_remove(at).1)))
    }

    /// The values, with the texts of the files among them. Predicates with mistakes are input that is not understood.
    fn with_texts(&self, problem: &Problem) -> Result<Values> {
        let Some(path) = self.path(&PREDICATES) else { return Ok(self.values.clone()) };
        let text = std::fs::read_to_string(path).with_context(|| format!("cannot read '{}'", path.display()))?;
        if let Err(bad) = predicates_of(problem, &text) {
            let mut reporter = Reporter::new();
            reporter.say(Severity::Error, &format!("{}:{}", path.display(), bad.line), &bad.what);
            reporter.finish();
            return Err(Rejected.into());
        }
        Ok(self.values.clone().with(&PREDICATES, text))
    }

    fn path(&self, option: &Opt) -> Option<&Path> {
        self.paths.iter().find(|(given, _)| *given == option).map(|(_, path)| &**path)
    }
}

/// Writes queries to a folder.
fn query_log(dir: &Path) -> Result<QueryLog> {
    std::fs::create_dir_all(dir).with_context(|| format!("cannot create `{}`", dir.display()))?;
    let dir = dir.to_owned();
    Ok(QueryLog::new(move |number, script| {
        // A log is a debugging aid: a full disk must not change a verdict.
        let _ = std::fs::write(dir.join(format!("query-{number:06}.smt2")), script);
    }))
}

/// Writes lines to a file as they come, so that those of a run that is stopped are there, too.
fn lines(path: &Path) -> Result<Arc<dyn Fn(&str) + Send + Sync>> {
    let file = File::create(path).with_context(|| format!("cannot write `{}`", path.display()))?;
    // As above: a full disk must not change a verdict.
    Ok(Arc::new(move |text| drop((&file).write_all(text.as_bytes()))))
}

impl Args for EngineArgs {
    fn augment_args(command: Command) -> Command {
        augment(command, &Registry::standard())
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for EngineArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        read(matches, &Registry::standard())
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// Adds an argument for each option of the engines.
fn augment(command: Command, registry: &Registry) -> Command {
    let choices = registry.engines().map(|engine| PossibleValue::new(engine.name).help(engine.about));
    let default = registry.engines().next().map(|engine| engine.name);
    let analysis = Arg::new(ANALYSIS).long(ANALYSIS).value_name("ANALYSIS").help("The analysis");
    let analysis = analysis.value_parser(PossibleValuesParser::new(choices)).default_values(default);
    let command = command.next_help_heading("Engines").arg(analysis);
    command.args(registry.options().into_iter().map(|option| argument(option, registry)))
}

const ANALYSIS: &str = "analysis";

/// `bdd, predicate, impact: order of exploration`
fn argument(option: &'static Opt, registry: &Registry) -> Arg {
    let owners: Vec<&str> = registry.owners(option).iter().map(|engine| engine.name).collect();
    let arg = Arg::new(option.name).long(option.name).help(format!("{}: {}", owners.join(", "), option.help));
    let arg = match option.kind {
        Kind::Flag => arg.action(ArgAction::SetTrue),
        Kind::Choice { value, list } => {
            let choices = list.iter().map(|(name, help)| PossibleValue::new(*name).help(*help));
            arg.value_name(value).value_parser(PossibleValuesParser::new(choices))
        }
        Kind::Text { value, check, .. } => {
            arg.value_name(value).value_parser(move |text: &str| check(text).map(|()| text.to_owned()))
        }
        Kind::Input | Kind::File => arg.value_name("FILE").value_parser(value_parser!(PathBuf)),
        Kind::Folder => arg.value_name("DIR").value_parser(value_parser!(PathBuf)),
    };
    arg.default_values(option.kind.default())
}

/// What was given.
fn read(matches: &ArgMatches, registry: &Registry) -> Result<EngineArgs, clap::Error> {
    let name = matches.get_one::<String>(ANALYSIS).map_or("", String::as_str);
    let engine = registry.named(name).or_else(|| registry.engines().next());
    let engine = engine.ok_or_else(|| clap::Error::new(clap::error::ErrorKind::MissingRequiredArgument))?;
    let (mut values, mut paths) = (Values::default(), Vec::new());
    let is_given = |option: &&Opt| matches.value_source(option.name) == Some(ValueSource::CommandLine);
    for option in registry.options().into_iter().filter(is_given) {
        let text = match option.kind {
            Kind::Flag => None,
            Kind::Choice { .. } | Kind::Text { .. } => matches.get_one::<String>(option.name).cloned(),
            Kind::Input | Kind::File | Kind::Folder => {
                paths.extend(matches.get_one::<PathBuf>(option.name).map(|path| (option, path.clone())));
                None
            }
        };
        values = values.with(option, text.unwrap_or_default());
    }
    Ok(EngineArgs { engine, values, paths })
}

/// The page of help about engines.
pub fn help_page(registry: &Registry) -> String {
    let width = registry.engines().map(|engine| engine.name.len()).max().unwrap_or(0) + 2;
    let mut page = "Engines (robusto check --analysis NAME)\n".to_owned();
    for engine in registry.engines() {
        let options: Vec<String> = engine.options.iter().map(|option| format!("--{}", option.name)).collect();
        let options = if options.is_empty() { "no options".to_owned() } else { options.join(", ") };
        page.push('\n');
        for (i, line) in engine.help.lines().chain([&*options]).enumerate() {
            let name = if i == 0 { engine.name } else { "" };
            page += &format!("{name:width$}{line}\n");
        }
    }
    page
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Cli;
    use clap::Parser as _;
    use robusto_bench::preset::PRESETS;
    use robusto_engine::registry::Call;
    use robusto_verdict::Reason;

    static DEPTH: Opt = Opt { name: "depth", help: "how deep", kind: Kind::Flag };

    static TOY: Engine = Engine {
        name: "toy",
        about: "Says nothing",
        help: "A toy.",
        options: &[&DEPTH, &SMT2],
        call: Call::Alone(|_| Report::unknown(Reason::NoProgress)),
    };

    fn parsed(registry: &Registry, line: &[&str]) -> Result<EngineArgs, clap::Error> {
        let command = augment(Command::new("check").no_binary_name(true), registry);
        read(&command.try_get_matches_from(line)?, registry)
    }

    #[test]
    fn an_engine_of_the_registry_is_on_the_command_line() {
        let registry = Registry::standard().with(&TOY);
        let args = parsed(&registry, &["--analysis", "toy", "--depth", "--smt2", "queries"]).expect("it is there");
        assert_eq!(args.engine, &TOY);
        assert_eq!(args.values.given().map(|option| option.name).collect::<Vec<_>>(), ["smt2", "depth"]);
        assert_eq!(args.path(&SMT2), Some(Path::new("queries")));
        let help = augment(Command::new("check"), &registry).render_long_help().to_string();
        assert!(help.contains("toy: how deep") && help.contains("Says nothing"), "{help}");
        assert!(help.contains("predicate, impact, bmc, accelerate, kind, toy: write the queries"), "{help}");
        assert!(help_page(&registry).contains("\ntoy         A toy.\n            --depth, --smt2\n"));
    }

    #[test]
    fn defaults_are_no_choices() {
        let args = parsed(&Registry::standard(), &[]).expect("nothing is needed");
        assert_eq!((args.engine.name, args.values.given().count()), ("auto", 0));
    }

    #[test]
    fn every_preset_is_understood() {
        let registry = Registry::standard();
        for preset in PRESETS {
            // What is not an engine's is an option of `robusto check`.
            let own: Vec<&str> = preset.args.iter().copied().take_while(|arg| *arg != "--certify").collect();
            let of_c = parsed(&registry, &own).is_ok_and(|args| registry.check(args.engine, &args.values).is_ok());
            let of_bp = ["robusto", "bp"].iter().chain(preset.args).chain(&["program.bp"]);
            assert!(of_c || Cli::try_parse_from(of_bp).is_ok(), "{} is for no command", preset.name);
        }
    }
}
