//! DepQBF as the solver of quantified formulas, if it is on the PATH.

use robusto_logic::qbf::External;
use std::io::Write as _;
use std::process::{Command, Stdio};

/// Its name.
const PROGRAM: &str = "depqbf";
/// What it exits with for a formula that is true, and for one that is false.
const TRUE: i32 = 10;
const FALSE: i32 = 20;

/// The solver, unless the program cannot be started.
pub fn external() -> Result<External, String> {
    let version = Command::new(PROGRAM).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    version.map_err(|error| format!("{PROGRAM} cannot be started: {error} (Debian has a package `{PROGRAM}`)"))?;
    Ok(External::new(ask))
}

fn ask(text: &str) -> Result<bool, String> {
    let failed = |error: std::io::Error| format!("{PROGRAM}: {error}");
    let mut child =
        Command::new(PROGRAM).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().map_err(failed)?;
    if let Some(mut input) = child.stdin.take() {
        input.write_all(text.as_bytes()).map_err(failed)?;
    }
    match child.wait().map_err(failed)?.code() {
        Some(TRUE) => Ok(true),
        Some(FALSE) => Ok(false),
        _ => Err(format!("{PROGRAM} gave no answer")),
    }
}
