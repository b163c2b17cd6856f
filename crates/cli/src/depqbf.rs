//! DepQBF as the solver of quantified formulas, if it is on the PATH.

use anyhow::{Context as _, Result};
use robusto_limits::Limits;
use robusto_logic::qbf::External;
use std::io::Write as _;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

/// Its name.
const PROGRAM: &str = "depqbf";
/// What it exits with for a formula that is true, and for one that is false.
const TRUE: i32 = 10;
const FALSE: i32 = 20;
/// How often it is asked whether it is done; at first, and later.
const SHORTEST: Duration = Duration::from_micros(200);
const LONGEST: Duration = Duration::from_millis(10);

/// The solver, unless the program cannot be started.
pub fn external(limits: &Limits) -> Result<External> {
    let version = Command::new(PROGRAM).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    version.with_context(|| format!("{PROGRAM} cannot be started (Debian has a package `{PROGRAM}`)"))?;
    let limits = limits.clone();
    Ok(External::new(move |text| {
        ask(text, &limits)
            .and_then(|code| match code {
                Some(TRUE) => Ok(true),
                Some(FALSE) => Ok(false),
                _ => Err(anyhow::anyhow!("it gave no answer")),
            })
            .map_err(|error| format!("{PROGRAM}: {error:#}"))
    }))
}

/// What the program exits with.
fn ask(text: &str, limits: &Limits) -> Result<Option<i32>> {
    let mut command = Command::new(PROGRAM);
    let mut child = Running(command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?);
    if let Some(mut input) = child.0.stdin.take() {
        input.write_all(text.as_bytes())?;
    }
    let mut pause = SHORTEST;
    loop {
        if let Some(status) = child.0.try_wait()? {
            return Ok(status.code());
        }
        limits.look()?;
        thread::sleep(pause);
        pause = LONGEST.min(pause * 2);
    }
}

/// A process that does not outlive this.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
