//! `robusto check`: is the property true?

use crate::args::CheckArgs;
use crate::engines::Wanted;
use crate::exit::Exit;
use crate::input::Loaded;
use crate::properties::{self, NoneSupported};
use crate::sink::SharedSink;
use crate::status::{self, News, Status};
use crate::{functions, input, race};
use anyhow::Result;
use robusto_engine::undefined::{self, Look};
use robusto_engine::{Problem, property};
use robusto_limits::Progress;
use robusto_report::{Sources, TraceLength};
use robusto_verdict::{Finding, Property, Report};
use std::io::Write as _;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

/// Checks and prints; the exit code is the verdict's. With `--json` there is a document in any case.
pub fn command(args: &CheckArgs) -> Result<Exit> {
    args.race.validate()?;
    if let Some(file) = &args.race.configurations {
        return race::command(args, file);
    }
    if args.entry.is_all() {
        return functions::command(args);
    }
    let sink = SharedSink::new(args.outputs());
    sink.conclude(|| check(args, &sink))
}

fn check(args: &CheckArgs, sink: &SharedSink) -> Result<Option<Report>> {
    args.engine.validate()?;
    let choice = match properties::choose(&args.property, &args.input, Property::Default) {
        Ok(choice) => choice,
        Err(error) if error.is::<NoneSupported>() => {
            sink.take().write_error(Exit::UNKNOWN, &error.to_string(), &[])?;
            let _ = writeln!(std::io::stdout(), "RESULT: unknown(unsupported: {error})");
            return Ok(None);
        }
        Err(error) => return Err(error),
    };
    let property = choice.property.clone();
    let undefined = args.undefined(&choice);
    sink.update(|sink| sink.set_choice(choice));
    let limits = args.limits.start()?;
    let progress = Arc::new(Progress::default());
    sink.watch(&limits, &progress);
    let loaded = input::load_at(&args.input, args.entry.entry(), property::checks(&property))?;
    functions::require_start(&loaded, args.entry.function.as_deref())?;
    let Loaded { program, files, driver, .. } = loaded;
    properties::require_labels(&property, &program, &files)?;
    let (names, news) = (program.files.clone(), News::default());
    sink.update(|sink| sink.set_program(&program, files, driver));
    sink.update(|sink| {
        if args.verbose {
            let functions = program.functions.iter().filter(|f| !f.external).count();
            let text = format!("{property}: {functions} functions, {} variables", program.vars.len());
            status::message(sink.start(), &text);
        }
        let (name, news) = (args.analysis_name(), news.clone());
        sink.set_status(Status::start(name, progress.clone(), news, args.verbose, sink.start()));
    });
    let page = args.report.is_some();
    let traces = page
        || !property.has_many_verdicts()
        || property == Property::Default
        || args.trace_length() == TraceLength::Full
        || args.witness.is_some();
    // The sink knows the problem, and so all that is found out of it, whatever ends the run.
    let prepared = |problem: Problem| {
        let problem = Arc::new(problem);
        let (names, news) = (names.clone(), news.clone());
        let stop = args.stop_at_first.then(|| limits.cancel.clone());
        problem.on_violation(move |finding| {
            news.add(found(finding, &names));
            stop.iter().for_each(|stop| stop.store(true, Ordering::Relaxed));
        });
        sink.update(|sink| sink.set_problem(problem.clone()));
        problem
    };
    let preparing = progress.begin("preparation");
    let mut problem = prepared(Problem::new(program.clone(), &property));
    drop(preparing);
    let wanted = Wanted { traces, graph: page };
    let start = Instant::now();
    let (mut report, mut graph) = args.engine.check(&problem, wanted, args.certify, &limits, &progress)?;
    if problem.needs_rules(&report) {
        let preparing = progress.begin("preparation");
        let within_rules = prepared(Problem::within_rules(program.clone(), &property));
        drop(preparing);
        within_rules.inherit(&problem);
        problem = within_rules;
        (report, graph) = args.engine.check(&problem, wanted, args.certify, &limits, &progress)?;
    }
    let look = Look { undefined, spent: start.elapsed(), limits: &limits };
    undefined::look(&problem, program, &property, &look, &mut report);
    sink.update(|sink| sink.set_graph(graph));
    Ok(Some(report))
}

/// A violation in a line: `found: a.c:3: error call in main [unreach-call]`.
fn found(finding: &Finding, files: &[Box<str>]) -> String {
    let sources = Sources::new(files, |_| None);
    let at = sources.place_of(finding);
    let place = sources.name(at).map_or_else(|| "no position".to_owned(), |name| format!("{name}:{}", at.line));
    format!("found: {place}: {} [{}]", finding.target.name, finding.target.property())
}
