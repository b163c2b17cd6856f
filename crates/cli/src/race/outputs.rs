//! The files of a race: what each configuration writes, and what the user asked for.

use crate::args::CheckArgs;
use crate::output;
use anyhow::Result;
use std::ffi::OsString;
use std::path::PathBuf;

/// Files that are asked for. Each configuration writes its own, and those of the best answer are copied.
pub struct Outputs {
    /// Where each configuration writes to.
    pub folder: PathBuf,
    /// Option and destination.
    pub wanted: Vec<(&'static str, PathBuf)>,
}

impl Outputs {
    /// What the command line asks for.
    pub fn new(args: &CheckArgs) -> Self {
        let options = [
            ("--json", &args.json),
            ("--sarif", &args.sarif),
            ("--junit", &args.junit),
            ("--witness", &args.witness),
            ("--certificate", &args.certificate),
            ("--harness", &args.harness),
            ("--report", &args.report),
        ];
        let wanted = options.into_iter().filter_map(|(option, path)| Some((option, path.clone()?))).collect();
        Self { folder: args.race.configurations_output.clone(), wanted }
    }

    /// The file that a configuration writes for an option.
    pub fn own(&self, name: &str, option: &str) -> PathBuf {
        self.folder.join(format!("{name}.{}", option.trim_start_matches('-')))
    }

    /// The output of a configuration.
    pub fn log(&self, name: &str) -> PathBuf {
        self.folder.join(format!("{name}.log"))
    }

    /// The options of a configuration. It says as JSON whether its answer is certified.
    pub fn arguments(&self, name: &str) -> Vec<OsString> {
        let others = self.wanted.iter().map(|(option, _)| *option).filter(|option| *option != "--json");
        others.chain(["--json"]).flat_map(|option| [option.into(), self.own(name, option).into()]).collect()
    }

    /// Whether a configuration says that its answer is certified.
    pub fn is_certified(&self, name: &str) -> bool {
        let text = std::fs::read_to_string(self.own(name, "--json")).unwrap_or_default();
        let document: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
        document["certification"]["certified"] == true
    }

    /// Copies what a configuration wrote to where it was asked for.
    pub fn publish(&self, name: &str) -> Result<()> {
        for (option, destination) in &self.wanted {
            // A harness, for one, is there only for a violation.
            if let Ok(content) = std::fs::read(self.own(name, option)) {
                output::write_to(Some(destination), |out| out.write_all(&content))?;
            }
        }
        Ok(())
    }

    /// Whether the text is to leave standard output to the JSON document.
    pub fn text_to_stderr(&self) -> bool {
        self.wanted.iter().any(|(option, path)| *option == "--json" && output::is_stdout(path))
    }
}
