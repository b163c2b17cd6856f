//! `robusto cfa`: prints the automata of a program, or figures about them.

use crate::args::{CfaArgs, Format};
use crate::exit::Exit;
use crate::{input, output, properties, spelling};
use anyhow::{Context as _, Result};
use robusto_cfa::analysis::Analyses;
use robusto_cfa::analysis::large::LargeBlocks;
use robusto_cfa::analysis::loops::LoopForest;
use robusto_cfa::analysis::stats::Stats;
use robusto_cfa::draw::{self, Graph};
use robusto_cfa::ir::{Assumption, FuncId, Function, IdxVec, Program};
use robusto_cfa::text::{self, Names};

/// Compiles the program and prints what was asked for.
pub fn command(args: &CfaArgs) -> Result<Exit> {
    let mut program = input::compile(&args.input, properties::checks(&args.property)?)?;
    let chosen = args.function.as_deref().map(|name| find_function(&program, name)).transpose()?;
    let text = match args.format {
        _ if args.stats => figures(&program),
        _ if args.large_blocks => large_blocks(&program, chosen),
        Format::Text => print(&mut program, chosen),
        Format::Dot => draw(&program, chosen, draw::graphs_dot),
        Format::Svg => draw(&program, chosen, draw::graphs_svg),
    };
    output::write_to(args.output.as_deref(), |out| out.write_all(text.as_bytes()))?;
    Ok(Exit::OK)
}

fn find_function(program: &Program, name: &str) -> Result<FuncId> {
    program.function_named(name).with_context(|| {
        let names = program.functions.iter().map(|function| &*function.name);
        format!("the program has no function '{name}'{}", spelling::hint(name, names))
    })
}

/// Sizes, and what is approximated, each with the place where it arises first.
fn figures(program: &Program) -> String {
    let mut text = Stats::of(program, &Analyses::of(program)).to_string();
    for Assumption { text: what, pos } in &program.assumptions {
        let place = match program.files.get(usize::from(pos.file)) {
            Some(file) if pos.line > 0 => format!("{file}:{}:{}: ", pos.line, pos.column),
            _ => String::new(),
        };
        text.push_str(&format!("  {place}{what}\n"));
    }
    text
}

/// The automata with large blocks as edges.
fn large_blocks(program: &Program, chosen: Option<FuncId>) -> String {
    let names = Names::new(program);
    let mut text = String::new();
    for (id, function) in program.functions.enumerate().filter(|(id, _)| chosen.is_none_or(|chosen| *id == chosen)) {
        text.push_str(&format!(
            "function {} {{\n  entry {}, exit {}\n",
            names.function(id),
            function.entry,
            function.exit
        ));
        for line in LargeBlocks::of(function).show(&names, function).lines() {
            text.push_str(&format!("  {line}\n"));
        }
        text.push_str("}\n");
    }
    text
}

fn draw(program: &Program, chosen: Option<FuncId>, picture: fn(&[Graph]) -> String) -> String {
    let forests: IdxVec<FuncId, LoopForest> = program.functions.iter().map(LoopForest::of).collect();
    let is_head = |function, loc| forests[function].is_head(loc);
    let functions = chosen.as_ref().map(std::slice::from_ref);
    let graphs = draw::graphs(program, draw::Options { functions, loop_heads: Some(&is_head) });
    picture(&graphs.into_iter().map(Graph::contract_sequences).collect::<Vec<_>>())
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
