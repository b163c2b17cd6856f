//! `robusto check --function`: the functions that a program has, and each of them checked in a process of its own.

use crate::args::CheckArgs;
use crate::exit::{Exit, Rejected};
use crate::input::{self, Loaded};
use crate::{output, spelling, words};
use anyhow::{Context as _, Result, anyhow, bail};
use robusto_bench::judge::Answer;
use robusto_bench::live::LiveLine;
use robusto_cfa::Checks;
use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

/// Time for each function where the command line has none.
const TIMEOUT: &str = "5s";

/// Most functions that a message names.
const NAMED: usize = 20;

/// Complains if there is nothing to start at.
pub fn require_start(loaded: &Loaded, wanted: Option<&str>) -> Result<()> {
    if loaded.program.main.is_some() {
        return Ok(());
    }
    let names: Vec<&str> = own(loaded).into_iter().map(|(name, _)| name).collect();
    let Some(wanted) = wanted else {
        if names.is_empty() {
            bail!("the program has no `main`, and no other function");
        }
        bail!(
            "the program has no `main`; check one of its functions, --function NAME, or each, --function all\nfunctions: {}",
            listed(&names)
        );
    };
    Err(match spelling::closest(wanted, names.iter().copied()) {
        Some(name) => anyhow!("the program defines no function `{wanted}`; did you mean `{name}`?"),
        None => anyhow!("the program defines no function `{wanted}`\nfunctions: {}", listed(&names)),
    })
}

fn listed(names: &[&str]) -> String {
    let shown = names[..names.len().min(NAMED)].join(", ");
    if names.len() > NAMED { format!("{shown} … ({} in all)", names.len()) } else { shown }
}

/// The functions of the files themselves and of headers beside them, each with its place; not those of other headers.
fn own(loaded: &Loaded) -> Vec<(&str, String)> {
    let folders: Vec<&Path> = loaded.files.iter().filter_map(|file| file.path.parent()).collect();
    let is_own = |file: &str| {
        let path = Path::new(file);
        loaded.files.iter().any(|input| input.path == path)
            || folders.iter().any(|folder| match folder.as_os_str().is_empty() {
                true => path.is_relative(),
                false => path.starts_with(folder),
            })
    };
    let place = |pos: robusto_cfa::ir::SrcPos| {
        let file = loaded.program.files.get(usize::from(pos.file))?;
        is_own(file).then(|| format!("{file}:{}", pos.line))
    };
    let functions = loaded.functions.iter();
    functions.filter_map(|f| Some((f.name.as_str(), place(f.pos)?))).collect()
}

/// Checks every function of the files and prints a table.
pub fn command(args: &CheckArgs) -> Result<Exit> {
    args.engine.validate()?;
    for (given, option) in [
        (args.witness.is_some(), "--witness"),
        (args.certificate.is_some(), "--certificate"),
        (args.json.is_some(), "--json"),
    ] {
        if given {
            bail!("{option} is about one function; with --function all it has no meaning");
        }
    }
    let loaded = input::load(&args.input, Checks::NONE)?;
    let functions = own(&loaded);
    if functions.is_empty() {
        bail!("the files define no function");
    }
    if let Some(folder) = &args.harness {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot create '{}'", folder.display()))?;
    }
    let line = words::of_this_process_without(&["--function", "--harness"]);
    let mut rows = Vec::new();
    let mut live = LiveLine::new();
    for (i, (name, place)) in functions.iter().enumerate() {
        live.show(|_| format!("{} of {}: {name}", i + 1, functions.len()));
        rows.push(check(name, place, &line, args)?);
    }
    live.clear();
    let text = table(&rows);
    output::write_to(None, |out| out.write_all(text.as_bytes()))?;
    let any = |verdict: &str| rows.iter().any(|row| row.answer.starts_with(verdict));
    Ok(match () {
        () if rows.iter().any(|row| row.code == Some(i32::from(Exit::INTERNAL.0)) || row.code.is_none()) => {
            Exit::INTERNAL
        }
        () if any("false") => Exit::FALSE,
        () if any("unknown") => Exit::UNKNOWN,
        () if any("rejected") => return Err(Rejected.into()),
        () => Exit::OK,
    })
}

/// A line of the table.
struct Row {
    function: String,
    place: String,
    /// `true`, `false(PROPERTY)`, `unknown(REASON)`.
    answer: String,
    seconds: f64,
    /// `None` if it was killed.
    code: Option<i32>,
}

fn check(name: &str, place: &str, line: &[std::ffi::OsString], args: &CheckArgs) -> Result<Row> {
    let program = std::env::current_exe().context("cannot find this program")?;
    let mut command = Command::new(program);
    // After the subcommand, in front of what may follow a `--`.
    let (subcommand, rest) = line.split_first().context("no command")?;
    command.arg(subcommand).arg("--function").arg(name);
    if args.limits.timeout.is_none() {
        command.args(["--timeout", TIMEOUT]);
    }
    if let Some(folder) = &args.harness {
        command.arg("--harness").arg(folder.join(format!("{name}.c")));
    }
    command.args(rest).stdin(Stdio::null());
    let start = Instant::now();
    let output = command.output().context("cannot start a check")?;
    let seconds = start.elapsed().as_secs_f64();
    let stdout = String::from_utf8_lossy(&output.stdout);
    let answer = match Answer::of_output(&stdout) {
        Some(answer) => answer.to_string(),
        None => match output.status.code() {
            Some(code) if code == i32::from(Exit::REJECTED.0) => "rejected".to_owned(),
            Some(code) => format!("none: exit code {code}"),
            None => format!("none: {}", output.status),
        },
    };
    Ok(Row { function: name.to_owned(), place: place.to_owned(), answer, seconds, code: output.status.code() })
}

/// The table, and the result line.
fn table(rows: &[Row]) -> String {
    let width = rows.iter().map(|row| row.function.len()).max().unwrap_or(0).max(8);
    let places = rows.iter().map(|row| row.place.len()).max().unwrap_or(0).max(5);
    let mut out = format!("{:<width$}  {:<places$}  {:>7}  verdict\n", "function", "place", "seconds");
    for Row { function, place, answer, seconds, .. } in rows {
        let _ = writeln!(out, "{function:<width$}  {place:<places$}  {seconds:>7.2}  {answer}");
    }
    let count = |verdict: &str| rows.iter().filter(|row| row.answer.starts_with(verdict)).count();
    let (yes, no, open) = (count("true"), count("false"), count("unknown"));
    let other = rows.len() - yes - no - open;
    let plural = if rows.len() == 1 { "" } else { "s" };
    let _ = write!(out, "{} function{plural}: {yes} true, {no} false, {open} unknown", rows.len());
    let _ = writeln!(out, "{}", if other > 0 { format!(", {other} without an answer") } else { String::new() });
    let _ = match (no, yes == rows.len()) {
        (0, true) => writeln!(out, "RESULT: true"),
        (0, false) => writeln!(out, "RESULT: unknown({} of {} functions)", rows.len() - yes, rows.len()),
        _ => writeln!(out, "RESULT: false({no} of {} functions)", rows.len()),
    };
    out
}
