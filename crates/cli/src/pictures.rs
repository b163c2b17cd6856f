//! What a page of the browser shows of the program itself.

use robusto_cfa::analysis::loops::LoopForest;
use robusto_cfa::draw::{self, Options};
use robusto_cfa::ir::{FuncId, IdxVec, Program, VarKind};
use robusto_interp::show;
use robusto_report::Pictures;

/// The automata of all functions with a body, and the global variables.
pub fn of(program: &Program) -> Pictures {
    let forests: IdxVec<FuncId, LoopForest> = program.functions.iter().map(LoopForest::of).collect();
    let is_head = |function, loc| forests[function].is_head(loc);
    let automata = draw::graphs(program, Options { functions: None, loop_heads: Some(&is_head) });
    let globals = program.vars.iter().filter_map(|var| match var.kind {
        VarKind::Global(initial) if !var.name.contains('$') => {
            Some((var.name.to_string(), show::expr(program, initial)))
        }
        _ => None,
    });
    Pictures { automata, graph: None, globals: globals.collect() }
}
