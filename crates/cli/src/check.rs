//! `robusto check`: is the property true?

use crate::args::CheckArgs;
use crate::engines::Wanted;
use crate::exit::Exit;
use crate::input::Loaded;
use crate::properties::{self, NoneSupported};
use crate::sink::SharedSink;
use crate::status::{self, Status};
use crate::{certificates, functions, input, race};
use anyhow::Result;
use robusto_engine::certificate::subject;
use robusto_engine::undefined::{self, Look};
use robusto_engine::{Problem, property};
use robusto_limits::Progress;
use robusto_report::TraceLength;
use robusto_verdict::{Property, Report};
use std::io::Write as _;
use std::sync::Arc;
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
    sink.update(|sink| sink.set_program(&program, files, driver));
    sink.update(|sink| {
        if args.verbose {
            let functions = program.functions.iter().filter(|f| !f.external).count();
            let text = format!("{property}: {functions} functions, {} variables", program.vars.len());
            status::message(sink.start(), &text);
        }
        sink.set_status(Status::start(args.analysis_name(), progress.clone(), args.verbose, sink.start()));
    });
    let page = args.report.is_some();
    let traces = page
        || !property.has_many_verdicts()
        || property == Property::Default
        || args.trace_length() == TraceLength::Full
        || args.witness.is_some();
    progress.set_activity("preparation");
    let mut problem = Problem::new(program.clone(), &property);
    let wanted = Wanted { traces, graph: page };
    let start = Instant::now();
    let (mut report, mut graph) = args.engine.check(&problem, wanted, args.certify, &limits, &progress)?;
    if problem.needs_rules(&report) {
        problem = Problem::within_rules(program.clone(), &property);
        (report, graph) = args.engine.check(&problem, wanted, args.certify, &limits, &progress)?;
    }
    let look = Look { undefined, spent: start.elapsed(), limits: &limits };
    undefined::look(&problem, program, &property, &look, &mut report);
    sink.update(|sink| sink.set_graph(graph));
    if let Some(path) = &args.certificate {
        certificates::write(path, || subject(&problem, &property), &report)?;
    }
    Ok(Some(report.conclude()))
}
