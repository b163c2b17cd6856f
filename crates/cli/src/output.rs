//! Where results go: standard output, or the file of `-o`.

use anyhow::{Context as _, Result};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// Whether a path stands for standard output.
pub fn is_stdout(path: &Path) -> bool {
    path == Path::new("-")
}

/// Calls `write` with a buffered writer to the file, or to standard output if there is none or it is `-`.
pub fn write_to(path: Option<&Path>, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
    match path.filter(|path| !is_stdout(path)) {
        Some(path) => {
            let cannot = || format!("cannot write '{}'", path.display());
            let mut file = BufWriter::new(File::create(path).with_context(cannot)?);
            write(&mut file).and_then(|()| file.flush()).with_context(cannot)
        }
        None => {
            let mut out = BufWriter::new(io::stdout().lock());
            write(&mut out).and_then(|()| out.flush()).context("cannot write to standard output")
        }
    }
}
