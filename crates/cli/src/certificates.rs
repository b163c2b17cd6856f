//! Certificates as files.

use crate::output;
use anyhow::{Context as _, Result};
use robusto_verdict::certificate::text::{self, Subject};
use robusto_verdict::{Report, Verdict};
use std::io::Write as _;
use std::path::Path;

/// Writes the certificate of a true about a subject; an older file goes away in any case.
pub fn write(path: &Path, subject: impl FnOnce() -> Subject, report: &Report) -> Result<()> {
    match (&report.verdict, &report.certificate) {
        (Verdict::True, Some(certificate)) => {
            let text = text::write(&subject(), certificate);
            output::write_to(Some(path), |out| out.write_all(text.as_bytes()))
        }
        _ => {
            if path.exists() {
                std::fs::remove_file(path).with_context(|| format!("cannot remove `{}`", path.display()))?;
            }
            let _ = writeln!(std::io::stderr(), "robusto: no certificate: there is no proof that could be written");
            Ok(())
        }
    }
}
