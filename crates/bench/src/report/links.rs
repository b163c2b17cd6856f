//! Links from the page of all runs to what each run left behind: its output, and its own page.

use crate::work::{log_name, report_name};
use std::path::{Path, PathBuf};

/// Folders below the one of the results.
pub const LOGS: &str = "logs";
pub const REPORTS: &str = "reports";

/// Finds the files of runs.
#[derive(Clone, Debug, Default)]
pub struct Links {
    /// The folder of the results; without one there are no links.
    folder: Option<PathBuf>,
}

impl Links {
    /// The files below a folder of results.
    pub fn new(folder: &Path) -> Self {
        Self { folder: Some(folder.to_owned()) }
    }

    /// The address of a run's output, if it is there.
    pub fn log(&self, column: &str, task: &str) -> Option<String> {
        self.existing(LOGS, &log_name(column, task, 0))
    }

    /// The address of a run's page, if it is there.
    pub fn report(&self, column: &str, task: &str) -> Option<String> {
        self.existing(REPORTS, &report_name(column, task, 0))
    }

    fn existing(&self, below: &str, name: &str) -> Option<String> {
        let folder = self.folder.as_ref()?;
        folder.join(below).join(name).is_file().then(|| format!("{below}/{}", encoded(name)))
    }
}

/// A path as an address: all but the plainest characters as percent and number.
fn encoded(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'/' | b'~' => out.push(char::from(byte)),
            other => out.push_str(&format!("%{other:02X}")),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses() {
        assert_eq!(encoded("auto/l/a b#1.yml.log"), "auto/l/a%20b%231.yml.log");
        assert_eq!(encoded("\"<é"), "%22%3C%C3%A9");
        assert_eq!(Links::default().log("x", "y"), None);
    }
}
