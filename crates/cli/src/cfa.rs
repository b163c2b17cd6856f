//! `robusto cfa`: prints the automata of a program, or figures about them.

use crate::args::{CfaArgs, Format};
use crate::exit::Exit;
use crate::{input, output};
use anyhow::{Context as _, Result};
use robusto_cfa::analysis::loops::LoopForest;
use robusto_cfa::draw;
use robusto_cfa::ir::{FuncId, Function, IdxVec, Program};
use robusto_cfa::text::{self, Names};

/// Compiles the program and prints what was asked for.
pub fn command(args: &CfaArgs) -> Result<Exit> {
    let mut program = input::compile(&args.input)?;
    let chosen = args.function.as_deref().map(|name| find_function(&program, name)).transpose()?;
    let text = match args.format {
        Format::Text => print(&mut program, chosen),
        Format::Dot => draw(&program, chosen, draw::dot),
        Format::Svg => draw(&program, chosen, draw::svg),
    };
    output::write_to(args.output.as_deref(), |out| out.write_all(text.as_bytes()))?;
    Ok(Exit::OK)
}

fn find_function(program: &Program, name: &str) -> Result<FuncId> {
    program.function_named(name).with_context(|| format!("the program has no function '{name}'"))
}

fn draw(program: &Program, chosen: Option<FuncId>, picture: fn(&Program, draw::Options<'_>) -> String) -> String {
    let forests: IdxVec<FuncId, LoopForest> = program.functions.iter().map(LoopForest::of).collect::<Vec<_>>().into();
    let options =
        draw::Options { functions: chosen.as_slice().into(), loop_heads: Some(&|f, loc| forests[f].is_head(loc)) };
    picture(program, if chosen.is_some() { options } else { draw::Options { functions: None, ..options } })
}

fn print(program: &mut Program, chosen: Option<FuncId>) -> String {
    let Some(chosen) = chosen else { return text::print(program) };
    // The text form defines large expressions where they occur first. With the other bodies gone, that is in the
    // chosen function.
    for id in program.functions.ids().filter(|&id| id != chosen) {
        let Function { ref name, pos, .. } = program.functions[id];
        program.functions[id] = Function::header(name, pos);
    }
    let whole = text::print(program);
    let external = if program.functions[chosen].external { "external " } else { "" };
    let head = format!("\n{external}function {}(", Names::new(program).function(chosen));
    let from = whole.find(&head).map_or(0, |at| at + 1);
    let to = whole[from..].find("\n}\n").map_or(whole.len(), |at| from + at + 3);
    whole[from..to].to_owned()
}
