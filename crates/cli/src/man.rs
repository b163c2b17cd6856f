//! `robusto man`: manual pages, from the definition of the arguments.

use crate::args::Cli;
use crate::exit::Exit;
use crate::output;
use anyhow::{Context as _, Result};
use clap::{Args, CommandFactory as _};
use clap_mangen::Man;
use std::path::PathBuf;

/// Help text after the options.
pub const AFTER_HELP: &str = "\
Examples:
  robusto man | man -l -
  robusto man -o ~/.local/share/man/man1";

/// Arguments of `robusto man`.
#[derive(Args, Debug)]
pub struct ManArgs {
    /// Folder to write a page of each command to
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
}

/// Writes pages.
pub fn command(args: &ManArgs) -> Result<Exit> {
    match &args.output {
        Some(folder) => {
            let cannot = || format!("cannot write to '{}'", folder.display());
            std::fs::create_dir_all(folder).with_context(cannot)?;
            clap_mangen::generate_to(Cli::command(), folder).with_context(cannot)?;
        }
        None => output::write_to(None, |mut out| Man::new(Cli::command()).render(&mut out))?,
    }
    Ok(Exit::OK)
}
