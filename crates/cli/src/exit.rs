//! Exit codes: the part of the output that scripts read.

use robusto_report::Diagnostic;
use std::fmt;
use std::io::{self, Write as _};
use std::process::ExitCode;

/// Exit code of the process.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Exit(pub u8);

impl Exit {
    /// The command did what it was asked to do.
    pub const OK: Exit = Exit(0);
    /// The command line makes no sense, or the output cannot be written.
    pub const USAGE: Exit = Exit(1);
    /// The input is not understood.
    pub const REJECTED: Exit = Exit(2);
    /// The property is violated.
    pub const FALSE: Exit = Exit(10);
    /// No verdict.
    pub const UNKNOWN: Exit = Exit(5);
    /// A bug in Robusto.
    pub const INTERNAL: Exit = Exit(6);
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(exit.0)
    }
}

/// The input is not accepted, and the user has been told why.
#[derive(Debug)]
pub struct Rejected;

impl fmt::Display for Rejected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the input is not accepted")
    }
}

impl std::error::Error for Rejected {}

/// What the user has been told about an input that is not accepted.
#[derive(Debug)]
pub struct Diagnosed(pub Vec<Diagnostic>);

impl fmt::Display for Diagnosed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Rejected.fmt(f)
    }
}

/// Tells the user about an error unless that happened already, and gives its exit code.
pub fn of_error(error: &anyhow::Error) -> Exit {
    if error.is::<Rejected>() {
        return Exit::REJECTED;
    }
    if error.chain().any(is_broken_pipe) {
        // The reader (`head`, a pager) has seen enough.
        return Exit::OK;
    }
    let _ = writeln!(io::stderr(), "robusto: error: {error:#}");
    code_of(error)
}

/// The exit code of an error.
pub fn code_of(error: &anyhow::Error) -> Exit {
    if error.is::<Rejected>() || error.is::<robusto_interp::NoMain>() { Exit::REJECTED } else { Exit::USAGE }
}

fn is_broken_pipe(cause: &(dyn std::error::Error + 'static)) -> bool {
    cause.downcast_ref::<io::Error>().is_some_and(|e| e.kind() == io::ErrorKind::BrokenPipe)
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::Context as _;

    #[test]
    fn codes() {
        assert_eq!(of_error(&Rejected.into()), Exit::REJECTED);
        let diagnosed = anyhow::Error::new(Rejected).context(Diagnosed(Vec::new()));
        assert_eq!((of_error(&diagnosed), diagnosed.is::<Diagnosed>()), (Exit::REJECTED, true));
        assert_eq!(of_error(&anyhow::anyhow!("no such function")), Exit::USAGE);
        let pipe: Result<(), _> = Err(io::Error::from(io::ErrorKind::BrokenPipe));
        assert_eq!(of_error(&pipe.context("cannot write").unwrap_err()), Exit::OK);
    }
}
